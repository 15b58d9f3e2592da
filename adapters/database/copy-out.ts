import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { once } from 'node:events';
import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#shop/ports/database.ts';

/** A table of a copied database. Its rows are in a separate file. */
export interface CopiedTable {
  /** The table's name, such as `orders`. A table outside the public schema has the schema as a prefix: `jobs.job`. */
  name: string;
  /** All columns except generated columns. */
  columns: string[];
  rows: number;
}
export interface CopiedDatabase {
  /** When the last applied migration was made. Drizzle identifies migrations by this time. */
  migratedTo: number;
  tables: CopiedTable[];
  /** The last value of each identity sequence. It is null if the sequence was never used. */
  counters: { name: string; value: string | null }[];
}

/**
 * Runs `read` in a read-only snapshot, so that all its results are consistent. The embedded database has only one
 * connection, which `read` occupies. All other queries wait, so `read` must do nothing slow except reading.
 */
export const runInSnapshot = <T>(db: Db, read: (tx: Db) => Promise<T>): Promise<T> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`);
    await removeTimeLimits(tx);
    return read(tx);
  });

/** Removes the time limits of this transaction, because copying a whole shop takes long. */
export async function removeTimeLimits(tx: Db): Promise<void> {
  await tx.execute(
    sql`select set_config(name, '0', true) from unnest(array['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) as name`,
  );
}

/** Fixes the text format of values, so that the copied text does not depend on the server's settings. */
export async function fixTextFormat(tx: Db): Promise<void> {
  await tx.execute(sql`
    select set_config(name, value, true) from (values
      ('timezone', 'UTC'), ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'), ('bytea_output', 'hex'),
      ('extra_float_digits', '1')) as setting(name, value)`);
}

/**
 * When the last migration of this database was made. Undefined if no migration ran: then the database contains no shop.
 */
export async function readLastMigrationTime(tx: Db): Promise<number | undefined> {
  const { rows } = await tx.execute<{ there: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  );
  if (!rows[0]!.there) return undefined;
  const { rows: last } = await tx.execute<{ madeAt: string | null }>(
    sql`select max(created_at)::text as "madeAt" from drizzle.__drizzle_migrations`,
  );
  return last[0]!.madeAt === null ? undefined : Number(last[0]!.madeAt);
}

/**
 * The tables to copy: the shop's tables and `jobs.job`, without the tables of trials. Trials are erased after a day,
 * and a backup would keep them. The job queue creates its other tables again when the shop starts.
 */
export async function listTablesToCopy(tx: Db): Promise<(CopiedTable & { types: string[] })[]> {
  const { rows } = await tx.execute<{ name: string; columns: string[]; types: string[] }>(sql`
    select case when space.nspname = 'public' then relname else space.nspname || '.' || relname end as name,
           json_agg(attname order by attnum) as columns,
           json_agg(format_type(atttypid, atttypmod) order by attnum) as types
    from pg_class it
    join pg_namespace space on space.oid = relnamespace
    join pg_attribute on attrelid = it.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where relkind in ('r', 'p') and not relispartition
      and (space.nspname = 'public' or space.nspname = 'jobs' and relname = 'job')
      and not (space.nspname = 'public' and relname in ('trials', 'trial_files', 'trial_slots', 'trial_keys'))
    group by 1 order by 1`);
  return rows.map((it) => ({ ...it, rows: 0 }));
}

/** Quotes a table name for SQL: `jobs.job` becomes `"jobs"."job"`. */
export const quoteTableName = (name: string): SQL =>
  sql.join(
    name.split('.').map((part) => sql.identifier(part)),
    sql.raw('.'),
  );

/** The rows to copy, for tables with rows that are left out: mails with the link of a trial name its visitor. */
const conditionsByTable: Record<string, SQL> = { mails: sql`not starts_with(event, 'trial-film:')` };

/**
 * Writes all rows to files, one file for each table. `pathOf` returns the path of a table's file. Each line is one row:
 * a JSON array of the columns' values as PostgreSQL text, or null. PostgreSQL and PGlite use the same file format.
 */
export async function exportDatabaseCopy(tx: Db, pathOf: (table: string) => string): Promise<CopiedDatabase> {
  const lastMigrationTime = await readLastMigrationTime(tx);
  if (lastMigrationTime === undefined) throw new NoShopInDatabase();
  await fixTextFormat(tx);
  const tables: CopiedTable[] = [];
  for (const { name, columns } of await listTablesToCopy(tx)) {
    const values = columns.map((column) => sql`${sql.identifier(column)}::text`);
    const rowCondition = conditionsByTable[name] ?? sql`true`;
    const linesQuery = sql`
      select json_build_array(${sql.join(values, sql`, `)})::text as line from ${quoteTableName(name)} where ${rowCondition}`;
    tables.push({ name, columns, rows: await writeLines(tx, linesQuery, pathOf(name)) });
  }
  return { migratedTo: lastMigrationTime, tables, counters: await readCounters(tx) };
}

/**
 * Writes the rows of a query to a file, one row on each line. The query must have one column, `line`. Returns the
 * number of rows.
 */
export async function writeLines(tx: Db, query: SQL, path: string): Promise<number> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  const fileFinished = finished(file);
  fileFinished.catch(() => {}); // prevents an unhandled rejection: each `await` of `fileFinished` below throws the error
  let count = 0;
  try {
    await tx.execute(sql`declare lines no scroll cursor for ${query}`);
    for (;;) {
      const { rows } = await tx.execute<{ line: string }>(sql`fetch ${sql.raw(String(linesAtOnce))} from lines`);
      if (rows.length === 0) break;
      count += rows.length;
      if (!file.write(rows.map(({ line }) => `${line}\n`).join('')))
        await Promise.race([once(file, 'drain'), fileFinished]);
    }
    await tx.execute(sql`close lines`);
  } finally {
    file.end();
    await fileFinished;
  }
  return count;
}
const linesAtOnce = 500;

async function readCounters(tx: Db) {
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
