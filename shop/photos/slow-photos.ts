import { and, desc, eq, gt } from 'drizzle-orm';
import type { Crop } from '#contract/crop.ts';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { UnusablePhoto, type DecodedPhoto, type Imaging } from '../ports/imaging.ts';
import { newId } from '../columns.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import { slowPhotos } from './slow-photos.sql.ts';

interface DevelopScope {
  db: Db;
  clock: Clock;
  imaging: Imaging;
}

/**
 * Decodes a photo when its sender's turn comes. A slow photo blocks a decoder for the whole time limit. After several
 * slow photos, the sender's photos are refused for a while. This includes photos that already wait for their turn.
 */
export async function decodeInTurn(
  { db, clock, imaging }: DevelopScope,
  sender: string,
  path: string,
  folder: string,
  crop?: Crop,
): Promise<DecodedPhoto> {
  try {
    return await imaging.develop(path, folder, sender, () => refuseAfterSlowPhotos(db, clock, sender), crop);
  } catch (error) {
    if (error instanceof UnusablePhoto && error.reason === 'too-slow')
      await db.insert(slowPhotos).values({ id: newId(), sender, refusedAt: clock.now() });
    throw error;
  }
}

async function refuseAfterSlowPhotos(db: Db, clock: Clock, sender: string): Promise<void> {
  const latestRefusals = await db
    .select({ refusedAt: slowPhotos.refusedAt })
    .from(slowPhotos)
    .where(and(eq(slowPhotos.sender, sender), gt(slowPhotos.refusedAt, computeWindowStart(clock))))
    .orderBy(desc(slowPhotos.refusedAt))
    .limit(limits.slowPhotos);
  const oldestRefusal = latestRefusals[limits.slowPhotos - 1];
  if (!oldestRefusal) return;
  const waitMs = oldestRefusal.refusedAt.getTime() - computeWindowStart(clock).getTime();
  throw new Refusal('photos-too-slow', { retryAfterSeconds: Math.ceil(waitMs / 1000) });
}

export const deleteOldSlowPhotos = deleteOldRows(slowPhotos, slowPhotos.id, slowPhotos.refusedAt);

const computeWindowStart = (clock: Clock) => new Date(clock.now().getTime() - limits.slowPhotosSeconds * 1000);
