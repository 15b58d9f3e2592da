import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { output } from 'zod/mini';
import { taxBasisText } from '#contract/amount-text.ts';
import { lifetimes, limits } from '#contract/limits.ts';
import type { PhoneOrderForm } from '#contract/phone-order-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import { queueMail } from '../mail/mail.ts';
import { findOrderOfCheckout, readOrdersOfCheckouts, type Order } from '../orders/orders.ts';
import { findPayablePayments } from '../payments/payments.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { issueToken } from '../tokens/tokens.ts';
import { beginCheckout, findCartIdsOf, findCheckoutIdByCookie, lockCheckout } from './carts.ts';
import { phoneOrders, type PhoneOrder } from './phone-orders.sql.ts';
import { calculatePriceAt, calculatePriceWithDiscount, type CartPrice, type PriceScope } from './price.ts';

interface Scope extends PriceScope {
  jobs: Jobs;
  link: (path: string) => string;
}
type PhoneOrderState = 'open' | 'paid' | 'canceled' | 'over';
/** An order by phone, with what came of it. */
export interface FollowedPhoneOrder extends PhoneOrder {
  state: PhoneOrderState;
  order: Order | undefined;
  /** Integer cents without tax. Null if the cart cannot be bought now. */
  totalCents: number | null;
}

/** How many orders by phone a list shows. */
const mostListed = 200;
const dayMs = 86_400_000;

/**
 * Makes an order by phone and its payment link, and queues the email with the link if the owner wants it. Refuses a cart
 * that cannot be bought now. The price at payment is the shop's price at that time.
 */
export async function createPhoneOrder(
  scope: Scope,
  { customer, promoCode, note = '', sends, ...requested }: output<typeof PhoneOrderForm>,
  by: AuditAuthor,
): Promise<{ phoneOrder: FollowedPhoneOrder; payUrl: string }> {
  const { db, clock } = scope;
  const cartPrice = await calculatePriceAt(scope, { ...requested, promoCode }, customer.address);
  const now = clock.now();
  return db.transaction(async (tx) => {
    // One after the other, so that simultaneous requests do not make more than the limit.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('phone-orders', 0))`);
    const unendedOrders = await tx.select({ checkoutId: phoneOrders.checkoutId }).from(phoneOrders).where(isOpen(now));
    const paidOrders = await readOrdersOfCheckouts(
      tx,
      unendedOrders.map((it) => it.checkoutId),
    );
    if (unendedOrders.length - paidOrders.size >= limits.openPhoneOrders) throw new Refusal('phone-orders-full');
    const checkout = await beginCheckout(tx, clock);
    const newPhoneOrder: PhoneOrder = {
      id: newId(),
      checkoutId: checkout.id,
      productId: cartPrice.cart.productId,
      quantity: cartPrice.cart.quantity,
      extraPackages: cartPrice.cart.extraPackages,
      promoCode: cartPrice.promotion?.code ?? null,
      customer: removeEmptyTexts(customer),
      note,
      createdAt: now,
      sentAt: sends ? now : null,
      mails: sends ? 1 : 0,
      openedAt: null,
      canceledAt: null,
      expiresAt: new Date(now.getTime() + lifetimes.phoneOrderDays * dayMs),
    };
    await tx.insert(phoneOrders).values(newPhoneOrder);
    if (sends) await mailLink(tx, scope, newPhoneOrder, cartPrice);
    const payUrl = await issueLink(tx, scope, newPhoneOrder);
    const phoneOrderAfter = { ...pickCart(newPhoneOrder), sends };
    await recordAuditEntry(tx, clock, {
      act: 'create-phone-order',
      subjectId: newPhoneOrder.id,
      after: phoneOrderAfter,
      ...by,
    });
    return {
      phoneOrder: {
        ...newPhoneOrder,
        state: 'open' as const,
        order: undefined,
        totalCents: computeNetCents(cartPrice),
      },
      payUrl,
    };
  });
}

/** The newest orders by phone, newest first. */
export async function listPhoneOrders(scope: Pick<Scope, 'db' | 'clock'>): Promise<FollowedPhoneOrder[]> {
  const rows = await scope.db
    .select()
    .from(phoneOrders)
    .orderBy(desc(phoneOrders.createdAt), desc(phoneOrders.id))
    .limit(mostListed);
  return followPhoneOrders(scope, rows);
}

