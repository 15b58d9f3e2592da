import type { AuditAuthor } from '../audit/audit.ts';
import type { output } from 'zod/mini';
import type { VoidGiftCardForm } from '#contract/gift-card-forms.ts';
import { findGiftCardById, readdressGiftCard, voidGiftCard, type GiftCard } from '../gift-cards/gift-cards.ts';
import { deleteUnsentMailContent } from '../mail/mail.ts';
import { refundAutomatically } from '../payments/automatic-refunds.ts';
import { lockPayment, type PaymentScope } from '../payments/payments.ts';
import { readDisputesOfPayment, isMoneyWithdrawn } from '../refunds/disputes.ts';
import { newId } from '../columns.ts';
import { Refusal } from '#contract/refusals.ts';
import { mailGiftCard } from './place-gift-card.ts';

type OwnerScope = Pick<PaymentScope, 'db' | 'clock' | 'jobs' | 'purposes' | 'link'>;

/**
 * Ends all codes of a gift card and emails it again, with a new code. The address may be another one. A card that waits
 * for its day is sent now.
 */
export const resendGiftCard = (
  { db, clock, jobs, link }: OwnerScope,
  id: string,
  recipientEmail: string,
  by: AuditAuthor,
): Promise<GiftCard> =>
  db.transaction(async (tx) => {
    const card = await readdressGiftCard(tx, clock, id, recipientEmail, by);
    // An email that still waits would otherwise be sent to the earlier address, with a code of its own.
    await deleteUnsentMailContent(tx, `gift-card:${id}:`);
    await mailGiftCard(tx, { jobs, clock, link }, card, newId());
    return card;
  });

/**
 * Voids a gift card. With `refund`, the whole purchase goes back to the buyer's card. This is refused once a part of
 * the card was used, and a second call is refused, so nothing is refunded twice.
 */
export const voidAndRefundGiftCard = (
  scope: OwnerScope,
  id: string,
  body: output<typeof VoidGiftCardForm>,
  by: AuditAuthor,
): Promise<GiftCard> => {
  const { db, clock } = scope;
  return db.transaction(async (tx) => {
    const foundGiftCard = await findGiftCardById(tx, id);
    if (!foundGiftCard) throw new Refusal('not-found');
    // Lock the payment before the card, in the same sequence as the settling of payments.
    const payment = foundGiftCard.paymentId === null ? undefined : await lockPayment(tx, foundGiftCard.paymentId);
    if (body.refund && payment && (await readDisputesOfPayment(tx, payment.id)).some(isMoneyWithdrawn))
      throw new Refusal('payment-disputed');
    await voidGiftCard(tx, clock, id, body, by);
    await deleteUnsentMailContent(tx, `gift-card:${id}:`);
    if (body.refund && payment?.state === 'settled') await refundAutomatically(tx, scope, payment);
    return (await findGiftCardById(tx, id))!;
  });
};
