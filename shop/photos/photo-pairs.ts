import { and, eq, inArray, or } from 'drizzle-orm';
import { isUpright } from '#contract/crop.ts';
import type { PhotoPairForm } from '#contract/photo-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { lockFrame, refuseIfLocked } from '../frames/frames.ts';
import { uploads, type Upload } from './photos.sql.ts';
import { photosOfFrames, queuePreviews, computeShownSize, type PhotoScope } from './photos.ts';

const isUprightPhoto = (photo: Upload) => isUpright(computeShownSize(photo));

/** The photos of a frame that share a video with the photo on their left, by the id of that photo. */
export function mapRightPhotosByLeft(photos: readonly Upload[]): Map<string, Upload> {
  const ids = new Set(photos.map((it) => it.id));
  return new Map(
    photos.flatMap((it) => (it.shownWithId !== null && ids.has(it.shownWithId) ? [[it.shownWithId, it]] : [])),
  );
}

/**
 * Returns the ids of the next two photos of a frame that the shop suggests to show side by side: upright photos in the
 * customer's order that have no pair yet and were not already suggested.
 *
 * @param isLocked whether a photo was finalized before its frame was reopened
 */
export function suggestPair(
  photos: readonly Upload[],
  isLocked: (photo: Upload) => boolean,
): [left: string, right: string] | null {
  const rightsByLeft = mapRightPhotosByLeft(photos);
  const rightPhotoIds = new Set(Array.from(rightsByLeft.values(), (it) => it.id));
  const [left, right] = photos.filter(
    (it) =>
      !it.isShownAlone &&
      it.waitingSince === null &&
      !rightsByLeft.has(it.id) &&
      !rightPhotoIds.has(it.id) &&
      isUprightPhoto(it) &&
      !isLocked(it),
  );
  return left && right ? [left.id, right.id] : null;
}

/**
 * Shows two photos of an open frame side by side in one video, or each of them alone. Earlier pairs of these photos
 * end. Photos that are shown alone are not suggested again.
 *
 * @param lockedAmong returns those that were finalized before their frame was reopened; called while the frame is
 * locked
 */
export async function changePhotoPair(
  scope: Pick<PhotoScope, 'db' | 'jobs' | 'hasPreviews'>,
  frameId: string,
  { leftId, rightId, isPair }: PhotoPairForm,
  lockedAmong: (tx: Db, ids: string[]) => Promise<Pick<ReadonlySet<string>, 'has'>>,
): Promise<void> {
  await scope.db.transaction(async (tx) => {
    const frame = await lockFrame(tx, frameId);
    refuseIfLocked(frame);
    const ids = [leftId, rightId];
    const photos = (await photosOfFrames(tx, [frameId])).filter((it) => ids.includes(it.id));
    if (photos.length < 2) throw new Refusal('not-found');
    const lockedIds = await lockedAmong(tx, ids);
    if (ids.some((id) => lockedIds.has(id))) throw new Refusal('frame-finalized');
    if (isPair && !photos.every((it) => isUprightPhoto(it) && it.waitingSince === null))
      throw new Refusal('not-a-pair');
    await endPairsOf(tx, ids);
    await tx.update(uploads).set({ isShownAlone: !isPair }).where(inArray(uploads.id, ids));
    if (isPair) await tx.update(uploads).set({ shownWithId: leftId }).where(eq(uploads.id, rightId));
    await queuePreviews(tx, scope, frame.orderId);
  });
}

/** Ends the pairs of these photos, so that each photo gets its own video. The caller has locked their frame. */
export const endPairsOf = (tx: Db, ids: string[]) =>
  tx
    .update(uploads)
    .set({ shownWithId: null })
    .where(or(inArray(uploads.id, ids), inArray(uploads.shownWithId, ids)));

/** Ends the pair of a photo that is no longer upright. The caller has locked its frame. */
export async function endPairUnlessUpright(tx: Db, photo: Upload): Promise<void> {
  if (!isUprightPhoto(photo)) await endPairsOf(tx, [photo.id]);
}

/** Puts a new photo into the pair of the photo that it replaces. The caller has locked their frame. */
export async function replaceInPair(tx: Db, before: Upload, photo: Upload): Promise<void> {
  await tx.update(uploads).set({ shownWithId: null }).where(eq(uploads.id, before.id));
  if (before.shownWithId !== null)
    await tx.update(uploads).set({ shownWithId: before.shownWithId }).where(eq(uploads.id, photo.id));
  await tx
    .update(uploads)
    .set({ shownWithId: photo.id })
    .where(and(eq(uploads.frameId, before.frameId), eq(uploads.shownWithId, before.id)));
}
