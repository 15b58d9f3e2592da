import { eq } from 'drizzle-orm';
import { dealPackages, photosIncluded } from '#contract/catalog.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports.ts';
import { holdFramesOf, isOpen, refuseIfLocked, remainingOf, type Frame } from './frames.ts';
import { frames } from './frames.sql.ts';

type Places = Pick<Frame, 'basePhotos' | 'extraPhotos'>;
const packageOf = photosIncluded.extraPackage;

const unusedPackagesOf = (frame: Frame) => Math.floor(Math.min(frame.extraPhotos, remainingOf(frame)) / packageOf);

/** Room without a photo in an order's open frames, and the whole extra packages among it. */
export function unusedIn(framesOfOrder: Frame[]): { photos: number; packages: number } {
  const open = framesOfOrder.filter(isOpen);
  return {
    photos: open.reduce((sum, it) => sum + remainingOf(it), 0),
    packages: open.reduce((sum, it) => sum + unusedPackagesOf(it), 0),
  };
}

/**
 * Take every unused place of an order's open frames back. What has a photo stays and can be finalized; a frame without
 * any is no longer active. `held` are its frames as `holdFramesOf` gave them, so no upload comes between. Answers the
 * number of places.
 */
export async function withdrawUnused(tx: Db, held: Frame[]): Promise<number> {
  for (const frame of held.filter(isOpen)) {
    const basePhotos = Math.min(frame.basePhotos, frame.usedPhotos);
    await setPlaces(tx, frame, { basePhotos, extraPhotos: frame.usedPhotos - basePhotos });
  }
  return unusedIn(held).photos;
}

/** Take up to this many unused extra packages back, each from the frame with the most room. Answers the number of places. */
export async function withdrawPackages(tx: Db, held: Frame[], packages: number): Promise<number> {
  const left = held.filter(isOpen).map((frame) => ({ frame, taken: 0, unused: unusedPackagesOf(frame) }));
  let taken = 0;
  for (; taken < packages; taken++) {
    const fullest = left.reduce((best, it) => (it.unused >= best.unused ? it : best), left[0]!);
    if (!fullest || fullest.unused === 0) break;
    fullest.unused -= 1;
    fullest.taken += 1;
  }
  for (const { frame, taken } of left)
    if (taken > 0)
      await setPlaces(tx, frame, { basePhotos: frame.basePhotos, extraPhotos: frame.extraPhotos - taken * packageOf });
  return taken * packageOf;
}

/**
 * Move an extra package that is still empty to another open frame of the same order: a refund takes back what its order
 * bought. Uploads wait meanwhile, so a place is in one frame or the other, and the sum stays.
 */
export async function movePackage(db: Db, from: Frame, toFrameId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const held = await holdFramesOf(tx, from.orderId);
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
 * Put withdrawn places back after all, because their money never left: first every frame's own twenty, then packages,
 * dealt as they are bought.
 */
export async function returnPlaces(tx: Db, orderId: string, places: number): Promise<void> {
  const held = await holdFramesOf(tx, orderId);
  const open = held.filter((it) => it.finalizedAt === null);
  const takers = (open.length > 0 ? open : held).map((frame) => ({ ...frame }));
  let left = places;
  for (const frame of takers) {
    const back = Math.min(left, Math.max(0, photosIncluded.device - frame.basePhotos));
    frame.basePhotos += back;
    left -= back;
  }
  const extras = takers.reduce((sum, it) => sum + it.extraPhotos, left);
  const cart = {
    productId: 'kinframe',
    quantity: takers.length,
    extraPackages: Math.ceil(extras / packageOf),
  } as const;
  for (const [index, packages] of dealPackages(cart).entries()) {
    const back = Math.min(left, Math.max(0, packages * packageOf - takers[index]!.extraPhotos));
    takers[index]!.extraPhotos += back;
    left -= back;
  }
  if (takers[0]) takers[0].extraPhotos += left; // packages had been moved between frames
  for (const frame of takers) await setPlaces(tx, frame, frame);
}

async function setPlaces(tx: Db, { id }: Frame, { basePhotos, extraPhotos }: Places): Promise<void> {
  await tx
    .update(frames)
    .set({ basePhotos, extraPhotos, isActive: basePhotos + extraPhotos > 0 })
    .where(eq(frames.id, id));
}
