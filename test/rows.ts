import { sql } from 'drizzle-orm';
import type { Db } from '#shop/ports/database.ts';

/**
 * Tables in which any request may write without changing the shop's data. Reading can also fold tally rows into sums.
 */
const traceTables = new Set([
  'rate_counters',
  // A row is created with the first challenge.
  'proof_of_work_keys',
  'tries',
  'sign_in_failures',
  // Derived from the audit trail, whose rows are compared.
  'audit_chain',
  'tallies',
  'day_tallies',
  'page_tallies',
  'code_tallies',
  'margin_tallies',
  'video_tallies',
  'label_tallies',
]);

/** Returns every row of the shop by table, to check that a refused request changed nothing. */
export async function readAllTables(db: Db): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const rowsByTable: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    if (traceTables.has(name)) continue;
    const { rows } = await db.execute<{ row: unknown }>(
      sql`select to_jsonb(it) - 'last_seen_at' as row from ${sql.identifier(name)} it order by to_jsonb(it)::text`,
    );
    rowsByTable[name] = rows.map((it) => it.row);
  }
  return rowsByTable;
}

export interface QueuedMail {
  event: string;
  to: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read emails freely
  content: any;
}
/** Returns emails as the business code wrote them, oldest first. `kind` is the first word of the event. */
export async function readQueuedMails(db: Db, kind = ''): Promise<QueuedMail[]> {
  const { rows } = await db.execute(
    sql`select event, "to", content from mails where event like ${`${kind}%`} order by queued_at, id`,
  );
  return rows as unknown as QueuedMail[];
}

/** Returns waiting jobs of a queue, with their data. */
export async function readWaitingJobs(db: Db, name: string): Promise<{ data: Record<string, unknown> }[]> {
  const { rows } = await db.execute(
    sql`select data from jobs.job where name = ${name} and state = 'created' order by created_on, id`,
  );
  return rows as unknown as { data: Record<string, unknown> }[];
}

export async function countRows(db: Db, table: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from ${sql.identifier(table)}`,
  );
  return rows[0]!.count;
}
