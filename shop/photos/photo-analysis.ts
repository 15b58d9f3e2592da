import { and, eq } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import type { PhotoAnalyzerPort, PhotoAnalysis } from '../ports/photo-analyzer.ts';
import type { Storage } from '../ports/storage.ts';
import { findPhotoById } from './photos.ts';
import { uploads, type Upload } from './photos.sql.ts';

/**
 * Returns what a photo shows. A photo is analyzed once, and the result is stored with it. After the detector has
 * changed, the photo is analyzed again. Without a detector on this machine, the stored result of another machine is
 * returned, if there is one.
 *
 * @param path its display copy on local disk
 */
export async function readOrAnalyzePhoto(
  { db, seeing }: { db: Db; seeing: PhotoAnalyzerPort },
  photo: Pick<Upload, 'id' | 'seen' | 'displayKey'>,
  path: string,
  signal?: AbortSignal,
): Promise<PhotoAnalysis | undefined> {
  const version = await seeing.version();
  if (version === undefined || photo.seen?.version === version) return photo.seen ?? undefined;
  const analysis = await seeing.analyzePhoto(path, signal);
  if (!analysis) return photo.seen ?? undefined;
  // If the photo was cropped in the meantime, this is not what it shows now.
  const isSamePicture = and(eq(uploads.id, photo.id), eq(uploads.displayKey, photo.displayKey));
  await db.update(uploads).set({ seen: analysis }).where(isSamePicture);
  return analysis;
}

/**
 * Returns what a photo in storage shows.
 *
 * @throws Refusal `not-found` if the photo is deleted while it is analyzed
 */
export const analyzeStoredPhoto = (
  scope: { db: Db; seeing: PhotoAnalyzerPort; storage: Storage },
  photo: Upload,
): Promise<PhotoAnalysis | undefined> =>
  scope.storage
    .withLocalFile(photo.displayKey, (path) => readOrAnalyzePhoto(scope, photo, path))
    .catch(async (error: unknown) => {
      const currentPhoto = await findPhotoById(scope.db, photo.id);
      if (!currentPhoto) throw new Refusal('not-found');
      // The photo was cropped while it was analyzed.
      if (currentPhoto.displayKey !== photo.displayKey) return analyzeStoredPhoto(scope, currentPhoto);
      throw error;
    });
