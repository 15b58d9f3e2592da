import { eq } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import {
  closePayment,
  lockPayment,
  findPaymentMode,
  findPaymentById,
  type Payment,
  type PaymentScope,
} from './payments.ts';
import { payments } from './payments.sql.ts';

const prefix = 'no-charge-';

/** The name of a $0 payment, in place of an intent's id. */
export const freePaymentName = ({ id }: Pick<Payment, 'id'>) => `${prefix}${id}`;
/** Whether this is the name of a $0 payment, and not the id of an intent. */
export const isFreePaymentName = (name: string) => name.startsWith(prefix);

/** Returns a $0 payment by its name. Undefined for any other text. */
export async function freePaymentOf(db: Db, name: string): Promise<Payment | undefined> {
  if (!isFreePaymentName(name)) return undefined;
  const payment = await findPaymentById(db, name.slice(prefix.length));
  return payment?.amountCents === 0 ? payment : undefined;
}

/**
 * Settles a $0 payment for this purpose: reserves what is limited and fulfills the purchase, in one transaction, exactly
 * once. Returns the payment as it is afterwards; it is not settled if something is no longer available.
 */
export async function settleFreePayment(
  scope: PaymentScope,
  name: string,
  purposeName: Payment['purpose'],
): Promise<Payment> {
  const { db, clock, provider, purposes } = scope;
  const foundFreePayment = await freePaymentOf(db, name);
  if (foundFreePayment?.purpose !== purposeName || foundFreePayment.mode !== findPaymentMode(provider))
    throw new Refusal('payment-not-found');
  const [ownersMailbox, deliveryTimes] = await Promise.all([scope.ownerEmail(), scope.deliveryTimes()]);
  return db.transaction(async (tx) => {
    const payment = (await lockPayment(tx, foundFreePayment.id))!;
    // A payment that was canceled, replaced or expired must not place an order. No provider refuses it, so it is
    // refused here.
    if (payment.state !== 'asking') return payment;
    const purpose = purposes[payment.purpose];
    if (!(await purpose.reserveLimited(tx, clock, payment.purposeId))) {
      await closePayment({ db: tx, clock, purposes }, payment, ['asking', 'open'], 'cancelled');
      return { ...payment, state: 'cancelled' as const };
    }
    const [settled] = await tx
      .update(payments)
      .set({ state: 'settled', intentId: freePaymentName(payment), updatedAt: clock.now() })
      .where(eq(payments.id, payment.id))
      .returning();
    if (await purpose.place(tx, { ...scope, ownersMailbox, deliveryTimes }, settled!, {})) {
      // After placing, because the margins count the fee of a payment that has an order.
      await tx.update(payments).set({ feeCents: 0 }).where(eq(payments.id, payment.id));
      return settled!;
    }
    // Nothing was charged to a card, so only the amounts of gift cards are returned.
    await closePayment({ db: tx, clock, purposes }, payment, ['settled'], 'refunded');
    return { ...settled!, state: 'refunded' as const };
  });
}
