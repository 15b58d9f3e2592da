import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { limits } from '#contract/limits.ts';
import type { PhotoMime } from '#contract/photo-types.ts';
import { UnusablePhoto, type Imaging } from '#shop/ports/imaging.ts';
import { childEntry } from '../processes/child-entry.ts';
import { ChildStopped, startChild, startTimeoutMs } from '../processes/run-in-child.ts';
import { takeTurns } from '../processes/turns.ts';
import { behindFences, fenceNames, permissionArguments, standingFences } from './confinement.ts';
import type { Bounds, DevelopAnswer, DevelopJob } from './develop.ts';
import { readQr } from './read-qr.ts';
import { sniffPhoto } from './sniff.ts';

const bounds: Bounds = {
  sidePixels: limits.photoSidePixels,
  pixels: limits.photoPixels,
  decodedBytes: limits.photoDecodedBytes,
};

/**
 * Decodes at most `concurrency` photos at once, one of each sender's, behind fences, and for at most `timeoutMs` each.
 * Photos of one sender that wait while nobody else does go through one process, a few at most.
 */
export function createImaging({ concurrency = 2, timeoutMs = limits.photoDecodeSeconds * 1000 } = {}): Imaging {
  const inTurn = takeTurns(concurrency);
  /** By sender, those that no process develops yet. */
  const waiting = new Map<string, Waiting[]>();
  const waitForTurn = (sender: string, photo: Photo, turnCame: (() => Promise<void>) | undefined) =>
    new Promise<Size>((developed, refused) => {
      const line = waiting.get(sender) ?? [];
      waiting.set(sender, line);
      line.push({ ...photo, turnCame, developed, refused });
      inTurn(sender, async (othersWait) => {
        if (line.length > 0) await takeTurn(line, { timeoutMs, othersWait });
        if (line.length === 0 && waiting.get(sender) === line) waiting.delete(sender);
      }).catch(refused);
    });
  return {
    sniff: sniffPhoto,
    readQr,
    develop: async (path, folder, sender, turnCame) => {
      const mime = await sniffPhoto(path);
      if (!mime) throw new UnusablePhoto('not-a-photo', 'the bytes are no photo of the types taken');
      const copies = {
        displayPath: resolve(folder, 'display.jpg'),
        thumbnailPath: resolve(folder, 'thumbnail.webp'),
      };
      try {
        return { mime, ...(await waitForTurn(sender, { path, mime, ...copies }, turnCame)), ...copies };
      } catch (error) {
        await Promise.all(Object.values(copies).map((copy) => rm(copy, { force: true })));
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
}
interface Size {
  width: number;
  height: number;
}
interface Waiting extends Photo {
  turnCame: (() => Promise<void>) | undefined;
  developed: (size: Size) => void;
  refused: (error: unknown) => void;
}

/** Starting a process takes as long as a photo does. */
const mostOfOneProcess = 10;

/**
 * Develop the first of a sender's photos, and the next ones as long as nobody else waits, each taken from the line when it
 * is done. The first failure ends the turn: in a process that has developed others it says nothing about the photo, which
 * comes first in the next turn.
 */
async function takeTurn(
  line: Waiting[],
  { timeoutMs, othersWait }: { timeoutMs: number; othersWait: () => boolean },
): Promise<void> {
  let decoder: Decoder | undefined;
  let done = 0;
  let refuse = () => {};
  try {
    do {
      const photo = line[0]!;
      await photo.turnCame?.();
      decoder ??= await startDecoder(line.slice(0, mostOfOneProcess), timeoutMs);
      photo.developed(await decoder.develop(done));
      line.shift();
      done += 1;
    } while (done < decoder.photos && line.length > 0 && !othersWait());
  } catch (error) {
    if (done === 0) refuse = () => line.shift()!.refused(error);
  }
  await decoder?.end();
  // What it wrote may be removed now that it is gone.
  refuse();
}

interface Decoder {
  /** How many it was handed. */
  photos: number;
  develop(at: number): Promise<Size>;
  end(): Promise<void>;
}

/** A process that was handed the first of these photos, or more of them, and sees nothing else of the shop's. */
async function startDecoder(photos: Photo[], timeoutMs: number): Promise<Decoder> {
  const entry = decoderEntry();
  const fences = await standingFences(entry);
  const room = await mkdtemp(join(tmpdir(), 'room-'));
  const removeRoom = () => rm(room, { recursive: true, force: true });
  const handed = await openAll(photos).catch(async (error: unknown) => {
    await removeRoom();
    throw error;
  });
  const child = startChild<DevelopJob, DevelopAnswer>({
    entry,
    files: handed.flat().map((it) => it.fd),
    nodeArguments: permissionArguments(entry),
    // libvips spills large pictures into files of its own unless told to keep them in memory.
    environment: { VIPS_DISC_THRESHOLD: '2g' },
    wrap: behindFences(fences, { entry, room, cpuSeconds: cpuSeconds(handed.length * timeoutMs) }),
  });
  // It has them by now.
  await Promise.all(handed.flat().map((it) => it.close()));
  return {
    photos: handed.length,
    async develop(at) {
      const { mime } = photos[at]!;
      const answer = await child.do({ at, mime, bounds }, { timeoutMs }).catch((error: unknown) => {
        throw whatStoppedIt(error);
      });
      if ('refused' in answer) throw new UnusablePhoto(answer.refused.reason, answer.refused.message);
      if ('failed' in answer) throw Object.assign(new Error(answer.failed.message), { code: answer.failed.code });
      return answer.developed;
    },
    async end() {
      await child.end();
      await removeRoom();
    },
  };
}

/** Each with its two copies; as far as they can be opened. */
async function openAll(photos: Photo[]): Promise<FileHandle[][]> {
  const all: FileHandle[][] = [];
  for (const photo of photos) {
    const files: FileHandle[] = [];
    try {
      files.push(await open(photo.path, 'r'));
      for (const copy of [photo.displayPath, photo.thumbnailPath]) files.push(await open(copy, 'w'));
    } catch (error) {
      await Promise.all(files.map((it) => it.close()));
      if (all.length === 0) throw error;
      break;
    }
    all.push(files);
  }
  return all;
}

/** More than a child can use in its time, whose decoder has two threads: for one that nobody stops any more. */
const cpuSeconds = (timeoutMs: number) => Math.ceil((startTimeoutMs + 2 * timeoutMs) / 1000);

/** For the operator: what the kernel holds around a decoder here, and what it does not. */
export async function describeFences(): Promise<string> {
  const standing = await standingFences(decoderEntry());
  const listed = (stands: boolean) => fenceNames.filter((name) => standing.has(name) === stands).join(', ') || 'none';
  return `fences that stand: ${listed(true)}; that this machine refuses: ${listed(false)}`;
}

/**
 * For another program that reads what strangers made: the decoder's fences, but for those that keep it from files by
 * name. It writes at most 32 MB a file.
 */
export async function fencedProgram(cpuSeconds: number): Promise<(command: string[]) => string[]> {
  const standing = await standingFences(decoderEntry());
  const byName = new Set(['no files but its own code', 'another user', 'a limit on processes']);
  const fences = new Set([...standing].filter((name) => !byName.has(name)));
  return behindFences(fences, { entry: decoderEntry(), room: '', cpuSeconds });
}

/** The program that decodes. */
const decoderEntry = () => childEntry(import.meta.url, 'develop-child');

/** A decoder that dies or hangs is the photo's doing; a child that never came up is ours. */
function whatStoppedIt(error: unknown): unknown {
  if (!(error instanceof ChildStopped)) return error;
  if (!error.started) return error;
  const tooSlow = error.reason === 'too-slow' || error.killedBy === 'SIGXCPU';
  return new UnusablePhoto(tooSlow ? 'too-slow' : 'damaged', error.message, { cause: error });
}
