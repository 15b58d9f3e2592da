import { and, asc, eq, gte, inArray, or, sql } from 'drizzle-orm';
import type { MotionStyle } from '#contract/motion.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Storage } from '../ports/storage.ts';
import { newId } from '../columns.ts';
import { storeFilesThenRow, type NamedFiles } from '../files/files.ts';
import {
  closeFreeSlots,
  findFrameById,
  lockFrame,
  markFrameFinalized,
  startProductionIfReady,
  pauseProof,
  type Frame,
} from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import { lockOrder, recordOrderEvent } from '../orders/orders.ts';
import { setVideoTitled } from '../photos/edit-photo.ts';
import { mapRightPhotosByLeft } from '../photos/photo-pairs.ts';
import { countWaitingPhotos, photosOfFrames } from '../photos/photos.ts';
import { createQueryByValues } from '../rows-among.ts';
import { withLiveTakes, endLiveTake, storeLiveTake } from './live-takes.ts';
import { finalizationKeyOf, startNextFrameStep, mailVideoAgain, type ReadProofRules } from './next-frame-step.ts';
import { chooseMotionFor } from './motion.ts';
import { liveTakes, videos, type Video } from './production.sql.ts';

export type { OrderInProduction, Video } from './production.sql.ts';

export interface ProductionScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  /** Builds an absolute address from a path. */
  link: (path: string) => string;
  proofRules: ReadProofRules;
}

/**
 * The customer's button "I'm Done": locks the frame and queues the videos of its photos, in one transaction. Finalizing the
 * last open frame of an order starts the order's production. If the frame was finalized before and has no new photo,
 * this only closes its free places. Returns the number of newly locked photos.
 */
export const finalizeFrame = (scope: FinalizeScope, frameId: string, how?: FinalizeOptions): Promise<number> =>
  scope.db.transaction((tx) => finalizeFrameInTransaction(tx, scope, frameId, how));
type FinalizeScope = Pick<ProductionScope, 'db' | 'clock' | 'jobs'>;
interface FinalizeOptions {
  /** Keeps places without a photo open. Photos that are added there later are finalized separately. */
  keepPlaces?: boolean;
}

/**
 * Finalizes a frame inside a transaction. To finalize several frames, first lock them and their orders
 * (`lockOrdersWithFrames`).
 */
