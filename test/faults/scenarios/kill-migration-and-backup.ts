import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { openDatabase } from '#adapters/database/database.ts';
import { listMigrationTimes } from '#adapters/database/migrations.ts';
import { createDirectoryStorage } from '#adapters/storage/directory.ts';
import { readRowsAndFiles, waitForExit, addManyFiles, spawnCommand } from '../../backups.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { restoreMarkerFileKey } from '#shop/files/claim.ts';
import type { Db } from '#shop/ports/database.ts';
import { createMigratedDataFolder, createDatabase } from '../../database.ts';
import { buyFramesAsAnna, uploadTo } from '../../people.ts';
import {
  insertRowsOfMigration0001,
  createMigrationsUpTo,
  storeFilesOfMigration0001,
  rowsOfMigration0001,
} from '../../migrations.ts';
import { readAllTables } from '../../rows.ts';
import type { TestShop } from '../../shop.ts';
import { createTemporaryFolder, ShopInstallation } from '../installation.ts';
import { RunningShop } from '../running-shop.ts';
import type { Engine, Random, Scenario, ScenarioResult } from '../scenario.ts';

const kills = 8;

/** The data of a shop of an older release must survive a kill during the update, and the update must then continue. */
export const killMigrating: Scenario = {
  name: 'kill-migrating',
  engines: ['embedded', 'postgres'],
  async run({ engine, random }) {
    const oldFolder = createTemporaryFolder();
    if (engine === 'embedded') await createOldShop({ dataDir: oldFolder });
    const rows = Object.entries(rowsOfMigration0001).filter(([table]) => table !== 'sandbox_idempotency');
    const kill = createKiller(random);
    let [tried, present, killed] = [0, 0, 0];
    while (killed < kills) {
      const targetShop: ShopLocation = { dataDir: createTemporaryFolder() };
      if (engine === 'embedded') copyShop(oldFolder, targetShop.dataDir);
      else {
        targetShop.url = (await createDatabase({ isEmpty: true })).href;
        await createOldShop(targetShop);
      }
      await storeFilesOfMigration0001(createDirectoryStorage(join(targetShop.dataDir, 'files')));
      const settings: Record<string, string> = targetShop.url === undefined ? {} : { DATABASE_URL: targetShop.url };
      const { child } = await RunningShop.start(targetShop.dataDir, settings);
      await kill(child, () => isBeingUpdated(targetShop));
      if (await isUpdated(targetShop)) {
        kill.sooner();
        continue;
      }
      killed += 1;
      const restartedShop = await (await RunningShop.start(targetShop.dataDir, settings)).waitUntilReady();
      expect(await restartedShop.end('SIGTERM'), restartedShop.output).toBe(0);
      const targetRows = await withDatabaseAt(targetShop, readAllTables);
      for (const [table, before] of rows) {
        tried += before.length;
        const ids = new Set((targetRows[table] as { id?: unknown }[] | undefined)?.map((it) => it.id));
        present += before.filter((it) => ids.has(it['id'])).length;
      }
    }
    return compareCounts(
      `${killed} shops of the first release were killed during the migration of their database, and started again`,
      tried,
      present,
    );
  },
};

/** The location of a shop. Without a URL, its database is embedded. */
interface ShopLocation {
  dataDir: string;
  url?: string;
}
async function createOldShop(at: ShopLocation): Promise<void> {
  const database = await openDatabase({
    ...at,
    migrationsFolder: createMigrationsUpTo('0001_checkout'),
    withJobs: false,
  });
  await insertRowsOfMigration0001(database.db);
  await database.close();
}
/** Copies without the lock file, because the lock shows that a shop has opened the folder. */
const copyShop = (from: string, to: string) =>
  cpSync(from, to, { recursive: true, filter: (path) => basename(path) !== lockName });
const lockName = '.lock';

async function withDatabaseAt<T>(at: ShopLocation, look: (db: Db) => Promise<T>): Promise<T> {
  const database = await openDatabase({ ...at, migrationsFolder, withJobs: false, skipsMigrations: true });
  try {
    return await look(database.db);
  } finally {
    await database.close();
  }
}

/**
 * Returns whether the update has started, or has finished. On PostgreSQL it checks the migration lock; for the embedded
 * engine, the lock of the process that opened the folder.
 */
