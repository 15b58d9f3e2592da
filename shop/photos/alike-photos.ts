import { and, eq, inArray, or } from 'drizzle-orm';
import type { Db } from '../ports/database.ts';
import { Refusal } from '#contract/refusals.ts';
import { newId } from '../columns.ts';
import { lockFrame, refuseIfLocked } from '../frames/frames.ts';
import { uploads, type Upload } from './photos.sql.ts';
import { photosOfFrames } from './photos.ts';

/**
 * The most bits in which the perceptual hashes of photos that look alike differ. Copies in another encoding, size or
 * brightness differ in at most 8 bits, different pictures in at least 20 (docs/decisions/0112-alike-photos.md).
 */
const mostDifferentBits = 10;

type ComparedPhoto = Pick<Upload, 'id' | 'perceptualHash' | 'keptAlike'>;

/** Groups the photos of a frame that look alike, except those that the customer already chose to keep. */
export function groupAlikePhotos(photos: readonly ComparedPhoto[]): string[][] {
  const hashedPhotos = photos.flatMap(({ id, perceptualHash, keptAlike }) =>
    perceptualHash === null ? [] : [{ id, keptAlike, bits: parseBits(perceptualHash) }],
  );
  const ungroupedPhotos = new Set(hashedPhotos);
  const groups: string[][] = [];
  for (const firstOfGroup of hashedPhotos) {
    if (!ungroupedPhotos.delete(firstOfGroup)) continue;
    const group = [firstOfGroup];
    for (const member of group)
      for (const otherPhoto of ungroupedPhotos)
        if (areAlike(member, otherPhoto)) {
          ungroupedPhotos.delete(otherPhoto);
          group.push(otherPhoto);
        }
    if (group.length > 1) groups.push(hashedPhotos.filter((it) => group.includes(it)).map((it) => it.id));
  }
  return groups;
}

type Bits = readonly [number, number];
const areAlike = (one: { keptAlike: string | null; bits: Bits }, other: { keptAlike: string | null; bits: Bits }) =>
  (one.keptAlike === null || one.keptAlike !== other.keptAlike) &&
  countBits(one.bits[0] ^ other.bits[0]) + countBits(one.bits[1] ^ other.bits[1]) <= mostDifferentBits;

const parseBits = (hash: string): Bits => [Number.parseInt(hash.slice(0, 8), 16), Number.parseInt(hash.slice(8), 16)];

function countBits(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/**
 * Notes that the customer keeps these photos although they look alike. Photos that are deleted or in another frame are
 * ignored, unless all of them are. Photos that were kept earlier together with one of them join the group.
 */
export async function keepAlikePhotos(db: Db, frameId: string, ids: readonly string[]): Promise<void> {
  await db.transaction(async (tx) => {
    refuseIfLocked(await lockFrame(tx, frameId));
    const namedPhotos = (await photosOfFrames(tx, [frameId])).filter((it) => ids.includes(it.id));
    if (namedPhotos.length === 0) throw new Refusal('not-found');
    if (namedPhotos.length === 1) return;
    const earlierGroupIds = namedPhotos.flatMap((it) => it.keptAlike ?? []);
    const isNamed = inArray(
      uploads.id,
      namedPhotos.map((it) => it.id),
    );
    await tx
      .update(uploads)
      .set({ keptAlike: newId() })
      .where(
        and(
          eq(uploads.frameId, frameId),
          earlierGroupIds.length > 0 ? or(isNamed, inArray(uploads.keptAlike, earlierGroupIds)) : isNamed,
        ),
      );
  });
}
