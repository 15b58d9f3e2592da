import { eq } from 'drizzle-orm';
import { distributePackages, includedPhotoCounts } from '#contract/catalog.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { isCanceled } from '../orders/orders.ts';
import {
  lockFramesOf,
  isFinalized,
  isOpen,
  photoLimitOf,
  refuseIfLocked,
  freeSlotsOf,
  startProductionIfReady,
  type Frame,
} from './frames.ts';
import { frames } from './frames.sql.ts';

export type FrameSlots = Pick<Frame, 'basePhotos' | 'extraPhotos' | 'laterPhotos'>;
const photosPerPackage = includedPhotoCounts.extraPackage;

/**
 * The places that an order bought. For an order with frames: the places that its frames had from the start. For an
 * add-on order: its frame, and in `later` how many of its added places are left.
 */
export interface PurchasedSlots {
  frames: Frame[];
  later?: number | undefined;
}

/**
 * The places without a photo that an order bought in a frame. Photos fill the frame's first places before those bought
 * later.
 */
const countUnusedSlots = (frame: Frame, later: number | undefined) =>
  later === undefined ? Math.max(0, freeSlotsOf(frame) - frame.laterPhotos) : Math.min(freeSlotsOf(frame), later);
const countUnusedPackages = (frame: Frame, later?: number) =>
  Math.floor(
    Math.min(later ?? frame.extraPhotos - frame.laterPhotos, countUnusedSlots(frame, later)) / photosPerPackage,
  );

/** The places without a photo that an order bought in open frames, and the whole extra packages among them. */
export function unusedSlotsOf({ frames, later }: PurchasedSlots): { photos: number; packages: number } {
  const openFrames = frames.filter(isOpen);
  return {
    photos: openFrames.reduce((sum, it) => sum + countUnusedSlots(it, later), 0),
    packages: openFrames.reduce((sum, it) => sum + countUnusedPackages(it, later), 0),
  };
}

/**
 * Withdraws every unused place that an order bought in open frames. Photos stay and can be finalized. A frame without
 * any place becomes inactive, and its order continues without it. The frames come from `lockFramesOf`: they are locked,
 * so that no upload runs in between. Returns the number of withdrawn places.
 */
export async function withdrawUnusedSlots(tx: Db, clock: Clock, { frames, later }: PurchasedSlots): Promise<number> {
  for (const frame of frames.filter(isOpen)) {
    const unusedSlots = countUnusedSlots(frame, later);
    if (later === undefined) {
      const remainingLimit = photoLimitOf(frame) - unusedSlots;
      const basePhotos = Math.min(frame.basePhotos, remainingLimit - frame.laterPhotos);
      await setSlots(tx, frame, { ...frame, basePhotos, extraPhotos: remainingLimit - basePhotos });
    } else await setSlots(tx, frame, withLaterPhotos(frame, -unusedSlots));
  }
  if (frames[0]) await startProductionIfReady(tx, clock, frames[0].orderId);
  return unusedSlotsOf({ frames, later }).photos;
}

const withLaterPhotos = ({ basePhotos, extraPhotos, laterPhotos }: Frame, slots: number): FrameSlots => ({
  basePhotos,
  extraPhotos: extraPhotos + slots,
  laterPhotos: laterPhotos + slots,
});

/**
 * Withdraws up to `packages` unused extra packages, each from the frame with the most room. Returns the number of
 * withdrawn places.
 */
export async function withdrawPackages(tx: Db, { frames, later }: PurchasedSlots, packages: number): Promise<number> {
  const openFramesLeft = frames
    .filter(isOpen)
    .map((frame) => ({ frame, taken: 0, unused: countUnusedPackages(frame, later) }));
  let unusedPackages = 0;
  for (; unusedPackages < packages; unusedPackages++) {
    const mostUnusedFrame = openFramesLeft.reduce(
      (best, it) => (it.unused >= best.unused ? it : best),
      openFramesLeft[0]!,
    );
    if (!mostUnusedFrame || mostUnusedFrame.unused === 0) break;
    mostUnusedFrame.unused -= 1;
    mostUnusedFrame.taken += 1;
  }
  for (const { frame, taken: unusedPackages } of openFramesLeft)
    if (unusedPackages > 0)
      await setSlots(
        tx,
        frame,
        later === undefined
          ? { ...frame, extraPhotos: frame.extraPhotos - unusedPackages * photosPerPackage }
          : withLaterPhotos(frame, -unusedPackages * photosPerPackage),
      );
  return unusedPackages * photosPerPackage;
}

/**
 * Moves an extra package without photos to another open frame of the same order. It cannot move to another order,
 * because a refund withdraws the places that its order bought. The locks make uploads wait, so that the sum of places
 * stays the same.
 */
