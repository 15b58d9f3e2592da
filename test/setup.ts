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
    /** A migrated embedded database as a file, to be a folder: starting one from nothing takes seconds. */
    embeddedImage: string;
    /** The same for memory, without what only a copy takes time for. */
    leanImage: string;
    /** A cluster with a migrated database `template_shop`; undefined where no PostgreSQL is installed. */
    postgresUrl: string | undefined;
  }
}

/** Once for the whole run: both engines, migrated. */
export default async function setup({ provide }: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-tests-'));
  const [image, lean] = [join(folder, 'database.tar'), join(folder, 'lean.tar')];
  const [cluster] = await Promise.all([migratedCluster(), migratedImages(image, lean)]);
  provide('embeddedImage', image);
  provide('leanImage', lean);
  provide('postgresUrl', cluster?.url);
  if (!cluster) console.warn('No PostgreSQL binaries found: data tests run on the embedded engine only.');
  return async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function migratedImages(image: string, lean: string) {
  const lite = await PGlite.create(dialect);
  const database = await serveEmbedded(lite, { migrationsFolder });
  const dumpTo = async (path: string) => {
    await lite.exec('checkpoint'); // or whoever opens it does all of this again
    writeFileSync(path, Buffer.from(await (await lite.dumpDataDir('none')).arrayBuffer()));
  };
  await dumpTo(image);
  // What new databases are made from is as large as ours, and nobody makes any in there.
  await lite.exec('update pg_database set datistemplate = false');
  for (const name of ['template0', 'template1']) await lite.exec(`drop database ${name}`);
  await dumpTo(lean);
  await database.close();
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
