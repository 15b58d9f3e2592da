import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#adapters/database/database.ts';
import { dialect } from '#adapters/database/pglite/durable-pglite.ts';
import { serveEmbedded } from '#adapters/database/pglite/embedded.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated embedded database as a file, copied for every test: starting one from nothing takes seconds. */
    embeddedImage: string;
    /** A cluster with a migrated database `template_shop`; undefined where no PostgreSQL is installed. */
    postgresUrl: string | undefined;
  }
}

/** Once for the whole run: both engines, migrated. */
export default async function setup({ provide }: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-tests-'));
  const [cluster] = await Promise.all([migratedCluster(), migratedImage(join(folder, 'database.tar'))]);
  provide('embeddedImage', join(folder, 'database.tar'));
  provide('postgresUrl', cluster?.url);
  if (!cluster) console.warn('No PostgreSQL binaries found: data tests run on the embedded engine only.');
  return async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function migratedImage(path: string) {
  const lite = await PGlite.create(dialect);
  const database = await serveEmbedded(lite, { migrationsFolder });
  const dump = await lite.dumpDataDir('none');
  await database.close();
  writeFileSync(path, Buffer.from(await dump.arrayBuffer()));
}

export async function migratedCluster(options?: Parameters<typeof startPostgres>[0]) {
  const cluster = await startPostgres(options);
  if (!cluster) return undefined;
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  await client.query('create database template_shop');
  await client.end();
  const url = new URL(cluster.url);
  url.pathname = '/template_shop';
  const database = await openDatabase({ url: url.href, dataDir: '', migrationsFolder });
  await database.close();
  return cluster;
}
