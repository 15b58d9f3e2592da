import { and, desc, eq, isNull, lt } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { computeFrameErasureTime } from '../frames/frame-retention.ts';
import { markVideosReady, openProofRound, type Frame } from '../frames/frames.ts';
import { queueMail, type NewMail } from '../mail/mail.ts';
import { computeGiftRetentionEnd } from '../orders/gifts.ts';
import { findOrderById, recordOrderEvent, type Order } from '../orders/orders.ts';
import { findPhotoById } from '../photos/photos.ts';
import { isWithdrawn } from '../refunds/withdrawn-videos.ts';
import { videos, wishes, type Video } from './production.sql.ts';

/** The rules of the proof, in which the customer checks the videos before delivery. */
export interface ProofRules {
  /** Whether there is a proof, and whether it comes before or after the owner's approval. */
  when: 'off' | 'before' | 'after';
  /** How many redos the customer may request per frame. */
  redos: number;
}
/**
 * Reads the rules that apply now. Inside a transaction, give it the transaction: the embedded database has only one
 * connection, so another query would wait for the end of the transaction.
 */
export type ReadProofRules = (db: Db) => Promise<ProofRules>;
export interface NextFrameStepScope {
  clock: Clock;
  jobs: Jobs;
  proofRules: ReadProofRules;
}

/** Whether the proof shows a video in this state to the customer. */
export const isShownInProof = ({ state }: Pick<Video, 'state'>, { when }: ProofRules): boolean =>
  state === 'approved' || (when === 'before' && state === 'rendered');

/** Whether the customer could ever watch a take of the video: an approved take, or a take that a proof link showed. */
export const wasVisibleToCustomer = (
  { approvedAt, renderedAt }: Pick<Video, 'approvedAt' | 'renderedAt'>,
  { when }: ProofRules,
  hadProof: boolean,
): boolean => approvedAt !== null || (when === 'before' && hadProof && renderedAt !== null);

/**
 * Starts the next step of a frame after one of its videos has changed: the proof or the delivery. A repeated call does
 * not start the same step again. Does nothing if a refund withdrew the videos. The caller has locked the frame.
 */
export async function startNextFrameStep(tx: Db, scope: NextFrameStepScope, frame: Frame): Promise<void> {
  if (frame.finalizedAt === null || (await isWithdrawn(tx, frame.orderId))) return;
  const allVideos = await tx.select().from(videos).where(eq(videos.frameId, frame.id));
  const rules = await scope.proofRules(tx);
  const step = findNextFrameStep(frame, allVideos, rules, scope.clock.now());
  if (step === 'ask') await startProof(tx, scope, frame, allVideos, rules);
  if (step !== 'deliver') return;
  const usualEndMs = scope.clock.now().getTime() + lifetimes.deliveryDays * 86_400_000;
  const giftRetentionEndsAt = computeGiftRetentionEnd((await findOrderById(tx, frame.orderId))!);
  const retentionEnd = new Date(Math.max(usualEndMs, giftRetentionEndsAt?.getTime() ?? 0));
  if (!(await markVideosReady(tx, scope.clock, frame.id, giftRetentionEndsAt && retentionEnd))) return;
  await deliverFrame(tx, scope, frame, allVideos, retentionEnd);
}

export function findNextFrameStep(
  { proofEndsAt, videosReadyAt }: Pick<Frame, 'proofEndsAt' | 'videosReadyAt'>,
  all: Pick<Video, 'state' | 'keptAt'>[],
  rules: ProofRules,
  now: Date,
): 'wait' | 'ask' | 'deliver' {
  const isApproved = all.every((it) => it.state === 'approved');
  // A customer who does not finish the proof in time accepts the videos. Otherwise the frame would wait forever.
  const isProofOver = proofEndsAt !== null && proofEndsAt <= now;
  const isReviewed = rules.when === 'off' || isProofOver || all.every((it) => it.keptAt !== null);
  if (isReviewed) return isApproved ? 'deliver' : 'wait';
  const isShown = all.every((it) => isShownInProof(it, rules));
  return isShown && proofEndsAt === null && videosReadyAt === null ? 'ask' : 'wait';
}

