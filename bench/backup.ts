import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { readConfig } from '#server/config.ts';
import { databaseOf } from '#server/parts.ts';
import { forgetPeakOf, median, peakMegabytesOf } from './measure.ts';
import packageJson from '../package.json' with { type: 'json' };
import { startPostgres, type Postgres } from '../test/postgres.ts';
import { startShop } from './shop-process.ts';

export interface BackupFigures {
  megabytesPerSecond: number;
  sealedMegabytesPerSecond: number;
  copiedMegabytesPerSecond: number;
  /** Of the process that makes it, and of the shop that hands out its database meanwhile. */
  grownMegabytes: number;
  shopGrownMegabytes: number;
  restored: RestoreFigures;
  /** Of a restore into the embedded database of a shop without any of the files: what the database alone takes. */
  emptyGrownMegabytes: number;
}
/** Of a restore on each engine; the embedded one is in the process, and part of what it grows by. */
export type RestoreFigures = Record<'PostgreSQL' | 'embedded', { megabytesPerSecond: number; grownMegabytes: number }>;
const files = 10_000;
const fileBytes = 500_000;
const run = promisify(execFile);

/** A running shop with thousands of files against `cp` of the same files; all of it ends on disk. */
export async function compareBackup(): Promise<BackupFigures> {
  const cluster = await startPostgres({ durable: true });
  if (!cluster) throw new Error('Restores are measured on both engines, and no PostgreSQL is installed.');
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  try {
    await (await startShop({ DATA_DIR: dataDir })).close();
    const ofNothing = join(dataDir, 'empty.backup');
    await runAway('backup', ofNothing, { DATA_DIR: dataDir }, 0);
    const restoredEmpty = await runAway('restore', ofNothing, { DATA_DIR: join(dataDir, 'empty') }, 0);

    await fillStore(dataDir);
    const shop = await startShop({ DATA_DIR: dataDir });
    try {
      const before = forgetPeakOf(shop.pid);
      const plain = [];
      const copies = [];
      const restores: Record<keyof RestoreFigures, Away[]> = { PostgreSQL: [], embedded: [] };
      // In turns: what a disk takes at once is not the same twice.
      for (let turn = 0; turn < 3; turn++) {
        const path = join(dataDir, `${turn}.backup`);
        plain.push(await runAway('backup', path, { DATA_DIR: dataDir }));
        copies.push(await copy(dataDir, turn));
        restores.embedded.push(await restore(path, join(dataDir, `embedded-${turn}`)));
        const DATABASE_URL = await emptyDatabase(cluster);
        restores.PostgreSQL.push(await restore(path, join(dataDir, `PostgreSQL-${turn}`), { DATABASE_URL }));
        truncateSync(path);
      }
      const shopGrownMegabytes = peakMegabytesOf(shop.pid) - before;
      const sealed = await runAway('backup', join(dataDir, 'sealed.backup'), {
        DATA_DIR: dataDir,
        BACKUP_PASSPHRASE: 'only for the bench of backups',
      });
      const megabytes = (files * fileBytes) / 1e6;
      const figuresOf = (runs: Away[]) => ({
        megabytesPerSecond: megabytes / median(runs.map((it) => it.seconds)),
        grownMegabytes: Math.max(...runs.map((it) => it.grownMegabytes)),
      });
      return {
        ...figuresOf(plain),
        sealedMegabytesPerSecond: megabytes / sealed.seconds,
        copiedMegabytesPerSecond: megabytes / median(copies),
        shopGrownMegabytes,
        emptyGrownMegabytes: restoredEmpty.grownMegabytes,
        restored: { PostgreSQL: figuresOf(restores.PostgreSQL), embedded: figuresOf(restores.embedded) },
      };
    } finally {
      await shop.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
    await cluster.stop();
  }
}

/** The owner's pictures, as the content names them. */
async function fillStore(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'files/content');
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: files }, () => `${crypto.randomUUID()}.jpg`);
  const bytes = randomBytes(fileBytes); // holes are read by the backup alone: `cp` knows where they are
  for (const name of names) writeFileSync(join(folder, name), bytes);
  const database = await databaseOf(readConfig({ DATA_DIR: dataDir }), { withJobs: false });
  const value = JSON.stringify(names.map((name) => `/content/${name}`));
  await database.db.execute(sql`insert into content values ('bench', ${value}::jsonb, now())`);
  await database.close();
}

async function restore(path: string, DATA_DIR: string, settings: Record<string, string> = {}): Promise<Away> {
  const restored = await runAway('restore', path, { DATA_DIR, ...settings });
  emptyAll(DATA_DIR);
  return restored;
}

/**
 * Room for the next one, and nothing is deleted until the end: for minutes after it, ext4 looks at every inode that was
 * deleted before it makes a new file, which with thousands of them takes longer than writing the files.
 */
function emptyAll(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) truncateSync(join(entry.parentPath, entry.name));
}

async function emptyDatabase({ url }: Postgres): Promise<string> {
  const name = `bench_${randomBytes(4).toString('hex')}`;
  const maker = new pg.Client({ connectionString: url });
  await maker.connect();
  await maker.query(`create database ${name}`);
  await maker.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

interface Away {
  seconds: number;
  files: number;
  grownMegabytes: number;
}

/** One of the two in a process of its own, begun as npm begins it. */
async function runAway(
  command: 'backup' | 'restore',
  path: string,
  settings: Record<string, string>,
  expected = files,
): Promise<Away> {
  const [, ...flags] = packageJson.scripts[command].split(' ').slice(0, -1);
  const child = join(import.meta.dirname, 'backup-child.ts');
  const env = { PATH: process.env['PATH'] ?? '', ...settings };
  await run('sync');
  const { stdout } = await run(process.execPath, [...flags, '--import', 'tsx', child, command, path], { env });
  const made = JSON.parse(stdout) as Away;
  if (made.files !== expected) throw new Error(`the ${command} has ${made.files} of ${expected} files`);
  return made;
}

/** Seconds. */
async function copy(dataDir: string, turn: number): Promise<number> {
  const copied = join(dataDir, `copied-${turn}`);
  await run('sync');
  const started = performance.now();
  await run('cp', ['-r', '--sparse=never', '--reflink=never', join(dataDir, 'files'), copied]);
  await run('sync', ['-f', copied]);
  const seconds = (performance.now() - started) / 1000;
  emptyAll(copied);
  return seconds;
}