export async function movePackage(db: Db, from: Frame, toFrameId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { lockedFrames } = await lockFramesOf(tx, from.orderId);
    const sourceFrame = lockedFrames.find((it) => it.id === from.id);
    const receivingFrame = lockedFrames.find((it) => it.id === toFrameId);
    if (!sourceFrame || !receivingFrame || sourceFrame === receivingFrame) throw new Refusal('not-found');
    refuseIfLocked(sourceFrame);
    refuseIfLocked(receivingFrame);
    if (countUnusedPackages(sourceFrame) === 0) throw new Refusal('no-unused-package');
    await setSlots(tx, sourceFrame, { ...sourceFrame, extraPhotos: sourceFrame.extraPhotos - photosPerPackage });
    await setSlots(tx, receivingFrame, {
      ...receivingFrame,
      extraPhotos: receivingFrame.extraPhotos + photosPerPackage,
    });
  });
}

/**
 * Adds places that were bought later. A finalized frame is reopened for them; its finalized photos stay locked. Returns
 * false if the frame was refunded or its order was canceled in the meantime.
 */
export async function addPurchasedSlots(tx: Db, clock: Clock, frame: Frame, slots: number): Promise<boolean> {
  if (!frame.isActive || (await isCanceled(tx, frame.orderId))) return false;
  await setSlots(tx, frame, withLaterPhotos(frame, slots));
  if (isFinalized(frame)) await reopenFrame(tx, clock, frame);
  return true;
}

/** Reopens a finalized frame for new places only. `frame` is the frame before the places were added. */
export async function reopenFrame(tx: Db, clock: Clock, frame: Frame): Promise<void> {
  const sealedPhotos = frame.usedPhotos;
  const closedPhotos = photoLimitOf(frame) - sealedPhotos;
  await tx.update(frames).set({ reopenedAt: clock.now(), sealedPhotos, closedPhotos }).where(eq(frames.id, frame.id));
}

/**
 * Gives withdrawn places back after their refund has failed. Places of an add-on order go back to its frame. Otherwise
 * they go to the frames that are not finalized, or to all frames if there are none: first the twenty base places of
 * each frame, then packages, distributed as at the purchase.
 */
export async function returnSlots(tx: Db, clock: Clock, orderId: string, slots: number): Promise<void> {
  const { order, lockedFrames } = await lockFramesOf(tx, orderId);
  if (order.frameId !== null) {
    const [frame] = lockedFrames;
    if (frame) await addPurchasedSlots(tx, clock, { ...frame, isActive: true }, slots);
    return;
  }
  const openFrames = lockedFrames.filter((it) => !isFinalized(it));
  const receivingFrames = (openFrames.length > 0 ? openFrames : lockedFrames).map((frame) => ({ ...frame }));
  let left = slots;
  for (const frame of receivingFrames) {
    const returnedPlaces = Math.min(left, Math.max(0, includedPhotoCounts.device - frame.basePhotos));
    frame.basePhotos += returnedPlaces;
    left -= returnedPlaces;
  }
  const countExtraPhotosWithOrder = (it: Frame) => it.extraPhotos - it.laterPhotos;
  const extraCount = receivingFrames.reduce((sum, it) => sum + countExtraPhotosWithOrder(it), left);
  const cart = {
    productId: 'kinframe',
    quantity: receivingFrames.length,
    extraPackages: Math.ceil(extraCount / photosPerPackage),
  } as const;
  for (const [index, packages] of distributePackages(cart).entries()) {
    const returnedPlaces = Math.min(
      left,
      Math.max(0, packages * photosPerPackage - countExtraPhotosWithOrder(receivingFrames[index]!)),
    );
    receivingFrames[index]!.extraPhotos += returnedPlaces;
    left -= returnedPlaces;
  }
  if (receivingFrames[0]) receivingFrames[0].extraPhotos += left; // the rest, if packages were moved between frames
  for (const frame of receivingFrames) await setSlots(tx, frame, frame);
}

/**
 * Sets the places of a frame. The caller has locked its row. A frame without places becomes inactive, except if
 * `staysActive` is true.
 */
export async function setSlots(
  tx: Db,
  { id, reopenedAt, sealedPhotos, closedPhotos }: Frame,
  { basePhotos, extraPhotos, laterPhotos }: FrameSlots,
  { staysActive = false }: { staysActive?: boolean } = {},
): Promise<void> {
  const slotCount = basePhotos + extraPhotos;
  await tx
    .update(frames)
    .set({
      basePhotos,
      extraPhotos,
      laterPhotos,
      isActive: staysActive || slotCount > 0,
      // If no places are left for which the frame was reopened, the frame is finalized again.
      reopenedAt: slotCount > sealedPhotos + closedPhotos ? reopenedAt : null,
    })
    .where(eq(frames.id, id));
}
