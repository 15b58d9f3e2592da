import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, inArray } from 'drizzle-orm';
import { money } from '#contract/catalog.ts';
import { filmTitle } from '#contract/film-title.ts';
import type { MotionStyle } from '#contract/motion.ts';
import { AnimationError, type AnimateRequest, type AnimationFailure, type Animator } from '../ports/animator.ts';
import type { Db } from '../ports/database.ts';
import type { Seeing, Seen } from '../ports/seeing.ts';
import type { Storage } from '../ports/storage.ts';
import { storeAndName } from '../files/files.ts';
import { frameById, holdFrame } from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import { orderById } from '../orders/orders.ts';
import { photoById, type Upload } from '../photos/photos.ts';
import { seenOn } from '../photos/seen.ts';
import { newId } from '../columns.ts';
import { motionFor } from './motion.ts';
import type { AnimationNews } from './animation-news.ts';
import { moveOn } from './hand-over.ts';
import { approveVideo, queueVideo, videoById, type ProductionScope, type Video } from './production.ts';
import { videos } from './production.sql.ts';
import { bookOrder, spendingMonth, unbookOrder } from './spending.ts';
import { watchJob } from './watch-job.ts';

interface GiveUpScope extends ProductionScope {
  /** As the settings choose it. */
  animator: Animator;
  /** Where failed jobs are told. */
  ownerEmail: () => Promise<string>;
}
interface RenderScope extends GiveUpScope {
  /** On this machine: makes what the chosen one does not. */
  standIn: Animator;
  /** Takes a film that the owner made. */
  filmFitter: Animator;
  /** Cents for paid animators in a month, at most. */
  monthlyCapCents?: number | undefined;
  animationNews: AnimationNews;
  storage: Storage;
  seeing: Seeing;
  workFolder: string;
  /** Finished videos need no look of the owner's. */
  autoApprove: boolean;
  /** The video came a step further. */
  onChange?: () => void;
  /** A video is there, so long after its photo was taken up. */
  onRendered?: (style: MotionStyle, seconds: number) => void;
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
  const { db, clock, storage } = scope;
  const isCurrent = isBeingMade(videoId, take);
  const begun = await beginRendering(scope, videoId, take);
  // Rendered by a try that was killed before it could approve.
  if (!begun) return approveRendered(scope, videoId, take);
  const { video, animator } = begun;
  const { onChange = () => {} } = scope;
  onChange();
  const photo = await photoById(db, video.uploadId);
  if (!photo) return;

  const began = performance.now();
  const work = await mkdtemp(join(scope.workFolder, 'video-'));
  // A key of this try alone: where two tries run at once, each row names the files of the same one.
  const name = newId();
  const videoKey = `videos/${name}.mp4`;
  const posterKey = `posters/${name}.jpg`;
  const clipKey = `videos/${name}-clip.mp4`;
  try {
    const onProgress = throttled((progress) => db.update(videos).set({ progress }).where(isCurrent).then(onChange));
    const made = await storage.withLocalFile(video.filmKey ?? photo.displayKey, async (sourcePath) => {
      const seen = video.filmKey === null ? await seenOn(scope, photo, sourcePath, signal) : undefined;
      const style = video.isChosen ? video.style : motionFor(photo, video.place, seen);
      if (style !== video.style) await db.update(videos).set({ style }).where(isCurrent);
      const jobId = await orderedJob({ db, animator }, { ...video, style }, photo, { seen, sourcePath, folder: work });
      const job = await watchJob(animator, jobId, work, { signal, onProgress, news: scope.animationNews });
      if (job.state === 'done') return job.video;
      // What ended without a video is not asked for again: the next try is an order of its own.
      await db.update(videos).set({ jobKey: null, jobId: null }).where(isCurrent);
      throw job.state === 'failed' ? job.error : new AnimationError(`${animator.id} knows nothing of the job`, true);
    });
    const files = [
      { key: videoKey, path: made.videoPath, contentType: 'video/mp4' },
      { key: posterKey, path: made.posterPath, contentType: 'image/jpeg' },
      ...(made.clipPath ? [{ key: clipKey, path: made.clipPath, contentType: 'video/mp4' }] : []),
    ];
    const { seconds, sizeBytes } = made;
    const provenance = { style: video.style, ...made.provenance };
    const keys = { videoKey, posterKey, clipKey: made.clipPath ? clipKey : null };
    const done = { state: 'rendered' as const, progress: 1, madeBy: animator.id, renderedAt: clock.now() };
    const name = () =>
      db
        .update(videos)
        .set({ ...done, ...keys, seconds, sizeBytes, provenance, failure: null })
        .where(isCurrent)
        .returning({ id: videos.id });
    await storeAndName(storage, files, name, {
      isNamed: (kept) => kept.length > 0,
      replaced: [video.videoKey, video.posterKey, video.clipKey],
    });
    scope.onRendered?.(provenance.style, (performance.now() - began) / 1000);
  } catch (error) {
    const isHopeless = isLastTry || (error instanceof AnimationError && !error.retryable);
    if (!isHopeless || signal.aborted) throw error;
    if (animator.id === scope.animator.id && animator.id !== scope.standIn.id) await letStandIn(scope, video, error);
    else await giveUpVideo(scope, { videoId, take }, error);
    return;
  } finally {
    await rm(work, { recursive: true, force: true });
    onChange();
  }
  await approveRendered(scope, videoId, take);
  onChange();
}

