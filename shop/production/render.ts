import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq, inArray } from 'drizzle-orm';
import { formatDollars } from '#contract/catalog.ts';
import type { MotionStyle } from '#contract/motion.ts';
import { AnimationError, type AnimateRequest, type AnimationFailure, type Animator } from '../ports/animator.ts';
import type { Db } from '../ports/database.ts';
import type { PhotoAnalyzerPort, PhotoAnalysis } from '../ports/photo-analyzer.ts';
import type { Storage } from '../ports/storage.ts';
import { deleteFiles, storeFilesThenRow } from '../files/files.ts';
import { findFrameById, lockFrame } from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import { findOrderById } from '../orders/orders.ts';
import { findPhotoById, type Upload } from '../photos/photos.ts';
import { readOrAnalyzePhoto } from '../photos/photo-analysis.ts';
import { newId } from '../columns.ts';
import { chooseCameraMovement, chooseMotionFor, renderRequestOf, findVideoTitle, videoSeconds } from './motion.ts';
import type { AnimationNotifications } from './animation-notifications.ts';
import { startNextFrameStep } from './next-frame-step.ts';
import { withOwnMotion } from './own-motion.ts';
import { approveVideo, queueVideo, findVideoById, type ProductionScope, type Video } from './production.ts';
import { readCurrentPreviews, deletePreview } from './previews.ts';
import { videos } from './production.sql.ts';
import { withSecondPhoto } from './second-photo.ts';
import { bookAnimationCost, findSpendingMonth, unbookAnimationCost } from './spending.ts';
import { waitForAnimation } from './wait-for-animation.ts';

interface GiveUpScope extends ProductionScope {
  /** The animator that the settings name. */
  animator: Animator;
  /** The mailbox that gets the reports of failed jobs. */
  ownerEmail: () => Promise<string>;
}
interface RenderScope extends GiveUpScope {
  /** The animator on this machine. It makes the videos that the animator of the settings does not make. */
  standIn: Animator;
  /** Converts a video that the owner uploaded. */
  videoFitter: Animator;
  /** The most that paid animators may cost per month, in cents. */
  monthlyCapCents?: number | undefined;
  animationNews: AnimationNotifications;
  storage: Storage;
  seeing: PhotoAnalyzerPort;
  workFolder: string;
  /** Whether finished videos are approved without the owner's review. Asked when a video is finished. */
  autoApproves: (db: Db) => Promise<boolean>;
  /** Called when the video's state or progress changes. */
  onChange?: () => void;
  /** Called when a video is rendered, with the seconds since this attempt began. */
  onRendered?: (style: MotionStyle, seconds: number) => void;
}
/** The shortest time between two updates of the progress bar in the admin panel. */
const progressEveryMs = 700;

/**
 * The job of one video: makes an MP4 and a poster from a photo. It may be killed and run again at any point. It writes
 * only the current take of a video that is still being made.
 */
