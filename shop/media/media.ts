import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { UnusablePhoto } from '../ports/imaging.ts';
import { filmTypes, UnusableFilm, type PageFilms } from '../ports/page-films.ts';
import { recordAct } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import { contentFileKey, contentFileUrl } from '../content/content-files.ts';
import { storeAndName } from '../files/files.ts';
import { refusalOf, shownName, type PhotoScope, type ReceivedFile } from '../photos/photos.ts';
import { developInTurn } from '../photos/slow-photos.ts';

type MediaScope = PhotoScope & { pageFilms: PageFilms };
type MediaType = 'image' | 'video';
export interface KeptMedia {
  /** What it is kept under, of our making. */
  filename: string;
  /** Where everyone sees it. */
  url: string;
  type: MediaType;
}

/**
 * Keep a picture or film of the owner's for the pages: the picture decoded and drawn again as strictly as a customer's
 * photo, the film packed anew. Until content names it the sweep may take it. Refuses in words, and keeps nothing then.
 *
 * @param wanted what it has to be, if that matters
 * @param place what it is for, as the owner said; written down
 */
export async function keepMedia(
  scope: MediaScope,
  file: ReceivedFile,
  { wanted, place, requestId }: { wanted?: MediaType | undefined; place: string; requestId: string },
): Promise<KeptMedia> {
  const { db, clock, storage, imaging, pageFilms, workFolder } = scope;
  const names = shownName(file.name);
  const type = (await imaging.sniff(file.path)) ? 'image' : (await pageFilms.isFilm(file.path)) ? 'video' : undefined;
  if (type !== undefined && wanted !== undefined && type !== wanted)
    throw new Refusal(wanted === 'image' ? 'image-needed' : 'video-needed');
  if (type === undefined) throw new Refusal('media-type', { names });
  if (type === 'image' && file.sizeBytes > limits.photoBytes) throw new Refusal('file-too-large', { names });
  const work = await mkdtemp(join(workFolder, 'media-'));
  try {
    const { path, extension, contentType } =
      type === 'image' ? await draw(scope, file.path, work, names) : await pack(pageFilms, file.path, work, names);
    const filename = `${newId()}.${extension}`;
    const act = { act: 'upload-media', subjectId: filename, after: { name: names, place }, requestId };
    await storeAndName(storage, [{ key: contentFileKey(filename), path, contentType }], () =>
      db.transaction((tx) => recordAct(tx, clock, act)),
    );
    return { filename, url: contentFileUrl(filename), type };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** One sender: the owner's pictures are decoded one at a time. */
const owner = 'owner';

async function draw(scope: MediaScope, path: string, folder: string, names: string) {
  const { displayPath } = await developInTurn(scope, owner, path, folder).catch((error: unknown) => {
    throw error instanceof UnusablePhoto ? refusalOf(error, names) : error;
  });
  return { path: displayPath, extension: 'jpg', contentType: 'image/jpeg' };
}

async function pack(films: PageFilms, path: string, folder: string, names: string) {
  const film = await films.pack(path, folder).catch((error: unknown) => {
    throw error instanceof UnusableFilm ? new Refusal('video-unplayable', { names }) : error;
  });
  return { ...film, contentType: filmTypes[film.extension] };
}
