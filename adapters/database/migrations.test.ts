import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { listOrders } from '#shop/orders/orders-list.ts';
import { createDatabase, describeOnEachEngine } from '#test/database.ts';
import { createMigrationsUpTo } from '#test/migrations.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { seedOrders } from '../../bench/seed-orders.ts';
import { openDatabase } from './database.ts';

function createFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'kinframe-migrations-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

interface Journal {
  entries: { idx: number; when: number; tag: string }[];
}
const readJournal = (release: string) =>
  JSON.parse(readFileSync(join(release, 'meta/_journal.json'), 'utf8')) as Journal;

/** Makes a folder with the shop's migrations and additional migrations. Each additional migration creates a table. */
function createRelease(...others: { tag: string; day: string }[]): string {
  const nextReleaseFolder = createFolder();
  cpSync(migrationsFolder, nextReleaseFolder, { recursive: true });
  const journal = readJournal(nextReleaseFolder);
  for (const { tag, day } of others) {
    writeFileSync(join(nextReleaseFolder, `${tag}.sql`), `create table ${tag.slice(5)} (word text);`);
    journal.entries.push({
      idx: Number(tag.slice(0, 4)),
      when: Date.parse(`${day}T00:00:00Z`),
      tag,
      ...drizzleJournalFields,
    });
  }
  writeFileSync(join(nextReleaseFolder, 'meta/_journal.json'), JSON.stringify(journal));
  return nextReleaseFolder;
}
const drizzleJournalFields = { version: '7', breakpoints: true };
const nextRelease = { tag: '9999_next', day: '2031-05-01' };

test('every migration has a later time than the previous one, because Drizzle skips an earlier one', () => {
  const { entries } = readJournal(migrationsFolder);
  expect(entries.map((it) => it.when)).toEqual(entries.map((it) => it.when).toSorted((a, b) => a - b));
  expect(entries.map((it) => Number(it.tag.slice(0, 4)))).toEqual(entries.map((it) => it.idx));
});

/** Migrations from before two releases could use the database at the same time. They are exempt from the next test. */
const exemptMigrations = new Set(['0003_payment_purposes', '0007_lists', '0010_ground']);

test('a migration keeps everything that the previous release uses, or names the release that stopped using it', () => {
  for (const { tag, when } of readJournal(migrationsFolder).entries) {
    const text = readFileSync(join(migrationsFolder, `${tag}.sql`), 'utf8');
    const unusedSince = /^-- No release since (\d{4}-\d\d-\d\d) uses it\.$/m.exec(text)?.[1];
    if (unusedSince && Date.parse(unusedSince) < when) continue;
    expect([tag, exemptMigrations.has(tag) ? [] : findNarrowingStatements(text)]).toEqual([tag, []]);
  }
});

test.each([
  ['drop table "mails";', 1],
  ['ALTER TABLE "mails" DROP COLUMN "event", DROP COLUMN "words";', 2],
  ['ALTER TABLE "mails" RENAME COLUMN "event" TO "about";', 1],
  ['ALTER TABLE "mails" RENAME TO "letters";', 1],
  ['ALTER TABLE "mails" ALTER COLUMN "event" SET DATA TYPE timestamp with time zone;', 1],
  ['ALTER TABLE "mails" ALTER COLUMN "event" SET NOT NULL;', 1],
  ['ALTER TABLE "mails" ALTER COLUMN "event" DROP DEFAULT;', 1],
  ['ALTER TABLE "mails" ADD COLUMN "why" text NOT NULL;', 1],
  ['ALTER TABLE "mails" ADD CONSTRAINT "mails_event" CHECK ("event" <> \'\');', 1],
  ['CREATE UNIQUE INDEX "mails_event" ON "mails" ("event");', 1],
  ['DROP INDEX "mails_event";', 1],
  [
    'ALTER TABLE "mails" ADD COLUMN "why" text;--> statement-breakpoint\nCREATE UNIQUE INDEX "a" ON "mails" ("why");',
    0,
  ],
  ['ALTER TABLE "mails" ADD COLUMN "why" text DEFAULT \'\' NOT NULL;', 0],
  ['ALTER TABLE "mails" ADD COLUMN "why" text GENERATED ALWAYS AS ("event") STORED NOT NULL;', 0],
  [
    'CREATE TABLE "new" ("id" text NOT NULL);--> statement-breakpoint\nALTER TABLE "new" ADD CONSTRAINT "a" UNIQUE("id");',
    0,
  ],
  ['-- drop table "mails"\nCREATE FUNCTION a() RETURNS void LANGUAGE sql AS $$ drop table x $$;', 0],
])('finds the breaking changes in: %s', (text, times) => expect(findNarrowingStatements(text)).toHaveLength(times));

