import { desc, eq } from 'drizzle-orm';
import { motionStyles, type MotionStyle } from '#contract/motion.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { holdFrame } from '../frames/frames.ts';
import { recordOrderEvent } from '../orders/orders.ts';
import { photoById } from '../photos/photos.ts';
import { preparedAmong } from '../prepared.ts';
import { motionFor } from './motion.ts';
import { makeAgain, videoById, type ProductionScope, type Video } from './production.ts';
import { wishes, type Wish } from './production.sql.ts';

export type { Wish } from './production.sql.ts';

export interface NewWish {
  /** The motion that is wanted, or any other than it had. */
  style: MotionStyle | 'any';
  /** In the customer's words. */
  why: string;
  /** The take it is about; the present one when left out. */
  take?: number | undefined;
}

/**
 * The customer wants another motion: the take they saw is given up, and the next one waits for approval as the first did.
 * Each frame has so many wishes, counted while its row is held. Answers how many are left.
 *
 * @param isShown whether the customer has been shown this video as it is now
 */
export async function wishAnother(
  scope: ProductionScope,
  { frameId, videoId }: { frameId: string; videoId: string },
  { style, why, take }: NewWish,
  isShown: (video: Video) => boolean,
): Promise<number> {
  const { db, clock, proof } = scope;
  return db.transaction(async (tx) => {
    const frame = await holdFrame(tx, frameId);
    const video = await videoById(tx, videoId);
    if (!video || video.frameId !== frameId) throw new Refusal('not-found');
    if (!isShown(video) || (take ?? video.take) !== video.take) throw new Refusal('video-not-ready');
    const left = proof.redos - (await countWishes(tx, frameId));
    if (left <= 0) throw new Refusal('no-redos-left');
    const wish = { id: newId(), videoId, frameId, take: video.take, style: video.style, why, askedAt: clock.now() };
    await tx.insert(wishes).values(wish);
    await makeAgain(tx, scope, videoId, { style: style === 'any' ? await anotherMotion(tx, video) : style });
    await recordOrderEvent(tx, clock, frame.orderId, 'motion-wished', `${frame.name}: another motion asked for.`);
    return left - 1;
  });
}

const countWishes = (db: Db, frameId: string) => db.$count(wishes, eq(wishes.frameId, frameId));
/** How many of a frame's videos its customer may still have made again. */
export const redosLeft = async ({ db, proof }: Pick<ProductionScope, 'db' | 'proof'>, frameId: string) =>
  Math.max(0, proof.redos - (await countWishes(db, frameId)));

/** Each video's latest wish. */
export const latestWishes = async (db: Db, videoIds: string[]): Promise<Map<string, Wish>> =>
  new Map((await latestAmong(db, videoIds)).map((it) => [it.videoId, it]));
const latestAmong = preparedAmong(wishes.videoId, (db, isAmong) =>
  db.selectDistinctOn([wishes.videoId]).from(wishes).where(isAmong).orderBy(wishes.videoId, desc(wishes.take)),
);

/** As the photo would have been moved at another place in its frame. */
async function anotherMotion(tx: Db, video: Video): Promise<MotionStyle> {
  const photo = await photoById(tx, video.uploadId);
  const next = photo && motionFor(photo, video.place + video.take);
  return next && next !== video.style ? next : motionStyles.find((it) => it !== video.style)!;
}
