import pg from 'pg';
import { isPlannedAnew, type HearStatement } from './database.ts';

/** Names by statement, the same on every connection. */
const names = new Map<string, string>();
/** Lists of every length make ever new statements; the server keeps each for as long as the connection lives. */
const mostNames = 400;

type Answer = (error: Error | undefined, result?: pg.QueryResult) => void;

/**
 * A connection on which the server plans a statement once and knows it by name from then on: planning some of ours takes
 * four times as long as running them.
 */
export class PreparedConnection extends pg.Client {
  readonly #patienceMs: number | undefined;
  readonly #hear: HearStatement | undefined;
  constructor(config: pg.ClientConfig & { hearStatement?: HearStatement } = {}) {
    const { query_timeout: patienceMs, hearStatement, ...others } = config;
    super(others);
    this.#patienceMs = patienceMs;
    this.#hear = hearStatement;
    // The pool listens only while it has it: unheard, a loss amid a transaction would end the process. Whoever has the
    // connection learns of it by their next statement.
    this.on('error', () => {});
  }

  override query = ((query: unknown, ...rest: unknown[]) => {
    const asked = named(query, rest[0]);
    const answer = rest.at(-1);
    const heard = this.#heard(query);
    if (typeof answer === 'function')
      return super.query(
        asked as never,
        ...(rest.slice(0, -1) as []),
        this.#patiently(heard(answer as Answer)) as never,
      );
    return new Promise((resolve, reject) => {
      const settle: Answer = (error, result) => (error ? reject(error) : resolve(result));
      void super.query(asked as never, ...(rest as []), this.#patiently(heard(settle)) as never);
    });
  }) as pg.Client['query'];

  /** Whoever hears of statements is told of this one's end before its asker is. */
  #heard(query: unknown): (answer: Answer) => Answer {
    const text = typeof query === 'string' ? query : isPlainQuery(query) ? query.text : undefined;
    const onEnd = text === undefined ? undefined : this.#hear?.(text);
    if (!onEnd) return (answer) => answer;
    return (answer) => (error, result) => {
      onEnd(error);
      answer(error, result);
    };
  }

  /**
   * What is done with an answer, or with the error that none came in time. pg's own timer (`query_timeout`) keeps each
   * answer alive long after it was read: a long list then takes a hundred megabytes that nobody uses.
   */
  #patiently(answer: Answer): Answer {
    let waiting: Answer | undefined = answer;
    const once: Answer = (error, result) => {
      clearTimeout(timer);
      const told = waiting;
      waiting = undefined;
      told?.(error, result);
    };
    const timer =
      this.#patienceMs === undefined
        ? undefined
        : setTimeout(() => once(new Error('Query read timeout')), this.#patienceMs);
    return once;
  }
}

function named(query: unknown, values: unknown): unknown {
  if (!isPlainQuery(query) || !Array.isArray(values) || values.length === 0) return query;
  if (isPlannedAnew(query.text)) return query;
  const known = names.get(query.text);
  if (!known && names.size >= mostNames) return query;
  const name = known ?? `statement_${names.size}`;
  names.set(query.text, name);
  return { ...query, name };
}

function isPlainQuery(query: unknown): query is pg.QueryConfig {
  return typeof query === 'object' && query !== null && 'text' in query && !('submit' in query);
}
