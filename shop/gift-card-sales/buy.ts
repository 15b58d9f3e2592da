import type { output } from 'zod/mini';
import { dayText, toShopDay } from '#contract/calendar.ts';
import { formatDollars, pricesInCents } from '#contract/catalog.ts';
import { giftCardDayRange, giftCardLinkDays, type GiftCardBody } from '#contract/gift-card-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import { findCustomerById } from '../accounts/accounts.ts';
import { requestIntent, providerTimeoutMs } from '../checkout/request-intent.ts';
import { issueCode } from '../gift-cards/codes.ts';
import { createGiftCard, findGiftCardById, lockPurchase, type GiftCard } from '../gift-cards/gift-cards.ts';
import {
  asPaymentUnavailable,
  freezePayment,
  findPaymentMode,
  findPayablePayments,
  type PaymentScope,
} from '../payments/payments.ts';
import { settleIntentById } from '../payments/settle.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { issueToken, readToken } from '../tokens/tokens.ts';

type RequestedCard = output<typeof GiftCardBody>;

export interface GiftCardStart {
  intentId: string;
  clientSecret: string;
  amountCents: number;
  /** Opens the purchase for the browser that bought it. */
  token: string;
}

/** The payment sweep closes a payment intent that is still unpaid after this time. */
const unpaidHours = 24;

/**
 * Starts the payment for a gift card: stores the card and its payment, then requests the intent from the provider. With
 * the token of an earlier try of this browser, the earlier intents of the purchase are replaced: a job cancels them. If
 * one of them is paid in the meantime, it buys the card, and the later payment is refunded.
 */
export async function startGiftCard(
  scope: Pick<PaymentScope, 'db' | 'clock' | 'jobs' | 'provider'>,
  requested: RequestedCard & { replaces?: string | undefined },
  buyer: { customerId?: string | undefined },
): Promise<GiftCardStart> {
  const { db, clock, jobs, provider } = scope;
  const deadline = AbortSignal.timeout(providerTimeoutMs);
  const { isForFrame, recipientName, senderName, buyerEmail, message, recipientEmail } = requested;
  const amountCents = isForFrame ? pricesInCents.kinframe : requested.amountCents;
  if (amountCents === undefined) throw new Refusal('invalid-request');
  const deliverOn = recipientEmail === undefined ? null : (requested.deliverOn ?? toShopDay(clock.now()));
  refuseOtherDays(deliverOn, clock);
  const account = buyer.customerId === undefined ? undefined : await findCustomerById(db, buyer.customerId);
  const earlierCard = requested.replaces === undefined ? undefined : await findGiftCardOfToken(db, requested.replaces);
  // A paid purchase stays as it is. The browser buys another card.
  const purchaseId = earlierCard?.state === 'unpaid' ? earlierCard.purchaseId : undefined;
  const { card, payment, token } = await db.transaction(async (tx) => {
    const purchasedCards = purchaseId === undefined ? [] : await lockPurchase(tx, purchaseId);
    // Another card of this purchase may have been paid after all. The browser then buys a new one.
    const isPaid = purchasedCards.some((it) => it.paidAt !== null);
    const replacedPayments = await findPayablePayments(
      tx,
      'gift-card',
      purchasedCards.map((it) => it.id),
    );
    const card = await createGiftCard(
      tx,
      clock,
      {
        isForFrame,
        amountCents,
        recipientName,
        recipientEmail: recipientEmail ?? null,
        senderName,
        buyerEmail,
        message: message || null,
        deliverOn,
        customerId: account?.id ?? null,
      },
      isPaid ? undefined : purchaseId,
    );
    const payment = await freezePayment(tx, clock, {
      purpose: 'gift-card',
      purposeId: card.id,
      email: buyerEmail,
      amountCents,
      currency: 'usd',
      mode: findPaymentMode(provider),
      expiresAt: new Date(clock.now().getTime() + unpaidHours * 3_600_000),
    });
    if (replacedPayments.length > 0)
      await jobs.enqueueAll(
        tx,
        'cancel-payment',
        replacedPayments.map(({ id }) => ({ paymentId: id })),
      );
    const token = await issueToken(tx, clock, {
      purpose: 'gift-card',
      subjectId: card.id,
      seconds: giftCardLinkDays * 86_400,
    });
    return { card, payment, token };
  });
  const intent = await requestIntent(
    { db, clock, provider, deadline },
    { payment, account: account?.email === buyerEmail ? account : undefined },
    {
      amountCents,
      currency: 'usd',
      description: `Gift card ${card.number}, ${formatDollars(amountCents)}`,
      metadata: { payment_id: payment.id },
    },
  ).catch(asPaymentUnavailable);
  return { intentId: intent.id, clientSecret: intent.clientSecret, amountCents, token };
}

function refuseOtherDays(day: string | null, clock: Clock): void {
  const { first, last } = giftCardDayRange(clock.now());
  if (day !== null && (day < first || day > last)) throw new Refusal('gift-card-day-outside', { day: dayText(last) });
}

/**
 * Handles a browser that returns from paying. Anyone who knows the id of an intent can trigger its settlement. The
 * response contains nothing about the card.
 */
export async function verifyGiftCard(scope: PaymentScope, intentId: string): Promise<'processing' | 'paid'> {
  const settlement = await settleIntentById(scope, intentId);
  if (settlement.state === 'processing') return 'processing';
  if (settlement.state === 'unpaid') throw new Refusal('payment-not-finished');
  const { payment } = settlement;
  if (payment.purpose !== 'gift-card') throw new Refusal('payment-not-found');
  if (payment.state !== 'settled') throw new Refusal('payment-mismatch'); // it was a second payment of the purchase and was refunded
  return 'paid';
}

const findGiftCardOfToken = async (db: Db, token: string): Promise<GiftCard | undefined> => {
  const foundToken = await readToken(db, 'gift-card', token);
  return foundToken && findGiftCardById(db, foundToken.subjectId);
};

/** Returns the purchase that a token opens. */
export async function readBoughtGiftCard(db: Db, token: string): Promise<GiftCard> {
  const card = await findGiftCardOfToken(db, token);
  if (!card) throw new Refusal('not-found');
  return card;
}

/** After this many prints, the buyer must contact the shop. */
const mostPrints = 20;

/**
 * Creates a code for printing. Only the buyer of a card without an email gets one, because a card that is emailed
 * belongs to its recipient.
 */
export async function readPrintableGiftCard(
  { db, clock }: { db: Db; clock: Clock },
  token: string,
): Promise<{ card: GiftCard; code: string }> {
  const card = await readBoughtGiftCard(db, token);
  const code = card.deliverOn === null ? await issueCode(db, clock, card.id, { most: mostPrints }) : undefined;
  if (code === undefined) throw new Refusal('not-found');
  return { card, code };
}
