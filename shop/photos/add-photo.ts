import { createHash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { limits } from '#contract/limits.ts';
import { photoTypes } from '#contract/photo-types.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { UnusablePhoto, type DecodedPhoto } from '../ports/imaging.ts';
import { newId } from '../columns.ts';
import { eraseFiles, storeFilesThenRow, deleteDiscardedFileRows } from '../files/files.ts';
import { lockCustomerIdOfOrder } from '../orders/orders.ts';
import { claimFirstSlot, lockFrame, lockFrames, refuseIfAllClosed, type Frame } from '../frames/frames.ts';
import { uploads, type Upload } from './photos.sql.ts';
import { decodeInTurn } from './slow-photos.ts';
import { listFilesOfPhoto, lockExistingPhoto, findPhotoById, queuePreviews, type PhotoScope } from './photos.ts';

export interface ReceivedFile {
  /** A complete file on local disk. The code that received it removes it. */
  path: string;
  /** The name of the file on the sender's device: a label, never a path. */
  name: string;
  sizeBytes: number;
}

/**
 * A photo's position in a selection of several files. The files may arrive in any order. The photos are shown in the
 * order in which they were chosen.
 */
export interface SelectionPosition {
  /** An unguessable id that the sender generates, so that no photo can get into another person's selection. */
  selection: string;
  place: number;
}

/** The frames for a new photo, and its sender. */
export interface PhotoTarget {
  /** The photo goes to the first of these frames that has room. */
  frames: readonly Frame[];
  /** The namespace of photo keys: the same key in the same namespace means the same photo. */
  keysOf: string;
  /** The id of a customer, or of a link that many people share. Photos of one sender are decoded one at a time. */
  sender: string;
  /** Called in the transaction that takes a place in the frame. Throws if the photo may no longer be added. */
  onAdd?: (tx: Db) => Promise<void>;
  /** The contributor who sent the photo. The customer must then accept it. */
  contributorId?: string;
  /** Replaces a refusal with one whose text suits this sender. Only set if the sender is not the frame's customer. */
  reword?: (error: Refusal) => Refusal;
}

/** Where to store a photo that the frame's customer adds. */
export const createCustomerTarget = (frame: Frame, customerId: string): PhotoTarget => ({
  frames: [frame],
  keysOf: frame.id,
  sender: customerId,
  onAdd: async (tx) => {
    // The share lock prevents two changes while the photo is added: the order stays with its customer, and the account
    // is not deleted.
    if ((await lockCustomerIdOfOrder(tx, frame.orderId)) !== customerId) throw new Refusal('not-found');
  },
});

/** Runs `work`. If it throws a refusal, throws the result of `reword` instead. */
export async function replaceRefusals<T>({ reword }: PhotoTarget, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw reword && error instanceof Refusal ? reword(error) : error;
  }
}

/**
 * Adds a photo to the first frame with room. The photo's files are stored before the row that names them. The row is
 * written under a lock: if two uploads compete for the last place, one is refused. A refused photo leaves no files and
 * uses no place.
 *
 * @param key a photo is taken once for each key, even if it is sent again after a lost response
 */
export const addPhotoTo = (
  scope: PhotoScope,
  place: PhotoTarget,
  file: ReceivedFile,
  key?: string,
  chosen?: SelectionPosition,
): Promise<Upload> => replaceRefusals(place, () => addToTarget(scope, place, file, key, chosen));

