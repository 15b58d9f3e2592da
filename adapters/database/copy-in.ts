import { sql } from 'drizzle-orm';
import type { Db } from '#shop/ports/database.ts';
import {
  fixTextFormat,
  quoteTableName,
  listTablesToCopy,
  removeTimeLimits,
  type CopiedDatabase,
  type CopiedTable,
} from './copy-out.ts';

/** Tables that have rows in a new shop before anyone buys or changes anything. The rows of the copy replace them. */
const filledByStarting = new Set(['file_store', 'tallies', 'jobs.job', 'rate_counters', 'page_views', 'page_tallies']);
/** Approximate number of characters in one insert statement. */
const charactersAtOnce = 1_000_000;

/** Returns the lines that `exportDatabaseCopy` wrote for a table. */
export type ReadTableLines = (table: string) => AsyncIterable<string>;
type SchemaTable = Awaited<ReturnType<typeof listTablesToCopy>>[number];

/**
 * Inserts the rows of a copy into an empty database that is migrated to the copy's last migration. Everything runs in
 * one transaction. `finish` runs last, and an error from it rolls everything back. Returns how many jobs were left out
 * because their queue no longer exists. Rejects with ShopNotEmpty if the database contains data.
 */
export async function importDatabaseCopy(
  db: Db,
  copy: CopiedDatabase,
  linesOf: ReadTableLines,
  finish: () => Promise<void>,
): Promise<{ jobsLeftOut: number }> {
  return db.transaction(async (tx) => {
    await removeTimeLimits(tx);
    await fixTextFormat(tx);
    const knownTables = await listTablesToCopy(tx);
    const foreignKeys = await dropForeignKeys(tx, knownTables);
    await refuseNonEmptyDatabase(tx);
    let jobsLeftOut = 0;
    for (const table of copy.tables) {
      const rowCount = await fillTable(tx, table, findKnownTable(table, knownTables), linesOf(table.name));
      if (rowCount !== table.rows && !isQueueTable(table.name))
        throw new Error(`${table.name} took ${rowCount} of ${table.rows} rows`);
      jobsLeftOut += table.rows - rowCount;
    }
    for (const { name, value } of copy.counters)
      if (value !== null)
        await tx.execute(sql`select setval(format('public.%I', ${name}::text)::regclass, ${value}::bigint)`);
    await restoreForeignKeys(tx, knownTables, foreignKeys);
    await finish();
    return { jobsLeftOut };
  });
}

/** Rejects with ShopNotEmpty if the shop already has data beyond what a start creates. */
export async function refuseNonEmptyDatabase(tx: Db): Promise<void> {
  const filledTables: string[] = [];
  for (const { name } of await listTablesToCopy(tx)) {
    if (filledByStarting.has(name)) continue;
    const { rows } = await tx.execute(sql`select 1 from ${quoteTableName(name)} limit 1`);
    if (rows.length > 0) filledTables.push(name);
  }
  if (filledTables.length > 0) throw new ShopNotEmpty(filledTables);
}

export class ShopNotEmpty extends Error {
  override name = 'ShopNotEmpty';
  constructor(filledTables: string[]) {
    super(
      `The shop's database is not empty: it has rows in ${filledTables.join(', ')}. Nothing was changed. ` +
        'Restore into an empty database or an empty DATA_DIR.',
    );
  }
}

/**
 * Tables of the job queue. This release creates them, so their columns and queues may differ from the release of the
 * copy.
 */
const isQueueTable = (table: string) => table.startsWith('jobs.');

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/**
 * Drops the foreign keys and disables the triggers during the import. No order of tables satisfies all foreign keys,
 * and the triggers would count rows that the copied tallies already include. ALTER TABLE also locks each of these
 * tables, so that no other process writes to them during the import.
 */
async function dropForeignKeys(tx: Db, known: SchemaTable[]): Promise<ForeignKey[]> {
  const { rows: rules } = await tx.execute<ForeignKey & Record<string, unknown>>(sql`
    select relname as "table", conname as name, pg_get_constraintdef(it.oid) as definition
    from pg_constraint it join pg_class on pg_class.oid = conrelid
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`);
  for (const { name } of removeQueueTables(known))
    await tx.execute(sql`alter table ${quoteTableName(name)} disable trigger user`);
  for (const { table, name } of rules)
    await tx.execute(sql`alter table ${quoteTableName(table)} drop constraint ${sql.identifier(name)}`);
  return rules;
}

/** Adds the foreign keys and enables the triggers again. PostgreSQL checks all rows when a foreign key is added. */
async function restoreForeignKeys(tx: Db, known: SchemaTable[], rules: ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of rules)
    await tx.execute(
      sql`alter table ${quoteTableName(table)} add constraint ${sql.identifier(name)} ${sql.raw(definition)}`,
    );
  for (const { name } of removeQueueTables(known))
    await tx.execute(sql`alter table ${quoteTableName(name)} enable trigger user`);
}

const removeQueueTables = (known: SchemaTable[]) => known.filter(({ name }) => !isQueueTable(name));

function findKnownTable({ name, columns }: CopiedTable, known: SchemaTable[]): SchemaTable {
  const knownTable = known.find((it) => it.name === name);
  const unknownColumns = knownTable ? columns.filter((it) => !knownTable.columns.includes(it)) : [name];
  if (!knownTable || (unknownColumns.length > 0 && !isQueueTable(name)))
    throw new Error(
      `this release does not know ${knownTable ? `${name}.` : ''}${unknownColumns.join(', ')}, which the backup has`,
    );
  return knownTable;
}

/** Replaces the rows of a table with the rows in `lines`. Returns how many rows were inserted. */
async function fillTable(
  tx: Db,
  table: CopiedTable,
  known: SchemaTable,
  lines: AsyncIterable<string>,
): Promise<number> {
  await tx.execute(sql`delete from ${quoteTableName(table.name)}`);
  const insertedColumns = table.columns.flatMap((column, index) => {
    const type = known.types[known.columns.indexOf(column)];
    return type === undefined ? [] : [{ column: sql.identifier(column), value: sql.raw(`(line->>${index})::${type}`) }];
  });
  const rowCondition = isQueueTable(table.name)
    ? sql`line->>${sql.raw(String(table.columns.indexOf('name')))} in (select name from jobs.queue)`
    : sql`true`;
  const insertBatch = (batch: string[]) =>
    tx.execute<{ count: string }>(sql`
    with put as (
      insert into ${quoteTableName(table.name)} (${sql.join(
        insertedColumns.map((it) => it.column),
        sql`, `,
      )}) overriding system value
      select ${sql.join(
        insertedColumns.map((it) => it.value),
        sql`, `,
      )} from json_array_elements(${`[${batch.join(',')}]`}::text::json) as line where ${rowCondition} returning 1)
    select count(*)::text as count from put`);
  let put = 0;
  for await (const batch of splitIntoBatches(lines)) put += Number((await insertBatch(batch)).rows[0]!.count);
  return put;
}

async function* splitIntoBatches(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let characterCount = 0;
  for await (const line of lines) {
    batch.push(line);
    characterCount += line.length;
    if (characterCount < charactersAtOnce) continue;
    yield batch;
    batch = [];
    characterCount = 0;
  }
  if (batch.length > 0) yield batch;
}
