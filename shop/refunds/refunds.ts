import { formatDollars, includedPhotoCounts, pricesInCents } from '#contract/catalog.ts';
import { countRefundedPackages } from '#contract/refund-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import {
  PaymentProviderError,
  type CardPayments,
  type ChargedCard,
  type Refund as ProviderRefund,
} from '../ports/card-payments.ts';
import type { Db } from '../ports/database.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import {
  returnSlots,
  unusedSlotsOf,
  withdrawPackages,
  withdrawUnusedSlots,
  type PurchasedSlots,
} from '../frames/capacity.ts';
import { findFramesWithRoomOf, lockFramesOf, freeSlotsOf, type Frame } from '../frames/frames.ts';
import { readGiftCardsOfOrders, returnToGiftCards, type GiftCardShare } from '../gift-cards/spending.ts';
import { queueMail } from '../mail/mail.ts';
import {
  addOnOrdersOf,
  addRefundedCents,
  lockOrder,
  findOrderById,
  findOrderOfPaymentId,
  recordOrderEvent,
  subtractRefundedCents,
  type Order,
} from '../orders/orders.ts';
import { updateReturnedFrames } from './returned-frames.ts';
import { disputesOfOrders, isMoneyWithdrawn } from './disputes.ts';
import { syncAutomaticRefund, isFailedRefund, readAutomaticRefund } from '../payments/automatic-refunds.ts';
import {
  closePayment,
  findPaymentById,
  findPaymentOfIntent,
  type Payment,
  type PaymentScope,
} from '../payments/payments.ts';
import { createQueryByValues } from '../rows-among.ts';
import { refunds, type Refund } from './refunds.sql.ts';

export type { Refund } from './refunds.sql.ts';

type TransactionScope = Pick<PaymentScope, 'clock' | 'jobs' | 'link'> & { ownersMailbox: string };

/** The price that was paid for one extra package of this order, including its share of discount and tax. */
const packageCentsOf = ({ totalCents, subtotalCents }: Order) =>
  Math.max(1, Math.floor((pricesInCents.extraPackage * totalCents) / subtotalCents));

// ---------------------------------------------------------------- the owner's decision

export interface RefundOffer {
  remainingCents: number;
  /** The part of the remaining amount that goes back to gift cards, after the rest went to the card. */
  giftCardCents: number;
  giftCards: string[];
  card: ChargedCard | null;
  unusedPhotos: number;
  unusedPackages: number;
  packageCents: number;
}

/**
 * Returns the amount that can still be refunded, the card that gets it, and the unused places that a refund would
 * withdraw.
 */
export async function offerRefund({ db, provider }: PaymentScope, orderId: string): Promise<RefundOffer> {
  const order = await findOrderById(db, orderId);
  if (!order) throw new Refusal('not-found');
  const unusedSlots = unusedSlotsOf(await readPurchasedSlots(db, order, await findFramesWithRoomOf(order, db)));
  const amountsLeft = await readAmountsLeftToRefund(db, order);
  return {
    // If the bank has taken everything back, the refund itself is refused and says why.
    remainingCents: amountsLeft.cardCents + amountsLeft.giftCardCents || order.totalCents - order.refundedCents,
    giftCardCents: amountsLeft.giftCardCents,
    giftCards: (await readGiftCardsOfOrders(db, [orderId])).map((it) => it.lastFour),
    card: await readChargedCard(provider, order),
    unusedPhotos: unusedSlots.photos,
    unusedPackages: unusedSlots.packages,
    packageCents: packageCentsOf(order),
  };
}

/**
 * Returns the places that an order bought and that can still be withdrawn. An order that contains frames bought the
 * places that they had from the start. An add-on's order bought more places in an existing frame: its count is what its
 * earlier refunds have not withdrawn, but at most the frame's open places minus the places of newer add-ons. Photos
 * fill the places of older add-ons first, and finalizing closes those places first.
 */
