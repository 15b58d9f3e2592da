import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { readConfig } from '#server/config.ts';
import { databaseOf } from '#server/parts.ts';
import { forgetPeakOf, peakMegabytesOf } from './measure.ts';
import { startShop } from './shop-process.ts';

export interface BackupFigures {
  megabytesPerSecond: number;
  sealedMegabytesPerSecond: number;
  copiedMegabytesPerSecond: number;
  /** Of the process that makes it, and of the shop that hands out its database meanwhile. */
  grownMegabytes: number;
  shopGrownMegabytes: number;
}
const files = 4000;
const fileBytes = 500_000;
const run = promisify(execFile);

/** A running shop with thousands of files, holes all of them, against `cp` of the same files; both end on disk. */
export async function compareBackup(): Promise<BackupFigures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  try {
    await fillStore(dataDir);
    const shop = await startShop({ DATA_DIR: dataDir });
    try {
      const before = forgetPeakOf(shop.pid);
      const plain = await backUp(dataDir, {});
      const shopGrownMegabytes = peakMegabytesOf(shop.pid) - before;
      const sealed = await backUp(dataDir, { BACKUP_PASSPHRASE: 'only for the bench of backups' });
      const megabytes = (files * fileBytes) / 1e6;
      return {
        megabytesPerSecond: megabytes / plain.seconds,
        sealedMegabytesPerSecond: megabytes / sealed.seconds,
        copiedMegabytesPerSecond: megabytes / (await copy(dataDir)),
        grownMegabytes: plain.grownMegabytes,
        shopGrownMegabytes,
      };
    } finally {
      await shop.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The owner's pictures, as the content names them. */
async function fillStore(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'files/content');
  mkdirSync(folder, { recursive: true });
  const names = Array.from({ length: files }, () => `${crypto.randomUUID()}.jpg`);
  for (const name of names) {
    writeFileSync(join(folder, name), '');
    truncateSync(join(folder, name), fileBytes);
  }
  const database = await databaseOf(readConfig({ DATA_DIR: dataDir }), { withJobs: false });
  const value = JSON.stringify(names.map((name) => `/content/${name}`));
  await database.db.execute(sql`insert into content values ('bench', ${value}::jsonb, now())`);
  await database.close();
}

async function backUp(dataDir: string, settings: Record<string, string>) {
  const path = join(dataDir, 'bench.backup');
  const child = join(import.meta.dirname, 'backup-child.ts');
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...settings };
  const { stdout } = await run(process.execPath, ['--import', 'tsx', child, path], { env });
  rmSync(path);
  const made = JSON.parse(stdout) as { seconds: number; files: number; grownMegabytes: number };
  if (made.files !== files) throw new Error(`the backup has ${made.files} of ${files} files`);
  return made;
}

/** Seconds. */
async function copy(dataDir: string): Promise<number> {
  const copied = join(dataDir, 'copied');
  const started = performance.now();
  await run('cp', ['-r', '--sparse=never', '--reflink=never', join(dataDir, 'files'), copied]);
  await run('sync', ['-f', copied]);
  const seconds = (performance.now() - started) / 1000;
  rmSync(copied, { recursive: true });
  return seconds;
}
