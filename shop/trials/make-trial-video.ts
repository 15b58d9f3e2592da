import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, asc, eq, inArray } from 'drizzle-orm';
import { AnimationError, type AnimatedVideo, type Animator } from '../ports/animator.ts';
import type { Db } from '../ports/database.ts';
import type { PhotoAnalyzerPort } from '../ports/photo-analyzer.ts';
import { countTrialVideo } from '../analytics/trial-counts.ts';
import { newId } from '../columns.ts';
import { storeFilesThenRow } from '../files/files.ts';
import type { AnimationNotifications } from '../production/animation-notifications.ts';
import { chooseCameraMovement, chooseMotionFor, videoSeconds } from '../production/motion.ts';
import { hasRenderWorkForOrders } from '../production/previews.ts';
import { waitForAnimation } from '../production/wait-for-animation.ts';
import { releaseTrialSlot } from './slots.ts';
import {
  findTrialFile,
  activeTrialCondition,
  validTrialCondition,
  queueTrialVideos,
  trialFolder,
  type Trial,
  type TrialScope,
} from './trials.ts';
import { trialFiles, trials } from './trials.sql.ts';

interface TrialVideoScope extends TrialScope {
  seeing: PhotoAnalyzerPort;
  /** The animator on this machine. Photos of people who only try the shop are sent nowhere else. */
  standIn: Animator;
  animationNews: AnimationNotifications;
}
interface Attempt {
  signal: AbortSignal;
}

/** The watermark in the corner of each free video. */
const watermarkText = 'Kinframe';
/** How often a video is begun before its trial fails. A killed process counts as an attempt. */
const mostAttempts = 3;
/** How long the job waits if videos or previews of orders must be made first. */
const waitSeconds = 5;
/** How often the render of a trial checks for videos of orders that have priority. */
const yieldEveryMs = 1000;
const progressEveryMs = 700;

/** Why a video was stopped before its end. */
class TrialStopped extends Error {
  override name = 'Stopped';
  readonly why: 'order' | 'ended';
  constructor(why: 'order' | 'ended') {
    super(why === 'order' ? 'a video of an order must be made first' : 'the trial was ended');
    this.why = why;
  }
}

/**
 * The job that makes one video, for the trial that is first in line. It then enqueues itself again for the next one. If
 * videos or previews of orders must be made first, it makes no video and enqueues itself again with a delay.
 */
export async function makeTrialVideo(scope: TrialVideoScope, attempt: Attempt): Promise<void> {
  const { db, jobs } = scope;
  if ((await db.$count(trials, and(activeTrialCondition, validTrialCondition(scope.clock)))) === 0) return;
  if (await hasRenderWorkForOrders(scope)) return queueTrialAgain(scope);
  const trial = await beginNextTrial(scope);
  if (trial) {
    const isStopped = await makeVideo(scope, trial, attempt);
    if (isStopped) return queueTrialAgain(scope);
  }
  await db.transaction((tx) => queueTrialVideos(tx, jobs));
}

const queueTrialAgain = ({ db, jobs }: TrialVideoScope) =>
  db.transaction((tx) => queueTrialVideos(tx, jobs, { afterSeconds: waitSeconds }));

/** Begins the trial that was started first. Gives up a trial that was begun too often. */
async function beginNextTrial(scope: TrialVideoScope): Promise<Trial | undefined> {
  const { db, clock } = scope;
  return db.transaction(async (tx) => {
    const [next] = await tx
      .select()
      .from(trials)
      .where(and(activeTrialCondition, validTrialCondition(clock)))
      .orderBy(asc(trials.createdAt), asc(trials.id))
      .limit(1)
      .for('update');
    if (!next) return undefined;
    if (next.attempts >= mostAttempts) {
      await markTrialFailed(tx, next);
      return undefined;
    }
    const [begun] = await tx
      .update(trials)
      .set({ state: 'seeing', progress: 0, attempts: next.attempts + 1 })
      .where(eq(trials.id, next.id))
      .returning();
    return begun;
  });
}

/** The video cannot be made, so this trial does not count toward the visitor's limit. */
async function markTrialFailed(tx: Db, { id, networkHash, createdAt }: Trial): Promise<void> {
  const failedRows = await tx
    .update(trials)
    .set({ state: 'failed' })
    .where(and(eq(trials.id, id), activeTrialCondition))
    .returning({ id: trials.id });
  if (failedRows.length > 0 && networkHash !== null) await releaseTrialSlot(tx, networkHash, createdAt);
}