export async function renderVideo(
  scope: RenderScope,
  { videoId, take }: { videoId: string; take: number },
  { signal, isLastTry }: { signal: AbortSignal; isLastTry: boolean },
): Promise<void> {
  const { db, clock, storage } = scope;
  const isCurrent = isBeingMade(videoId, take);
  const startedRendering = await beginRendering(scope, videoId, take);
  // An earlier attempt may have rendered the video and then crashed before it approved the video.
  if (!startedRendering) return approveRendered(scope, videoId, take);
  const { video, animator } = startedRendering;
  const { onChange = () => {} } = scope;
  onChange();
  const [photo, second] = [await findPhotoById(db, video.uploadId), await findSecondPhoto(db, video)];
  if (!photo) return;

  const startedAt = performance.now();
  const temporaryFolder = await mkdtemp(join(scope.workFolder, 'video-'));
  // The name is unique to this attempt. If two attempts run at the same time, the row never mixes their files.
  const name = newId();
  const videoKey = `videos/${name}.mp4`;
  const posterKey = `posters/${name}.jpg`;
  const clipKey = `videos/${name}-clip.mp4`;
  try {
    const onProgress = throttleProgress((progress) =>
      db.update(videos).set({ progress }).where(isCurrent).then(onChange),
    );
    const madeVideo = await storage.withLocalFile(video.filmKey ?? photo.displayKey, async (sourcePath) => {
      const photoAnalysis =
        video.filmKey === null ? await readOrAnalyzePhoto(scope, photo, sourcePath, signal) : undefined;
      // The first take has the motion and camera movement that the photo's preview showed.
      const preview =
        video.take === 1
          ? (await readCurrentPreviews(db, second ? [photo, second] : [photo])).get(photo.id)
          : undefined;
      const style = video.isChosen
        ? video.style
        : (preview?.style ?? chooseMotionFor(photo, video.place, photoAnalysis));
      const camera = preview?.camera ?? chooseCameraMovement(video.place + video.take - 1);
      if (style !== video.style) await db.update(videos).set({ style }).where(isCurrent);
      // From the second take on, a chosen motion is for the whole video.
      const styleOfBoth = video.isChosen && video.take > 1 ? style : undefined;
      const pairMotion = { style: styleOfBoth, place: video.place + 1, camera, signal };
      const photoWithSecond = { photo, second: video.filmKey === null ? second : undefined };
      const job = await withOwnMotion(storage, photo, style, (own) =>
        withSecondPhoto(scope, photoWithSecond, pairMotion, async (other) => {
          const animationRequest = {
            ...own,
            ...other,
            camera,
            seen: photoAnalysis,
            sourcePath,
            folder: temporaryFolder,
          };
          const jobId = await findOrStartHostedJob({ db, animator }, { ...video, style }, photo, animationRequest);
          return waitForAnimation(animator, jobId, temporaryFolder, { signal, onProgress, news: scope.animationNews });
        }),
      );
      if (job.state === 'done') return job.video;
      // The job ended without a video. Clear its key, so that the next attempt sends a new request.
      await db.update(videos).set({ jobKey: null, jobId: null }).where(isCurrent);
      throw job.state === 'failed' ? job.error : new AnimationError(`${animator.id} does not know this job`, true);
    });
    const files = [
      { key: videoKey, path: madeVideo.videoPath, contentType: 'video/mp4' },
      { key: posterKey, path: madeVideo.posterPath, contentType: 'image/jpeg' },
      ...(madeVideo.clipPath ? [{ key: clipKey, path: madeVideo.clipPath, contentType: 'video/mp4' }] : []),
    ];
    const { seconds, sizeBytes } = madeVideo;
    const provenance = { style: video.style, ...madeVideo.provenance };
    const keys = { videoKey, posterKey, clipKey: madeVideo.clipPath ? clipKey : null };
    const renderedFields = { state: 'rendered' as const, progress: 1, madeBy: animator.id, renderedAt: clock.now() };
    const recordFiles = () =>
      db.transaction(async (tx) => {
        const namedRows = await tx
          .update(videos)
          .set({ ...renderedFields, ...keys, seconds, sizeBytes, provenance, failure: null })
          .where(isCurrent)
          .returning({ id: videos.id });
        return namedRows.length > 0 ? await deletePreview(tx, photo.id) : undefined;
      });
    const previewFiles = await storeFilesThenRow(storage, files, recordFiles, {
      isNamed: (named) => named !== undefined,
      replaced: [video.videoKey, video.posterKey, video.clipKey],
    });
    await deleteFiles(storage, previewFiles ?? []);
    scope.onRendered?.(provenance.style, (performance.now() - startedAt) / 1000);
  } catch (error) {
    const isHopeless = isLastTry || (error instanceof AnimationError && !error.retryable);
    if (!isHopeless || signal.aborted) throw error;
    if (animator.id === scope.animator.id && animator.id !== scope.standIn.id)
      await queueForFallback(scope, video, error);
    else await markVideoFailed(scope, { videoId, take }, error);
    return;
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
    onChange();
  }
  await approveRendered(scope, videoId, take);
  onChange();
}

/**
 * Marks the video as rendering, and chooses its animator and the idempotency key of the request to it. An earlier
 * attempt may have sent its request, so its key is reused. If a new request costs money, its cost is booked before it
 * is sent. Returns undefined if this take is no longer being made.
 */
