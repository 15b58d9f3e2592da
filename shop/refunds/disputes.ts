import { isDeepStrictEqual } from 'node:util';
import { formatDollars } from '#contract/catalog.ts';
import { and, asc, eq, gte, inArray, lt } from 'drizzle-orm';
import type { Dispute as ProviderDispute } from '../ports/card-payments.ts';
import type { Db } from '../ports/database.ts';
import { queueMail } from '../mail/mail.ts';
import {
  lockOrderForShare,
  findOrderOfPaymentId,
  ordersByIds,
  recordOrderEvent,
  type Order,
} from '../orders/orders.ts';
import {
  lockPayment,
  readIntentsOfPayments,
  findPaymentOfIntent,
  type Payment,
  type PaymentScope,
} from '../payments/payments.ts';
import { createQueryByValues } from '../rows-among.ts';
import { disputes, paymentDisputes, type Dispute } from './refunds.sql.ts';

export type { Dispute } from './refunds.sql.ts';

/** Whether the bank has not decided the dispute yet. */
export const isOpenDispute = ({ status }: Dispute) => !['won', 'lost', 'warning_closed', 'prevented'].includes(status);
/**
 * Whether the bank has taken the money back, so that the shop cannot refund it. An inquiry (`warning_…`) takes no
 * money.
 */
export const isMoneyWithdrawn = ({ status }: Pick<Dispute, 'status'>) =>
  status === 'lost' || /^(needs_response|under_review|appeal_.*)$/.test(status);

/**
 * Handles the provider's report that a payment is disputed: reads all disputes of the payment again. Each dispute is
 * stored with its order once, and the owner gets one email about it. Production continues, and the order shows the
 * dispute. Disputes of a payment without an order are stored in a separate table.
 */
export async function syncDisputes(scope: PaymentScope, intentId: string): Promise<void> {
  const { db, provider } = scope;
  const paidOrder = await findPaidOrderOfIntent(db, intentId);
  if (!paidOrder) return;
  const { order } = paidOrder;
  const ownersMailbox = await scope.ownerEmail();
  if (!order) return syncWithoutOrder({ ...scope, ownersMailbox }, paidOrder, intentId);
  // The status of a dispute can change in both directions, so it does not show which of two reads is newer. Use the
  // data read here only if no other transaction has written in the meantime.
  for (let isSettled = false; !isSettled;) {
    const disputesBefore = new Map((await disputesOfOrders(db, [order.id])).map((it) => [it.id, it]));
    const providerDisputes = await provider.listDisputesOf(intentId);
    const writeResult = await db.transaction(async (tx) => {
      const currentOrder = { ...paidOrder, order: (await lockOrderForShare(tx, order.id)) ?? order };
      for (const dispute of providerDisputes)
        if (
          !(await writeDispute(tx, { ...scope, ownersMailbox }, currentOrder, disputesBefore.get(dispute.id), dispute))
        )
          return false;
      // If the payment became an order after the dispute, the dispute now belongs to the order.
      await tx.delete(paymentDisputes).where(eq(paymentDisputes.paymentId, paidOrder.payment.id));
      return true;
    });
    isSettled = writeResult;
  }
}

/** The disputes of a payment without an order, such as the purchase of a gift card. */
export const readDisputesOfPayment = (db: Db, paymentId: string) =>
  db.select().from(paymentDisputes).where(eq(paymentDisputes.paymentId, paymentId)).orderBy(asc(paymentDisputes.id));

