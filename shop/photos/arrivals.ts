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
import { storeFilesThenRow, type NamedFiles } from '../files/files.ts';
import { hasFreePlace, lockFrame, refuseIfAllClosed } from '../frames/frames.ts';
import {
  addPhotoTo,
  replaceRefusals,
  sanitizedFileName,
  type SelectionPosition,
  type PhotoTarget,
} from './add-photo.ts';
import type { PhotoScope } from './photos.ts';
import { arrivalPieces, arrivals, type Arrival } from './arrivals.sql.ts';

export type { Arrival } from './arrivals.sql.ts';

/** The frames for a photo that is uploaded in pieces, and the only sender who may continue the upload. */
export interface ArrivalTarget extends PhotoTarget {
  /** The id of a contributor or of an upload link; undefined for the frame's customer. */
  guestId?: string;
}

interface NewUpload {
  /** The name of the file on the sender's device. */
  name: string;
  sizeBytes: number;
  photoKey: string | undefined;
  chosen?: SelectionPosition | undefined;
}

/**
 * Creates an upload in pieces of one photo. The upload uses no place of a frame until it is complete, because many
 * uploads are never completed.
 */
export const createPhotoUpload = (
  scope: Pick<PhotoScope, 'db' | 'clock'>,
  place: ArrivalTarget,
  newUpload: NewUpload,
): Promise<Arrival> => replaceRefusals(place, () => createUploadInTransaction(scope, place, newUpload));

async function createUploadInTransaction(
  { db, clock }: Pick<PhotoScope, 'db' | 'clock'>,
  { frames, sender, guestId, onAdd }: ArrivalTarget,
  { name, sizeBytes, photoKey = newId(), chosen }: NewUpload,
): Promise<Arrival> {
  const sanitizedName = sanitizedFileName(name);
  refuseIfAllClosed(frames);
  if (sizeBytes > limits.photoBytes) throw new Refusal('file-too-large', { names: sanitizedName });
  if (sizeBytes === 0) throw new Refusal('invalid-file-type', { names: sanitizedName });
  const frameId = frames.find(hasFreePlace)!.id;
  return db.transaction(async (tx) => {
    await onAdd?.(tx);
    await lockFrame(tx, frameId);
    // Count each sender separately, so that uploads of family members do not block the customer.
    const isOfSender = and(eq(arrivals.frameId, frameId), eq(arrivals.sender, sender));
    const unfinishedCount = await tx.$count(arrivals, and(isOfSender, isNull(arrivals.uploadId)));
    if (unfinishedCount >= limits.arrivalsPerFrame) throw new Refusal('too-many-arrivals');
    const row = {
      id: newId(),
      frameId,
      sender,
      guestId,
      photoKey,
      name: sanitizedName,
      sizeBytes,
      lastAt: clock.now(),
    };
    const selectionFields = chosen && { selection: chosen.selection, selectionPlace: chosen.place };
    const [arrival] = await tx
      .insert(arrivals)
      .values({ ...row, ...selectionFields })
      .returning();
    return arrival!;
  });
}

export async function findArrivalById(db: Db, id: string): Promise<Arrival | undefined> {
  const [arrival] = await db.select().from(arrivals).where(eq(arrivals.id, id));
  return arrival;
}

export interface ReceivedPiece {
  /** A complete file on local disk. The code that received it removes it. */
  path: string;
  start: number;
  sizeBytes: number;
}

/**
 * Stores the next piece of a photo. When this resolves, the piece is stored durably; if it rejects, nothing is stored.
 * The last piece counts only after the complete photo belongs to the frame. A client that missed that response sends
 * the last piece again. Returns the position at which the next piece begins.
 */
export const storePiece = (
  scope: PhotoScope,
  place: ArrivalTarget,
  arrival: Arrival,
  piece: ReceivedPiece,
): Promise<number> => replaceRefusals(place, () => storeNextPiece(scope, place, arrival, piece));

