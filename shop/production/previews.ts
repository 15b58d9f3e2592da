import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, asc, eq, gte, inArray, isNotNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { isUncropped } from '#contract/crop.ts';
import type { MotionStyle } from '#contract/motion.ts';
import { AnimationError, type Animator } from '../ports/animator.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { PhotoAnalyzerPort, PhotoAnalysis } from '../ports/photo-analyzer.ts';
import type { Storage } from '../ports/storage.ts';
import { newId } from '../columns.ts';
import { deleteFiles, deleteDiscardedRows, storeFilesThenRow, type NamedFiles } from '../files/files.ts';
import { readFramesOfOrders } from '../frames/frames.ts';
import {
  toCrop,
  lockPhoto,
  maySeePhoto,
  findPhotoById,
  photosOfFrames,
  previewFolder,
  queuePreviews,
  type Upload,
} from '../photos/photos.ts';
import { readOrAnalyzePhoto } from '../photos/photo-analysis.ts';
import { mapRightPhotosByLeft } from '../photos/photo-pairs.ts';
import type { AnimationNotifications } from './animation-notifications.ts';
import {
  chooseCameraMovement,
  chooseMotionFor,
  renderRequestOf,
  findSuitableMotions,
  findVideoTitle,
} from './motion.ts';
import { withOwnMotion } from './own-motion.ts';
import { photoIdsOf, readVideosOfUploads } from './production.ts';
import { previews, videos, type Preview } from './production.sql.ts';
import { withSecondPhoto } from './second-photo.ts';
import { waitForAnimation } from './wait-for-animation.ts';

export type { Preview } from './production.sql.ts';

interface PreviewScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  storage: Storage;
  seeing: PhotoAnalyzerPort;
  /** The animator on this machine, because its previews cost nothing. */
  standIn: Animator;
  animationNews: AnimationNotifications;
  workFolder: string;
  hasPreviews: (db: Db) => Promise<boolean>;
}

/** The size of a preview in pixels: half the size of the frame's panel. */
const previewSize = { width: 640, height: 400 };
const previewSeconds = 3;
/** How long the job waits if videos must be made first. */
const waitSeconds = 15;
/** At most this many motions are offered for a photo. */
const mostMotions = 4;

/**
 * The job that makes one preview, for the next photo of an order. It then enqueues itself again for the following
 * photo, so that several orders take turns. If videos must be made first, it makes no preview and enqueues itself again
 * with a delay.
 */
export async function makePreview(
  scope: PreviewScope,
  { orderId }: { orderId: string },
  { signal, isLastTry }: { signal: AbortSignal; isLastTry: boolean },
): Promise<void> {
  const { db } = scope;
  if (!(await scope.hasPreviews(db))) return; // the owner turned them off after the job was queued
  if (await hasVideosDue(db))
    return db.transaction((tx) => queuePreviews(tx, scope, orderId, { afterSeconds: waitSeconds }));
  const nextPhoto = await findNextToPreview(db, orderId);
  if (!nextPhoto) return;
  await previewPhoto(scope, nextPhoto, { signal, isLastTry });
  await db.transaction((tx) => queuePreviews(tx, scope, orderId));
}

/** Whether videos of orders must be made. They come before previews and free videos. */
async function hasVideosDue(db: Db): Promise<boolean> {
  const [due] = await db
    .select({ id: videos.id })
    .from(videos)
    .where(inArray(videos.state, ['queued', 'rendering']))
    .limit(1);
  return due !== undefined;
}

/**
 * Whether a video or a preview of an order must be made, or a preview is being made. Its job enqueues the next preview
 * only when it ends.
 */
export const hasRenderWorkForOrders = async ({ db, jobs }: Pick<PreviewScope, 'db' | 'jobs'>): Promise<boolean> =>
  (await hasVideosDue(db)) || (await jobs.isBusy(db, 'make-preview'));

interface PhotoToPreview {
  photo: Upload;
  /** The photo that the preview shows to the right of it. */
  second: Upload | undefined;
  /** The photo's position in its frame, from 0. */
  position: number;
}

/**
 * Returns the next photo that needs a preview: first a photo whose settings changed after its preview was made, then a
 * photo without a preview. Within each group, photos come in the customer's order.
 */
