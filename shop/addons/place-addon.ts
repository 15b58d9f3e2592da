import { eq, inArray, sql } from 'drizzle-orm';
import { taxBasisText } from '#contract/amount-text.ts';
import { includedPhotoCounts } from '#contract/catalog.ts';
import { refusals } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { findCustomerById } from '../accounts/accounts.ts';
import { lockCustomer } from '../accounts/lock-customer.ts';
import { createSaleEmail } from '../checkout/receipt.ts';
import { addPurchasedSlots } from '../frames/capacity.ts';
import { findFrameById, lockFramesOf, type Frame } from '../frames/frames.ts';
import { claimGiftCards, hasLostGiftCard, recordGiftCardsSpent, releaseGiftCards } from '../gift-cards/spending.ts';
import { queueMail, queueMails, type NewMail } from '../mail/mail.ts';
import { findOrderById, createOrderPlacer, recordOrderEvent, type Order } from '../orders/orders.ts';
import type { Payment } from '../payments/payments.ts';
import type { PlacingScope, PaymentPurpose } from '../payments/purpose.ts';
import { createReadableNumber } from '../readable-number.ts';
import { addons, type Addon } from './addons.sql.ts';

/**
 * Fulfills the payment for an add-on: adds places to the frame, stores a separate order, and emails the buyer and the
 * owner.
 */
export const addonPurpose: PaymentPurpose = {
  place: placeAddon,
  reserveLimited: claimAddon,
  release: (tx, _clock, addonId) => releaseGiftCards(tx, addonId),
  // The row of an add-on has no details of the buyer, so there is nothing to delete.
  deleteBuyerDetails: async () => {},
  notifyGivenBack,
};

/** The buyer of an add-on is always signed in, so no account is looked up by email. */
const placeAddonOrder = createOrderPlacer(() => sql<string | null>`null`);

/** The ids of all add-ons for these frames, paid or not. */
export async function findAddonIdsOf(db: Db, frameIds: string[]): Promise<string[]> {
  const foundRows = await db.select({ id: addons.id }).from(addons).where(inArray(addons.frameId, frameIds));
  return foundRows.map((it) => it.id);
}

export async function findAddonById(db: Db, id: string): Promise<Addon | undefined> {
  const [addon] = await db.select().from(addons).where(eq(addons.id, id));
  return addon;
}

/** Reserves the money on the gift cards before the card is charged. */
async function claimAddon(tx: Db, _clock: Clock, addonId: string): Promise<boolean> {
  const addon = await findAddonById(tx, addonId);
  if (!addon || addon.giftCardCents === 0) return addon !== undefined;
  // The same locks as in `placeAddon`, before the gift cards. A $0 payment is placed in the same transaction.
  await lockFramesOf(tx, (await findFrameById(tx, addon.frameId))!.orderId);
  await lockCustomer(tx, addon.customerId);
  return claimGiftCards(tx, addonId);
}

