import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { readFramesOfOrders, findFramesWithRoomOf } from '../frames/frames.ts';
import { lockCustomerIdOfOrder, findOrderById, recordOrderEvent, type Order } from '../orders/orders.ts';
import { addPhotoTo, sanitizedFileName, type ReceivedFile } from '../photos/add-photo.ts';
import { changeNotes, deletePhoto, type NotesChange } from '../photos/edit-photo.ts';
import { findPhotoById, photosOfFrames, type PhotoScope, type Upload } from '../photos/photos.ts';
import { readVideosOfUploads } from './production.ts';
import { nameFrameFolder, originalName } from './file-names.ts';

/** Changes the owner's notes on a photo. Only the owner sees them. */
export async function savePhotoNotes(
  { db, clock }: { db: Db; clock: Clock },
  id: string,
  change: NotesChange,
  by: AuditAuthor = {},
): Promise<Upload> {
  return db.transaction(async (tx) => {
    const { before, after } = await changeNotes(tx, id, change);
    await recordAuditEntry(tx, clock, {
      act: 'note-photo',
      subjectId: id,
      before: { adminNotes: before.adminNotes },
      after: { adminNotes: after.adminNotes },
      ...by,
    });
    return after;
  });
}

/** Deletes a customer's photo of an open frame. Refuses a photo that is in production. */
export async function deleteCustomersPhoto(
  scope: Pick<PhotoScope, 'db' | 'clock' | 'storage'>,
  id: string,
  by: AuditAuthor = {},
): Promise<void> {
  const { db, clock } = scope;
  const photo = await findPhotoById(db, id);
  if (!photo) throw new Refusal('not-found');
  const { orderId, frameId, originalFileName } = photo;
  const isLocked = async (tx: Db) => (await readVideosOfUploads(tx, [id])).length > 0;
  const recordAddedPhotos = async (tx: Db) => {
    await recordOrderEvent(tx, clock, orderId, 'photo-deleted', `Photo ${originalFileName} deleted by us.`);
    const photoBefore = { orderId, frameId, originalFileName };
    await recordAuditEntry(tx, clock, { act: 'delete-photo', subjectId: id, before: photoBefore, ...by });
  };
  await deletePhoto(scope, photo, isLocked, recordAddedPhotos).catch((error: unknown) => {
    throw error instanceof Refusal && error.code === 'frame-finalized' ? new Refusal('photo-in-production') : error;
  });
}

/** Adds a photo to an order's first open frame, on behalf of its customer. */
export async function addForCustomer(
  scope: PhotoScope,
  orderId: string,
  file: ReceivedFile,
  by: AuditAuthor = {},
): Promise<Upload> {
  const { db, clock } = scope;
  const order = await findOrderById(db, orderId);
  if (!order) throw new Refusal('not-found');
  const frames = (await findFramesWithRoomOf(order, db)).filter((it) => it.isActive);
  if (frames.length === 0) throw new Refusal('frame-refunded');
  const recordAddedPhoto = async (tx: Db) => {
    await lockCustomerIdOfOrder(tx, orderId); // so that the account is not closed while the photo is added
    const name = sanitizedFileName(file.name);
    await recordOrderEvent(tx, clock, orderId, 'photo-added', `We added the photo ${name}.`);
    await recordAuditEntry(tx, clock, {
      act: 'add-photo',
      subjectId: orderId,
      after: { originalFileName: name },
      ...by,
    });
  };
  return addPhotoTo(
    scope,
    { frames, keysOf: orderId, sender: order.customerId ?? orderId, onAdd: recordAddedPhoto },
    file,
  );
}

/** An order's original photos, in one folder for each frame. */
export async function readOriginalPhotosOfOrder(
  db: Db,
  orderId: string,
): Promise<{ order: Order; files: { name: string; key: string; sizeBytes: number; lastModified: Date }[] }> {
  const order = await findOrderById(db, orderId);
  if (!order) throw new Refusal('not-found');
  const frames = await readFramesOfOrders(db, [orderId]);
  const photos = await photosOfFrames(
    db,
    frames.map((it) => it.id),
  );
  const files = frames.flatMap((frame) =>
    photos
      .filter((it) => it.frameId === frame.id)
      .map((photo, index) => ({
        name: `${nameFrameFolder(frame)}/${originalName(index + 1, photo)}`,
        key: photo.originalKey,
        sizeBytes: photo.fileSize,
        lastModified: photo.uploadedAt,
      })),
  );
  return { order, files };
}