async function beginRendering(scope: RenderScope, videoId: string, take: number) {
  const ownersMailbox = await scope.ownerEmail();
  return scope.db.transaction(async (tx) => {
    const [found] = await tx.select().from(videos).where(isBeingMade(videoId, take)).for('update');
    if (!found) return undefined;
    let animator = chooseAnimator(scope, found);
    let { jobKey, jobId, standIn } = found;
    const [photo, second] = [await findPhotoById(tx, found.uploadId), await findSecondPhoto(tx, found)];
    const localReason = photo && findReasonToMakeLocally(photo, second, found);
    if (localReason && animator === scope.animator && animator.id !== scope.standIn.id) {
      standIn = localReason;
      animator = scope.standIn;
    }
    if (jobKey === null || found.animator !== animator.id) {
      [jobKey, jobId] = [newId(), null];
      if (!(await isAffordable(tx, { ...scope, ownersMailbox }, found, animator, jobKey))) {
        standIn = 'The monthly limit for hosted videos is reached.';
        animator = scope.standIn;
      }
    }
    const renderingFields = { state: 'rendering' as const, progress: 0, startedAt: scope.clock.now() };
    const [video] = await tx
      .update(videos)
      .set({ ...renderingFields, animator: animator.id, jobKey, jobId, standIn })
      .where(eq(videos.id, videoId))
      .returning();
    return { video: video!, animator };
  });
}

/**
 * Why this machine must make the video: the customer chose a setting that hosted models do not follow reliably or do
 * not support.
 */
function findReasonToMakeLocally(photo: Upload, second: Upload | undefined, video: Video): string | undefined {
  if (second) return 'It shows two photos side by side.';
  if (photo.moves?.living === false) return 'The customer wants people to stay still.';
  const style = video.isChosen ? video.style : chooseMotionFor(photo, video.place);
  if (style === 'own-motion') return 'The photo’s own motion is shown.';
  return findVideoTitle(photo) !== undefined ? 'Its title should be shown in it.' : undefined;
}

/** The photo on the right, if the video shows two. */
const findSecondPhoto = async (db: Db, { secondUploadId }: Video): Promise<Upload | undefined> =>
  secondUploadId === null ? undefined : findPhotoById(db, secondUploadId);

function chooseAnimator({ animator, standIn, videoFitter }: RenderScope, video: Video): Animator {
  if (video.filmKey !== null) return videoFitter;
  return video.standIn === null ? animator : standIn;
}

/**
 * Books the cost of a request to an animator. If the cost would exceed the monthly cap, returns false and notifies the
 * owner once per month.
 */
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
  const orderId = (await findFrameById(tx, video.frameId))?.orderId ?? '';
  const paidAnimation = { key, videoId: video.id, orderId, animator: animatorId, priceCents };
  if (await bookAnimationCost(tx, clock, paidAnimation, monthlyCapCents)) return true;
  await queueMail(
    tx,
    { jobs, clock },
    {
      event: `animator-cap:${findSpendingMonth(clock)}`,
      to: ownersMailbox,
      content: {
        kind: 'owner-failed-job',
        job: 'hosted videos for this month',
        failedAt: clock.now().toISOString(),
        error: `The next one would go over ANIMATOR_MONTHLY_CAP, ${formatDollars(monthlyCapCents ?? 0)}.`,
        consequence: 'Until the end of the month, this computer makes the videos itself. Nothing is delayed or lost.',
        adminUrl: link('/admin?tab=production'),
      },
    },
  );
  return false;
}

/**
 * Queues the video again for this machine, because the animator of the settings failed. The job gets new attempts. The
 * owner sees the reason.
 */
async function queueForFallback(scope: RenderScope, { id, take }: Video, error: unknown): Promise<void> {
  const { db, animator } = scope;
  const hostedJob = await db.transaction(async (tx) => {
    const [before] = await tx.select().from(videos).where(isBeingMade(id, take)).for('update');
    if (!before) return undefined;
    const isCertainlyNotStarted = error instanceof AnimationError && refusedAtOnce.has(error.failure);
    if (before.jobId === null && before.jobKey !== null && isCertainlyNotStarted)
      await unbookAnimationCost(tx, before.jobKey);
    const reasonText = error instanceof Error ? error.message : String(error);
    await tx
      .update(videos)
      .set({ state: 'queued', standIn: reasonText, jobKey: null, jobId: null })
      .where(eq(videos.id, id));
    await queueVideo(tx, scope, before);
    return before;
  });
  // Canceling may fail. Try it anyway, because the job costs money and no one needs its video.
  if (hostedJob?.jobId) await animator.cancel(hostedJob.jobId).catch(() => {});
}
const refusedAtOnce = new Set<AnimationFailure>(['access', 'quota', 'input', 'busy']);