async function syncWithoutOrder(
  scope: PaymentScope & { ownersMailbox: string },
  paid: PaymentWithOrder,
  intentId: string,
): Promise<void> {
  const { db, clock, provider } = scope;
  const paymentId = paid.payment.id;
  const readKnownDisputes = (tx: Db) => readDisputesOfPayment(tx, paymentId);
  for (let isSettled = false; !isSettled;) {
    const disputesBefore = await readKnownDisputes(db);
    const providerDisputes = await provider.listDisputesOf(intentId);
    isSettled = await db.transaction(async (tx) => {
      const currentPayment = { ...paid, payment: (await lockPayment(tx, paymentId)) ?? paid.payment };
      const lockedDisputes = await readKnownDisputes(tx);
      if (!isDeepStrictEqual(lockedDisputes, disputesBefore)) return false;
      const changedAt = clock.now();
      for (const dispute of providerDisputes) {
        const { id, amountCents, reason, status, respondBy = null } = dispute;
        const disputeFields = { amountCents, reason, status, respondBy, updatedAt: changedAt };
        await tx
          .insert(paymentDisputes)
          .values({ id, paymentId, ...disputeFields, createdAt: changedAt })
          .onConflictDoUpdate({ target: paymentDisputes.id, set: disputeFields });
        await mailOwner(tx, scope, currentPayment, dispute);
      }
      return true;
    });
  }
}

export interface PaymentWithOrder {
  payment: Payment;
  /** Undefined if the payment made no order, because it is being refunded or differs from what was agreed. */
  order: Order | undefined;
}
/**
 * Returns the payment of an intent, with its order. Throws if the payment has not become an order yet, so that the job
 * is retried.
 */
export async function findPaidOrderOfIntent(db: Db, intentId: string): Promise<PaymentWithOrder | undefined> {
  const payment = await findPaymentOfIntent(db, intentId);
  if (!payment) return undefined; // a payment of another program that uses the same account
  const order = await findOrderOfPaymentId(db, payment.id);
  if (!order && (payment.state === 'open' || payment.state === 'asking'))
    throw new Error(`a dispute or fraud warning for payment ${payment.id} arrived before the payment became an order`);
  return { payment, order };
}
/** The payment and its order, as fields of an email to the owner. */
export const createPaymentEmailFields = ({ payment, order }: PaymentWithOrder, link: PaymentScope['link']) =>
  order
    ? {
        orderNumber: order.orderNumber,
        customerEmail: order.email,
        adminUrl: link(`/admin?tab=orders&order=${order.id}`),
      }
    : {
        paymentIntentId: payment.intentId!,
        customerEmail: payment.email ?? undefined,
        adminUrl: link('/admin?tab=orders'),
      };

type DisputeScope = Pick<PaymentScope, 'clock' | 'jobs' | 'link'> & { ownersMailbox: string };

/** Stores a dispute with its order. Returns false if the row has changed since it was read. */
async function writeDispute(
  tx: Db,
  scope: DisputeScope,
  paid: PaymentWithOrder & { order: Order },
  before: Dispute | undefined,
  dispute: ProviderDispute,
): Promise<boolean> {
  const { clock } = scope;
  const { order } = paid;
  const { id, amountCents, reason, status, respondBy } = dispute;
  const disputeFields = { amountCents, reason, status, respondBy: respondBy ?? null, updatedAt: clock.now() };
  if (!before) {
    const addedRows = await tx
      .insert(disputes)
      .values({ id, orderId: order.id, ...disputeFields, createdAt: clock.now() })
      .onConflictDoNothing()
      .returning();
    if (addedRows.length === 0) return false;
    const description = `The customer’s bank disputes ${formatDollars(amountCents)} (${toWords(reason)}).`;
    await recordOrderEvent(tx, clock, order.id, 'dispute', description);
    await mailOwner(tx, scope, paid, dispute);
    return true;
  }
  const [locked] = await tx.select().from(disputes).where(eq(disputes.id, id)).for('update');
  if (locked?.status !== before.status || locked.updatedAt.getTime() !== before.updatedAt.getTime()) return false;
  if (isSame(locked, disputeFields)) return true;
  const [after] = await tx.update(disputes).set(disputeFields).where(eq(disputes.id, id)).returning();
  if (after!.status !== locked.status)
    await recordOrderEvent(
      tx,
      clock,
      order.id,
      'dispute',
      `Dispute of ${formatDollars(amountCents)}: ${describeOutcome(after!)}.`,
    );
  return true;
}

