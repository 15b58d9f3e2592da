import pg from 'pg';
import { drizzle, NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Db } from '#shop/ports/database.ts';
import type { HearStatement } from './database.ts';
import { PreparedConnection } from './prepared-connection.ts';

/**
 * What a connection for requests may take: no page waits longer for a statement, none holds up others by a lock it keeps
 * without doing anything, and on a wire that has fallen silent none waits for what will never come.
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

/** The connections that serve requests and jobs, at most so many. */
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
 * Drizzle over a pool, with transactions that give their connection back however they end. Drizzle's own keep it when
 * BEGIN fails, and let a ROLLBACK that cannot get through hide what went wrong before.
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
        (broken: Error) => connection.release(broken), // closed: nobody knows what is under way on it
      );
      throw error;
    }
  };
  return db;
}
