import { and, eq, inArray, sql } from 'drizzle-orm';
import { videoTitleFromCaption } from '#contract/video-title.ts';
import { movesPeople } from '#contract/motion.ts';
import type { PhotoForm } from '#contract/photo-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { eraseFiles, deleteDiscardedFileRows } from '../files/files.ts';
import { releaseSlot, lockFrame, refuseIfLocked } from '../frames/frames.ts';
import { refuseOverwriting } from '../notes.ts';
import { endPairsOf } from './photo-pairs.ts';
import { uploads, type Upload } from './photos.sql.ts';
import {
  listFilesOfPhoto,
  lockExistingPhoto,
  findPhotoById,
  photosOfFrames,
  queuePreviews,
  type PhotoScope,
} from './photos.ts';

/**
 * Changes a customer's settings for a photo that is not locked. Missing fields stay as they are. A title on the video
 * needs a caption that can be written. Without such a caption, a title is refused.
 */
export async function changePhotoSettings(
  scope: Pick<PhotoScope, 'db' | 'jobs' | 'hasPreviews'>,
  { id, frameId }: Upload,
  { caption, isTitled, focus, moves, style, isRepaired, keepsBorder, fileName }: PhotoForm,
  isLocked: (tx: Db) => Promise<boolean>,
): Promise<Upload> {
  return scope.db.transaction(async (tx) => {
    refuseIfLocked(await lockFrame(tx, frameId));
    if (await isLocked(tx)) throw new Refusal('frame-finalized');
    const photoBefore = await findPhotoById(tx, id);
    if (!photoBefore) throw new Refusal('not-found');
    if (fileName !== undefined && fileName !== photoBefore.fileName) throw new Refusal('photo-changed');
    const newCaption = caption === undefined ? photoBefore.caption : caption || null;
    const isWritable = videoTitleFromCaption(newCaption) !== undefined;
    if (isTitled && !isWritable) throw new Refusal('nothing-to-write');
    const [described] = await tx
      .update(uploads)
      .set({
        caption: newCaption,
        isTitled: isWritable && (isTitled ?? photoBefore.isTitled),
        ...(focus !== undefined && { focusX: focus?.x ?? null, focusY: focus?.y ?? null }),
        ...(isRepaired !== undefined && { isRepaired }),
        ...(keepsBorder !== undefined && { isBorderKept: keepsBorder }),
        ...combineMotion(photoBefore, { moves, style }),
      })
      .where(eq(uploads.id, id))
      .returning();
    await queuePreviews(tx, scope, described!.orderId);
    return described!;
  });
}

/**
 * A style that moves people contradicts a photo whose people must stay still. The later of the two settings wins. If
 * one request contains both, people stay still.
 */
function combineMotion(
  before: Pick<Upload, 'moves' | 'chosenStyle'>,
  said: Pick<PhotoForm, 'moves' | 'style'>,
): Pick<Upload, 'moves' | 'chosenStyle'> {
  const { moves = before.moves, style = before.chosenStyle } = said;
  if (moves?.living !== false || !movesPeople(style)) return { moves, chosenStyle: style };
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
export async function reorderPhotos(
  db: Db,
  frameId: string,
  ids: string[],
  lockedAmong: (tx: Db, ids: string[]) => Promise<Pick<ReadonlySet<string>, 'has'>>,
): Promise<void> {
  await db.transaction(async (tx) => {
    refuseIfLocked(await lockFrame(tx, frameId));
    const photoIds = (await photosOfFrames(tx, [frameId])).map((it) => it.id);
    const knownPhotoIds = new Set(photoIds);
    if (!ids.every((id) => knownPhotoIds.has(id))) throw new Refusal('not-found');
    const lockedIds = await lockedAmong(tx, photoIds);
    if (ids.some((id) => lockedIds.has(id))) throw new Refusal('frame-finalized');
    const orderedIds = [...photoIds.filter((id) => lockedIds.has(id)), ...ids];
    await tx.update(uploads).set({ position: null }).where(eq(uploads.frameId, frameId));
    await tx.execute(sql`
      update ${uploads} set position = wished.place - 1
      from jsonb_array_elements_text(${JSON.stringify(orderedIds)}::jsonb) with ordinality as wished(id, place)
      where ${uploads.id} = wished.id and ${uploads.frameId} = ${frameId}`);
  });
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
  const deletedFiles = await db.transaction(async (tx) => {
    await admit?.(tx);
    // Lock the frame before its photo, as finalizing does. The opposite sequence could deadlock.
    await lockFrame(tx, upload.frameId);
    if (await isLocked(tx)) throw new Refusal('frame-finalized');
    const [deleted] = await tx.delete(uploads).where(eq(uploads.id, upload.id)).returning();
    if (!deleted) throw new Refusal('not-found');
    await endPairsOf(tx, [upload.id]);
    await releaseSlot(tx, upload.frameId);
    return [...listFilesOfPhoto(deleted), ...(await deleteDiscardedFileRows(tx, upload.frameId, upload.id))];
  });
  await eraseFiles(storage, deletedFiles);
}

/** Deletes all photos of a frame. The caller has locked the frame's row, and deletes the files after the commit. */
export const removePhotos = (tx: Db, frameId: string): Promise<Upload[]> =>
  tx.delete(uploads).where(eq(uploads.frameId, frameId)).returning();

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
    const acceptedPhotos = await tx
      .update(uploads)
      .set({ waitingSince: null })
      .where(and(eq(uploads.frameId, frameId), inArray(uploads.id, ids)))
      .returning({ id: uploads.id });
    if (acceptedPhotos.length === 0) throw new Refusal('not-found');
    await queuePreviews(tx, scope, frame.orderId);
  });

/** Sets the caption of a photo; an empty text removes it. Returns false if the photo does not exist. */
export async function captionPhoto(db: Db, id: string, caption: string): Promise<boolean> {
  const captionedPhotos = await db
    .update(uploads)
    .set({ caption: caption === '' ? null : caption })
    .where(eq(uploads.id, id))
    .returning({ id: uploads.id });
  return captionedPhotos.length > 0;
}

/**
 * Sets for the owner whether the caption is written on a photo's video. Refuses a title if there is no caption that can
 * be written.
 */
export async function setVideoTitled(tx: Db, id: string, isTitled: boolean): Promise<void> {
  const photo = await findPhotoById(tx, id);
  if (isTitled && videoTitleFromCaption(photo?.caption ?? null) === undefined) throw new Refusal('nothing-to-write');
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
  const photoBefore = await lockExistingPhoto(tx, id);
  refuseOverwriting(photoBefore.adminNotes, adminNotes, adminNotesBefore);
  await tx.update(uploads).set({ adminNotes }).where(eq(uploads.id, id));
  return { before: photoBefore, after: { ...photoBefore, adminNotes } };
}
