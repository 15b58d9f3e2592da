import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { lockFrame } from '../frames/frames.ts';
import { startNextFrameStep, type NextFrameStepScope } from './next-frame-step.ts';
import { liveTakes, videos, type LiveTake, type Video } from './production.sql.ts';

/** Returns the columns of a take, without the video's state and progress. */
const takeFieldsOf = <Key extends string | null>({
  take,
  style,
  isChosen,
  madeBy,
  provenance,
  videoKey,
  posterKey,
  clipKey,
  filmKey,
  seconds,
  sizeBytes,
  renderedAt,
  keptAt,
}: Omit<LiveTake, 'videoId' | 'frameId' | 'videoKey'> & { videoKey: Key }) => ({
  take,
  style,
  isChosen,
  madeBy,
  provenance,
  videoKey,
  posterKey,
  clipKey,
  filmKey,
  seconds,
  sizeBytes,
  renderedAt,
  keptAt,
});

/**
 * Stores the approved take of a video as its live take, before the video is made again. The caller has locked the
 * frame. Returns true if there was an approved take. Its files then belong to the live take and no longer to the video.
 */
export async function storeLiveTake(tx: Db, videoId: string): Promise<boolean> {
  const [video] = await tx.select().from(videos).where(eq(videos.id, videoId));
  if (video?.state !== 'approved' || video.videoKey === null) return false;
  // A process of the previous release may have approved a video without deleting its live take.
  await endLiveTake(tx, videoId);
  await tx
    .insert(liveTakes)
    .values({ videoId, frameId: video.frameId, ...takeFieldsOf({ ...video, videoKey: video.videoKey }) });
  return true;
}

/** Deletes the live take after another take was approved, which the customer watches from now on. */
export const endLiveTake = (tx: Db, videoId: string) => tx.delete(liveTakes).where(eq(liveTakes.videoId, videoId));

/**
 * Returns the videos as their customers see them. If the newest take of a video is not approved yet, the video has the
 * values of its live take.
 */
export async function withLiveTakes(db: Db, all: Video[]): Promise<Video[]> {
  const ids = all.filter((it) => it.state !== 'approved').map((it) => it.id);
  if (ids.length === 0) return all;
  const liveRows = await db.select().from(liveTakes).where(inArray(liveTakes.videoId, ids));
  const liveById = new Map(liveRows.map((it) => [it.videoId, it]));
  return all.map((video) => {
    const take = liveById.get(video.id);
    if (!take) return video;
    return { ...video, ...takeFieldsOf(take), state: 'approved' as const, failure: null, failedAt: null };
  });
}

/** The take numbers of the live takes, by the video's id. */
export async function readLiveTakesOf(db: Db, videoIds: string[]): Promise<Map<string, number>> {
  if (videoIds.length === 0) return new Map();
  const { videoId, take } = liveTakes;
  const rows = await db.select({ videoId, take }).from(liveTakes).where(inArray(videoId, videoIds));
  return new Map(rows.map((it) => [it.videoId, it.take]));
}

/**
 * Abandons the take that is being made or reviewed, and approves the live take again. The live take gets the next
 * number, so that a job of the abandoned take changes nothing. If the frame waited only for this video, its next step
 * starts.
 *
 * @throws Refusal `no-earlier-video` if the video has no live take
 */
export async function revertToLiveTake(
  scope: NextFrameStepScope & { db: Db },
  videoId: string,
): Promise<{ video: Video; liveTake: number }> {
  return scope.db.transaction(async (tx) => {
    const [found] = await tx.select({ frameId: videos.frameId }).from(videos).where(eq(videos.id, videoId));
    if (!found) throw new Refusal('not-found');
    const frame = await lockFrame(tx, found.frameId);
    const [live] = await tx.select().from(liveTakes).where(eq(liveTakes.videoId, videoId));
    if (!live) throw new Refusal('no-earlier-video');
    const [video] = await tx
      .update(videos)
      .set({
        ...takeFieldsOf(live),
        state: 'approved',
        take: sql`${videos.take} + 1`,
        progress: 1,
        failure: null,
        failedAt: null,
        standIn: null,
        jobKey: null,
        jobId: null,
      })
      .where(and(eq(videos.id, videoId), ne(videos.state, 'approved')))
      .returning();
    if (!video) throw new Refusal('no-earlier-video');
    await endLiveTake(tx, videoId);
    if (frame.videosReadyAt === null) await startNextFrameStep(tx, scope, frame);
    return { video, liveTake: live.take };
  });
}