/** Makes the video of a trial. Returns true if it was stopped for an order. */
async function makeVideo(scope: TrialVideoScope, trial: Trial, { signal }: Attempt): Promise<boolean> {
  const { db, storage } = scope;
  const stopController = new AbortController();
  const stopCheckTimer = setInterval(() => {
    findStopReason(scope, trial.id).then(
      (why) => why && stopController.abort(new TrialStopped(why)),
      () => {}, // the next check may succeed
    );
  }, yieldEveryMs);
  const temporaryFolder = await mkdtemp(join(scope.workFolder, 'trial-'));
  try {
    const display = await findTrialFile(db, trial.id, 'display');
    if (!display) throw new AnimationError('the trial has no photo', false);
    const madeVideo = await storage.withLocalFile(display.key, (sourcePath) =>
      animateTrial(scope, trial, {
        sourcePath,
        folder: temporaryFolder,
        signal: AbortSignal.any([signal, stopController.signal]),
      }),
    );
    await storeVideo(scope, trial, madeVideo);
    return false;
  } catch (error) {
    if (signal.aborted) throw error;
    const { reason } = stopController.signal as { reason?: unknown };
    if (reason instanceof TrialStopped) {
      // A video that was stopped for an order does not count as a failed attempt.
      if (reason.why === 'order') await requeueTrial(db, trial, trial.attempts - 1);
      return reason.why === 'order';
    }
    if (!(error instanceof AnimationError)) throw error;
    if (error.retryable && trial.attempts < mostAttempts) await requeueTrial(db, trial, trial.attempts);
    else await db.transaction((tx) => markTrialFailed(tx, trial));
    return false;
  } finally {
    clearInterval(stopCheckTimer);
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

async function findStopReason(scope: TrialVideoScope, id: string): Promise<TrialStopped['why'] | undefined> {
  if ((await scope.db.$count(trials, and(eq(trials.id, id), validTrialCondition(scope.clock)))) === 0) return 'ended';
  return (await hasRenderWorkForOrders(scope)) ? 'order' : undefined;
}

const requeueTrial = (db: Db, { id }: Trial, attempts: number) =>
  db
    .update(trials)
    .set({ state: 'waiting', progress: 0, attempts })
    .where(and(eq(trials.id, id), activeTrialCondition));

async function animateTrial(
  scope: TrialVideoScope,
  trial: Trial,
  { sourcePath, folder, signal }: { sourcePath: string; folder: string; signal: AbortSignal },
): Promise<AnimatedVideo> {
  const { db, seeing, standIn } = scope;
  const isMaking = and(eq(trials.id, trial.id), inArray(trials.state, ['seeing', 'animating']));
  // What is seen in the photo is used here and not stored.
  const analysis = await seeing.analyzePhoto(sourcePath, signal);
  signal.throwIfAborted();
  await db.update(trials).set({ state: 'animating' }).where(isMaking);
  let lastAt = 0;
  const jobId = await standIn.start({
    id: newId(),
    style: chooseMotionFor({ width: trial.width, height: trial.height, moves: null }, 0, analysis),
    camera: chooseCameraMovement(0),
    seconds: videoSeconds,
    sourcePath,
    folder,
    mark: watermarkText,
    isLowPriority: true,
    ...(analysis && { seen: analysis }),
  });
  const job = await waitForAnimation(standIn, jobId, folder, {
    signal,
    news: scope.animationNews,
    onProgress: (progress) => {
      signal.throwIfAborted();
      if (Date.now() - lastAt < progressEveryMs) return;
      lastAt = Date.now();
      // A failed update of the progress does not matter; the render continues.
      db.update(trials)
        .set({ progress })
        .where(isMaking)
        .catch(() => {});
    },
  });
  if (job.state === 'done') return job.video;
  throw job.state === 'failed' ? job.error : new AnimationError('the film was lost', true);
}

async function storeVideo(scope: TrialVideoScope, trial: Trial, rendering: AnimatedVideo): Promise<void> {
  const { db, clock, storage } = scope;
  const storedId = newId();
  const files = [
    {
      kind: 'film' as const,
      key: `${trialFolder}${storedId}-film.mp4`,
      path: rendering.videoPath,
      contentType: 'video/mp4',
    },
    {
      kind: 'poster' as const,
      key: `${trialFolder}${storedId}-poster.jpg`,
      path: rendering.posterPath,
      contentType: 'image/jpeg',
    },
  ];
  const createFileName = () =>
    db.transaction(async (tx) => {
      const readyRows = await tx
        .update(trials)
        .set({ state: 'ready', progress: 1 })
        .where(and(eq(trials.id, trial.id), activeTrialCondition, validTrialCondition(clock)))
        .returning({ id: trials.id });
      if (readyRows.length === 0) return false;
      const rows = files.map(({ key, kind, contentType }) => ({ key, kind, contentType, trialId: trial.id }));
      await tx.insert(trialFiles).values(rows);
      await countTrialVideo(tx, clock, trial.id);
      return true;
    });
  await storeFilesThenRow(storage, files, createFileName, { isNamed: (isNamed) => isNamed });
}
