import { openAsBlob } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { describe, inject, onTestFinished } from 'vitest';
import { openDatabase, type Database } from '#adapters/database/database.ts';
import { plainParsers } from '#adapters/database/durable-pglite.ts';
import { serveEmbedded } from '#adapters/database/embedded.ts';
import { migrationsFolder } from './setup.ts';

/** Opens a fresh, migrated database that closes with the test. */
export type FreshDatabase = (options?: { pollSeconds?: number }) => Promise<Database>;

/** Run a suite on the embedded engine and, where PostgreSQL is installed, on PostgreSQL too. */
export function eachEngine(suite: (fresh: FreshDatabase, engine: Database['engine']) => void) {
  describe('embedded', () => suite(freshEmbedded, 'embedded'));
  const url = inject('postgresUrl');
  describe.skipIf(!url)('postgres', () => suite((options) => freshPostgres(url!, options), 'postgres'));
}

/** A suite to which the engine does not matter: it runs on the quicker one there is. */
export function anyEngine(suite: (fresh: FreshDatabase) => void) {
  const url = inject('postgresUrl');
  if (url) describe('postgres', () => suite((options) => freshPostgres(url, options)));
  else describe('embedded', () => suite(freshEmbedded));
}

/** A suite about races: PGlite has one connection and hides missing locks, so these run on PostgreSQL alone. */
export function onPostgres(suite: (fresh: FreshDatabase) => void) {
  const url = inject('postgresUrl');
  describe.skipIf(!url)('postgres', () => suite((options) => freshPostgres(url!, options)));
}

/** Connections cut while a database is dropped are no news. */
const fail = (error: unknown) => {
  if (!/administrator command|Connection terminated/.test(String(error))) console.error('database', error);
};

async function freshEmbedded({ pollSeconds = 1 } = {}): Promise<Database> {
  const lite = await PGlite.create({ loadDataDir: await openAsBlob(inject('embeddedImage')), parsers: plainParsers });
  const database = await serveEmbedded(lite, { migrationsFolder, migrated: true, onError: fail, pollSeconds });
  onTestFinished(() => database.close());
  return database;
}

async function freshPostgres(adminUrl: string, { pollSeconds = 1 } = {}): Promise<Database> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await statement(adminUrl, `create database ${name} template template_shop`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const database = await openDatabase({ url: url.href, dataDir: '', migrationsFolder, onError: fail, pollSeconds });
  onTestFinished(async () => {
    await database.close();
    await statement(adminUrl, `drop database ${name} with (force)`);
  });
  return database;
}

async function statement(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
