import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { onTestFinished } from 'vitest';
import { readConfig } from '#server/config.ts';
import { createDatabaseFromConfig, createStorageFromConfig } from '#server/adapters.ts';
import { projectFolder } from '#server/project-folder.ts';
import type { Db } from '#shop/ports/database.ts';
import type { Storage } from '#shop/ports/storage.ts';

type Settings = Record<string, string>;

function createFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kinframe-backup-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Reads all rows, except the records of backups: a backup made in the meantime adds one. */
export async function readAllRowsExceptBackups(db: Db): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'backups' order by 1`,
  );
  const rowsByTable: Record<string, unknown[]> = {};
  for (const name of [...tables.map((it) => sql.identifier(it.name)), sql`jobs.job`]) {
    const { rows } = await db.execute<{ row: string }>(sql`select it::text as row from ${name} it order by 1`);
    rowsByTable['value' in name ? name.value : 'jobs.job'] = rows.map((it) => it.row);
  }
  const { rows } = await db.execute(sql`select sequencename, last_value from pg_sequences where schemaname = 'public'`);
  return { ...rowsByTable, sequences: rows };
}

async function readAllFiles(storage: Storage): Promise<Record<string, string>> {
  const files: [string, string][] = [];
  for await (const { key } of storage.list('')) {
    const hash = createHash('sha256');
    for await (const chunk of await storage.read(key)) hash.update(chunk as Buffer);
    files.push([key, hash.digest('hex')]);
  }
  return Object.fromEntries(files.toSorted(([one], [other]) => one.localeCompare(other)));
}

/** Returns the rows and files of a stopped shop. */
export async function readRowsAndFiles(settings: Settings) {
  const config = readConfig(settings);
  const database = await createDatabaseFromConfig(config, { withJobs: false });
  try {
    return {
      rows: await readAllRowsExceptBackups(database.db),
      files: await readAllFiles(await createStorageFromConfig(config, createFolder())),
    };
  } finally {
    await database.close();
  }
}

/** Runs a command as it is typed in a shell. */
export function spawnCommand(command: 'backup' | 'restore', args: string[], settings: Settings, limit?: number) {
  const script = join(projectFolder, `server/${command}.ts`);
  const line = [process.execPath, script, ...args];
  const [program, ...rest] = limit ? ['bash', '-c', `ulimit -f ${limit}; exec "$@"`, 'bash', ...line] : line;
  return spawn(program!, rest, {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
/** Settings that kill a command at an exact step, regardless of the machine's load. See `killed-at.mjs`. */
export const createSettingsToKillAt = (words: string, time = 1): Settings => ({
  NODE_OPTIONS: `--import=${new URL('./killed-at.mjs', import.meta.url).href}`,
  KILLED_AT: words,
  KILLED_TIME: String(time),
});
export async function waitForExit(child: ReturnType<typeof spawnCommand>) {
  const [words, complaints] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, words: words + complaints };
}

/** Adds many files, so that a command can be killed while it processes them. */
export async function addManyFiles(settings: Settings): Promise<void> {
  const database = await createDatabaseFromConfig(readConfig(settings), { withJobs: false });
  const storage = await createStorageFromConfig(readConfig(settings), createFolder());
  const names = Array.from({ length: 200 }, () => `${crypto.randomUUID()}.jpg`);
  for (const name of names) await storage.put(`content/${name}`, Buffer.alloc(100_000, name), 'image/jpeg');
  const value = JSON.stringify(names.map((name) => `/content/${name}`));
  await database.db.execute(sql`insert into content values ('padding', ${value}::jsonb, now())`);
  await database.close();
}
