import { asc } from 'drizzle-orm';
import type { FraudWarning as ProviderWarning } from '../ports/card-payments.ts';
import type { Db } from '../ports/database.ts';
import { queueMail } from '../mail/mail.ts';
import { keepBuyerOf, recordOrderEvent } from '../orders/orders.ts';
import { holdPayment, type PaymentScope } from '../payments/payments.ts';
import { preparedAmong } from '../prepared.ts';
import { paidBy, wordsOfPaid, type Paid } from './disputes.ts';
import { fraudWarnings } from './refunds.sql.ts';

export type { FraudWarning } from './refunds.sql.ts';

/**
 * The provider told of an early fraud warning of this payment: read them all anew. Each is written down with its order once,
 * with one letter to the owner, who alone decides whether the money goes back before it is disputed. Of a payment without
 * an order there is the letter alone.
 */
export async function followFraudWarnings(scope: PaymentScope, intentId: string): Promise<void> {
  const { db, provider } = scope;
  const paid = await paidBy(db, intentId);
  if (!paid) return;
  const ownersMailbox = await scope.ownerEmail();
  for (const warning of await provider.fraudWarningsOf(intentId))
    await db.transaction((tx) => tell(tx, { ...scope, ownersMailbox }, paid, warning));
}

async function tell(
  tx: Db,
  scope: Pick<PaymentScope, 'clock' | 'jobs' | 'link'> & { ownersMailbox: string },
  paid: Paid,
  { id, fraudType }: ProviderWarning,
): Promise<void> {
  const { clock, link, ownersMailbox } = scope;
  // As they are by now: the provider took its time, and whose they are may be forgotten.
  const order = paid.order && (await keepBuyerOf(tx, paid.order.id));
  const payment = (!order && (await holdPayment(tx, paid.payment.id))) || paid.payment;
  const reason = fraudType.replaceAll('_', ' ');
  if (order) {
    const added = await tx
      .insert(fraudWarnings)
      .values({ id, orderId: order.id, fraudType, createdAt: clock.now() })
      .onConflictDoNothing()
      .returning({ id: fraudWarnings.id });
    if (added.length === 0) return;
    await recordOrderEvent(tx, clock, order.id, 'fraud-warning', `The card’s issuer suspects fraud (${reason}).`);
  }
  await queueMail(tx, scope, {
    event: `owner-fraud-warning:${id}`,
    to: ownersMailbox,
    ...(order && { orderId: order.id }),
    content: {
      kind: 'owner-fraud-warning',
      ...wordsOfPaid({ payment, order }, link),
      amountCents: payment.amountCents,
      reason,
    },
  });
}

/** Oldest first. */
export const fraudWarningsOfOrders = preparedAmong(fraudWarnings.orderId, (db, isAmong) =>
  db.select().from(fraudWarnings).where(isAmong).orderBy(asc(fraudWarnings.createdAt), asc(fraudWarnings.id)),
);
