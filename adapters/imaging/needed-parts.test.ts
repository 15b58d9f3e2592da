import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { paintGarden } from '#test/photos/garden.ts';
import {
  createJpegSegment,
  addJpegSegments,
  createPngChunk,
  addPngChunks,
  createWebpChunk,
  createAnimatedWebp,
  createWebp,
} from '#test/photos/pictures.ts';
import { profileBytesLimit } from './color-profile.ts';
import { keepNeededParts } from './needed-parts.ts';

const garden = sharp(paintGarden(160, 120).toBuffer('image/png')).withIccProfile('p3');
const readPixels = (picture: Buffer) => sharp(picture).raw().toBuffer();
const p3Profile = (await sharp(await garden.clone().png().toBuffer()).metadata()).icc!;

/** Makes data that looks like an ICC profile but is larger than any real one. */
function createHugeProfile(): Buffer {
  const profile = Buffer.alloc(profileBytesLimit + 4);
  profile.writeUInt32BE(profile.length);
  profile.write('acsp', 36, 'latin1');
  return profile;
}
const createPngProfile = (profile: Buffer) =>
  createPngChunk('iCCP', Buffer.concat([Buffer.from('a name\0\0', 'latin1'), deflateSync(profile)]));
const createJpegProfile = (profile: Buffer) => {
  const size = 65_000;
  const count = Math.ceil(profile.length / size);
  return Array.from({ length: count }, (_, i) =>
    createJpegSegment(
      0xe2,
      Buffer.concat([
        Buffer.from('ICC_PROFILE\0', 'latin1'),
        Buffer.from([i + 1, count]),
        profile.subarray(i * size, (i + 1) * size),
      ]),
    ),
  );
};

test('keeps the pixels, the profile and the orientation of a camera photo', async () => {
  const orientation = { orientation: 6 } as const;
  const photos = {
    'image/jpeg': await garden.clone().withMetadata(orientation).withIccProfile('p3').jpeg().toBuffer(),
    'image/png': await garden.clone().withMetadata(orientation).withIccProfile('p3').png().toBuffer(),
    'image/webp': await garden.clone().withMetadata(orientation).withIccProfile('p3').webp().toBuffer(),
    'image/gif': await garden.clone().gif().toBuffer(),
  } as const;
  for (const [mime, photo] of Object.entries(photos)) {
    const neededBytes = keepNeededParts(Buffer.from(photo), mime as keyof typeof photos);
    const metadataBefore = await sharp(photo).metadata();
    const metadataAfter = await sharp(neededBytes).metadata();
    expect.soft(metadataAfter.icc, mime).toEqual(metadataBefore.icc);
    expect.soft(metadataAfter.orientation, mime).toBe(metadataBefore.orientation);
    expect.soft((await readPixels(neededBytes)).equals(await readPixels(photo)), mime).toBe(true);
  }
});

test('removes compressed text from a PNG before decoding', async () => {
  const png = await garden.clone().png().toBuffer();
  const compressedZeros = deflateSync(Buffer.alloc(20_000_000));
  const text = addPngChunks(png, [
    createPngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), compressedZeros])),
    createPngChunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0', 'latin1'), compressedZeros])),
    createPngChunk('tEXt', Buffer.from('Comment\0words')),
  ]);
  const neededBytes = keepNeededParts(text, 'image/png');
  for (const type of ['zTXt', 'iTXt', 'tEXt']) expect(neededBytes.includes(type), type).toBe(false);
  expect(neededBytes.equals(keepNeededParts(png, 'image/png'))).toBe(true);
});

test('removes an invalid or too large profile and keeps the picture', async () => {
  const plainPhoto = sharp(paintGarden(160, 120).toBuffer('image/png')).removeAlpha();
  const [png, jpeg, webp] = [
    await plainPhoto.clone().png().toBuffer(),
    await plainPhoto.clone().jpeg().toBuffer(),
    await plainPhoto.clone().webp().toBuffer(),
  ];
  const noProfile = Buffer.alloc(500, 'no profile');
  const withProfile = Buffer.from([profileFlag, 0, 0, 0, 159, 0, 0, 119, 0, 0]);
  const neededByFormat = {
    png: (profile: Buffer) => keepNeededParts(addPngChunks(png, [createPngProfile(profile)]), 'image/png'),
    jpeg: (profile: Buffer) => keepNeededParts(addJpegSegments(jpeg, createJpegProfile(profile)), 'image/jpeg'),
    webp: (profile: Buffer) =>
      keepNeededParts(
        createWebp([createWebpChunk('VP8X', withProfile), createWebpChunk('ICCP', profile), webp.subarray(12)]),
        'image/webp',
      ),
  };
  for (const [format, neededBytes] of Object.entries(neededByFormat)) {
    expect.soft((await sharp(neededBytes(p3Profile)).metadata()).icc, format).toEqual(p3Profile);
    const bareParts = neededBytes(createHugeProfile());
    expect.soft((await sharp(bareParts, { failOn: 'warning' }).metadata()).icc, format).toBeUndefined();
    expect.soft((await readPixels(bareParts)).length, format).toBe(160 * 120 * 3);
  }
  for (const neededBytes of [neededByFormat.png(noProfile), neededByFormat.webp(noProfile)])
    expect((await sharp(neededBytes).metadata()).icc).toBeUndefined();
  expect(neededByFormat.png(p3Profile.subarray(0, 300)).includes('iCCP')).toBe(false);
});
const profileFlag = 0x20;

test('a JPEG keeps its orientation and loses comments, previews and other programs’ notes', async () => {
  const jpeg = await garden.clone().withMetadata({ orientation: 8 }).jpeg().toBuffer();
  const notes = [
    createJpegSegment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<x/>', 'latin1')),
    createJpegSegment(0xe2, Buffer.from('MPF\0preview', 'latin1')),
    createJpegSegment(0xed, Buffer.from('Photoshop 3.0\0note', 'latin1')),
    createJpegSegment(0xfe, Buffer.from('a comment')),
  ];
  const neededBytes = keepNeededParts(addJpegSegments(jpeg, notes), 'image/jpeg');
  expect(neededBytes.equals(jpeg)).toBe(true);
  expect((await sharp(neededBytes).metadata()).orientation).toBe(8);
});

test('keeps only the first picture of an animated WebP, even if it has 200,000 pictures', async () => {
  const redPicture = { width: 16, height: 16, channels: 3, background: '#c03030' } as const;
  const stillWebp = await sharp({ create: redPicture }).webp({ lossless: true }).toBuffer();
  const neededBytes = keepNeededParts(createAnimatedWebp(stillWebp, 16, 200_000), 'image/webp');
  expect(await sharp(neededBytes).metadata()).toMatchObject({ width: 16, height: 16, pages: 1 });
  expect((await readPixels(neededBytes)).equals(await readPixels(stillWebp))).toBe(true);
});

test('handles a photo truncated within its first 3000 bytes without an error, and does not make it longer', async () => {
  const photos = {
    'image/jpeg': await garden.clone().jpeg().toBuffer(),
    'image/png': await garden.clone().png().toBuffer(),
    'image/webp': await garden.clone().webp().toBuffer(),
  } as const;
  for (const [mime, photo] of Object.entries(photos))
    for (let length = 12; length < 3000; length += 1) {
      const truncatedPhoto = photo.subarray(0, length);
      expect(keepNeededParts(truncatedPhoto, mime as keyof typeof photos).length).toBeLessThanOrEqual(length);
    }
});
