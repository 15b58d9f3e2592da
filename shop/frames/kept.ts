import { and, asc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { isErased, isFinalized, yearsAfter, type Frame } from './frames.ts';
import { frames } from './frames.sql.ts';

const dayMs = 86_400_000;
const firstDays = Math.max(...lifetimes.erasureWarningDays);
const lastDays = Math.min(...lifetimes.erasureWarningDays);

/** When a frame's photos and videos are erased, or were; undefined while its videos are not all ready. */
export function keptUntil({ videosReadyAt, keptUntil: chosen, erasedAt }: Frame): Date | undefined {
  if (videosReadyAt === null) return undefined;
  if (erasedAt !== null) return erasedAt;
  const usual = videosReadyAt.getTime() + lifetimes.deliveryDays * dayMs;
  return new Date(Math.max(usual, chosen?.getTime() ?? 0));
}

/** The same, but of one that waits for more photos, which has no end meanwhile, never sooner than its warnings would give. */
export function standsUntil(frame: Frame, clock: Clock): Date | undefined {
  const end = keptUntil(frame);
  if (end === undefined || frame.erasedAt !== null || !isWaiting(frame)) return end;
  return new Date(Math.max(end.getTime(), clock.now().getTime() + firstDays * dayMs));
}

/** The same, for its customer to read: one whose photos were erased and that takes others has no end yet. */
export const endToTell = (frame: Frame, clock: Clock): Date | undefined =>
  frame.erasedAt === null || isErased(frame) ? standsUntil(frame, clock) : undefined;

/**
 * Open again, for places bought later or with new photos in it. Free places that were merely kept are no reason to keep
 * what was delivered beyond its days. `waiting` says the same.
 */
const isWaiting = ({ reopenedAt, laterPhotos, usedPhotos, sealedPhotos }: Frame) =>
  reopenedAt !== null && (laterPhotos > 0 || usedPhotos > sealedPhotos);
const waiting = sql`(${frames.reopenedAt} is not null
  and (${frames.laterPhotos} > 0 or ${frames.usedPhotos} > ${frames.sealedPhotos}))`;

/** Whether its customer wants it kept for years. */
export const isKept = (frame: Frame): boolean =>
  frame.videosReadyAt !== null && frame.keptUntil !== null && frame.keptUntil >= yearsAfter(frame.videosReadyAt);

/**
 * Keep a delivered frame's photos and videos for years, or no longer than usual, a present's until `present`. Of one whose
 * days are over by then its customer is told before anything goes.
 */
export async function keepFrame(
  db: Db,
  clock: Clock,
  frameId: string,
  isWanted: boolean,
  present?: Date,
): Promise<Frame> {
  return db.transaction(async (tx) => {
    const [frame] = await tx.select().from(frames).where(eq(frames.id, frameId)).for('no key update');
    if (!frame) throw new Refusal('not-found');
    if (frame.videosReadyAt === null || frame.erasedAt !== null) throw new Refusal('nothing-to-keep');
    const told = clock.now().getTime() + (firstDays + 1 / 24) * dayMs;
    const until = isWanted ? yearsAfter(frame.videosReadyAt) : new Date(Math.max(told, present?.getTime() ?? 0));
    const [kept] = await tx
      .update(frames)
      .set({ keptUntil: until, erasureWarnedAt: null })
      .where(eq(frames.id, frameId))
      .returning();
    return kept!;
  });
}

const end = sql`greatest(${frames.keptUntil}, ${frames.videosReadyAt} + make_interval(days => ${lifetimes.deliveryDays}))`;
const at = (moment: Date) => sql`${moment.toISOString()}::timestamptz`;
const before = (days: number) => sql`${end} - make_interval(days => ${days})`;
const isUnwarned = sql`(${frames.erasureWarnedAt} is null or ${frames.erasureWarnedAt} < ${before(firstDays)})`;

/** What may go by then: delivered, not erased, and not waiting for more photos. */
const endsBy = (moment: Date) =>
  and(
    isNotNull(frames.videosReadyAt),
    isNull(frames.erasedAt),
    sql`not ${waiting}`,
    // Said so that the index finds them; chosen ends are only ever later.
    lte(frames.videosReadyAt, new Date(moment.getTime() - lifetimes.deliveryDays * dayMs)),
    sql`${end} <= ${at(moment)}`,
  );

/**
 * Take so many frames, the longest delivered first, whose customers are to be told of their ends now, and note that they
 * are: whoever else looks finds others. However late they are told, they have as many days as the last warning gives.
 * Answers the end of each, and how many days that is from now, the last begun.
 */
export async function takeWarnings(
  tx: Db,
  clock: Clock,
  limit: number,
): Promise<{ frame: Frame; end: Date; days: number }[]> {
  const now = clock.now();
  const soonest = new Date(now.getTime() + lastDays * dayMs);
  const isLast = sql`(${end} <= ${at(soonest)} and ${frames.erasureWarnedAt} < ${before(lastDays)})`;
  const due = tx
    .select({ id: frames.id })
    .from(frames)
    .where(and(endsBy(new Date(now.getTime() + firstDays * dayMs)), or(isUnwarned, isLast)))
    .orderBy(asc(frames.videosReadyAt), asc(frames.id))
    .limit(limit)
    .for('no key update', { skipLocked: true });
  const taken = await tx
    .update(frames)
    .set({
      erasureWarnedAt: now,
      keptUntil: sql`case when ${isUnwarned} and ${end} < ${at(soonest)} then ${at(soonest)} else ${frames.keptUntil} end`,
    })
    .where(inArray(frames.id, due))
    .returning();
  return taken.map((frame) => {
    const ends = keptUntil(frame)!;
    return { frame, end: ends, days: Math.ceil((ends.getTime() - now.getTime()) / dayMs) };
  });
}

/** Frames whose days are over and of whose end a warning was written, the longest ago first; or of them this one. */
export const framesToErase = (db: Db, clock: Clock, limit: number, id?: string): Promise<Frame[]> =>
  db
    .select()
    .from(frames)
    .where(
      and(
        // Said so that the index finds them: few are told of and still there.
        isNotNull(frames.erasureWarnedAt),
        lte(frames.erasureWarnedAt, clock.now()),
        endsBy(clock.now()),
        sql`not ${isUnwarned}`,
        id === undefined ? undefined : eq(frames.id, id),
      ),
    )
    .orderBy(asc(frames.erasureWarnedAt))
    .limit(limit);

/** When the warnings of an end must have left: the last has a day to get through. */
export const toldBy = (end: Date): Date => new Date(end.getTime() - (lastDays - 1) * dayMs);

/** Nobody was told of its end, so that is put off by the days of the last warning, which is given anew. */
export async function putOffErasing(tx: Db, clock: Clock, { id }: Frame): Promise<void> {
  const keptUntil = new Date(clock.now().getTime() + lastDays * dayMs);
  await tx.update(frames).set({ keptUntil, erasureWarnedAt: null }).where(eq(frames.id, id));
}

/**
 * What a frame is once its photos are gone, whose row is held. Places whose videos its customer could watch stay used up,
 * whenever that was; the others are open again. So one that was delivered stays as it is, and one of which nothing was seen
 * begins anew, with all the places its customer has paid for.
 */
export async function markErased(
  tx: Db,
  clock: Clock,
  frame: Frame,
  erased: { photos: number; watchable: number },
): Promise<void> {
  const now = clock.now();
  const usedUp = frame.usedPhotos - erased.photos + erased.watchable;
  const isFinal = isFinalized(frame) && usedUp === frame.usedPhotos;
  await tx
    .update(frames)
    .set(
      usedUp === 0
        ? begunAnew
        : {
            erasedAt: now,
            erasureWarnedAt: null,
            proofEndsAt: null,
            videosReadyAt: frame.videosReadyAt ?? now,
            ...(!isFinal && { usedPhotos: usedUp, sealedPhotos: usedUp, reopenedAt: frame.reopenedAt ?? now }),
          },
    )
    .where(eq(frames.id, frame.id));
}
const begunAnew = {
  usedPhotos: 0,
  sealedPhotos: 0,
  closedPhotos: 0,
  finalizedAt: null,
  reopenedAt: null,
  proofRound: 0,
  proofEndsAt: null,
  videosReadyAt: null,
  erasedAt: null,
};

/** Forget how to reach a frame; the picture of its code is discarded. */
export async function forgetConnection(tx: Db, frame: Frame): Promise<void> {
  await tx
    .update(frames)
    .set({
      invitationCode: null,
      qrPhotoKey: null,
      ...(frame.connectionStatus === 'pending' && { connectionStatus: 'none', connectionSince: null }),
    })
    .where(eq(frames.id, frame.id));
}
