import { and, inArray, ne, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { refunds } from './refunds.sql.ts';

/** The condition that a refund has withdrawn the videos of this order, as SQL. A failed refund withdraws nothing. */
export const videosWithdrawnCondition = (orderId: SQLWrapper): SQL<boolean> =>
  sql`exists (select from ${refunds} where ${refunds.orderId} = ${orderId} and ${refunds.withdrawsVideos}
    and ${refunds.state} <> 'failed')`;

/** Whether a refund has withdrawn the videos of this order. */
export async function isWithdrawn(db: Db, orderId: string): Promise<boolean> {
  const { rows } = await db.execute<{ is: boolean }>(sql`select ${videosWithdrawnCondition(sql`${orderId}`)} as is`);
  return rows[0]!.is;
}

/** Returns those of these orders whose videos a refund has withdrawn. */
export async function filterWithdrawnOrders(db: Db, orderIds: string[]): Promise<Set<string>> {
  if (orderIds.length === 0) return new Set();
  const rows = await db
    .select({ orderId: refunds.orderId })
    .from(refunds)
    .where(and(inArray(refunds.orderId, orderIds), refunds.withdrawsVideos, ne(refunds.state, 'failed')));
  return new Set(rows.map((it) => it.orderId));
}

/** The orders with a failed refund that would have withdrawn their videos, as SQL. */
export const ordersWithFailedWithdrawal = (): SQL =>
  sql`(select ${refunds.orderId} from ${refunds} where ${refunds.withdrawsVideos} and ${refunds.state} = 'failed')`;

/** Refuses with `delivery-withdrawn` if a refund has withdrawn the order's videos. */
export async function refuseIfVideosWithdrawn(db: Db, orderId: string): Promise<void> {
  if (await isWithdrawn(db, orderId)) throw new Refusal('delivery-withdrawn');
}
