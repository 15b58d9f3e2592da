import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { groupAlikePhotos } from '#shop/photos/alike-photos.ts';
import { computePerceptualHash } from './perceptual-hash.ts';

const photos = join(import.meta.dirname, '../../db/sample/photos');
const names = ['kite-at-the-lake', 'seventh-birthday', 'october-avenue', 'campfire', 'snowman', 'lighthouse'];
const openPhoto = (name: string) => sharp(join(photos, `${name}.jpg`)).resize(480, 480, { fit: 'inside' });
const areAlike = async (one: Buffer, other: Buffer) => {
  const comparedPhotos = [one, other].map(async (it, at) => ({
    id: String(at),
    perceptualHash: (await computePerceptualHash(it)) ?? null,
    keptAlike: null,
  }));
  return groupAlikePhotos(await Promise.all(comparedPhotos)).length === 1;
};

const changes: [string, (photo: Sharp, width: number, height: number) => Sharp][] = [
  ['encoded again', (photo) => photo.jpeg({ quality: 40 })],
  ['half the size', (photo, width) => photo.resize(Math.round(width / 2))],
  ['brighter', (photo) => photo.linear(1.25, 10)],
  ['darker', (photo) => photo.linear(0.7, 0)],
  ['black and white', (photo) => photo.greyscale()],
  [
    'cropped by 2% at each edge',
    (photo, width, height) =>
      photo.extract({
        left: Math.round(width * 0.02),
        top: Math.round(height * 0.02),
        width: Math.round(width * 0.96),
        height: Math.round(height * 0.96),
      }),
  ],
];
test.each(changes)('a photo that is %s looks like the original', async (_name, change) => {
  for (const name of names) {
    const { data, info } = await openPhoto(name).png().toBuffer({ resolveWithObject: true });
    expect(await areAlike(data, await change(sharp(data), info.width, info.height).webp().toBuffer()), name).toBe(true);
  }
});

test('different photos, and a photo and its mirror image, do not look alike', async () => {
  const pictures = await Promise.all(names.map((it) => openPhoto(it).png().toBuffer()));
  pictures.push(await openPhoto('kite-at-the-lake').flop().png().toBuffer());
  for (const [at, one] of pictures.entries())
    for (const otherPicture of pictures.slice(at + 1)) expect(await areAlike(one, otherPicture)).toBe(false);
});

test('plain pictures have no hash, so that noise is not compared', async () => {
  const createPlainPhoto = (background: string) =>
    sharp({ create: { width: 200, height: 100, channels: 3, background } })
      .jpeg()
      .toBuffer();
  for (const color of ['white', 'black', '#7a8b9c'])
    expect(await computePerceptualHash(await createPlainPhoto(color))).toBeUndefined();
});
