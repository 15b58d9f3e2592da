import { makeZip, predictLength } from 'client-zip';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Storage } from '#shop/ports/storage.ts';
import { downloadDispositionHeader } from './send-file.ts';

/** A file of an archive: a stored file with its size, or a text. */
export type ArchiveFile = { name: string; lastModified: Date } & (
  | { key: string; sizeBytes: number }
  | { text: string }
);

const sizeOf = (file: ArchiveFile) => ('text' in file ? Buffer.byteLength(file.text) : file.sizeBytes);
/** The exact size of the ZIP archive of these files, in bytes. */
export const computeArchiveBytes = (files: ArchiveFile[]): number =>
  Number(predictLength(files.map((file) => ({ name: file.name, size: sizeOf(file) }))));

/** Send files as one ZIP archive. The archive is created while it is sent. */
export const sendArchive = (storage: Storage, reply: FastifyReply, name: string, files: ArchiveFile[]) =>
  reply
    .headers({
      'content-type': 'application/zip',
      'content-length': computeArchiveBytes(files),
      'content-disposition': downloadDispositionHeader(name),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(createZipStream(storage, files));

/**
 * Opens one file after the other, so that at most one file is open at a time. When the client disconnects, closes the
 * open file.
 */
function createZipStream(storage: Storage, files: ArchiveFile[]): Readable {
  let file: Readable | undefined;
  async function* openEntries() {
    for (const archiveFile of files) {
      const { name, lastModified } = archiveFile;
      const size = sizeOf(archiveFile);
      if ('text' in archiveFile) {
        yield { name, size, lastModified, input: archiveFile.text };
        continue;
      }
      file = await storage.read(archiveFile.key);
      if (archive.destroyed) file.destroy();
      yield { name, size, lastModified, input: Readable.toWeb(file) as ReadableStream<Uint8Array> };
    }
  }
  const archive = Readable.fromWeb(makeZip(openEntries()) as never);
  archive.once('close', () => file?.destroy());
  return archive;
}
