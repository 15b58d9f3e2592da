import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { coloredPngs } from '#test/photos/colored-pngs.ts';
import { createHeifBox, createNclxBox, createProfileBox, addHeicProperty } from '#test/photos/heic.ts';
import { createJpegSegment, addJpegSegments } from '#test/photos/pictures.ts';
import { createPatchesJpeg, readPatchColors, type ExifColor } from '#test/photos/patches.ts';
import shown from '#test/photos/shown-by-chromium.json' with { type: 'json' };
import { decodePhotoToCopies } from './develop.ts';
import { createImaging } from './imaging.ts';

const bounds = { sidePixels: 1000, pixels: 1_000_000, decodedBytes: 10_000_000 };
const mimes = { '\x89PN': 'image/png', '\xff\xd8\xff': 'image/jpeg' } as const;

/** Develops a photo and returns the color patches of its display copy and of its thumbnail. */
async function makeCopies(photo: Buffer): Promise<number[][][]> {
  const mime = mimes[photo.toString('latin1', 0, 3) as keyof typeof mimes] ?? 'image/heic';
  const { display, thumbnail } = await decodePhotoToCopies(Buffer.from(photo), mime, bounds);
  return await Promise.all([display, thumbnail].map(readPatchColors));
}

function findGreatestDifference(one: number[][], other: number[][]): number {
  return Math.max(...one.flatMap((patch, at) => patch.map((value, channel) => Math.abs(value - other[at]![channel]!))));
}

async function expectColors(
  photos: Record<string, Buffer>,
  expected: Record<string, number[][]>,
  { less = 3 } = {},
): Promise<void> {
  const names = Object.keys(photos);
  const copies = await Promise.all(names.map((name) => makeCopies(photos[name]!)));
  for (const [at, [display, thumbnail]] of copies.entries()) {
    const name = names[at]!;
    expect.soft(findGreatestDifference(display!, expected[name]!), `${name}, display copy`).toBeLessThan(less);
    expect.soft(findGreatestDifference(thumbnail!, expected[name]!), `${name}, thumbnail`).toBeLessThan(less);
  }
}

test('the copies of a PNG have the colors that Chromium shows, for every kind of color description', async () => {
  expect(Object.keys(shown)).toEqual(Object.keys(coloredPngs));
  await expectColors(coloredPngs, shown);
});

/** Extra tolerance for JPEG and HEIC, which do not store red, green and blue directly and round the values. */
const roundedByFormat = 1;

test('a JPEG is Adobe RGB if its Exif contains this color space, and sRGB if Exif contradicts itself or is damaged', async () => {
  const exifs: Record<string, ExifColor & { isAdobeRgb: boolean }> = {
    'R03, as cameras write it': { colorSpace: 0xffff, index: 'R03', isAdobeRgb: true },
    'R03, little-endian': { colorSpace: 0xffff, index: 'R03', order: 'II', isAdobeRgb: true },
    'R03 alone': { index: 'R03', isAdobeRgb: true },
    'color space 2': { colorSpace: 2, isAdobeRgb: true },
    'color space 1 against R03': { colorSpace: 1, index: 'R03', isAdobeRgb: false },
    'color space 2 against R98': { colorSpace: 2, index: 'R98', isAdobeRgb: false },
    uncalibrated: { colorSpace: 0xffff, isAdobeRgb: false },
    sRGB: { colorSpace: 1, index: 'R98', isAdobeRgb: false },
    nothing: { isAdobeRgb: false },
  };
  // The expected colors are the ones that Chromium shows for a PNG with equivalent gAMA and cHRM chunks.
  const chooseExpectedColors = (isAdobeRgb: boolean) =>
    isAdobeRgb ? shown['Adobe RGB by gAMA and cHRM'] : shown.nothing;
  const names = Object.keys(exifs);
  const jpegs = await Promise.all(names.map(async (name) => [name, await createPatchesJpeg(exifs[name])] as const));
  const withoutColorSpace = await createPatchesJpeg({ colorSpace: 0xffff, index: 'R03' });
  // Changes the pointer to the camera's Exif directory, so that it points beyond the end of the data.
  withoutColorSpace.writeUInt32BE(0x7fffffff, withoutColorSpace.indexOf(Buffer.from([0x87, 0x69])) + 8);
  await expectColors(
    { ...Object.fromEntries(jpegs), 'points behind its end': withoutColorSpace },
    {
      ...Object.fromEntries(names.map((name) => [name, chooseExpectedColors(exifs[name]!.isAdobeRgb)])),
      'points behind its end': shown.nothing,
    },
    { less: 3 + roundedByFormat },
  );
});

test('an ICC profile has priority over Exif', async () => {
  const [jpeg, profile] = [await createPatchesJpeg({ colorSpace: 0xffff, index: 'R03' }), 'p3'] as const;
  const jpegWithBothProfiles = await sharp(jpeg)
    .keepExif()
    .withIccProfile(profile)
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer();
  expect(jpegWithBothProfiles.includes('R03')).toBe(true);
  await expectColors({ both: jpegWithBothProfiles }, { both: shown.nothing }, { less: 3 + roundedByFormat });
});

