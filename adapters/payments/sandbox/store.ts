/** The sandbox's objects in the database. */
import { and, desc, eq, lt, type SQL } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import type { Db } from '#shop/ports/database.ts';
import type { CheckoutSession } from './checkout-sessions.ts';
import { notFoundError } from './errors.ts';
import { sandboxObjects } from './sandbox.sql.ts';

export interface StripeObjectsByType {
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  'checkout.session': CheckoutSession;
  charge: Stripe.Charge;
  balance_transaction: Stripe.BalanceTransaction;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  'radar.early_fraud_warning': Stripe.Radar.EarlyFraudWarning;
  customer: Stripe.Customer;
  event: Stripe.Event;
  'tax.calculation': Stripe.Tax.Calculation & { id: string };
  'tax.transaction': Stripe.Tax.Transaction;
  'tax.association': Stripe.Tax.Association;
}
export type StripeObjectType = keyof StripeObjectsByType;
export type AnyStripeObject = StripeObjectsByType[StripeObjectType];

/** The transaction of one operation, with its time and the request that started it. */
export interface OperationContext {
  tx: Db;
  now: Date;
  request: { id: string | null; idempotency_key: string | null };
}

export const toUnixSeconds = (moment: Date) => Math.floor(moment.getTime() / 1000);

export async function insertObject(work: OperationContext, object: AnyStripeObject, intentId?: string): Promise<void> {
  await work.tx.insert(sandboxObjects).values({
    id: object.id,
    type: object.object,
    body: object,
    intentId: intentId ?? null,
    createdAt: work.now,
  });
}

export async function findObject<T extends StripeObjectType>(
  db: Db,
  type: T,
  id: string,
): Promise<StripeObjectsByType[T] | undefined> {
  const [row] = await db
    .select({ body: sandboxObjects.body })
    .from(sandboxObjects)
    .where(and(eq(sandboxObjects.id, id), eq(sandboxObjects.type, type)));
  return row?.body as StripeObjectsByType[T] | undefined;
}

export async function getObject<T extends StripeObjectType>(
  db: Db,
  type: T,
  id: string,
): Promise<StripeObjectsByType[T]> {
  const foundObject = await findObject(db, type, id);
  if (!foundObject) throw notFoundError(type, id, type === 'payment_intent' ? 'intent' : 'id');
  return foundObject;
}

/** A payment intent with the additional column of its row. */
export interface IntentRow {
  intent: Stripe.PaymentIntent;
  returnUrl: string | null;
}

export async function readIntentRow(db: Db, id: string): Promise<IntentRow> {
  const [row] = await selectIntent(db, id);
  return requireIntentRow(row, id);
}

/**
 * Locks the intent until this transaction ends. Its charges, refunds and disputes change only while it is locked. So
 * two confirms of one intent make only one charge.
 */
export async function lockIntent(work: OperationContext, id: string): Promise<IntentRow> {
  const [row] = await selectIntent(work.tx, id).for('update');
  return requireIntentRow(row, id);
}

const selectIntent = (db: Db, id: string) =>
  db
    .select({ body: sandboxObjects.body, returnUrl: sandboxObjects.returnUrl })
    .from(sandboxObjects)
    .where(and(eq(sandboxObjects.id, id), eq(sandboxObjects.type, 'payment_intent')));

function requireIntentRow(row: { body: unknown; returnUrl: string | null } | undefined, id: string): IntentRow {
  if (!row) throw notFoundError('payment_intent', id, 'intent');
  return { intent: row.body as Stripe.PaymentIntent, returnUrl: row.returnUrl };
}

export async function saveObject(
  work: OperationContext,
  object: AnyStripeObject,
  otherColumns: { dueAt?: Date | null; returnUrl?: string | null } = {},
): Promise<void> {
  await work.tx
    .update(sandboxObjects)
    .set({ body: object, ...otherColumns })
    .where(eq(sandboxObjects.id, object.id));
}

/** A page of objects, newest first, in Stripe's list format. */
export async function listObjects<T extends StripeObjectType>(
  db: Db,
  type: T,
  url: string,
  page: { limit?: number | undefined; starting_after?: string | undefined },
  filters: (SQL | undefined)[] = [],
): Promise<Stripe.ApiList<StripeObjectsByType[T]>> {
  const limit = page.limit ?? 10;
  const startPosition =
    page.starting_after === undefined ? undefined : await findListPosition(db, type, page.starting_after);
  const rows = await db
    .select({ body: sandboxObjects.body })
    .from(sandboxObjects)
    .where(
      and(
        eq(sandboxObjects.type, type),
        startPosition === undefined ? undefined : lt(sandboxObjects.position, startPosition),
        ...filters,
      ),
    )
    .orderBy(desc(sandboxObjects.position))
    .limit(limit + 1);
  const data = rows.slice(0, limit).map((row) => row.body as StripeObjectsByType[T]);
  return { object: 'list', url, has_more: rows.length > limit, data };
}

async function findListPosition(db: Db, type: StripeObjectType, id: string): Promise<number> {
  const [row] = await db
    .select({ position: sandboxObjects.position })
    .from(sandboxObjects)
    .where(and(eq(sandboxObjects.id, id), eq(sandboxObjects.type, type)));
  if (!row) throw notFoundError(type, id, 'starting_after');
  return row.position;
}
