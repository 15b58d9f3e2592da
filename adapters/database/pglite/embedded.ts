import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { PgBoss, fromPglite } from 'pg-boss';
import type { Db } from '#shop/ports/database.ts';
import {
  bossOptions,
  jobsCloseTimeoutMs,
  type Database,
  type DatabaseOptions,
  type ObserveStatement,
} from '../database.ts';
import { runObserved } from '../run-observed.ts';
import { createDatabase, openDurablePglite } from './durable-pglite.ts';
import { startJobs, disabledJobRunner, type JobSignal } from '../jobs.ts';
import { applyMigrations, listMigrationTimes } from '../migrations.ts';
import { lockDirectory } from './lock-directory.ts';

const runsFromSource = import.meta.url.endsWith('.ts');
/**
 * The folder of the template databases that the build makes, next to the bundle. A new database starts as a copy of
 * one.
 */
const templatesFolder = fileURLToPath(
  new URL(runsFromSource ? '../../../dist/shop/databases' : 'databases', import.meta.url),
);

/**
 * Opens PostgreSQL inside this process, in dataDir/db. Only one process can use a directory. A new database starts as a
 * copy of the first template in `beginnings` that exists. If the shop runs from source, only the empty template is
 * used, because the migrations in the source may differ from those of the built template.
 */
export async function openEmbeddedDatabase(
  options: DatabaseOptions,
  beginnings = runsFromSource ? [join(templatesFolder, 'empty')] : listTemplatesToTry(options, templatesFolder),
): Promise<Database> {
  mkdirSync(options.dataDir, { recursive: true });
  const unlock = lockDirectory(options.dataDir);
  let lite: PGlite | undefined;
  try {
    lite = await openDurablePglite(join(options.dataDir, 'db'), beginnings);
    return await createEmbeddedDatabase(lite, options, unlock);
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
export function listTemplatesToTry(
  { migrationsFolder, skipsMigrations = false }: Pick<DatabaseOptions, 'migrationsFolder' | 'skipsMigrations'>,
  folder: string,
): string[] {
  const emptyFolder = join(folder, 'empty');
  return skipsMigrations
    ? [emptyFolder]
    : [join(folder, String(listMigrationTimes(migrationsFolder).at(-1))), emptyFolder];
}

/**
 * Makes the migrated and the empty template in this folder. This takes a few seconds, which the shop's first start then
 * saves.
 */
export async function createTemplateDatabases(folder: string, migrationsFolder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const [migrated, emptyFolder] = listTemplatesToTry({ migrationsFolder }, folder) as [string, string];
  await createDatabase(emptyFolder);
  await createDatabase(migrated, {
    beginning: emptyFolder,
    // Creates the job queues.
    finish: async (lite) => (await createEmbeddedDatabase(lite, { migrationsFolder })).close(),
  });
}

/** Serves a PGlite that the caller opened (tests keep theirs in memory). */
export async function createEmbeddedDatabase(
  lite: PGlite,
  // Notifications inside one process are never lost, so polling is only for delayed jobs.
  {
    migrationsFolder,
    withJobs = true,
    onError = () => {},
    observeStatement,
    pollSeconds = 5,
    skipsMigrations = false,
  }: EmbeddedOptions,
  unlock = () => {},
): Promise<Database> {
  const client = guardClient(lite, observeStatement);
  const drizzleDb = drizzle({ client: client as PGlite });
  const db = drizzleDb as unknown as Db;
  if (!skipsMigrations) await applyMigrations(db, migrationsFolder, (config) => migrate(drizzleDb, config));
  const jobQueue = new PgBoss({ db: createSafePglite(client), backend: 'pglite', ...bossOptions });
  jobQueue.on('error', onError);
  return {
    engine: 'embedded',
    db,
    jobs: withJobs ? await startJobs(jobQueue, pollSeconds, createInProcessSignal()) : disabledJobRunner,
    async listen(channel, onMessage) {
      const stopListening = await client.listen(channel, onMessage);
      return () => stopListening(); // `stopListening` gets no argument, because it would treat one as a transaction
    },
    check: async () => void (await db.execute(sql`select 1`)),
    async close() {
      if (withJobs) await jobQueue.stop({ graceful: true, timeout: jobsCloseTimeoutMs });
      await lite.close();
      unlock();
    },
  };
}

/** The bell of an embedded database. It notifies only this process, because no other process can take the jobs. */
function createInProcessSignal(): JobSignal {
  const listeners: ((queue: string) => void)[] = [];
  return {
    ring: async (queue) => listeners.forEach((listener) => listener(queue)),
    listen: async (listener) => void listeners.push(listener),
  };
}
type EmbeddedOptions = Omit<DatabaseOptions, 'url' | 'dataDir' | 'isPatient'>;

/** The functions of PGlite that the shop, Drizzle and pg-boss use. */
type Client = Pick<PGlite, 'query' | 'exec' | 'transaction' | 'listen'>;

/**
 * PGlite with statements reported to the observer. All callers share one connection. Inside a transaction, using `db`
 * (or enqueueing without the transaction) would wait forever for the transaction to end. So it fails with an error
 * instead.
 */
function guardClient(lite: PGlite, observe: ObserveStatement | undefined): Client {
  const openTransaction = new AsyncLocalStorage<{ open: boolean }>();
  const refuseInsideTransaction = (words: string) => {
    if (openTransaction.getStore()?.open) throw new Error(words);
  };
  const outerUseMessage = 'database used inside a transaction: pass the transaction on';
  return {
    async query(text, values, options) {
      refuseInsideTransaction(outerUseMessage);
      return await runObserved(observe, text, values ?? [], () => lite.query(text, values, options));
    },
    async exec(text, options) {
      refuseInsideTransaction(outerUseMessage);
      return await runObserved(observe, text, [], () => lite.exec(text, options));
    },
    async transaction(run) {
      refuseInsideTransaction('nested transaction on the database: use the transaction’s own');
      const scope = { open: true };
      return await lite.transaction(async (tx) => {
        try {
          return await openTransaction.run(scope, () => run(observeTransaction(tx, observe)));
        } finally {
          scope.open = false;
        }
      });
    },
    // PGlite calls the listener while any query runs, even one in a transaction. `AsyncResource.bind` runs the listener
    // in the async context of its `listen` call, so that the listener may use `db`.
    listen: (channel, onMessage) => lite.listen(channel, AsyncResource.bind(onMessage)),
  };
}

function observeTransaction(tx: Transaction, observe: ObserveStatement | undefined): Transaction {
  if (!observe) return tx;
  return {
    query: (text, values, options) => runObserved(observe, text, values ?? [], () => tx.query(text, values, options)),
    sql: (...args) => tx.sql(...args),
    exec: (text, options) => runObserved(observe, text, [], () => tx.exec(text, options)),
    rollback: () => tx.rollback(),
    listen: (...args) => tx.listen(...args),
    get closed() {
      return tx.closed;
    },
  };
}

/**
 * Connects pg-boss to PGlite. pg-boss sends some statements together, between BEGIN and COMMIT. If one of them failed,
 * the only connection would stay inside an aborted transaction. So this function removes BEGIN and COMMIT: statements
 * sent together already are one implicit transaction, which ends on an error.
 */
function createSafePglite(client: Client): ReturnType<typeof fromPglite> {
  const base = fromPglite(client);
  return {
    ...base,
    async executeSql(text: string, values?: unknown[]) {
      if (values?.length) return client.query(text, values);
      const results = await client.exec(text.replace(/^\s*BEGIN;/i, '').replace(/COMMIT;?\s*$/i, ''));
      return { rows: results.flatMap((result) => result.rows) };
    },
  };
}