async function addToTarget(
  scope: PhotoScope,
  { frames, keysOf, sender, onAdd, contributorId }: PhotoTarget,
  file: ReceivedFile,
  key: string = newId(),
  chosen?: SelectionPosition,
): Promise<Upload> {
  const { db, clock } = scope;
  const id = createHash('sha256').update(`${keysOf}:${key}`).digest('base64url');
  const arrivedBefore = await findPhotoById(db, id);
  if (arrivedBefore) return arrivedBefore;
  refuseIfAllClosed(frames);
  return storePhoto(scope, file, sender, async (tx, photo) => {
    await onAdd?.(tx);
    // Lock all candidate frames in one sequence. Two uploads of the same photo then run one after the other, and two
    // transactions that lock several frames cannot deadlock.
    await lockFrames(
      tx,
      frames.map((it) => it.id),
    );
    const existingPhoto = await findPhotoById(tx, id);
    if (existingPhoto) return existingPhoto;
    const { id: frameId, orderId } = await claimFirstSlot(tx, frames);
    const contributionFields = contributorId !== undefined && { contributorId, waitingSince: clock.now() };
    const selectionPosition = chosen && (await positionInSelection(tx, frameId, chosen, photo.uploadedAt));
    const insertedPhoto = await insertPhoto(tx, {
      ...photo,
      id,
      frameId,
      orderId,
      ...contributionFields,
      ...selectionPosition,
    });
    await queuePreviews(tx, scope, orderId);
    return insertedPhoto;
  });
}

/**
 * The caller has locked the frame. The first photo of a selection to arrive decides where the whole selection is shown.
 */
async function positionInSelection(tx: Db, frameId: string, { selection, place }: SelectionPosition, uploadedAt: Date) {
  const [other] = await tx
    .select({ selectionAt: uploads.selectionAt })
    .from(uploads)
    .where(and(eq(uploads.frameId, frameId), eq(uploads.selection, selection)))
    .limit(1);
  return { selection, selectionPlace: place, selectionAt: other?.selectionAt ?? uploadedAt };
}

/**
 * Replaces a locked photo with a new one that has the same position and caption. `swap` runs in the same transaction,
 * before the old photo is deleted.
 */
export async function replacePhoto(
  scope: PhotoScope,
  before: Upload,
  file: ReceivedFile,
  sender: string,
  swap: (tx: Db, photo: Upload) => Promise<void>,
): Promise<Upload> {
  let files: string[] = [];
  const photo = await storePhoto(scope, file, sender, async (tx, storedPhoto) => {
    await lockFrame(tx, before.frameId);
    // The caption may have been changed while the new photo was decoded.
    const currentPhoto = await lockExistingPhoto(tx, before.id);
    const { frameId, orderId, uploadedAt, position, caption, isTitled } = currentPhoto;
    const { selection, selectionPlace, selectionAt } = currentPhoto;
    const insertedPhoto = await insertPhoto(tx, {
      ...storedPhoto,
      id: newId(),
      frameId,
      orderId,
      uploadedAt,
      selection,
      selectionPlace,
      selectionAt,
      position,
      caption,
      isTitled,
    });
    await swap(tx, insertedPhoto);
    await tx.delete(uploads).where(eq(uploads.id, before.id));
    files = [...listFilesOfPhoto(currentPhoto), ...(await deleteDiscardedFileRows(tx, before.frameId, before.id))];
    return insertedPhoto;
  });
  await eraseFiles(scope.storage, files);
  return photo;
}

type NewPhoto = typeof uploads.$inferInsert;
async function insertPhoto(tx: Db, row: NewPhoto): Promise<Upload> {
  const [inserted] = await tx.insert(uploads).values(row).returning();
  return inserted!;
}

/** A photo that was checked and decoded, with its copies on local disk. */
interface CheckedPhoto extends DecodedPhoto {
  /** The name of the file on the sender's device, as it is shown. */
  names: string;
  sha256: string;
}

/**
 * Checks a received file and decodes it. Then calls `use` with its copies on local disk, which are deleted afterwards.
 * Every photo that the shop accepts goes through this function, so that all uploads have the same rules.
 */
