import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createMotionPhotoParts,
  createGoogleMotionPhoto,
  createHeicMotionPhoto,
  createMicroVideoPhoto,
  createSamsungMotionPhoto,
  type MotionPhotoParts,
} from '#test/photos/motion-photos.ts';
import { createAnimatedWebp, createJpegSegment, addJpegSegments } from '#test/photos/pictures.ts';
import { createImaging } from './imaging.ts';
import { findOwnMotion, motionIfSimilarShape } from './own-motion.ts';

const heic = readFileSync(join(import.meta.dirname, '../../test/photos/garden.heic'));
let folder = '';
let parts: MotionPhotoParts;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'own-motion-'));
  parts = await createMotionPhotoParts({ width: 400, size: { width: 320, height: 240 }, seconds: 1 });
});
afterAll(() => rmSync(folder, { recursive: true }));

async function developFile(name: string, bytes: Buffer) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const developedPhoto = await createImaging().develop(path, folder, 'anna');
  expect(readFileSync(path).equals(bytes)).toBe(true);
  return developedPhoto;
}
const createFoundFilm = (bytes: Buffer, stillAt?: number) => ({
  kind: 'film',
  offset: bytes.indexOf(parts.film),
  length: parts.film.length,
  ...(stillAt !== undefined && { stillAt }),
});

test.each([
  ['a Container in XMP', () => createGoogleMotionPhoto(parts, 0.5), 0.5],
  ['a Container without the moment of the still', () => createGoogleMotionPhoto(parts), undefined],
  ['MicroVideo in XMP', () => createMicroVideoPhoto(parts, 0.25), 0.25],
  ['Samsung’s directory', () => createSamsungMotionPhoto(parts), undefined],
])('finds the film of a JPEG with %s, and the photo is decoded as usual', async (name, make, stillAt) => {
  const bytes = make();
  const { ownMotion, width, height } = await developFile(`${name}.jpg`, bytes);
  expect(ownMotion).toEqual(createFoundFilm(bytes, stillAt));
  expect({ width, height }).toEqual({ width: 400, height: 300 });
});

test('finds the film of a HEIC, in its own box or in Samsung’s directory', async () => {
  const heicMotionPhoto = createHeicMotionPhoto(heic, parts.film);
  expect((await developFile('boxed.heic', heicMotionPhoto)).ownMotion).toEqual(createFoundFilm(heicMotionPhoto));
  const samsung = createSamsungMotionPhoto({ still: heic, film: parts.film });
  expect((await developFile('samsung.heic', samsung)).ownMotion).toEqual(createFoundFilm(samsung));
});

test('finds the film even if its length in XMP includes bytes after it', () => {
  const trailer = Buffer.from('bytes of another program');
  const bytes = createGoogleMotionPhoto({ ...parts, film: Buffer.concat([parts.film, trailer]) });
  expect(findOwnMotion(bytes, 'image/jpeg')?.motion).toEqual(createFoundFilm(bytes));
});

test('a photo has no motion if its film is incomplete, empty, or not in the same file', async () => {
  const wholeFile = createGoogleMotionPhoto(parts, 0.5);
  for (const [name, bytes] of Object.entries({
    cut: wholeFile.subarray(0, wholeFile.length - 1000),
    headerOnly: wholeFile.subarray(0, wholeFile.length - parts.film.length + 40),
    none: createGoogleMotionPhoto({ ...parts, film: Buffer.alloc(0) }),
    zeros: createGoogleMotionPhoto({ ...parts, film: Buffer.alloc(5000) }),
    stillAlone: parts.still,
    samsungCut: createSamsungMotionPhoto({ ...parts, film: parts.film.subarray(0, 3000) }),
  }))
    expect((await developFile(`${name}.jpg`, bytes)).ownMotion, name).toBeUndefined();
});

test('ignores wrong lengths and offsets of a film without an error', () => {
  const wholeFile = createSamsungMotionPhoto(parts);
  for (const index of [8, 12, 16, 20, 24, 28])
    for (const value of [0, 1, 0xffffffff]) {
      const brokenFile = Buffer.from(wholeFile);
      brokenFile.writeUInt32LE(value, wholeFile.length - 8 - index + 8 - 4);
      expect(() => findOwnMotion(brokenFile, 'image/jpeg')).not.toThrow();
    }
  for (const length of ['99999999999', '-5', 'x'])
    expect(
      findOwnMotion(
        Buffer.from(
          createGoogleMotionPhoto(parts)
            .toString('latin1')
            .replace(`Length="${parts.film.length}"`, `Length="${length}"`),
          'latin1',
        ),
        'image/jpeg',
      ),
    ).toBeUndefined();
});

test('uses a 16:9 film with a 4:3 photo, but no film whose shape differs more', () => {
  const createFoundMotion = (width: number, height: number) => ({
    motion: { kind: 'animation' as const },
    size: { width, height },
  });
  expect(motionIfSimilarShape(createFoundMotion(1920, 1080), { width: 4000, height: 3000 })).toBeDefined();
  expect(motionIfSimilarShape(createFoundMotion(1080, 1920), { width: 3000, height: 4000 })).toBeDefined();
  expect(motionIfSimilarShape(createFoundMotion(1080, 1920), { width: 4000, height: 3000 })).toBeUndefined();
  expect(motionIfSimilarShape(createFoundMotion(4000, 1000), { width: 4000, height: 3000 })).toBeUndefined();
});

test('treats an animation of many quick pictures as motion, but not a slide show or a still picture', async () => {
  const sideLength = 16;
  const frame = await sharp({ create: { width: sideLength, height: sideLength, channels: 3, background: 'red' } })
    .webp()
    .toBuffer();
  expect(findOwnMotion(createAnimatedWebp(frame, sideLength, 12), 'image/webp')?.motion).toEqual({ kind: 'animation' });
  expect(findOwnMotion(createAnimatedWebp(frame, sideLength, 3), 'image/webp')).toBeUndefined();
  expect(findOwnMotion(frame, 'image/webp')).toBeUndefined();
  const createGif = (pages: number, delay: number) =>
    sharp(Buffer.from(Array.from({ length: 3 * sideLength * sideLength * pages }, (_, at) => (at * 7) % 251)), {
      raw: { width: sideLength, height: sideLength * pages, channels: 3, pageHeight: sideLength },
    })
      .gif({ delay: Array<number>(pages).fill(delay) })
      .toBuffer();
  expect(findOwnMotion(await createGif(10, 80), 'image/gif')?.motion).toEqual({ kind: 'animation' });
  expect(findOwnMotion(await createGif(10, 1500), 'image/gif')).toBeUndefined();
  expect(findOwnMotion(await createGif(1, 100), 'image/gif')).toBeUndefined();
  expect(findOwnMotion((await createGif(10, 80)).subarray(0, 400), 'image/gif')).toBeUndefined();
});

test.each(['jpeg', 'heic'] as const)('searches long and meaningless XMP of a %s in little time', (kind) => {
  const length = kind === 'jpeg' ? 60_000 : 4_000_000;
  const xmp = Buffer.from(`<x:xmpmeta>${'a'.repeat(length)}</x:xmpmeta>`);
  const head = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
  const bytes =
    kind === 'jpeg'
      ? addJpegSegments(parts.still, [createJpegSegment(0xe1, Buffer.concat([head, xmp]))])
      : Buffer.concat([heic, xmp]);
  const startedAt = performance.now();
  expect(findOwnMotion(bytes, `image/${kind}`)).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(500);
});
