import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { photoTypes } from '#contract/photos.ts';
import { Refusal } from '#contract/refusals.ts';
import { UnusablePhoto, type Clock, type Db, type Imaging, type Storage } from '../ports.ts';
import { newId } from '../columns.ts';
import { claimPlace, freePlace, holdFrame, refuseIfClosed, type Frame } from '../frames/frames.ts';
import { uploads, type Upload } from './photos.sql.ts';

export type { Upload } from './photos.sql.ts';

/** Where a photo's copies are shown; who may see them is decided there. */
export const photoUrl = (upload: Upload) => `/uploads/${upload.fileName}`;
export const thumbnailUrl = (upload: Upload) => `/uploads/${thumbnailNameOf(upload.fileName)}`;
const thumbnailNameOf = (fileName: string) => fileName.replace(/\.jpg$/, '-thumbnail.webp');

export interface ReceivedFile {
  /** On local disk, complete; removed by whoever received it. */
  path: string;
  /** The customer's name for it: a label, never a path. */
  name: string;
  sizeBytes: number;
}
interface PhotoScope {
  db: Db;
  clock: Clock;
  imaging: Imaging;
  storage: Storage;
  /** A folder for work on local disk. */
  workFolder: string;
}

/**
 * Add a photo to an open frame. Files first, then the row that names them, in one guarded step: of two uploads for the
 * last place one is refused, and a refused photo leaves nothing behind and uses no place.
 *
 * @param key however often this frame is sent a photo under one key, because an answer was lost, it takes it once
 */
export async function addPhoto(
  scope: PhotoScope,
  frame: Frame,
  file: ReceivedFile,
  key: string = newId(),
): Promise<Upload> {
  const { db, clock, imaging, storage, workFolder } = scope;
  const id = createHash('sha256').update(`${frame.id}:${key}`).digest('base64url');
  const arrivedBefore = await photoById(db, id);
  if (arrivedBefore) return arrivedBefore;
  refuseIfClosed(frame);
  const names = shownName(file.name);
  const mime = await imaging.sniff(file.path);
  if (!mime) throw new Refusal('invalid-file-type', { names });
  const work = await mkdtemp(join(workFolder, 'photo-'));
  const keys: string[] = [];
  const put = async (name: string, path: string, contentType: string) => {
    keys.push(name);
    await storage.putFile(name, path, contentType);
  };
  /** Nothing names these files; what cannot be removed now is swept later. */
  const forget = () => Promise.allSettled(keys.map((name) => storage.delete(name)));
  try {
    const photo = await imaging.develop(file.path, work).catch((error: unknown) => {
      throw error instanceof UnusablePhoto ? wordsFor(error, names) : error;
    });
    const sha256 = await sha256Of(file.path);
    const stored = newId();
    const originalKey = `originals/${stored}.${photoTypes[mime][0]}`;
    const displayKey = `display/${stored}.jpg`;
    const thumbnailKey = `thumbnails/${stored}.webp`;
    await put(originalKey, file.path, mime);
    await put(displayKey, photo.displayPath, 'image/jpeg');
    await put(thumbnailKey, photo.thumbnailPath, 'image/webp');
    const upload = await db.transaction(async (tx) => {
      await holdFrame(tx, frame.id);
      const twin = await photoById(tx, id);
      if (twin) return twin;
      const { orderId } = await claimPlace(tx, frame.id);
      const row = {
        id,
        frameId: frame.id,
        orderId,
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
      const [inserted] = await tx.insert(uploads).values(row).returning();
      return inserted!;
    });
    if (upload.originalKey !== originalKey) await forget();
    return upload;
  } catch (error) {
    await forget();
    throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Delete a photo of an open frame: the row first, because a file without a row is swept and a row without a file breaks. */
export async function deletePhoto({ db, storage }: Pick<PhotoScope, 'db' | 'storage'>, upload: Upload): Promise<void> {
  await db.transaction(async (tx) => {
    // The frame before its photo, as finalizing does: the other way round the two would wait for each other.
    await holdFrame(tx, upload.frameId);
    const deleted = await tx.delete(uploads).where(eq(uploads.id, upload.id)).returning({ id: uploads.id });
    if (deleted.length === 0) throw new Refusal('not-found');
    await freePlace(tx, upload.frameId);
  });
  await Promise.allSettled(
    [upload.originalKey, upload.displayKey, upload.thumbnailKey].map((key) => storage.delete(key)),
  );
}

export async function photoById(db: Db, id: string): Promise<Upload | undefined> {
  const [upload] = await db.select().from(uploads).where(eq(uploads.id, id));
  return upload;
}
/** The photo that /uploads/{fileName} names, as display copy or thumbnail. */
export async function photoByFileName(
  db: Db,
  fileName: string,
): Promise<{ upload: Upload; key: string; contentType: string } | undefined> {
  const isThumbnail = fileName.endsWith('-thumbnail.webp');
  const wanted = isThumbnail ? fileName.replace(/-thumbnail\.webp$/, '.jpg') : fileName;
  const [upload] = await db.select().from(uploads).where(eq(uploads.fileName, wanted));
  if (!upload) return undefined;
  return isThumbnail
    ? { upload, key: upload.thumbnailKey, contentType: 'image/webp' }
    : { upload, key: upload.displayKey, contentType: 'image/jpeg' };
}

/** Oldest first, as they were added. */
export const photosOfFrames = (db: Db, frameIds: string[]): Promise<Upload[]> =>
  frameIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(uploads)
        .where(inArray(uploads.frameId, frameIds))
        .orderBy(asc(uploads.uploadedAt), asc(uploads.id));

export const photosByIds = (db: Db, ids: string[]): Promise<Upload[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.select().from(uploads).where(inArray(uploads.id, ids));

/** For the owner: newest first. */
export const listPhotos = (
  db: Db,
  { orderId, limit }: { orderId?: string | undefined; limit: number },
): Promise<Upload[]> =>
  db
    .select()
    .from(uploads)
    .where(and(orderId === undefined ? undefined : eq(uploads.orderId, orderId)))
    .orderBy(desc(uploads.uploadedAt), desc(uploads.id))
    .limit(limit);

export async function countPhotos(db: Db): Promise<number> {
  const [row] = await db.select({ count: sql<number>`count(*)`.mapWith(Number) }).from(uploads);
  return row!.count;
}

/** Which of these stored files a photo names. */
export async function photoKeysAmong(db: Db, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .select({ original: uploads.originalKey, display: uploads.displayKey, thumbnail: uploads.thumbnailKey })
    .from(uploads)
    .where(
      sql`${inArray(uploads.originalKey, keys)} or ${inArray(uploads.displayKey, keys)} or ${inArray(uploads.thumbnailKey, keys)}`,
    );
  return new Set(rows.flatMap((it) => [it.original, it.display, it.thumbnail]));
}

const wordsFor = (error: UnusablePhoto, names: string) =>
  ({
    'not-a-photo': () => new Refusal('invalid-file-type', { names }),
    damaged: () => new Refusal('photo-damaged', { names }),
    'too-slow': () => new Refusal('photo-damaged', { names }),
    'too-many-pixels': () => new Refusal('photo-too-many-pixels', { names }),
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

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
