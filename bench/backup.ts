import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { readConfig } from '#server/config.ts';
import { createDatabaseFromConfig } from '#server/adapters.ts';
import { resetPeakMegabytes, findMedian, readPeakMegabytes } from './measure.ts';
import packageJson from '../package.json' with { type: 'json' };
import { startPostgres, type Postgres } from '../test/postgres.ts';
import { startShop } from './shop-process.ts';

export interface BackupFigures {
  megabytesPerSecond: number;
  sealedMegabytesPerSecond: number;
  copiedMegabytesPerSecond: number;
  /**
   * Memory growth of two processes: the one that makes the backup, and the shop, which reads its database for the
   * backup.
   */
  grownMegabytes: number;
  shopGrownMegabytes: number;
  restored: RestoreFigures;
  /**
   * Memory growth when a shop without files is restored into the embedded database. It is the memory of the database
   * alone.
   */
  emptyGrownMegabytes: number;
}
/** Restore figures for each engine. The embedded engine runs in the process, so its memory is part of the growth. */
export type RestoreFigures = Record<'PostgreSQL' | 'embedded', { megabytesPerSecond: number; grownMegabytes: number }>;
const fileCount = 10_000;
const fileBytes = 500_000;
const runProgram = promisify(execFile);

/**
 * Compares the backup of a running shop with thousands of files to `cp` of the same files. Both write through to disk.
 */
export async function measureBackup(): Promise<BackupFigures> {
  const cluster = await startPostgres({ durable: true });
  if (!cluster) throw new Error('Restores are measured on both engines, and no PostgreSQL is installed.');
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  try {
    await (await startShop({ DATA_DIR: dataDir })).close();
    const emptyBackup = join(dataDir, 'empty.backup');
    await runInSeparateProcess('backup', emptyBackup, { DATA_DIR: dataDir }, 0);
    const emptyRestoreRun = await runInSeparateProcess('restore', emptyBackup, { DATA_DIR: join(dataDir, 'empty') }, 0);

    await fillStore(dataDir);
    const shop = await startShop({ DATA_DIR: dataDir });
    try {
      const peakBefore = resetPeakMegabytes(shop.pid);
      const plainBackupRuns = [];
      const copySeconds = [];
      const restores: Record<keyof RestoreFigures, SeparateProcessFigures[]> = { PostgreSQL: [], embedded: [] };
      // Run the commands in alternating turns, because a disk's speed varies over time.
      for (let turn = 0; turn < 3; turn++) {
        const path = join(dataDir, `${turn}.backup`);
        plainBackupRuns.push(await runInSeparateProcess('backup', path, { DATA_DIR: dataDir }));
        copySeconds.push(await copyDataFolder(dataDir, turn));
        restores.embedded.push(await measureRestore(path, join(dataDir, `embedded-${turn}`)));
        const DATABASE_URL = await createEmptyDatabase(cluster);
        restores.PostgreSQL.push(await measureRestore(path, join(dataDir, `PostgreSQL-${turn}`), { DATABASE_URL }));
        truncateSync(path);
      }
      const shopGrownMegabytes = readPeakMegabytes(shop.pid) - peakBefore;
      const encryptedBackup = await runInSeparateProcess('backup', join(dataDir, 'sealed.backup'), {
        DATA_DIR: dataDir,
        BACKUP_PASSPHRASE: 'only for the bench of backups',
      });
      const megabytes = (fileCount * fileBytes) / 1e6;
      const summarizeRuns = (runs: SeparateProcessFigures[]) => ({
        megabytesPerSecond: megabytes / findMedian(runs.map((it) => it.seconds)),
        grownMegabytes: Math.max(...runs.map((it) => it.grownMegabytes)),
      });
      return {
        ...summarizeRuns(plainBackupRuns),
        sealedMegabytesPerSecond: megabytes / encryptedBackup.seconds,
        copiedMegabytesPerSecond: megabytes / findMedian(copySeconds),
        shopGrownMegabytes,
        emptyGrownMegabytes: emptyRestoreRun.grownMegabytes,
        restored: { PostgreSQL: summarizeRuns(restores.PostgreSQL), embedded: summarizeRuns(restores.embedded) },
      };
    } finally {
      await shop.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
    await cluster.stop();
  }
}

/** Creates the owner's pictures, and content that names them. */
async function fillStore(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'files/content');
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: fileCount }, () => `${crypto.randomUUID()}.jpg`);
  const bytes = randomBytes(fileBytes); // not zeros: `cp` can skip runs of zeros, but the backup must read them
  for (const name of names) writeFileSync(join(folder, name), bytes);
  const database = await createDatabaseFromConfig(readConfig({ DATA_DIR: dataDir }), { withJobs: false });
  const value = JSON.stringify(names.map((name) => `/content/${name}`));
  await database.db.execute(sql`insert into content values ('bench', ${value}::jsonb, now())`);
  await database.close();
}

async function measureRestore(
  path: string,
  DATA_DIR: string,
  settings: Record<string, string> = {},
): Promise<SeparateProcessFigures> {
  const restoreMeasurement = await runInSeparateProcess('restore', path, { DATA_DIR, ...settings });
  emptyFolder(DATA_DIR);
  return restoreMeasurement;
}

/**
 * Empties the files instead of deleting them, which frees space for the next turn. For minutes after a deletion, ext4
 * checks every deleted inode before it creates a new file. With thousands of files, that takes longer than writing
 * them.
 */
function emptyFolder(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) truncateSync(join(entry.parentPath, entry.name));
}

async function createEmptyDatabase({ url }: Postgres): Promise<string> {
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const databaseClient = new pg.Client({ connectionString: url });
  await databaseClient.connect();
  await databaseClient.query(`create database ${name}`);
  await databaseClient.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

interface SeparateProcessFigures {
  seconds: number;
  files: number;
  grownMegabytes: number;
}

/** Runs a backup or restore in a separate process, started the way npm starts it. */
async function runInSeparateProcess(
  command: 'backup' | 'restore',
  path: string,
  settings: Record<string, string>,
  expected = fileCount,
): Promise<SeparateProcessFigures> {
  const [, ...flags] = packageJson.scripts[command].split(' ').slice(0, -1);
  const childPath = join(import.meta.dirname, 'backup-child.ts');
  const env = { PATH: process.env['PATH'] ?? '', ...settings };
  await runProgram('sync');
  const { stdout } = await runProgram(process.execPath, [...flags, '--import', 'tsx', childPath, command, path], {
    env,
  });
  const backupMeasurement = JSON.parse(stdout) as SeparateProcessFigures;
  if (backupMeasurement.files !== expected)
    throw new Error(`the ${command} has ${backupMeasurement.files} of ${expected} files`);
  return backupMeasurement;
}

/** Returns seconds. */
async function copyDataFolder(dataDir: string, turn: number): Promise<number> {
  const copiedFolder = join(dataDir, `copied-${turn}`);
  await runProgram('sync');
  const startedAt = performance.now();
  await runProgram('cp', ['-r', '--sparse=never', '--reflink=never', join(dataDir, 'files'), copiedFolder]);
  await runProgram('sync', ['-f', copiedFolder]);
  const seconds = (performance.now() - startedAt) / 1000;
  emptyFolder(copiedFolder);
  return seconds;
}
