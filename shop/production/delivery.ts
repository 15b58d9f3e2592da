import { and, eq, inArray, isNotNull, not, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { MotionStyle, Provenance } from '#contract/motion.ts';
import { Refusal } from '#contract/refusals.ts';
import { computeSecondsUntil, type Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { tokenMatchCondition, issueToken, readToken } from '../tokens/tokens.ts';
import { findFrameById, orderOfFrame, type Frame } from '../frames/frames.ts';
import { computeRetentionEnd } from '../frames/frame-retention.ts';
import { findOrderById, type Order } from '../orders/orders.ts';
import { captionPhoto } from '../photos/edit-photo.ts';
import { findPhotoById, photosByIds, type Upload } from '../photos/photos.ts';
import { videosWithdrawnCondition, refuseIfVideosWithdrawn } from '../refunds/withdrawn-videos.ts';
import { computeExpiryBeforeVideosReady } from './frame-links.ts';
import { withLiveTakes } from './live-takes.ts';
import { findFramesWithVideos, photoIdsOf, videosOfFrames, type Video } from './production.ts';
import { liveTakes, videos } from './production.sql.ts';
import { videoFileName } from './file-names.ts';

export interface FrameVideo {
  video: Video;
  photo: Upload;
  /** The file name for saving the video, unique within the frame: `03-kite.mp4`. */
  fileName: string;
}
export interface FrameDelivery {
  /** A `share` link allows watching and saving, but no changes. */
  purpose: 'delivery' | 'share';
  frame: Frame;
  order: Order;
  expiresAt: Date;
  videos: FrameVideo[];
  /** Videos whose newest take is not approved yet. Their live take may be among `videos`. */
  underWay: FrameVideo[];
}

/**
 * Reads the frame's approved videos that a private link shows, in the order that the customer set. Refuses if a refund
 * withdrew the videos.
 */
export async function readVideoDelivery(
  db: Db,
  token: string,
  purposes: FrameDelivery['purpose'][] = ['delivery', 'share'],
): Promise<FrameDelivery | undefined> {
  const access = await readToken(db, purposes, token);
  const frame = access && (await findFrameById(db, access.subjectId));
  const order = frame && (await findOrderById(db, frame.orderId));
  if (!access || !frame || !order) return undefined;
  await refuseIfVideosWithdrawn(db, order.id);
  const videosWithPhoto = await readVideosWithPhotos(db, frame.id);
  const { purpose, expiresAt } = access;
  const videos = await filterWatchableVideos(db, videosWithPhoto);
  return { purpose, frame, order, expiresAt, videos, underWay: videosWithPhoto.filter((it) => !isAccepted(it)) };
}
/** The videos that a frame's customer may watch. Each has the take that the customer sees. */
export const readWatchableVideos = async (db: Db, frameId: string) =>
  filterWatchableVideos(db, await readVideosWithPhotos(db, frameId));
async function filterWatchableVideos(db: Db, videosWithPhoto: FrameVideo[]): Promise<FrameVideo[]> {
  const videosWithLiveTake = await withLiveTakes(
    db,
    videosWithPhoto.map((it) => it.video),
  );
  return videosWithPhoto.map((it, index) => ({ ...it, video: videosWithLiveTake[index]! })).filter(isAccepted);
}
const isAccepted = ({ video }: FrameVideo) => video.state === 'approved' && video.videoKey !== null;

/** Reads what the link of a player shows: the videos that are approved so far. */
export async function readVideosOfPlayerLink(db: Db, clock: Clock, token: string) {
  const access = await readToken(db, 'play', token);
  const frame = access && (await findFrameById(db, access.subjectId));
  if (!access || !frame) return undefined;
  await refuseIfVideosWithdrawn(db, frame.orderId);
  const retentionEnd = computeRetentionEnd(frame, clock);
  if (retentionEnd && retentionEnd <= clock.now()) return undefined;
  const order = (await findOrderById(db, frame.orderId))!;
  const videos = await readWatchableVideos(db, frame.id);
  return {
    frame,
    order,
    videos,
    expiresAt: retentionEnd && retentionEnd < access.expiresAt ? retentionEnd : access.expiresAt,
  };
}

/**
 * Creates a link to a frame's delivery page for the customer's account page. It expires when the retention of the
 * videos ends, or after two delivery periods if videos are still being made. Returns its path.
 */
export async function createDeliveryLink({ db, clock }: { db: Db; clock: Clock }, frame: Frame): Promise<string> {
  await refuseIfVideosWithdrawn(db, frame.orderId);
  // Delivered videos stay available while the videos of later photos are being made.
  const hasVideos = (await findFramesWithVideos(db, [frame])).has(frame.id);
  const retentionEnd =
    computeRetentionEnd(frame, clock) ?? (hasVideos ? computeExpiryBeforeVideosReady(clock) : undefined);
  if (!retentionEnd) throw new Refusal('videos-not-ready');
  const seconds = computeSecondsUntil(clock, retentionEnd);
  if (seconds <= 0) throw new Refusal('delivery-link-invalid');
  return `/delivery/${await issueToken(db, clock, { purpose: 'delivery', subjectId: frame.id, seconds })}`;
}

/** All videos of a frame, in any state, in the order that the customer set for the photos. */
export async function readVideosWithPhotos(db: Db, frameId: string): Promise<FrameVideo[]> {
  const allVideos = await videosOfFrames(db, [frameId]);
  const photos = await photosByIds(db, allVideos.flatMap(photoIdsOf));
  const photosById = new Map(photos.map((it) => [it.id, it]));
  // Without a caption, the first photo of a pair gets the caption of the second one.
  const findPhoto = ({ uploadId, secondUploadId }: Video): Upload | undefined => {
    const photo = photosById.get(uploadId);
    const secondPhoto = secondUploadId === null ? undefined : photosById.get(secondUploadId);
    return photo && { ...photo, caption: photo.caption ?? secondPhoto?.caption ?? null };
  };
  return allVideos
    .map((video) => ({ video, photo: findPhoto(video) }))
    .flatMap(({ video, photo }, index) =>
      // Leave out a video whose photo was erased after the videos were read.
      photo ? { video, photo, fileName: videoFileName(index + 1, photo) } : [],
    );
}

/** Sets the caption of a video. Refuses a video of another frame. */
export async function captionVideo(db: Db, frameId: string, videoId: string, caption: string): Promise<FrameVideo> {
  const readVideoOfFrame = async () => {
    const foundVideo = (await readVideosWithPhotos(db, frameId)).find((it) => it.video.id === videoId);
    if (!foundVideo) throw new Refusal('not-found');
    return { ...foundVideo, video: (await withLiveTakes(db, [foundVideo.video]))[0]! };
  };
  const { photo } = await readVideoOfFrame();
  // `captionPhoto` returns false if the photo was replaced in the meantime. Then the new photo gets the caption.
  return (await captionPhoto(db, photo.id, caption)) ? readVideoOfFrame() : captionVideo(db, frameId, videoId, caption);
}

/**
 * The motion that the owner or customer requested but the photo did not allow; null if the requested motion was made.
 */
export function findMotionNotMade(
  { provenance, isChosen }: Video,
  { moves }: Pick<Upload, 'moves'>,
): MotionStyle | null {
  const requestedStyle = provenance?.insteadOf?.style;
  if (requestedStyle === undefined) return null;
  const isWished =
    isChosen ||
    // The upload page said that the photo's own motion is used.
    requestedStyle === 'own-motion' ||
    (requestedStyle === 'alive' && moves?.living === true) ||
    (requestedStyle === 'water' && moves?.water === true) ||
    (requestedStyle === 'candlelight' && Boolean(moves?.candle));
  return isWished ? requestedStyle : null;
}

/**
 * How the video was made. An older video has no stored provenance. If this machine made it, its provenance is derived
 * from its motion.
 */
export const toProvenance = ({ provenance, madeBy, style }: Video): Provenance | null =>
  provenance ?? (madeBy === 'local' ? { by: 'local', style } : null);

/** The people who may see a video, as conditions for the query that reads it. */
export interface VideoViewers {
  /** The owner sees every take. */
  owner: SQL;
  /**
   * Approved videos are visible to the order's customer. They are also visible with a link of the frame or a review
   * link of the order.
   */
  customer: (orderId: SQLWrapper) => SQL;
  linkTokens: string[];
  /** The states of the videos that a proof link shows. */
  proofStates: Video['state'][];
}

/**
 * Returns the stored file with this file name: a video, its clip, its poster or its photo. Returns undefined if these
 * viewers may not see it.
 *
 * @param take the take in the address, so that the owner can watch the live take next to the new one
 */
export async function findVideoByFileName(
  db: Db,
  { fileName, take }: { fileName: string; take: number | undefined },
  { owner, customer, linkTokens, proofStates }: VideoViewers,
): Promise<{ key: string; contentType: string } | undefined> {
  const [, id, kind] = /^([\w-]+?)(-photo\.jpg|-clip\.mp4|\.mp4|\.jpg)$/.exec(fileName) ?? [];
  if (id === undefined) return undefined;
  const isApproved = eq(videos.state, 'approved');
  const isInProof = and(inArray(videos.state, proofStates), tokenMatchCondition(['proof'], linkTokens, videos.frameId));
  const mayWatchNewest = or(owner, isInProof, isApproved);
  const [row] = await db
    .select({ video: videos, live: liveTakes, mayWatchNewest: sql<boolean>`${mayWatchNewest}` })
    .from(videos)
    .leftJoin(liveTakes, eq(liveTakes.videoId, videos.id))
    .where(
      and(
        eq(videos.id, id),
        or(
          owner,
          and(
            not(videosWithdrawnCondition(orderOfFrame(videos.frameId))),
            or(
              isInProof,
              and(
                or(isApproved, isNotNull(liveTakes.videoId)),
                or(
                  tokenMatchCondition(['delivery', 'share', 'play'], linkTokens, videos.frameId),
                  tokenMatchCondition(['review'], linkTokens, orderOfFrame(videos.frameId)),
                  customer(orderOfFrame(videos.frameId)),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  if (!row) return undefined;
  if (kind === '-photo.jpg') {
    const photo = await findPhotoById(db, row.video.uploadId);
    return photo && { key: photo.displayKey, contentType: 'image/jpeg' };
  }
  const isLiveMeant = row.live !== null && (take === row.live.take || !row.mayWatchNewest);
  const { videoKey, posterKey, clipKey } = isLiveMeant ? row.live! : row.video;
  const keysByEnding = { '.jpg': posterKey, '.mp4': videoKey, '-clip.mp4': clipKey };
  const key = keysByEnding[kind as keyof typeof keysByEnding];
  return key === null ? undefined : { key, contentType: kind === '.jpg' ? 'image/jpeg' : 'video/mp4' };
}
export const videoUrl = (video: Video) => `/videos/${video.id}.mp4?take=${video.take}`;
export const downloadUrl = (video: Video, fileName: string) =>
  `${videoUrl(video)}&download=${encodeURIComponent(fileName)}`;
/** The address of a video's poster for download. The poster has the size and the title of the video. */
export const stillUrl = (video: Video, fileName: string) =>
  `${posterUrl(video)}&download=${encodeURIComponent(fileName.replace(/\.mp4$/, '.jpg'))}`;
/** The address of a small copy of the video's first seconds. */
export const clipUrl = (video: Video) => `/videos/${video.id}-clip.mp4?take=${video.take}`;
export const posterUrl = (video: Video) => `/videos/${video.id}.jpg?take=${video.take}`;
export const videoPhotoUrl = (video: Video) => `/videos/${video.id}-photo.jpg`;
