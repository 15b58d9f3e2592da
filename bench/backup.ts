import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { readConfig } from '#server/config.ts';
import { databaseOf } from '#server/parts.ts';
import { forgetPeakOf, median, peakMegabytesOf } from './measure.ts';
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

/** A running shop with thousands of files against `cp` of the same files; both end on disk. */
export async function compareBackup(): Promise<BackupFigures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  try {
    await fillStore(dataDir);
    const shop = await startShop({ DATA_DIR: dataDir });
    try {
      const before = forgetPeakOf(shop.pid);
      // In turns: what a disk takes at once is not the same twice.
      const plain = [];
      const copies = [];
      for (let turn = 0; turn < 3; turn++) {
        plain.push(await backUp(dataDir, {}));
        copies.push(await copy(dataDir));
      }
      const shopGrownMegabytes = peakMegabytesOf(shop.pid) - before;
      const sealed = await backUp(dataDir, { BACKUP_PASSPHRASE: 'only for the bench of backups' });
      const megabytes = (files * fileBytes) / 1e6;
      return {
        megabytesPerSecond: megabytes / median(plain.map((it) => it.seconds)),
        sealedMegabytesPerSecond: megabytes / sealed.seconds,
        copiedMegabytesPerSecond: megabytes / median(copies),
        grownMegabytes: Math.max(...plain.map((it) => it.grownMegabytes)),
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
  const bytes = randomBytes(fileBytes); // holes are read by the backup alone: `cp` knows where they are
  for (const name of names) writeFileSync(join(folder, name), bytes);
  const database = await databaseOf(readConfig({ DATA_DIR: dataDir }), { withJobs: false });
  const value = JSON.stringify(names.map((name) => `/content/${name}`));
  await database.db.execute(sql`insert into content values ('bench', ${value}::jsonb, now())`);
  await database.close();
}

async function backUp(dataDir: string, settings: Record<string, string>) {
  const path = join(dataDir, 'bench.backup');
  const child = join(import.meta.dirname, 'backup-child.ts');
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...settings };
  await run('sync');
  const { stdout } = await run(process.execPath, ['--import', 'tsx', child, path], { env });
  rmSync(path);
  const made = JSON.parse(stdout) as { seconds: number; files: number; grownMegabytes: number };
  if (made.files !== files) throw new Error(`the backup has ${made.files} of ${files} files`);
  return made;
}

/** Seconds. */
async function copy(dataDir: string): Promise<number> {
  const copied = join(dataDir, 'copied');
  await run('sync');
  const started = performance.now();
  await run('cp', ['-r', '--sparse=never', '--reflink=never', join(dataDir, 'files'), copied]);
  await run('sync', ['-f', copied]);
  const seconds = (performance.now() - started) / 1000;
  rmSync(copied, { recursive: true });
  return seconds;
}
