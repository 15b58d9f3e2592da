import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { prepared } from '../prepared.ts';
import { hashOf, newToken } from '../tokens/tokens.ts';
import { carts, checkouts, type FrozenCart } from './checkout.sql.ts';

export type { FrozenCart } from './checkout.sql.ts';

/** The checkout this browser's cookie stands for, for as long as the cookie is meant to last. */
export async function checkoutOf(
  { db, clock }: { db: Db; clock: Clock },
  token: string | undefined,
): Promise<string | undefined> {
  if (token === undefined) return undefined;
  const begun = new Date(clock.now().getTime() - lifetimes.checkoutCookieHours * 3_600_000);
  const [checkout] = await db
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(and(eq(checkouts.tokenHash, hashOf(token)), gt(checkouts.createdAt, begun)));
  return checkout?.id;
}
export async function beginCheckout(tx: Db, clock: Clock): Promise<{ id: string; token: string }> {
  const checkout = { id: newId(), token: newToken() };
  await tx.insert(checkouts).values({ id: checkout.id, tokenHash: hashOf(checkout.token), createdAt: clock.now() });
  return checkout;
}

/** Hold a checkout until the transaction ends: of two carts at one moment, the later one knows of the earlier. */
export const holdCheckout = (tx: Db, id: string) =>
  tx.execute(sql`select from checkouts where id = ${id} for no key update`);

export async function freezeCart(
  tx: Db,
  clock: Clock,
  cart: Omit<FrozenCart, 'id' | 'createdAt'>,
): Promise<FrozenCart> {
  const frozen = { ...cart, id: newId(), createdAt: clock.now() };
  await tx.insert(carts).values(frozen);
  return frozen;
}

export async function cartById(db: Db, id: string): Promise<FrozenCart | undefined> {
  const [cart] = await findById(db, { id });
  return cart;
}
const findById = prepared<{ id: string }, FrozenCart[]>((db, value) =>
  db
    .select()
    .from(carts)
    .where(eq(carts.id, value('id'))),
);

/** The details in every cart of these checkouts; what was bought stays. */
export async function forgetBuyersOf(tx: Db, checkoutIds: string[]): Promise<void> {
  if (checkoutIds.length === 0) return;
  await tx.update(carts).set({ details: null }).where(inArray(carts.checkoutId, checkoutIds));
}

/** The same in these carts. */
export async function forgetBuyers(tx: Db, ids: string[]): Promise<void> {
  await tx.update(carts).set({ details: null }).where(inArray(carts.id, ids));
}

/** Every cart these checkouts have been asked to be paid for. */
export async function cartIdsOf(db: Db, ...checkoutIds: string[]): Promise<string[]> {
  const rows = await db.select({ id: carts.id }).from(carts).where(inArray(carts.checkoutId, checkoutIds));
  return rows.map((it) => it.id);
}