async function readPurchasedSlots(db: Db, order: Order, frames: Frame[]): Promise<PurchasedSlots> {
  if (order.frameId === null) return { frames };
  const [frame] = frames;
  if (!frame) return { frames, later: 0 };
  const addonOrders = await addOnOrdersOf(db, [frame.id]);
  const activeRefunds = (
    await refundsOfOrders(
      db,
      addonOrders.map((it) => it.id),
    )
  ).filter((it) => it.state !== 'failed');
  const countPhotosLeft = ({ id, extraPackages }: Order) =>
    extraPackages * includedPhotoCounts.extraPackage -
    activeRefunds.filter((it) => it.orderId === id).reduce((sum, it) => sum + it.photosWithdrawn, 0);
  const ownAddonOrder = addonOrders.find((it) => it.id === order.id);
  if (!ownAddonOrder) return { frames, later: 0 };
  const newerPackages = addonOrders
    .filter((it) => it.createdAt > ownAddonOrder.createdAt)
    .reduce((sum, it) => sum + countPhotosLeft(it), 0);
  // Places that the owner has removed no longer exist, and places that the frame had from the start do not count.
  const openSlots = Math.min(freeSlotsOf(frame), frame.laterPhotos);
  return { frames, later: Math.min(countPhotosLeft(ownAddonOrder), Math.max(0, openSlots - newerPackages)) };
}

/**
 * Returns the card that was charged; null if the provider does not report it or is unavailable. The offer is then shown
 * without the card, because the refund itself is retried until the provider responds.
 */
export async function readChargedCard(provider: CardPayments, order: Order): Promise<ChargedCard | null> {
  if (order.giftCardCents === order.totalCents) return null; // gift cards paid everything
  try {
    const intent = await provider.getIntent(order.stripePaymentIntentId);
    return (intent?.chargeId !== undefined && (await provider.readPayer(intent.chargeId)).card) || null;
  } catch (error) {
    if (error instanceof PaymentProviderError) return null;
    throw error;
  }
}

/**
 * Decides on a refund: counts it, withdraws unused capacity and enqueues the request to the provider, all in one
 * transaction. Concurrent refunds never exceed the total. A second call with the same `key` refunds nothing more. A
 * refund first goes back to the card, up to what it was charged, then to the gift cards of the order. A
 * refund of the whole remaining amount withdraws every unused place; with `withdrawPhotos`, it also ends the links to
 * the videos. A partial refund withdraws whole extra packages, but only with `withdrawPhotos`. The customer gets an
 * email unless `tellCustomer` is false.
 *
 * @param ended ends what the refund is for, such as a return, in the same transaction
 */
export async function refundOrder(
  { db, clock, jobs }: PaymentScope,
  orderId: string,
  request: {
    amountCents?: number | undefined;
    reason: string;
    withdrawPhotos: boolean;
    tellCustomer?: boolean | undefined;
    key?: string | undefined;
  },
  by: AuditAuthor,
  ended?: { returnId: string; end: (tx: Db, order: Order, refundId: string) => Promise<void> },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { order, lockedFrames } = await lockFramesOf(tx, orderId);
    const sameKeyRefund = request.key === undefined ? undefined : await findRefundById(tx, request.key);
    if (sameKeyRefund?.orderId === orderId) return;
    if (sameKeyRefund) throw new Refusal('invalid-request');
    if (order.totalCents === order.refundedCents) throw new Refusal('nothing-to-refund');
    const leftCents = await calculateRefundableCents(tx, order);
    if (leftCents === 0) throw new Refusal('payment-disputed');
    const { amountCents = leftCents, reason, withdrawPhotos, tellCustomer = true } = request;
    const isWithinLimit = amountCents <= leftCents && (await addRefundedCents(tx, clock, orderId, amountCents));
    if (!isWithinLimit) throw new Refusal('refund-too-large', { left: formatDollars(leftCents) });

    const purchasedSlots = await readPurchasedSlots(tx, order, lockedFrames);
    const packageCount = countRefundedPackages(
      amountCents,
      packageCentsOf(order),
      unusedSlotsOf(purchasedSlots).packages,
    );
    const photosWithdrawn =
      amountCents === leftCents
        ? await withdrawUnusedSlots(tx, clock, purchasedSlots)
        : await withdrawPackages(tx, purchasedSlots, withdrawPhotos ? packageCount : 0);
    const id = request.key ?? newId();
    await makeRefund(tx, { clock, jobs }, order, {
      id,
      amountCents,
      reason,
      photosWithdrawn,
      withdrawsVideos: withdrawPhotos && amountCents === leftCents,
      tellsCustomer: tellCustomer,
    });
    await ended?.end(tx, order, id);
    await recordAuditEntry(tx, clock, {
      act: 'refund-order',
      subjectId: orderId,
      before: { refundedCents: order.refundedCents, places: sumPlaces(lockedFrames) },
      after: {
        refundId: id,
        refundedCents: order.refundedCents + amountCents,
        amountCents,
        reason,
        photosWithdrawn,
        ...(!tellCustomer && { tellCustomer }),
        ...(ended && { returnId: ended.returnId }),
      },
      ...by,
    });
    await updateReturnedFrames(tx, clock, order, order.refundedCents + amountCents);
  });
}

