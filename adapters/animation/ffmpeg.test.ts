import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { findFfmpeg } from './ffmpeg.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ffmpeg-'));
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a fake ffmpeg that prints a version and lists this encoder. */
function writeFakeFfmpeg(encoder: string): string {
  const path = join(folder, 'ffmpeg');
  writeFileSync(path, `#!/bin/sh\necho "ffmpeg version 9"\necho " V..... ${encoder}  an encoder"\n`);
  chmodSync(path, 0o755);
  return path;
}

test('uses the configured ffmpeg', async () => {
  const path = writeFakeFfmpeg('libx264');
  expect(await findFfmpeg(path)).toEqual({ path, version: 'ffmpeg version 9' });
});

test('a configured ffmpeg without libx264 is an error', async () => {
  await expect(findFfmpeg(writeFakeFfmpeg('libtheora'))).rejects.toThrow(/FFMPEG_PATH=.* is no ffmpeg with libx264/);
  await expect(findFfmpeg(join(folder, 'missing'))).rejects.toThrow(/FFMPEG_PATH/);
});

test('uses the ffmpeg on PATH when none is configured', async () => {
  const path = writeFakeFfmpeg('libx264');
  vi.stubEnv('PATH', [join(folder, 'nothing-here'), folder].join(delimiter));
  expect((await findFfmpeg()).path).toBe(path);
});

test('skips an ffmpeg without libx264 on PATH and uses the one from the packages', async () => {
  writeFakeFfmpeg('libtheora');
  vi.stubEnv('PATH', [folder, '/usr/bin', '/bin'].join(delimiter));
  const { path } = await findFfmpeg();
  expect(path).not.toBe(join(folder, 'ffmpeg'));
  vi.stubEnv('PATH', folder);
  expect((await findFfmpeg()).path).toMatch(/ffmpeg-installer/);
});