async function isBeingUpdated({ dataDir, url }: ShopLocation): Promise<boolean> {
  if (url === undefined) return existsSync(join(dataDir, lockName));
  return withDatabaseAt({ dataDir, url }, async (db) => {
    const { rows } = await db.execute(
      sql`select from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length > 0 || (await isUpdatedIn(db));
  });
}

/** Checks a copy, because opening the embedded database would repair what the kill has left. */
async function isUpdated({ dataDir, url }: ShopLocation): Promise<boolean> {
  const targetShop: ShopLocation = url === undefined ? { dataDir: createTemporaryFolder() } : { dataDir, url };
  if (url === undefined) copyShop(dataDir, targetShop.dataDir);
  return withDatabaseAt(targetShop, isUpdatedIn);
}
const isUpdatedIn = async (db: Db) =>
  (await db.$count(sql`drizzle.__drizzle_migrations`)) === listMigrationTimes(migrationsFolder).length;

/**
 * After a kill, a backup either has no file name yet or is complete. A killed restore can be continued. In the end, the
 * restored shop equals the original.
 */
export const killDuringBackup: Scenario = {
  name: 'kill-keeping',
  engines: ['embedded', 'postgres'],
  async run({ engine, random }) {
    const settings = await createUsedShop(engine);
    const shopBefore = await readRowsAndFiles(settings);
    const file = join(createTemporaryFolder(), 'shop.backup');
    const killBackup = createKiller(random);
    for (let [killed, at] = [0, 0]; killed < kills; at += 1) {
      const attemptPath = `${file}-${at}`;
      const backupProcess = spawnCommand('backup', [attemptPath], settings);
      const exitResult = waitForExit(backupProcess);
      await killBackup(backupProcess, async () => existsSync(`${attemptPath}.part`));
      const { words } = await exitResult;
      const targetSettings = { DATA_DIR: createTemporaryFolder() };
      const repeatedExit = await waitForExit(spawnCommand('restore', [attemptPath], targetSettings));
      if (existsSync(attemptPath)) {
        expect(await readRowsAndFiles(targetSettings), repeatedExit.words).toEqual(shopBefore);
        killBackup.sooner();
        continue;
      }
      expect(backupProcess.signalCode, words).toBe('SIGKILL');
      expect(repeatedExit.words, 'a backup that was killed is taken for one').toContain(
        `There is no file ${attemptPath}`,
      );
      killed += 1;
    }
    const backupExit = await waitForExit(spawnCommand('backup', [file], settings));
    expect(backupExit.code, backupExit.words).toBe(0);
    const killRestore = createKiller(random);
    let present = 0;
    for (let killed = 0; killed < kills;) {
      const emptyDatabase = await openEmptyDatabase(engine);
      const command = spawnCommand('restore', [file], emptyDatabase);
      const exitResult = waitForExit(command);
      await killRestore(command, async () =>
        existsSync(join(emptyDatabase['DATA_DIR']!, 'files', restoreMarkerFileKey)),
      );
      const { words } = await exitResult;
      const repeatedExit = await waitForExit(spawnCommand('restore', [file], emptyDatabase));
      const shopAfter = await readRowsAndFiles(emptyDatabase);
      if (repeatedExit.code !== 0) {
        expect(repeatedExit.words).toMatch(/is not empty/);
        expect(shopAfter, words).toEqual(shopBefore);
        killRestore.sooner();
        continue;
      }
      expect(command.signalCode, words).toBe('SIGKILL');
      killed += 1;
      present += Object.keys(shopBefore.files).filter((key) => shopAfter.files[key] === shopBefore.files[key]).length;
      present += Object.entries(shopBefore.rows).filter(
        ([table, rows]) => JSON.stringify(shopAfter.rows[table]) === JSON.stringify(rows),
      ).length;
    }
    const triedCount = kills * (Object.keys(shopBefore.files).length + Object.keys(shopBefore.rows).length);
    return compareCounts(
      `${kills} backups were killed while they wrote, then ${kills} restores; each was run again, and files and tables were compared`,
      triedCount,
      present,
    );
  },
};

/**
 * Kills a process at a random moment after it has started its work. `sooner` halves the longest delay. Call it if the
 * process finished before the kill.
 */
function createKiller(random: Random) {
  let longestMs = 2_000;
  const killWhileWorking = async (child: ChildProcess, isAtWork: () => Promise<boolean>) => {
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    while (!hasEnded() && !(await isAtWork())) await sleep(5);
    await sleep(random.below(longestMs));
    if (hasEnded()) return;
    const exitEvent = once(child, 'exit');
    child.kill('SIGKILL');
    await exitEvent;
  };
  return Object.assign(killWhileWorking, { sooner: () => void (longestMs /= 2) });
}

const compareCounts = (done: string, tried: number, present: number): ScenarioResult => ({
  done,
  tried,
  acknowledged: tried,
  present,
  lost: tried - present,
  words: [],
});

async function openEmptyDatabase(engine: Engine): Promise<Record<string, string>> {
  if (engine === 'embedded') return { DATA_DIR: createMigratedDataFolder(createTemporaryFolder()) };
  return { DATA_DIR: createTemporaryFolder(), DATABASE_URL: (await createDatabase({ isEmpty: true })).href };
}

/** Prepares a stopped shop with a customer, photos and many other files. */
async function createUsedShop(engine: Engine): Promise<Record<string, string>> {
  const installation = await ShopInstallation.open(engine);
  const { browser, frames } = await buyFramesAsAnna({ browser: installation.browser } as unknown as TestShop);
  for (let i = 0; i < 5; i++) await uploadTo(browser, frames[0]!.deviceId);
  expect(await installation.shop.end('SIGTERM')).toBe(0);
  const settings = {
    DATA_DIR: installation.dataDir,
    ...(installation.databaseUrl !== undefined && { DATABASE_URL: installation.databaseUrl }),
  };
  await addManyFiles(settings);
  return settings;
}