/** How much of the rest of an order goes back to gift cards, in cents. */
export const calculateGiftCardPart = async (db: Db, order: Order, amountCents: number): Promise<number> =>
  (await splitRefund(db, order, amountCents)).giftCardCents;

/**
 * What is left to refund of an order, in cents. If the customer's bank has taken the payment back, only the part that
 * gift cards paid is left.
 */
export async function calculateRefundableCents(db: Db, order: Order): Promise<number> {
  const { cardCents, giftCardCents } = await readAmountsLeftToRefund(db, order);
  return cardCents + giftCardCents;
}

/** What the card and the gift cards of an order can still get back, in cents. Nothing on the card after a chargeback. */
async function readAmountsLeftToRefund(db: Db, order: Order): Promise<{ cardCents: number; giftCardCents: number }> {
  const refundsOfOrder = await refundsOfOrders(db, [order.id]);
  const isToGiftCards = ({ giftCards, state }: Refund) => giftCards !== null && state !== 'failed';
  const returnedCents = refundsOfOrder.filter(isToGiftCards).reduce((sum, it) => sum + it.amountCents, 0);
  const giftCardCents = order.giftCardCents - returnedCents;
  const isTakenBack = (await disputesOfOrders(db, [order.id])).some(isMoneyWithdrawn);
  return { cardCents: isTakenBack ? 0 : order.totalCents - order.refundedCents - giftCardCents, giftCardCents };
}

/**
 * Refunds all that is left of an order that is being canceled. The caller has locked the order and closes its frames.
 * The email about the canceled order names the refund, so there is none about the refund itself. Returns its parts.
 */
export async function refundRemaining(
  tx: Db,
  { clock, jobs }: Pick<PaymentScope, 'clock' | 'jobs'>,
  order: Order,
  { id, reason }: { id: string; reason: string },
): Promise<{ cardCents: number; giftCardCents: number }> {
  const amountCents = await calculateRefundableCents(tx, order);
  if (amountCents === 0) return { cardCents: 0, giftCardCents: 0 };
  if (!(await addRefundedCents(tx, clock, order.id, amountCents)))
    throw new Error(`the refunds of order ${order.orderNumber} changed although it is locked`);
  return makeRefund(tx, { clock, jobs }, order, { id, amountCents, reason, tellsCustomer: false });
}

/**
 * How much of a refund goes back to the card: at most what it was charged, without what it already got back. The gift
 * cards get the rest.
 */
async function splitRefund(
  db: Db,
  order: Order,
  amountCents: number,
): Promise<{ cardCents: number; giftCardCents: number }> {
  const cardCents = Math.min(amountCents, (await readAmountsLeftToRefund(db, order)).cardCents);
  return { cardCents, giftCardCents: amountCents - cardCents };
}

