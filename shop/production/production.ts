import { and, asc, eq, gte, inArray, or, sql } from 'drizzle-orm';
import type { MotionStyle } from '#contract/motion.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Storage } from '../ports/storage.ts';
import { newId } from '../columns.ts';
import { storeAndName, type NamedFiles } from '../files/files.ts';
import { closeFreePlaces, frameById, holdFrame, lockPhotos, startIfAllIn, suspendProof } from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import { holdOrder, recordOrderEvent } from '../orders/orders.ts';
import { countWaiting, photosOfFrames, titleFilm } from '../photos/photos.ts';
import { preparedAmong } from '../prepared.ts';
import { finalizing, moveOn, tellOfWish, type ProofRules } from './hand-over.ts';
import { motionFor } from './motion.ts';
import { videos, type Video } from './production.sql.ts';

export type { OrderInProduction, Video } from './production.sql.ts';

export interface ProductionScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  /** Builds an absolute address from a path. */
  link: (path: string) => string;
  proof: ProofRules;
}

/**
 * "I'm Done": lock the frame and queue one video per photo, in one transaction. The last open frame of an order moves it
 * to processing. A frame that was finalized before and has no new photo is closed as it is. Answers how many photos were
 * locked.
 */
export const finalizeFrame = (scope: FinalizeScope, frameId: string, how?: Finalizing): Promise<number> =>
  scope.db.transaction((tx) => finalizeIn(tx, scope, frameId, how));
type FinalizeScope = Pick<ProductionScope, 'db' | 'clock' | 'jobs'>;
interface Finalizing {
  /** Places without a photo stay open for later ones, which are finalized in their turn. */
  keepPlaces?: boolean;
}