/** Emails the link. A second email within a minute is refused, because it would be a second click. */
export async function sendPhoneOrder(scope: Scope, id: string, by: AuditAuthor): Promise<FollowedPhoneOrder> {
  const { db, clock } = scope;
  const foundPhoneOrder = await findPhoneOrderById(db, id);
  const cartPrice = await calculatePriceAt(
    scope,
    toRequestedCart(foundPhoneOrder),
    foundPhoneOrder.customer?.address,
  ).catch((error: unknown) => {
    if (error instanceof Refusal) throw new Refusal('phone-order-unpriced', { why: error.message });
    throw error;
  });
  return changePhoneOrder(scope, id, async (tx, before) => {
    const now = clock.now();
    if (before.sentAt && now.getTime() - before.sentAt.getTime() < 60_000) throw new Refusal('phone-order-mailed');
    const sentFields = { sentAt: now, mails: before.mails + 1 };
    await tx.update(phoneOrders).set(sentFields).where(eq(phoneOrders.id, id));
    await mailLink(tx, scope, { ...before, ...sentFields }, cartPrice);
    await recordAuditEntry(tx, clock, {
      act: 'send-phone-order',
      subjectId: id,
      after: { mails: sentFields.mails },
      ...by,
    });
    return { ...before, ...sentFields };
  });
}

/** Returns another link to copy. */
export async function copyPhoneOrderLink(scope: Scope, id: string, by: AuditAuthor): Promise<string> {
  const { clock } = scope;
  let payUrl = '';
  await changePhoneOrder(scope, id, async (tx, before) => {
    payUrl = await issueLink(tx, scope, before);
    await recordAuditEntry(tx, clock, { act: 'copy-phone-order-link', subjectId: id, ...by });
    return before;
  });
  return payUrl;
}

/**
 * Ends the link. Open payments of its checkout are canceled. If the customer has paid in the meantime, the payment
 * becomes an order, and the order by phone counts as paid.
 */
export function cancelPhoneOrder(scope: Scope, id: string, by: AuditAuthor): Promise<FollowedPhoneOrder> {
  const { clock, jobs } = scope;
  return changePhoneOrder(scope, id, async (tx, before) => {
    const canceledAt = clock.now();
    await tx.update(phoneOrders).set({ canceledAt }).where(eq(phoneOrders.id, id));
    const openPayments = await findPayablePayments(tx, 'order', await findCartIdsOf(tx, before.checkoutId));
    if (openPayments.length > 0)
      await jobs.enqueueAll(
        tx,
        'cancel-payment',
        openPayments.map((it) => ({ paymentId: it.id })),
      );
    await recordAuditEntry(tx, clock, { act: 'cancel-phone-order', subjectId: id, after: { canceledAt }, ...by });
    return { ...before, canceledAt };
  });
}

/** Changes an open order by phone. Locks its checkout, as starting a payment does, so that both see each other. */
async function changePhoneOrder(
  scope: Scope,
  id: string,
  act: (tx: Db, before: PhoneOrder) => Promise<PhoneOrder>,
): Promise<FollowedPhoneOrder> {
  const foundPhoneOrder = await findPhoneOrderById(scope.db, id);
  return scope.db.transaction(async (tx) => {
    await lockCheckout(tx, foundPhoneOrder.checkoutId);
    const [before] = await followPhoneOrders({ db: tx, clock: scope.clock }, [await findPhoneOrderById(tx, id)]);
    if (before!.state !== 'open') throw new Refusal('phone-order-ended');
    const phoneOrderAfter = await act(tx, before!);
    return (await followPhoneOrders({ db: tx, clock: scope.clock }, [phoneOrderAfter]))[0]!;
  });
}

async function findPhoneOrderById(db: Db, id: string): Promise<PhoneOrder> {
  const [found] = await db.select().from(phoneOrders).where(eq(phoneOrders.id, id));
  if (!found) throw new Refusal('not-found');
  return found;
}

/** Adds the state, the order and the current price. */
async function followPhoneOrders(
  scope: Pick<Scope, 'db' | 'clock'>,
  rows: PhoneOrder[],
): Promise<FollowedPhoneOrder[]> {
  const ordersByCheckout = await readOrdersOfCheckouts(
    scope.db,
    rows.map((it) => it.checkoutId),
  );
  const now = scope.clock.now();
  const prices = new Map<string, Promise<number | null>>();
  const calculatePriceOf = (row: PhoneOrder) => {
    const key = JSON.stringify(toRequestedCart(row));
    const existingPrice =
      prices.get(key) ??
      calculatePriceWithDiscount(scope, toRequestedCart(row)).then(computeNetCents).catch(nullIfRefused);
    prices.set(key, existingPrice);
    return existingPrice;
  };
  const followedOrders: FollowedPhoneOrder[] = [];
  for (const row of rows) {
    const order = ordersByCheckout.get(row.checkoutId);
    const state = order ? 'paid' : row.canceledAt ? 'canceled' : row.expiresAt <= now ? 'over' : 'open';
    followedOrders.push({ ...row, state, order, totalCents: await calculatePriceOf(row) });
  }
  return followedOrders;
}

