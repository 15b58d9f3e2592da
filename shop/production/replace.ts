import { eq } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Frame } from '../frames/frames.ts';
import { spendReuploadCredit } from '../accounts/accounts.ts';
import { recordOrderEvent } from '../orders/orders.ts';
import { replacePhoto, type PhotoScope, type ReceivedFile, type Upload } from '../photos/photos.ts';
import { makeAgain, videosOfUploads, type ProductionScope } from './production.ts';
import { videos } from './production.sql.ts';

/**
 * A video disappointed because of its photo: another photo takes its place, for one of the customer's reupload credits, and
 * the video is made of that one. All of it happens or nothing; the old take is watched until there is another.
 */
export async function replaceWithCredit(
  scope: PhotoScope & ProductionScope,
  frame: Frame,
  before: Upload,
  file: ReceivedFile,
  customerId: string,
): Promise<Upload> {
  return replacePhoto(scope, before, file, customerId, async (tx, photo) => {
    await spendReuploadCredit(tx, customerId);
    const [video] = await videosOfUploads(tx, [before.id]);
    if (!video) throw new Refusal('video-not-ready'); // a photo that is not locked is deleted and sent anew
    await tx
      .update(videos)
      .set({ uploadId: photo.id, isChosen: false, replacedAt: scope.clock.now() })
      .where(eq(videos.id, video.id));
    await makeAgain(tx, scope, video.id, {});
    const event = `${frame.name}: photo ${video.place + 1} replaced for a reupload credit.`;
    await recordOrderEvent(tx, scope.clock, frame.orderId, 'photo-replaced', event);
  });
}