async function findNextToPreview(db: Db, orderId: string): Promise<PhotoToPreview | undefined> {
  const frameIds = (await readFramesOfOrders(db, [orderId])).map((it) => it.id);
  const photos = (await photosOfFrames(db, frameIds)).map((photo, index, all) => ({
    photo,
    position: all.slice(0, index).filter((it) => it.frameId === photo.frameId).length,
  }));
  const ids = photos.map(({ photo }) => photo.id);
  const madePreviews = await readPreviewsOf(db, ids);
  const lockedPhotoIds = new Set((await readVideosOfUploads(db, ids)).flatMap(photoIdsOf));
  const rightPhotos = mapRightPhotosByLeft(photos.map((it) => it.photo));
  const rightPhotoSet = new Set(rightPhotos.values());
  const openPhotos = photos
    .filter(({ photo }) => photo.waitingSince === null && !lockedPhotoIds.has(photo.id) && !rightPhotoSet.has(photo))
    .map((it) => ({ ...it, second: rightPhotos.get(it.photo.id) }));
  return (
    openPhotos.find(
      ({ photo, second }) => madePreviews.has(photo.id) && !isCurrent(madePreviews.get(photo.id)!, photo, second),
    ) ?? openPhotos.find(({ photo }) => !madePreviews.has(photo.id))
  );
}

