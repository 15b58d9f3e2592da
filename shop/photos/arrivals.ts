import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { and, asc, eq, gte, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import type { Storage } from '../ports/storage.ts';
import { newId } from '../columns.ts';
import { storeAndName, type NamedFiles } from '../files/files.ts';
import { hasRoom, holdFrame, refuseIfAllClosed } from '../frames/frames.ts';
import { addPhotoTo, saidKindly, shownName, type Chosen, type PhotoPlace, type PhotoScope } from './photos.ts';
import { arrivalPieces, arrivals, type Arrival } from './arrivals.sql.ts';

export type { Arrival } from './arrivals.sql.ts';

/** Where a photo in pieces goes once it is all here, and who alone goes on with it until then. */
export interface ArrivalPlace extends PhotoPlace {
  /** A contributor's id, or an upload link's; undefined: the frame's customer. */
  guestId?: string;
}

interface Announced {
  /** The customer's name for it. */
  name: string;
  sizeBytes: number;
  photoKey: string | undefined;
  chosen?: Chosen | undefined;
}

/** Await a photo in pieces. It claims no place: only photos do, and many that begin never end. */
export const announcePhoto = (
  scope: Pick<PhotoScope, 'db' | 'clock'>,
  place: ArrivalPlace,
  announced: Announced,
): Promise<Arrival> => saidKindly(place, announceIn(scope, place, announced));

async function announceIn(
  { db, clock }: Pick<PhotoScope, 'db' | 'clock'>,
  { frames, sender, guestId, admit }: ArrivalPlace,
  { name, sizeBytes, photoKey = newId(), chosen }: Announced,
): Promise<Arrival> {
  const names = shownName(name);
  refuseIfAllClosed(frames);
  if (sizeBytes > limits.photoBytes) throw new Refusal('file-too-large', { names });
  if (sizeBytes === 0) throw new Refusal('invalid-file-type', { names });
  const frameId = frames.find(hasRoom)!.id;
  return db.transaction(async (tx) => {
    await admit?.(tx);
    await holdFrame(tx, frameId);
    // Of each sender by itself: what the family has begun keeps no customer waiting.
    const isTheirs = and(eq(arrivals.frameId, frameId), eq(arrivals.sender, sender));
    const half = await tx.$count(arrivals, and(isTheirs, isNull(arrivals.uploadId)));
    if (half >= limits.arrivalsPerFrame) throw new Refusal('too-many-arrivals');
    const row = { id: newId(), frameId, sender, guestId, photoKey, name: names, sizeBytes, lastAt: clock.now() };
    const among = chosen && { selection: chosen.selection, selectionPlace: chosen.place };
    const [arrival] = await tx
      .insert(arrivals)
      .values({ ...row, ...among })
      .returning();
    return arrival!;
  });
}

export async function arrivalById(db: Db, id: string): Promise<Arrival | undefined> {
  const [arrival] = await db.select().from(arrivals).where(eq(arrivals.id, id));
  return arrival;
}

export interface Piece {
  /** On local disk, complete; removed by whoever received it. */
  path: string;
  start: number;
  sizeBytes: number;
}

/**
 * Take the next piece of a photo: here for good when this resolves, or not at all. The last one counts once the photo is
 * the frame's, by the same claim as any other: whoever never heard of that sends the last piece again, and no more.
 * Answers where the next piece begins.
 */
export const takePiece = (scope: PhotoScope, place: ArrivalPlace, arrival: Arrival, piece: Piece): Promise<number> =>
  saidKindly(place, takeNext(scope, place, arrival, piece));

async function takeNext(scope: PhotoScope, place: ArrivalPlace, arrival: Arrival, piece: Piece): Promise<number> {
  const { db, clock, storage } = scope;
  if (arrival.uploadId !== null) return arrival.sizeBytes;
  const end = piece.start + piece.sizeBytes;
  if (piece.start !== arrival.arrivedBytes) throw new Refusal('piece-out-of-order');
  if (end > arrival.sizeBytes) throw new Refusal('piece-too-long');
  if (end === arrival.sizeBytes) {
    await completePhoto(scope, place, arrival, piece);
    return end;
  }
  refuseIfAllClosed(place.frames);
  if (piece.sizeBytes === 0) return end;
  // A piece is a file and a row: nobody makes thousands of them of one photo.
  if (piece.sizeBytes * limits.piecesPerPhoto < arrival.sizeBytes) throw new Refusal('invalid-request');
  const key = `pieces/${newId()}`;
  const name = () =>
    db.transaction(async (tx) => {
      await place.admit?.(tx);
      const moved = await tx
        .update(arrivals)
        .set({ arrivedBytes: end, lastAt: clock.now() })
        .where(and(eq(arrivals.id, arrival.id), eq(arrivals.arrivedBytes, piece.start)))
        .returning({ id: arrivals.id });
      // Another process took the same piece meanwhile, or the photo was given up.
      if (moved.length === 0) throw new Refusal('piece-out-of-order');
      await tx.insert(arrivalPieces).values({ arrivalId: arrival.id, start: piece.start, key });
    });
  await storeAndName(storage, [{ key, path: piece.path, contentType: 'application/octet-stream' }], name);
  return end;
}

async function completePhoto(scope: PhotoScope, place: ArrivalPlace, arrival: Arrival, last: Piece): Promise<void> {
  const { db, clock, storage, workFolder } = scope;
  const work = await mkdtemp(join(workFolder, 'arrival-'));
  try {
    const path = join(work, 'photo');
    await putTogether(storage, await piecesOf(db, arrival.id), last, path);
    const file = { path, name: arrival.name, sizeBytes: arrival.sizeBytes };
    const admit = async (tx: Db) => {
      await place.admit?.(tx);
      if (!(await arrivalById(tx, arrival.id))) throw new Refusal('not-found'); // given up meanwhile
    };
    const { selection, selectionPlace } = arrival;
    const chosen = selection === null || selectionPlace === null ? undefined : { selection, place: selectionPlace };
    const photo = await addPhotoTo(scope, { ...place, admit }, file, arrival.photoKey, chosen);
    await db
      .update(arrivals)
      .set({ arrivedBytes: arrival.sizeBytes, uploadId: photo.id, lastAt: clock.now() })
      .where(eq(arrivals.id, arrival.id));
    await forgetPieces(scope, [arrival.id]);
  } catch (error) {
    // Somebody who sent the same last piece was first, and took the pieces.
    if ((await arrivalById(db, arrival.id))?.uploadId) return;
    // What is wrong with the photo itself no further try mends; what is full or closed today may be open tomorrow.
    if (error instanceof Refusal && ![409, 429].includes(error.status)) await giveUpArrival(scope, arrival.id);
    throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** All pieces one after the other, as one local file. */
async function putTogether(storage: Storage, pieces: { key: string }[], last: Piece, path: string): Promise<void> {
  const append = (from: Readable) => pipeline(from, createWriteStream(path, { flags: 'a' }));
  for (const { key } of pieces) await append(await storage.read(key));
  await append(createReadStream(last.path));
}

const piecesOf = (db: Db, arrivalId: string) =>
  db.select().from(arrivalPieces).where(eq(arrivalPieces.arrivalId, arrivalId)).orderBy(asc(arrivalPieces.start));

/** Rows first: a file without a row is swept, a row without a file breaks. */
async function forgetPieces({ db, storage }: Pick<PhotoScope, 'db' | 'storage'>, arrivalIds: string[]): Promise<void> {
  const gone = await db
    .delete(arrivalPieces)
    .where(inArray(arrivalPieces.arrivalId, arrivalIds))
    .returning({ key: arrivalPieces.key });
  await Promise.allSettled(gone.map(({ key }) => storage.delete(key)));
}

/** Nothing of it stays. */
export async function giveUpArrival(scope: Pick<PhotoScope, 'db' | 'storage'>, id: string): Promise<void> {
  await forgetPieces(scope, [id]);
  await scope.db.delete(arrivals).where(eq(arrivals.id, id));
}

/** Photos in one round of the sweep. */
const sweptAtOnce = 100;

/** Give up what has not come further for a day, and forget what became a photo by then. */
export async function sweepArrivals(
  scope: Pick<PhotoScope, 'db' | 'clock' | 'storage'>,
  signal?: AbortSignal,
): Promise<void> {
  const { db, clock } = scope;
  const before = new Date(clock.now().getTime() - limits.arrivalHours * 3_600_000);
  for (;;) {
    const old = await db
      .select({ id: arrivals.id })
      .from(arrivals)
      .where(lt(arrivals.lastAt, before))
      .orderBy(arrivals.lastAt)
      .limit(sweptAtOnce);
    if (old.length === 0 || signal?.aborted) return;
    for (const { id } of old) await giveUpArrival(scope, id);
  }
}

/** Give up all that is on its way to a frame. Answers the keys of its pieces, which are the caller's to delete. */
export const removeArrivals = (tx: Db, frameId: string): Promise<string[]> =>
  removeWhere(tx, eq(arrivals.frameId, frameId));

async function removeWhere(tx: Db, isGone: SQL): Promise<string[]> {
  const ids = tx.select({ id: arrivals.id }).from(arrivals).where(isGone);
  const pieces = await tx
    .delete(arrivalPieces)
    .where(inArray(arrivalPieces.arrivalId, ids))
    .returning({ key: arrivalPieces.key });
  await tx.delete(arrivals).where(isGone);
  return pieces.map((it) => it.key);
}

/** End a link, and give up what its guests have half sent in the same step. */
export async function endWithArrivals(
  { db, storage }: Pick<PhotoScope, 'db' | 'storage'>,
  end: (tx: Db) => Promise<{ guestIds: string[] }>,
): Promise<void> {
  const keys = await db.transaction(async (tx) => {
    const { guestIds } = await end(tx);
    const isTheirs = and(inArray(arrivals.guestId, guestIds), isNull(arrivals.uploadId))!;
    return guestIds.length > 0 ? removeWhere(tx, isTheirs) : [];
  });
  await Promise.allSettled(keys.map((key) => storage.delete(key)));
}

export const pieceFiles: NamedFiles = {
  folders: ['pieces/'],
  async among(db, keys) {
    const rows = await db
      .select({ key: arrivalPieces.key })
      .from(arrivalPieces)
      .where(inArray(arrivalPieces.key, keys));
    return new Set(rows.map((it) => it.key));
  },
  async from(db, name, limit) {
    const rows = await db
      .select({ key: arrivalPieces.key })
      .from(arrivalPieces)
      .where(gte(arrivalPieces.key, `pieces/${name}`))
      .orderBy(asc(arrivalPieces.key))
      .limit(limit);
    return rows.map((it) => it.key);
  },
  every: sql`select ${arrivalPieces.key} as key from ${arrivalPieces}`,
};
