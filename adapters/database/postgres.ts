import pg from 'pg';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { PgBoss } from 'pg-boss';
import type { Db } from '#shop/ports.ts';
import { bossOptions, type Database, type DatabaseOptions } from './database.ts';
import { startJobs, noJobs } from './jobs.ts';
import { openListener } from './listener.ts';
import { PreparedConnection } from './prepared-connection.ts';

/** Any number: all processes of this shop take the same lock while they migrate. */
const migrationLock = 727_274;

export async function openPostgres({
  url,
  migrationsFolder,
  withJobs = true,
  onError = () => {},
  pollSeconds = 2,
}: DatabaseOptions & { url: string }): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    Client: PreparedConnection,
    max: 10,
    connectionTimeoutMillis: 5000,
  });
  pool.on('error', onError);
  try {
    await migrateAlone(pool, migrationsFolder);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const boss = new PgBoss({ connectionString: url, max: 4, ...bossOptions });
  boss.on('error', onError);
  const listener = openListener(url, onError);
  const jobs = withJobs
    ? await startJobs(boss, pollSeconds, {
        ring: (queue) => pool.query('select pg_notify($1, $2)', ['jobs', queue]),
        listen: (hear, onGap) => listener.listen('jobs', hear, onGap),
      })
    : noJobs;
  const db = drizzle(pool) as unknown as Db;
  return {
    engine: 'postgres',
    db,
    jobs,
    listen: listener.listen,
    check: async () => void (await db.execute(sql`select 1`)),
    async close() {
      if (withJobs) await boss.stop({ graceful: true, timeout: 15_000 });
      await listener.close();
      await pool.end();
    },
  };
}

/** Several processes may start together: one migrates, the others wait and find nothing left to do. */
async function migrateAlone(pool: pg.Pool, migrationsFolder: string) {
  const connection = await pool.connect();
  try {
    await connection.query('select pg_advisory_lock($1)', [migrationLock]);
    await migrate(drizzle(connection), { migrationsFolder });
  } finally {
    connection.release(true); // closing the session drops the lock
  }
}
