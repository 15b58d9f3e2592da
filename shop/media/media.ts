import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { UnusablePhoto } from '../ports/imaging.ts';
import { pageVideoTypes, UnusableVideo, type PageVideos } from '../ports/page-videos.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import { contentFileKey, contentFileUrl } from '../content/content-files.ts';
import { storeFilesThenRow } from '../files/files.ts';
import { createPhotoRefusal, sanitizedFileName, type ReceivedFile } from '../photos/add-photo.ts';
import type { PhotoScope } from '../photos/photos.ts';
import { decodeInTurn } from '../photos/slow-photos.ts';

type MediaScope = PhotoScope & { pageVideos: PageVideos };
type MediaType = 'image' | 'video';
export interface StoredMedia {
  /** The name of the stored file, which the shop generates. */
  filename: string;
  /** The file's public address. */
  url: string;
  type: MediaType;
}

/**
 * Stores a picture or video that the owner uploaded for the pages. A picture is decoded and encoded again, with the
 * same checks as a customer's photo. A video is copied into a new file without sound and metadata. Until content names
 * the file, the sweep may move it to the trash. A refused file is not stored.
 *
 * @param wanted the required type, if only one is allowed
 * @param place what the file is for, as the owner chose it. It is recorded in the audit trail.
 */
export async function storeMedia(
  scope: MediaScope,
  file: ReceivedFile,
  { wanted, place, by }: { wanted?: MediaType | undefined; place: string; by: AuditAuthor },
): Promise<StoredMedia> {
  const { db, clock, storage, imaging, pageVideos, workFolder } = scope;
  const sanitizedName = sanitizedFileName(file.name);
  const type = (await imaging.sniff(file.path)) ? 'image' : (await pageVideos.isFilm(file.path)) ? 'video' : undefined;
  if (type !== undefined && wanted !== undefined && type !== wanted)
    throw new Refusal(wanted === 'image' ? 'image-needed' : 'video-needed');
  if (type === undefined) throw new Refusal('media-type', { names: sanitizedName });
  if (type === 'image' && file.sizeBytes > limits.photoBytes)
    throw new Refusal('file-too-large', { names: sanitizedName });
  const temporaryFolder = await mkdtemp(join(workFolder, 'media-'));
  try {
    const { path, extension, contentType } =
      type === 'image'
        ? await drawPictures(scope, file.path, temporaryFolder, sanitizedName)
        : await packVideos(pageVideos, file.path, temporaryFolder, sanitizedName);
    const filename = `${newId()}.${extension}`;
    const auditEntry = {
      act: 'upload-media' as const,
      subjectId: filename,
      after: { name: sanitizedName, place },
      ...by,
    };
    await storeFilesThenRow(storage, [{ key: contentFileKey(filename), path, contentType }], () =>
      db.transaction((tx) => recordAuditEntry(tx, clock, auditEntry)),
    );
    return { filename, url: contentFileUrl(filename), type };
  } finally {
    await rm(temporaryFolder, { recursive: true, force: true });
  }
}

/** All the owner's pictures have this sender, because pictures of one sender are decoded one at a time. */
const ownerId = 'owner';

async function drawPictures(scope: MediaScope, path: string, folder: string, names: string) {
  const { displayPath } = await decodeInTurn(scope, ownerId, path, folder).catch((error: unknown) => {
    throw error instanceof UnusablePhoto ? createPhotoRefusal(error, names) : error;
  });
  return { path: displayPath, extension: 'jpg', contentType: 'image/jpeg' };
}

async function packVideos(films: PageVideos, path: string, folder: string, names: string) {
  const pageVideo = await films.convertToPageVideo(path, folder).catch((error: unknown) => {
    throw error instanceof UnusableVideo ? new Refusal('video-unplayable', { names }) : error;
  });
  return { ...pageVideo, contentType: pageVideoTypes[pageVideo.extension] };
}
