import type { CancelBody } from '#contract/cancel-forms.ts';
import type { Cancellation } from '#contract/owner/orders.ts';
import { Refusal } from '#contract/refusals.ts';
import type { output } from 'zod/mini';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import { countCollectLinks, endCollectLinksOf, lockCollectLinks } from '../collect-links/collect-links.ts';
import { closeCanceledFrame, readFramesOfOrders, isOpen, lockOrdersWithFrames, type Frame } from '../frames/frames.ts';
import { erasePhotosAndVideosOfOrder, lockLinksOf, type ErasureScope } from '../retention/erasure.ts';
import { queueMail } from '../mail/mail.ts';
import {
  addOnOrdersOf,
  changeOrder,
  isFullyRefunded,
  findOrderById,
  readOrdersOf,
  recordOrderEvent,
  type Order,
} from '../orders/orders.ts';
import { isShippable } from '../orders/owner-edits.ts';
import { removeArrivals } from '../photos/arrivals.ts';
import { photosOfFrames } from '../photos/photos.ts';
import type { CardPayments } from '../ports/card-payments.ts';
import type { Db } from '../ports/database.ts';
import type { Storage } from '../ports/storage.ts';
import {
  countUndeliveredVideos,
  listFilesOfVideo,
  findFramesWithVideos,
  deleteUndeliveredVideos,
  videosOfFrames,
} from '../production/production.ts';
import { returnFramesToStock } from '../refunds/returned-frames.ts';
import {
  calculateGiftCardPart,
  readChargedCard,
  calculateRefundableCents,
  findRefundById,
  refundRemaining,
} from '../refunds/refunds.ts';
import { findValidTokens, revokeTokens } from '../tokens/tokens.ts';

type CancelScope = ErasureScope & { storage: Storage };

/** Returns what canceling an order would do now. */
export async function offerCancellation(
  { db, clock, provider }: Pick<ErasureScope, 'db' | 'clock'> & { provider: CardPayments },
  orderId: string,
): Promise<Cancellation> {
  const order = await findOrderById(db, orderId);
  if (!order) throw new Refusal('not-found');
  const frames = await readFramesOfOrders(db, [orderId]);
  const ids = frames.map((it) => it.id);
  const refunds = await readRefundsDue(db, [order, ...(await addOnOrdersOf(db, ids))]);
  const unfinishedVideos = await countUndeliveredVideos(db, frames);
  return {
    refusal: findRefusalOfCancellation(order, refunds[0]!.amount),
    refunds: refunds
      .filter(({ amount }) => amount > 0)
      .map(({ order: { id, orderNumber, totalCents, taxCents }, amount }) => ({
        orderNumber,
        amount,
        paidAmount: totalCents,
        taxAmount: taxCents,
        isAddOn: id !== orderId,
      })),
    refundAmount: sumOf(refunds),
    giftCardAmount: await calculateGiftCardPart(db, order, refunds[0]!.amount),
    card: await readChargedCard(provider, order),
    photos: (await photosOfFrames(db, ids)).length,
    deliveredVideos: (await videosOfFrames(db, ids)).length - unfinishedVideos,
    unfinishedVideos,
    collectLinks: await countCollectLinks(db, clock, ids),
    uploadLinks: order.customerId === null ? 0 : (await findValidTokens(db, 'upload-link', order.customerId)).length,
    endsUploadLinks: !(await hasOtherOpenFrame(db, order, ids)),
  };
}

/**
 * Cancels an open order in one transaction: refunds the rest of the order and of the add-ons for its frames, stops the
 * production of its videos, ends its links, closes its frames, and erases or keeps the photos. A second call with the
 * same key does nothing. Of two calls with different keys, the second is refused.
 */
export async function cancelOrder(
  scope: CancelScope,
  orderId: string,
  { reason, photos, tellCustomer, refundAmount, key }: output<typeof CancelBody>,
  by: AuditAuthor,
): Promise<void> {
  const { db, clock } = scope;
  const filesToDelete = await db.transaction(async (tx) => {
    const foundOrder = await findOrderById(tx, orderId);
    if (!foundOrder) throw new Refusal('not-found');
    const { order, frames, addOns } = await lockAllOf(tx, foundOrder);
    const sameRefund = await findRefundById(tx, key);
    if (sameRefund?.orderId === orderId && order.canceledAt !== null) return [];
    if (sameRefund) throw new Refusal('invalid-request');
    const dueRefunds = await readRefundsDue(tx, [order, ...addOns]);
    const refusal = findRefusalOfCancellation(order, dueRefunds[0]!.amount);
    if (refusal) throw new Refusal(refusal);
    if (sumOf(dueRefunds) !== refundAmount) throw new Refusal('cancel-changed');

    let giftCardCents = 0;
    for (const dueRefund of dueRefunds) {
      await changeOrder(tx, clock, dueRefund.order.id, { canceledAt: clock.now() });
      await recordOrderEvent(
        tx,
        clock,
        dueRefund.order.id,
        'canceled',
        `Order canceled: ${endWithPunctuation(reason, '.')}`,
      );
      const refundParts = await refundRemaining(tx, scope, dueRefund.order, {
        id: dueRefund.order.id === orderId ? key : newId(),
        reason,
      });
      giftCardCents += refundParts.giftCardCents;
    }
    const links = await endLinks(tx, scope, order, idsOf(frames));
    const photosBefore = await photosOfFrames(tx, idsOf(frames));
    const unneededFiles =
      photos === 'keep'
        ? await closeFramesKeepingPhotos(tx, scope, frames)
        : await eraseFrames(tx, scope, order, frames);
    if (tellCustomer && order.email)
      await queueMail(tx, scope, {
        event: `order-canceled:${orderId}`,
        to: order.email,
        orderId,
        content: {
          kind: 'order-canceled',
          firstName: order.firstName,
          orderNumber: order.orderNumber,
          reason,
          amountCents: refundAmount,
          giftCardCents: giftCardCents || undefined,
          photos: photosBefore.length === 0 ? 'none' : photos === 'keep' ? 'kept' : 'erased',
          orderUrl: { link: 'order', subjectId: orderId },
        },
      });
    await recordAuditEntry(tx, clock, {
      act: 'cancel-order',
      subjectId: orderId,
      before: { status: order.status, refundedCents: order.refundedCents },
      after: {
        reason,
        photos,
        tellCustomer,
        refunds: dueRefunds.map((it) => ({ orderNumber: it.order.orderNumber, amountCents: it.amount })),
        ...links,
      },
      ...by,
    });
    await returnFramesToStock(tx, clock, order);
    return unneededFiles;
  });
  // A file that cannot be deleted here is no longer named by any row, so the sweep of unreferenced files deletes it.
  await Promise.allSettled(filesToDelete.map((it) => scope.storage.delete(it)));
}

