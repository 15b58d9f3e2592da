import { asc } from 'drizzle-orm';
import type { FraudWarning as ProviderWarning } from '../ports/card-payments.ts';
import type { Db } from '../ports/database.ts';
import { queueMail } from '../mail/mail.ts';
import { lockOrderForShare, recordOrderEvent } from '../orders/orders.ts';
import { lockPayment, type PaymentScope } from '../payments/payments.ts';
import { createQueryByValues } from '../rows-among.ts';
import { findPaidOrderOfIntent, createPaymentEmailFields, type PaymentWithOrder } from './disputes.ts';
import { fraudWarnings } from './refunds.sql.ts';

export type { FraudWarning } from './refunds.sql.ts';

/**
 * Handles the provider's report of an early fraud warning: reads all fraud warnings of the payment again. Each warning
 * is stored with its order once, and the owner gets one email about it. Only the owner decides whether to refund the
 * payment before it is disputed. For a payment without an order, there is only the email.
 */
export async function syncFraudWarnings(scope: PaymentScope, intentId: string): Promise<void> {
  const { db, provider } = scope;
  const paidOrder = await findPaidOrderOfIntent(db, intentId);
  if (!paidOrder) return;
  const ownersMailbox = await scope.ownerEmail();
  for (const warning of await provider.listFraudWarningsOf(intentId))
    await db.transaction((tx) => recordWarning(tx, { ...scope, ownersMailbox }, paidOrder, warning));
}

async function recordWarning(
  tx: Db,
  scope: Pick<PaymentScope, 'clock' | 'jobs' | 'link'> & { ownersMailbox: string },
  paid: PaymentWithOrder,
  { id, fraudType }: ProviderWarning,
): Promise<void> {
  const { clock, link, ownersMailbox } = scope;
  // Read the order and the payment again, because their buyer's data may have been deleted while the provider
  // responded.
  const order = paid.order && (await lockOrderForShare(tx, paid.order.id));
  const payment = (!order && (await lockPayment(tx, paid.payment.id))) || paid.payment;
  const reason = fraudType.replaceAll('_', ' ');
  if (order) {
    const addedRows = await tx
      .insert(fraudWarnings)
      .values({ id, orderId: order.id, fraudType, createdAt: clock.now() })
      .onConflictDoNothing()
      .returning({ id: fraudWarnings.id });
    if (addedRows.length === 0) return;
    await recordOrderEvent(tx, clock, order.id, 'fraud-warning', `The card’s issuer suspects fraud (${reason}).`);
  }
  await queueMail(tx, scope, {
    event: `owner-fraud-warning:${id}`,
    to: ownersMailbox,
    ...(order && { orderId: order.id }),
    content: {
      kind: 'owner-fraud-warning',
      ...createPaymentEmailFields({ payment, order }, link),
      amountCents: payment.amountCents,
      reason,
    },
  });
}

/** Fraud warnings of these orders, oldest first. */
export const fraudWarningsOfOrders = createQueryByValues(fraudWarnings.orderId, (db, isAmong) =>
  db.select().from(fraudWarnings).where(isAmong).orderBy(asc(fraudWarnings.createdAt), asc(fraudWarnings.id)),
);
