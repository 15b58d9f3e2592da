import pg from 'pg';
import { needsFreshPlan, type HearStatement } from './database.ts';

/** The names of prepared statements by SQL text. All connections use the same names. */
const names = new Map<string, string>();
/**
 * Maximum number of prepared statements. A query with a list has different SQL text for each length of the list, and
 * the server keeps each statement until the connection closes.
 */
const mostNames = 400;

type Answer = (error: Error | undefined, result?: pg.QueryResult) => void;

/**
 * A connection that gives statements a name, so that the server prepares each one only once and can reuse its plan.
 * Planning some of the shop's statements takes four times as long as running them.
 */
export class PreparedConnection extends pg.Client {
  readonly #patienceMs: number | undefined;
  readonly #hear: HearStatement | undefined;
  constructor(config: pg.ClientConfig & { hearStatement?: HearStatement } = {}) {
    const { query_timeout: patienceMs, hearStatement, ...others } = config;
    super(others);
    this.#patienceMs = patienceMs;
    this.#hear = hearStatement;
    // The pool listens for errors only while a connection is idle. Without this listener, a connection lost during a
    // transaction would end the process. The caller gets the error from its next statement.
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

  /** Statement observers run before the query's own callback. */
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
   * Calls `answer` with the result, or with an error if no result arrives in time. This replaces pg's own timer
   * (`query_timeout`), which keeps each result in memory long after it was read: a long list then wastes a hundred
   * megabytes.
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
  if (needsFreshPlan(query.text)) return query;
  const known = names.get(query.text);
  if (!known && names.size >= mostNames) return query;
  const name = known ?? `statement_${names.size}`;
  names.set(query.text, name);
  return { ...query, name };
}

function isPlainQuery(query: unknown): query is pg.QueryConfig {
  return typeof query === 'object' && query !== null && 'text' in query && !('submit' in query);
}