/**
 * Finds the changes of a migration that may break the previous release: changes that remove something or require more.
 */
function findNarrowingStatements(text: string): string[] {
  const statements = text
    .replaceAll(/(?<!-)--(?!>).*$/gm, '')
    .replaceAll(/\$\$.*?\$\$/gs, '$$$$')
    .split('--> statement-breakpoint');
  const findCreatedNames = (pattern: RegExp) =>
    Array.from(statements.join('\n').matchAll(pattern), ([, name]) => `"${name!}"`);
  const addedNames = [...findCreatedNames(/create table "(\w+)"/gi), ...findCreatedNames(/add column "(\w+)"/gi)];
  return statements.flatMap((statement) => [
    ...(statement.match(breakingChangePattern) ?? []),
    ...(statement.match(/add column (?:(?!add column|default|generated).)*not null/gis) ?? []),
    ...(/add constraint|create unique/i.test(statement) && !addedNames.some((it) => statement.includes(it))
      ? [statement]
      : []),
  ]);
}
const breakingChangePattern =
  /\bdrop (?:table|column|constraint|index|view|default)\b|\brename (?:to|column|constraint)\b|\bset not null\b|\balter column "?\w+"? (?:set data )?type\b/gi;

describeOnEachEngine((_fresh, engine) => {
  test('migrates the database of an older release; refuses a newer database and leaves it unchanged', async () => {
    const databaseOptions =
      engine === 'postgres' ? { url: (await createDatabase()).href, dataDir: '' } : { dataDir: createFolder() };
    const openRelease = (release: string) =>
      openDatabase({ ...databaseOptions, migrationsFolder: release, withJobs: false });
    await (await openRelease(migrationsFolder)).close();

    const release = createRelease(nextRelease);
    const newerDatabase = await openRelease(release);
    await newerDatabase.db.execute(sql`insert into next values ('kept')`);
    await newerDatabase.close();

    await expect(openRelease(migrationsFolder)).rejects.toThrow(
      /belongs to a newer release of the shop: .* does not know, of 2031-05-01. Nothing was changed/,
    );
    const reopenedDatabase = await openRelease(release); // this succeeds because the refused `openRelease` released its lock
    expect((await reopenedDatabase.db.execute(sql`select word from next`)).rows).toEqual([{ word: 'kept' }]);
    await reopenedDatabase.close();

    // A release is refused if one of its new migrations is older than a migration that was already applied.
    await expect(openRelease(createRelease({ tag: '9998_passed', day: '2030-05-01' }, nextRelease))).rejects.toThrow(
      /between two releases: it lacks a change that came before others it has. Nothing was changed/,
    );
  });

  test('makes old gift orders searchable by their recipient when the database is migrated', async () => {
    const databaseOptions =
      engine === 'postgres'
        ? { url: (await createDatabase({ isEmpty: true })).href, dataDir: '' }
        : { dataDir: createFolder() };
    const openRelease = (release: string) =>
      openDatabase({ ...databaseOptions, migrationsFolder: release, withJobs: false });
    const databaseBefore = await openRelease(createMigrationsUpTo('0034_reviews'));
    await seedOrders(databaseBefore.db, { orders: 3, photos: 0 });
    const gift = JSON.stringify({ recipientName: 'Øyvind Sørensen' });
    const address = JSON.stringify({
      line1: '1 Fjord Way',
      city: 'Bath',
      state: 'ME',
      postalCode: '04530',
      country: 'US',
    });
    await databaseBefore.db.execute(sql`update orders set gift = ${gift}::jsonb, shipping_address = ${address}::jsonb
      where email = 'customer2@example.com'`);
    await databaseBefore.close();
    const databaseAfter = await openRelease(migrationsFolder);
    expect((await listOrders(databaseAfter.db, { q: 'sorensen' })).rows.map((it) => it.email)).toEqual([
      'customer2@example.com',
    ]);
    await databaseAfter.close();
  });
});
