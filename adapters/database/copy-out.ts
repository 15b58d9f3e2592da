import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { once } from 'node:events';
import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#shop/ports/database.ts';

/** A table of a copied database: its rows lie in a file of their own. */
export interface CopiedTable {
  /** `orders`, or with its schema where that is another than the shop's: `jobs.job`. */
  name: string;
  /** Without those that the database computes by itself. */
  columns: string[];
  rows: number;
}
export interface CopiedDatabase {
  /** When its last migration was made, which is how Drizzle tells them apart. */
  migratedTo: number;
  tables: CopiedTable[];
  /** Where the counters of identity columns stand; null: never used. */
  counters: { name: string; value: string | null }[];
}

/**
 * Work inside a moment of the database that stands still: everything read there belongs together. On the embedded engine
 * nobody else reads or writes meanwhile, so nothing slow but reading belongs here.
 */
export const atOneMoment = <T>(db: Db, read: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`);
    await withoutLimits(tx);
    return read(tx);
  });

/** Moving a shop takes its time. */
export async function withoutLimits(tx: Db): Promise<void> {
  await tx.execute(
    sql`select set_config(name, '0', true) from unnest(array['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) as name`,
  );
}

/** Values become text in one form wherever they are read: what a text means must not depend on a server's settings. */
export async function speakPlainly(tx: Db): Promise<void> {
  await tx.execute(sql`
    select set_config(name, value, true) from (values
      ('timezone', 'UTC'), ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'), ('bytea_output', 'hex'),
      ('extra_float_digits', '1')) as setting(name, value)`);
}

/** The last migration this database has been through; undefined: none, there is no shop in it. */
export async function lastMigrationOf(tx: Db): Promise<number | undefined> {
  const { rows } = await tx.execute<{ there: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  );
  if (!rows[0]!.there) return undefined;
  const { rows: last } = await tx.execute<{ madeAt: string | null }>(
    sql`select max(created_at)::text as "madeAt" from drizzle.__drizzle_migrations`,
  );
  return last[0]!.madeAt === null ? undefined : Number(last[0]!.madeAt);
}

/** What the shop keeps: its tables, and the jobs that wait. The queue itself is made anew by whoever starts. */
export async function tablesOf(tx: Db): Promise<(CopiedTable & { types: string[] })[]> {
  const { rows } = await tx.execute<{ name: string; columns: string[]; types: string[] }>(sql`
    select case when space.nspname = 'public' then relname else space.nspname || '.' || relname end as name,
           json_agg(attname order by attnum) as columns,
           json_agg(format_type(atttypid, atttypmod) order by attnum) as types
    from pg_class it
    join pg_namespace space on space.oid = relnamespace
    join pg_attribute on attrelid = it.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where relkind in ('r', 'p') and not relispartition
      and (space.nspname = 'public' or space.nspname = 'jobs' and relname = 'job')
    group by 1 order by 1`);
  return rows.map((it) => ({ ...it, rows: 0 }));
}

/** The name as a statement spells it. */
export const tableOf = (name: string): SQL =>
  sql.join(
    name.split('.').map((part) => sql.identifier(part)),
    sql.raw('.'),
  );

/**
 * Write every row into files, one a table, at `pathOf`. A line is a row: a JSON array of the columns' values as PostgreSQL
 * spells them as text, null where there is none. Both engines write and read the same.
 */
export async function copyOut(tx: Db, pathOf: (table: string) => string): Promise<CopiedDatabase> {
  const migratedTo = await lastMigrationOf(tx);
  if (migratedTo === undefined) throw new NoShopInDatabase();
  await speakPlainly(tx);
  const tables: CopiedTable[] = [];
  for (const { name, columns } of await tablesOf(tx)) {
    const values = columns.map((column) => sql`${sql.identifier(column)}::text`);
    const lines = sql`select json_build_array(${sql.join(values, sql`, `)})::text as line from ${tableOf(name)}`;
    tables.push({ name, columns, rows: await writeLines(tx, lines, pathOf(name)) });
  }
  return { migratedTo, tables, counters: await countersOf(tx) };
}

/** The rows of a query, a line each. It has one column, `line`. Answers how many there were. */
export async function writeLines(tx: Db, query: SQL, path: string): Promise<number> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const written = finished(file);
  written.catch(() => {}); // heard below, or by what is written next
  let count = 0;
  try {
    await tx.execute(sql`declare lines no scroll cursor for ${query}`);
    for (;;) {
      const { rows } = await tx.execute<{ line: string }>(sql`fetch ${sql.raw(String(linesAtOnce))} from lines`);
      if (rows.length === 0) break;
      count += rows.length;
      if (!file.write(rows.map(({ line }) => `${line}\n`).join(''))) await Promise.race([once(file, 'drain'), written]);
    }
    await tx.execute(sql`close lines`);
  } finally {
    file.end();
    await written;
  }
  return count;
}
const linesAtOnce = 500;

async function countersOf(tx: Db) {
  const { rows } = await tx.execute<{ name: string; value: string | null }>(
    sql`select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public' order by 1`,
  );
  return rows;
}

export class NoShopInDatabase extends Error {
  override name = 'NoShopInDatabase';
  constructor() {
    super('There is no shop in this database. Check DATABASE_URL and DATA_DIR.');
  }
}
