import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const runProgram = promisify(execFile);

export interface Ffmpeg {
  path: string;
  /** The version line that ffmpeg prints, for the log and `npm run doctor`. */
  version: string;
}

/**
 * Finds an ffmpeg that can make the shop's videos: the configured one, otherwise one on PATH, otherwise the one from
 * the npm packages. Throws if there is none. If the configured ffmpeg cannot make them, no other is tried.
 */
export async function findFfmpeg(configuredPath?: string): Promise<Ffmpeg> {
  if (configuredPath) {
    const ffmpeg = await probe(configuredPath);
    if (!ffmpeg) throw new Error(`FFMPEG_PATH=${configuredPath} is no ffmpeg with libx264`);
    return ffmpeg;
  }
  for (const path of [...(await findFfmpegOnPath()), await findBundledFfmpeg()]) {
    const ffmpeg = path && (await probe(path));
    if (ffmpeg) return ffmpeg;
  }
  throw new Error('no ffmpeg with libx264 found: install one or set FFMPEG_PATH');
}

async function probe(path: string): Promise<Ffmpeg | undefined> {
  try {
    const [encoders, version] = await Promise.all([
      runProgram(path, ['-hide_banner', '-encoders'], { timeout: 10_000 }),
      runProgram(path, ['-version'], { timeout: 10_000 }),
    ]);
    if (!/\blibx264\b/.test(encoders.stdout)) return undefined;
    return { path, version: version.stdout.split('\n')[0] ?? '' };
  } catch {
    // The file is missing, not a program, or built for another machine.
    return undefined;
  }
}

async function findFfmpegOnPath(): Promise<string[]> {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'ffmpeg'));
  const foundPrograms = await Promise.all(
    candidates.map((path) =>
      access(path, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return candidates.filter((_, at) => foundPrograms[at]);
}

async function findBundledFfmpeg(): Promise<string | undefined> {
  try {
    return (await import('@ffmpeg-installer/ffmpeg')).default.path;
  } catch {
    // The package throws on platforms without a build.
    return undefined;
  }
}
