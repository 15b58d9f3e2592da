import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { onTestFinished } from 'vitest';
import { contentTypeOf } from '#adapters/storage/keys.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import type { Db } from '#shop/ports/database.ts';
import type { Storage } from '#shop/ports/storage.ts';

/** Returns a folder with the migrations up to this one, for creating a shop of that release. */
export function createMigrationsUpTo(tag: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(migrationsFolder, folder, { recursive: true });
  const journal = join(folder, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { tag: string }[] };
  const lastIndex = entries.findIndex((it) => it.tag === tag);
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, lastIndex + 1) }));
  return folder;
}

/**
 * The data of a shop at migration 0001: Anna's two frames with photos and videos, a guest's order with a code and a
 * partial refund, and an unpaid cart.
 */
export const rowsOfMigration0001 = JSON.parse(
  readFileSync(join(import.meta.dirname, 'migrations/shop-at-0001.json'), 'utf8'),
) as Record<string, Record<string, unknown>[]>;

/** Inserts the data into a database with the migrations up to 0001. */
export async function insertRowsOfMigration0001(db: Db): Promise<void> {
  for (const [table, rows] of Object.entries(rowsOfMigration0001))
    await db.execute(
      sql`insert into ${sql.identifier(table)} overriding system value select * from jsonb_populate_recordset(null::${sql.identifier(table)}, ${JSON.stringify(rows)}::jsonb)`,
    );
}

/** Stores the files that the rows of `rowsOfMigration0001` name, with arbitrary content. */
export async function storeFilesOfMigration0001(storage: Storage): Promise<void> {
  const keys = [...rowsOfMigration0001['uploads']!, ...rowsOfMigration0001['videos']!].flatMap((row) =>
    Object.entries(row).flatMap(([column, value]) =>
      /^(original|display|thumbnail|video|poster)_key$/.test(column) ? [value as string] : [],
    ),
  );
  for (const key of keys) await storage.put(key, Buffer.from('its bytes'), contentTypeOf(key));
}
