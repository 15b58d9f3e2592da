import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { runInSnapshot, exportDatabaseCopy, readLastMigrationTime, writeLines } from '#adapters/database/copy-out.ts';
import { listMigrationTimes } from '#adapters/database/migrations.ts';
import type { Db } from '#shop/ports/database.ts';
import { namedFiles } from '../named-files.ts';
import { migrationsFolder } from '../project-folder.ts';
import { BackupRefused } from './backup-refused.ts';

/** The first entry of a backup, which describes it. */
const Manifest = z.object({
  format: z.literal('kinframe-backup'),
  /** A larger version comes from a newer release. */
  version: z.int(),
  /** The time of the snapshot: all data in the backup is from this moment. */
  takenAt: z.iso.datetime(),
  /** The id of the shop. Its file store contains the same id. */
  shopId: z.string(),
  /** Files stored more than a day before this time were left out, because an earlier backup contains them. */
  since: z.iso.datetime().optional(),
  /**
   * True if files.txt lists the files that rows name. False for the database of an older release: the backup then
   * contains all files.
   */
  namesFiles: z.boolean(),
  database: z.object({
    migratedTo: z.number(),
    tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int() })),
    counters: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
  }),
});
export type Manifest = z.infer<typeof Manifest>;
export const backupFormatVersion = 1;

export const manifestName = 'backup.json';
/** The keys of stored files that the rows name, one per line. */
export const namedFilesEntry = 'files.txt';
export const tableEntryOf = (table: string) => `database/${table}.jsonl`;
/** Keys that rows name but the store no longer had, one per line. */
export const missingFilesEntry = 'missing.txt';
export const secretsName = 'secrets.json';
const filesFolder = 'files/';
export const archiveEntryOfFile = (key: string) => filesFolder + key;
/** The key of the stored file in this entry; undefined if the entry is not a stored file. */
export const fileKeyOfEntry = (entry: string) =>
  entry.startsWith(filesFolder) ? entry.slice(filesFolder.length) : undefined;

/** Throws BackupRefused if this release cannot read the manifest. */
export function parseManifest(json: string, path: string): Manifest {
  const rawManifest = parseJson(json);
  const manifestHead = z.object({ format: z.literal('kinframe-backup'), version: z.int() }).safeParse(rawManifest);
  if (!manifestHead.success) throw new BackupRefused(`${path} is no backup of a shop.`);
  if (manifestHead.data.version > backupFormatVersion)
    throw new BackupRefused(
      `${path} was made by a newer release of the shop, in a form this one cannot read. Nothing was changed. Restore it with that release.`,
    );
  const manifest = Manifest.safeParse(rawManifest);
  if (!manifest.success) throw new BackupRefused(`${path} is damaged: ${manifestName} is incomplete.`);
  return manifest.data;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * Write the state of the database at one moment into a new folder: its rows, the names of the stored files, and a
 * manifest of both. With the embedded engine, all other queries of the shop wait until the snapshot is complete.
 */
export async function takeSnapshot(db: Db, folder: string): Promise<Manifest> {
  await mkdir(join(folder, 'database'), { recursive: true, mode: 0o700 });
  return runInSnapshot(db, async (tx) => {
    const databaseManifest = await exportDatabaseCopy(tx, (table) => join(folder, tableEntryOf(table)));
    const isCurrentSchema = (await readLastMigrationTime(tx)) === listMigrationTimes(migrationsFolder).at(-1);
    if (isCurrentSchema) await writeLines(tx, everyNamedFile, join(folder, namedFilesEntry));
    if (!databaseManifest.tables.some(({ name }) => name === 'file_store'))
      throw new BackupRefused('The database is of a release so old that this one cannot copy it. Start the shop once.');
    const { rows } = await tx.execute<{ shopId: string; takenAt: string }>(sql`
      select shop_id as "shopId", to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "takenAt" from file_store`);
    if (!rows[0]) throw new BackupRefused('Nothing to back up: this shop has never been started.');
    const manifest: Manifest = {
      format: 'kinframe-backup',
      version: backupFormatVersion,
      ...rows[0],
      namesFiles: isCurrentSchema,
      database: databaseManifest,
    };
    await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    return manifest;
  });
}

const everyNamedFile = sql`
  select distinct key as line from (${sql.join(
    namedFiles.map((source) => source.every),
    sql` union all `,
  )}) as named where key is not null order by 1`;
