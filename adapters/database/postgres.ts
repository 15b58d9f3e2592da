import pg from 'pg';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { PgBoss } from 'pg-boss';
import { createDrizzle, openPool } from './connections.ts';
import { bossOptions, jobsCloseTimeoutMs, type Database, type DatabaseOptions } from './database.ts';
import { startJobs, disabledJobRunner } from './jobs.ts';
import { openNotificationListener } from './listener.ts';
import { applyMigrations } from './migrations.ts';

/** The key of the advisory lock for migrations. Any number works, because all processes of the shop use this one. */
const migrationLock = 727_274;
/**
 * Number of connections that the job queue uses to find jobs and update their state. Job handlers use the request
 * connections.
 */
const queueConnections = 4;

export async function openPostgres({
  url,
  poolSize = 10,
  migrationsFolder,
  withJobs = true,
  onError = () => {},
  observeStatement,
  pollSeconds = 2,
  skipsMigrations = false,
  isPatient = false,
}: DatabaseOptions & { url: string }): Promise<Database> {
  if (!skipsMigrations) await migrateWithLock(url, migrationsFolder);
  const pool = openPool(url, poolSize, onError, { isPatient });
  const db = createDrizzle(pool, observeStatement);
  const jobQueue = new PgBoss({ connectionString: url, max: queueConnections, ...bossOptions });
  jobQueue.on('error', onError);
  const listener = openNotificationListener(url, onError);
  const jobs = withJobs
    ? await startJobs(jobQueue, pollSeconds, {
        ring: (queue) => pool.query('select pg_notify($1, $2)', ['jobs', queue]),
        listen: (onMessage, onGap) => listener.listen('jobs', onMessage, onGap),
      })
    : disabledJobRunner;
  return {
    engine: 'postgres',
    db,
    jobs,
    listen: listener.listen,
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    // Reads the time from another connection, because a commit that waits for its standby may never return. Reads do
    // not wait for the standby.
    async readLongestCommit() {
      const { rows } = await db.execute<{ seconds: number }>(sql`
        select coalesce(extract(epoch from max(clock_timestamp() - query_start)), 0)::float8 as seconds
        from pg_stat_activity where datname = current_database() and wait_event = 'SyncRep'`);
      return rows[0]!.seconds;
    },
    check: async () => void (await db.execute(sql`select 1`)),
    async close() {
      if (withJobs) await jobQueue.stop({ graceful: true, timeout: jobsCloseTimeoutMs });
      await listener.close();
      await pool.end();
    },
  };
}

/** Several processes may start at once: one migrates, the others wait and then find nothing to migrate. */
async function migrateWithLock(url: string, migrationsFolder: string) {
  // A separate connection without the request limits: changing a large table takes long.
  const connection = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, keepAlive: true });
  connection.on('error', () => {}); // prevents an uncaught error event; the statements reject with the error
  try {
    await connection.connect();
    await connection.query('select pg_advisory_lock($1)', [migrationLock]);
    const db = drizzle(connection);
    await applyMigrations(db, migrationsFolder, (config) => migrate(db, config));
  } finally {
    await connection.end(); // ending the connection releases its advisory lock
  }
}
