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
import { UnusablePhoto, type Imaging } from '../ports/imaging.ts';
import type { Storage } from '../ports/storage.ts';
import { newId } from '../columns.ts';
import { storeAndName, type NamedFiles } from '../files/files.ts';
import { holdOrderOf } from '../orders/orders.ts';
import {
  claimFirstPlace,
  freePlace,
  holdFrame,
  holdFrames,
  refuseIfAllClosed,
  refuseIfLocked,
  type Frame,
} from '../frames/frames.ts';
import { refuseOverwriting } from '../notes.ts';
import { preparedAmong } from '../prepared.ts';
import { uploads, type Upload } from './photos.sql.ts';
import { developInTurn } from './slow-photos.ts';

export type { Upload } from './photos.sql.ts';

/** Where a photo's copies are shown; who may see them is decided there. */
export const photoUrl = (upload: Pick<Upload, 'fileName'>) => `/uploads/${upload.fileName}`;
export const thumbnailUrl = (upload: Pick<Upload, 'fileName'>) => `/uploads/${thumbnailNameOf(upload.fileName)}`;
const thumbnailNameOf = (fileName: string) => fileName.replace(/\.jpg$/, '-thumbnail.webp');

export interface ReceivedFile {
  /** On local disk, complete; removed by whoever received it. */
  path: string;
  /** The customer's name for it: a label, never a path. */
  name: string;
  sizeBytes: number;
}
export interface PhotoScope {
  db: Db;
  clock: Clock;
  imaging: Imaging;
  storage: Storage;
  /** A folder for work on local disk. */
  workFolder: string;
}

/** Where a photo stood when several were chosen together: they come in any order, and are shown in this one. */
export interface Chosen {
  /** Unguessable, of whoever chose: no photo is put among a stranger's. */
  selection: string;
  place: number;
}

/** Where a photo goes, and by whom. */
export interface PhotoPlace {
  /** The first of them that has room takes it. */
  frames: readonly Frame[];
  /** Whose keys are told apart: one sender's key is one photo. */
  keysOf: string;
  /** Of one sender's photos one is decoded at a time: a customer's id, or that of a link many share. */
  sender: string;
  /** Whether it may still come, asked where its place is claimed. */
  admit?: (tx: Db) => Promise<void>;
  /** Who brought it; the customer has to accept it then. */
  contributorId?: string;
  /** The same no for somebody who is not its customer. */
  kindly?: (error: Refusal) => Refusal;
}

/** A frame that its own customer fills. */
export const ownPlace = (frame: Frame, customerId: string): PhotoPlace => ({
  frames: [frame],
  keysOf: frame.id,
  sender: customerId,
  admit: async (tx) => {
    // Shared: it does not change hands, and nobody's account ends, while their photo takes its place.
    if ((await holdOrderOf(tx, frame.orderId)) !== customerId) throw new Refusal('not-found');
  },
});

/** Say a refusal as whoever sends the photo shall hear it. */
export const saidKindly = <T>({ kindly }: PhotoPlace, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw kindly && error instanceof Refusal ? kindly(error) : error;
  });

/**
 * Add a photo to the first open frame. Files first, then the row that names them, in one guarded step: of two uploads for the
 * last place one is refused, and a refused photo leaves nothing behind and uses no place.
 *
 * @param key however often a photo is sent under one key, because an answer was lost, it is taken once
 */
export const addPhotoTo = (
  scope: PhotoScope,
  place: PhotoPlace,
  file: ReceivedFile,
  key?: string,
  chosen?: Chosen,
): Promise<Upload> => saidKindly(place, addInPlace(scope, place, file, key, chosen));

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
    // Twins wait for each other, and those who hold several for no one who holds another of them.
    await holdFrames(
      tx,
      frames.map((it) => it.id),
    );
    const twin = await photoById(tx, id);
    if (twin) return twin;
    const { id: frameId, orderId } = await claimFirstPlace(tx, frames);
    const brought = contributorId !== undefined && { contributorId, waitingSince: clock.now() };
    const among = chosen && (await placeAmong(tx, frameId, chosen, photo.uploadedAt));
    return insertPhoto(tx, { ...photo, id, frameId, orderId, ...brought, ...among });
  });
}

/** The frame is held: of the photos of a selection the first to come says where all of them stand. */
async function placeAmong(tx: Db, frameId: string, { selection, place }: Chosen, uploadedAt: Date) {
  const [other] = await tx
    .select({ selectionAt: uploads.selectionAt })
    .from(uploads)
    .where(and(eq(uploads.frameId, frameId), eq(uploads.selection, selection)))
    .limit(1);
  return { selection, selectionPlace: place, selectionAt: other?.selectionAt ?? uploadedAt };
}