/**
 * Stores a refund that the caller has counted, and requests it from the provider. Each way to pay gets a row of its
 * own, so that a refund that fails at the provider does not touch what the gift cards got back. The first row has the id.
 * The caller has locked the order. `order` is its row before the refund was counted.
 */
async function makeRefund(
  tx: Db,
  { clock, jobs }: Pick<PaymentScope, 'clock' | 'jobs'>,
  order: Order,
  refund: { id: string } & Pick<Refund, 'amountCents' | 'reason'> &
    Partial<Pick<Refund, 'photosWithdrawn' | 'withdrawsVideos' | 'tellsCustomer'>>,
): Promise<{ cardCents: number; giftCardCents: number }> {
  const { cardCents, giftCardCents } = await splitRefund(tx, order, refund.amountCents);
  const now = clock.now();
  const row = { ...refund, paymentId: order.paymentId, orderId: order.id, createdAt: now, updatedAt: now };
  if (cardCents > 0) {
    await tx.insert(refunds).values({ ...row, amountCents: cardCents, state: 'asking' });
    await jobs.enqueue(tx, 'ask-refund', { refundId: refund.id });
  }
  if (giftCardCents > 0) {
    const giftCards = await returnToGiftCards(tx, order.id, giftCardCents);
    const secondPartFields = cardCents > 0 && {
      id: newId(),
      partOfId: refund.id,
      photosWithdrawn: 0,
      withdrawsVideos: false,
    };
    const returnedRefund = { photosWithdrawn: 0, ...row, ...secondPartFields, amountCents: giftCardCents, giftCards };
    await tx.insert(refunds).values({ ...returnedRefund, state: 'succeeded' });
    await recordRefundEvent(tx, clock, order, returnedRefund, refund.reason);
    // The card's part has the email for both parts.
    if (cardCents === 0) await mailCustomer(tx, { clock, jobs }, order, [returnedRefund], refund.reason);
  }
  return { cardCents, giftCardCents };
}

const sumPlaces = (frames: Frame[]) =>
  frames.map(({ id, basePhotos, extraPhotos, usedPhotos }) => ({ id, basePhotos, extraPhotos, usedPhotos }));

// ---------------------------------------------------------------- the provider's response

/** The metadata key under which the provider stores our refund id. */
const refundIdKey = 'refund_id';

/**
 * The job that requests the refund from the provider. It first searches for an earlier request of this refund, because
 * the provider forgets idempotency keys after a day and may be unavailable for longer.
 */
export async function requestRefund(scope: PaymentScope, refundId: string): Promise<void> {
  const { db, provider } = scope;
  const refund = await findRefundById(db, refundId);
  if (!refund || refund.state !== 'asking') return;
  const intentId = await findIntentIdOf(db, refund);
  try {
    const knownRefundRow = (await provider.listRefundsOf(intentId)).find((it) => it.metadata[refundIdKey] === refundId);
    const { amountCents, reason } = refund;
    const request = { intentId, amountCents, reason, metadata: { [refundIdKey]: refundId } };
    await recordRefundResponse(
      scope,
      refundId,
      knownRefundRow ?? (await provider.refund(request, `order-refund-${refundId}`)),
    );
  } catch (error) {
    if (!(error instanceof PaymentProviderError) || error.reason === 'unavailable') throw error;
    await recordRefundResponse(scope, refundId, { status: 'failed', failureReason: error.message });
  }
}

/**
 * Handles the provider's report that refunds of a payment changed: reads all refunds of the payment again, including
 * refunds that were made at the provider itself.
 */
export async function syncRefunds(scope: PaymentScope, intentId: string): Promise<void> {
  const { db, provider } = scope;
  const payment = await findPaymentOfIntent(db, intentId);
  if (!payment) return; // a payment of another program that uses the same account
  const order = await findOrderOfPaymentId(db, payment.id);
  if (!order) return syncWithoutOrder(scope, payment, intentId);
  for (const providerRefund of (await provider.listRefundsOf(intentId)).toReversed()) {
    const knownRefundRow = await findKnownRefund(db, payment.id, providerRefund);
    if (knownRefundRow) await recordRefundResponse(scope, knownRefundRow.id, providerRefund);
    else if (toRefundState(providerRefund) !== 'failed') await recordForeignRefund(scope, order.id, providerRefund);
  }
}

