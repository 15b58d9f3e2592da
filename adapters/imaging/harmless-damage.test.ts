import sharp, { type JpegOptions } from 'sharp';
import { expect, test } from 'vitest';
import { paintGarden } from '#test/photos/garden.ts';
import { createJpegSegment, addJpegSegments } from '#test/photos/pictures.ts';
import { decodePhotoToCopies } from './develop.ts';

const [endOfImage, startOfScan] = [Buffer.from([0xff, 0xd9]), Buffer.from([0xff, 0xda])];
const garden = sharp(paintGarden(400, 300).toBuffer('image/png'));
const createJpeg = (options: JpegOptions) =>
  garden
    .clone()
    .jpeg({ quality: 90, ...options })
    .toBuffer();
const kinds = {
  baseline: await createJpeg({}),
  progressive: await createJpeg({ progressive: true }),
  'progressive, by mozjpeg': await createJpeg({ mozjpeg: true }),
  grey: await garden.clone().greyscale().jpeg().toBuffer(),
};

const bounds = { sidePixels: 1000, pixels: 1_000_000, decodedBytes: 10_000_000 };
const developPhoto = async (photo: Buffer) =>
  (await decodePhotoToCopies(Buffer.from(photo), 'image/jpeg', bounds)).display;

/**
 * Expects that each photo is accepted and that its copy looks like the photo without the fault. Develops one photo at a
 * time, because decoders in one process share their warnings.
 */
async function expectAccepted(photos: Record<string, readonly [photo: Buffer, whole: Buffer]>): Promise<void> {
  for (const [name, [photo, whole]] of Object.entries(photos)) {
    const [end] = await Promise.allSettled([developPhoto(photo)]);
    expect.soft(end, name).toMatchObject({ status: 'fulfilled' });
    if (end.status === 'fulfilled') expect.soft(await computeMeanDifference(end.value, whole), name).toBeLessThan(3);
  }
}
async function expectRefused(photos: Record<string, Buffer>): Promise<void> {
  for (const [name, photo] of Object.entries(photos))
    await expect.soft(developPhoto(photo), name).rejects.toThrow('VipsJpeg');
}

/** The mean difference of two pictures, 0 to 255. */
async function computeMeanDifference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((it) => sharp(it).toColourspace('srgb').raw().toBuffer()));
  return a!.reduce((sum, value, at) => sum + Math.abs(value - b![at]!), 0) / a!.length;
}

const createDamage =
  (photos: Record<string, Buffer>) =>
  <T>(fault: string, of: (jpeg: Buffer) => T): Record<string, T> =>
    Object.fromEntries(Object.entries(photos).map(([kind, jpeg]) => [`${kind}: ${fault}`, of(jpeg)]));
const damageEachKind = createDamage(kinds);
const damageBothKinds = createDamage({ baseline: kinds.baseline, progressive: kinds.progressive });
const removeEndMarker = (jpeg: Buffer) => jpeg.subarray(0, -2);

test('accepts a JPEG without its end marker if its picture is complete', async () => {
  await expectAccepted({
    ...damageEachKind('no end marker', (jpeg) => [removeEndMarker(jpeg), jpeg] as const),
    ...damageEachKind('half an end marker', (jpeg) => [jpeg.subarray(0, -1), jpeg] as const),
    ...damageEachKind(
      'other bytes instead',
      (jpeg) => [Buffer.concat([removeEndMarker(jpeg), Buffer.alloc(3000)]), jpeg] as const,
    ),
    ...damageEachKind(
      'another picture instead',
      (jpeg) => [Buffer.concat([removeEndMarker(jpeg), kinds.grey]), jpeg] as const,
    ),
  });
});

test('accepts a JPEG with stray bytes or another picture after its end, and with stray bytes inside', async () => {
  const strayBytes = Buffer.alloc(40, 'stray');
  await expectAccepted({
    ...damageEachKind('bytes behind the end', (jpeg) => [Buffer.concat([jpeg, strayBytes]), jpeg] as const),
    ...damageEachKind('another picture behind the end', (jpeg) => [Buffer.concat([jpeg, kinds.grey]), jpeg] as const),
    ...damageEachKind(
      'bytes before the end',
      (jpeg) => [Buffer.concat([removeEndMarker(jpeg), strayBytes, endOfImage]), jpeg] as const,
    ),
    ...damageEachKind(
      'bytes before the first scan',
      (jpeg) => [insertBytes(jpeg, strayBytes, jpeg.indexOf(startOfScan)), jpeg] as const,
    ),
  });
});