/** The same inside a transaction. Whoever finalizes several frames holds them and their orders before (`holdAllOf`). */
export async function finalizeIn(
  tx: Db,
  { clock, jobs }: Omit<FinalizeScope, 'db'>,
  frameId: string,
  { keepPlaces = false }: Finalizing = {},
): Promise<number> {
  const orderId = (await frameById(tx, frameId))?.orderId;
  // Before the frame: two last frames finalized at once would each see the other open.
  const order = orderId === undefined ? undefined : await holdOrder(tx, orderId);
  if (!order) throw new Refusal('not-found');
  if (!keepPlaces && (await closeFreePlaces(tx, frameId))) return 0;
  const frame = await lockPhotos(tx, clock, frameId, { keepPlaces });
  // Nobody's photo is animated unasked, and none is left out in silence: whoever finalizes decides first.
  const waiting = await countWaiting(tx, [frame.id]);
  if (waiting > 0) throw new Refusal('photos-waiting', { frame: frame.name, count: waiting });
  // A frame that was finalized before has videos of its first photos.
  const before = new Set((await videosOfFrames(tx, [frame.id])).map((it) => it.uploadId));
  const photos = (await photosOfFrames(tx, [frame.id])).filter((it) => !before.has(it.id));
  const rows = photos.map((photo, index) => ({
    id: newId(),
    uploadId: photo.id,
    frameId: frame.id,
    place: before.size + index,
    state: 'queued' as const,
    style: motionFor(photo, before.size + index),
    queuedAt: clock.now(),
  }));
  await tx.insert(videos).values(rows);
  await jobs.enqueueAll(
    tx,
    'render-video',
    rows.map((video) => ({ videoId: video.id, take: 1 })),
    { promisedSince: frame.finalizedAt ?? clock.now() },
  );

  await recordOrderEvent(
    tx,
    clock,
    order.id,
    'photos-finalized',
    `${frame.name}: ${photos.length} ${photos.length === 1 ? 'photo' : 'photos'} finalized.`,
  );
  await startIfAllIn(tx, clock, order.id);
  await queueMail(
    tx,
    { jobs, clock },
    {
      event: `finalized:${frame.id}:${finalizing(frame)}`,
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
  return photos.length;
}

/** Take all videos of a frame whose row is held out of the shop, as `removePhotos` does. What is being made finds no row. */
export const removeVideos = (tx: Db, frameId: string): Promise<Video[]> =>
  tx.delete(videos).where(eq(videos.frameId, frameId)).returning();
export const filesOfVideo = ({ videoKey, posterKey, clipKey, filmKey }: Video): string[] =>
  [videoKey, posterKey, clipKey, filmKey].filter((key) => key !== null);

export async function videoById(db: Db, id: string): Promise<Video | undefined> {
  const [video] = await db.select().from(videos).where(eq(videos.id, id));
  return video;
}
/** The same, which stays as it is until the transaction ends. */
export async function holdVideo(tx: Db, id: string): Promise<Video | undefined> {
  const [video] = await tx.select().from(videos).where(eq(videos.id, id)).for('share');
  return video;
}
export const videosByIds = preparedAmong(videos.id, (db, isAmong) => db.select().from(videos).where(isAmong));
/** In the order the photos were added. */
export const videosOfFrames = preparedAmong(videos.frameId, (db, isAmong) =>
  db.select().from(videos).where(isAmong).orderBy(asc(videos.place), asc(videos.id)),
);

export const videosOfUploads = preparedAmong(videos.uploadId, (db, isAmong) => db.select().from(videos).where(isAmong));

/** Photos' videos, by the photo's id. */
export async function videosByUpload(db: Db, uploadIds: string[]): Promise<Map<string, Video>> {
  return new Map((await videosOfUploads(db, uploadIds)).map((it) => [it.uploadId, it]));
}

/**
 * The owner accepts a finished video. The one that completes its frame takes it on to its customer, once: approvals of one
 * frame wait for each other.
 *
 * @param take the one that was looked at; the present one when left out
 */
export async function approveVideo(scope: ProductionScope, videoId: string, take?: number): Promise<Video> {
  const { db, clock } = scope;
  return db.transaction(async (tx) => {
    const video = await videoById(tx, videoId);
    if (!video) throw new Refusal('not-found');
    const frame = await holdFrame(tx, video.frameId);
    const [approved] = await tx
      .update(videos)
      .set({ state: 'approved', approvedAt: clock.now() })
      .where(
        and(
          eq(videos.id, videoId),
          inArray(videos.state, ['rendered', 'approved']),
          take === undefined ? undefined : eq(videos.take, take),
        ),
      )
      .returning();
    if (!approved) throw new Refusal('video-not-ready');
    if (frame.videosReadyAt === null) await moveOn(tx, scope, frame);
    else await tellOfWish(tx, scope, frame, approved);
    return approved;
  });
}

/** What a video begun anew no longer has. */
const anew = {
  state: 'queued' as const,
  progress: 0,
  failure: null,
  keptAt: null,
  startedAt: null,
  failedAt: null,
  jobKey: null,
  jobId: null,
  take: sql`${videos.take} + 1`,
};

/** How a video is made again. */
interface Again {
  style?: MotionStyle | undefined;
  /** On this machine, whatever animator the settings name. */
  isLocal?: boolean | undefined;
  /** Whether its caption is written on it; as it was wished when left out. */
  isTitled?: boolean | undefined;
  /** The one that was looked at; the present one when left out. */
  take?: number | undefined;
}

/** Make a video again, with another motion if one is given. What is being rendered now is left to finish. */
export const redoVideo = (scope: ProductionScope, videoId: string, again: Again = {}): Promise<Video> =>
  scope.db.transaction(async (tx) => {
    const video = await videoById(tx, videoId);
    if (!video) throw new Refusal('not-found');
    await holdFrame(tx, video.frameId);
    return makeAgain(tx, scope, videoId, again);
  });

/** The same, for whoever holds its frame. */
export async function makeAgain(
  tx: Db,
  scope: Pick<ProductionScope, 'clock' | 'jobs'>,
  videoId: string,
  { style, isLocal = false, isTitled, take }: Again,
): Promise<Video> {
  const [again] = await tx
    .update(videos)
    .set({
      ...anew,
      queuedAt: scope.clock.now(),
      filmKey: null,
      standIn: isLocal ? 'The owner wished so.' : null,
      ...(style !== undefined && { style, isChosen: true }),
    })
    .where(
      and(
        eq(videos.id, videoId),
        inArray(videos.state, ['rendered', 'approved', 'failed']),
        take === undefined ? undefined : eq(videos.take, take),
      ),
    )
    .returning();
  if (!again) throw new Refusal((await videoById(tx, videoId)) ? 'video-not-ready' : 'not-found');
  if (isTitled !== undefined) await titleFilm(tx, again.uploadId, isTitled);
  await suspendProof(tx, again.frameId);
  await queueVideo(tx, scope, again);
  return again;
}

/**
 * Put the owner's own film in a video's place, at whatever stage it is; it is made to fit the frame, then looked at like any.
 *
 * @param also what is to be written in the same transaction
 */
export async function putFilm(
  scope: ProductionScope & { storage: Storage },
  videoId: string,
  path: string,
  also?: (tx: Db, video: Video) => Promise<void>,
): Promise<Video> {
  const { db, clock, storage } = scope;
  const before = await videoById(db, videoId);
  if (!before) throw new Refusal('not-found');
  const filmKey = `films/${newId()}.mp4`;
  const put = () =>
    db.transaction(async (tx) => {
      await holdFrame(tx, before.frameId);
      const [again] = await tx
        .update(videos)
        .set({ ...anew, queuedAt: clock.now(), filmKey, standIn: null })
        .where(eq(videos.id, videoId))
        .returning();
      if (!again) throw new Refusal('not-found');
      await suspendProof(tx, again.frameId);
      await queueVideo(tx, scope, again);
      await also?.(tx, again);
      return again;
    });
  return storeAndName(storage, [{ key: filmKey, path, contentType: 'video/mp4' }], put, { replaced: [before.filmKey] });
}

/** Ahead of what was promised later. */
export async function queueVideo(
  tx: Db,
  { clock, jobs }: Pick<ProductionScope, 'clock' | 'jobs'>,
  { id: videoId, take, frameId }: Pick<Video, 'id' | 'take' | 'frameId'>,
): Promise<void> {
  const frame = await frameById(tx, frameId);
  await jobs.enqueue(tx, 'render-video', { videoId, take }, { promisedSince: frame?.finalizedAt ?? clock.now() });
}

export const videoFiles: NamedFiles = {
  folders: ['videos/', 'posters/', 'films/'],
  async among(db, keys) {
    const rows = await db
      .select(storedKeys)
      .from(videos)
      .where(
        or(
          inArray(videos.videoKey, keys),
          inArray(videos.posterKey, keys),
          inArray(videos.clipKey, keys),
          inArray(videos.filmKey, keys),
        ),
      );
    return new Set(rows.flatMap((it) => [it.video, it.poster, it.clip, it.film]).filter((it) => it !== null));
  },
  async from(db, name, limit) {
    const rows = await db
      .select(storedKeys)
      .from(videos)
      .where(gte(videos.videoKey, `videos/${name}`))
      .orderBy(asc(videos.videoKey))
      .limit(limit);
    return rows.flatMap((it) => [it.video, it.poster, it.clip, it.film]).filter((it) => it !== null);
  },
  every: sql`select unnest(array[${videos.videoKey}, ${videos.posterKey}, ${videos.clipKey}, ${videos.filmKey}]) as key from ${videos}`,
};
const storedKeys = { video: videos.videoKey, poster: videos.posterKey, clip: videos.clipKey, film: videos.filmKey };
