import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isUncropped, wholePhotoArea, type Crop } from '#contract/crop.ts';
import { limits } from '#contract/limits.ts';
import type { PhotoMime } from '#contract/photo-types.ts';
import { UnusablePhoto, type Imaging, type DecodedPhoto } from '#shop/ports/imaging.ts';
import { childProgramUrl } from '../processes/child-entry.ts';
import { ChildStoppedError, startChild, startTimeoutMs } from '../processes/run-in-child.ts';
import { createFairQueue } from '../processes/fair-queue.ts';
import {
  createSandboxWrapper,
  describeRestrictions,
  createPermissionArguments,
  findAvailableRestrictions,
} from './confinement.ts';
import type { DecodeLimits, PhotoCopyResult, PhotoCopyJob } from './develop.ts';
import { readQr } from './read-qr.ts';
import { sniffPhoto } from './sniff.ts';

const decodeLimits: DecodeLimits = {
  sidePixels: limits.photoSidePixels,
  pixels: limits.photoPixels,
  decodedBytes: limits.photoDecodedBytes,
};

/**
 * Decodes photos in child processes behind fences: at most `concurrency` at the same time, at most one of each sender,
 * and each for at most `timeoutMs`. While no other sender waits, one process decodes up to ten photos of a sender.
 */
export function createImaging({ concurrency = 2, timeoutMs = limits.photoDecodeSeconds * 1000 } = {}): Imaging {
  const runInTurn = createFairQueue(concurrency);
  /** The photos of each sender that are not developed yet, in order of arrival. */
  const waitingBySender = new Map<string, WaitingPhoto[]>();
  const waitForTurn = (sender: string, photo: Photo, onTurn: (() => Promise<void>) | undefined) =>
    new Promise<DevelopedPhoto>((developed, refused) => {
      const waitingPhotos = waitingBySender.get(sender) ?? [];
      waitingBySender.set(sender, waitingPhotos);
      waitingPhotos.push({ ...photo, onTurn, developed, refused });
      runInTurn(sender, async (othersWait) => {
        if (waitingPhotos.length > 0) await developWaitingPhotos(waitingPhotos, { timeoutMs, othersWait });
        if (waitingPhotos.length === 0 && waitingBySender.get(sender) === waitingPhotos) waitingBySender.delete(sender);
      }).catch(refused);
    });
  return {
    sniff: sniffPhoto,
    readQr,
    develop: async (path, folder, sender, onTurn, crop) => {
      const mime = await sniffPhoto(path);
      if (!mime) throw new UnusablePhoto('not-a-photo', 'the bytes are no photo of the types taken');
      const copyPaths = {
        displayPath: resolve(folder, 'display.jpg'),
        thumbnailPath: resolve(folder, 'thumbnail.webp'),
        ...(crop && !isUncropped(crop) && { wholePath: resolve(folder, 'whole.jpg') }),
      };
      try {
        return { mime, ...(await waitForTurn(sender, { path, mime, crop, ...copyPaths }, onTurn)), ...copyPaths };
      } catch (error) {
        await Promise.all(Object.values(copyPaths).map((copy) => rm(copy, { force: true })));
        throw error;
      }
    },
  };
}

interface Photo {
  path: string;
  mime: PhotoMime;
  displayPath: string;
  thumbnailPath: string;
  crop: Crop | undefined;
  wholePath?: string;
}
type DevelopedPhoto = Pick<DecodedPhoto, 'width' | 'height' | 'perceptualHash' | 'ownMotion'>;
interface WaitingPhoto extends Photo {
  onTurn: (() => Promise<void>) | undefined;
  developed: (photo: DevelopedPhoto) => void;
  refused: (error: unknown) => void;
}

/**
 * Maximum number of photos for one process. A process is used for several photos, because starting a process takes as
 * long as developing a photo.
 */
const mostOfOneProcess = 10;

/**
 * Develops the first photo of a sender, and then the next photos while no other sender waits. A photo leaves the queue
 * when it is done. The first failure ends the turn. If the process has developed other photos before, one of them may
 * have caused the failure. The failed photo is then tried first in the next turn.
 */
async function developWaitingPhotos(
  line: WaitingPhoto[],
  { timeoutMs, othersWait }: { timeoutMs: number; othersWait: () => boolean },
): Promise<void> {
  let decoder: Decoder | undefined;
  let done = 0;
  let refuse = () => {};
  try {
    do {
      const photo = line[0]!;
      await photo.onTurn?.();
      decoder ??= await startDecoder(line.slice(0, mostOfOneProcess), timeoutMs);
      photo.developed(await decoder.develop(done));
      line.shift();
      done += 1;
    } while (done < decoder.photos && line.length > 0 && !othersWait());
  } catch (error) {
    if (done === 0) refuse = () => line.shift()!.refused(error);
  }
  await decoder?.end();
  // Refuse only after the process has ended, so that the caller can remove the files that the process was writing.
  refuse();
}