async function syncWithoutOrder(scope: PaymentScope, payment: Payment, intentId: string): Promise<void> {
  // The payment bought nothing, so the shop refunds it automatically or the owner has closed it.
  if (['refunding', 'refunded', 'closed'].includes(payment.state))
    return (await syncAutomaticRefund(scope, payment, intentId)) ? undefined : syncRefunds(scope, intentId);
  // The provider reports a released authorization as a refund, but no money was taken.
  if ((await scope.provider.getIntent(intentId))?.status === 'canceled') return;
  const { leftCents } = await readAutomaticRefund(scope, payment, intentId);
  if (payment.purpose === 'gift-card' && payment.state === 'settled') {
    // The owner has refunded a gift card at the provider. A refund of a part of it does not change the card.
    if (leftCents === 0) await closePayment(scope, payment, ['settled'], 'refunded');
    return;
  }
  if (payment.state !== 'mismatched') throw new Error(`payment ${payment.id} was refunded before it became an order`);
  if (leftCents === 0) await closePayment(scope, payment, ['mismatched'], 'refunded');
}

type RefundResponse = Pick<ProviderRefund, 'status' | 'failureReason'> & { id?: string };
/**
 * The state of a refund only moves forward. Of two responses of the provider, the one with the later state is therefore
 * newer.
 */
const orderedStates = ['asking', 'pending', 'succeeded', 'failed'] as const satisfies Refund['state'][];
const isLaterState = (a: Refund['state'], b: Refund['state']) => orderedStates.indexOf(a) > orderedStates.indexOf(b);
function toRefundState(answer: Pick<ProviderRefund, 'status'>): Exclude<Refund['state'], 'asking'> {
  if (answer.status === 'succeeded') return 'succeeded';
  return isFailedRefund(answer) ? 'failed' : 'pending';
}

/** Changes a refund to the state that the provider reports. A repeated or late report changes nothing. */
async function recordRefundResponse(scope: PaymentScope, refundId: string, answer: RefundResponse): Promise<void> {
  const { db, clock } = scope;
  const state = toRefundState(answer);
  const transactionScope: TransactionScope = { ...scope, ownersMailbox: await scope.ownerEmail() };
  await db.transaction(async (tx) => {
    // Lock the order before its refund. A transaction that adds a refund locks the order first, so the opposite
    // sequence could deadlock.
    const { orderId } = (await findRefundById(tx, refundId))!;
    const order = (await lockOrder(tx, orderId))!;
    const [refund] = await tx.select().from(refunds).where(eq(refunds.id, refundId)).for('update');
    if (!refund || !isLaterState(state, refund.state)) return;
    await tx
      .update(refunds)
      .set({ state, providerRefundId: answer.id ?? refund.providerRefundId, updatedAt: clock.now() })
      .where(eq(refunds.id, refundId));
    if (state === 'failed') await undoRefund(tx, transactionScope, order, refund, answer.failureReason);
    else if (refund.state === 'asking') await recordRefundEvent(tx, clock, order, refund, refund.reason);
    if (refund.state !== 'asking') return;
    const giftCardPart = await tx.select().from(refunds).where(eq(refunds.partOfId, refundId));
    const parts = state === 'failed' ? giftCardPart : [refund, ...giftCardPart];
    if (parts.length > 0) await mailCustomer(tx, transactionScope, order, parts, refund.reason);
  });
}

