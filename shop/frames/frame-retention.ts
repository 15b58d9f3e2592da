import { and, asc, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { isErased, isFinalized, computeLongRetentionEndAfter, type Frame } from './frames.ts';
import { frames } from './frames.sql.ts';

const dayMs = 86_400_000;
const firstWarningDays = Math.max(...lifetimes.erasureWarningDays);
const lastWarningDays = Math.min(...lifetimes.erasureWarningDays);

/** When a frame's photos and videos will be or were erased; undefined until all its videos are ready. */
export function computeFrameErasureTime({ videosReadyAt, keptUntil: chosen, erasedAt }: Frame): Date | undefined {
  if (videosReadyAt === null) return undefined;
  if (erasedAt !== null) return erasedAt;
  const usualEndMs = videosReadyAt.getTime() + lifetimes.deliveryDays * dayMs;
  return new Date(Math.max(usualEndMs, chosen?.getTime() ?? 0));
}

/**
 * Like `computeFrameErasureTime`, except for a frame that waits for more photos. Such a frame is not erased while it waits, so
 * its end is never sooner than the period of the first warning from now.
 */
export function computeRetentionEnd(frame: Frame, clock: Clock): Date | undefined {
  const erasureTime = computeFrameErasureTime(frame);
  if (erasureTime === undefined || frame.erasedAt !== null || !isWaitingForPhotos(frame)) return erasureTime;
  return new Date(Math.max(erasureTime.getTime(), clock.now().getTime() + firstWarningDays * dayMs));
}

/**
 * The end of retention that the customer sees, from `computeRetentionEnd`. Undefined for a frame whose photos were erased and
 * that takes new photos.
 */
export const computeShownRetentionEnd = (frame: Frame, clock: Clock): Date | undefined =>
  frame.erasedAt === null || isErased(frame) ? computeRetentionEnd(frame, clock) : undefined;

/**
 * Whether the frame is reopened for places bought later, or has new photos. Free places that were only kept are no
 * reason to keep delivered photos longer. `isWaitingCondition` is the same condition in SQL.
 */
const isWaitingForPhotos = ({ reopenedAt, laterPhotos, usedPhotos, sealedPhotos }: Frame) =>
  reopenedAt !== null && (laterPhotos > 0 || usedPhotos > sealedPhotos);
const isWaitingCondition = sql`(${frames.reopenedAt} is not null
  and (${frames.laterPhotos} > 0 or ${frames.usedPhotos} > ${frames.sealedPhotos}))`;

/** Whether the customer wants the frame kept for years. */
export const isKeptForYears = (frame: Frame): boolean =>
  frame.videosReadyAt !== null &&
  frame.keptUntil !== null &&
  frame.keptUntil >= computeLongRetentionEndAfter(frame.videosReadyAt);

/**
 * Stores whether the customer wants the photos and videos of a delivered frame kept for years. If not, they are kept
 * for the usual days, for a gift until `present`, and at least until the customer can be warned again.
 */
export async function setFrameRetention(
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
    const announcedUntilMs = clock.now().getTime() + (firstWarningDays + 1 / 24) * dayMs;
    const keptUntil = isWanted
      ? computeLongRetentionEndAfter(frame.videosReadyAt)
      : new Date(Math.max(announcedUntilMs, present?.getTime() ?? 0));
    const [updated] = await tx
      .update(frames)
      .set({ keptUntil: keptUntil, erasureWarnedAt: null })
      .where(eq(frames.id, frameId))
      .returning();
    return updated!;
  });
}

const retentionEnd = sql`greatest(${frames.keptUntil}, ${frames.videosReadyAt} + make_interval(days => ${lifetimes.deliveryDays}))`;
const sqlTimestamp = (moment: Date) => sql`${moment.toISOString()}::timestamptz`;
const computeDaysBeforeEnd = (days: number) => sql`${retentionEnd} - make_interval(days => ${days})`;
const isUnwarned = sql`(${frames.erasureWarnedAt} is null or ${frames.erasureWarnedAt} < ${computeDaysBeforeEnd(firstWarningDays)})`;

/** The condition of frames that may be erased at `moment`: videos ready, not erased, not waiting for more photos. */
const isEndedBy = (moment: Date) =>
  and(
    isNotNull(frames.videosReadyAt),
    isNull(frames.erasedAt),
    sql`not ${isWaitingCondition}`,
    // This condition lets the query use the index. A chosen end counts only if it is later than the usual one.
    lte(frames.videosReadyAt, new Date(moment.getTime() - lifetimes.deliveryDays * dayMs)),
    sql`${retentionEnd} <= ${sqlTimestamp(moment)}`,
  );

/**
 * Claims at most `limit` frames that need an erasure warning now, longest delivered first. Records the warning, so that
 * another process takes other frames. If the first warning is late, the end of retention is postponed, so that the
 * customer still has as many days as after a last warning. Returns the end of each frame and the number of days until
 * then, rounded up.
 */