test('accepts invalid JPEG versions, transforms and markers, and shows them as every decoder does', async () => {
  const createJfifHeader = (version: number) =>
    createJpegSegment(0xe0, Buffer.from(`JFIF\0${String.fromCharCode(version)}\x01\x01\0\x48\0\x48\0\0`, 'latin1'));
  const createAdobeSegment = (transform: number) =>
    createJpegSegment(0xee, Buffer.from(`Adobe\0\x64\0\0\0\0${String.fromCharCode(transform)}`, 'latin1'));
  const cmykJpeg = await garden.clone().toColourspace('cmyk').jpeg().toBuffer();
  // The tests of Adobe's segment need JPEGs without a JFIF segment, because decoders ignore Adobe's segment if there is
  // also JFIF.
  expect(kinds.baseline.includes('JFIF')).toBe(false);
  await expectAccepted({
    ...damageBothKinds('JFIF 2.01', (jpeg) => [addJpegSegments(jpeg, [createJfifHeader(2)]), jpeg] as const),
    ...damageBothKinds('JFIF 0.01', (jpeg) => [addJpegSegments(jpeg, [createJfifHeader(0)]), jpeg] as const),
    ...damageBothKinds('Adobe transform 3', (jpeg) => [addJpegSegments(jpeg, [createAdobeSegment(3)]), jpeg] as const),
    ...damageBothKinds(
      'a reserved marker',
      (jpeg) => [addJpegSegments(jpeg, [createJpegSegment(0xf3, Buffer.from('anything'))]), jpeg] as const,
    ),
    ...damageBothKinds(
      'a marker of no use',
      (jpeg) => [addJpegSegments(jpeg, [createJpegSegment(0xe5, Buffer.alloc(900))]), jpeg] as const,
    ),
    ...damageBothKinds(
      'a comment between scans',
      (jpeg) =>
        [
          insertBytes(jpeg, createJpegSegment(0xfe, Buffer.from('words')), jpeg.lastIndexOf(startOfScan)),
          jpeg,
        ] as const,
    ),
    'print colors: Adobe transform 9': [
      withAdobeTransform(cmykJpeg, 9),
      await developPhoto(withAdobeTransform(cmykJpeg, 2)),
    ],
  });
});

test('refuses a JPEG with missing rows, even if it has an end marker', async () => {
  const { baseline, progressive } = kinds;
  const cutToFirstHalf = (jpeg: Buffer) => jpeg.subarray(0, jpeg.length >> 1);
  const strayBytes = Buffer.from('stray');
  const findFirstScanIndex = (jpeg: Buffer) => jpeg.indexOf(startOfScan);
  await expectRefused({
    'baseline: half of it, other bytes and an end marker': Buffer.concat([
      cutToFirstHalf(baseline),
      Buffer.alloc(9),
      endOfImage,
    ]),
    'baseline: all but 40 bytes': baseline.subarray(0, -40),
    'baseline: all but 40 bytes, and stray ones before the scan': insertBytes(
      Buffer.concat([baseline.subarray(0, -40), endOfImage]),
      strayBytes,
      findFirstScanIndex(baseline),
    ),
    'progressive: half of it and an end marker': Buffer.concat([cutToFirstHalf(progressive), endOfImage]),
    'progressive: no last scan': progressive.subarray(0, progressive.lastIndexOf(startOfScan)),
    'progressive: stray bytes behind a scan that lacks some': insertBytes(
      Buffer.concat([progressive.subarray(0, -40), endOfImage]),
      strayBytes,
      progressive.lastIndexOf(startOfScan),
    ),
  });
});

const insertBytes = (jpeg: Buffer, bytes: Buffer, at: number) =>
  Buffer.concat([jpeg.subarray(0, at), bytes, jpeg.subarray(at)]);
function withAdobeTransform(jpeg: Buffer, transform: number): Buffer {
  const changedJpeg = Buffer.from(jpeg);
  changedJpeg[changedJpeg.indexOf('Adobe') + 11] = transform;
  return changedJpeg;
}
