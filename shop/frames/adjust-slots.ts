import { includedPhotoCounts } from '#contract/catalog.ts';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { reopenFrame, setSlots } from './capacity.ts';
import { isFinalized, isOpen, photoLimitOf, freeSlotsOf, type Frame } from './frames.ts';

const photosPerPackage = includedPhotoCounts.extraPackage;
const sumOf = (frames: Frame[], of: (frame: Frame) => number) => frames.reduce((sum, it) => sum + of(it), 0);
const limitOfAll = (frames: Frame[]) => sumOf(frames, photoLimitOf);

/**
 * The sums over several frames. The limit of all the frames together is always basePhotos + 10 for each of
 * extraPackages, even after moves and refunds.
 */
export interface SlotTotals {
  basePhotos: number;
  extraPackages: number;
  usedPhotos: number;
}
export function sumOfSlots(all: Frame[]): SlotTotals {
  const frames = all.filter((it) => it.isActive);
  const extraPackages = Math.floor(sumOf(frames, (it) => it.extraPhotos) / photosPerPackage);
  return {
    basePhotos: limitOfAll(frames) - extraPackages * photosPerPackage,
    extraPackages,
    usedPhotos: sumOf(frames, (it) => it.usedPhotos),
  };
}

/**
 * Adds or removes places of one customer's frames until the sums are as the owner requested. New places go to frames
 * that wait for photos first. A finalized frame is reopened for new places, as for an add-on. A frame of a canceled
 * order gets no places. Only places without a photo are removed. `lockedFrames` comes from `lockFramesOf`: the frames
 * are locked, so that no upload runs in between. Returns all the frames with their new places.
 */
export async function adjustSlots(
  tx: Db,
  clock: Clock,
  lockedFrames: Frame[],
  wish: Partial<Pick<SlotTotals, 'basePhotos' | 'extraPackages'>>,
  isCanceled: (frame: Frame) => boolean,
): Promise<Frame[]> {
  const slotsAfter = computeSlotsAfterOwnerChange(lockedFrames, wish, isCanceled);
  for (const [index, frame] of lockedFrames.entries()) {
    const slots = slotsAfter[index]!;
    if (photoLimitOf(slots) === photoLimitOf(frame) && slots.extraPhotos === frame.extraPhotos) continue;
    await setSlots(tx, frame, slots, { staysActive: true });
    if (isFinalized(frame)) await reopenFrame(tx, clock, frame);
  }
  return slotsAfter;
}

/** Calculates the new places without writing them. Refuses sums that are impossible. */
export function computeSlotsAfterOwnerChange(
  all: Frame[],
  { basePhotos, extraPackages }: Parameters<typeof adjustSlots>[3],
  isCanceled: (frame: Frame) => boolean = () => false,
): Frame[] {
  const framesAfter = all.map((it) => ({ ...it }));
  const frames = framesAfter.filter((it) => it.isActive);
  const totalsBefore = sumOfSlots(frames);
  const addedPlaces = {
    base: (basePhotos ?? totalsBefore.basePhotos) - totalsBefore.basePhotos,
    packages: (extraPackages ?? totalsBefore.extraPackages) - totalsBefore.extraPackages,
  };
  if (frames.length === 0 && (addedPlaces.base !== 0 || addedPlaces.packages !== 0))
    throw new Refusal('no-frame-for-places');
  // Remove places before adding places. Otherwise the places added here could be removed again.
  if (addedPlaces.base < 0) removeBaseSlots(frames, -addedPlaces.base, totalsBefore);
  if (addedPlaces.packages < 0) removePackages(frames, -addedPlaces.packages, totalsBefore);
  const receivingFrames = frames.filter((it) => !isCanceled(it));
  if (frames.length > 0 && receivingFrames.length === 0 && (addedPlaces.base > 0 || addedPlaces.packages > 0))
    throw new Refusal('order-canceled');
  if (addedPlaces.base > 0) chooseReceivingFrame(receivingFrames, addedPlaces.base).basePhotos += addedPlaces.base;
  for (let left = addedPlaces.packages; left > 0; left--) {
    const receivingFrame = chooseReceivingFrame(receivingFrames, photosPerPackage);
    receivingFrame.extraPhotos += photosPerPackage;
    // On a finalized frame these places count as bought later: a refund of the frame's order does not withdraw them,
    // and they wait for photos.
    if (receivingFrame.finalizedAt !== null) receivingFrame.laterPhotos += photosPerPackage;
  }
  return framesAfter;
}

/**
 * Returns the frame that gets more places: frames that wait for photos come before finalized ones, then the one with
 * the fewest places.
 */
function chooseReceivingFrame(frames: Frame[], slots: number): Frame {
  const receivingFrames = frames.filter((it) => photoLimitOf(it) + slots <= limits.mostPhotosOfFrame);
  const computeClosingRank = (it: Frame) => (it.finalizedAt === null ? 0 : isOpen(it) ? 1 : 2);
  const [first] = receivingFrames.toSorted(
    (a, b) => computeClosingRank(a) - computeClosingRank(b) || photoLimitOf(a) - photoLimitOf(b),
  );
  if (!first) throw new Refusal('frame-takes-no-more');
  return first;
}

/** Removes base places, from the last frame first, because extra packages are distributed from the first frame on. */
function removeBaseSlots(frames: Frame[], slots: number, now: SlotTotals): void {
  const countFreeSlots = (it: Frame) => (isOpen(it) ? Math.min(it.basePhotos, freeSlotsOf(it)) : 0);
  const removableSlots = sumOf(frames, countFreeSlots);
  if (slots > removableSlots)
    throw new Refusal('places-in-use', { what: 'base photos', least: now.basePhotos - removableSlots });
  let left = slots;
  for (const frame of frames.toReversed()) {
    const removedPlaces = Math.min(left, countFreeSlots(frame));
    frame.basePhotos -= removedPlaces;
    left -= removedPlaces;
  }
}

function removePackages(frames: Frame[], packages: number, now: SlotTotals): void {
  const countFreeSlots = (it: Frame) =>
    isOpen(it) ? Math.floor(Math.min(it.extraPhotos, freeSlotsOf(it)) / photosPerPackage) : 0;
  const removablePackages = sumOf(frames, countFreeSlots);
  if (packages > removablePackages)
    throw new Refusal('places-in-use', { what: 'extra packages', least: now.extraPackages - removablePackages });
  for (let left = packages; left > 0; left--) {
    const sourceFrame = frames.reduce((best, it) => (countFreeSlots(it) > countFreeSlots(best) ? it : best));
    sourceFrame.extraPhotos -= photosPerPackage;
    sourceFrame.laterPhotos = Math.min(sourceFrame.laterPhotos, sourceFrame.extraPhotos);
  }
}