async function startProof(
  tx: Db,
  scope: NextFrameStepScope,
  frame: Frame,
  all: Video[],
  { redos }: ProofRules,
): Promise<void> {
  const endsAt = new Date(scope.clock.now().getTime() + lifetimes.proofDays * 86_400_000);
  const proofRound = await openProofRound(tx, frame.id, endsAt);
  await mailCustomer(tx, scope, frame, (order) => ({
    // The finalize time is part of the event, so that a frame that is finalized again gets a new mail.
    event: `proof-ready:${frame.id}:${finalizationKeyOf(frame)}:${proofRound}`,
    content: {
      kind: 'proof-ready',
      firstName: order.firstName,
      frameName: frame.name,
      videoCount: all.filter((it) => it.keptAt === null).length,
      redosPossible: redos > 0,
      endsAt: endsAt.toISOString(),
      proofUrl: { link: 'proof', subjectId: frame.id },
      posters: { frameId: frame.id },
    },
  }));
}

async function deliverFrame(
  tx: Db,
  scope: NextFrameStepScope,
  frame: Frame,
  all: Video[],
  erasureTime: Date,
): Promise<void> {
  // A customer who did not finish the proof accepts the videos. Otherwise the next proof would show them again.
  await tx
    .update(videos)
    .set({ keptAt: scope.clock.now() })
    .where(and(eq(videos.frameId, frame.id), isNull(videos.keptAt)));
  await recordOrderEvent(tx, scope.clock, frame.orderId, 'videos-ready', `The videos for ${frame.name} are ready.`);
  await mailCustomer(tx, scope, frame, (order) => ({
    event: `videos-ready:${frame.id}:${finalizationKeyOf(frame)}`,
    content: {
      kind: 'videos-ready',
      firstName: order.firstName,
      frameName: frame.name,
      videoCount: all.length,
      deliveryUrl: { link: 'delivery', subjectId: frame.id, until: erasureTime.toISOString() },
      posters: { frameId: frame.id },
    },
  }));
}

/**
 * Identifies the finalize that a mail is about. A frame can be finalized again after more places are bought or after an
 * erasure.
 */
export const finalizationKeyOf = ({ finalizedAt }: Pick<Frame, 'finalizedAt'>) => finalizedAt?.toISOString();

/**
 * Notifies the customer, once, that a video which was made again after delivery is approved. The customer requested it
 * with a wish, or by replacing its photo.
 */
export async function mailVideoAgain(tx: Db, scope: NextFrameStepScope, frame: Frame, video: Video): Promise<void> {
  const erasureTime = computeFrameErasureTime(frame);
  const [wish] = await tx
    .select()
    .from(wishes)
    .where(and(eq(wishes.videoId, video.id), lt(wishes.take, video.take)))
    .orderBy(desc(wishes.take))
    .limit(1);
  const { replacedAt } = video;
  const isReplaced = replacedAt !== null && (!wish || wish.askedAt < replacedAt);
  if (!erasureTime || erasureTime <= scope.clock.now() || (!wish && !isReplaced)) return;
  if (await isWithdrawn(tx, frame.orderId)) return;
  const photo = await findPhotoById(tx, video.uploadId);
  await mailCustomer(tx, scope, frame, (order) => ({
    event: `video-again:${isReplaced ? video.uploadId : wish!.id}`,
    content: {
      kind: 'video-again',
      firstName: order.firstName,
      frameName: frame.name,
      title: photo?.caption ?? '',
      deliveryUrl: { link: 'delivery', subjectId: frame.id, until: erasureTime.toISOString() },
      posters: { frameId: frame.id, videoId: video.id },
    },
  }));
}

async function mailCustomer(
  tx: Db,
  scope: NextFrameStepScope,
  frame: Frame,
  worded: (order: Order) => Pick<NewMail, 'event' | 'content'>,
): Promise<void> {
  const order = await findOrderById(tx, frame.orderId);
  if (order) await queueMail(tx, scope, { ...worded(order), to: order.email, orderId: order.id });
}