const idsOf = (rows: { id: string }[]) => rows.map((it) => it.id);
const endWithPunctuation = (words: string, mark: string) => (/[.!?]$/.test(words) ? words : words + mark);

/** Why an order cannot be canceled; null if it can be. `amount` is what is left to refund of it. */
function findRefusalOfCancellation(order: Order, amount: number): Cancellation['refusal'] {
  if (order.canceledAt !== null) return 'order-canceled';
  if (order.frameId !== null) return 'cancel-add-on';
  if (order.shippedAt !== null || order.status === 'shipped') return 'cancel-shipped';
  if (order.status === 'completed' && !isShippable(order)) return 'cancel-complete';
  if (isFullyRefunded(order)) return 'nothing-to-refund';
  return amount === 0 ? 'payment-disputed' : null;
}

interface DueRefund {
  order: Order;
  amount: number;
}
const sumOf = (dueRefunds: DueRefund[]) => dueRefunds.reduce((sum, it) => sum + it.amount, 0);

async function readRefundsDue(db: Db, orders: Order[]): Promise<DueRefund[]> {
  const dueRefunds: DueRefund[] = [];
  for (const order of orders) dueRefunds.push({ order, amount: await calculateRefundableCents(db, order) });
  return dueRefunds;
}

/**
 * Locks the links, then the add-ons' orders, then the order with its frames. Refuses if an add-on was paid or the order
 * got another owner in the meantime, because its rows are then not locked.
 */
async function lockAllOf(tx: Db, found: Order): Promise<{ order: Order; frames: Frame[]; addOns: Order[] }> {
  const framesBefore = await readFramesOfOrders(tx, [found.id]);
  const addOnsBefore = await addOnOrdersOf(tx, idsOf(framesBefore));
  if (found.customerId === null) await lockCollectLinks(tx, idsOf(framesBefore));
  else await lockLinksOf(tx, found.customerId, [found]);
  if (found.frameId !== null) throw new Refusal('cancel-add-on');
  const [locked] = await lockOrdersWithFrames(tx, [...addOnsBefore, found]);
  const { order, frames } = locked!;
  const addOns = await addOnOrdersOf(tx, idsOf(frames));
  if (order.customerId !== found.customerId || addOns.length !== addOnsBefore.length)
    throw new Refusal('cancel-changed');
  return { order, frames, addOns };
}

/** Keeps the photos and delivered videos. Returns the files of everything else. */
async function closeFramesKeepingPhotos(tx: Db, { clock }: CancelScope, frames: Frame[]): Promise<string[]> {
  const files: string[] = [];
  for (const frame of frames) {
    files.push(...(await deleteUndeliveredVideos(tx, frame)).flatMap(listFilesOfVideo));
    files.push(...(await removeArrivals(tx, frame.id)));
  }
  const frameIdsWithVideos = await findFramesWithVideos(tx, frames);
  for (const frame of frames) {
    await revokeTokens(tx, clock, 'proof', frame.id);
    await closeCanceledFrame(tx, clock, frame, frameIdsWithVideos.has(frame.id));
  }
  return files;
}

/** Erases the photos and videos. A job deletes their files. */
async function eraseFrames(tx: Db, scope: CancelScope, order: Order, frames: Frame[]): Promise<string[]> {
  await erasePhotosAndVideosOfOrder(tx, scope, { order, frames });
  for (const frame of frames) await closeCanceledFrame(tx, scope.clock, frame, false);
  return [];
}

async function endLinks(tx: Db, { clock }: CancelScope, order: Order, frameIds: string[]) {
  const collectLinks = await endCollectLinksOf(tx, clock, frameIds);
  const { customerId } = order;
  const endsUploadLinks = customerId !== null && !(await hasOtherOpenFrame(tx, order, frameIds));
  const uploadLinks = endsUploadLinks ? (await revokeTokens(tx, clock, 'upload-link', customerId)).length : 0;
  return { collectLinks, uploadLinks };
}

/** Whether the customer can add photos to a frame of another order. Upload links then stay open. */
async function hasOtherOpenFrame(db: Db, { customerId }: Order, frameIds: string[]): Promise<boolean> {
  if (customerId === null) return false;
  const allFrames = await readFramesOfOrders(db, idsOf(await readOrdersOf(db, customerId)));
  return allFrames.some((it) => isOpen(it) && !frameIds.includes(it.id));
}