/**
 * Returns the id of the animator's job that makes this video. Uses the job of an earlier process if that job still
 * runs, otherwise starts one.
 */
async function findOrStartHostedJob(
  { db, animator }: { db: Db; animator: Animator },
  video: Video,
  photo: Upload,
  {
    seen,
    ...settings
  }: Pick<AnimateRequest, 'sourcePath' | 'folder' | 'camera' | 'ownMotion' | 'second'> & {
    seen: PhotoAnalysis | undefined;
  },
): Promise<string> {
  if (video.jobId !== null && animator.outlivesProcess) return video.jobId;
  const jobId = await animator.start({
    id: video.jobKey!,
    style: video.style,
    seconds: videoSeconds,
    ...renderRequestOf(photo, video.style, seen),
    ...settings,
  });
  // Store the id before waiting for the job. After a crash, the next attempt then waits for this job and does not start
  // another one.
  await db.update(videos).set({ jobId }).where(isBeingMade(video.id, video.take));
  return jobId;
}

const isBeingMade = (videoId: string, take: number) =>
  and(eq(videos.id, videoId), eq(videos.take, take), inArray(videos.state, ['queued', 'rendering']));

/**
 * Does the automatic step after a rendering: approves the video if the owner's review is off, or starts the proof if
 * the proof comes before the review.
 */
async function approveRendered(scope: RenderScope, videoId: string, take: number): Promise<void> {
  const video = await findVideoById(scope.db, videoId);
  if (video?.state !== 'rendered' || video.take !== take) return;
  const { db } = scope;
  if (await scope.autoApproves(db)) await approveVideo(scope, videoId);
  else if ((await scope.proofRules(db)).when === 'before')
    await db.transaction(async (tx) => startNextFrameStep(tx, scope, await lockFrame(tx, video.frameId)));
}

/**
 * Marks a video as failed. The owner sees it in Production and gets a mail; a redo makes it again. This is also the job
 * that runs after a render was killed on its last attempt.
 */
export async function markVideoFailed(
  { db, clock, jobs, animator, link, ownerEmail }: GiveUpScope,
  { videoId, take }: { videoId: string; take: number },
  error: unknown = new Error('Rendering was interrupted every time.'),
): Promise<void> {
  const [video] = await db.select().from(videos).where(isBeingMade(videoId, take));
  const photo = video && (await findPhotoById(db, video.uploadId));
  const frame = video && (await findFrameById(db, video.frameId));
  const order = frame && (await findOrderById(db, frame.orderId));
  const failure = error instanceof Error ? error.message : String(error);
  const mailAddress = await ownerEmail();
  // Canceling may fail. Try it anyway, because the job costs money. The owner must be notified in any case.
  if (video?.jobId && video.animator === animator.id) await animator.cancel(video.jobId).catch(() => {});
  await db.transaction(async (tx) => {
    const failedRows = await tx
      .update(videos)
      .set({ state: 'failed', failure, failedAt: clock.now() })
      .where(isBeingMade(videoId, take))
      .returning({ id: videos.id });
    if (failedRows.length === 0) return;
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `failed-video:${videoId}:${take}`,
        to: mailAddress,
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

function throttleProgress(write: (progress: number) => Promise<unknown>) {
  let last = 0;
  let pendingReport: Promise<unknown> | undefined;
  return (progress: number) => {
    if (pendingReport || Date.now() - last < progressEveryMs) return;
    last = Date.now();
    // A failed update of the progress does not matter; the render continues.
    pendingReport = write(progress)
      .catch(() => {})
      .finally(() => (pendingReport = undefined));
  };
}
