import { and, eq, isNotNull } from 'drizzle-orm';
import { cartLimits, kinframe } from '#contract/catalog.ts';
import type { Db } from '../ports/database.ts';
import { notifyOfContent } from '../content/content.ts';
import { frameStock } from './stock.sql.ts';

/** The number of frames that can still be sold; null if the owner does not count them. May be below zero. */
export async function readFramesLeft(db: Db): Promise<number | null> {
  const [stock] = await db.select().from(frameStock).where(isFrame);
  return stock?.framesLeft ?? null;
}
const isFrame = eq(frameStock.productId, kinframe);

/**
 * What visitors see of a number of frames: null if a buyer can order as many as one order may contain. The exact number
 * of a full stock is the owner's business.
 */
export const roundFramesLeftForVisitors = (left: number | null): number | null =>
  left === null || left >= cartLimits.maxFrames ? null : Math.max(0, left);

/**
 * Takes frames for a payment that is about to be captured. Returns how many were taken, which is zero if frames are not
 * counted. Returns undefined if fewer are left than asked for.
 */
export async function takeFrames(tx: Db, count: number): Promise<number | undefined> {
  const framesLeft = await lockFramesLeft(tx);
  if (framesLeft === null) return 0;
  if (framesLeft < count) return undefined;
  await publishFramesLeft(tx, framesLeft, framesLeft - count);
  return count;
}

/** Takes the frames of a paid order from the stock. The number may fall below zero, because a paid order is always
 * accepted. */
export async function takeSoldFrames(tx: Db, count: number): Promise<void> {
  const framesLeft = await lockFramesLeft(tx);
  if (framesLeft !== null) await publishFramesLeft(tx, framesLeft, framesLeft - count);
}

/** Puts frames back that are not sold after all. Returns false if frames are not counted. */
export async function putFramesBack(tx: Db, count: number): Promise<boolean> {
  const framesLeft = await lockFramesLeft(tx);
  if (framesLeft === null) return false;
  await publishFramesLeft(tx, framesLeft, framesLeft + count);
  return true;
}

/**
 * Sets the number of frames, or null to stop counting them. Returns false and changes nothing if the number is not
 * `seen` anymore, because frames were sold in the meantime.
 */
export async function setFramesLeftIf(tx: Db, seen: number | null, next: number | null): Promise<boolean> {
  await tx.insert(frameStock).values({ productId: kinframe, framesLeft: null }).onConflictDoNothing();
  const [locked] = await tx.select().from(frameStock).where(isFrame).for('no key update');
  if (locked!.framesLeft !== seen) return false;
  await publishFramesLeft(tx, seen, next);
  return true;
}

/** Locks the number of frames, unless frames are not counted. Payments then do not wait for each other. */
async function lockFramesLeft(tx: Db): Promise<number | null> {
  if ((await readFramesLeft(tx)) === null) return null;
  const [stock] = await tx
    .select()
    .from(frameStock)
    .where(and(isFrame, isNotNull(frameStock.framesLeft)))
    .for('no key update');
  return stock?.framesLeft ?? null;
}

/** Writes the number of a locked row. Notifies the pages if visitors see another number. */
async function publishFramesLeft(tx: Db, before: number | null, after: number | null): Promise<void> {
  await tx.update(frameStock).set({ framesLeft: after }).where(isFrame);
  if (roundFramesLeftForVisitors(before) !== roundFramesLeftForVisitors(after)) await notifyOfContent(tx, 'stock');
}
