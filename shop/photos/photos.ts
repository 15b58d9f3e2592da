import { and, asc, eq, gte, inArray, isNotNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { computeCroppedSize, isCropLargeEnough, type Crop } from '#contract/crop.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Imaging } from '../ports/imaging.ts';
import type { Storage } from '../ports/storage.ts';
import type { NamedFiles } from '../files/files.ts';
import { createQueryByValues } from '../rows-among.ts';
import { uploads, type Upload } from './photos.sql.ts';

export type { Upload } from './photos.sql.ts';

/** The addresses of a photo's copies. The route behind them checks access. */
export const photoUrl = (upload: Pick<Upload, 'fileName'>) => `/uploads/${upload.fileName}`;
export const thumbnailUrl = (upload: Pick<Upload, 'fileName'>) => `/uploads/${thumbnailNameOf(upload.fileName)}`;
export const uncroppedUrl = (upload: Pick<Upload, 'fileName' | 'wholeKey'>) =>
  upload.wholeKey === null ? photoUrl(upload) : `/uploads/${upload.fileName.replace(/\.jpg$/, uncroppedSuffix)}`;
const uncroppedSuffix = '-whole.jpg';
const thumbnailNameOf = (fileName: string) => fileName.replace(/\.jpg$/, '-thumbnail.webp');

export const toCrop = ({ quarterTurns, cropArea }: Pick<Upload, 'quarterTurns' | 'cropArea'>): Crop => ({
  quarterTurns,
  area: cropArea,
});
/** The size of the photo as it is shown, in pixels of the original. */
export const computeShownSize = (upload: Upload) => computeCroppedSize(upload, toCrop(upload));

export interface PhotoScope {
  db: Db;
  clock: Clock;
  imaging: Imaging;
  storage: Storage;
  /** A folder on local disk for temporary files. */
  workFolder: string;
  jobs: Jobs;
  /** Whether photos get previews of their videos now. Inside a transaction, give it the transaction. */
  hasPreviews: (db: Db) => Promise<boolean>;
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
  if (await hasPreviews(tx)) await jobs.enqueue(tx, 'make-preview', { orderId }, { key: orderId, ...options });
}

export const listFilesOfPhoto = (it: Upload): string[] => [it.originalKey, ...listCopiesOfPhoto(it)];
/** The files that are made again when the photo is turned or cropped. */
export const listCopiesOfPhoto = ({ displayKey, thumbnailKey, wholeKey }: Upload): string[] => [
  displayKey,
  thumbnailKey,
  ...(wholeKey === null ? [] : [wholeKey]),
];

/** The smallest part of a photo that water covers if the customer is asked about it. 0 to 1. */
const waterQuestionShare = 0.1;
/**
 * Whether to ask the customer if the photo shows water. Water is often detected wrongly, so only the customer decides.
 * In photos of people, the people move. Water motion would replace that, so the question is not shown.
 */
export const shouldAskAboutWater = ({
  seen,
  moves,
  chosenStyle,
}: Pick<Upload, 'seen' | 'moves' | 'chosenStyle'>): boolean =>
  moves === null &&
  chosenStyle === null &&
  (seen?.water?.part ?? 0) >= waterQuestionShare &&
  !seen?.faces.some((it) => it.isMain);

/**
 * The crop that removes the paper border of a photographed print, if the customer is to be asked about it. The question
 * is asked once, about a photo that is not cropped, and only if enough of the photo is left for a video.
 */
export function cropWithoutBorder(photo: Upload): Crop | null {
  const { seen, quarterTurns, cropArea, isBorderKept } = photo;
  if (!seen?.printArea || cropArea !== null || isBorderKept) return null;
  const crop = { quarterTurns, area: seen.printArea };
  return isCropLargeEnough(photo, crop) ? crop : null;
}

export async function findPhotoById(db: Db, id: string): Promise<Upload | undefined> {
  const [upload] = await db.select().from(uploads).where(eq(uploads.id, id));
  return upload;
}

/**
 * Returns the stored copy that /uploads/{fileName} names, display, thumbnail or whole photo, if `isAllowed` permits its
 * order.
 */
export async function findPhotoByFileName(
  db: Db,
  fileName: string,
  isAllowed: (photo: { orderId: SQLWrapper; contributorId: SQLWrapper }) => SQL,
): Promise<{ key: string; contentType: string } | undefined> {
  const isThumbnail = fileName.endsWith('-thumbnail.webp');
  const isUncroppedCopy = fileName.endsWith(uncroppedSuffix);
  const wantedFileName = fileName.replace(/-(thumbnail\.webp|whole\.jpg)$/, '.jpg');
  const [upload] = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.fileName, wantedFileName), isAllowed(uploads)));
  if (!upload) return undefined;
  if (isUncroppedCopy) return { key: upload.wholeKey ?? upload.displayKey, contentType: 'image/jpeg' };
  return isThumbnail
    ? { key: upload.thumbnailKey, contentType: 'image/webp' }
    : { key: upload.displayKey, contentType: 'image/jpeg' };
}

