import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { limits } from '#contract/limits.ts';
import type { PhotoMime } from '#contract/photo-types.ts';
import { UnusablePhoto, type Imaging } from '#shop/ports/imaging.ts';
import { childEntry } from '../processes/child-entry.ts';
import { ChildStopped, runInChild, startTimeoutMs } from '../processes/run-in-child.ts';
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
 * Decodes at most `concurrency` photos at once, one of each sender's, each in a process of its own that is killed after
 * `timeoutMs`.
 */
export function createImaging({ concurrency = 2, timeoutMs = limits.photoDecodeSeconds * 1000 } = {}): Imaging {
  const inTurn = takeTurns(concurrency);
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
        const size = await inTurn(sender, async () => {
          await turnCame?.();
          return await develop({ path, mime, ...copies }, { room: resolve(folder), timeoutMs });
        });
        return { mime, ...size, ...copies };
      } catch (error) {
        await Promise.all(Object.values(copies).map((copy) => rm(copy, { force: true })));
        throw error;
      }
    },
  };
}

interface Work {
  path: string;
  mime: PhotoMime;
  displayPath: string;
  thumbnailPath: string;
}

async function develop(
  { path, mime, displayPath, thumbnailPath }: Work,
  { room, timeoutMs }: { room: string; timeoutMs: number },
): Promise<{ width: number; height: number }> {
  await using photo = await open(path, 'r');
  await using display = await open(displayPath, 'w');
  await using thumbnail = await open(thumbnailPath, 'w');
  const entry = decoder();
  const answer = await runInChild<DevelopJob, DevelopAnswer>({
    entry,
    job: { mime, bounds },
    files: [photo.fd, display.fd, thumbnail.fd],
    nodeArguments: permissionArguments(entry),
    // libvips spills large pictures into files of its own unless told to keep them in memory.
    environment: { VIPS_DISC_THRESHOLD: '2g' },
    wrap: behindFences(await standingFences(entry), {
      entry,
      room,
      cpuSeconds: cpuSeconds(timeoutMs),
    }),
    timeoutMs,
  }).catch((error: unknown) => {
    throw whatStoppedIt(error);
  });
  if ('refused' in answer) throw new UnusablePhoto(answer.refused.reason, answer.refused.message);
  if ('failed' in answer) throw Object.assign(new Error(answer.failed.message), { code: answer.failed.code });
  return answer.developed;
}

/** More than a child can use in its time, whose decoder has two threads: for one that nobody stops any more. */
const cpuSeconds = (timeoutMs: number) => Math.ceil((startTimeoutMs + 2 * timeoutMs) / 1000);

/** For the operator: what the kernel holds around a decoder here, and what it does not. */
export async function describeFences(): Promise<string> {
  const standing = await standingFences(decoder());
  const listed = (stands: boolean) => fenceNames.filter((name) => standing.has(name) === stands).join(', ') || 'none';
  return `fences that stand: ${listed(true)}; that this machine refuses: ${listed(false)}`;
}

/**
 * For another program that reads what strangers made: the decoder's fences, but for those that keep it from files by
 * name. It writes at most 32 MB a file.
 */
export async function fencedProgram(cpuSeconds: number): Promise<(command: string[]) => string[]> {
  const standing = await standingFences(decoder());
  const byName = new Set(['no files but its own code', 'another user', 'a limit on processes']);
  const fences = new Set([...standing].filter((name) => !byName.has(name)));
  return behindFences(fences, { entry: decoder(), room: '', cpuSeconds });
}

/** The program that decodes. */
const decoder = () => childEntry(import.meta.url, 'develop-child');

/** A decoder that dies or hangs is the photo's doing; a child that never came up is ours. */
function whatStoppedIt(error: unknown): unknown {
  if (!(error instanceof ChildStopped)) return error;
  if (!error.started) return error;
  const tooSlow = error.reason === 'too-slow' || error.killedBy === 'SIGXCPU';
  return new UnusablePhoto(tooSlow ? 'too-slow' : 'damaged', error.message, { cause: error });
}
