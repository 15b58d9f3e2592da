import { and, eq } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock, Db } from '../ports.ts';
import { issueToken, readToken } from '../accounts/tokens.ts';
import { frameById, type Frame } from '../frames/frames.ts';
import { orderById, type Order } from '../orders/orders.ts';
import { photosByIds, type Upload } from '../photos/photos.ts';
import { videosOfFrames, type Video } from './production.ts';
import { videos } from './production.sql.ts';

export interface DeliveredVideo {
  video: Video;
  photo: Upload;
  /** What it is called when saved, unique within its frame: `03-kite.mp4`. */
  fileName: string;
}
export interface FrameDelivery {
  frame: Frame;
  order: Order;
  expiresAt: Date;
  videos: DeliveredVideo[];
}

/** What a private delivery link opens: a frame's accepted videos, in the order their photos were added. */
export async function readDelivery(db: Db, token: string): Promise<FrameDelivery | undefined> {
  const access = await readToken(db, 'delivery', token);
  const frame = access && (await frameById(db, access.subjectId));
  const order = frame && (await orderById(db, frame.orderId));
  if (!access || !frame || !order) return undefined;
  return { frame, order, expiresAt: access.expiresAt, videos: await deliveredVideos(db, frame.id) };
}

/** The customer's own way to the delivery page of a frame, open as long as the mailed link. Answers its path. */
export async function openDelivery({ db, clock }: { db: Db; clock: Clock }, frame: Frame): Promise<string> {
  if (!frame.videosReadyAt) throw new Refusal('videos-not-ready');
  const endsAt = frame.videosReadyAt.getTime() + lifetimes.deliveryDays * 86_400_000;
  const seconds = (endsAt - clock.now().getTime()) / 1000;
  if (seconds <= 0) throw new Refusal('delivery-link-invalid');
  return `/delivery/${await issueToken(db, clock, { purpose: 'delivery', subjectId: frame.id, seconds })}`;
}

async function deliveredVideos(db: Db, frameId: string): Promise<DeliveredVideo[]> {
  const approved = (await videosOfFrames(db, [frameId])).filter(
    (it) => it.state === 'approved' && it.videoKey !== null,
  );
  const photos = await photosByIds(
    db,
    approved.map((it) => it.uploadId),
  );
  const photosById = new Map(photos.map((it) => [it.id, it]));
  return approved
    .map((video) => ({ video, photo: photosById.get(video.uploadId)! }))
    .toSorted(
      (a, b) => a.photo.uploadedAt.getTime() - b.photo.uploadedAt.getTime() || (a.photo.id < b.photo.id ? -1 : 1),
    )
    .map((it, index) => ({ ...it, fileName: savedName(index + 1, it.photo.originalFileName) }));
}

/** Letters and digits of the photo's own name, numbered: safe on every disk, whatever the customer called it. */
export function savedName(place: number, originalName: string): string {
  const letters = originalName
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  // By letters, not by halves of them: half a rare kanji is no text.
  const stem = Array.from(letters).slice(0, 60).join('');
  return `${String(place).padStart(2, '0')}-${stem || 'photo'}.mp4`;
}

/** The finished video or poster that a file name of ours means. */
export async function videoByFileName(
  db: Db,
  fileName: string,
): Promise<{ video: Video; key: string; contentType: string } | undefined> {
  const [, id, kind] = /^([\w-]+)\.(mp4|jpg)$/.exec(fileName) ?? [];
  if (id === undefined) return undefined;
  const [video] = await db
    .select()
    .from(videos)
    .where(and(eq(videos.id, id)));
  const key = kind === 'mp4' ? video?.videoKey : video?.posterKey;
  if (!video || !key) return undefined;
  return { video, key, contentType: kind === 'mp4' ? 'video/mp4' : 'image/jpeg' };
}
export const videoUrl = (video: Video) => `/videos/${video.id}.mp4?take=${video.take}`;
export const posterUrl = (video: Video) => `/videos/${video.id}.jpg?take=${video.take}`;
