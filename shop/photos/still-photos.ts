import { and, eq, inArray, sql } from 'drizzle-orm';
import type { AllowedMotions } from '#contract/photo-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { lockFrame, recordStillQuestionAnswered, refuseIfLocked } from '../frames/frames.ts';
import { photosOfFrames, queuePreviews, type PhotoScope } from './photos.ts';
import { uploads } from './photos.sql.ts';

const unspecifiedMotions: AllowedMotions = { living: null, water: false, candle: null };

/**
 * Stores the customer's answer to the question whether a person in the photos of a frame has died. In the photos with
 * these `ids`, people must stay still; in all other photos they may move again. An empty list is a valid answer. The
 * other settings of the photos do not change. Refuses photos of another frame, and finalized photos or frames.
 *
 * @param lockedAmong returns those that were finalized before their frame was reopened; called while the frame is
 * locked
 */
export async function setStillPhotos(
  { db, clock, ...queue }: Pick<PhotoScope, 'db' | 'clock' | 'jobs' | 'hasPreviews'>,
  frameId: string,
  ids: string[],
  lockedAmong: (tx: Db, ids: string[]) => Promise<Pick<ReadonlySet<string>, 'has'>>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const frame = await lockFrame(tx, frameId);
    refuseIfLocked(frame);
    const photos = await photosOfFrames(tx, [frameId]);
    const knownPhotoIds = new Set(photos.map((it) => it.id));
    if (!ids.every((id) => knownPhotoIds.has(id))) throw new Refusal('not-found');
    const lockedIds = await lockedAmong(tx, [...knownPhotoIds]);
    if (ids.some((id) => lockedIds.has(id))) throw new Refusal('frame-finalized');
    const stillPhotoIds = new Set(ids);
    const freedPhotos = photos.filter(
      (it) => it.moves?.living === false && !stillPhotoIds.has(it.id) && !lockedIds.has(it.id),
    );
    await setLivingMotion(tx, frameId, ids, false);
    await setLivingMotion(
      tx,
      frameId,
      freedPhotos.map((it) => it.id),
      null,
    );
    await recordStillQuestionAnswered(tx, clock, frameId);
    await queuePreviews(tx, queue, frame.orderId);
  });
}

async function setLivingMotion(tx: Db, frameId: string, ids: string[], living: boolean | null): Promise<void> {
  if (ids.length === 0) return;
  const change = JSON.stringify({ living });
  await tx
    .update(uploads)
    .set({
      moves: sql`coalesce(${uploads.moves}, ${JSON.stringify(unspecifiedMotions)}::jsonb) || ${change}::jsonb`,
      ...(living === false && { chosenStyle: sql`nullif(nullif(${uploads.chosenStyle}, 'alive'), 'own-motion')` }),
    })
    .where(and(eq(uploads.frameId, frameId), inArray(uploads.id, ids)));
}