/**
 * Put another photo in the place of one that is locked: it takes over its order among the others and its words. `swap`
 * follows up in the same transaction, before the one that was there goes.
 */
export async function replacePhoto(
  scope: PhotoScope,
  before: Upload,
  file: ReceivedFile,
  sender: string,
  swap: (tx: Db, photo: Upload) => Promise<void>,
): Promise<Upload> {
  const photo = await keepPhoto(scope, file, sender, async (tx, kept) => {
    await holdFrame(tx, before.frameId);
    // Words may have been written while the other was developed.
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
    return inserted;
  });
  await forgetFiles(scope.storage, before);
  return photo;
}

type NewPhoto = typeof uploads.$inferInsert;
async function insertPhoto(tx: Db, row: NewPhoto): Promise<Upload> {
  const [inserted] = await tx.insert(uploads).values(row).returning();
  return inserted!;
}

/** Develop a photo and store its files; then `name` them by a row. */
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
 * Delete a photo of an open frame: the row first, because a file without a row is swept and a row without a file breaks.
 *
 * @param isLocked whether it was finalized before its frame was opened for more, asked while the frame is held
 * @param admit whether it may be deleted at all, asked before
 */
export async function deletePhoto(
  { db, storage }: Pick<PhotoScope, 'db' | 'storage'>,
  upload: Upload,
  isLocked: (tx: Db) => Promise<boolean>,
  admit?: (tx: Db) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await admit?.(tx);
    // The frame before its photo, as finalizing does: the other way round the two would wait for each other.
    await holdFrame(tx, upload.frameId);
    if (await isLocked(tx)) throw new Refusal('frame-finalized');
    const deleted = await tx.delete(uploads).where(eq(uploads.id, upload.id)).returning({ id: uploads.id });
    if (deleted.length === 0) throw new Refusal('not-found');
    await freePlace(tx, upload.frameId);
  });
  await forgetFiles(storage, upload);
}

const forgetFiles = (storage: Storage, { originalKey, displayKey, thumbnailKey }: Upload) =>
  Promise.allSettled([originalKey, displayKey, thumbnailKey].map((key) => storage.delete(key)));

/**
 * What its customer says of a photo that is not locked; what is left out stays. A film is titled while there is a caption
 * to write; to want one without is refused.
 */
export async function describePhoto(
  db: Db,
  { id, frameId }: Upload,
  { caption, isTitled, focus, moves }: PhotoForm,
  isLocked: (tx: Db) => Promise<boolean>,
): Promise<Upload> {
  return db.transaction(async (tx) => {
    refuseIfLocked(await holdFrame(tx, frameId));
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
        ...(moves !== undefined && { moves }),
      })
      .where(eq(uploads.id, id))
      .returning();
    return described!;
  });
}

/**
 * Put an open frame's photos in order, after those that are locked, which keep their places. Refuses what is locked,
 * another frame's, or gone.
 *
 * @param lockedAmong those that were finalized before their frame was opened for more, asked while the frame is held
 */