export async function withCheckedPhoto<T>(
  scope: Pick<PhotoScope, 'db' | 'clock' | 'imaging' | 'workFolder'>,
  file: ReceivedFile,
  sender: string,
  use: (photo: CheckedPhoto) => Promise<T>,
): Promise<T> {
  const sanitizedName = sanitizedFileName(file.name);
  const mime = await scope.imaging.sniff(file.path);
  if (!mime) throw new Refusal('invalid-file-type', { names: sanitizedName });
  const temporaryFolder = await mkdtemp(join(scope.workFolder, 'photo-'));
  try {
    const photo = await decodeInTurn(scope, sender, file.path, temporaryFolder).catch((error: unknown) => {
      throw error instanceof UnusablePhoto ? createPhotoRefusal(error, sanitizedName) : error;
    });
    if (Math.min(photo.width, photo.height) < limits.photoLeastPixels)
      throw new Refusal('photo-too-small', { names: sanitizedName });
    return await use({ ...photo, mime, names: sanitizedName, sha256: await hashSha256(file.path) });
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

/** Decodes a photo, writes its copies and stores the files. Then `name` writes the row that names the files. */
const storePhoto = (
  scope: PhotoScope,
  file: ReceivedFile,
  sender: string,
  name: (tx: Db, photo: Omit<NewPhoto, 'id' | 'frameId' | 'orderId'>) => Promise<Upload>,
): Promise<Upload> =>
  withCheckedPhoto(scope, file, sender, async ({ mime, names, sha256, ...photo }) => {
    const { db, clock, storage } = scope;
    const storedId = newId();
    const originalKey = `originals/${storedId}.${photoTypes[mime][0]}`;
    const displayKey = `display/${storedId}.jpg`;
    const thumbnailKey = `thumbnails/${storedId}.webp`;
    const files = [
      { key: originalKey, path: file.path, contentType: mime },
      { key: displayKey, path: photo.displayPath, contentType: 'image/jpeg' },
      { key: thumbnailKey, path: photo.thumbnailPath, contentType: 'image/webp' },
    ];
    const row = {
      fileName: `${storedId}.jpg`,
      originalFileName: names,
      mimeType: mime,
      fileSize: file.sizeBytes,
      sha256,
      width: photo.width,
      height: photo.height,
      perceptualHash: photo.perceptualHash ?? null,
      ownMotion: photo.ownMotion ?? null,
      originalKey,
      displayKey,
      thumbnailKey,
      uploadedAt: clock.now(),
    };
    const namePhotoInTransaction = () => db.transaction((tx) => name(tx, row));
    return storeFilesThenRow(storage, files, namePhotoInTransaction, {
      isNamed: (upload) => upload.originalKey === originalKey,
    });
  });

/** The refusal for a picture that cannot be used. It contains the name of the file. */
export const createPhotoRefusal = (error: UnusablePhoto, names: string) =>
  ({
    'not-a-photo': () => new Refusal('invalid-file-type', { names }),
    damaged: () => new Refusal('photo-damaged', { names }),
    'too-many-pixels': () => new Refusal('photo-too-many-pixels', { names }),
    'side-too-long': () => new Refusal('photo-side-too-long', { names }),
    'too-much-colour': () => new Refusal('photo-too-much-colour', { names }),
    'too-slow': () => new Refusal('photo-too-slow', { names }),
  })[error.reason]();

/**
 * The last part of a path, without control characters and characters that reverse the text direction. At most 255
 * characters; `photo` if nothing is left.
 */
export const sanitizedFileName = (name: string) =>
  name
    .split(/[/\\]/)
    .at(-1)!
    // oxlint-disable-next-line no-control-regex -- these are the characters to remove
    .replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
    .slice(0, 255)
    // The cut may leave half of a surrogate pair, which is not valid text.
    .replace(/[\ud800-\udbff]$/, '') || 'photo';

/**
 * Reads the file through one small buffer. A stream would allocate a new buffer for each chunk, and memory outside of
 * V8's heap triggers garbage collection.
 */
export async function hashSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(256 * 1024);
  await using file = await open(path);
  for (let length; (length = (await file.read(buffer)).bytesRead) > 0;) hash.update(buffer.subarray(0, length));
  return hash.digest('hex');
}
