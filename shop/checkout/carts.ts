import { and, desc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { hashToken, createToken } from '../tokens/tokens.ts';
import { carts, checkouts, type FrozenCart } from './checkout.sql.ts';
import { checkoutBrowsers } from './phone-orders.sql.ts';

export type { FrozenCart } from './checkout.sql.ts';

/** Returns the id of the checkout that this browser's cookie identifies, or undefined after the cookie's lifetime. */
export async function findCheckoutIdByCookie(
  { db, clock }: { db: Db; clock: Clock },
  token: string | undefined,
): Promise<string | undefined> {
  if (token === undefined) return undefined;
  const startedAfter = new Date(clock.now().getTime() - lifetimes.checkoutCookieHours * 3_600_000);
  const [checkout] = await db
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(and(eq(checkouts.tokenHash, hashToken(token)), gt(checkouts.createdAt, startedAfter)));
  if (checkout) return checkout.id;
  const [browser] = await db
    .select({ id: checkoutBrowsers.checkoutId })
    .from(checkoutBrowsers)
    .where(and(eq(checkoutBrowsers.tokenHash, hashToken(token)), gt(checkoutBrowsers.createdAt, startedAfter)));
  return browser?.id;
}
/**
 * Returns the id of the checkout that this browser has paid. Several browsers may have opened a payment link: of these,
 * only the last one that started a payment counts, because it replaced the payments of the others. So a browser that
 * only opened the link gets no access to the order.
 */
export async function findPaidCheckoutId(
  scope: { db: Db; clock: Clock },
  token: string | undefined,
): Promise<string | undefined> {
  const id = await findCheckoutIdByCookie(scope, token);
  if (id === undefined || token === undefined) return undefined;
  const [last] = await scope.db
    .select({ tokenHash: checkoutBrowsers.tokenHash })
    .from(checkoutBrowsers)
    .where(and(eq(checkoutBrowsers.checkoutId, id), isNotNull(checkoutBrowsers.startedAt)))
    .orderBy(desc(checkoutBrowsers.startedAt))
    .limit(1);
  const isFromLink = (await scope.db.$count(checkoutBrowsers, eq(checkoutBrowsers.tokenHash, hashToken(token)))) > 0;
  return !isFromLink || last?.tokenHash === hashToken(token) ? id : undefined;
}
/** Notes that a browser which opened a payment link starts a payment. */
export async function recordPaymentStart(tx: Db, token: string): Promise<void> {
  const startedAt = sql`clock_timestamp()`; // the database's clock, so that two starts never have the same time
  await tx
    .update(checkoutBrowsers)
    .set({ startedAt })
    .where(eq(checkoutBrowsers.tokenHash, hashToken(token)));
}
/** Adds a browser to a checkout. Returns the value of its cookie. */
export async function addCheckoutBrowser(tx: Db, clock: Clock, checkoutId: string): Promise<string> {
  const token = createToken();
  await tx.insert(checkoutBrowsers).values({ tokenHash: hashToken(token), checkoutId, createdAt: clock.now() });
  return token;
}
export async function beginCheckout(tx: Db, clock: Clock): Promise<{ id: string; token: string }> {
  const checkout = { id: newId(), token: createToken() };
  await tx.insert(checkouts).values({ id: checkout.id, tokenHash: hashToken(checkout.token), createdAt: clock.now() });
  return checkout;
}

/** Locks a checkout until the transaction ends, so that of two concurrent carts the later one sees the earlier one. */
export const lockCheckout = (tx: Db, id: string) =>
  tx.execute(sql`select from checkouts where id = ${id} for no key update`);

export async function freezeCart(
  tx: Db,
  clock: Clock,
  cart: Omit<FrozenCart, 'id' | 'createdAt'>,
): Promise<FrozenCart> {
  const frozenCart = { ...cart, id: newId(), createdAt: clock.now() };
  await tx.insert(carts).values(frozenCart);
  return frozenCart;
}

export async function findCartById(db: Db, id: string): Promise<FrozenCart | undefined> {
  const [cart] = await db.select().from(carts).where(eq(carts.id, id));
  return cart;
}

/** Deletes the buyer's details in every cart of these checkouts. The purchase itself stays. */
export async function deleteBuyerDetailsOfCheckouts(tx: Db, checkoutIds: string[]): Promise<void> {
  if (checkoutIds.length === 0) return;
  await tx.update(carts).set({ details: null }).where(inArray(carts.checkoutId, checkoutIds));
}

/** Deletes the buyer's details in these carts. */
export async function deleteBuyerDetails(tx: Db, ids: string[]): Promise<void> {
  await tx.update(carts).set({ details: null }).where(inArray(carts.id, ids));
}

/** Whether this checkout has a cart that is newer than `since`. */
export const hasCartSince = async (db: Db, checkoutId: string, since: Date): Promise<boolean> =>
  (await db.$count(carts, and(eq(carts.checkoutId, checkoutId), gt(carts.createdAt, since)))) > 0;

/** The ids of all carts of these checkouts. */
export async function findCartIdsOf(db: Db, ...checkoutIds: string[]): Promise<string[]> {
  const rows = await db.select({ id: carts.id }).from(carts).where(inArray(carts.checkoutId, checkoutIds));
  return rows.map((it) => it.id);
}
