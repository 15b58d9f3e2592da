import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { labelsOfPhotos } from '../photos/photos.ts';
import { videosOfFramesWithCosts, videosWithCosts } from './spending.ts';
import { latestWishes } from './wishes.ts';

/** Videos with what the owner is shown beside them: their photo, what was paid for them and what was last wished. */
export const ownersVideosOfFrames = async (db: Db, frameIds: string[]) =>
  shown(db, await videosOfFramesWithCosts(db, frameIds));
export async function ownersVideo(db: Db, id: string) {
  const [video] = await shown(db, await videosWithCosts(db, [id]));
  if (!video) throw new Refusal('not-found');
  return video;
}
export type OwnersVideo = Awaited<ReturnType<typeof ownersVideo>>;

async function shown(db: Db, rows: Awaited<ReturnType<typeof videosWithCosts>>) {
  const videos = rows.map((it) => it.video);
  // A wish gives up the take it is about, so that a first take has none.
  const again = videos.filter((it) => it.take > 1);
  const [labels, wishes] = await Promise.all([
    labelsOfPhotos(
      db,
      videos.map((it) => it.uploadId),
    ),
    latestWishes(
      db,
      again.map((it) => it.id),
    ),
  ]);
  const labelsById = new Map(labels.map((it) => [it.id, it]));
  return rows.flatMap((it) => {
    const photo = labelsById.get(it.video.uploadId);
    return photo ? [{ ...it, photo, wish: wishes.get(it.video.id) }] : []; // erased meanwhile, and the video with it
  });
}
