import { buffer } from 'node:stream/consumers';
import type { EmailPosters } from '#contract/emails.ts';
import { limits } from '#contract/limits.ts';
import type { EmailPicture } from '../ports/mailer.ts';
import type { Db } from '../ports/database.ts';
import { StorageMissing, type Storage } from '../ports/storage.ts';
import { readVideosWithPhotos } from './delivery.ts';
import { isShownInProof, type ReadProofRules } from './next-frame-step.ts';

/**
 * Returns the posters that a mail shows, from the current takes: the first posters of a frame, or the poster of one
 * video. Leaves out posters that are erased, that the customer may not see, or that would make the mail too large.
 */
export async function readPosters(
  { db, storage, proofRules }: { db: Db; storage: Storage; proofRules: ReadProofRules },
  { frameId, videoId }: EmailPosters,
): Promise<EmailPicture[]> {
  const videosWithPhoto = await readVideosWithPhotos(db, frameId);
  const rules = await proofRules(db);
  const shownVideos = videosWithPhoto.filter(
    ({ video }) => isShownInProof(video, rules) && (videoId ?? video.id) === video.id,
  );
  const posters: EmailPicture[] = [];
  let room = limits.emailPostersBytes;
  for (const { video, photo } of shownVideos.slice(0, limits.emailPosters)) {
    const bytes = video.posterKey === null ? undefined : await readIfPresent(storage, video.posterKey);
    if (!bytes || bytes.length > room) continue;
    room -= bytes.length;
    posters.push({
      name: `poster-${posters.length + 1}.jpg`,
      contentType: 'image/jpeg',
      bytes,
      alt: photo.caption ?? 'A picture from your video',
    });
  }
  return posters;
}

async function readIfPresent(storage: Storage, key: string): Promise<Buffer | undefined> {
  try {
    return await buffer(await storage.read(key));
  } catch (error) {
    if (error instanceof StorageMissing) return undefined;
    throw error;
  }
}
