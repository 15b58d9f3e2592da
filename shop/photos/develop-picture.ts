import { mkdtemp, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnusablePhoto } from '../ports/imaging.ts';
import { newId } from '../columns.ts';
import type { NewFile } from '../files/files.ts';
import { createPhotoRefusal, sanitizedFileName, type ReceivedFile } from './add-photo.ts';
import { decodeInTurn } from './slow-photos.ts';

/**
 * Decodes a picture and encodes it again as JPEG, so that it has no metadata. Pictures of one sender are decoded one at
 * a time. Writes into the folder of the received file, which the caller deletes.
 *
 * @param folder the folder of its key in the storage, with a slash at its end
 */
export async function developPicture(
  scope: Parameters<typeof decodeInTurn>[0],
  sender: string,
  { path, name }: ReceivedFile,
  folder: string,
): Promise<NewFile & { sizeBytes: number }> {
  // Each picture gets a folder of its own, because the decoder always uses the same file names.
  const copiesFolder = await mkdtemp(join(dirname(path), 'picture-'));
  const { displayPath } = await decodeInTurn(scope, sender, path, copiesFolder).catch((error: unknown) => {
    throw error instanceof UnusablePhoto ? createPhotoRefusal(error, sanitizedFileName(name)) : error;
  });
  const { size } = await stat(displayPath);
  return { key: `${folder}${newId()}.jpg`, path: displayPath, contentType: 'image/jpeg', sizeBytes: size };
}

const pdfSignature = '%PDF-';
/** Whether a file on the local disk is a PDF, by its first bytes. */
export async function isPdf(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(pdfSignature.length), 0, pdfSignature.length, 0);
    return buffer.toString('latin1') === pdfSignature;
  } finally {
    await file.close();
  }
}
