import { and, eq, inArray, isNull, notInArray, sql, type SQLWrapper } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import { lifetimes } from '#contract/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import {
  findFrameById,
  findFramesNotReady,
  lockFrame,
  findFramesWithEndedProof,
  type Frame,
} from '../frames/frames.ts';
import { findOrderById, type Order } from '../orders/orders.ts';
import { videosWithdrawnCondition, isWithdrawn, ordersWithFailedWithdrawal } from '../refunds/withdrawn-videos.ts';
import { issueToken, readToken } from '../tokens/tokens.ts';
import { readVideosWithPhotos, type FrameVideo } from './delivery.ts';
import { isShownInProof, startNextFrameStep, type ProofRules } from './next-frame-step.ts';
import type { ProductionScope, Video } from './production.ts';
import { videos } from './production.sql.ts';

export interface ProofLinkContent {
  frame: Frame;
  order: Order;
  expiresAt: Date;
  videos: FrameVideo[];
}

/**
 * Reads what a proof link shows. The link still opens after delivery, but the customer can no longer decide anything.
 * Returns undefined if the link is not valid or a refund withdrew the videos.
 */
export async function readProof(db: Db, token: string): Promise<ProofLinkContent | undefined> {
  const access = await readToken(db, 'proof', token);
  const frame = access && (await findFrameById(db, access.subjectId));
  const order = frame && (await findOrderById(db, frame.orderId));
  if (!access || !frame || !order || (await isWithdrawn(db, order.id))) return undefined;
  return { frame, order, expiresAt: access.expiresAt, videos: await readVideosWithPhotos(db, frame.id) };
}

/** Creates a proof link for the customer's account page. Returns its path. */
export async function createProofLink({ db, clock }: { db: Db; clock: Clock }, frame: Frame): Promise<string> {
  const isRoundOver = frame.proofRound === 0 || frame.videosReadyAt !== null;
  if (isRoundOver || (await isWithdrawn(db, frame.orderId))) throw new Refusal('proof-over');
  const seconds = lifetimes.proofLinkDays * 86_400;
  return `/proof/${await issueToken(db, clock, { purpose: 'proof', subjectId: frame.id, seconds })}`;
}

/**
 * A video and the take that the customer has seen. A decision applies only to this take, so that the customer never
 * accepts an unseen one.
 */
export type ShownTake = Pick<Video, 'id' | 'take'>;

/** Accepts these takes for the customer. After the last video is accepted, the frame may be delivered. */
export async function acceptVideos(scope: ProductionScope, frameId: string, seen: ShownTake[]): Promise<void> {
  await scope.db.transaction(async (tx) => {
    const frame = await lockFrame(tx, frameId);
    if (frame.videosReadyAt !== null) throw new Refusal('proof-over');
    const ids = seen.map((it) => it.id);
    const foundRows = await tx
      .select()
      .from(videos)
      .where(and(eq(videos.frameId, frameId), inArray(videos.id, ids)));
    const rules = await scope.proofRules(tx);
    for (const { id, take } of seen) {
      const video = foundRows.find((it) => it.id === id);
      if (!video) throw new Refusal('not-found');
      if (video.take !== take || !isShownInProof(video, rules)) throw new Refusal('video-not-ready');
    }
    await tx
      .update(videos)
      .set({ keptAt: scope.clock.now() })
      .where(and(eq(videos.frameId, frameId), inArray(videos.id, ids), isNull(videos.keptAt)));
    await startNextFrameStep(tx, scope, frame);
  });
}

const maxPerRun = 200;
/**
 * Leaves out frames that wait for the owner's approval, and frames whose videos a refund withdrew. Many of them could
 * otherwise fill every batch and delay the other frames.
 */
const createDeliverableCondition = (frameId: SQLWrapper, orderId: SQLWrapper) =>
  sql`not exists (select from ${videos} where ${videos.frameId} = ${frameId} and ${videos.state} <> 'approved')
    and not ${videosWithdrawnCondition(orderId)}`;
/**
 * Frames with videos whose refund would have withdrawn them, but failed. They may have missed a step in the meantime.
 * Leaves out frames whose videos another refund withdrew, and frames that wait for a video, the owner or the customer.
 */
const isGivenBack =
  ({ when }: ProofRules) =>
  (frameId: SQLWrapper, orderId: SQLWrapper, proofEndsAt: SQLWrapper) => {
    const shownStates: Video['state'][] = when === 'before' ? ['approved', 'rendered'] : ['approved'];
    const isVideoOfFrame = eq(videos.frameId, frameId);
    const isWaiting = sql`${notInArray(videos.state, shownStates)} or (${proofEndsAt} is not null and ${videos.keptAt} is null)`;
    return sql`${orderId} in ${ordersWithFailedWithdrawal()} and not ${videosWithdrawnCondition(orderId)}
      and exists (select from ${videos} where ${isVideoOfFrame})
      and not exists (select from ${videos} where ${isVideoOfFrame} and (${isWaiting}))`;
  };

/**
 * Delivers approved frames whose proof time is over. Also starts the next step of frames whose videos were withdrawn by
 * a refund that failed later. Handles at most `maxPerRun` frames of each kind per run. The next run handles the rest.
 */
export async function endProofs(scope: ProductionScope): Promise<void> {
  const { db, clock } = scope;
  const framesWithEnd = await findFramesWithEndedProof(db, clock.now(), maxPerRun, createDeliverableCondition);
  const framesBackInProof = await findFramesNotReady(db, maxPerRun, isGivenBack(await scope.proofRules(db)));
  for (const { id } of [...framesWithEnd, ...framesBackInProof])
    await db.transaction(async (tx) => startNextFrameStep(tx, scope, await lockFrame(tx, id)));
}
