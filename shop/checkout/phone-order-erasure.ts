import { inArray, or, sql } from 'drizzle-orm';
import { deleteMailContentNaming } from '../mail/mail.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import { revokeTokens } from '../tokens/tokens.ts';
import { isForEmail } from './phone-orders.ts';
import { checkoutBrowsers, phoneOrders } from './phone-orders.sql.ts';

/**
 * Deletes the customer's data in orders by phone, and ends their links: those of the checkouts of the customer's orders,
 * and those for the customer's email address. `email` is undefined if it is not proven, because it may be someone
 * else's.
 */
export async function erasePhoneOrdersOf(
  tx: Db,
  clock: Clock,
  { checkoutIds, email }: { checkoutIds: string[]; email: string | undefined },
): Promise<void> {
  const isOfOrder = checkoutIds.length > 0 ? inArray(phoneOrders.checkoutId, checkoutIds) : undefined;
  const isOfOrderOrEmail = or(isOfOrder, email === undefined ? undefined : isForEmail(email));
  if (!isOfOrderOrEmail) return;
  const canceledAt = sql`coalesce(${phoneOrders.canceledAt}, ${clock.now().toISOString()}::timestamptz)`;
  const erasedOrders = await tx
    .update(phoneOrders)
    .set({ customer: null, note: '', canceledAt })
    .where(isOfOrderOrEmail)
    .returning({ id: phoneOrders.id });
  const ids = erasedOrders.map((it) => it.id);
  if (ids.length === 0) return;
  await deleteMailContentNaming(tx, ids);
  for (const id of ids) await revokeTokens(tx, clock, 'payment-link', id);
}

export const deleteOldCheckoutBrowsers = deleteOldRows(
  checkoutBrowsers,
  checkoutBrowsers.tokenHash,
  checkoutBrowsers.createdAt,
);
