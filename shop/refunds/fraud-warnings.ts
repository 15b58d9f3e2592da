import { asc } from 'drizzle-orm';
import type { FraudWarning as ProviderWarning } from '../ports/card-payments.ts';
import type { Db } from '../ports/database.ts';
import { queueMail } from '../mail/mail.ts';
import { recordOrderEvent, type Order } from '../orders/orders.ts';
import type { PaymentScope } from '../payments/payments.ts';
import { preparedAmong } from '../prepared.ts';
import { orderPaidBy } from './disputes.ts';
import { fraudWarnings } from './refunds.sql.ts';

export type { FraudWarning } from './refunds.sql.ts';

/**
 * The provider told of an early fraud warning of this payment: read them all anew. Each is written down once, with one
 * letter to the owner, who alone decides whether the money goes back before it is disputed.
 */
export async function followFraudWarnings(scope: PaymentScope, intentId: string): Promise<void> {
  const { db, provider } = scope;
  const order = await orderPaidBy(db, intentId);
  if (!order) return;
  const ownersMailbox = await scope.ownerEmail();
  for (const warning of await provider.fraudWarningsOf(intentId))
    await db.transaction((tx) => write(tx, { ...scope, ownersMailbox }, order, warning));
}

async function write(
  tx: Db,
  scope: Pick<PaymentScope, 'clock' | 'jobs' | 'link'> & { ownersMailbox: string },
  order: Order,
  { id, fraudType }: ProviderWarning,
): Promise<void> {
  const { clock, link, ownersMailbox } = scope;
  const added = await tx
    .insert(fraudWarnings)
    .values({ id, orderId: order.id, fraudType, createdAt: clock.now() })
    .onConflictDoNothing()
    .returning({ id: fraudWarnings.id });
  if (added.length === 0) return;
  const reason = fraudType.replaceAll('_', ' ');
  await recordOrderEvent(tx, clock, order.id, 'fraud-warning', `The card’s issuer suspects fraud (${reason}).`);
  await queueMail(tx, scope, {
    event: `owner-fraud-warning:${id}`,
    to: ownersMailbox,
    orderId: order.id,
    content: {
      kind: 'owner-fraud-warning',
      orderNumber: order.orderNumber,
      customerEmail: order.email,
      amountCents: order.totalCents,
      reason,
      adminUrl: link(`/admin?tab=orders&order=${order.id}`),
    },
  });
}

/** Oldest first. */
export const fraudWarningsOfOrders = preparedAmong(fraudWarnings.orderId, (db, isAmong) =>
  db.select().from(fraudWarnings).where(isAmong).orderBy(asc(fraudWarnings.createdAt), asc(fraudWarnings.id)),
);
