import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { migrationsFolder } from '#server/project-folder.ts';

/** The migrations as they were when this one was the last: a shop of that day is made with them. */
export function migrationsUpTo(tag: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(migrationsFolder, folder, { recursive: true });
  const journal = join(folder, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { tag: string }[] };
  const last = entries.findIndex((it) => it.tag === tag);
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, last + 1) }));
  return folder;
}
