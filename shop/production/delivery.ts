import { and, eq, inArray, or, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Provenance } from '#contract/motion.ts';
import { Refusal } from '#contract/refusals.ts';
import { secondsUntil, type Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { isTokenFor, issueToken, readToken } from '../tokens/tokens.ts';
import { frameById, orderOfFrame, type Frame } from '../frames/frames.ts';
import { standsUntil } from '../frames/kept.ts';
import { orderById, type Order } from '../orders/orders.ts';
import { captionPhoto, photoById, photosByIds, type Upload } from '../photos/photos.ts';
import { underWayUntil } from './frame-links.ts';
import { videosOfFrames, type Video } from './production.ts';
import { videos } from './production.sql.ts';
import { savedName } from './saved-names.ts';

export interface FrameVideo {
  video: Video;
  photo: Upload;
  /** What people wrote about it, else its number among the frame's. */
  title: string;
  /** What it is called when saved, unique within its frame: `03-kite.mp4`. */
  fileName: string;
}
export interface FrameDelivery {
  /** `share`: it may be watched and saved, no more. */
  purpose: 'delivery' | 'share';
  frame: Frame;
  order: Order;
  expiresAt: Date;
  videos: FrameVideo[];
  /** Given away for another motion, and not accepted again yet. */
  underWay: FrameVideo[];
}

/** What a private link opens: a frame's accepted videos, in the order that their customer gave them. */
export async function readDelivery(
  db: Db,
  token: string,
  purposes: FrameDelivery['purpose'][] = ['delivery', 'share'],
): Promise<FrameDelivery | undefined> {
  const access = await readToken(db, purposes, token);
  const frame = access && (await frameById(db, access.subjectId));
  const order = frame && (await orderById(db, frame.orderId));
  if (!access || !frame || !order) return undefined;
  const all = await videosWithPhotos(db, frame.id);
  const { purpose, expiresAt } = access;
  const videos = all.filter(isAccepted);
  return { purpose, frame, order, expiresAt, videos, underWay: all.filter((it) => !isAccepted(it)) };
}
export const isAccepted = ({ video }: FrameVideo) => video.state === 'approved' && video.videoKey !== null;

/** What the player's link shows: what is accepted so far. */
export async function readPlayer(db: Db, clock: Clock, token: string) {
  const access = await readToken(db, 'play', token);
  const frame = access && (await frameById(db, access.subjectId));
  if (!access || !frame) return undefined;
  const end = standsUntil(frame, clock);
  if (end && end <= clock.now()) return undefined;
  const order = (await orderById(db, frame.orderId))!;
  const videos = (await videosWithPhotos(db, frame.id)).filter(isAccepted);
  return { frame, order, videos, expiresAt: end && end < access.expiresAt ? end : access.expiresAt };
}

/** The customer's own way to the delivery page of a frame, open as long as the mailed link. Answers its path. */
export async function openDelivery({ db, clock }: { db: Db; clock: Clock }, frame: Frame): Promise<string> {
  const end = standsUntil(frame, clock) ?? (await keptMeanwhile(db, clock, frame));
  if (!end) throw new Refusal('videos-not-ready');
  const seconds = secondsUntil(clock, end);
  if (seconds <= 0) throw new Refusal('delivery-link-invalid');
  return `/delivery/${await issueToken(db, clock, { purpose: 'delivery', subjectId: frame.id, seconds })}`;
}

/** What was delivered stays open while photos that were added later are on their way. */
async function keptMeanwhile(db: Db, clock: Clock, frame: Frame): Promise<Date | undefined> {
  const wasDelivered = (await videosOfFrames(db, [frame.id])).some(
    (it) => it.state === 'approved' && it.keptAt !== null,
  );
  return wasDelivered ? underWayUntil(clock) : undefined;
}

/** All videos of a frame, whatever their state, in the order that their customer gave the photos. */
export async function videosWithPhotos(db: Db, frameId: string): Promise<FrameVideo[]> {
  const all = await videosOfFrames(db, [frameId]);
  const photos = await photosByIds(
    db,
    all.map((it) => it.uploadId),
  );
  const photosById = new Map(photos.map((it) => [it.id, it]));
  return all
    .map((video) => ({ video, photo: photosById.get(video.uploadId) }))
    .flatMap(({ video, photo }, index) =>
      // One that was erased since the videos were read is theirs no more.
      photo
        ? { video, photo, title: photo.caption ?? `Video ${index + 1}`, fileName: savedName(index + 1, photo) }
        : [],
    );
}

/** Write what a video is called. Refuses one that is not this frame's. */
export async function captionVideo(db: Db, frameId: string, videoId: string, caption: string): Promise<FrameVideo> {
  const ofFrame = async () => {
    const found = (await videosWithPhotos(db, frameId)).find((it) => it.video.id === videoId);
    if (!found) throw new Refusal('not-found');
    return found;
  };
  const { photo } = await ofFrame();
  // Another photo may take its place meanwhile: it takes the words over, too.
  return (await captionPhoto(db, photo.id, caption)) ? ofFrame() : captionVideo(db, frameId, videoId, caption);
}

/** What was done to the photo; of a video from before this was kept, what its motion and maker say. */
export const provenanceOf = ({ provenance, madeBy, style }: Video): Provenance | null =>
  provenance ?? (madeBy === 'local' ? { by: 'local', style } : null);

/** Who may see a video, as conditions inside the query that looks it up. */
export interface VideoViewers {
  /** Sees every take. */
  owner: SQL;
  /** See what was accepted: the customer of this order, and who holds a link of the frame or a review's of its order. */
  customer: (orderId: SQLWrapper) => SQL;
  linkTokens: string[];
  /** What a proof shows. */
  proofStates: Video['state'][];
}

/** The finished video, its poster or its photo that a file name of ours means, if these viewers may see it. */
export async function videoByFileName(
  db: Db,
  fileName: string,
  { owner, customer, linkTokens, proofStates }: VideoViewers,
): Promise<{ key: string; contentType: string } | undefined> {
  const [, id, kind] = /^([\w-]+?)(-photo\.jpg|-clip\.mp4|\.mp4|\.jpg)$/.exec(fileName) ?? [];
  if (id === undefined) return undefined;
  const [video] = await db
    .select()
    .from(videos)
    .where(
      and(
        eq(videos.id, id),
        or(
          owner,
          and(
            eq(videos.state, 'approved'),
            or(
              isTokenFor(['delivery', 'share', 'play'], linkTokens, videos.frameId),
              isTokenFor(['review'], linkTokens, orderOfFrame(videos.frameId)),
              customer(orderOfFrame(videos.frameId)),
            ),
          ),
          and(inArray(videos.state, proofStates), isTokenFor(['proof'], linkTokens, videos.frameId)),
        ),
      ),
    );
  if (!video) return undefined;
  if (kind === '-photo.jpg') {
    const photo = await photoById(db, video.uploadId);
    return photo && { key: photo.displayKey, contentType: 'image/jpeg' };
  }
  const stored = { '.jpg': video.posterKey, '.mp4': video.videoKey, '-clip.mp4': video.clipKey };
  const key = stored[kind as keyof typeof stored];
  return key === null ? undefined : { key, contentType: kind === '.jpg' ? 'image/jpeg' : 'video/mp4' };
}
export const videoUrl = (video: Video) => `/videos/${video.id}.mp4?take=${video.take}`;
export const downloadUrl = (video: Video, fileName: string) =>
  `${videoUrl(video)}&download=${encodeURIComponent(fileName)}`;
/** Its still is its poster: as large as the film, with the title that the film has. */
export const stillUrl = (video: Video, fileName: string) =>
  `${posterUrl(video)}&download=${encodeURIComponent(fileName.replace(/\.mp4$/, '.jpg'))}`;
/** Its first seconds, small. */
export const clipUrl = (video: Video) => `/videos/${video.id}-clip.mp4?take=${video.take}`;
export const posterUrl = (video: Video) => `/videos/${video.id}.jpg?take=${video.take}`;
export const videoPhotoUrl = (video: Video) => `/videos/${video.id}-photo.jpg`;
