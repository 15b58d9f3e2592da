import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { atOneMoment, copyOut, lastMigrationOf, writeLines } from '#adapters/database/copy-out.ts';
import { migrationsOf } from '#adapters/database/migrations.ts';
import type { Db } from '#shop/ports/database.ts';
import { namedFiles } from '../named-files.ts';
import { migrationsFolder } from '../project-folder.ts';
import { BackupRefused } from './words.ts';

/** The first entry of a backup: what it is of. */
const Manifest = z.object({
  format: z.literal('kinframe-backup'),
  /** A larger one is of a newer release. */
  version: z.int(),
  /** The moment everything in it is of. */
  takenAt: z.iso.datetime(),
  /** The shop's own id, which its store of files bears as well. */
  shopId: z.string(),
  /** Stored files older than this were left out: they are in the backup of that day. */
  since: z.iso.datetime().optional(),
  /** Whether files.txt tells what the rows name. An older release's rows do not say it to this one: all files are taken. */
  namesFiles: z.boolean(),
  database: z.object({
    migratedTo: z.number(),
    tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int() })),
    counters: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
  }),
});
export type Manifest = z.infer<typeof Manifest>;
export const version = 1;

export const manifestName = 'backup.json';
/** The keys of stored files that the rows name, a line each. */
export const namesName = 'files.txt';
export const tableName = (table: string) => `database/${table}.jsonl`;
/** Keys that rows name and the store had no more, a line each. */
export const missingName = 'missing.txt';
export const secretsName = 'secrets.json';
const filesFolder = 'files/';
export const fileName = (key: string) => filesFolder + key;
/** The key of the stored file that an entry is; undefined: it is none. */
export const keyOf = (entry: string) => (entry.startsWith(filesFolder) ? entry.slice(filesFolder.length) : undefined);

/** Rejects with BackupRefused where this release cannot read it. */
export function parseManifest(json: string, path: string): Manifest {
  const raw = parsedOf(json);
  const head = z.object({ format: z.literal('kinframe-backup'), version: z.int() }).safeParse(raw);
  if (!head.success) throw new BackupRefused(`${path} is no backup of a shop.`);
  if (head.data.version > version)
    throw new BackupRefused(
      `${path} was made by a newer release of the shop, in a form this one cannot read. Nothing was changed. Restore it with that release.`,
    );
  const manifest = Manifest.safeParse(raw);
  if (!manifest.success) throw new BackupRefused(`${path} is damaged: ${manifestName} says too little.`);
  return manifest.data;
}

function parsedOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * Write into a new folder how the database stands at one moment: its rows, the names of the stored files, and a manifest
 * of both. On the embedded engine the shop stands still for so long.
 */
export async function takeSnapshot(db: Db, folder: string): Promise<Manifest> {
  await mkdir(join(folder, 'database'), { recursive: true, mode: 0o700 });
  return atOneMoment(db, async (tx) => {
    const database = await copyOut(tx, (table) => join(folder, tableName(table)));
    const namesFiles = (await lastMigrationOf(tx)) === migrationsOf(migrationsFolder).at(-1);
    if (namesFiles) await writeLines(tx, everyNamedFile, join(folder, namesName));
    if (!database.tables.some(({ name }) => name === 'file_store'))
      throw new BackupRefused('The database is of a release so old that this one cannot copy it. Start the shop once.');
    const { rows } = await tx.execute<{ shopId: string; takenAt: string }>(sql`
      select shop_id as "shopId", to_char(now(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "takenAt" from file_store`);
    if (!rows[0]) throw new BackupRefused('Nothing to back up: this shop has never been started.');
    const manifest: Manifest = { format: 'kinframe-backup', version, ...rows[0], namesFiles, database };
    await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    return manifest;
  });
}

const everyNamedFile = sql`
  select distinct key as line from (${sql.join(
    namedFiles.map((word) => word.every),
    sql` union all `,
  )}) as named where key is not null order by 1`;