async function placeAddon(tx: Db, scope: PlacingScope, payment: Payment): Promise<boolean> {
  const { clock } = scope;
  const addon = (await findAddonById(tx, payment.purposeId))!;
  const { orderId } = (await findFrameById(tx, addon.frameId))!;
  const { order: orderOfFrame, lockedFrames } = await lockFramesOf(tx, orderId);
  const frame = lockedFrames.find((it) => it.id === addon.frameId)!;
  const customer = await lockCustomer(tx, addon.customerId);
  // The frame of a canceled order stays active if it has videos.
  if (!frame.isActive || orderOfFrame.canceledAt !== null || !customer) return false;
  // Usually, the gift cards paid before the card was charged. If they did not and their balance is too low now, the
  // payment is refunded.
  if (addon.giftCardCents > 0 && !(await claimGiftCards(tx, addon.id))) return false;
  const { email, firstName, lastName } = customer;
  const { id, frameId, packages, customerId, lines, subtotalCents, taxCents, taxRate, taxJurisdiction } = addon;
  const order = await placeAddonOrder(tx, clock, {
    orderNumber: createReadableNumber('KF'),
    customerId,
    email,
    firstName,
    lastName,
    phone: null,
    phoneE164: null,
    shippingAddress: null,
    gift: null,
    productType: 'photo-bundle',
    quantity: 0, // an add-on order has no frames
    extraPackages: packages,
    lines,
    subtotalCents,
    discountCents: 0,
    promoCode: null,
    taxCents,
    taxRate,
    taxJurisdiction,
    totalCents: addon.totalCents,
    giftCardCents: addon.giftCardCents,
    frameId,
    checkoutId: id,
    paymentId: payment.id,
    stripePaymentIntentId: payment.intentId!,
  });
  if (!order) return false;
  if (order.giftCardCents > 0) await recordGiftCardsSpent(tx, addon.id, order.id);
  const placeCount = packages * includedPhotoCounts.extraPackage;
  await addPurchasedSlots(tx, clock, frame, placeCount);
  const text = `Room for ${placeCount} more photos added to ${frame.name} with order ${order.orderNumber}.`;
  await recordOrderEvent(tx, clock, orderId, 'add-on', text);
  await mailReceipt(tx, scope, order, frame);
  return true;
}

/** Queues the buyer's receipt and the owner's email about the sale. */
async function mailReceipt(
  tx: Db,
  { clock, jobs, link, ownersMailbox }: PlacingScope,
  order: Order,
  frame: Frame,
): Promise<void> {
  const { orderNumber, extraPackages: packages, subtotalCents, taxCents, totalCents, giftCardCents } = order;
  const taxLabel = taxBasisText(order) || undefined;
  const orderedAt = order.createdAt.toISOString();
  const receipt: NewMail = {
    event: `addon-receipt:${order.id}`,
    to: order.email,
    orderId: order.id,
    content: {
      kind: 'addon-receipt',
      customerFirstName: order.firstName,
      orderNumber,
      orderedAt,
      frameNames: [frame.name],
      packages,
      photosAdded: packages * includedPhotoCounts.extraPackage,
      subtotalCents,
      taxCents,
      taxLabel,
      totalCents,
      ...(giftCardCents > 0 && { giftCardCents }),
      uploadUrl: link(`/upload?frameId=${frame.id}`),
      orderUrl: { link: 'order', subjectId: order.id },
    },
  };
  await queueMails(tx, { jobs, clock }, [receipt, createSaleEmail({ link, ownersMailbox }, order)]);
  await jobs.enqueue(tx, 'announce-sale', { orderId: order.id });
}

/**
 * Notifies the customer that this payment is refunded because the frame was refunded or its order was canceled before
 * it.
 */
async function notifyGivenBack(tx: Db, { jobs, clock }: PlacingScope, payment: Payment): Promise<void> {
  const addon = (await findAddonById(tx, payment.purposeId))!;
  const frame = (await findFrameById(tx, addon.frameId))!;
  const customer = await findCustomerById(tx, addon.customerId);
  const order = await findOrderById(tx, frame.orderId);
  if (!customer || !order) return;
  // The gift cards have their money again, unless the payment was refunded because they did not have it.
  const giftCardCents = (await hasLostGiftCard(tx, addon.id)) ? 0 : addon.giftCardCents;
  await queueMail(
    tx,
    { jobs, clock },
    {
      event: `addon-given-back:${payment.id}`,
      to: customer.email,
      orderId: order.id,
      content: {
        kind: 'refund',
        firstName: customer.firstName,
        amountCents: payment.amountCents + giftCardCents,
        ...(giftCardCents > 0 && { giftCardCents }),
        orderNumber: order.orderNumber,
        reason: refusals['frame-refunded'].words,
        orderUrl: { link: 'order', subjectId: order.id },
      },
    },
  );
}
