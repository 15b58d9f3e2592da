/** Photos that describe their colors without an ICC profile: their videos must show the same colors. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { animateAndWait } from '#test/animate.ts';
import { coloredPngs } from '#test/photos/colored-pngs.ts';
import { createNclxBox, addHeicProperty } from '#test/photos/heic.ts';
import { createPatchesJpeg } from '#test/photos/patches.ts';
import shown from '#test/photos/shown-by-chromium.json' with { type: 'json' };
import { createImaging } from '../../imaging/imaging.ts';
import { findFfmpeg } from '../ffmpeg.ts';
import { createLocalAnimator } from './local-animator.ts';

const imaging = createImaging({ timeoutMs: 60_000 });
const readHeicFile = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/photos', name));

let folder = '';
let ffmpegPath = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'photo-colors-'));
  ffmpegPath = (await findFfmpeg(process.env['FFMPEG_PATH'])).path;
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['cICP', () => coloredPngs['Display P3 by cICP'], shown['Display P3 by cICP']],
  ['cICP with tone mapping', () => coloredPngs['PQ by cICP'], shown['PQ by cICP']],
  ['gAMA and cHRM', () => coloredPngs['Adobe RGB by gAMA and cHRM'], shown['Adobe RGB by gAMA and cHRM']],
  ['Exif', () => createPatchesJpeg({ colorSpace: 0xffff, index: 'R03' }), shown['Adobe RGB by gAMA and cHRM']],
  ['nclx', () => addHeicProperty(readHeicFile('patches.heic'), createNclxBox(12, 13)), shown['Display P3 by cICP']],
  [
    'nclx with tone mapping',
    () => addHeicProperty(readHeicFile('patches-deep.heic'), createNclxBox(9, 18)),
    shown['HLG by cICP'],
  ],
] as const)(
  'a video has the colors of its photo if the photo describes its colors by %s',
  async (way, photo, patches) => {
    const workFolder = join(folder, way);
    mkdirSync(workFolder);
    writeFileSync(join(workFolder, 'sent'), await photo());
    const { displayPath } = await imaging.develop(join(workFolder, 'sent'), workFolder, 'anna');
    const animator = createLocalAnimator({ ffmpegPath });
    const request = { id: way, sourcePath: displayPath, style: 'push-in', seconds: 0.2, folder: workFolder } as const;
    const { videoPath } = await animateAndWait(animator, request);
    const framePath = join(workFolder, 'frame.png');
    await promisify(execFile)(ffmpegPath, ['-loglevel', 'error', '-i', videoPath, '-frames:v', '1', framePath]);
    const { data } = await sharp(framePath).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const nearestColors = patches.map((patch) => findSmallestDistance(data, patch));
    // Video color values are coarser than those of a picture.
    for (const [at, difference] of nearestColors.entries()) expect.soft(difference, `patch ${at}`).toBeLessThan(4);
  },
);

/** Difference between a color and the most similar pixel, in its worst channel. */
function findSmallestDistance(pixels: Buffer, [red, green, blue]: readonly number[]): number {
  let nearest = 255;
  for (let at = 0; at < pixels.length; at += 3) {
    const difference = Math.max(
      Math.abs(pixels[at]! - red!),
      Math.abs(pixels[at + 1]! - green!),
      Math.abs(pixels[at + 2]! - blue!),
    );
    nearest = Math.min(nearest, difference);
  }
  return nearest;
}
