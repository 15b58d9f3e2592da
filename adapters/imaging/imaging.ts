import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UnusablePhoto, type DevelopedPhoto, type Imaging } from '#shop/ports.ts';
import { childEntry } from '../processes/child-entry.ts';
import { ChildStopped, runInChild } from '../processes/run-in-child.ts';
import { takeTurns } from '../processes/turns.ts';
import { kernelLimits, permissionArguments } from './confinement.ts';
import type { DevelopAnswer, DevelopJob } from './develop.ts';
import { sniffPhoto } from './sniff.ts';

/** Decodes at most `concurrency` photos at once, each in a process of its own that is killed after `timeoutMs`. */
export function createImaging({ concurrency = 2, timeoutMs = 20_000 } = {}): Imaging {
  const inTurn = takeTurns(concurrency);
  return {
    sniff: sniffPhoto,
    develop: async (path, folder) => {
      const mime = await sniffPhoto(path);
      if (!mime) throw new UnusablePhoto('not-a-photo', 'the bytes are no photo of the types taken');
      const job: DevelopJob = {
        path: resolve(path),
        mime,
        displayPath: resolve(folder, 'display.jpg'),
        thumbnailPath: resolve(folder, 'thumbnail.webp'),
      };
      try {
        return await inTurn(() => develop(job, resolve(folder), timeoutMs));
      } catch (error) {
        await Promise.all([job.displayPath, job.thumbnailPath].map((copy) => rm(copy, { force: true })));
        throw error;
      }
    },
  };
}

async function develop(job: DevelopJob, folder: string, timeoutMs: number): Promise<DevelopedPhoto> {
  const entry = childEntry(import.meta.url, 'develop-child');
  const answer = await runInChild<DevelopJob, DevelopAnswer>({
    entry,
    job,
    nodeArguments: permissionArguments(entry, job.path, folder),
    // libvips spills large pictures into files of its own unless told to keep them in memory.
    environment: { VIPS_DISC_THRESHOLD: '2g' },
    wrap: await kernelLimits(timeoutMs),
    timeoutMs,
  }).catch((error: unknown) => {
    throw whatStoppedIt(error);
  });
  if ('refused' in answer) throw new UnusablePhoto(answer.refused.reason, answer.refused.message);
  if ('failed' in answer) throw Object.assign(new Error(answer.failed.message), { code: answer.failed.code });
  const { mime, displayPath, thumbnailPath } = job;
  return { mime, ...answer.developed, displayPath, thumbnailPath };
}

/** A decoder that dies or hangs is the photo's doing; a child that never came up is ours. */
function whatStoppedIt(error: unknown): unknown {
  if (!(error instanceof ChildStopped)) return error;
  const tooSlow = error.reason === 'too-slow' || error.killedBy === 'SIGXCPU';
  if (!tooSlow && !error.started) return error;
  return new UnusablePhoto(tooSlow ? 'too-slow' : 'damaged', error.message, { cause: error });
}