/** Handles a refund that failed or came back: it no longer counts, and the customer gets its places back. */
async function undoRefund(tx: Db, scope: TransactionScope, order: Order, refund: Refund, why: string | undefined) {
  const { clock, link, ownersMailbox } = scope;
  const { id, amountCents, photosWithdrawn } = refund;
  // A canceled order stays canceled, so its frames get no places back.
  if (photosWithdrawn > 0 && order.canceledAt === null) await returnSlots(tx, clock, order.id, photosWithdrawn);
  await subtractRefundedCents(tx, clock, order.id, amountCents);
  // The customer is notified only after the provider has accepted a refund. A refund that was not accepted therefore
  // needs no correction.
  if (refund.state !== 'asking')
    await recordOrderEvent(
      tx,
      clock,
      order.id,
      'refund',
      `The refund of ${formatDollars(amountCents)} did not go through. We will find another way.`,
    );
  await queueMail(tx, scope, {
    event: `owner-refund-failed:${id}`,
    to: ownersMailbox,
    orderId: order.id,
    content: {
      kind: 'owner-refund-failed',
      orderNumber: order.orderNumber,
      customerEmail: order.email,
      amountCents,
      reason: why,
      photosReturned: (order.canceledAt === null && photosWithdrawn) || undefined,
      adminUrl: link(`/admin?tab=orders&order=${order.id}`),
    },
  });
  await updateReturnedFrames(tx, clock, order, order.refundedCents - amountCents);
}

type RefundPart = Pick<Refund, 'id' | 'amountCents' | 'photosWithdrawn'> &
  Partial<Pick<Refund, 'tellsCustomer' | 'giftCards'>>;

async function recordRefundEvent(
  tx: Db,
  clock: PaymentScope['clock'],
  order: Order,
  { amountCents, photosWithdrawn, giftCards = null }: RefundPart,
  reason?: string,
): Promise<void> {
  const photosText = photosWithdrawn > 0 ? ` Unused room for ${photosWithdrawn} photos was removed.` : '';
  const reasonText = reason === undefined ? '.' : `: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`;
  const targetText = giftCards ? ` to ${giftCardsText(giftCards)}` : '';
  const description = `Refunded ${formatDollars(amountCents)}${targetText}${reasonText}${photosText}`;
  await recordOrderEvent(tx, clock, order.id, 'refund', description);
}

/** Sends the customer one email about all parts of a refund. */
async function mailCustomer(
  tx: Db,
  scope: Pick<TransactionScope, 'clock' | 'jobs'>,
  order: Order,
  parts: RefundPart[],
  reason?: string,
): Promise<void> {
  const [{ id, tellsCustomer = true, photosWithdrawn }] = parts as [RefundPart];
  if (!tellsCustomer) return;
  const giftCardParts = parts.filter((it) => it.giftCards);
  await queueMail(tx, scope, {
    event: `refund:${id}`,
    to: order.email,
    orderId: order.id,
    content: {
      kind: 'refund',
      firstName: order.firstName,
      amountCents: sumOf(parts),
      orderNumber: order.orderNumber,
      reason,
      photosWithdrawn: photosWithdrawn || undefined,
      ...(giftCardParts.length > 0 && {
        giftCardCents: sumOf(giftCardParts),
        giftCards: giftCardParts.flatMap((it) => it.giftCards!.map(({ lastFour }) => lastFour)),
      }),
      orderUrl: { link: 'order', subjectId: order.id },
    },
  });
}

const sumOf = (parts: RefundPart[]) => parts.reduce((sum, it) => sum + it.amountCents, 0);

const giftCardsText = (cards: Pick<GiftCardShare, 'lastFour'>[]) =>
  `${cards.length === 1 ? 'the gift card' : 'the gift cards'} ending in ${cards.map((it) => it.lastFour).join(' and ')}`;

/**
 * Stores a refund that was made at the provider itself. It is counted once, and the customer is notified as of any
 * other refund.
 */
