import { protocol, type PGlite, type QueryOptions, type Transaction } from '@electric-sql/pglite';
import { isPlannedAnew } from '../database.ts';

interface Options {
  /** Lists of every length make ever new statements; PostgreSQL keeps each for as long as the process lives. */
  mostStatements?: number;
  /**
   * A plan suits the tables as large as they were when it was made. On a server, autovacuum tells when they have grown;
   * here nothing does: a statement is prepared anew after so many queries of all kinds.
   */
  renewAfter?: number;
}

interface Statement {
  name: string;
  text: string;
  /** How many queries had run before it was prepared. */
  preparedAt: number;
  /** Types of its parameters and columns; absent: not prepared (any more). */
  description?: Messages | undefined;
}
type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>;

/** Carried by the options of a call through PGlite to the messages it sends. */
const statementOf = Symbol('statement');
type CarryingOptions = QueryOptions & { [statementOf]?: Statement };

/**
 * Let `query`, of a PGlite and of its transactions, parse and plan a statement with parameters once: PGlite would do so
 * at every call, which is half of all time it takes for ours. Everything but the messages stays PGlite's own. This
 * relies on PGlite internals (`query` sends Parse, Describe, Bind, Describe, Execute and Sync one by one by
 * `execProtocolStream`, with the caller's options): the version is pinned and `prepared-pglite.test.ts` sees it work.
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
      const statement = values?.length && !options?.paramTypes && !isPlannedAnew(text) ? known(text) : undefined;
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

/** A Bind of the unnamed statement (type, length of the rest in 4 bytes, portal, statement, …), of the named one. */
function bindByName(message: Uint8Array, name: string): Uint8Array {
  const bind = Buffer.concat([message.subarray(0, 6), Buffer.from(name), message.subarray(6)]);
  bind.writeInt32BE(bind.length - 1, 1);
  return bind;
}

/** A prepared statement whose columns have changed since, or that was deallocated. */
function isOutdated(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery');
}