async function storeNextPiece(
  scope: PhotoScope,
  place: ArrivalTarget,
  arrival: Arrival,
  piece: ReceivedPiece,
): Promise<number> {
  const { db, clock, storage } = scope;
  if (arrival.uploadId !== null) return arrival.sizeBytes;
  const pieceEnd = piece.start + piece.sizeBytes;
  if (piece.start !== arrival.arrivedBytes) throw new Refusal('piece-out-of-order');
  if (pieceEnd > arrival.sizeBytes) throw new Refusal('piece-too-long');
  if (pieceEnd === arrival.sizeBytes) {
    await completePhoto(scope, place, arrival, piece);
    return pieceEnd;
  }
  refuseIfAllClosed(place.frames);
  if (piece.sizeBytes === 0) return pieceEnd;
  // Each piece is stored as a file and a row. The limit prevents thousands of pieces for one photo.
  if (piece.sizeBytes * limits.piecesPerPhoto < arrival.sizeBytes) throw new Refusal('invalid-request');
  const key = `pieces/${newId()}`;
  const recordPiece = () =>
    db.transaction(async (tx) => {
      await place.onAdd?.(tx);
      const movedRows = await tx
        .update(arrivals)
        .set({ arrivedBytes: pieceEnd, lastAt: clock.now() })
        .where(and(eq(arrivals.id, arrival.id), eq(arrivals.arrivedBytes, piece.start)))
        .returning({ id: arrivals.id });
      // Another process has stored the same piece, or the photo was canceled.
      if (movedRows.length === 0) throw new Refusal('piece-out-of-order');
      await tx.insert(arrivalPieces).values({ arrivalId: arrival.id, start: piece.start, key });
    });
  await storeFilesThenRow(storage, [{ key, path: piece.path, contentType: 'application/octet-stream' }], recordPiece);
  return pieceEnd;
}