interface Decoder {
  /** The number of photos passed to the decoder. */
  photos: number;
  develop(at: number): Promise<DevelopedPhoto>;
  end(): Promise<void>;
}

/**
 * Starts a decoder process for as many of these photos as can be opened, at least the first. The process can see
 * nothing else of the shop.
 */
async function startDecoder(photos: Photo[], timeoutMs: number): Promise<Decoder> {
  const programUrl = findDecoderEntry();
  const restrictions = await findAvailableRestrictions(programUrl);
  const temporaryFolder = await mkdtemp(join(tmpdir(), 'room-'));
  const removeTemporaryFolder = () => rm(temporaryFolder, { recursive: true, force: true });
  const openedPhotos = await openPhotoFiles(photos).catch(async (error: unknown) => {
    await removeTemporaryFolder();
    throw error;
  });
  const child = startChild<PhotoCopyJob, PhotoCopyResult>({
    entry: programUrl,
    files: openedPhotos.flat().map((it) => it.fd),
    nodeArguments: createPermissionArguments(programUrl),
    // libvips writes large pictures to temporary files by default. This keeps them in memory.
    environment: { VIPS_DISC_THRESHOLD: '2g' },
    wrap: createSandboxWrapper(restrictions, {
      entry: programUrl,
      room: temporaryFolder,
      cpuSeconds: computeCpuSeconds(openedPhotos.length * timeoutMs),
    }),
  });
  // The child has its own file descriptors now, so the parent closes its descriptors.
  await Promise.all(openedPhotos.flat().map((it) => it.close()));
  return {
    photos: openedPhotos.length,
    async develop(at) {
      const { mime, crop, wholePath } = photos[at]!;
      const copyResult = await child
        .do(
          {
            at,
            mime,
            bounds: decodeLimits,
            ...(crop && wholePath !== undefined && { crop: cropForChildProcess(crop) }),
          },
          { timeoutMs },
        )
        .catch((error: unknown) => {
          throw causeOfFailure(error);
        });
      if ('refused' in copyResult) throw new UnusablePhoto(copyResult.refused.reason, copyResult.refused.message);
      if ('failed' in copyResult)
        throw Object.assign(new Error(copyResult.failed.message), { code: copyResult.failed.code });
      return copyResult.developed;
    },
    async end() {
      await child.end();
      await removeTemporaryFolder();
    },
  };
}

const cropForChildProcess = ({ quarterTurns, area }: Crop): PhotoCopyJob['crop'] => ({
  quarterTurns,
  area: area ?? wholePhotoArea,
  mostSourcePixels: limits.cropSourcePixels,
});

/**
 * Opens each photo and its copies. Without a crop, nothing is written to the file for the whole photo. Stops at the
 * first photo that cannot be opened.
 */
async function openPhotoFiles(photos: Photo[]): Promise<FileHandle[][]> {
  const filesByPhoto: FileHandle[][] = [];
  for (const photo of photos) {
    const files: FileHandle[] = [];
    try {
      files.push(await open(photo.path, 'r'));
      for (const copy of [photo.displayPath, photo.thumbnailPath, photo.wholePath ?? '/dev/null'])
        files.push(await open(copy, 'w'));
    } catch (error) {
      await Promise.all(files.map((it) => it.close()));
      if (filesByPhoto.length === 0) throw error;
      break;
    }
    filesByPhoto.push(files);
  }
  return filesByPhoto;
}

/**
 * The CPU limit of a child. It is more than the decoder's two threads can use within the time limit. It ends a child
 * that no parent stops anymore.
 */
const computeCpuSeconds = (timeoutMs: number) => Math.ceil((startTimeoutMs + 2 * timeoutMs) / 1000);

/** For the operator: which kernel fences a decoder has on this machine, and which it does not. */
export async function describeDecoderRestrictions(): Promise<string> {
  return describeRestrictions(await findAvailableRestrictions(findDecoderEntry()));
}

/** The URL of the decoder's program. */
const findDecoderEntry = () => childProgramUrl(import.meta.url, 'develop-child');

/** A photo is the cause when its decoder crashes or times out. The installation is the cause when no child starts. */
function causeOfFailure(error: unknown): unknown {
  if (!(error instanceof ChildStoppedError)) return error;
  if (!error.started) return error;
  const isTooSlow = error.reason === 'too-slow' || error.killedBy === 'SIGXCPU';
  return new UnusablePhoto(isTooSlow ? 'too-slow' : 'damaged', error.message, { cause: error });
}