/**
 * The video, whose job it is, and the key its order goes under: the one of an earlier try that may have been sent, else a
 * new one, booked before it is sent where it costs something.
 */
async function beginRendering(scope: RenderScope, videoId: string, take: number) {
  const ownersMailbox = await scope.ownerEmail();
  return scope.db.transaction(async (tx) => {
    const [found] = await tx.select().from(videos).where(isBeingMade(videoId, take)).for('update');
    if (!found) return undefined;
    let animator = makerOf(scope, found);
    let { jobKey, jobId, standIn } = found;
    const photo = await photoById(tx, found.uploadId);
    const wish = photo && wishForThisMachine(photo);
    if (wish && animator === scope.animator && animator.id !== scope.standIn.id) {
      standIn = wish;
      animator = scope.standIn;
    }
    if (jobKey === null || found.animator !== animator.id) {
      [jobKey, jobId] = [newId(), null];
      if (!(await isAffordable(tx, { ...scope, ownersMailbox }, found, animator, jobKey))) {
        standIn = 'The month’s cap for hosted videos is reached.';
        animator = scope.standIn;
      }
    }
    const begun = { state: 'rendering' as const, progress: 0, startedAt: scope.clock.now() };
    const [video] = await tx
      .update(videos)
      .set({ ...begun, animator: animator.id, jobKey, jobId, standIn })
      .where(eq(videos.id, videoId))
      .returning();
    return { video: video!, animator };
  });
}

/** What a hosted model cannot be told for certain, or knows nothing of. */
function wishForThisMachine({ moves, isTitled, caption }: Upload): string | undefined {
  if (moves?.living === false) return 'Its customer wishes people to keep still.';
  return isTitled && filmTitle(caption) !== undefined ? 'Its title is to be written on it.' : undefined;
}

function makerOf({ animator, standIn, filmFitter }: RenderScope, video: Video): Animator {
  if (video.filmKey !== null) return filmFitter;
  return video.standIn === null ? animator : standIn;
}

/** Where the cap is reached, the owner hears of it once in its month. */
async function isAffordable(
  tx: Db,
  scope: RenderScope & { ownersMailbox: string },
  video: Video,
  animator: Animator,
  key: string,
) {
  const { clock, jobs, link, monthlyCapCents, ownersMailbox } = scope;
  const { id: animatorId, priceCents } = animator;
  if (priceCents === 0) return true;
  const orderId = (await frameById(tx, video.frameId))?.orderId ?? '';
  const order = { key, videoId: video.id, orderId, animator: animatorId, priceCents };
  if (await bookOrder(tx, clock, order, monthlyCapCents)) return true;
  await queueMail(
    tx,
    { jobs, clock },
    {
      event: `animator-cap:${spendingMonth(clock)}`,
      to: ownersMailbox,
      content: {
        kind: 'owner-failed-job',
        job: 'hosted videos for this month',
        failedAt: clock.now().toISOString(),
        error: `The next one would come to more than ANIMATOR_MONTHLY_CAP, ${money(monthlyCapCents ?? 0)}.`,
        consequence:
          'Until the month is over this machine makes the videos itself. Nothing waits, and nothing is lost.',
        adminUrl: link('/admin?tab=production'),
      },
    },
  );
  return false;
}