async function completePhoto(
  scope: PhotoScope,
  place: ArrivalTarget,
  arrival: Arrival,
  last: ReceivedPiece,
): Promise<void> {
  const { db, clock, storage, workFolder } = scope;
  const temporaryFolder = await mkdtemp(join(workFolder, 'arrival-'));
  try {
    const path = join(temporaryFolder, 'photo');
    await joinPieces(storage, await readPiecesOf(db, arrival.id), last, path);
    const file = { path, name: arrival.name, sizeBytes: arrival.sizeBytes };
    const admitArrival = async (tx: Db) => {
      await place.onAdd?.(tx);
      if (!(await findArrivalById(tx, arrival.id))) throw new Refusal('not-found'); // the upload was canceled
    };
    const { selection, selectionPlace } = arrival;
    const chosenSelection =
      selection === null || selectionPlace === null ? undefined : { selection, place: selectionPlace };
    const photo = await addPhotoTo(scope, { ...place, onAdd: admitArrival }, file, arrival.photoKey, chosenSelection);
    await db
      .update(arrivals)
      .set({ arrivedBytes: arrival.sizeBytes, uploadId: photo.id, lastAt: clock.now() })
      .where(eq(arrivals.id, arrival.id));
    await deleteSentPieces(scope, [arrival.id]);
  } catch (error) {
    // Another request with the same last piece has already completed the photo and removed the pieces.
    if ((await findArrivalById(db, arrival.id))?.uploadId) return;
    // Keep the pieces if the frame is full or closed (409) or the sender must wait (429), because a later retry may
    // succeed. After any other refusal, no retry can help.
    if (error instanceof Refusal && ![409, 429].includes(error.status)) await deleteArrival(scope, arrival.id);
    throw error;
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

/** Joins all pieces into one local file. */
async function joinPieces(
  storage: Storage,
  pieces: { key: string }[],
  last: ReceivedPiece,
  path: string,
): Promise<void> {
  const appendBytes = (from: Readable) => pipeline(from, createWriteStream(path, { flags: 'a' }));
  for (const { key } of pieces) await appendBytes(await storage.read(key));
  await appendBytes(createReadStream(last.path));
}

const readPiecesOf = (db: Db, arrivalId: string) =>
  db.select().from(arrivalPieces).where(eq(arrivalPieces.arrivalId, arrivalId)).orderBy(asc(arrivalPieces.start));

/** Deletes rows before files: the sweep removes a file without a row, but a row without a file is an error. */
async function deleteSentPieces(
  { db, storage }: Pick<PhotoScope, 'db' | 'storage'>,
  arrivalIds: string[],
): Promise<void> {
  const deletedRows = await db
    .delete(arrivalPieces)
    .where(inArray(arrivalPieces.arrivalId, arrivalIds))
    .returning({ key: arrivalPieces.key });
  await Promise.allSettled(deletedRows.map(({ key }) => storage.delete(key)));
}

/** Deletes an incomplete upload and its pieces. */
export async function deleteArrival(scope: Pick<PhotoScope, 'db' | 'storage'>, id: string): Promise<void> {
  await deleteSentPieces(scope, [id]);
  await scope.db.delete(arrivals).where(eq(arrivals.id, id));
}

/** The number of incomplete uploads that the sweep reads at once. */
const sweptAtOnce = 100;

/**
 * Deletes uploads that have made no progress for a day. If such an upload has become a photo, only its row is deleted;
 * the photo stays.
 */
export async function sweepArrivals(
  scope: Pick<PhotoScope, 'db' | 'clock' | 'storage'>,
  signal?: AbortSignal,
): Promise<void> {
  const { db, clock } = scope;
  const abandonedBefore = new Date(clock.now().getTime() - limits.arrivalHours * 3_600_000);
  for (;;) {
    const oldRows = await db
      .select({ id: arrivals.id })
      .from(arrivals)
      .where(lt(arrivals.lastAt, abandonedBefore))
      .orderBy(arrivals.lastAt)
      .limit(sweptAtOnce);
    if (oldRows.length === 0 || signal?.aborted) return;
    for (const { id } of oldRows) await deleteArrival(scope, id);
  }
}

/** Deletes all uploads in pieces of a frame. Returns the keys of their pieces; the caller deletes those files. */
export const removeArrivals = (tx: Db, frameId: string): Promise<string[]> =>
  removeWhere(tx, eq(arrivals.frameId, frameId));

async function removeWhere(tx: Db, isRemoved: SQL): Promise<string[]> {
  const ids = tx.select({ id: arrivals.id }).from(arrivals).where(isRemoved);
  const deletedPieces = await tx
    .delete(arrivalPieces)
    .where(inArray(arrivalPieces.arrivalId, ids))
    .returning({ key: arrivalPieces.key });
  await tx.delete(arrivals).where(isRemoved);
  return deletedPieces.map((it) => it.key);
}

/** Ends a link and deletes the incomplete uploads of its guests in the same transaction. */
export async function endLinkAndArrivals(
  { db, storage }: Pick<PhotoScope, 'db' | 'storage'>,
  end: (tx: Db) => Promise<{ guestIds: string[] }>,
): Promise<void> {
  const keys = await db.transaction(async (tx) => {
    const { guestIds } = await end(tx);
    const isOfGuests = and(inArray(arrivals.guestId, guestIds), isNull(arrivals.uploadId))!;
    return guestIds.length > 0 ? removeWhere(tx, isOfGuests) : [];
  });
  await Promise.allSettled(keys.map((key) => storage.delete(key)));
}

export const pieceFiles: NamedFiles = {
  folders: ['pieces/'],
  async selectNamed(db, keys) {
    const rows = await db
      .select({ key: arrivalPieces.key })
      .from(arrivalPieces)
      .where(inArray(arrivalPieces.key, keys));
    return new Set(rows.map((it) => it.key));
  },
  async listNamedFrom(db, name, limit) {
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
