import { execFileSync } from 'node:child_process';
import { mkdirSync, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql, type SQL } from 'drizzle-orm';
import pg from 'pg';
import { describe, expect, inject, onTestFinished } from 'vitest';
import { openDatabase, type Database } from '#adapters/database/database.ts';
import { dialect } from '#adapters/database/pglite/durable-pglite.ts';
import { serveEmbedded } from '#adapters/database/pglite/embedded.ts';
import type { Db } from '#shop/ports/database.ts';
import { migrationsFolder } from '#server/project-folder.ts';

/** Opens a fresh, migrated database that closes with the test. */
export type FreshDatabase = (options?: { pollSeconds?: number }) => Promise<Database>;

/** Run a suite on the embedded engine and, where PostgreSQL is installed, on PostgreSQL too. */
export function eachEngine(suite: (fresh: FreshDatabase, engine: Database['engine']) => void) {
  describe('embedded', () => suite(freshEmbedded, 'embedded'));
  const url = inject('postgresUrl');
  describe.skipIf(!url)('postgres', () => suite(freshPostgres, 'postgres'));
}

/** A suite to which the engine does not matter: it runs on the quicker one there is. */
export function anyEngine(suite: (fresh: FreshDatabase) => void) {
  const url = inject('postgresUrl');
  if (url) describe('postgres', () => suite(freshPostgres));
  else describe('embedded', () => suite(freshEmbedded));
}

/** A suite about races: PGlite has one connection and hides missing locks, so these run on PostgreSQL alone. */
export function onPostgres(suite: (fresh: FreshDatabase) => void) {
  const url = inject('postgresUrl');
  describe.skipIf(!url)('postgres', () => suite(freshPostgres));
}

/** News that are told when, and only when, the transaction commits. */
export const notify = (tx: Db, channel: string, payload: string) =>
  tx.execute(sql`select pg_notify(${channel}, ${payload})`);

/** Connections cut while a database is dropped are no news. */
const fail = (error: unknown) => {
  if (!/administrator command|Connection terminated/.test(String(error))) console.error('database', error);
};

/** Buffers as large as the shop's: by itself it would fill four times as many with zeros at every start. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];
/** The engine inside this process, migrated, on nothing but memory. */
export const openInMemory = async () =>
  PGlite.create({ loadDataDir: await openAsBlob(inject('leanImage')), startParams, ...dialect });

async function freshEmbedded({ pollSeconds = 1 } = {}): Promise<Database> {
  const lite = await openInMemory();
  const database = await serveEmbedded(lite, { migrationsFolder, isLeftAsItIs: true, onError: fail, pollSeconds });
  onTestFinished(() => database.close());
  return database;
}

/** A data folder whose embedded database is set up and empty: making one from nothing takes seconds. */
export function begunFolder(path: string): string {
  const database = join(path, 'db');
  mkdirSync(database);
  execFileSync('tar', ['-xf', inject('embeddedImage'), '-C', database]);
  return path;
}

async function freshPostgres({ pollSeconds = 1 } = {}): Promise<Database> {
  const url = await createDatabase();
  const database = await openDatabase({ url: url.href, dataDir: '', migrationsFolder, onError: fail, pollSeconds });
  onTestFinished(() => database.close());
  return database;
}

/** A database on the tests' own PostgreSQL, migrated or empty; dropped when the test is over. */
export async function createDatabase({ isEmpty = false } = {}): Promise<URL> {
  const url = new URL(inject('postgresUrl')!);
  const server = url.href;
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await statement(server, `create database ${name} ${isEmpty ? '' : 'template template_shop'}`);
  onTestFinished(() => statement(server, `drop database ${name} with (force)`));
  url.pathname = `/${name}`;
  return url;
}

/** Resolves once one statement like this waits for a row that somebody else holds. */
export const oneWaits = (db: Db, statement: string) =>
  expect
    .poll(async () => {
      const { rows } = await db.execute(
        sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and query ~ ${statement}`,
      );
      return rows.length;
    })
    .toBe(1);

/**
 * What somebody else has done of two things as this begins, who does the other once this waits at a statement like that:
 * in one sequence both get through, in two they wait in a circle. Answers what this does.
 */
export async function amid<T>(db: Db, [first, then]: [SQL, SQL], waitsAt: string, begin: () => Promise<T>): Promise<T> {
  const { begun } = await db.transaction(async (tx) => {
    await tx.execute(first);
    const begun = begin();
    await oneWaits(db, waitsAt);
    await tx.execute(then);
    return { begun };
  });
  return begun;
}

/** A test's own connection to a database of `createDatabase`; it may be dropped before the last goodbye is heard. */
export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 1 }).on('error', fail);
  onTestFinished(() => pool.end());
  return pool;
}

export async function statement(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
