import { eq } from 'drizzle-orm';
import { dealPackages, photosIncluded } from '#contract/catalog.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import {
  holdFramesOf,
  isFinalized,
  isOpen,
  limitOf,
  refuseIfLocked,
  remainingOf,
  startIfAllIn,
  type Frame,
} from './frames.ts';
import { frames } from './frames.sql.ts';

export type Places = Pick<Frame, 'basePhotos' | 'extraPhotos' | 'laterPhotos'>;
const packageOf = photosIncluded.extraPackage;

/** What an order bought: its frames, or so many places that were added to one later and are still there. */
export interface Bought {
  frames: Frame[];
  later?: number | undefined;
}

/** Photos take the frame's own places first, then what was bought later. */
const unusedOf = (frame: Frame, later: number | undefined) =>
  later === undefined ? Math.max(0, remainingOf(frame) - frame.laterPhotos) : Math.min(remainingOf(frame), later);
const unusedPackagesOf = (frame: Frame, later?: number) =>
  Math.floor(Math.min(later ?? frame.extraPhotos - frame.laterPhotos, unusedOf(frame, later)) / packageOf);

/** Room without a photo that an order bought in open frames, and the whole extra packages among it. */
export function unusedIn({ frames, later }: Bought): { photos: number; packages: number } {
  const open = frames.filter(isOpen);
  return {
    photos: open.reduce((sum, it) => sum + unusedOf(it, later), 0),
    packages: open.reduce((sum, it) => sum + unusedPackagesOf(it, later), 0),
  };
}

/**
 * Take every unused place that an order bought in open frames back. What has a photo stays and can be finalized; a frame
 * without any place is no longer active, and its order goes on without it. The frames are as `holdFramesOf` gave them, so
 * no upload comes between. Answers the number of places.
 */
export async function withdrawUnused(tx: Db, clock: Clock, { frames, later }: Bought): Promise<number> {
  for (const frame of frames.filter(isOpen)) {
    const taken = unusedOf(frame, later);
    if (later === undefined) {
      const left = limitOf(frame) - taken;
      const basePhotos = Math.min(frame.basePhotos, left - frame.laterPhotos);
      await setPlaces(tx, frame, { ...frame, basePhotos, extraPhotos: left - basePhotos });
    } else await setPlaces(tx, frame, withLater(frame, -taken));
  }
  if (frames[0]) await startIfAllIn(tx, clock, frames[0].orderId);
  return unusedIn({ frames, later }).photos;
}

const withLater = ({ basePhotos, extraPhotos, laterPhotos }: Frame, places: number): Places => ({
  basePhotos,
  extraPhotos: extraPhotos + places,
  laterPhotos: laterPhotos + places,
});

/** Take up to this many unused extra packages back, each from the frame with the most room. Answers the number of places. */
export async function withdrawPackages(tx: Db, { frames, later }: Bought, packages: number): Promise<number> {
  const left = frames.filter(isOpen).map((frame) => ({ frame, taken: 0, unused: unusedPackagesOf(frame, later) }));
  let taken = 0;
  for (; taken < packages; taken++) {
    const fullest = left.reduce((best, it) => (it.unused >= best.unused ? it : best), left[0]!);
    if (!fullest || fullest.unused === 0) break;
    fullest.unused -= 1;
    fullest.taken += 1;
  }
  for (const { frame, taken } of left)
    if (taken > 0)
      await setPlaces(
        tx,
        frame,
        later === undefined
          ? { ...frame, extraPhotos: frame.extraPhotos - taken * packageOf }
          : withLater(frame, -taken * packageOf),
      );
  return taken * packageOf;
}

/**
 * Move an extra package that is still empty to another open frame of the same order: a refund takes back what its order
 * bought. Uploads wait meanwhile, so a place is in one frame or the other, and the sum stays.
 */
export async function movePackage(db: Db, from: Frame, toFrameId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { held } = await holdFramesOf(tx, from.orderId);
    const giver = held.find((it) => it.id === from.id);
    const taker = held.find((it) => it.id === toFrameId);
    if (!giver || !taker || giver === taker) throw new Refusal('not-found');
    refuseIfLocked(giver);
    refuseIfLocked(taker);
    if (unusedPackagesOf(giver) === 0) throw new Refusal('no-unused-package');
    await setPlaces(tx, giver, { ...giver, extraPhotos: giver.extraPhotos - packageOf });
    await setPlaces(tx, taker, { ...taker, extraPhotos: taker.extraPhotos + packageOf });
  });
}

/**
 * Add places that were bought later. A finalized frame is opened for them: what it holds stays as it is. False where the
 * frame was given back meanwhile.
 */
export async function addLaterPlaces(tx: Db, clock: Clock, frame: Frame, places: number): Promise<boolean> {
  if (!frame.isActive) return false;
  await setPlaces(tx, frame, withLater(frame, places));
  if (isFinalized(frame)) await reopen(tx, clock, frame);
  return true;
}

/** Open a finalized frame, as it was before places were added, for those alone. */
export async function reopen(tx: Db, clock: Clock, frame: Frame): Promise<void> {
  const sealedPhotos = frame.usedPhotos;
  const closedPhotos = limitOf(frame) - sealedPhotos;
  await tx.update(frames).set({ reopenedAt: clock.now(), sealedPhotos, closedPhotos }).where(eq(frames.id, frame.id));
}

/**
 * Put withdrawn places back after all, because their money never left: what was bought later into its frame; else first
 * every frame's own twenty, then packages, dealt as they are bought.
 */
export async function returnPlaces(tx: Db, clock: Clock, orderId: string, places: number): Promise<void> {
  const { order, held } = await holdFramesOf(tx, orderId);
  if (order.frameId !== null) {
    const [frame] = held;
    if (frame) await addLaterPlaces(tx, clock, { ...frame, isActive: true }, places);
    return;
  }
  const open = held.filter((it) => !isFinalized(it));
  const takers = (open.length > 0 ? open : held).map((frame) => ({ ...frame }));
  let left = places;
  for (const frame of takers) {
    const back = Math.min(left, Math.max(0, photosIncluded.device - frame.basePhotos));
    frame.basePhotos += back;
    left -= back;
  }
  const ownExtras = (it: Frame) => it.extraPhotos - it.laterPhotos;
  const extras = takers.reduce((sum, it) => sum + ownExtras(it), left);
  const cart = {
    productId: 'kinframe',
    quantity: takers.length,
    extraPackages: Math.ceil(extras / packageOf),
  } as const;
  for (const [index, packages] of dealPackages(cart).entries()) {
    const back = Math.min(left, Math.max(0, packages * packageOf - ownExtras(takers[index]!)));
    takers[index]!.extraPhotos += back;
    left -= back;
  }
  if (takers[0]) takers[0].extraPhotos += left; // packages had been moved between frames
  for (const frame of takers) await setPlaces(tx, frame, frame);
}

/** Of a frame whose row is held. One without any place is no longer active, unless it is `kept`. */
export async function setPlaces(
  tx: Db,
  { id, reopenedAt, sealedPhotos, closedPhotos }: Frame,
  { basePhotos, extraPhotos, laterPhotos }: Places,
  { kept = false }: { kept?: boolean } = {},
): Promise<void> {
  const places = basePhotos + extraPhotos;
  await tx
    .update(frames)
    .set({
      basePhotos,
      extraPhotos,
      laterPhotos,
      isActive: kept || places > 0,
      // Opened for places that are not there any more, it is as final as before.
      reopenedAt: places > sealedPhotos + closedPhotos ? reopenedAt : null,
    })
    .where(eq(frames.id, id));
}