/** The chosen animator will not make it: this machine does, with tries of its own, and the owner sees why. */
async function letStandIn(scope: RenderScope, { id, take }: Video, error: unknown): Promise<void> {
  const { db, animator } = scope;
  const given = await db.transaction(async (tx) => {
    const [before] = await tx.select().from(videos).where(isBeingMade(id, take)).for('update');
    if (!before) return undefined;
    const isSureOfNothing = error instanceof AnimationError && refusedAtOnce.has(error.failure);
    if (before.jobId === null && before.jobKey !== null && isSureOfNothing) await unbookOrder(tx, before.jobKey);
    const standIn = error instanceof Error ? error.message : String(error);
    await tx.update(videos).set({ state: 'queued', standIn, jobKey: null, jobId: null }).where(eq(videos.id, id));
    await queueVideo(tx, scope, before);
    return before;
  });
  // Best effort: a job nobody waits for costs money.
  if (given?.jobId) await animator.cancel(given.jobId).catch(() => {});
}
const refusedAtOnce = new Set<AnimationFailure>(['access', 'quota', 'input', 'busy']);

/** The job that makes this video: found again where it outlived the process that ordered it, else ordered now. */
async function orderedJob(
  { db, animator }: { db: Db; animator: Animator },
  video: Video,
  photo: Upload,
  { seen, ...files }: Pick<AnimateRequest, 'sourcePath' | 'folder'> & { seen: Seen | undefined },
): Promise<string> {
  if (video.jobId !== null && animator.outlivesProcess) return video.jobId;
  const title = photo.isTitled ? filmTitle(photo.caption) : undefined;
  const jobId = await animator.start({
    id: video.jobKey!,
    style: video.style,
    seconds: videoSeconds,
    ...(seen && { seen }),
    ...(title !== undefined && { title }),
    ...focusOf(photo, video.style),
    ...files,
  });
  // Before it is waited for: whoever comes after a crash waits for this job and orders no other.
  await db.update(videos).set({ jobId }).where(isBeingMade(video.id, video.take));
  return jobId;
}

/** A candle that was pointed at is what the eye goes to, where it is to glow. */
function focusOf({ moves, focusX, focusY }: Upload, style: MotionStyle): Pick<AnimateRequest, 'focus'> {
  if (style === 'candlelight' && moves?.candle) return { focus: moves.candle };
  return focusX !== null && focusY !== null ? { focus: { x: focusX, y: focusY } } : {};
}

const isBeingMade = (videoId: string, take: number) =>
  and(eq(videos.id, videoId), eq(videos.take, take), inArray(videos.state, ['queued', 'rendering']));

/** What follows a rendering by itself: approval, where none of the owner's is needed, or the customer's look before it. */
async function approveRendered(scope: RenderScope, videoId: string, take: number): Promise<void> {
  const video = await videoById(scope.db, videoId);
  if (video?.state !== 'rendered' || video.take !== take) return;
  if (scope.autoApprove) await approveVideo(scope, videoId);
  else if (scope.proof.when === 'before')
    await scope.db.transaction(async (tx) => moveOn(tx, scope, await holdFrame(tx, video.frameId)));
}

/**
 * A video that will not be made: the owner sees it in Production and in a mail; a redo tries again. Also the job of a
 * render that was killed on its last try.
 */
export async function giveUpVideo(
  { db, clock, jobs, animator, link, ownerEmail }: GiveUpScope,
  { videoId, take }: { videoId: string; take: number },
  error: unknown = new Error('Rendering was cut off every time it was tried.'),
): Promise<void> {
  const [video] = await db.select().from(videos).where(isBeingMade(videoId, take));
  const photo = video && (await photoById(db, video.uploadId));
  const frame = video && (await frameById(db, video.frameId));
  const order = frame && (await orderById(db, frame.orderId));
  const failure = error instanceof Error ? error.message : String(error);
  const to = await ownerEmail();
  // Best effort: a job nobody waits for costs money, and the owner must hear of the video all the same.
  if (video?.jobId && video.animator === animator.id) await animator.cancel(video.jobId).catch(() => {});
  await db.transaction(async (tx) => {
    const given = await tx
      .update(videos)
      .set({ state: 'failed', failure, failedAt: clock.now() })
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
