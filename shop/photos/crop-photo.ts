import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import {
  isCropLargeEnough,
  isSameCrop,
  isUncropped,
  normalizeCrop,
  positionAfterCrop,
  type Crop,
} from '#contract/crop.ts';
import type { CropForm } from '#contract/photo-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import { newId } from '../columns.ts';
import { storeFilesThenRow } from '../files/files.ts';
import { lockFrame, refuseIfLocked } from '../frames/frames.ts';
import type { Db } from '../ports/database.ts';
import { UnusablePhoto, type DecodedPhoto } from '../ports/imaging.ts';
import { createPhotoRefusal } from './add-photo.ts';
import { endPairUnlessUpright } from './photo-pairs.ts';
import { uploads, type Upload } from './photos.sql.ts';
import {
  listCopiesOfPhoto,
  toCrop,
  lockExistingPhoto,
  findPhotoById,
  queuePreviews,
  uncroppedFolder,
  type PhotoScope,
} from './photos.ts';
import { decodeInTurn } from './slow-photos.ts';

/**
 * Turns and crops a photo that is not locked. The crop is stored as instructions. The display copy and the thumbnail
 * are made again from the original file, which does not change. Everything else that shows or analyzes the photo uses
 * these copies.
 *
 * @param upload the photo that the customer owns
 * @param form.fileName names the picture that the customer saw. Each crop gives a photo a new file name.
 * @param isLocked whether the photo was finalized before its frame was reopened; also called while the frame is locked
 */
export async function cropPhoto(
  scope: PhotoScope,
  upload: Upload,
  { fileName, ...requestedCrop }: CropForm,
  sender: string,
  isLocked: (tx: Db) => Promise<boolean>,
): Promise<Upload> {
  const crop = normalizeCrop(requestedCrop);
  if (await isLocked(scope.db)) throw new Refusal('frame-finalized');
  // The same request may arrive again after a lost response.
  if (isSameCrop(toCrop(upload), crop)) return upload;
  if (upload.fileName !== fileName) throw new Refusal('photo-changed');
  if (!isCropLargeEnough(upload, crop)) throw new Refusal('crop-too-small');
  const temporaryFolder = await mkdtemp(join(scope.workFolder, 'crop-'));
  try {
    const photo = await scope.storage
      .withLocalFile(upload.originalKey, (path) => decodeInTurn(scope, sender, path, temporaryFolder, crop))
      .catch(async (error: unknown) => {
        if (error instanceof UnusablePhoto) throw createPhotoRefusal(error, upload.originalFileName);
        if (!(await findPhotoById(scope.db, upload.id))) throw new Refusal('not-found');
        throw error;
      });
    return await storeCopies(scope, { upload, crop, photo }, isLocked);
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

async function storeCopies(
  scope: PhotoScope,
  { upload, crop, photo }: { upload: Upload; crop: Crop; photo: DecodedPhoto },
  isLocked: (tx: Db) => Promise<boolean>,
): Promise<Upload> {
  const { db, storage } = scope;
  const storedId = newId();
  const displayKey = `display/${storedId}.jpg`;
  const thumbnailKey = `thumbnails/${storedId}.webp`;
  const wholeKey = isUncropped(crop) ? null : `${uncroppedFolder}${storedId}.jpg`;
  const files = [
    { key: displayKey, path: photo.displayPath, contentType: 'image/jpeg' },
    { key: thumbnailKey, path: photo.thumbnailPath, contentType: 'image/webp' },
    ...(wholeKey !== null && photo.wholePath !== undefined
      ? [{ key: wholeKey, path: photo.wholePath, contentType: 'image/jpeg' }]
      : []),
  ];
  const recordCopies = () =>
    db.transaction(async (tx) => {
      refuseIfLocked(await lockFrame(tx, upload.frameId));
      if (await isLocked(tx)) throw new Refusal('frame-finalized');
      const photoBefore = await lockExistingPhoto(tx, upload.id);
      if (photoBefore.fileName !== upload.fileName) throw new Refusal('photo-changed');
      const [after] = await tx
        .update(uploads)
        .set({
          fileName: `${storedId}.jpg`,
          displayKey,
          thumbnailKey,
          wholeKey,
          quarterTurns: crop.quarterTurns,
          cropArea: crop.area,
          // A customer who takes back a crop wants the whole photo. Do not ask again about its border.
          isBorderKept: photoBefore.isBorderKept || (photoBefore.cropArea !== null && crop.area === null),
          ...movePositions(photoBefore, crop),
          perceptualHash: photo.perceptualHash ?? null,
          ownMotion: photo.ownMotion ?? null,
          seen: null,
        })
        .where(eq(uploads.id, photoBefore.id))
        .returning();
      await endPairUnlessUpright(tx, after!);
      await queuePreviews(tx, scope, photoBefore.orderId);
      return after!;
    });
  // A backup that began before the crop still needs the earlier copies.
  return storeFilesThenRow(storage, files, recordCopies, { replaced: listCopiesOfPhoto(upload) });
}

/** The focus point and the candle stay on the same spot of the picture. A spot outside the new crop is removed. */
function movePositions(before: Upload, crop: Crop): Pick<Upload, 'focusX' | 'focusY' | 'moves'> {
  const { focusX, focusY, moves } = before;
  const cropBefore = toCrop(before);
  const focus =
    focusX !== null && focusY !== null ? positionAfterCrop({ x: focusX, y: focusY }, cropBefore, crop) : null;
  const candle = moves?.candle ? positionAfterCrop(moves.candle, cropBefore, crop) : null;
  return { focusX: focus?.x ?? null, focusY: focus?.y ?? null, moves: moves && { ...moves, candle } };
}
