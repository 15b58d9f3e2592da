import { eq, sql } from 'drizzle-orm';
import type { Cart } from '#contract/catalog.ts';
import type { CustomerDetails } from '#contract/customer-details.ts';
import { Refusal } from '#contract/refusals.ts';
import { readCart } from '../catalog/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { readToken } from '../tokens/tokens.ts';
import { cartById } from './carts.ts';
import { cartReminders } from './cart-reminders.sql.ts';

/**
 * The cart that a link in a reminder opens, with the details that its buyer entered, and nothing else of the buyer.
 * Counts the first time. The link still works afterwards, because buyers open it on a second device.
 */
export async function openCartLink(
  { db, clock }: { db: Db; clock: Clock },
  token: string,
): Promise<{ cart: Cart; promoCode: string | null; customerDetails: CustomerDetails }> {
  const read = await readToken(db, 'cart', token);
  if (!read) throw new Refusal('cart-link-invalid');
  const [reminder] = await db
    .update(cartReminders)
    .set({ openedAt: sql`coalesce(${cartReminders.openedAt}, ${clock.now().toISOString()}::timestamptz)` })
    .where(eq(cartReminders.id, read.subjectId))
    .returning({ cartId: cartReminders.cartId });
  const cart = reminder && (await cartById(db, reminder.cartId));
  if (!cart?.details) throw new Refusal('cart-link-invalid');
  return { cart: readCart(cart), promoCode: cart.promoCode, customerDetails: cart.details };
}
