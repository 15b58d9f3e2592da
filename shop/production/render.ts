import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, inArray } from 'drizzle-orm';
import { AnimationError, type Animator, type Storage } from '../ports.ts';
import { frameById } from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import { orderById } from '../orders/orders.ts';
import { photoById } from '../photos/photos.ts';
import { approveVideo, type ProductionScope } from './production.ts';
import { videos, type Video } from './production.sql.ts';

interface RenderScope extends ProductionScope {
  animator: Animator;
  storage: Storage;
  workFolder: string;
  /** Where failed jobs are told. */
  ownerEmail: () => Promise<string>;
  /** Finished videos need no look of the owner's. */
  autoApprove: boolean;
}
const videoSeconds = 8;
/** The admin's progress bar moves at most this often. */
const progressEveryMs = 700;

/**
 * The job of one video: photo in, MP4 and poster out. It may be killed and run again at any point; only the current take
 * of a video still being made is ever written.
 */
export async function renderVideo(
  scope: RenderScope,
  { videoId, take }: { videoId: string; take: number },
  { signal, isLastTry }: { signal: AbortSignal; isLastTry: boolean },
): Promise<void> {
  const { db, clock, storage, animator } = scope;
  const isCurrent = and(eq(videos.id, videoId), eq(videos.take, take), inArray(videos.state, ['queued', 'rendering']));
  const [video] = await db.update(videos).set({ state: 'rendering', progress: 0 }).where(isCurrent).returning();
  const photo = video && (await photoById(db, video.uploadId));
  if (!photo) return;

  const work = await mkdtemp(join(scope.workFolder, 'video-'));
  const videoPath = join(work, 'video.mp4');
  const posterPath = join(work, 'poster.jpg');
  const videoKey = `videos/${videoId}-${take}.mp4`;
  const posterKey = `posters/${videoId}-${take}.jpg`;
  try {
    const made = await storage.withLocalFile(photo.displayKey, (sourcePath) =>
      animator.animate({
        id: `${videoId}-${take}`,
        sourcePath,
        style: video.style,
        seconds: videoSeconds,
        ...(photo.focusX !== null && photo.focusY !== null && { focus: { x: photo.focusX, y: photo.focusY } }),
        videoPath,
        posterPath,
        signal,
        onProgress: throttled((progress) => db.update(videos).set({ progress }).where(isCurrent)),
      }),
    );
    await storage.putFile(videoKey, videoPath, 'video/mp4');
    await storage.putFile(posterKey, posterPath, 'image/jpeg');
    const { seconds, sizeBytes } = made;
    const done = { state: 'rendered' as const, progress: 1, madeBy: animator.id, renderedAt: clock.now() };
    await db
      .update(videos)
      .set({ ...done, videoKey, posterKey, seconds, sizeBytes, failure: null })
      .where(isCurrent);
  } catch (error) {
    const isHopeless = isLastTry || (error instanceof AnimationError && !error.retryable);
    if (!isHopeless || signal.aborted) throw error;
    await giveUp(scope, video, photo.originalFileName, error);
    return;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  if (scope.autoApprove) await approveVideo(scope, videoId);
}

/** The owner sees the failure in Production and in a mail; a redo tries again. */
async function giveUp({ db, clock, jobs, link, ownerEmail }: RenderScope, video: Video, title: string, error: unknown) {
  const frame = await frameById(db, video.frameId);
  const order = frame && (await orderById(db, frame.orderId));
  const failure = error instanceof Error ? error.message : String(error);
  const to = await ownerEmail();
  await db.transaction(async (tx) => {
    await tx
      .update(videos)
      .set({ state: 'failed', failure })
      .where(and(eq(videos.id, video.id), eq(videos.take, video.take)));
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `failed-video:${video.id}:${video.take}`,
        to,
        content: {
          kind: 'owner-failed-job',
          job: `the video of ${title}${frame ? ` of ${frame.name}` : ''}`,
          failedAt: clock.now().toISOString(),
          error: failure,
          orderNumber: order?.orderNumber,
          adminUrl: link('/admin?tab=production'),
        },
      },
    );
  });
}

function throttled(write: (progress: number) => Promise<unknown>) {
  let last = 0;
  let pending: Promise<unknown> | undefined;
  return (progress: number) => {
    if (pending || Date.now() - last < progressEveryMs) return;
    last = Date.now();
    // A missed progress mark is nothing; the render goes on.
    pending = write(progress)
      .catch(() => {})
      .finally(() => (pending = undefined));
  };
}
