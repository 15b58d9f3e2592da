import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { readLiveTakesOf } from './live-takes.ts';
import { labelsOfPhotos } from '../photos/photos.ts';
import { photoIdsOf } from './production.ts';
import { videosOfFramesWithCosts, videosWithCosts } from './spending.ts';
import { readLatestWishes } from './wishes.ts';

/** Videos with the data that the owner sees next to them: the photo, the cost, the latest wish and the live take. */
export const readOwnersVideosOfFrames = async (db: Db, frameIds: string[]) =>
  readShownVideos(db, await videosOfFramesWithCosts(db, frameIds));
export async function findOwnersVideo(db: Db, id: string) {
  const [video] = await readShownVideos(db, await videosWithCosts(db, [id]));
  if (!video) throw new Refusal('not-found');
  return video;
}
export type OwnersVideo = Awaited<ReturnType<typeof findOwnersVideo>>;

async function readShownVideos(db: Db, rows: Awaited<ReturnType<typeof videosWithCosts>>) {
  const videos = rows.map((it) => it.video);
  // Each wish starts the next take. A video that is still at take 1 therefore has no wish and no live take.
  const repeatedVideos = videos.filter((it) => it.take > 1);
  const [labels, wishes, liveTakes] = await Promise.all([
    labelsOfPhotos(db, videos.flatMap(photoIdsOf)),
    readLatestWishes(
      db,
      repeatedVideos.map((it) => it.id),
    ),
    readLiveTakesOf(
      db,
      repeatedVideos.map((it) => it.id),
    ),
  ]);
  const labelsById = new Map(labels.map((it) => [it.id, it]));
  return rows.flatMap((it) => {
    const photoLabel = labelsById.get(it.video.uploadId);
    if (!photoLabel) return []; // the photo and its video were erased in the meantime
    const { secondUploadId } = it.video;
    const secondLabel = secondUploadId === null ? undefined : labelsById.get(secondUploadId);
    return [
      {
        ...it,
        photo: photoLabel,
        second: secondLabel,
        wish: wishes.get(it.video.id),
        liveTake: liveTakes.get(it.video.id),
      },
    ];
  });
}
