import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#adapters/database/database.ts';
import { pgliteCompatibilityOptions } from '#adapters/database/pglite/durable-pglite.ts';
import { createEmbeddedDatabase } from '#adapters/database/pglite/embedded.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated embedded database as a tar file for a data folder. Creating one from scratch takes seconds. */
    embeddedImage: string;
    /** A migrated embedded database as a tar file for use in memory, without parts that only make copying slower. */
    leanImage: string;
    /** A cluster with a migrated database `template_shop`. Undefined if PostgreSQL is not installed. */
    postgresUrl: string | undefined;
    /** The end of a `create database` statement that copies `template_shop` in the fastest way this server knows. */
    fromTemplate: string;
  }
}

/** Runs once for the whole test run: prepares both engines with migrations. */
export default async function setup({ provide }: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-tests-'));
  const [image, lean] = [join(folder, 'database.tar'), join(folder, 'lean.tar')];
  const [cluster] = await Promise.all([createMigratedCluster(), createMigratedImages(image, lean)]);
  provide('embeddedImage', image);
  provide('leanImage', lean);
  provide('postgresUrl', cluster?.url);
  provide('fromTemplate', cluster ? await createFromTemplate(cluster.url) : '');
  if (!cluster) console.warn('No PostgreSQL binaries found: data tests run on the embedded engine only.');
  return async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function createMigratedImages(image: string, lean: string) {
  const pglite = await PGlite.create(pgliteCompatibilityOptions);
  const database = await createEmbeddedDatabase(pglite, { migrationsFolder });
  const writeDump = async (path: string) => {
    await pglite.exec('checkpoint'); // otherwise every process that opens the copy repeats the checkpoint
    writeFileSync(path, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()));
  };
  await writeDump(image);
  // Remove the template databases: they are as large as the shop's database, and nothing creates databases from them.
  await pglite.exec('update pg_database set datistemplate = false');
  for (const name of ['template0', 'template1']) await pglite.exec(`drop database ${name}`);
  await writeDump(lean);
  await database.close();
}

/**
 * Copying the template's files takes a quarter of the time of copying its pages through the write-ahead log, which is
 * the default since PostgreSQL 15. Earlier versions always copy the files, and do not know the option.
 */
async function createFromTemplate(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ isNew: boolean }>(
    `select current_setting('server_version_num')::int >= 150000 as "isNew"`,
  );
  await client.end();
  return `template template_shop${rows[0]!.isNew ? ' strategy file_copy' : ''}`;
}

export async function createMigratedCluster(options?: Parameters<typeof startPostgres>[0]) {
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