/** Whether `isAllowed` permits the order of a photo. */
export const maySeePhoto = async (db: Db, id: string, isAllowed: (orderId: SQLWrapper) => SQL): Promise<boolean> =>
  (await db.$count(uploads, and(eq(uploads.id, id), isAllowed(uploads.orderId)))) > 0;

/** The number of photos in these frames that wait for their customer to accept them. */
export const countWaitingPhotos = (db: Db, frameIds: string[]): Promise<number> =>
  db.$count(uploads, and(inArray(uploads.frameId, frameIds), isNotNull(uploads.waitingSince)));

/** Photos of one selection are shown in their chosen order, at the position of the first one to arrive. */
const chosenOrderColumns = [
  asc(sql`coalesce(${uploads.selectionAt}, ${uploads.uploadedAt})`),
  asc(uploads.selection),
  asc(uploads.selectionPlace),
  asc(uploads.uploadedAt),
  asc(uploads.id),
];

/** Photos of these contributors, oldest first. Photos of one selection are in their chosen order. */
export const readPhotosOfContributors = (db: Db, contributorIds: string[]): Promise<Upload[]> =>
  db
    .select()
    .from(uploads)
    .where(inArray(uploads.contributorId, contributorIds))
    .orderBy(...chosenOrderColumns);

/** Locks a photo's row until the transaction ends. Returns undefined if the photo is deleted. */
export async function lockPhoto(tx: Db, id: string): Promise<Upload | undefined> {
  const [locked] = await tx.select().from(uploads).where(eq(uploads.id, id)).for('update');
  return locked;
}

/** Locks a photo's row until the transaction ends. Throws `not-found` if the photo is deleted. */
export async function lockExistingPhoto(tx: Db, id: string): Promise<Upload> {
  const lockedPhoto = await lockPhoto(tx, id);
  if (!lockedPhoto) throw new Refusal('not-found');
  return lockedPhoto;
}

/**
 * Photos of these frames, in the order that the customer set. Photos without a position follow in the order in which
 * they were chosen.
 */
export const photosOfFrames = createQueryByValues(uploads.frameId, (db, isAmong) =>
  db
    .select()
    .from(uploads)
    .where(isAmong)
    .orderBy(asc(uploads.position), ...chosenOrderColumns),
);

/** The ids of the photos of these frames, in the order of `photosOfFrames`. */
export const photoIdsOfFrames = createQueryByValues(uploads.frameId, (db, isAmong) =>
  db
    .select({ id: uploads.id, frameId: uploads.frameId })
    .from(uploads)
    .where(isAmong)
    .orderBy(asc(uploads.position), ...chosenOrderColumns),
);

/** The fields of photos that lists show. */
export const labelsOfPhotos = createQueryByValues(uploads.id, (db, isAmong) => {
  const { id, fileName, originalFileName, caption, isTitled, ownMotion } = uploads;
  return db.select({ id, fileName, originalFileName, caption, isTitled, ownMotion }).from(uploads).where(isAmong);
});

export const photosByIds = createQueryByValues(uploads.id, (db, isAmong) => db.select().from(uploads).where(isAmong));

/** Not the folder of display copies: the sweep of the previous release deletes files there that it does not know. */
export const uncroppedFolder = 'wholes/';
export const photoFiles: NamedFiles = {
  folders: ['originals/', 'display/', 'thumbnails/', uncroppedFolder],
  async selectNamed(db, keys) {
    const rows = await db
      .select(fileKeyColumns)
      .from(uploads)
      .where(or(...Object.values(fileKeyColumns).map((column) => inArray(column, keys))));
    return new Set(rows.flatMap(listFileKeys));
  },
  async listNamedFrom(db, name, limit) {
    const rows = await db
      .select(fileKeyColumns)
      .from(uploads)
      .where(gte(uploads.displayKey, `display/${name}`))
      .orderBy(asc(uploads.displayKey))
      .limit(limit);
    return rows.flatMap(listFileKeys);
  },
  every: sql`select unnest(array[${uploads.originalKey}, ${uploads.displayKey}, ${uploads.thumbnailKey}, ${uploads.wholeKey}]) as key from ${uploads}`,
};

const fileKeyColumns = {
  original: uploads.originalKey,
  display: uploads.displayKey,
  thumbnail: uploads.thumbnailKey,
  whole: uploads.wholeKey,
};
const listFileKeys = (row: Record<keyof typeof fileKeyColumns, string | null>) =>
  Object.values(row).filter((key) => key !== null);
