import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase, eachEngine } from '#test/database.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { openDatabase } from './database.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kinframe-migrations-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

interface Journal {
  entries: { idx: number; when: number; tag: string }[];
}
const journalOf = (release: string) => JSON.parse(readFileSync(join(release, 'meta/_journal.json'), 'utf8')) as Journal;

/** These migrations and others, each making a table of its own. */
function releaseWith(...others: { tag: string; day: string }[]): string {
  const next = folder();
  cpSync(migrationsFolder, next, { recursive: true });
  const journal = journalOf(next);
  for (const { tag, day } of others) {
    writeFileSync(join(next, `${tag}.sql`), `create table ${tag.slice(5)} (word text);`);
    journal.entries.push({ idx: Number(tag.slice(0, 4)), when: Date.parse(`${day}T00:00:00Z`), tag, ...asDrizzle });
  }
  writeFileSync(join(next, 'meta/_journal.json'), JSON.stringify(journal));
  return next;
}
const asDrizzle = { version: '7', breakpoints: true };
const next = { tag: '9999_next', day: '2031-05-01' };

test('each migration is later than the one before it, so that none is passed over', () => {
  const { entries } = journalOf(migrationsFolder);
  expect(entries.map((it) => it.when)).toEqual(entries.map((it) => it.when).toSorted((a, b) => a - b));
  expect(entries.map((it) => Number(it.tag.slice(0, 4)))).toEqual(entries.map((it) => it.idx));
});

eachEngine((_fresh, engine) => {
  test('an older database is brought up to date; one of a newer release is refused in words, and left as it was', async () => {
    const place = engine === 'postgres' ? { url: (await createDatabase()).href, dataDir: '' } : { dataDir: folder() };
    const open = (release: string) => openDatabase({ ...place, migrationsFolder: release, withJobs: false });
    await (await open(migrationsFolder)).close();

    const release = releaseWith(next);
    const newer = await open(release);
    await newer.db.execute(sql`insert into next values ('kept')`);
    await newer.close();

    await expect(open(migrationsFolder)).rejects.toThrow(
      /belongs to a newer release of the shop: .* does not know, of 2031-05-01. Nothing was changed/,
    );
    const again = await open(release); // nobody holds it
    expect((await again.db.execute(sql`select word from next`)).rows).toEqual([{ word: 'kept' }]);
    await again.close();

    // Between two releases somebody else's change, made earlier, came after.
    await expect(open(releaseWith({ tag: '9998_passed', day: '2030-05-01' }, next))).rejects.toThrow(
      /between two releases: it lacks a change that came before others it has. Nothing was changed/,
    );
  });
});
