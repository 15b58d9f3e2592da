import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, inArray } from 'drizzle-orm';
import { AnimationError, type Animator, type Storage } from '../ports.ts';
import { frameById } from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import { orderById } from '../orders/orders.ts';
import { photoById } from '../photos/photos.ts';
import { newId } from '../columns.ts';
import { approveVideo, videoById, type ProductionScope } from './production.ts';
import { videos } from './production.sql.ts';

interface GiveUpScope extends ProductionScope {
  /** Where failed jobs are told. */
  ownerEmail: () => Promise<string>;
}
interface RenderScope extends GiveUpScope {
  animator: Animator;
  storage: Storage;
  workFolder: string;
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
  const isCurrent = isBeingMade(videoId, take);
  const [video] = await db.update(videos).set({ state: 'rendering', progress: 0 }).where(isCurrent).returning();
  // Rendered by a try that was killed before it could approve.
  if (!video) return approveRendered(scope, videoId, take);
  const photo = await photoById(db, video.uploadId);
  if (!photo) return;

  const work = await mkdtemp(join(scope.workFolder, 'video-'));
  const videoPath = join(work, 'video.mp4');
  const posterPath = join(work, 'poster.jpg');
  // A key of this try alone: where two tries run at once, each row names the files of the same one.
  const name = newId();
  const videoKey = `videos/${name}.mp4`;
  const posterKey = `posters/${name}.jpg`;
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
    const kept = await db
      .update(videos)
      .set({ ...done, videoKey, posterKey, seconds, sizeBytes, failure: null })
      .where(isCurrent)
      .returning({ id: videos.id });
    if (kept.length === 0) await Promise.all([videoKey, posterKey].map((key) => storage.delete(key)));
  } catch (error) {
    const isHopeless = isLastTry || (error instanceof AnimationError && !error.retryable);
    if (!isHopeless || signal.aborted) throw error;
    await giveUpVideo(scope, { videoId, take }, error);
    return;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  await approveRendered(scope, videoId, take);
}

const isBeingMade = (videoId: string, take: number) =>
  and(eq(videos.id, videoId), eq(videos.take, take), inArray(videos.state, ['queued', 'rendering']));

async function approveRendered(scope: RenderScope, videoId: string, take: number): Promise<void> {
  if (!scope.autoApprove) return;
  const video = await videoById(scope.db, videoId);
  if (video?.state === 'rendered' && video.take === take) await approveVideo(scope, videoId);
}

/**
 * A video that will not be made: the owner sees it in Production and in a mail; a redo tries again. Also the job of a
 * render that was killed on its last try.
 */
export async function giveUpVideo(
  { db, clock, jobs, link, ownerEmail }: GiveUpScope,
  { videoId, take }: { videoId: string; take: number },
  error: unknown = new Error('Rendering was cut off every time it was tried.'),
): Promise<void> {
  const video = await videoById(db, videoId);
  const photo = video && (await photoById(db, video.uploadId));
  const frame = video && (await frameById(db, video.frameId));
  const order = frame && (await orderById(db, frame.orderId));
  const failure = error instanceof Error ? error.message : String(error);
  const to = await ownerEmail();
  await db.transaction(async (tx) => {
    const given = await tx
      .update(videos)
      .set({ state: 'failed', failure })
      .where(isBeingMade(videoId, take))
      .returning({ id: videos.id });
    if (given.length === 0) return;
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `failed-video:${videoId}:${take}`,
        to,
        ...(order && { orderId: order.id }),
        content: {
          kind: 'owner-failed-job',
          job: `the video of ${photo?.originalFileName ?? 'a photo'}${frame ? ` of ${frame.name}` : ''}`,
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
