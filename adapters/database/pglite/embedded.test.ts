import fs from 'node:fs';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { migrationsFolder } from '#server/project-folder.ts';
import { begunFolder } from '#test/database.ts';
import { openDatabase, type Database } from '../database.ts';
import { migrationsOf, migrationsUntil } from '../migrations.ts';
import { copyDatabase } from './durable-pglite.ts';
import { beginningsFor, makeBeginnings, openEmbedded } from './embedded.ts';
import { lockDirectory } from './lock-directory.ts';

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'kinframe-embedded-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** As building makes them. */
const beginnings = mkdtempSync(join(tmpdir(), 'kinframe-beginnings-'));
beforeAll(() => makeBeginnings(beginnings, migrationsFolder));
afterAll(() => rmSync(beginnings, { recursive: true, force: true }));

test('what a commit acknowledged was synced to disk before', async () => {
  const database = await openDatabase({ dataDir: begunFolder(folder()), migrationsFolder, withJobs: false });
  await database.db.execute(sql`create table kept (word text)`);
  // Every file operation goes through Node: the sync of the write-ahead log is seen as it is called.
  const { fsyncSync } = fs;
  let syncs = 0;
  fs.fsyncSync = (handle) => {
    syncs += 1;
    fsyncSync(handle);
  };
  syncBuiltinESMExports();
  try {
    await database.db.execute(sql`select 1`);
    expect(syncs).toBe(0);
    for (let i = 1; i <= 5; i++) {
      await database.db.execute(sql`insert into kept values ('acknowledged')`);
      expect(syncs).toBeGreaterThanOrEqual(i);
    }
  } finally {
    fs.fsyncSync = fsyncSync;
    syncBuiltinESMExports();
    await database.close();
  }
});

test('nobody else on the machine reads or writes the database, not even one made before that was so', async () => {
  const dataDir = folder();
  // Nothing was built: it is made from nothing.
  const openAndClose = async () => (await openEmbedded({ dataDir, migrationsFolder, withJobs: false }, [])).close();
  const modeOf = (path: string) => (statSync(join(dataDir, path)).mode & 0o777).toString(8);
  await openAndClose();
  expect(modeOf('db')).toBe('700');
  chmodSync(join(dataDir, 'db'), 0o755);
  await openAndClose();
  expect(modeOf('db')).toBe('700');
});

test('a database copied from an empty one is nobody else’s to read, also where a copy was broken off before', async () => {
  const place = folder();
  const [empty, copy] = [join(beginnings, 'empty'), join(place, 'db')];
  chmodSync(empty, 0o755);
  mkdirSync(`${copy}.new/base`, { recursive: true });
  copyDatabase(empty, copy);
  const database = await openDatabase({ dataDir: place, migrationsFolder, withJobs: false });
  expect((await database.db.execute(sql`select count(*)::int as n from payments`)).rows).toEqual([{ n: 0 }]);
  await database.close();
  expect((statSync(copy).mode & 0o777).toString(8)).toBe('700');
  expect(readdirSync(place)).not.toContain('db.new');
});

test('a directory serves one process: the second is told so, and the next after the first has closed is let in', async () => {
  const dataDir = begunFolder(folder());
  const first = await openDatabase({ dataDir, migrationsFolder, withJobs: false });
  await expect(openDatabase({ dataDir, migrationsFolder, withJobs: false })).rejects.toThrow(
    /in use by another process/,
  );
  await first.db.execute(sql`create table kept as select 'still here' as word`);
  await first.close();
  const next = await openDatabase({ dataDir, migrationsFolder, withJobs: false });
  expect((await next.db.execute(sql`select word from kept`)).rows).toEqual([{ word: 'still here' }]);
  await next.close();
});

test('a new database begins as the one that building has made for its release, with nothing of any shop in it', async () => {
  const known = migrationsOf(migrationsFolder);
  const older = join(folder(), 'release');
  migrationsUntil(migrationsFolder, known.at(-2)!, older);

  const open = (options: { migrationsFolder: string; isLeftAsItIs?: boolean }) =>
    openEmbedded({ dataDir: folder(), withJobs: false, ...options }, beginningsFor(options, beginnings));
  const migrationsIn = async ({ db }: Database) =>
    (await db.execute(sql`select created_at::float8 as at from drizzle.__drizzle_migrations order by 1`)).rows;
  const steps = known.map((at) => ({ at }));

  const present = await open({ migrationsFolder });
  expect(await migrationsIn(present)).toEqual(steps);
  // Its queues show that it was not made here.
  const { rows } = await present.db.execute<{ count: number }>(sql`select count(*)::int from jobs.queue`);
  expect(rows[0]!.count).toBeGreaterThan(20);
  const { rows: tables } = await present.db.execute<{ name: string }>(
    sql`select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const filled: string[] = [];
  for (const { name } of tables)
    if ((await present.db.execute(sql`select from ${sql.raw(name)} limit 1`)).rows.length > 0) filled.push(name);
  expect(filled).toEqual(['tallies']); // whose one row says that there is nothing
  await present.close();

  const before = await open({ migrationsFolder: older });
  expect(await migrationsIn(before)).toEqual(steps.slice(0, -1));
  await before.close();

  const untouched = await open({ migrationsFolder, isLeftAsItIs: true });
  expect((await untouched.db.execute(sql`select 1 from pg_tables where schemaname = 'public'`)).rows).toEqual([]);
  await untouched.close();
});

test('a lock that cannot be taken for another reason than another process says that reason', () => {
  const directory = folder();
  writeFileSync(join(directory, '.lock'), 'no database of SQLite’s, though long enough for its head'.repeat(20));
  expect(() => lockDirectory(directory)).toThrow('file is not a database');
});

test('a disk without room for a new database is said in words, and no database begun', async () => {
  const dataDir = folder();
  const { statfsSync } = fs;
  const full = Object.assign(statfsSync(dataDir), { bavail: 100, bsize: 4096 });
  fs.statfsSync = (() => full) as unknown as typeof statfsSync;
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
