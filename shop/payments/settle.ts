import { Refusal } from '#contract/refusals.ts';
import type { PaymentIntent } from '../ports/card-payments.ts';
import { giveBack } from './give-back.ts';
import { reportMismatch } from './mismatch.ts';
import {
  closePayment,
  inWordsOncePaid,
  isUnsettled,
  modeOf,
  openPayment,
  paymentById,
  paymentOfIntent,
  takeMoney,
  type Payment,
  type PaymentScope,
} from './payments.ts';
import type { Payer } from './purpose.ts';

export type Settled =
  | { state: 'paid'; payment: Payment }
  | { state: 'processing' }
  | { state: 'unpaid'; status: PaymentIntent['status'] };

/**
 * The one way money becomes what it was paid for, called by verify-payment, the provider's webhook and the sweep: reads
 * the intent from the provider, checks it against its frozen payment, and has the payment's purpose place what was
 * bought, in one transaction. Whoever comes first and however often, it is placed once.
 */
export async function settle(scope: PaymentScope, intentId: string): Promise<Settled> {
  const intent = await scope.provider.getIntent(intentId).catch(inWordsOncePaid);
  if (!intent) throw new Refusal('payment-not-found');
  return settleIntent(scope, intent);
}

/** The same for an intent that has just been read. */
export async function settleIntent(scope: PaymentScope, intent: PaymentIntent): Promise<Settled> {
  if (intent.status === 'succeeded') return { state: 'paid', payment: await settlePaid(scope, intent) };
  const payment = await paymentOf(scope, intent);
  if (intent.status === 'processing') return { state: 'processing' };
  if (intent.status === 'canceled') await closePayment(scope, payment, ['asking', 'open'], 'cancelled');
  return { state: 'unpaid', status: intent.status };
}

/** Tried before anything is asked about the payment: nearly always it is as it should be. */
async function settlePaid(scope: PaymentScope, intent: PaymentIntent): Promise<Payment> {
  const settled = await take(scope, intent);
  if (settled) return settled;
  const payment = await paymentOf(scope, intent);
  if (!isUnsettled(payment)) return payment;
  const taken = await take(scope, intent, await payerOf(scope, payment, intent));
  if (taken) return taken;
  const now = await paymentOf(scope, intent);
  if (!isUnsettled(now)) return now; // somebody else was faster
  await reportMismatch(scope, now, intent);
  throw new Refusal('payment-mismatch');
}

/** Undefined when the money is not what was agreed, or somebody else has taken it, or its payer is not known yet. */
async function take(scope: PaymentScope, intent: PaymentIntent, payer?: Payer): Promise<Payment | undefined> {
  const { db, clock, provider, purposes } = scope;
  const { id: intentId, amountCents, currency } = intent;
  const mode = modeOf(provider);
  if (intent.amountReceivedCents !== amountCents || intent.livemode !== (mode === 'live')) return undefined;
  const ownersMailbox = await scope.ownerEmail();
  return db.transaction(async (tx) => {
    const money = { intentId, amountCents, currency, mode, isPayerKnown: payer !== undefined };
    const payment = await takeMoney(tx, clock, money);
    if (!payment) return undefined;
    const isPlaced = await purposes[payment.purpose].place(tx, { ...scope, ownersMailbox }, payment, payer ?? {});
    return isPlaced ? payment : giveBack(tx, scope, payment);
  });
}

const payerOf = async ({ provider }: PaymentScope, payment: Payment, intent: PaymentIntent): Promise<Payer> =>
  payment.email !== null || !intent.chargeId ? {} : provider.payerOf(intent.chargeId).catch(inWordsOncePaid);

/** The frozen payment of an intent; the metadata finds one whose row a crash left without the provider's answer. */
async function paymentOf({ db, clock, provider }: PaymentScope, intent: PaymentIntent): Promise<Payment> {
  const known = await paymentOfIntent(db, intent.id);
  if (known) return known;
  const claimed = intent.metadata['payment_id'];
  const payment = claimed === undefined ? undefined : await paymentById(db, claimed);
  if (payment && payment.intentId === null)
    await openPayment(db, clock, payment.id, { intentId: intent.id, account: await provider.account() });
  const opened = await paymentOfIntent(db, intent.id);
  if (!opened) throw new Refusal('payment-not-found');
  return opened;
}