const isSame = (a: Dispute, b: Pick<Dispute, 'amountCents' | 'reason' | 'status' | 'respondBy'>) =>
  a.amountCents === b.amountCents &&
  a.reason === b.reason &&
  a.status === b.status &&
  a.respondBy?.getTime() === b.respondBy?.getTime();

const toWords = (word: string) => word.replaceAll('_', ' ');
function describeOutcome({ status }: Dispute): string {
  if (status === 'won') return 'won, you keep the money';
  if (status === 'lost') return 'lost, the customer gets the money';
  return toWords(status);
}

async function mailOwner(
  tx: Db,
  scope: DisputeScope,
  paid: PaymentWithOrder,
  { id, amountCents, reason, respondBy }: ProviderDispute,
): Promise<void> {
  await queueMail(tx, scope, {
    event: `owner-dispute:${id}`,
    to: scope.ownersMailbox,
    ...(paid.order && { orderId: paid.order.id }),
    content: {
      kind: 'owner-dispute',
      ...createPaymentEmailFields(paid, scope.link),
      amountCents,
      reason: toWords(reason),
      respondBy: respondBy?.toISOString(),
    },
  });
}

const waitingStatuses = ['needs_response', 'warning_needs_response'];

/** A dispute that waits for the shop's response to the bank. If its payment has no order, `intentId` identifies it. */
export interface DisputeToAnswer {
  amountCents: number;
  respondBy: Date | null;
  order: Pick<Order, 'id' | 'orderNumber'> | null;
  intentId: string | null;
}

/** Disputes that wait for the shop's response to the bank, earliest deadline first. */
export async function readDisputesToAnswer(db: Db): Promise<DisputeToAnswer[]> {
  const [ofOrders, ofPayments] = await Promise.all([
    db
      .select()
      .from(disputes)
      .where(inArray(disputes.status, waitingStatuses))
      .orderBy(asc(disputes.respondBy), asc(disputes.id))
      .limit(mostDisputes),
    db
      .select()
      .from(paymentDisputes)
      .where(inArray(paymentDisputes.status, waitingStatuses))
      .orderBy(asc(paymentDisputes.respondBy), asc(paymentDisputes.id))
      .limit(mostDisputes),
  ]);
  const orders = await ordersByIds(db, [...new Set(ofOrders.map((it) => it.orderId))]);
  const ordersById = new Map(orders.map((it) => [it.id, it]));
  const intents = await readIntentsOfPayments(db, [...new Set(ofPayments.map((it) => it.paymentId))]);
  return [
    ...ofOrders.map((it) => ({ ...it, order: ordersById.get(it.orderId)!, intentId: null })),
    ...ofPayments.map((it) => ({ ...it, order: null, intentId: intents.get(it.paymentId) ?? null })),
  ]
    .toSorted((a, b) => (a.respondBy?.getTime() ?? Infinity) - (b.respondBy?.getTime() ?? Infinity))
    .slice(0, mostDisputes);
}
/** The length of the list. A longer list would be of no use to the owner. */
const mostDisputes = 20;

/** Disputes of these orders, oldest first. */
export const disputesOfOrders = createQueryByValues(disputes.orderId, (db, isAmong) =>
  db.select().from(disputes).where(isAmong).orderBy(asc(disputes.createdAt), asc(disputes.id)),
);

/** Disputes of orders that began in a span of time, oldest first. */
export const readDisputesBegun = (db: Db, { from, until }: { from: Date; until: Date }): Promise<Dispute[]> =>
  db
    .select()
    .from(disputes)
    .where(and(gte(disputes.createdAt, from), lt(disputes.createdAt, until)))
    .orderBy(asc(disputes.createdAt), asc(disputes.id));
