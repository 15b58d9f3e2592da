import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Db } from '#shop/ports/database.ts';
import type { ObserveStatement } from './database.ts';
import { runObserved } from './run-observed.ts';

/**
 * Time limits of a connection that serves requests. They stop slow statements, release the locks of idle transactions,
 * and end queries on a network connection that no longer responds.
 */
const timeouts = {
  connectionTimeoutMillis: 5_000,
  lock_timeout: 10_000,
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
  query_timeout: 35_000,
  keepAlive: true,
};

/** Opens a pool of at most `most` connections for requests and jobs. */
export const openPool = (
  url: string,
  most: number,
  onError: (error: unknown) => void,
  { isPatient = false }: { isPatient?: boolean } = {},
): pg.Pool =>
  new pg.Pool({ connectionString: url, max: most, ...timeouts, ...(isPatient && { query_timeout: undefined }) })
    .on('error', onError)
    // The pool listens for errors only while a connection is idle. Without this listener, a connection lost during a
    // transaction would end the process. The caller gets the error from its next statement.
    .on('connect', (connection) => connection.on('error', () => {}));

/**
 * Drizzle over a pool, with transactions that always release their connection. Drizzle's own transactions keep the
 * connection when BEGIN fails, and hide the original error when ROLLBACK fails.
 */
export function createDrizzle(pool: pg.Pool, observe?: ObserveStatement): Db {
  const db = drizzle({ client: observeClient(pool, observe) }) as unknown as Db;
  db.transaction = async (run, config) => {
    const connection = await pool.connect();
    let failed: { error: unknown } | undefined;
    try {
      const result = await drizzle({ client: observeClient(connection, observe) }).transaction(async (tx) => {
        try {
          return await run(tx);
        } catch (error) {
          failed = { error };
          throw error;
        }
      }, config);
      connection.release();
      return result;
    } catch (error) {
      // If BEGIN, COMMIT or ROLLBACK failed, the state of the connection is unknown, so it is closed.
      connection.release(failed?.error !== error);
      throw failed ? failed.error : error;
    }
  };
  return db;
}

const rollbackTimeoutMs = 5_000;

/**
 * The part of a pool or connection that Drizzle uses, with every statement reported to the observer. A rollback has a
 * short time limit, because it follows an error, often of a network connection that no longer responds.
 */
function observeClient(client: pg.Pool | pg.PoolClient, observe: ObserveStatement | undefined): pg.PoolClient {
  const query = (statement: pg.QueryConfig, values?: unknown[]) => {
    const isRollback = statement.text === 'rollback';
    const limitedStatement = isRollback ? { ...statement, query_timeout: rollbackTimeoutMs } : statement;
    return runObserved(observe, statement.text, values ?? [], () => client.query(limitedStatement, values));
  };
  return { query } as unknown as pg.PoolClient;
}