test('the copies of a HEIC have the colors that Chromium shows for a PNG with equivalent colors', async () => {
  const [heic, deep] = ['patches.heic', 'patches-deep.heic'].map((name) =>
    readFileSync(join(import.meta.dirname, '../../test/photos', name)),
  ) as [Buffer, Buffer];
  const jpeg = await sharp(await createPatchesJpeg())
    .withIccProfile('p3')
    .jpeg()
    .toBuffer();
  const p3Profile = (await sharp(jpeg).metadata()).icc!;
  const createPeakBrightnessBox = (nits: number) => createHeifBox('clli', Buffer.from([nits >> 8, nits & 0xff, 0, 0]));
  const expected = {
    nothing: [heic, shown.nothing],
    'Display P3': [addHeicProperty(heic, createNclxBox(12, 13)), shown['Display P3 by cICP']],
    'Display P3 by its ICC twin': [addHeicProperty(heic, createProfileBox(p3Profile)), shown['Display P3 by cICP']],
    'a profile together with other code points': [
      addHeicProperty(addHeicProperty(heic, createNclxBox(1, 8)), createProfileBox(p3Profile)),
      shown['Display P3 by cICP'],
    ],
    PQ: [addHeicProperty(deep, createNclxBox(9, 16)), shown['PQ by cICP']],
    'PQ up to 400 nits': [
      addHeicProperty(addHeicProperty(deep, createPeakBrightnessBox(400)), createNclxBox(9, 16)),
      shown['PQ by cICP, up to 400 nits'],
    ],
    HLG: [addHeicProperty(deep, createNclxBox(9, 18)), shown['HLG by cICP']],
    'linear light': [addHeicProperty(heic, createNclxBox(1, 8)), shown['linear light by cICP']],
    'the curve of television, as phones write it': [addHeicProperty(heic, createNclxBox(1, 6)), shown.nothing],
    'all unspecified': [addHeicProperty(heic, createNclxBox(2, 2)), shown.nothing],
    'no known code': [addHeicProperty(heic, createNclxBox(99, 99)), shown.nothing],
  } as const;
  const names = Object.keys(expected) as (keyof typeof expected)[];
  await expectColors(
    Object.fromEntries(names.map((name) => [name, expected[name][0]])),
    Object.fromEntries(names.map((name) => [name, expected[name][1]])),
    { less: 3 + roundedByFormat },
  );
});

test('ignores a gain map after a JPEG and keeps the base picture’s colors', async () => {
  const [base, map] = [
    await createPatchesJpeg(),
    await sharp(await createPatchesJpeg())
      .negate()
      .greyscale()
      .jpeg()
      .toBuffer(),
  ];
  const pictures = createJpegSegment(
    0xe2,
    Buffer.concat([Buffer.from('MPF\0MM\0*\0\0\0\x08', 'latin1'), Buffer.alloc(60)]),
  );
  const gainMapXmp = '<x:xmpmeta xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"/>';
  const xmp = createJpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${gainMapXmp}`, 'latin1'));
  const photo = Buffer.concat([addJpegSegments(base, [xmp, pictures]), map]);
  await expectColors({ photo }, { photo: shown.nothing }, { less: 3 + roundedByFormat });
});

test('ignores a gain map inside a HEIC and keeps the base picture’s colors', async () => {
  const photo = readFileSync(join(import.meta.dirname, '../../test/photos/patches-gain-map.heic'));
  expect(photo.includes('hdrgainmap')).toBe(true);
  await expectColors({ photo }, { photo: shown.nothing }, { less: 3 + roundedByFormat });
});

test('develops a photo with a color description behind the fences, and leaves its original unchanged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colors-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const imaging = createImaging({ timeoutMs: 60_000 });
  const deep = readFileSync(join(import.meta.dirname, '../../test/photos/patches-deep.heic'));
  const photos = {
    png: [coloredPngs['PQ by cICP'], shown['PQ by cICP']],
    jpeg: [await createPatchesJpeg({ index: 'R03' }), shown['Adobe RGB by gAMA and cHRM']],
    heic: [addHeicProperty(deep, createNclxBox(9, 18)), shown['HLG by cICP']],
  } as const;
  await Promise.all(
    Object.entries(photos).map(async ([name, [photo, expected]]) => {
      const outputFolder = join(folder, name);
      mkdirSync(outputFolder);
      const path = join(outputFolder, 'original');
      writeFileSync(path, photo);
      const { displayPath } = await imaging.develop(path, outputFolder, 'anna');
      expect(findGreatestDifference(await readPatchColors(readFileSync(displayPath)), expected), name).toBeLessThan(
        3 + roundedByFormat,
      );
      expect(readFileSync(path).equals(photo), name).toBe(true);
    }),
  );
});
