import { createHash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { and, asc, eq, gte, inArray, isNotNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { filmTitle } from '#contract/film-title.ts';
import { limits } from '#contract/limits.ts';
import type { PhotoForm } from '#contract/photo-forms.ts';
import { photoTypes } from '#contract/photo-types.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { UnusablePhoto, type Imaging } from '../ports/imaging.ts';
import type { Storage } from '../ports/storage.ts';
import { newId } from '../columns.ts';
import { deleteFiles, storeAndName, takeDiscarded, trashed, type NamedFiles } from '../files/files.ts';
import { lockOrderOf } from '../orders/orders.ts';
import {
  claimFirstPlace,
  freePlace,
  lockFrame,
  lockFrames,
  refuseIfAllClosed,
  refuseIfLocked,
  type Frame,
} from '../frames/frames.ts';
import { refuseOverwriting } from '../notes.ts';
import { rowsAmong } from '../rows-among.ts';
import { uploads, type Upload } from './photos.sql.ts';
import { developInTurn } from './slow-photos.ts';

export type { Upload } from './photos.sql.ts';

/** The addresses of a photo's copies. The route behind them checks access. */
export const photoUrl = (upload: Pick<Upload, 'fileName'>) => `/uploads/${upload.fileName}`;
export const thumbnailUrl = (upload: Pick<Upload, 'fileName'>) => `/uploads/${thumbnailNameOf(upload.fileName)}`;
const thumbnailNameOf = (fileName: string) => fileName.replace(/\.jpg$/, '-thumbnail.webp');

export interface ReceivedFile {
  /** A complete file on local disk. The code that received it removes it. */
  path: string;
  /** The name of the file on the sender's device: a label, never a path. */
  name: string;
  sizeBytes: number;
}
export interface PhotoScope {
  db: Db;
  clock: Clock;
  imaging: Imaging;
  storage: Storage;
  /** A folder on local disk for temporary files. */
  workFolder: string;
  jobs: Jobs;
  /** Whether photos get previews of their videos. */
  hasPreviews: boolean;
}

/** The storage folder of previews. */
export const previewFolder = 'previews/';

/** Enqueues the job that makes an order's missing previews, in the caller's transaction. At most one such job waits. */
export async function queuePreviews(
  tx: Db,
  { jobs, hasPreviews }: Pick<PhotoScope, 'jobs' | 'hasPreviews'>,
  orderId: string,
  options: { afterSeconds?: number } = {},
): Promise<void> {
  if (hasPreviews) await jobs.enqueue(tx, 'make-preview', { orderId }, { key: orderId, ...options });
}

/**
 * A photo's position in a selection of several files. The files may arrive in any order. The photos are shown in the
 * order in which they were chosen.
 */
export interface Chosen {
  /** An unguessable id that the sender generates, so that no photo can get into another person's selection. */
  selection: string;
  place: number;
}

/** The frames for a new photo, and its sender. */
export interface PhotoPlace {
  /** The photo goes to the first of these frames that has room. */
  frames: readonly Frame[];
  /** The namespace of photo keys: the same key in the same namespace means the same photo. */
  keysOf: string;
  /** The id of a customer, or of a link that many people share. Photos of one sender are decoded one at a time. */
  sender: string;
  /** Called in the transaction that takes a place in the frame. Throws if the photo may no longer be added. */
  admit?: (tx: Db) => Promise<void>;
  /** The contributor who sent the photo. The customer must then accept it. */
  contributorId?: string;
  /** Replaces a refusal with one whose text suits this sender. Only set if the sender is not the frame's customer. */
  reword?: (error: Refusal) => Refusal;
}

/** The place for a photo that the frame's customer adds. */
export const ownPlace = (frame: Frame, customerId: string): PhotoPlace => ({
  frames: [frame],
  keysOf: frame.id,
  sender: customerId,
  admit: async (tx) => {
    // The share lock prevents two changes while the photo is added: the order stays with its customer, and the account
    // is not deleted.
    if ((await lockOrderOf(tx, frame.orderId)) !== customerId) throw new Refusal('not-found');
  },
});

/** Runs `work`. If it throws a refusal, throws the result of `reword` instead. */
export async function rewordRefusals<T>({ reword }: PhotoPlace, work: () => Promise<T>): Promise<T> {
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
  place: PhotoPlace,
  file: ReceivedFile,
  key?: string,
  chosen?: Chosen,
): Promise<Upload> => rewordRefusals(place, () => addInPlace(scope, place, file, key, chosen));

async function addInPlace(
  scope: PhotoScope,
  { frames, keysOf, sender, admit, contributorId }: PhotoPlace,
  file: ReceivedFile,
  key: string = newId(),
  chosen?: Chosen,
): Promise<Upload> {
  const { db, clock } = scope;
  const id = createHash('sha256').update(`${keysOf}:${key}`).digest('base64url');
  const arrivedBefore = await photoById(db, id);
  if (arrivedBefore) return arrivedBefore;
  refuseIfAllClosed(frames);
  return keepPhoto(scope, file, sender, async (tx, photo) => {
    await admit?.(tx);
    // Lock all candidate frames in one sequence. Two uploads of the same photo then run one after the other, and two
    // transactions that lock several frames cannot deadlock.
    await lockFrames(
      tx,
      frames.map((it) => it.id),
    );
    const twin = await photoById(tx, id);
    if (twin) return twin;
    const { id: frameId, orderId } = await claimFirstPlace(tx, frames);
    const brought = contributorId !== undefined && { contributorId, waitingSince: clock.now() };
    const among = chosen && (await placeAmong(tx, frameId, chosen, photo.uploadedAt));
    const inserted = await insertPhoto(tx, { ...photo, id, frameId, orderId, ...brought, ...among });
    await queuePreviews(tx, scope, orderId);
    return inserted;
  });
}

/**
 * The caller has locked the frame. The first photo of a selection to arrive decides where the whole selection is shown.
 */
async function placeAmong(tx: Db, frameId: string, { selection, place }: Chosen, uploadedAt: Date) {
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
  let previews: string[] = [];
  const photo = await keepPhoto(scope, file, sender, async (tx, kept) => {
    await lockFrame(tx, before.frameId);
    // The caption may have been changed while the new photo was decoded.
    const asItIs = await holdPhoto(tx, before.id);
    const { frameId, orderId, uploadedAt, position, caption, isTitled } = asItIs;
    const { selection, selectionPlace, selectionAt } = asItIs;
    const inserted = await insertPhoto(tx, {
      ...kept,
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
    await swap(tx, inserted);
    await tx.delete(uploads).where(eq(uploads.id, before.id));
    previews = await takeDiscarded(tx, before.frameId, previewFolder);
    return inserted;
  });
  await deleteFiles(scope.storage, [...filesOfPhoto(before), ...withTrashed(previews)]);
  return photo;
}

type NewPhoto = typeof uploads.$inferInsert;
async function insertPhoto(tx: Db, row: NewPhoto): Promise<Upload> {
  const [inserted] = await tx.insert(uploads).values(row).returning();
  return inserted!;
}

/** Decodes a photo, writes its copies and stores the files. Then `name` writes the row that names the files. */
async function keepPhoto(
  scope: PhotoScope,
  file: ReceivedFile,
  sender: string,
  name: (tx: Db, photo: Omit<NewPhoto, 'id' | 'frameId' | 'orderId'>) => Promise<Upload>,
): Promise<Upload> {
  const { db, clock, imaging, storage, workFolder } = scope;
  const names = shownName(file.name);
  const mime = await imaging.sniff(file.path);
  if (!mime) throw new Refusal('invalid-file-type', { names });
  const work = await mkdtemp(join(workFolder, 'photo-'));
  try {
    const photo = await developInTurn(scope, sender, file.path, work).catch((error: unknown) => {
      throw error instanceof UnusablePhoto ? refusalOf(error, names) : error;
    });
    if (Math.min(photo.width, photo.height) < limits.photoLeastPixels) throw new Refusal('photo-too-small', { names });
    const sha256 = await sha256Of(file.path);
    const stored = newId();
    const originalKey = `originals/${stored}.${photoTypes[mime][0]}`;
    const displayKey = `display/${stored}.jpg`;
    const thumbnailKey = `thumbnails/${stored}.webp`;
    const files = [
      { key: originalKey, path: file.path, contentType: mime },
      { key: displayKey, path: photo.displayPath, contentType: 'image/jpeg' },
      { key: thumbnailKey, path: photo.thumbnailPath, contentType: 'image/webp' },
    ];
    const row = {
      fileName: `${stored}.jpg`,
      originalFileName: names,
      mimeType: mime,
      fileSize: file.sizeBytes,
      sha256,
      width: photo.width,
      height: photo.height,
      originalKey,
      displayKey,
      thumbnailKey,
      uploadedAt: clock.now(),
    };
    const nameIn = () => db.transaction((tx) => name(tx, row));
    return await storeAndName(storage, files, nameIn, { isNamed: (upload) => upload.originalKey === originalKey });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Deletes a photo of an open frame. The row is deleted first: the sweep removes a file without a row, but a row without
 * a file is an error.
 *
 * @param isLocked whether it was finalized before its frame was reopened; called while the frame is locked
 * @param admit throws if the photo may not be deleted at all; called first
 */
export async function deletePhoto(
  { db, storage }: Pick<PhotoScope, 'db' | 'storage'>,
  upload: Upload,
  isLocked: (tx: Db) => Promise<boolean>,
  admit?: (tx: Db) => Promise<void>,
): Promise<void> {
  const previews = await db.transaction(async (tx) => {
    await admit?.(tx);
    // Lock the frame before its photo, as finalizing does. The opposite sequence could deadlock.
    await lockFrame(tx, upload.frameId);
    if (await isLocked(tx)) throw new Refusal('frame-finalized');
    const deleted = await tx.delete(uploads).where(eq(uploads.id, upload.id)).returning({ id: uploads.id });
    if (deleted.length === 0) throw new Refusal('not-found');
    await freePlace(tx, upload.frameId);
    return takeDiscarded(tx, upload.frameId, previewFolder);
  });
  await deleteFiles(storage, [...filesOfPhoto(upload), ...withTrashed(previews)]);
}

/** Adds the keys in the trash, because discarded files may already be there. */
const withTrashed = (keys: string[]) => [...keys, ...keys.map(trashed)];

/**
 * Changes a customer's settings for a photo that is not locked. Missing fields stay as they are. A title on the video
 * needs a caption that can be written. Without such a caption, a title is refused.
 */
export async function describePhoto(
  scope: Pick<PhotoScope, 'db' | 'jobs' | 'hasPreviews'>,
  { id, frameId }: Upload,
  { caption, isTitled, focus, moves, style }: PhotoForm,
  isLocked: (tx: Db) => Promise<boolean>,
): Promise<Upload> {
  return scope.db.transaction(async (tx) => {
    refuseIfLocked(await lockFrame(tx, frameId));
    if (await isLocked(tx)) throw new Refusal('frame-finalized');
    const before = await photoById(tx, id);
    if (!before) throw new Refusal('not-found');
    const words = caption === undefined ? before.caption : caption || null;
    const isWritable = filmTitle(words) !== undefined;
    if (isTitled && !isWritable) throw new Refusal('nothing-to-write');
    const [described] = await tx
      .update(uploads)
      .set({
        caption: words,
        isTitled: isWritable && (isTitled ?? before.isTitled),
        ...(focus !== undefined && { focusX: focus?.x ?? null, focusY: focus?.y ?? null }),
        ...reconciled(before, { moves, style }),
      })
      .where(eq(uploads.id, id))
      .returning();
    await queuePreviews(tx, scope, described!.orderId);
    return described!;
  });
}

/**
 * The style `alive` moves people, so it contradicts a photo whose people must stay still. The later of the two settings
 * wins. If one request contains both, people stay still.
 */
function reconciled(
  before: Pick<Upload, 'moves' | 'chosenStyle'>,
  said: Pick<PhotoForm, 'moves' | 'style'>,
): Pick<Upload, 'moves' | 'chosenStyle'> {
  const { moves = before.moves, style = before.chosenStyle } = said;
  if (moves?.living !== false || style !== 'alive') return { moves, chosenStyle: style };
  return said.moves === undefined
    ? { moves: { ...moves, living: null }, chosenStyle: style }
    : { moves, chosenStyle: null };
}

/**
 * Sets the order of the photos of an open frame. The locked photos keep their positions before them. Refuses ids of
 * photos that are locked, deleted or in another frame.
 *
 * @param lockedAmong returns those that were finalized before their frame was reopened; called while the frame is
 * locked
 */
export async function orderPhotos(
  db: Db,
  frameId: string,
  ids: string[],
  lockedAmong: (tx: Db, ids: string[]) => Promise<Pick<ReadonlySet<string>, 'has'>>,
): Promise<void> {
  await db.transaction(async (tx) => {
    refuseIfLocked(await lockFrame(tx, frameId));
    const own = (await photosOfFrames(tx, [frameId])).map((it) => it.id);
    const known = new Set(own);
    if (!ids.every((id) => known.has(id))) throw new Refusal('not-found');
    const locked = await lockedAmong(tx, own);
    if (ids.some((id) => locked.has(id))) throw new Refusal('frame-finalized');
    const order = [...own.filter((id) => locked.has(id)), ...ids];
    await tx.update(uploads).set({ position: null }).where(eq(uploads.frameId, frameId));
    await tx.execute(sql`
      update ${uploads} set position = wished.place - 1
      from jsonb_array_elements_text(${JSON.stringify(order)}::jsonb) with ordinality as wished(id, place)
      where ${uploads.id} = wished.id and ${uploads.frameId} = ${frameId}`);
  });
}

/** Deletes all photos of a frame. The caller has locked the frame's row, and deletes the files after the commit. */
export const removePhotos = (tx: Db, frameId: string): Promise<Upload[]> =>
  tx.delete(uploads).where(eq(uploads.frameId, frameId)).returning();
export const filesOfPhoto = (it: Upload): string[] => [it.originalKey, it.displayKey, it.thumbnailKey];

export async function photoById(db: Db, id: string): Promise<Upload | undefined> {
  const [upload] = await db.select().from(uploads).where(eq(uploads.id, id));
  return upload;
}
/** Returns the stored copy that /uploads/{fileName} names, display or thumbnail, if `isAllowed` permits its order. */
export async function photoByFileName(
  db: Db,
  fileName: string,
  isAllowed: (photo: { orderId: SQLWrapper; contributorId: SQLWrapper }) => SQL,
): Promise<{ key: string; contentType: string } | undefined> {
  const isThumbnail = fileName.endsWith('-thumbnail.webp');
  const wanted = isThumbnail ? fileName.replace(/-thumbnail\.webp$/, '.jpg') : fileName;
  const [upload] = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.fileName, wanted), isAllowed(uploads)));
  if (!upload) return undefined;
  return isThumbnail
    ? { key: upload.thumbnailKey, contentType: 'image/webp' }
    : { key: upload.displayKey, contentType: 'image/jpeg' };
}

/** Whether `isAllowed` permits the order of a photo. */
export const maySeePhoto = async (db: Db, id: string, isAllowed: (orderId: SQLWrapper) => SQL): Promise<boolean> =>
  (await db.$count(uploads, and(eq(uploads.id, id), isAllowed(uploads.orderId)))) > 0;

/**
 * Accepts photos from contributors, so that they are the customer's own. Refuses if none of these ids is in the frame.
 */
export const acceptPhotos = (
  scope: Pick<PhotoScope, 'db' | 'jobs' | 'hasPreviews'>,
  frameId: string,
  ids: string[],
): Promise<void> =>
  scope.db.transaction(async (tx) => {
    const frame = await lockFrame(tx, frameId);
    refuseIfLocked(frame);
    const accepted = await tx
      .update(uploads)
      .set({ waitingSince: null })
      .where(and(eq(uploads.frameId, frameId), inArray(uploads.id, ids)))
      .returning({ id: uploads.id });
    if (accepted.length === 0) throw new Refusal('not-found');
    await queuePreviews(tx, scope, frame.orderId);
  });

/** The number of photos in these frames that wait for their customer to accept them. */
export const countWaiting = (db: Db, frameIds: string[]): Promise<number> =>
  db.$count(uploads, and(inArray(uploads.frameId, frameIds), isNotNull(uploads.waitingSince)));

/** Photos of one selection are shown in their chosen order, at the position of the first one to arrive. */
const asChosen = [
  asc(sql`coalesce(${uploads.selectionAt}, ${uploads.uploadedAt})`),
  asc(uploads.selection),
  asc(uploads.selectionPlace),
  asc(uploads.uploadedAt),
  asc(uploads.id),
];

/** Photos of these contributors, oldest first. Photos of one selection are in their chosen order. */
export const photosOfContributors = (db: Db, contributorIds: string[]): Promise<Upload[]> =>
  db
    .select()
    .from(uploads)
    .where(inArray(uploads.contributorId, contributorIds))
    .orderBy(...asChosen);

/** Sets the caption of a photo; an empty text removes it. Returns false if the photo does not exist. */
export async function captionPhoto(db: Db, id: string, caption: string): Promise<boolean> {
  const captioned = await db
    .update(uploads)
    .set({ caption: caption === '' ? null : caption })
    .where(eq(uploads.id, id))
    .returning({ id: uploads.id });
  return captioned.length > 0;
}

/**
 * Sets for the owner whether the caption is written on a photo's video. Refuses a title if there is no caption that can
 * be written.
 */
export async function titleFilm(tx: Db, id: string, isTitled: boolean): Promise<void> {
  const photo = await photoById(tx, id);
  if (isTitled && filmTitle(photo?.caption ?? null) === undefined) throw new Refusal('nothing-to-write');
  await tx.update(uploads).set({ isTitled }).where(eq(uploads.id, id));
}

export interface NotesChange {
  adminNotes: string;
  /** The notes when the owner began to edit them. */
  adminNotesBefore?: string | undefined;
}

/** Changes the owner's notes about a photo. `before` is locked until the transaction ends. */
export async function changeNotes(
  tx: Db,
  id: string,
  { adminNotes, adminNotesBefore }: NotesChange,
): Promise<{ before: Upload; after: Upload }> {
  const before = await holdPhoto(tx, id);
  refuseOverwriting(before.adminNotes, adminNotes, adminNotesBefore);
  await tx.update(uploads).set({ adminNotes }).where(eq(uploads.id, id));
  return { before, after: { ...before, adminNotes } };
}

/** Locks a photo's row until the transaction ends. Returns undefined if the photo is deleted. */
export async function lockPhoto(tx: Db, id: string): Promise<Upload | undefined> {
  const [locked] = await tx.select().from(uploads).where(eq(uploads.id, id)).for('update');
  return locked;
}
/** Locks a photo's row until the transaction ends. Throws `not-found` if the photo is deleted. */
async function holdPhoto(tx: Db, id: string): Promise<Upload> {
  const held = await lockPhoto(tx, id);
  if (!held) throw new Refusal('not-found');
  return held;
}

/**
 * Photos of these frames, in the order that the customer set. Photos without a position follow in the order in which
 * they were chosen.
 */
export const photosOfFrames = rowsAmong(uploads.frameId, (db, isAmong) =>
  db
    .select()
    .from(uploads)
    .where(isAmong)
    .orderBy(asc(uploads.position), ...asChosen),
);

/** The fields of photos that lists show. */
export const labelsOfPhotos = rowsAmong(uploads.id, (db, isAmong) => {
  const { id, fileName, originalFileName, caption, isTitled } = uploads;
  return db.select({ id, fileName, originalFileName, caption, isTitled }).from(uploads).where(isAmong);
});

export const photosByIds = rowsAmong(uploads.id, (db, isAmong) => db.select().from(uploads).where(isAmong));

export const photoFiles: NamedFiles = {
  folders: ['originals/', 'display/', 'thumbnails/'],
  async among(db, keys) {
    const rows = await db
      .select(storedKeys)
      .from(uploads)
      .where(
        or(inArray(uploads.originalKey, keys), inArray(uploads.displayKey, keys), inArray(uploads.thumbnailKey, keys)),
      );
    return new Set(rows.flatMap((it) => Object.values(it)));
  },
  async from(db, name, limit) {
    const rows = await db
      .select(storedKeys)
      .from(uploads)
      .where(gte(uploads.displayKey, `display/${name}`))
      .orderBy(asc(uploads.displayKey))
      .limit(limit);
    return rows.flatMap((it) => Object.values(it));
  },
  every: sql`select unnest(array[${uploads.originalKey}, ${uploads.displayKey}, ${uploads.thumbnailKey}]) as key from ${uploads}`,
};
const storedKeys = { original: uploads.originalKey, display: uploads.displayKey, thumbnail: uploads.thumbnailKey };

/** The refusal for a picture that cannot be used. It contains the name of the file. */
export const refusalOf = (error: UnusablePhoto, names: string) =>
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
export const shownName = (name: string) =>
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
async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(256 * 1024);
  await using file = await open(path);
  for (let length; (length = (await file.read(buffer)).bytesRead) > 0;) hash.update(buffer.subarray(0, length));
  return hash.digest('hex');
}
