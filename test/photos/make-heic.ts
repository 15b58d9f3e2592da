/**
 * Makes the HEIC photos in this folder from the painted garden and from flat colors. It needs heif-enc (Debian:
 * libheif-examples), so the photos are committed: node test/photos/make-heic.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { paintGarden } from './garden.ts';
import { createHeifBox, withGainMap, addHeicProperty } from './heic.ts';
import { createPatchesPng } from './patches.ts';

const folder = mkdtempSync(join(tmpdir(), 'garden-'));
const garden = sharp(paintGarden(1600, 1200).toBuffer('image/png'));
const tallGarden = sharp(paintGarden(600, 800).toBuffer('image/png'));

writeFileSync(join(import.meta.dirname, 'garden.heic'), await encodeHeic(garden));
// A phone in portrait position stores the picture rotated, with a tag to rotate it a quarter turn to the right. The
// angle is in quarter
// turns to the left. heif-enc cannot write it.
const quarterTurnRight = createHeifBox('irot', Buffer.from([3]));
writeFileSync(
  join(import.meta.dirname, 'garden-turned.heic'),
  addHeicProperty(await encodeHeic(tallGarden.rotate(-90)), quarterTurnRight, true),
);
// Flat color patches without color information. Tests add the color information.
writeFileSync(
  join(import.meta.dirname, 'patches.heic'),
  encodePicture(createPatchesPng(), 'png', '-q', '95', '-p', 'chroma=444'),
);
writeFileSync(
  join(import.meta.dirname, 'patches-deep.heic'),
  encodePicture(createPatchesPng([], { bits: 16 }), 'png', '-q', '95', '-b', '10', '-p', 'chroma=444'),
);
// The same patches with a gain map, which contains their inverted brightness.
const negativeChannel = await sharp(createPatchesPng()).negate().greyscale().extractChannel(0).toBuffer();
const picturesJoined = await sharp(createPatchesPng()).joinChannel(negativeChannel).png().toBuffer();
writeFileSync(
  join(import.meta.dirname, 'patches-gain-map.heic'),
  withGainMap(encodePicture(picturesJoined, 'png', '-q', '95', '-p', 'chroma=444')),
);
// Two pictures, of which the second one is the file's main picture. heif-enc would make the first one the main picture.
const [red, blue] = [
  ['red', 128, 64, '#c03020'],
  ['blue', 64, 128, '#2030c0'],
].map(([name, width, height, background]) => ({ path: join(folder, `${name}.png`), width, height, background }));
for (const { path, width, height, background } of [red!, blue!])
  await sharp({ create: { width: Number(width), height: Number(height), channels: 3, background: String(background) } })
    .png()
    .toFile(path);
execFileSync('heif-enc', [red!.path, blue!.path, '-o', join(folder, 'two.heic')]);
const fileWithTwoPictures = readFileSync(join(folder, 'two.heic'));
fileWithTwoPictures.writeUInt16BE(2, fileWithTwoPictures.indexOf('pitm') + 8);
writeFileSync(join(import.meta.dirname, 'second-is-primary.heic'), fileWithTwoPictures);
rmSync(folder, { recursive: true });

/** A file like a phone's: with a wide-gamut color profile and the place where it was taken. */
async function encodeHeic(picture: Sharp): Promise<Buffer> {
  const jpeg = await picture
    .withIccProfile('p3')
    .withExif({
      IFD0: { Make: 'Kinframe', Model: 'Painted garden' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '51/1 30/1 3230/100',
        GPSLongitudeRef: 'W',
        GPSLongitude: '0/1 7/1 4366/100',
      },
    })
    .jpeg({ quality: 95 })
    .toBuffer();
  return encodePicture(jpeg, 'jpg', '-q', '42');
}

function encodePicture(picture: Buffer, extension: 'jpg' | 'png', ...options: string[]): Buffer {
  const [from, to] = [join(folder, `photo.${extension}`), join(folder, 'photo.heic')];
  writeFileSync(from, picture);
  execFileSync('heif-enc', [...options, '-o', to, from]);
  return readFileSync(to);
}