export async function finalizeFrameInTransaction(
  tx: Db,
  { clock, jobs }: Omit<FinalizeScope, 'db'>,
  frameId: string,
  { keepPlaces = false }: FinalizeOptions = {},
): Promise<number> {
  const orderId = (await findFrameById(tx, frameId))?.orderId;
  // Lock the order before the frame. Otherwise two transactions that finalize an order's last two frames at the same
  // time would each see the other frame as open, and the order would not start processing.
  const order = orderId === undefined ? undefined : await lockOrder(tx, orderId);
  if (!order) throw new Refusal('not-found');
  if (!keepPlaces && (await closeFreeSlots(tx, frameId))) return 0;
  const frame = await markFrameFinalized(tx, clock, frameId, { keepPlaces });
  // Before finalizing, the customer must accept or reject the photos of contributors. Otherwise a photo would be
  // animated without the customer's consent, or left out unnoticed.
  const waitingPhotos = await countWaitingPhotos(tx, [frame.id]);
  if (waitingPhotos > 0) throw new Refusal('photos-waiting', { frame: frame.name, count: waitingPhotos });
  // If the frame was finalized before, its first photos already have videos.
  const earlierVideos = await videosOfFrames(tx, [frame.id]);
  const earlierPhotoIds = new Set(earlierVideos.flatMap(photoIdsOf));
  const photos = (await photosOfFrames(tx, [frame.id])).filter((it) => !earlierPhotoIds.has(it.id));
  const rightPhotos = mapRightPhotosByLeft(photos);
  const rightPhotoSet = new Set(rightPhotos.values());
  const withOwnVideo = photos.filter((it) => !rightPhotoSet.has(it));
  const rows = withOwnVideo.map((photo, index) => ({
    id: newId(),
    uploadId: photo.id,
    secondUploadId: rightPhotos.get(photo.id)?.id ?? null,
    frameId: frame.id,
    place: earlierVideos.length + index,
    state: 'queued' as const,
    style: photo.chosenStyle ?? chooseMotionFor(photo, earlierVideos.length + index),
    isChosen: photo.chosenStyle !== null,
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
  await startProductionIfReady(tx, clock, order.id);
  await queueMail(
    tx,
    { jobs, clock },
    {
      event: `finalized:${frame.id}:${finalizationKeyOf(frame)}`,
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

/**
 * Deletes all video rows of a frame. The caller has locked the frame. A render job that is still running then finds no
 * row and ends.
 */
export const removeVideos = (tx: Db, frameId: string): Promise<Video[]> =>
  tx.delete(videos).where(eq(videos.frameId, frameId)).returning();
/**
 * Deletes the undelivered videos of a frame, and thereby ends their production. Delivered videos stay, even if one of
 * them is being made again. The caller has locked the frame.
 */
export const deleteUndeliveredVideos = async (tx: Db, frame: Pick<Frame, 'id' | 'videosReadyAt'>): Promise<Video[]> =>
  frame.videosReadyAt === null
    ? tx
        .delete(videos)
        .where(createUndeliveredCondition([frame.id]))
        .returning()
    : [];
/** The number of videos that `deleteUndeliveredVideos` would delete from these frames. */
export const countUndeliveredVideos = (db: Db, frames: Pick<Frame, 'id' | 'videosReadyAt'>[]): Promise<number> =>
  db.$count(videos, createUndeliveredCondition(frames.filter((it) => it.videosReadyAt === null).map((it) => it.id)));
const createUndeliveredCondition = (frameIds: string[]) =>
  and(
    inArray(videos.frameId, frameIds),
    sql`not (${videos.state} = 'approved' and ${videos.keptAt} is not null)`,
    sql`not exists (select from ${liveTakes} where ${liveTakes.videoId} = ${videos.id})`,
  );
export const listFilesOfVideo = ({ videoKey, posterKey, clipKey, filmKey }: Video): string[] =>
  [videoKey, posterKey, clipKey, filmKey].filter((key) => key !== null);

export async function findVideoById(db: Db, id: string): Promise<Video | undefined> {
  const [video] = await db.select().from(videos).where(eq(videos.id, id));
  return video;
}
/** Returns a video as its customer sees it, and locks it until the transaction ends. */
export async function lockVideo(tx: Db, id: string): Promise<Video | undefined> {
  const lockedRows = await tx.select().from(videos).where(eq(videos.id, id)).for('share');
  return (await withLiveTakes(tx, lockedRows))[0];
}
export const videosByIds = createQueryByValues(videos.id, (db, isAmong) => db.select().from(videos).where(isAmong));
/** Videos of these frames, in the order in which their photos were finalized. */
export const videosOfFrames = createQueryByValues(videos.frameId, (db, isAmong) =>
  db.select().from(videos).where(isAmong).orderBy(asc(videos.place), asc(videos.id)),
);

/**
 * The ids of the frames that have delivered videos. These videos stay available while videos of later photos are being
 * made, and while one of them is made again.
 */
export async function findFramesWithVideos(
  db: Db,
  frames: Pick<Frame, 'id' | 'videosReadyAt'>[],
): Promise<Set<string>> {
  const reopenedFrameIds = frames.filter((it) => it.videosReadyAt === null).map((it) => it.id);
  const watchableTakes = await withLiveTakes(db, await videosOfFrames(db, reopenedFrameIds));
  const keptFrameIds = watchableTakes
    .filter((it) => it.state === 'approved' && it.keptAt !== null)
    .map((it) => it.frameId);
  return new Set([...keptFrameIds, ...frames.filter((it) => it.videosReadyAt !== null).map((it) => it.id)]);
}

/** The photos that a video shows. */
export const photoIdsOf = ({ uploadId, secondUploadId }: Pick<Video, 'uploadId' | 'secondUploadId'>): string[] =>
  secondUploadId === null ? [uploadId] : [uploadId, secondUploadId];

/** The videos that show these photos, alone or as the second photo. */
export async function readVideosOfUploads(db: Db, uploadIds: string[]): Promise<Video[]> {
  const foundVideos = [...(await videosOfFirstPhotos(db, uploadIds)), ...(await videosOfSecondPhotos(db, uploadIds))];
  return [...new Map(foundVideos.map((it) => [it.id, it])).values()];
}
const videosOfFirstPhotos = createQueryByValues(videos.uploadId, (db, isAmong) =>
  db.select().from(videos).where(isAmong),
);
const videosOfSecondPhotos = createQueryByValues(videos.secondUploadId, (db, isAmong) =>
  db.select().from(videos).where(isAmong),
);

/**
 * The videos of photos as their customers see them, by the photo's id. After a photo was replaced, the delivery page
 * still shows the video of the old photo. This function then returns the video of the new photo, even if it is not
 * finished.
 */
export async function readVideosByUpload(db: Db, uploadIds: string[]): Promise<Map<string, Video>> {
  const currentVideos = await readVideosOfUploads(db, uploadIds);
  const videosWithLiveTake = await withLiveTakes(db, currentVideos);
  const isOfEarlierPhoto = ({ replacedAt, renderedAt }: Video) =>
    replacedAt !== null && renderedAt !== null && renderedAt <= replacedAt;
  return new Map(
    currentVideos.flatMap((video, index) => {
      const shownVideo = isOfEarlierPhoto(videosWithLiveTake[index]!) ? video : videosWithLiveTake[index]!;
      return photoIdsOf(video).map((id) => [id, shownVideo] as const);
    }),
  );
}

/**
 * Approves a finished video for the owner. If it is the last one of its frame, the frame's next step starts. Each
 * approval locks the frame, so that the step starts only once.
 *
 * @param take the take that the owner looked at; default: the current take
 */
export async function approveVideo(scope: ProductionScope, videoId: string, take?: number): Promise<Video> {
  const { db, clock } = scope;
  return db.transaction(async (tx) => {
    const video = await findVideoById(tx, videoId);
    if (!video) throw new Refusal('not-found');
    const frame = await lockFrame(tx, video.frameId);
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
    await endLiveTake(tx, videoId);
    if (frame.videosReadyAt === null) await startNextFrameStep(tx, scope, frame);
    else await mailVideoAgain(tx, scope, frame, approved);
    return approved;
  });
}

/** The column values of a video that is made again. */
const newTakeFields = {
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

/** The column values of a video whose files now belong to its live take. */
const emptyFileFields = { videoKey: null, posterKey: null, clipKey: null };

/** The options to make a video again. */
interface RedoOptions {
  style?: MotionStyle | undefined;
  /** Whether this machine makes it, even if the settings name another animator. */
  isLocal?: boolean | undefined;
  /** Whether the video shows its caption; default: unchanged. */
  isTitled?: boolean | undefined;
  /** The take that the person looked at; default: the current take. */
  take?: number | undefined;
}

/** Makes a video again, with another motion if one is given. Refuses while a take is queued or being rendered. */
export const redoVideo = (scope: ProductionScope, videoId: string, again: RedoOptions = {}): Promise<Video> =>
  scope.db.transaction(async (tx) => {
    const video = await findVideoById(tx, videoId);
    if (!video) throw new Refusal('not-found');
    await lockFrame(tx, video.frameId);
    return startNextTake(tx, scope, videoId, again);
  });

/** Makes a video again. The caller has locked the video's frame. */
export async function startNextTake(
  tx: Db,
  scope: Pick<ProductionScope, 'clock' | 'jobs'>,
  videoId: string,
  { style, isLocal = false, isTitled, take }: RedoOptions,
): Promise<Video> {
  const isLive = await storeLiveTake(tx, videoId);
  const [again] = await tx
    .update(videos)
    .set({
      ...newTakeFields,
      ...(isLive && emptyFileFields),
      queuedAt: scope.clock.now(),
      filmKey: null,
      standIn: isLocal ? 'The owner chose this.' : null,
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
  if (!again) throw new Refusal((await findVideoById(tx, videoId)) ? 'video-not-ready' : 'not-found');
  if (isTitled !== undefined) await setVideoTitled(tx, again.uploadId, isTitled);
  await pauseProof(tx, again.frameId);
  await queueVideo(tx, scope, again);
  return again;
}

/**
 * Replaces a video, in any state, with a video that the owner uploaded. A job converts the upload to fit the frame. The
 * owner then reviews the result like any other video.
 *
 * @param also writes more in the same transaction
 */
export async function replaceWithUploadedVideo(
  scope: ProductionScope & { storage: Storage },
  videoId: string,
  path: string,
  also?: (tx: Db, video: Video) => Promise<void>,
): Promise<Video> {
  const { db, clock, storage } = scope;
  const videoBefore = await findVideoById(db, videoId);
  if (!videoBefore) throw new Refusal('not-found');
  const filmKey = `films/${newId()}.mp4`;
  // The transaction adds the previous upload here, unless it belongs to the live take and must stay.
  const replacedKeys: (string | null)[] = [];
  const storeFiles = () =>
    db.transaction(async (tx) => {
      await lockFrame(tx, videoBefore.frameId);
      const isLive = await storeLiveTake(tx, videoId);
      const [again] = await tx
        .update(videos)
        .set({ ...newTakeFields, ...(isLive && emptyFileFields), queuedAt: clock.now(), filmKey, standIn: null })
        .where(eq(videos.id, videoId))
        .returning();
      if (!again) throw new Refusal('not-found');
      if (!isLive) replacedKeys.push(videoBefore.filmKey);
      await pauseProof(tx, again.frameId);
      await queueVideo(tx, scope, again);
      await also?.(tx, again);
      return again;
    });
  return storeFilesThenRow(storage, [{ key: filmKey, path, contentType: 'video/mp4' }], storeFiles, {
    replaced: replacedKeys,
  });
}

/** Enqueues the job that renders a video. It runs before jobs of frames that were finalized later. */
export async function queueVideo(
  tx: Db,
  { clock, jobs }: Pick<ProductionScope, 'clock' | 'jobs'>,
  { id: videoId, take, frameId }: Pick<Video, 'id' | 'take' | 'frameId'>,
): Promise<void> {
  const frame = await findFrameById(tx, frameId);
  await jobs.enqueue(tx, 'render-video', { videoId, take }, { promisedSince: frame?.finalizedAt ?? clock.now() });
}

export const videoFiles: NamedFiles = {
  folders: ['videos/', 'posters/', 'films/'],
  async selectNamed(db, keys) {
    const keysNamedBy = (table: typeof videos | typeof liveTakes) =>
      or(...Object.values(getFileKeyColumns(table)).map((column) => inArray(column, keys)));
    const rows = await Promise.all([
      db.select(getFileKeyColumns(videos)).from(videos).where(keysNamedBy(videos)),
      db.select(getFileKeyColumns(liveTakes)).from(liveTakes).where(keysNamedBy(liveTakes)),
    ]);
    return new Set(listFileKeys(rows.flat()));
  },
  async listNamedFrom(db, name, limit) {
    const firstKey = `videos/${name}`;
    const rows = await Promise.all([
      db
        .select(getFileKeyColumns(videos))
        .from(videos)
        .where(gte(videos.videoKey, firstKey))
        .orderBy(asc(videos.videoKey))
        .limit(limit),
      db
        .select(getFileKeyColumns(liveTakes))
        .from(liveTakes)
        .where(gte(liveTakes.videoKey, firstKey))
        .orderBy(asc(liveTakes.videoKey))
        .limit(limit),
    ]);
    return listFileKeys(
      rows
        .flat()
        .toSorted((a, b) => (a.video! < b.video! ? -1 : 1))
        .slice(0, limit),
    );
  },
  every: sql`select unnest(array[${videos.videoKey}, ${videos.posterKey}, ${videos.clipKey}, ${videos.filmKey}]) as key from ${videos}
    union all select unnest(array[${liveTakes.videoKey}, ${liveTakes.posterKey}, ${liveTakes.clipKey}, ${liveTakes.filmKey}]) from ${liveTakes}`,
};
const getFileKeyColumns = (table: typeof videos | typeof liveTakes) => ({
  video: table.videoKey,
  poster: table.posterKey,
  clip: table.clipKey,
  film: table.filmKey,
});
const listFileKeys = (rows: Record<'video' | 'poster' | 'clip' | 'film', string | null>[]) =>
  rows.flatMap((it) => [it.video, it.poster, it.clip, it.film]).filter((it) => it !== null);
