import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import type { MotionStyle } from '#contract/motion.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock, Db, Jobs } from '../ports.ts';
import { newId } from '../columns.ts';
import {
  framesOfOrders,
  holdFrame,
  isFinalized,
  isOpen,
  lockPhotos,
  markVideosReady,
  type Frame,
} from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import { orderById, recordOrderEvent, startProcessing } from '../orders/orders.ts';
import { photosOfFrames } from '../photos/photos.ts';
import { motionFor } from './motion.ts';
import { videos, type Video } from './production.sql.ts';

export type { Video } from './production.sql.ts';

export interface ProductionScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  /** Builds an absolute address from a path. */
  link: (path: string) => string;
}

/**
 * "I'm Done": lock the frame and queue one video per photo, in one transaction. The last open frame of an order moves it
 * to processing.
 */
export async function finalizeFrame({ db, clock, jobs }: ProductionScope, frameId: string): Promise<Frame> {
  return db.transaction(async (tx) => {
    const frame = await lockPhotos(tx, clock, frameId);
    const photos = await photosOfFrames(tx, [frame.id]);
    const rows = photos.map((photo, place) => ({
      id: newId(),
      uploadId: photo.id,
      frameId: frame.id,
      place,
      state: 'queued' as const,
      style: motionFor(photo, place),
      queuedAt: clock.now(),
    }));
    await tx.insert(videos).values(rows);
    await jobs.enqueueAll(
      tx,
      'render-video',
      rows.map((video) => ({ videoId: video.id, take: 1 })),
    );

    await recordOrderEvent(
      tx,
      clock,
      frame.orderId,
      'photos-finalized',
      `${frame.name}: ${photos.length} ${photos.length === 1 ? 'photo' : 'photos'} finalized.`,
    );
    const siblings = await framesOfOrders(tx, [frame.orderId]);
    if (!siblings.some(isOpen)) await startProcessing(tx, clock, frame.orderId);
    const order = await orderById(tx, frame.orderId);
    if (order)
      await queueMail(
        tx,
        { jobs, clock },
        {
          event: `finalized:${frame.id}`,
          to: order.email,
          orderId: order.id,
          content: {
            kind: 'finalized',
            firstName: order.firstName,
            frameName: frame.name,
            photoCount: photos.length,
            orderNumber: order.orderNumber,
            orderUrl: { link: 'order', subjectId: order.id },
          },
        },
      );
    return frame;
  });
}

export async function videoById(db: Db, id: string): Promise<Video | undefined> {
  const [video] = await db.select().from(videos).where(eq(videos.id, id));
  return video;
}
/** In the order the photos were added. */
export const videosOfFrames = (db: Db, frameIds: string[]): Promise<Video[]> =>
  frameIds.length === 0
    ? Promise.resolve([])
    : db.select().from(videos).where(inArray(videos.frameId, frameIds)).orderBy(asc(videos.place), asc(videos.id));

/** Photos whose video the owner has accepted. */
export async function processedUploadIds(db: Db, uploadIds: string[]): Promise<Set<string>> {
  if (uploadIds.length === 0) return new Set();
  const rows = await db
    .select({ uploadId: videos.uploadId })
    .from(videos)
    .where(and(inArray(videos.uploadId, uploadIds), eq(videos.state, 'approved')));
  return new Set(rows.map((it) => it.uploadId));
}

/**
 * The owner accepts a finished video. The one that completes its frame sends the customer the private delivery page,
 * once: approvals of one frame wait for each other.
 */
export async function approveVideo({ db, clock, jobs }: ProductionScope, videoId: string): Promise<Video> {
  return db.transaction(async (tx) => {
    const video = await videoById(tx, videoId);
    if (!video) throw new Refusal('not-found');
    const frame = await holdFrame(tx, video.frameId);
    const [approved] = await tx
      .update(videos)
      .set({ state: 'approved', approvedAt: clock.now() })
      .where(and(eq(videos.id, videoId), inArray(videos.state, ['rendered', 'approved'])))
      .returning();
    if (!approved) throw new Refusal('video-not-ready');
    await deliverIfComplete(tx, { clock, jobs }, frame);
    return approved;
  });
}

async function deliverIfComplete(
  tx: Db,
  { clock, jobs }: Pick<ProductionScope, 'clock' | 'jobs'>,
  frame: Frame,
): Promise<void> {
  const waiting = await tx
    .select({ id: videos.id })
    .from(videos)
    .where(and(eq(videos.frameId, frame.id), ne(videos.state, 'approved')))
    .limit(1);
  if (waiting.length > 0 || !isFinalized(frame) || !(await markVideosReady(tx, clock, frame.id))) return;
  const order = await orderById(tx, frame.orderId);
  if (!order) return;
  const until = new Date(clock.now().getTime() + lifetimes.deliveryDays * 86_400_000).toISOString();
  await recordOrderEvent(tx, clock, order.id, 'videos-ready', `${frame.name}: videos are ready.`);
  await queueMail(
    tx,
    { jobs, clock },
    {
      event: `videos-ready:${frame.id}`,
      to: order.email,
      orderId: order.id,
      content: {
        kind: 'videos-ready',
        firstName: order.firstName,
        frameName: frame.name,
        videoCount: (await videosOfFrames(tx, [frame.id])).length,
        deliveryUrl: { link: 'delivery', subjectId: frame.id, until },
      },
    },
  );
}

/** Render a video again, with another motion if one is given. What is being rendered now is left to finish. */
export async function redoVideo(
  { db, clock, jobs }: ProductionScope,
  videoId: string,
  style: MotionStyle | undefined,
): Promise<Video> {
  return db.transaction(async (tx) => {
    const [again] = await tx
      .update(videos)
      .set({
        state: 'queued',
        progress: 0,
        failure: null,
        approvedAt: null,
        take: sql`${videos.take} + 1`,
        queuedAt: clock.now(),
        ...(style !== undefined && { style }),
      })
      .where(and(eq(videos.id, videoId), inArray(videos.state, ['rendered', 'approved', 'failed'])))
      .returning();
    if (!again) throw new Refusal((await videoById(tx, videoId)) ? 'video-not-ready' : 'not-found');
    await jobs.enqueue(tx, 'render-video', { videoId, take: again.take });
    return again;
  });
}

/** Which of these stored files a video names. */
export async function videoKeysAmong(db: Db, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ video: videos.videoKey, poster: videos.posterKey })
    .from(videos)
    .where(sql`${inArray(videos.videoKey, keys)} or ${inArray(videos.posterKey, keys)}`);
  return new Set(rows.flatMap((it) => [it.video, it.poster]).filter((it) => it !== null));
}
