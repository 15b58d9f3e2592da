import { eq } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Frame } from '../frames/frames.ts';
import { spendReuploadCredit } from '../accounts/accounts.ts';
import { isCanceled, recordOrderEvent } from '../orders/orders.ts';
import { replacePhoto, type ReceivedFile } from '../photos/add-photo.ts';
import { replaceInPair } from '../photos/photo-pairs.ts';
import type { PhotoScope, Upload } from '../photos/photos.ts';
import { startNextTake, readVideosOfUploads, type ProductionScope } from './production.ts';
import { videos } from './production.sql.ts';

/**
 * Replaces the photo of a finished video. In one transaction, this spends one of the customer's reupload credits and
 * starts a new video from the new photo. Refuses a photo of a canceled order. The customer can watch the old take until
 * a new one is approved.
 */
export async function replaceWithCredit(
  scope: PhotoScope & ProductionScope,
  frame: Frame,
  before: Upload,
  file: ReceivedFile,
  customerId: string,
): Promise<Upload> {
  return replacePhoto(scope, before, file, customerId, async (tx, photo) => {
    if (await isCanceled(tx, frame.orderId)) throw new Refusal('frame-refunded');
    await spendReuploadCredit(tx, customerId);
    const [video] = await readVideosOfUploads(tx, [before.id]);
    if (!video) throw new Refusal('video-not-ready'); // a photo that is not locked can be deleted and uploaded again
    await tx
      .update(videos)
      .set({
        ...(video.secondUploadId === before.id ? { secondUploadId: photo.id } : { uploadId: photo.id }),
        isChosen: false,
        replacedAt: scope.clock.now(),
      })
      .where(eq(videos.id, video.id));
    await replaceInPair(tx, before, photo);
    await startNextTake(tx, scope, video.id, {});
    const eventText = `Photo ${video.place + 1} of ${frame.name} replaced with a reupload credit.`;
    await recordOrderEvent(tx, scope.clock, frame.orderId, 'photo-replaced', eventText);
  });
}