const nullIfRefused = (error: unknown) => {
  if (error instanceof Refusal) return null;
  throw error;
};
const computeNetCents = ({ subtotalCents, discountCents }: Pick<CartPrice, 'subtotalCents' | 'discountCents'>) =>
  subtotalCents - discountCents;
const isOpen = (now: Date) => and(isNull(phoneOrders.canceledAt), gt(phoneOrders.expiresAt, now));
const pickCart = ({ productId, quantity, extraPackages, promoCode }: PhoneOrder) => ({
  productId,
  quantity,
  extraPackages,
  promoCode,
});
const toRequestedCart = (row: PhoneOrder) => ({ ...pickCart(row), promoCode: row.promoCode ?? undefined });

const removeEmptyTexts = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined)) as T;

async function issueLink(tx: Db, { clock, link }: Scope, { id, expiresAt }: PhoneOrder): Promise<string> {
  const seconds = Math.max(0, (expiresAt.getTime() - clock.now().getTime()) / 1000);
  return link(`/cart/${await issueToken(tx, clock, { purpose: 'payment-link', subjectId: id, seconds })}`);
}

async function mailLink(tx: Db, scope: Scope, newPhoneOrder: PhoneOrder, priced: CartPrice): Promise<void> {
  const { customer } = newPhoneOrder;
  if (!customer) throw new Refusal('phone-order-ended'); // the customer's data was erased in the meantime
  const { lines, subtotalCents, discountCents, promotion, taxCents, totalCents, tax } = priced;
  const taxLabel = tax && taxBasisText({ taxRate: tax.rate, taxJurisdiction: tax.jurisdiction });
  await queueMail(tx, scope, {
    event: `payment-link:${newPhoneOrder.id}:${newPhoneOrder.mails}`,
    to: customer.email,
    content: {
      kind: 'payment-link',
      ...(customer.firstName && { firstName: customer.firstName }),
      lines: lines.map(({ label, quantity, amountCents }) => ({ label, quantity, amountCents })),
      subtotalCents,
      discountCents,
      ...(promotion && { discountLabel: promotion.code }),
      ...(taxCents !== undefined && { taxCents }),
      ...(taxLabel && { taxLabel }),
      totalCents,
      isShipped: newPhoneOrder.productId !== 'byof',
      payUrl: { link: 'payment-link', subjectId: newPhoneOrder.id, until: newPhoneOrder.expiresAt.toISOString() },
    },
  });
}

/**
 * Refuses a payment in the checkout of a link that the owner has canceled, or that is too old. The caller has locked the
 * checkout.
 */
export async function refuseEndedLink(tx: Db, clock: Clock, checkoutId: string): Promise<void> {
  const [row] = await tx.select().from(phoneOrders).where(eq(phoneOrders.checkoutId, checkoutId));
  if (row && (row.canceledAt || row.expiresAt <= clock.now())) throw new Refusal('payment-link-over');
}

/**
 * Refuses a payment by a browser that opened a link which is paid by now, for example on another device. Otherwise this
 * browser would buy the same cart again in a new checkout.
 */
export async function refusePaidLink(scope: Pick<Scope, 'db' | 'clock'>, token: string | undefined): Promise<void> {
  const checkoutId = await findCheckoutIdByCookie(scope, token);
  if (checkoutId === undefined || !(await findPhoneOrderOfCheckout(scope.db, checkoutId))) return;
  if (await findOrderOfCheckout(scope.db, checkoutId)) throw new Refusal('payment-link-paid');
}

/** The order by phone of a checkout. */
export async function findPhoneOrderOfCheckout(db: Db, checkoutId: string): Promise<PhoneOrder | undefined> {
  const [row] = await db.select().from(phoneOrders).where(eq(phoneOrders.checkoutId, checkoutId));
  return row;
}

/** The orders by phone for an email address, for the copy of a customer's data. Without the owner's notes. */
export async function readPhoneOrdersOfEmail(db: Db, email: string) {
  const rows = await db.select().from(phoneOrders).where(isForEmail(email)).orderBy(phoneOrders.createdAt);
  return rows.map(({ createdAt, productId, quantity, extraPackages, promoCode, customer, openedAt }) => ({
    createdAt,
    productId,
    quantity,
    extraPackages,
    promoCode,
    customer,
    openedAt,
  }));
}
export const isForEmail = (email: string) => sql`${phoneOrders.customer} ->> 'email' = ${email}`;

/** Orders by phone are deleted some time after their links have ended. A paid order keeps its history. */
export const deleteOldPhoneOrders = deleteOldRows(phoneOrders, phoneOrders.id, phoneOrders.expiresAt);
