import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileTypeFromFile } from 'file-type';
import { UnusableVideo, type PageVideo, type PageVideos } from '#shop/ports/page-videos.ts';
import { runSandboxedProgram } from '../imaging/confinement.ts';
import type { Ffmpeg } from './ffmpeg.ts';
import { isMp4, readVideoFacts } from './video-facts.ts';

const runProgram = promisify(execFile);
const timeoutMs = 60_000;

/** Codecs that nearly every browser plays, by container. */
const playableCodecs: Record<PageVideo['extension'], string[]> = { mp4: ['h264', 'av1'], webm: ['vp8', 'vp9', 'av1'] };

async function findExtension(path: string): Promise<PageVideo['extension'] | undefined> {
  if (await isMp4(path)) return 'mp4';
  return (await fileTypeFromFile(path))?.mime === 'video/webm' ? 'webm' : undefined;
}

/**
 * Repackages videos for pages. Calls `findFfmpeg` for the first video. The files are untrusted, so ffmpeg reads them
 * behind the kernel's fences.
 */
export function createPageVideos(findFfmpeg: () => Promise<Ffmpeg>): PageVideos {
  let ffmpegPromise: Promise<Ffmpeg> | undefined;
  return {
    isFilm: async (path) => (await findExtension(path)) !== undefined,
    async convertToPageVideo(source, folder) {
      const extension = await findExtension(source);
      if (!extension) throw new UnusableVideo('neither an MP4 nor a WebM');
      const { path: ffmpeg } = await (ffmpegPromise ??= findFfmpeg());
      const path = join(folder, `film.${extension}`);
      const input = ['-f', extension === 'mp4' ? 'mov' : 'matroska', '-i', `file:${source}`];
      const onlyVideoArguments = ['-map', '0:V:0', '-map_metadata', '-1', '-map_chapters', '-1', '-an', '-sn', '-dn'];
      const packingArguments = ['-c:v', 'copy', ...(extension === 'mp4' ? ['-movflags', '+faststart'] : []), path];
      const safeFfmpegArgs = ['-nostdin', '-v', 'error', '-y', '-protocol_whitelist', 'file'];
      const access = { reads: [source], writes: [folder], cpuSeconds: timeoutMs / 1000 };
      const playbackFacts = await runSandboxedProgram(ffmpeg, access, async (fenced) => {
        const [program = '', ...args] = fenced([
          ffmpeg,
          ...safeFfmpegArgs,
          ...input,
          ...onlyVideoArguments,
          ...packingArguments,
        ]);
        await runProgram(program, args, { timeout: timeoutMs, killSignal: 'SIGKILL', env: {} }).catch(
          (error: unknown) => {
            throw new UnusableVideo('the film cannot be packed', { cause: error });
          },
        );
        return readVideoFacts(ffmpeg, path, fenced);
      });
      if (!playbackFacts || !(playbackFacts.seconds > 0)) throw new UnusableVideo('the file holds no film');
      if (!playableCodecs[extension].includes(playbackFacts.codec) || !/^yuvj?420p$/.test(playbackFacts.pixelFormat))
        throw new UnusableVideo(`${playbackFacts.codec} in ${playbackFacts.pixelFormat} is not played everywhere`);
      return { path, extension };
    },
  };
}
