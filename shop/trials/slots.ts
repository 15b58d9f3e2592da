import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, asc, eq, gt, lt, lte, sql, type SQL } from 'drizzle-orm';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { DeleteOldRows } from '../delete-old-rows.ts';
import { hashToken, createToken } from '../tokens/tokens.ts';
import { trialKeys, trialSlots } from './trials.sql.ts';

export interface SlotLimit {
  /** How many slots a key has. */
  most: number;
  /** How long a slot stays taken. */
  seconds: number;
}

/**
 * Takes a free slot of a key. Returns false if all are taken. Concurrent calls never take the same slot: each waits for
 * the other's transaction.
 */
export async function reserveTrialSlot(tx: Db, now: Date, key: string, { most, seconds }: SlotLimit): Promise<boolean> {
  for (let slot = 1; slot <= most; slot++) {
    const takenRows = await tx
      .insert(trialSlots)
      .values({ key, slot, takenAt: now })
      .onConflictDoUpdate({
        target: [trialSlots.key, trialSlots.slot],
        set: { takenAt: now },
        setWhere: lte(trialSlots.takenAt, new Date(now.getTime() - seconds * 1000)),
      })
      .returning({ slot: trialSlots.slot });
    if (takenRows.length > 0) return true;
  }
  return false;
}

/** The seconds until a slot of a key is free; 0 if one is free now. */
export async function computeSecondsUntilFree(
  db: Db,
  clock: Clock,
  key: string,
  { most, seconds }: SlotLimit,
): Promise<number> {
  const windowStart = new Date(clock.now().getTime() - seconds * 1000);
  const takenRows = await db
    .select({ takenAt: trialSlots.takenAt })
    .from(trialSlots)
    .where(and(eq(trialSlots.key, key), gt(trialSlots.takenAt, windowStart)))
    .orderBy(asc(trialSlots.takenAt));
  const firstTakenRow = takenRows.length < most ? undefined : takenRows[0];
  return firstTakenRow ? Math.ceil((firstTakenRow.takenAt.getTime() - windowStart.getTime()) / 1000) : 0;
}

/** Gives back the slot that was taken at this time. */
export const releaseTrialSlot = (tx: Db, key: string, takenAt: Date) =>
  tx.delete(trialSlots).where(and(eq(trialSlots.key, key), eq(trialSlots.takenAt, takenAt)));

const deleteOldSlots =
  (which: SQL): DeleteOldRows =>
  async (db, before, limit) => {
    const { rows } = await db.execute(sql`
      delete from ${trialSlots} where (key, slot) in (
        select key, slot from ${trialSlots} where ${lt(trialSlots.takenAt, before)} and ${which}
        order by taken_at limit ${limit} for update skip locked
      ) returning slot`);
    return rows.length;
  };
export const deleteOldTrialSlots = deleteOldSlots(sql`true`);
/** Deletes the hashes of email addresses, whose limit is shorter. */
export const deleteOldMailboxSlots = deleteOldSlots(sql`starts_with(key, 'mail:')`);

/**
 * A keyed hash of a network, an email address or a part of a browser's token. Without the secret in the database, no
 * one can find out the text by trying all of them, or make a token.
 */
export async function computeKeyedHash(db: Db, kind: 'network' | 'mail' | 'browser', text: string): Promise<string> {
  const readSecret = () => db.select({ secret: trialKeys.secret }).from(trialKeys);
  let [key] = await readSecret();
  if (!key) {
    await db.insert(trialKeys).values({ secret: createToken() }).onConflictDoNothing();
    [key] = await readSecret();
  }
  return `${kind}:${createHmac('sha256', key!.secret).update(`${kind}:${text}`).digest('base64url')}`;
}

/**
 * Returns the token for the cookie of a browser: the one that it has, or a new one. A token contains a keyed hash,
 * because another token may have been planted by someone else.
 */
export async function findOrCreateBrowserToken(db: Db, token: string | undefined): Promise<string> {
  const createTokenOf = async (random: string) =>
    `${random}.${(await computeKeyedHash(db, 'browser', random)).split(':')[1]}`;
  if (token !== undefined) {
    const [random = ''] = token.split('.');
    const ownToken = await createTokenOf(random);
    if (timingSafeEqual(Buffer.from(hashToken(token)), Buffer.from(hashToken(ownToken)))) return token;
  }
  return createTokenOf(createToken());
}
