import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { PaymentIntent } from '../ports/card-payments.ts';
import { refundAutomatically } from './automatic-refunds.ts';
import { reportMismatch } from './mismatch.ts';
import {
  closePayment,
  lockPayment,
  asPaymentUnconfirmed,
  isUnsettled,
  findPaymentMode,
  changePaymentState,
  recordPaymentIntent,
  findPaymentById,
  findPaymentOfIntent,
  settlePayment,
  type Payment,
  type PaymentScope,
} from './payments.ts';
import type { Payer } from './purpose.ts';

export type SettleOutcome =
  | { state: 'paid'; payment: Payment }
  | { state: 'processing' }
  | { state: 'unpaid'; payment: Payment; status: PaymentIntent['status'] };

/**
 * Turns a payment into its purchase. The browser's verification and the provider's webhook call it; jobs that have
 * already read the intent call `settleIntent`. Reads the intent from the provider and compares it with the stored
 * payment. Then the payment's purpose fulfills the purchase, in one transaction. However often this runs, the purchase
 * is fulfilled once.
 */
export async function settleIntentById(scope: PaymentScope, intentId: string): Promise<SettleOutcome> {
  const intent = await scope.provider.getIntent(intentId).catch(asPaymentUnconfirmed);
  if (!intent) throw new Refusal('payment-not-found');
  return settleIntent(scope, intent);
}

/** Does what `settle` does, for an intent that was just read from the provider. */
export async function settleIntent(scope: PaymentScope, intent: PaymentIntent): Promise<SettleOutcome> {
  if (intent.status === 'succeeded') return { state: 'paid', payment: await settlePaid(scope, intent) };
  const payment = await findPaymentOf(scope, intent);
  if (intent.status === 'requires_capture') return settleAuthorized(scope, payment, intent);
  if (intent.status === 'processing') return { state: 'processing' };
  if (intent.status === 'canceled') await closePayment(scope, payment, ['asking', 'open'], 'cancelled');
  return { state: 'unpaid', payment, status: intent.status };
}

/**
 * Handles an intent whose amount the bank has authorized. The card is charged only if the purchase is still available
 * at that price. If this runs several times, even concurrently, the purchase is reserved once, and the intent is
 * captured or canceled once.
 */
async function settleAuthorized(scope: PaymentScope, payment: Payment, intent: PaymentIntent): Promise<SettleOutcome> {
  const { provider } = scope;
  const isClaimed = await claimPayment(scope, payment, matchesPayment(scope, payment, intent));
  const updatedIntent = await (isClaimed ? provider.captureIntent(intent.id) : provider.cancelIntent(intent.id)).catch(
    asPaymentUnconfirmed,
  );
  if (updatedIntent.status === 'requires_capture') throw new Refusal('payment-unconfirmed');
  return settleIntent(scope, updatedIntent);
}

const matchesPayment = ({ provider }: PaymentScope, { amountCents, currency }: Payment, intent: PaymentIntent) =>
  intent.amountCents === amountCents &&
  intent.currency === currency &&
  intent.livemode === (findPaymentMode(provider) === 'live');

const claimPayment = (
  { db, clock, jobs, purposes }: PaymentScope,
  { id }: Payment,
  isAsAgreed: boolean,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const payment = await lockPayment(tx, id);
    if (!payment || !isUnsettled(payment)) return false;
    if (isAsAgreed) {
      // Set the state to open. Closing an open payment later also releases what `reserveLimited` reserves.
      await changePaymentState(tx, clock, id, ['asking', 'cancelled'], 'open');
      if (await purposes[payment.purpose].reserveLimited(tx, clock, payment.purposeId)) return true;
    }
    // Enqueue the mail before the provider releases the authorization. The buyer then gets the mail even if this
    // process crashes in between.
    const laterJob = { key: id, afterSeconds: lifetimes.releasedPaymentMailMinutes * 60 };
    await jobs.enqueue(tx, 'mail-released-payment', { paymentId: id }, laterJob);
    return false;
  });

/** Settles a paid intent. Does not read the payment first, because the payment almost always matches. */
async function settlePaid(scope: PaymentScope, intent: PaymentIntent): Promise<Payment> {
  const settlement = await takePayment(scope, intent);
  if (settlement) return settlement;
  const payment = await findPaymentOf(scope, intent);
  if (!isUnsettled(payment)) return payment;
  const takenPayment = await takePayment(scope, intent, await findPayer(scope, payment, intent));
  if (takenPayment) return takenPayment;
  const paymentNow = await findPaymentOf(scope, intent);
  if (!isUnsettled(paymentNow)) return paymentNow; // another process has settled it
  await reportMismatch(scope, paymentNow, intent);
  throw new Refusal('payment-mismatch');
}

/**
 * Settles the payment and fulfills its purchase. Returns undefined if the payment differs from what was agreed, is
 * already settled, or its payer is not known yet.
 */
async function takePayment(scope: PaymentScope, intent: PaymentIntent, payer?: Payer): Promise<Payment | undefined> {
  const { db, clock, provider, purposes } = scope;
  const { id: intentId, amountCents, currency } = intent;
  const mode = findPaymentMode(provider);
  if (intent.amountReceivedCents !== amountCents || intent.livemode !== (mode === 'live')) return undefined;
  const [ownersMailbox, deliveryTimes] = await Promise.all([scope.ownerEmail(), scope.deliveryTimes()]);
  return db.transaction(async (tx) => {
    const money = { intentId, amountCents, currency, mode, isPayerKnown: payer !== undefined };
    const payment = await settlePayment(tx, clock, money);
    if (!payment) return undefined;
    const isPlaced = await purposes[payment.purpose].place(
      tx,
      { ...scope, ownersMailbox, deliveryTimes },
      payment,
      payer ?? {},
    );
    return isPlaced ? payment : refundAutomatically(tx, scope, payment);
  });
}

const findPayer = async ({ provider }: PaymentScope, payment: Payment, intent: PaymentIntent): Promise<Payer> =>
  payment.email !== null || !intent.chargeId ? {} : provider.readPayer(intent.chargeId).catch(asPaymentUnconfirmed);

/**
 * Returns the stored payment of an intent. If a crash left the payment without an intent id, the intent's metadata
 * contain the payment's id.
 */
async function findPaymentOf({ db, clock, provider }: PaymentScope, intent: PaymentIntent): Promise<Payment> {
  const knownPayment = await findPaymentOfIntent(db, intent.id);
  if (knownPayment) return knownPayment;
  const namedPaymentId = intent.metadata['payment_id'];
  const payment = namedPaymentId === undefined ? undefined : await findPaymentById(db, namedPaymentId);
  if (payment && payment.intentId === null)
    await recordPaymentIntent(db, clock, payment.id, { intentId: intent.id, account: await provider.readAccountId() });
  const openedPayment = await findPaymentOfIntent(db, intent.id);
  if (!openedPayment) throw new Refusal('payment-not-found');
  return openedPayment;
}
