import { toShopDay, dayText, endOfDay } from '#contract/calendar.ts';
import { lifetimes, limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { computeSecondsUntil, type Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { issueOnlyToken, issueToken, findValidTokens, revokeTokens } from '../tokens/tokens.ts';
import { lockFrame, type Frame } from '../frames/frames.ts';
import { computeRetentionEnd } from '../frames/frame-retention.ts';

// The links that a customer gives to others: share links for people, each valid until a chosen day, and one player link
// for a screen.

interface LinkScope {
  db: Db;
  clock: Clock;
}
export interface NewLink {
  path: string;
  expiresAt: Date;
}

/** The expiry of a link that is created while videos are still being made: two delivery periods from now. */
export const computeExpiryBeforeVideosReady = (clock: Clock): Date =>
  new Date(clock.now().getTime() + 2 * lifetimes.deliveryDays * 86_400_000);

/**
 * Creates a link that only allows watching. It expires at the end of `lastDay`, or at the end of the delivery if that
 * is earlier.
 */
export async function shareFrame(
  { db, clock }: LinkScope,
  { frame, until }: { frame: Frame; until: Date },
  lastDay: string,
): Promise<NewLink> {
  const now = clock.now();
  if (lastDay < toShopDay(now) || lastDay > toShopDay(until))
    throw new Refusal('share-day-outside', { day: dayText(until) });
  const expiresAt = new Date(Math.min(endOfDay(lastDay).getTime(), until.getTime()));
  return db.transaction(async (tx) => {
    await lockFrame(tx, frame.id); // so that simultaneous requests cannot exceed the limit
    if ((await findValidTokens(tx, 'share', frame.id)).length >= limits.sharesPerFrame)
      throw new Refusal('too-many-shares');
    const seconds = (expiresAt.getTime() - now.getTime()) / 1000;
    const token = await issueToken(tx, clock, { purpose: 'share', subjectId: frame.id, seconds });
    return { path: `/delivery/${token}`, expiresAt };
  });
}

export const listShareLinks = (db: Db, frameId: string) => findValidTokens(db, 'share', frameId);

export async function endShareLink({ db, clock }: LinkScope, frameId: string, id: string): Promise<void> {
  if ((await revokeTokens(db, clock, 'share', frameId, id)).length === 0) throw new Refusal('not-found');
}

/**
 * Creates the link that plays a frame on a screen. A frame has only one player link, so this revokes the earlier one.
 */
export async function createPlayerLink({ db, clock }: LinkScope, frame: Frame): Promise<NewLink> {
  const expiresAt = computeRetentionEnd(frame, clock) ?? computeExpiryBeforeVideosReady(clock);
  const seconds = computeSecondsUntil(clock, expiresAt);
  if (seconds <= 0) throw new Refusal('delivery-link-invalid');
  const request = { purpose: 'play', subjectId: frame.id, seconds } as const;
  return { path: `/play/${await db.transaction((tx) => issueOnlyToken(tx, clock, request))}`, expiresAt };
}

export const findPlayerLink = async (db: Db, frameId: string) => (await findValidTokens(db, 'play', frameId)).at(-1);

export const endPlayerLink = ({ db, clock }: LinkScope, frameId: string) => revokeTokens(db, clock, 'play', frameId);