export async function claimErasureWarnings(
  tx: Db,
  clock: Clock,
  limit: number,
): Promise<{ frame: Frame; end: Date; days: number }[]> {
  const now = clock.now();
  const soonestEnd = new Date(now.getTime() + lastWarningDays * dayMs);
  const isLastWarning = sql`(${retentionEnd} <= ${sqlTimestamp(soonestEnd)} and ${frames.erasureWarnedAt} < ${computeDaysBeforeEnd(lastWarningDays)})`;
  const dueRows = tx
    .select({ id: frames.id })
    .from(frames)
    .where(and(isEndedBy(new Date(now.getTime() + firstWarningDays * dayMs)), or(isUnwarned, isLastWarning)))
    .orderBy(asc(frames.videosReadyAt), asc(frames.id))
    .limit(limit)
    .for('no key update', { skipLocked: true });
  const takenRows = await tx
    .update(frames)
    .set({
      erasureWarnedAt: now,
      keptUntil: sql`case when ${isUnwarned} and ${retentionEnd} < ${sqlTimestamp(soonestEnd)} then ${sqlTimestamp(soonestEnd)} else ${frames.keptUntil} end`,
    })
    .where(inArray(frames.id, dueRows))
    .returning();
  return takenRows.map((frame) => {
    const erasureTime = computeFrameErasureTime(frame)!;
    return { frame, end: erasureTime, days: Math.ceil((erasureTime.getTime() - now.getTime()) / dayMs) };
  });
}

/**
 * Frames whose retention has ended and whose customers were warned, the longest ago warned first. With `id`, only this
 * frame.
 */
export const findFramesToErase = (db: Db, clock: Clock, limit: number, id?: string): Promise<Frame[]> =>
  db
    .select()
    .from(frames)
    .where(
      and(
        // This condition lets the query use the index: few frames have a warning and are not erased.
        isNotNull(frames.erasureWarnedAt),
        lte(frames.erasureWarnedAt, clock.now()),
        isEndedBy(clock.now()),
        sql`not ${isUnwarned}`,
        id === undefined ? undefined : eq(frames.id, id),
      ),
    )
    .orderBy(asc(frames.erasureWarnedAt))
    .limit(limit);

/** The time by which the warnings before `end` must have been sent. The last warning has one day to be delivered. */
export const computeLastWarningTime = (end: Date): Date => new Date(end.getTime() - (lastWarningDays - 1) * dayMs);

/**
 * Postpones the erasure by the days of the last warning, so that the warning is sent again, because no warning has
 * reached the customer.
 */
export async function postponeErasure(tx: Db, clock: Clock, { id }: Frame): Promise<void> {
  const keptUntil = new Date(clock.now().getTime() + lastWarningDays * dayMs);
  await tx.update(frames).set({ keptUntil, erasureWarnedAt: null }).where(eq(frames.id, id));
}

/**
 * Updates a frame after its photos were erased. The caller has locked its row. A place stays used if the customer could
 * ever watch its video. All other places are open again. So a delivered frame stays as it is. A frame without any
 * watchable video starts over, with all the places that its customer has paid for. The frame of a canceled order stays
 * closed.
 */
export async function markErased(
  tx: Db,
  clock: Clock,
  frame: Frame,
  erased: { photos: number; watchable: number; isCanceled: boolean },
): Promise<void> {
  const now = clock.now();
  const usedPlaceCount = frame.usedPhotos - erased.photos + erased.watchable;
  const isFinal = erased.isCanceled || (isFinalized(frame) && usedPlaceCount === frame.usedPhotos);
  await tx
    .update(frames)
    .set(
      usedPlaceCount === 0
        ? { ...startOfNewRound, ...(erased.isCanceled && { isActive: false }) }
        : {
            erasedAt: now,
            erasureWarnedAt: null,
            proofEndsAt: null,
            videosReadyAt: frame.videosReadyAt ?? now,
            ...(!isFinal && {
              usedPhotos: usedPlaceCount,
              sealedPhotos: usedPlaceCount,
              reopenedAt: frame.reopenedAt ?? now,
            }),
          },
    )
    .where(eq(frames.id, frame.id));
}
const startOfNewRound = {
  usedPhotos: 0,
  sealedPhotos: 0,
  closedPhotos: 0,
  finalizedAt: null,
  reopenedAt: null,
  proofRound: 0,
  proofEndsAt: null,
  videosReadyAt: null,
  erasedAt: null,
  stillAnsweredAt: null, // asked again for the new photos
};

/** Deletes the connection details of a frame. Its QR picture becomes a discarded file. */
export async function deleteConnectionDetails(tx: Db, frame: Frame): Promise<void> {
  await tx
    .update(frames)
    .set({
      invitationCode: null,
      qrPhotoKey: null,
      ...(frame.connectionStatus === 'pending' && { connectionStatus: 'none', connectionSince: null }),
    })
    .where(eq(frames.id, frame.id));
}
