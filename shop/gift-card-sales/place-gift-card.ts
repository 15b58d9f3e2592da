import { toShopDay } from '#contract/calendar.ts';
import {
  activateGiftCard,
  deletePersonalData,
  findDueGiftCards,
  findGiftCardById,
  markSent,
  voidRefundedGiftCard,
  type GiftCard,
} from '../gift-cards/gift-cards.ts';
import { queueMail, queueMails, type NewMail } from '../mail/mail.ts';
import type { Payment } from '../payments/payments.ts';
import type { PaymentPurpose, PlacingScope } from '../payments/purpose.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';

/** Fulfills the payment for a gift card: the card can be spent, and buyer, owner and recipient get their emails. */
export const giftCardPurpose: PaymentPurpose = {
  place: placePaidGiftCard,
  reserveLimited: async () => true, // a gift card has nothing limited to reserve
  // Also after a refund at the provider itself. A card whose payment bought nothing is not active.
  release: async (tx, clock, id) => void (await voidRefundedGiftCard(tx, clock, id)),
  deleteBuyerDetails: deletePersonalData,
  notifyGivenBack,
};

async function placePaidGiftCard(tx: Db, scope: PlacingScope, payment: Payment): Promise<boolean> {
  const { clock, jobs, link, ownersMailbox } = scope;
  const card = await activateGiftCard(tx, clock, payment.purposeId, payment.id);
  if (!card) return false;
  const { id, number, isForFrame, amountCents, recipientName, senderName, deliverOn, buyerEmail } = card;
  const cardFacts = { number, isForFrame, amountCents, recipientName, deliverOn: deliverOn ?? undefined };
  const receipt: NewMail = {
    event: `gift-card-receipt:${id}`,
    to: buyerEmail,
    content: {
      kind: 'gift-card-receipt',
      ...cardFacts,
      senderName,
      boughtAt: card.paidAt!.toISOString(),
      cardUrl: { link: 'gift-card', subjectId: id },
    },
  };
  const sale: NewMail = {
    event: `owner-gift-card:${id}`,
    to: ownersMailbox,
    content: {
      kind: 'owner-gift-card',
      ...cardFacts,
      customerName: senderName,
      customerEmail: buyerEmail,
      adminUrl: link('/admin?tab=content&section=gift-cards'),
    },
  };
  await queueMails(tx, { jobs, clock }, [receipt, sale]);
  if (deliverOn !== null && deliverOn <= toShopDay(clock.now())) await sendGiftCard(tx, { jobs, clock, link }, card);
  return true;
}

type MailScope = { jobs: Jobs; clock: Clock; link: (path: string) => string };

/** Queues the email to the recipient, once. The code is created when the email is sent, so no queue contains it. */
async function sendGiftCard(tx: Db, scope: MailScope, card: GiftCard): Promise<void> {
  if (!(await markSent(tx, scope.clock, card.id))) return;
  await mailGiftCard(tx, scope, card, 'first');
  if (card.buyerEmail === '') await deletePersonalData(tx, [card.id]); // the buyer's account was deleted before
}

/** `round` names the email. Each round is queued once. */
export const mailGiftCard = (tx: Db, scope: MailScope, card: GiftCard, round: string): Promise<void> =>
  queueMail(tx, scope, {
    event: `gift-card:${card.id}:${round}`,
    to: card.recipientEmail ?? '',
    content: {
      kind: 'gift-card',
      giftCardId: card.id,
      isForFrame: card.isForFrame,
      amountCents: card.balanceCents,
      recipientName: card.recipientName,
      senderName: card.senderName,
      message: card.message ?? undefined,
      productUrl: scope.link('/product/kinframe'),
      balanceUrl: scope.link('/gift-cards/balance'),
    },
  });

const cardsAtOnce = 100;

/** The job that emails gift cards on their day. A card whose transaction fails does not stop the others. */
export async function sendDueGiftCards(
  { db, clock, jobs, link }: MailScope & { db: Db },
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
): Promise<void> {
  const today = toShopDay(clock.now());
  for (const card of await findDueGiftCards(db, today, cardsAtOnce)) {
    if (signal.aborted) return;
    await db.transaction((tx) => sendGiftCard(tx, { jobs, clock, link }, card)).catch(onError);
  }
}

/**
 * Tells the buyer that the payment for a gift card was refunded, because it was a second payment or because the owner
 * voided the card.
 */
async function notifyGivenBack(tx: Db, { jobs, clock }: PlacingScope, payment: Payment): Promise<void> {
  const card = await findGiftCardById(tx, payment.purposeId);
  if (!card) return;
  await queueMail(
    tx,
    { jobs, clock },
    {
      event: `gift-card-given-back:${payment.id}`,
      to: card.buyerEmail,
      content: {
        kind: 'refund',
        amountCents: payment.amountCents,
        orderNumber: card.number,
        reason:
          card.state === 'void'
            ? 'We canceled this gift card.'
            : 'You paid twice for one gift card. You have the first.',
      },
    },
  );
}
