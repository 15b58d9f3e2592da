import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Db } from '#shop/ports/database.ts';

type Migrate = (config: { migrationsFolder: string }) => Promise<unknown>;

/** Migrates a database to this release with its driver's `migrate`. Throws if the database has unknown migrations. */
export async function applyMigrations(db: Db, migrationsFolder: string, migrate: Migrate): Promise<void> {
  const knownMigrationTimes = listMigrationTimes(migrationsFolder);
  const appliedTimes = await readAppliedMigrations(db);
  const unknownTimes = appliedTimes.filter((madeAt) => !knownMigrationTimes.includes(madeAt));
  if (unknownTimes.length > 0) throw new DatabaseTooNew(unknownTimes);
  // Drizzle checks only the last applied migration. It would silently skip a missing migration that is older.
  const skippedMigrationTimes = knownMigrationTimes.filter(
    (madeAt) => madeAt < (appliedTimes.at(-1) ?? 0) && !appliedTimes.includes(madeAt),
  );
  if (skippedMigrationTimes.length > 0) throw new InconsistentMigrations(skippedMigrationTimes.length);
  await migrate({ migrationsFolder });
}

/** When each applied migration was made. Drizzle identifies migrations by this time. */
async function readAppliedMigrations(db: Db): Promise<number[]> {
  const { rows } = await db.execute<{ isThere: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as "isThere"`,
  );
  if (!rows[0]?.isThere) return [];
  const appliedRows = await db.execute<{ madeAt: string }>(
    sql`select created_at as "madeAt" from drizzle.__drizzle_migrations order by created_at`,
  );
  return appliedRows.rows.map((it) => Number(it.madeAt));
}

/** When each migration of this release was made, the oldest first. */
export const listMigrationTimes = (migrationsFolder: string): number[] =>
  readMigrationFiles({ migrationsFolder }).map((it) => it.folderMillis);

/** Fills a new folder with the migrations up to and including the one made at `madeAt`. */
export function copyMigrationsUntil(migrationsFolder: string, madeAt: number, folder: string): void {
  const { entries, ...rest } = JSON.parse(readFileSync(join(migrationsFolder, journal), 'utf8')) as {
    entries: { tag: string; when: number }[];
  };
  const appliedEntries = entries.filter(({ when }) => when <= madeAt);
  mkdirSync(join(folder, 'meta'), { recursive: true });
  for (const { tag } of appliedEntries) cpSync(join(migrationsFolder, `${tag}.sql`), join(folder, `${tag}.sql`));
  writeFileSync(join(folder, journal), JSON.stringify({ ...rest, entries: appliedEntries }));
}
const journal = 'meta/_journal.json';

export class DatabaseTooNew extends Error {
  override name = 'DatabaseTooNew';
  constructor(unknownMigrations: number[]) {
    const lastUnknownMigrationDay = new Date(unknownMigrations.at(-1)!).toISOString().slice(0, 10);
    super(
      'The database belongs to a newer release of the shop: it has been through ' +
        `${unknownMigrations.length === 1 ? 'a change' : `${unknownMigrations.length} changes`} this release does not know, of ${lastUnknownMigrationDay}. ` +
        'Nothing was changed. Start that release again, or restore a backup from before it into an empty database.',
    );
  }
}

export class InconsistentMigrations extends Error {
  override name = 'InconsistentMigrations';
  constructor(missing: number) {
    super(
      `The database was made by a state of the code between two releases: it lacks ${missing === 1 ? 'a change' : `${missing} changes`} ` +
        'that came before others it has. Nothing was changed. Restore a backup made by a release, or start on an empty database.',
    );
  }
}
