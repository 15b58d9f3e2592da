import { sql } from 'drizzle-orm';
import type { Db } from '#shop/ports/database.ts';

/** Where any call may leave a trace that changes nothing; sums may be folded by whoever reads them. */
const traces = new Set([
  'rate_counters',
  'sign_in_failures',
  'tallies',
  'day_tallies',
  'page_tallies',
  'code_tallies',
  'margin_tallies',
  'video_tallies',
]);

/** Every row of the shop by table, to see that a refused call changed nothing. */
export async function everyRow(db: Db): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const rowsByTable: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    if (traces.has(name)) continue;
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
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read letters freely
  content: any;
}
/** Mails as the business wrote them, oldest first; `kind` is the first word of the event. */
export async function queuedMails(db: Db, kind = ''): Promise<QueuedMail[]> {
  const { rows } = await db.execute(
    sql`select event, "to", content from mails where event like ${`${kind}%`} order by queued_at, id`,
  );
  return rows as unknown as QueuedMail[];
}

/** Waiting jobs of a queue, with their data. */
export async function waitingJobs(db: Db, name: string): Promise<{ data: Record<string, unknown> }[]> {
  const { rows } = await db.execute(
    sql`select data from jobs.job where name = ${name} and state = 'created' order by created_on, id`,
  );
  return rows as unknown as { data: Record<string, unknown> }[];
}

export async function countOf(db: Db, table: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from ${sql.identifier(table)}`,
  );
  return rows[0]!.count;
}
