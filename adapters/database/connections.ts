import pg from 'pg';
import { drizzle, NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Db } from '#shop/ports/database.ts';
import type { HearStatement } from './database.ts';
import { PreparedConnection } from './prepared-connection.ts';

/**
 * Time limits of a connection that serves requests. They stop slow statements, release the locks of idle transactions,
 * and end queries on a network connection that no longer responds.
 */
const patience = {
  connectionTimeoutMillis: 5_000,
  lock_timeout: 10_000,
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
  query_timeout: 35_000,
  keepAlive: true,
};
const rollbackTimeoutMs = 5_000;

/** Opens a pool of at most `most` connections for requests and jobs. */
export const openPool = (
  url: string,
  most: number,
  onError: (error: unknown) => void,
  { isPatient = false, hearStatement }: { isPatient?: boolean; hearStatement?: HearStatement | undefined } = {},
): pg.Pool =>
  new pg.Pool({
    connectionString: url,
    Client: PreparedConnection,
    max: most,
    ...patience,
    ...(isPatient && { query_timeout: undefined }),
    ...(hearStatement && { hearStatement }),
  }).on('error', onError);

/**
 * Drizzle over a pool, with transactions that always release their connection. Drizzle's own transactions keep the
 * connection when BEGIN fails, and hide the original error when ROLLBACK fails.
 */
export function drizzleOver(pool: pg.Pool): Db {
  const dialect = new PgDialect();
  const db = drizzle(pool) as unknown as Db;
  db.transaction = async (run) => {
    const connection = await pool.connect();
    try {
      await connection.query('begin');
      const tx = new NodePgTransaction(dialect, new NodePgSession(connection, dialect, undefined), undefined);
      const result = await run(tx as never);
      await connection.query('commit');
      connection.release();
      return result;
    } catch (error) {
      await connection.query({ text: 'rollback', query_timeout: rollbackTimeoutMs } as pg.QueryConfig).then(
        () => connection.release(),
        (broken: Error) => connection.release(broken), // closes the connection: its transaction state is unknown
      );
      throw error;
    }
  };
  return db;
}
