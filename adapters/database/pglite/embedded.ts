import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { PgBoss, fromPglite } from 'pg-boss';
import type { Db } from '#shop/ports/database.ts';
import { bossOptions, bossPatienceMs, type Database, type DatabaseOptions, type HearStatement } from '../database.ts';
import { createDatabase, openDurablePglite } from './durable-pglite.ts';
import { startJobs, noJobs, type Bell } from '../jobs.ts';
import { bringUpToDate, migrationsOf } from '../migrations.ts';
import { lockDirectory } from './lock-directory.ts';
import { prepareStatements } from './prepared-pglite.ts';

const isSource = import.meta.url.endsWith('.ts');
/**
 * The folder of the template databases that the build makes, next to the bundle. A new database starts as a copy of
 * one.
 */
const made = fileURLToPath(new URL(isSource ? '../../../dist/shop/databases' : 'databases', import.meta.url));

/**
 * Opens PostgreSQL inside this process, in dataDir/db. Only one process can use a directory. A new database starts as a
 * copy of the first template in `beginnings` that exists. If the shop runs from source, only the empty template is
 * used, because the migrations in the source may differ from those of the built template.
 */
export async function openEmbedded(
  options: DatabaseOptions,
  beginnings = isSource ? [join(made, 'empty')] : beginningsFor(options, made),
): Promise<Database> {
  mkdirSync(options.dataDir, { recursive: true });
  const unlock = lockDirectory(options.dataDir);
  let lite: PGlite | undefined;
  try {
    lite = await openDurablePglite(join(options.dataDir, 'db'), beginnings);
    return await serveEmbedded(lite, options, unlock);
  } catch (error) {
    await lite?.close();
    unlock();
    throw error;
  }
}

/**
 * The folders of the templates to try, in order: the template with all migrations, then the empty template. Only the
 * empty template fits if the database must not be migrated.
 */
export function beginningsFor(
  { migrationsFolder, isLeftAsItIs = false }: Pick<DatabaseOptions, 'migrationsFolder' | 'isLeftAsItIs'>,
  folder: string,
): string[] {
  const empty = join(folder, 'empty');
  return isLeftAsItIs ? [empty] : [join(folder, String(migrationsOf(migrationsFolder).at(-1))), empty];
}

/**
 * Makes the migrated and the empty template in this folder. This takes a few seconds, which the shop's first start then
 * saves.
 */
export async function makeBeginnings(folder: string, migrationsFolder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const [migrated, empty] = beginningsFor({ migrationsFolder }, folder) as [string, string];
  await createDatabase(empty);
  await createDatabase(migrated, {
    beginning: empty,
    finish: async (lite) => (await serveEmbedded(lite, { migrationsFolder })).close(), // creates the queues
  });
}

/** Serves a PGlite that the caller opened (tests keep theirs in memory). */
export async function serveEmbedded(
  lite: PGlite,
  // Notifications inside one process are never lost, so polling is only for delayed jobs.
  {
    migrationsFolder,
    withJobs = true,
    onError = () => {},
    hearStatement,
    pollSeconds = 5,
    isLeftAsItIs = false,
  }: EmbeddedOptions,
  unlock = () => {},
): Promise<Database> {
  prepareStatements(lite);
  if (hearStatement) tellOfStatements(lite, hearStatement);
  refuseOuterUse(lite);
  const overPglite = drizzle(lite);
  const db = overPglite as unknown as Db;
  if (!isLeftAsItIs) await bringUpToDate(db, migrationsFolder, (config) => migrate(overPglite, config));
  const boss = new PgBoss({ db: safePglite(lite), backend: 'pglite', ...bossOptions });
  boss.on('error', onError);
  return {
    engine: 'embedded',
    db,
    jobs: withJobs ? await startJobs(boss, pollSeconds, bellOfOneProcess()) : noJobs,
    async listen(channel, hear) {
      const stop = await lite.listen(channel, hear);
      return () => stop(); // `stop` gets no argument, because it would treat one as a transaction
    },
    check: async () => void (await db.execute(sql`select 1`)),
    async close() {
      if (withJobs) await boss.stop({ graceful: true, timeout: bossPatienceMs });
      await lite.close();
      unlock();
    },
  };
}

/** Calls the observer for statements on the database and in its transactions. */
function tellOfStatements(lite: PGlite, hear: HearStatement): void {
  type Query = (text: string, ...rest: unknown[]) => Promise<unknown>;
  const telling = (it: { query: unknown }): void => {
    const query = (it.query as Query).bind(it);
    it.query = ((text, ...rest) => {
      const onEnd = hear(text);
      const answer = query(text, ...rest);
      if (onEnd) answer.then(() => onEnd(), onEnd);
      return answer;
    }) satisfies Query;
  };
  telling(lite);
  const transaction = lite.transaction.bind(lite);
  lite.transaction = (run) =>
    transaction((tx) => {
      telling(tx);
      return run(tx);
    });
}

/** The bell of an embedded database. It notifies only this process, because no other process can take the jobs. */
function bellOfOneProcess(): Bell {
  const ears: ((queue: string) => void)[] = [];
  return {
    ring: async (queue) => ears.forEach((hear) => hear(queue)),
    listen: async (hear) => void ears.push(hear),
  };
}
type EmbeddedOptions = Omit<DatabaseOptions, 'url' | 'dataDir' | 'isPatient'>;

/**
 * All callers share one connection. Inside a transaction, using `db` (or enqueueing without the transaction) would wait
 * forever for the transaction to end. This function makes it fail with an error instead.
 */
function refuseOuterUse(lite: PGlite) {
  const inside = new AsyncLocalStorage<{ open: boolean }>();
  const refuse = (words: string) => Promise.reject(new Error(words));
  const guarded = lite as unknown as Record<
    'query' | 'exec' | 'transaction' | 'listen',
    (...args: unknown[]) => unknown
  >;
  for (const name of ['query', 'exec'] as const) {
    const call = guarded[name].bind(lite);
    guarded[name] = (...args) =>
      inside.getStore()?.open ? refuse('database used inside a transaction: pass the transaction on') : call(...args);
  }
  const transaction = guarded.transaction.bind(lite);
  guarded.transaction = (run) => {
    if (inside.getStore()?.open) return refuse('nested transaction on the database: use the transaction’s own');
    const scope = { open: true };
    return transaction(async (tx: unknown) => {
      try {
        return await inside.run(scope, () => (run as (tx: unknown) => unknown)(tx));
      } finally {
        scope.open = false;
      }
    });
  };
  // PGlite calls the listener while any query runs, even one in a transaction. `AsyncResource.bind` runs the listener
  // in the async context of its `listen` call, so that the listener may use `db`.
  const listen = guarded.listen.bind(lite);
  guarded.listen = (channel, hear, ...rest) => listen(channel, AsyncResource.bind(hear as () => void), ...rest);
}

/**
 * Connects pg-boss to PGlite. pg-boss sends some statements together, between BEGIN and COMMIT. If one of them failed,
 * the only connection would stay inside an aborted transaction. So this function removes BEGIN and COMMIT: statements
 * sent together already are one implicit transaction, which ends on an error.
 */
function safePglite(lite: PGlite): ReturnType<typeof fromPglite> {
  const base = fromPglite(lite);
  return {
    ...base,
    async executeSql(text: string, values?: unknown[]) {
      if (values?.length) return lite.query(text, values);
      const results = await lite.exec(text.replace(/^\s*BEGIN;/i, '').replace(/COMMIT;?\s*$/i, ''));
      return { rows: results.flatMap((result) => result.rows) };
    },
  };
}