export async function orderPhotos(
  db: Db,
  frameId: string,
  ids: string[],
  lockedAmong: (tx: Db, ids: string[]) => Promise<Pick<ReadonlySet<string>, 'has'>>,
): Promise<void> {
  await db.transaction(async (tx) => {
    refuseIfLocked(await holdFrame(tx, frameId));
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

/** Take all photos of a frame whose row is held out of the shop. Their files are the caller's to delete, once this is committed. */
export const removePhotos = (tx: Db, frameId: string): Promise<Upload[]> =>
  tx.delete(uploads).where(eq(uploads.frameId, frameId)).returning();
export const filesOfPhoto = (it: Upload): string[] => [it.originalKey, it.displayKey, it.thumbnailKey];

export async function photoById(db: Db, id: string): Promise<Upload | undefined> {
  const [upload] = await db.select().from(uploads).where(eq(uploads.id, id));
  return upload;
}
/** The stored copy that /uploads/{fileName} names, display or thumbnail, if `isAllowed` lets its order's be seen. */
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

/** Make photos that others brought the customer's own. Refuses where the frame has none of them. */
export const acceptPhotos = (db: Db, frameId: string, ids: string[]): Promise<void> =>
  db.transaction(async (tx) => {
    refuseIfLocked(await holdFrame(tx, frameId));
    const accepted = await tx
      .update(uploads)
      .set({ waitingSince: null })
      .where(and(eq(uploads.frameId, frameId), inArray(uploads.id, ids)))
      .returning({ id: uploads.id });
    if (accepted.length === 0) throw new Refusal('not-found');
  });

/** Photos of these frames that their customer has to accept first. */
export const countWaiting = (db: Db, frameIds: string[]): Promise<number> =>
  db.$count(uploads, and(inArray(uploads.frameId, frameIds), isNotNull(uploads.waitingSince)));

/** Those chosen together stand as they were chosen, where the first of them came. */
const asChosen = [
  asc(sql`coalesce(${uploads.selectionAt}, ${uploads.uploadedAt})`),
  asc(uploads.selection),
  asc(uploads.selectionPlace),
  asc(uploads.uploadedAt),
  asc(uploads.id),
];

/** Oldest first, those chosen together as they were chosen. */
export const photosOfContributors = (db: Db, contributorIds: string[]): Promise<Upload[]> =>
  db
    .select()
    .from(uploads)
    .where(inArray(uploads.contributorId, contributorIds))
    .orderBy(...asChosen);

/** What people wrote about a picture; nothing at all takes it away. False where the picture is gone. */
export async function captionPhoto(db: Db, id: string, caption: string): Promise<boolean> {
  const captioned = await db
    .update(uploads)
    .set({ caption: caption === '' ? null : caption })
    .where(eq(uploads.id, id))
    .returning({ id: uploads.id });
  return captioned.length > 0;
}

/** The owner's word on whether its film is titled; refused where there is nothing to write. */
export async function titleFilm(tx: Db, id: string, isTitled: boolean): Promise<void> {
  const photo = await photoById(tx, id);
  if (isTitled && filmTitle(photo?.caption ?? null) === undefined) throw new Refusal('nothing-to-write');
  await tx.update(uploads).set({ isTitled }).where(eq(uploads.id, id));
}

export interface NotesChange {
  adminNotes: string;
  /** What they were when somebody began to edit them. */
  adminNotesBefore?: string | undefined;
}

/** What the owner notes of a photo; `before` is held until the transaction ends. */
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

/** Nobody else changes it until the transaction ends. Refuses one that is gone. */
async function holdPhoto(tx: Db, id: string): Promise<Upload> {
  const [held] = await tx.select().from(uploads).where(eq(uploads.id, id)).for('update');
  if (!held) throw new Refusal('not-found');
  return held;
}

/** In the order their customer gave them, else as they were chosen. */
export const photosOfFrames = preparedAmong(uploads.frameId, (db, isAmong) =>
  db
    .select()
    .from(uploads)
    .where(isAmong)
    .orderBy(asc(uploads.position), ...asChosen),
);

/** What lists show of photos. */
export const labelsOfPhotos = preparedAmong(uploads.id, (db, isAmong) => {
  const { id, fileName, originalFileName, caption, isTitled } = uploads;
  return db.select({ id, fileName, originalFileName, caption, isTitled }).from(uploads).where(isAmong);
});

export const photosByIds = preparedAmong(uploads.id, (db, isAmong) => db.select().from(uploads).where(isAmong));

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

/** What is said of a picture that cannot be taken, by its shown name. */
export const refusalOf = (error: UnusablePhoto, names: string) =>
  ({
    'not-a-photo': () => new Refusal('invalid-file-type', { names }),
    damaged: () => new Refusal('photo-damaged', { names }),
    'too-many-pixels': () => new Refusal('photo-too-many-pixels', { names }),
    'side-too-long': () => new Refusal('photo-side-too-long', { names }),
    'too-much-colour': () => new Refusal('photo-too-much-colour', { names }),
    'too-slow': () => new Refusal('photo-too-slow', { names }),
  })[error.reason]();

/** The last part of a path, without what could break a line or turn it round, at most 255 characters. */
export const shownName = (name: string) =>
  name
    .split(/[/\\]/)
    .at(-1)!
    // oxlint-disable-next-line no-control-regex -- these are the characters to remove
    .replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
    .slice(0, 255)
    // Half a letter that the cut may have left is no text.
    .replace(/[\ud800-\udbff]$/, '') || 'photo';

/** Through one small buffer: a stream makes a new one for each piece, and what lies outside V8's heap makes it clear up. */
async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(256 * 1024);
  await using file = await open(path);
  for (let length; (length = (await file.read(buffer)).bytesRead) > 0;) hash.update(buffer.subarray(0, length));
  return hash.digest('hex');
}
