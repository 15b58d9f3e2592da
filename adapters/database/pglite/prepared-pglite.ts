import { protocol, type PGlite, type QueryOptions, type Transaction } from '@electric-sql/pglite';
import { needsFreshPlan } from '../database.ts';

interface Options {
  /**
   * Maximum number of prepared statements. A query with a list has different SQL text for each length of the list, and
   * PostgreSQL keeps each statement until the process ends.
   */
  mostStatements?: number;
  /**
   * A statement is prepared again after this many queries of any kind, because a plan fits only the table sizes at the
   * time it was made. On a server, autovacuum notices that tables grow; PGlite has no autovacuum.
   */
  renewAfter?: number;
}

interface Statement {
  name: string;
  text: string;
  /** The total number of queries that had run when this statement was prepared. */
  preparedAt: number;
  /**
   * The types of the statement's parameters and columns. Absent if the statement must be prepared before its next run.
   */
  description?: Messages | undefined;
}
type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>;

/** The option that carries the statement through PGlite to `execProtocolStream`. */
const statementOf = Symbol('statement');
type CarryingOptions = QueryOptions & { [statementOf]?: Statement };

/**
 * Changes `query` of a PGlite and of its transactions, so that a statement with parameters is parsed only once and its
 * plan can be reused. Without this, PGlite parses and plans it on every call, which takes half of the time of the
 * shop's queries. Only the protocol messages change. This relies on PGlite internals: `query` sends Parse, Describe,
 * Bind, Describe, Execute and Sync one by one through `execProtocolStream`, with the caller's options. So the version
 * of PGlite is pinned, and `prepared-pglite.test.ts` checks the behavior.
 */
export function prepareStatements(lite: PGlite, { mostStatements = 400, renewAfter = 10_000 }: Options = {}): void {
  const statements = new Map<string, Statement>();
  let queries = 0;

  function known(text: string): Statement | undefined {
    const statement = statements.get(text);
    if (statement || statements.size >= mostStatements) return statement;
    const added = { name: `statement_${statements.size}`, text, preparedAt: 0 };
    statements.set(text, added);
    return added;
  }

  type Query = (text: string, values?: unknown[], options?: QueryOptions) => Promise<unknown>;
  function prepared(query: Query): Query {
    return (text, values, options) => {
      const statement = values?.length && !options?.paramTypes && !needsFreshPlan(text) ? known(text) : undefined;
      return query(text, values, statement ? ({ ...options, [statementOf]: statement } as CarryingOptions) : options);
    };
  }

  const query = prepared(lite.query.bind(lite));
  lite.query = ((...args) =>
    query(...args).catch((error: unknown) => {
      if (isOutdated(error)) return query(...args);
      throw error;
    })) as Query as PGlite['query'];

  const transaction = lite.transaction.bind(lite);
  lite.transaction = (run) =>
    transaction((tx) => {
      tx.query = prepared(tx.query.bind(tx)) as Transaction['query'];
      return run(tx);
    });

  const send = lite.execProtocolStream.bind(lite);
  lite.execProtocolStream = async (message, options: CarryingOptions = {}) => {
    const statement = options[statementOf];
    if (!statement) return send(message, options);
    const { name, text } = statement;
    const { close, parse, describe } = protocol.serialize;
    switch (String.fromCharCode(message[0]!)) {
      case 'P':
        queries += 1;
        if (statement.description && queries - statement.preparedAt < renewAfter) return [];
        statement.description = undefined;
        statement.preparedAt = queries;
        await send(close({ type: 'S', name }), options);
        return send(parse({ name, text }), options);
      case 'D':
        return (statement.description ??= await send(describe({ type: 'S', name }), options));
      case 'B':
        try {
          return await send(bindByName(message, name), options);
        } catch (error) {
          if (isOutdated(error)) statement.description = undefined;
          throw error;
        }
      default:
        return send(message, options);
    }
  };
}

/**
 * Changes a Bind message so that it names a prepared statement instead of the unnamed one. The message consists of a
 * type (1 byte), the remaining length (4 bytes), the portal, the statement, ….
 */
function bindByName(message: Uint8Array, name: string): Uint8Array {
  const bind = Buffer.concat([message.subarray(0, 6), Buffer.from(name), message.subarray(6)]);
  bind.writeInt32BE(bind.length - 1, 1);
  return bind;
}

/** Whether the columns of the statement have changed since it was prepared, or the statement was deallocated. */
function isOutdated(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery');
}
