import fs from 'node:fs';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { migrationsFolder } from '#server/project-folder.ts';
import { createMigratedDataFolder } from '#test/database.ts';
import { openDatabase, type Database } from '../database.ts';
import { listMigrationTimes, copyMigrationsUntil } from '../migrations.ts';
import { copyDatabase } from './durable-pglite.ts';
import { listTemplatesToTry, createTemplateDatabases, openEmbeddedDatabase } from './embedded.ts';
import { lockDirectory } from './lock-directory.ts';

function createFolder() {
  const path = mkdtempSync(join(tmpdir(), 'kinframe-embedded-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The folder of the template databases, which this file makes in the same way as the build. */
const templatesFolder = mkdtempSync(join(tmpdir(), 'kinframe-beginnings-'));
beforeAll(() => createTemplateDatabases(templatesFolder, migrationsFolder));
afterAll(() => rmSync(templatesFolder, { recursive: true, force: true }));

test('a commit is synced to disk before it is acknowledged', async () => {
  const database = await openDatabase({
    dataDir: createMigratedDataFolder(createFolder()),
    migrationsFolder,
    withJobs: false,
  });
  await database.db.execute(sql`create table kept (word text)`);
  // PGlite does all file operations through Node, so the test can count the syncs of the write-ahead log.
  const { fsyncSync } = fs;
  let syncCount = 0;
  fs.fsyncSync = (handle) => {
    syncCount += 1;
    fsyncSync(handle);
  };
  syncBuiltinESMExports();
  try {
    await database.db.execute(sql`select 1`);
    expect(syncCount).toBe(0);
    for (let i = 1; i <= 5; i++) {
      await database.db.execute(sql`insert into kept values ('acknowledged')`);
      expect(syncCount).toBeGreaterThanOrEqual(i);
    }
  } finally {
    fs.fsyncSync = fsyncSync;
    syncBuiltinESMExports();
    await database.close();
  }
});

test('only the shop’s user can read the database directory, even if other users could read it before', async () => {
  const dataDir = createFolder();
  // Without templates: the database is created from scratch.
  const openAndClose = async () =>
    (await openEmbeddedDatabase({ dataDir, migrationsFolder, withJobs: false }, [])).close();
  const readFileMode = (path: string) => (statSync(join(dataDir, path)).mode & 0o777).toString(8);
  await openAndClose();
  expect(readFileMode('db')).toBe('700');
  chmodSync(join(dataDir, 'db'), 0o755);
  await openAndClose();
  expect(readFileMode('db')).toBe('700');
});

test('a copy of a template is readable only by the shop’s user, even after an interrupted copy', async () => {
  const dataFolder = createFolder();
  const [empty, copy] = [join(templatesFolder, 'empty'), join(dataFolder, 'db')];
  chmodSync(empty, 0o755);
  mkdirSync(`${copy}.new/base`, { recursive: true });
  copyDatabase(empty, copy);
  const database = await openDatabase({ dataDir: dataFolder, migrationsFolder, withJobs: false });
  expect((await database.db.execute(sql`select count(*)::int as n from payments`)).rows).toEqual([{ n: 0 }]);
  await database.close();
  expect((statSync(copy).mode & 0o777).toString(8)).toBe('700');
  expect(readdirSync(dataFolder)).not.toContain('db.new');
});

test('refuses to open a directory whose database is open, and opens it after that database closes', async () => {
  const dataDir = createMigratedDataFolder(createFolder());
  const firstDatabase = await openDatabase({ dataDir, migrationsFolder, withJobs: false });
  await expect(openDatabase({ dataDir, migrationsFolder, withJobs: false })).rejects.toThrow(
    /in use by another process/,
  );
  await firstDatabase.db.execute(sql`create table kept as select 'still here' as word`);
  await firstDatabase.close();
  const nextDatabase = await openDatabase({ dataDir, migrationsFolder, withJobs: false });
  expect((await nextDatabase.db.execute(sql`select word from kept`)).rows).toEqual([{ word: 'still here' }]);
  await nextDatabase.close();
});

test('a new database starts as a copy of the release’s template, without shop data', async () => {
  const knownMigrationTimes = listMigrationTimes(migrationsFolder);
  const olderRelease = join(createFolder(), 'release');
  copyMigrationsUntil(migrationsFolder, knownMigrationTimes.at(-2)!, olderRelease);

  const openEmbedded = (options: { migrationsFolder: string; skipsMigrations?: boolean }) =>
    openEmbeddedDatabase(
      { dataDir: createFolder(), withJobs: false, ...options },
      listTemplatesToTry(options, templatesFolder),
    );
  const readAppliedMigrations = async ({ db }: Database) =>
    (await db.execute(sql`select created_at::float8 as at from drizzle.__drizzle_migrations order by 1`)).rows;
  const steps = knownMigrationTimes.map((at) => ({ at }));

  const currentDatabase = await openEmbedded({ migrationsFolder });
  expect(await readAppliedMigrations(currentDatabase)).toEqual(steps);
  // The queues prove that the database is a copy of the template, because without jobs this process creates no queues.
  const { rows } = await currentDatabase.db.execute<{ count: number }>(sql`select count(*)::int from jobs.queue`);
  expect(rows[0]!.count).toBeGreaterThan(20);
  const { rows: tables } = await currentDatabase.db.execute<{ name: string }>(
    sql`select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const filledTables: string[] = [];
  for (const { name } of tables)
    if ((await currentDatabase.db.execute(sql`select from ${sql.raw(name)} limit 1`)).rows.length > 0)
      filledTables.push(name);
  expect(filledTables).toEqual(['tallies']); // a new shop has one row in this table, with counts of an empty shop
  await currentDatabase.close();

  const databaseBefore = await openEmbedded({ migrationsFolder: olderRelease });
  expect(await readAppliedMigrations(databaseBefore)).toEqual(steps.slice(0, -1));
  await databaseBefore.close();

  const databaseWithoutMigrations = await openEmbedded({ migrationsFolder, skipsMigrations: true });
  expect(
    (await databaseWithoutMigrations.db.execute(sql`select 1 from pg_tables where schemaname = 'public'`)).rows,
  ).toEqual([]);
  await databaseWithoutMigrations.close();
});

test('when locking fails for a reason other than a second process, the error states that reason', () => {
  const directory = createFolder();
  writeFileSync(join(directory, '.lock'), 'no database of SQLite’s, though long enough for its head'.repeat(20));
  expect(() => lockDirectory(directory)).toThrow('file is not a database');
});

test('a disk without room for a new database gives a clear error, and no database is started', async () => {
  const dataDir = createFolder();
  const { statfsSync } = fs;
  const fullDisk = Object.assign(statfsSync(dataDir), { bavail: 100, bsize: 4096 });
  fs.statfsSync = (() => fullDisk) as unknown as typeof statfsSync;
  syncBuiltinESMExports();
  try {
    await expect(openDatabase({ dataDir, migrationsFolder, withJobs: false })).rejects.toThrow(
      `There is no room for a database in ${dataDir}: a new one takes 60 MB.`,
    );
  } finally {
    fs.statfsSync = statfsSync;
    syncBuiltinESMExports();
  }
  expect(readdirSync(dataDir)).toEqual(['.lock']);
});