async function previewPhoto(
  scope: PreviewScope,
  { photo, second, position }: PhotoToPreview,
  { signal, isLastTry }: { signal: AbortSignal; isLastTry: boolean },
): Promise<void> {
  const { storage, standIn } = scope;
  const temporaryFolder = await mkdtemp(join(scope.workFolder, 'preview-'));
  const camera = chooseCameraMovement(position);
  const planPreview = (style: MotionStyle) => ({ style, camera, wish: serializeWish(photo, second) });
  try {
    let style = photo.chosenStyle ?? chooseMotionFor(photo, position);
    const madePreview = await storage
      .withLocalFile(photo.displayKey, async (sourcePath) => {
        const analysis = await readOrAnalyzePhoto(scope, photo, sourcePath, signal);
        style = photo.chosenStyle ?? chooseMotionFor(photo, position, analysis);
        const pairMotion = { style: undefined, place: position + 1, camera, signal };
        return withOwnMotion(storage, photo, style, (own) =>
          withSecondPhoto(scope, { photo, second }, pairMotion, async (other) => {
            const jobId = await standIn.start({
              id: newId(),
              style,
              camera,
              seconds: previewSeconds,
              screen: previewSize,
              sourcePath,
              folder: temporaryFolder,
              ...own,
              ...other,
              ...renderRequestOf(photo, style, analysis),
            });
            const job = await waitForAnimation(standIn, jobId, temporaryFolder, {
              signal,
              onProgress: () => {},
              news: scope.animationNews,
            });
            if (job.state === 'done') return job.video;
            throw job.state === 'failed' ? job.error : new AnimationError('the preview was lost', true);
          }),
        );
      })
      .catch(async (error: unknown) => {
        // If a photo was cropped or deleted in the meantime, its file is in the trash, and a new preview is made next.
        if (await hasChanged(scope.db, photo)) return undefined;
        if (second && (await hasChanged(scope.db, second))) return undefined;
        const isHopeless = isLastTry || (error instanceof AnimationError && !error.retryable);
        if (!isHopeless || signal.aborted) throw error;
        return undefined;
      });
    // If no preview can be made, store a row without a file. Otherwise the job would choose the same photo again.
    if (!madePreview) {
      const keysBefore = await recordPreview(scope, photo, { ...planPreview(style), shownStyle: style, key: null });
      await deleteFiles(storage, keysBefore ?? []);
      return;
    }
    const key = `${previewFolder}${newId()}.mp4`;
    const row = { ...planPreview(style), shownStyle: madePreview.provenance.style ?? style, key };
    const files = [{ key, path: madePreview.videoPath, contentType: 'video/mp4' }];
    const keysBefore = await storeFilesThenRow(storage, files, () => recordPreview(scope, photo, row), {
      isNamed: (dropped) => dropped !== undefined,
    });
    await deleteFiles(storage, keysBefore ?? []);
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

const hasChanged = async (db: Db, photo: Upload): Promise<boolean> =>
  (await findPhotoById(db, photo.id))?.displayKey !== photo.displayKey;

/**
 * Stores the row of a preview. Returns the files of the earlier preview, which the caller deletes after the commit.
 * Returns undefined if the photo is deleted or already has a finished video.
 */
const recordPreview = (
  { db, clock }: Pick<PreviewScope, 'db' | 'clock'>,
  photo: Upload,
  row: Pick<Preview, 'style' | 'camera' | 'shownStyle' | 'wish' | 'key'>,
): Promise<string[] | undefined> =>
  db.transaction(async (tx) => {
    const lockedPhoto = await lockPhoto(tx, photo.id);
    const hasVideo = and(eq(videos.uploadId, photo.id), isNotNull(videos.videoKey));
    if (!lockedPhoto || (await tx.$count(videos, hasVideo)) > 0) return undefined;
    const droppedKeys = await deletePreview(tx, photo.id);
    await tx.insert(previews).values({ uploadId: photo.id, ...row, frameId: lockedPhoto.frameId, madeAt: clock.now() });
    return droppedKeys;
  });

/**
 * Deletes a photo's preview. Returns its files, which the caller deletes after the commit. They are not moved to the
 * trash first, because a preview can be made again.
 */
export async function deletePreview(tx: Db, uploadId: string): Promise<string[]> {
  const droppedRows = await tx.delete(previews).where(eq(previews.uploadId, uploadId)).returning();
  const keys = droppedRows.flatMap(({ key }) => key ?? []);
  await deleteDiscardedRows(tx, keys);
  return keys;
}

/** All of a customer's settings for the photos of a video that change it, as one string to compare. */
const serializeWish = (photo: Upload, second: Upload | undefined): string =>
  // A photo alone has no array around it, so that previews from before the shop had pairs stay current.
  second ? JSON.stringify([photo, second].map((it) => [it.id, serializeWishOfPhoto(it)])) : serializeWishOfPhoto(photo);

function serializeWishOfPhoto(photo: Upload): string {
  const { focusX, focusY, chosenStyle } = photo;
  const { living = null, water = false, candle = null } = photo.moves ?? {};
  const title = findVideoTitle(photo) ?? null;
  const crop = toCrop(photo);
  return JSON.stringify([
    living,
    water,
    candle && [candle.x, candle.y],
    focusX,
    focusY,
    chosenStyle,
    title,
    // Photos without a crop have no entry, so that previews from before the shop had crops stay current.
    ...(isUncropped(crop) ? [] : [crop.quarterTurns, crop.area]),
    ...(photo.isRepaired ? ['repaired'] : []),
  ]);
}
const isCurrent = (preview: Pick<Preview, 'wish'>, photo: Upload, second: Upload | undefined) =>
  preview.wish === serializeWish(photo, second);

async function readPreviewsOf(db: Db, uploadIds: string[]): Promise<Map<string, Preview>> {
  if (uploadIds.length === 0) return new Map();
  const madeRows = await db.select().from(previews).where(inArray(previews.uploadId, uploadIds));
  return new Map(madeRows.map((it) => [it.uploadId, it]));
}

/**
 * The previews that match the current settings of their photos, by the photo's id. Both photos of a pair must be given.
 * Only the left one has a preview.
 */
export async function readCurrentPreviews(db: Db, photos: Upload[]): Promise<Map<string, Preview>> {
  const madePreviews = await readPreviewsOf(
    db,
    photos.map((it) => it.id),
  );
  const rightPhotos = mapRightPhotosByLeft(photos);
  const rightPhotoSet = new Set(rightPhotos.values());
  return new Map(
    photos.flatMap((it) => {
      const preview = rightPhotoSet.has(it) ? undefined : madePreviews.get(it.id);
      return preview && isCurrent(preview, it, rightPhotos.get(it.id)) ? [[it.id, preview] as const] : [];
    }),
  );
}

/** The address of a preview. The route behind it checks access. */
export const previewUrl = (key: string) => `/uploads/preview-${key.slice(previewFolder.length)}`;

/**
 * Returns the stored file of /uploads/preview-{name}. Returns undefined if it does not exist, or if `isAllowed` does
 * not permit its order.
 */
export async function previewByFileName(
  db: Db,
  fileName: string,
  isAllowed: (orderId: SQLWrapper) => SQL,
): Promise<{ key: string; contentType: string } | undefined> {
  const key = previewFolder + fileName.slice('preview-'.length);
  const [found] = await db.select().from(previews).where(eq(previews.key, key));
  if (!found || !(await maySeePhoto(db, found.uploadId, isAllowed))) return undefined;
  return { key, contentType: 'video/mp4' };
}

/** The motions that are offered for a photo. The photo's default motion comes first. */
export async function findOfferedMotions(
  db: Db,
  photo: Upload,
  seen: PhotoAnalysis | undefined,
): Promise<MotionStyle[]> {
  const allPhotos = await photosOfFrames(db, [photo.frameId]);
  const position = Math.max(
    0,
    allPhotos.findIndex((it) => it.id === photo.id),
  );
  const offeredMotions = [chooseMotionFor(photo, position, seen), ...findSuitableMotions(photo, seen)];
  return [...new Set(offeredMotions)].slice(0, mostMotions);
}

export const previewFiles: NamedFiles = {
  folders: [previewFolder],
  async selectNamed(db, keys) {
    const rows = await db.select({ key: previews.key }).from(previews).where(inArray(previews.key, keys));
    return new Set(rows.map((it) => it.key!));
  },
  async listNamedFrom(db, name, limit) {
    const rows = await db
      .select({ key: previews.key })
      .from(previews)
      .where(gte(previews.key, previewFolder + name))
      .orderBy(asc(previews.key))
      .limit(limit);
    return rows.map((it) => it.key!);
  },
  every: sql`select ${previews.key} as key from ${previews}`,
};
