import { desc, eq } from 'drizzle-orm';
import { motionStyles, type MotionStyle } from '#contract/motion.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { lockFrame, type Frame } from '../frames/frames.ts';
import { isCanceled, recordOrderEvent } from '../orders/orders.ts';
import { findPhotoById } from '../photos/photos.ts';
import { createQueryByValues } from '../rows-among.ts';
import type { ProofRules } from './next-frame-step.ts';
import { chooseAnotherMotion } from './motion.ts';
import { startNextTake, findVideoById, type ProductionScope, type Video } from './production.ts';
import { wishes, type Wish } from './production.sql.ts';

export type { Wish } from './production.sql.ts';

export interface RedoRequest {
  /** The motion that the customer wants; `any` means any other motion. */
  style: MotionStyle | 'any';
  /** The customer's explanation. */
  why: string;
  /** The take that the wish is about; default: the current take. */
  take?: number | undefined;
}

/**
 * Makes a video again, because the customer wants another motion. The next take needs approval like the first one. Each
 * frame has a limited number of wishes, and none after its order was canceled. The frame is locked, so that
 * simultaneous wishes cannot exceed the limit. Returns how many wishes are left.
 *
 * @param isShown whether the customer can see this take of the video, by the rules that apply now
 */
export async function requestRedo(
  scope: ProductionScope,
  { frameId, videoId }: { frameId: string; videoId: string },
  { style, why, take }: RedoRequest,
  isShown: (video: Video, rules: ProofRules) => boolean,
): Promise<number> {
  const { db, clock } = scope;
  return db.transaction(async (tx) => {
    const frame = await lockFrame(tx, frameId);
    const video = await findVideoById(tx, videoId);
    if (!video || video.frameId !== frameId) throw new Refusal('not-found');
    const rules = await scope.proofRules(tx);
    if (!isShown(video, rules) || (take ?? video.take) !== video.take) throw new Refusal('video-not-ready');
    const wishesLeft = await countWishesLeft(tx, rules.redos, frame);
    if (wishesLeft <= 0) throw new Refusal('no-redos-left');
    const wish = { id: newId(), videoId, frameId, take: video.take, style: video.style, why, askedAt: clock.now() };
    await tx.insert(wishes).values(wish);
    await startNextTake(tx, scope, videoId, {
      style: style === 'any' ? await chooseAnotherMotionFor(tx, video) : style,
    });
    await recordOrderEvent(tx, clock, frame.orderId, 'motion-wished', `Different motion requested for ${frame.name}.`);
    return wishesLeft - 1;
  });
}

const countWishesLeft = async (db: Db, redos: number, { id, orderId }: Pick<Frame, 'id' | 'orderId'>) =>
  (await isCanceled(db, orderId)) ? 0 : Math.max(0, redos - (await db.$count(wishes, eq(wishes.frameId, id))));
/** How many wishes the customer of a frame has left. */
export const countRedosLeft = async (
  { db, proofRules }: Pick<ProductionScope, 'db' | 'proofRules'>,
  frame: Pick<Frame, 'id' | 'orderId'>,
) => countWishesLeft(db, (await proofRules(db)).redos, frame);

/** The latest wish of each video, by the video's id. */
export const readLatestWishes = async (db: Db, videoIds: string[]): Promise<Map<string, Wish>> =>
  new Map((await readLatestWishesAmong(db, videoIds)).map((it) => [it.videoId, it]));
const readLatestWishesAmong = createQueryByValues(wishes.videoId, (db, isAmong) =>
  db.selectDistinctOn([wishes.videoId]).from(wishes).where(isAmong).orderBy(wishes.videoId, desc(wishes.take)),
);

/** Another motion that suits the photo, according to what was detected in it. */
async function chooseAnotherMotionFor(tx: Db, video: Video): Promise<MotionStyle> {
  const photo = await findPhotoById(tx, video.uploadId);
  const shownStyle = video.provenance?.style ?? video.style;
  // The motion in the photo's file is not tried again if it could not be used.
  const isLost = video.provenance?.insteadOf?.style === 'own-motion';
  const nextMotion =
    photo && chooseAnotherMotion(shownStyle, isLost ? { ...photo, ownMotion: null } : photo, photo.seen ?? undefined);
  return nextMotion ?? motionStyles.find((it) => it !== video.style)!;
}