async function recordForeignRefund(
  { db, clock, jobs }: PaymentScope,
  orderId: string,
  answer: ProviderRefund,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { order, lockedFrames } = await lockFramesOf(tx, orderId);
    if (await findKnownRefund(tx, order.paymentId, answer)) return;
    const { amountCents } = answer;
    // The sum may contain a refund of the shop that the provider is about to refuse. The error makes the job retry
    // later.
    if (!(await addRefundedCents(tx, clock, orderId, amountCents)))
      throw new Error(`refund ${answer.id} of order ${order.orderNumber} is more than is left of it`);
    const isWhole = order.refundedCents + amountCents === order.totalCents;
    const photosWithdrawn = isWhole
      ? await withdrawUnusedSlots(tx, clock, await readPurchasedSlots(tx, order, lockedFrames))
      : 0;
    const now = clock.now();
    const refund = {
      id: newId(),
      paymentId: order.paymentId,
      orderId,
      amountCents,
      reason: 'Refunded at the payment provider.',
      state: toRefundState(answer),
      providerRefundId: answer.id,
      photosWithdrawn,
      createdAt: now,
      updatedAt: now,
    };
    await tx.insert(refunds).values(refund);
    await recordRefundEvent(tx, clock, order, refund);
    await mailCustomer(tx, { clock, jobs }, order, [refund]);
    await updateReturnedFrames(tx, clock, order, order.refundedCents + amountCents);
  });
}

// ---------------------------------------------------------------- reading

/** A payment with a refund always has an intent. */
const findIntentIdOf = async (db: Db, { paymentId }: Refund) => (await findPaymentById(db, paymentId))!.intentId!;

export async function findRefundById(db: Db, id: string): Promise<Refund | undefined> {
  const [refund] = await db.select().from(refunds).where(eq(refunds.id, id));
  return refund;
}
async function findKnownRefund(db: Db, paymentId: string, answer: ProviderRefund): Promise<Refund | undefined> {
  const knownRefund =
    answer.metadata[refundIdKey] === undefined ? undefined : await findRefundById(db, answer.metadata[refundIdKey]);
  if (knownRefund?.paymentId === paymentId) return knownRefund;
  const [refund] = await db.select().from(refunds).where(eq(refunds.providerRefundId, answer.id));
  return refund;
}

/** Refunds of these orders, oldest first. */
export const refundsOfOrders = createQueryByValues(refunds.orderId, (db, isAmong) =>
  db.select().from(refunds).where(isAmong).orderBy(asc(refunds.createdAt), asc(refunds.id)),
);

/** Refunds that were decided in a span of time, oldest first, in pages. */
export async function* readRefundsDecided(db: Db, { from, until }: { from: Date; until: Date }, limit = 500) {
  for (let last: Refund | undefined; ;) {
    const page: Refund[] = await db
      .select()
      .from(refunds)
      .where(
        and(
          gte(refunds.createdAt, from),
          lt(refunds.createdAt, until),
          last && sql`(${refunds.createdAt}, ${refunds.id}) > (${last.createdAt.toISOString()}, ${last.id})`,
        ),
      )
      .orderBy(asc(refunds.createdAt), asc(refunds.id))
      .limit(limit);
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    last = page.at(-1);
  }
}

// ---------------------------------------------------------------- the sweep

/** A refund without an update for this long is checked again. */
const minIdleMs = 6 * 3_600_000;
const maxPerRun = 200;

/**
 * Checks refunds again that have had no update for a long time, in case a webhook or a job was lost. Refunds with the
 * oldest update come first. Their `updatedAt` is set now, so that the next run checks other refunds.
 */
export async function sweepRefunds({ db, clock, jobs }: PaymentScope): Promise<void> {
  const refundsWithoutUpdate = await db
    .select()
    .from(refunds)
    .where(
      and(
        inArray(refunds.state, ['asking', 'pending']),
        lt(refunds.updatedAt, new Date(clock.now().getTime() - minIdleMs)),
      ),
    )
    .orderBy(asc(refunds.updatedAt))
    .limit(maxPerRun);
  for (const refund of refundsWithoutUpdate)
    await db.transaction(async (tx) => {
      const { id, state } = refund;
      await tx.update(refunds).set({ updatedAt: clock.now() }).where(eq(refunds.id, id));
      const intentId = await findIntentIdOf(tx, refund);
      if (state === 'asking') await jobs.enqueue(tx, 'ask-refund', { refundId: id }, { key: id });
      else await jobs.enqueue(tx, 'follow-refunds', { intentId }, { key: intentId });
    });
}
