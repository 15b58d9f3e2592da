import { execFileSync } from 'node:child_process';
import { mkdirSync, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql, type SQL } from 'drizzle-orm';
import pg from 'pg';
import { describe, expect, inject, onTestFinished } from 'vitest';
import { openDatabase, type Database, type DatabaseOptions } from '#adapters/database/database.ts';
import { pgliteCompatibilityOptions } from '#adapters/database/pglite/durable-pglite.ts';
import { createEmbeddedDatabase } from '#adapters/database/pglite/embedded.ts';
import type { Db } from '#shop/ports/database.ts';
import { migrationsFolder } from '#server/project-folder.ts';

/** Opens a fresh, migrated database. It closes at the end of the test. */
export type FreshDatabase = (options?: Options) => Promise<Database>;
type Options = Pick<DatabaseOptions, 'pollSeconds' | 'observeStatement'>;

/** Runs a suite on the embedded engine and, if PostgreSQL is installed, on PostgreSQL too. */
export function describeOnEachEngine(suite: (fresh: FreshDatabase, engine: Database['engine']) => void) {
  describe('embedded', () => suite(createFreshEmbedded, 'embedded'));
  const url = inject('postgresUrl');
  describe.skipIf(!url)('postgres', () => suite(createFreshPostgres, 'postgres'));
}

/** Runs a suite that does not depend on the engine, on the faster available one. */
export function describeOnFastestEngine(suite: (fresh: FreshDatabase) => void) {
  const url = inject('postgresUrl');
  if (url) describe('postgres', () => suite(createFreshPostgres));
  else describe('embedded', () => suite(createFreshEmbedded));
}

/** Runs a suite about races only on PostgreSQL: PGlite has one connection, so it hides missing locks. */
export function describeOnPostgres(suite: (fresh: FreshDatabase) => void) {
  const url = inject('postgresUrl');
  describe.skipIf(!url)('postgres', () => suite(createFreshPostgres));
}

/** Sends a notification. It is delivered only when the transaction commits. */
export const notify = (tx: Db, channel: string, payload: string) =>
  tx.execute(sql`select pg_notify(${channel}, ${payload})`);

/** Reports errors, except for connections that are cut while a database is dropped. */
const failWithError = (error: unknown) => {
  if (!/administrator command|Connection terminated/.test(String(error))) console.error('database', error);
};

/**
 * Uses the same buffer size as the shop. The default is four times as large, and is filled with zeros at every start.
 */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];
/** The migrated engine inside this process, in memory only. */
export const openInMemory = async () =>
  PGlite.create({ loadDataDir: await openAsBlob(inject('leanImage')), startParams, ...pgliteCompatibilityOptions });

async function createFreshEmbedded({ pollSeconds = 1, ...rest }: Options = {}): Promise<Database> {
  const pglite = await openInMemory();
  const options = { migrationsFolder, skipsMigrations: true, onError: failWithError, pollSeconds, ...rest };
  const database = await createEmbeddedDatabase(pglite, options);
  onTestFinished(() => database.close());
  return database;
}

/** Creates a data folder with an empty, migrated embedded database. Creating one from scratch takes seconds. */
export function createMigratedDataFolder(path: string): string {
  const database = join(path, 'db');
  mkdirSync(database);
  execFileSync('tar', ['-xf', inject('embeddedImage'), '-C', database]);
  return path;
}

async function createFreshPostgres({ pollSeconds = 1, ...rest }: Options = {}): Promise<Database> {
  const { href: url } = await createDatabase();
  const options = {
    url,
    dataDir: '',
    migrationsFolder,
    skipsMigrations: true,
    onError: failWithError,
    pollSeconds,
    ...rest,
  };
  const database = await openDatabase(options);
  onTestFinished(() => database.close());
  return database;
}

/** Creates a database on the tests' PostgreSQL, migrated or empty. It is dropped at the end of the test. */
export async function createDatabase({ isEmpty = false } = {}): Promise<URL> {
  const url = new URL(inject('postgresUrl')!);
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await queryServer(`create database ${name} ${isEmpty ? '' : inject('fromTemplate')}`);
  onTestFinished(() => queryServer(`drop database ${name} with (force)`));
  url.pathname = `/${name}`;
  return url;
}

/**
 * Creates and drops the databases of this process. Opening a connection for each takes as long as copying a database.
 */
let serverPromise: Promise<pg.Client> | undefined;

async function queryServer(text: string) {
  const client = await (serverPromise ??= connectToServer());
  await client.query(text);
}

async function connectToServer(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: inject('postgresUrl')! });
  client.on('error', () => {}); // the cluster stops at the end of the run
  await client.connect();
  return client;
}

/** Resolves once a statement that matches `statement` waits for a row lock. */
export const waitUntilStatementWaits = (db: Db, statement: string) =>
  expect
    .poll(async () => {
      const { rows } = await db.execute(
        sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query ~ ${statement}`,
      );
      return rows.length;
    })
    .toBe(1);

/**
 * Runs `first` in a transaction, starts `begin`, and runs `then` once `begin` waits at a statement that matches
 * `waitsAt`. If both sides lock in the same order, both finish. Otherwise they deadlock. Returns the result of `begin`.
 */
export async function runInterleaved<T>(
  db: Db,
  [first, then]: [SQL, SQL],
  waitsAt: string,
  begin: () => Promise<T>,
): Promise<T> {
  const { begun } = await db.transaction(async (tx) => {
    await tx.execute(first);
    const startedWork = begin();
    await waitUntilStatementWaits(db, waitsAt);
    await tx.execute(then);
    return { begun: startedWork };
  });
  return begun;
}

/**
 * A separate connection to a database from `createDatabase`. The database may be dropped before the connection has
 * closed cleanly.
 */
export function openPool(url: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1, ...options }).on('error', failWithError);
  onTestFinished(() => pool.end());
  return pool;
}

export async function executeOneStatement(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
