import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFfmpeg } from '#adapters/animation/ffmpeg.ts';

/** A one-second portrait video with sound, as if someone had made it by hand. */
export async function createOwnersVideoFile(): Promise<Buffer> {
  const { path: ffmpeg } = await findFfmpeg(process.env['FFMPEG_PATH']);
  const folder = mkdtempSync(join(tmpdir(), 'film-'));
  try {
    const path = join(folder, 'film.mp4');
    const sources = ['testsrc2=s=360x640:r=25:d=1', 'sine=d=1'].flatMap((it) => ['-f', 'lavfi', '-i', it]);
    execFileSync(ffmpeg, ['-v', 'error', ...sources, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', path]);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function createOwnersVideoForm(bytes: Buffer, name = 'film.mp4') {
  const form = new FormData();
  form.append('film', new Blob([new Uint8Array(bytes)], { type: 'video/mp4' }), name);
  return form;
}

/** The form with a file that the owner uploads for a page. */
export function createFileForm(bytes: Buffer, name = 'file.jpg', fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  return form;
}
