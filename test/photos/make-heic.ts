/**
 * Makes the HEIC photos in this folder from the painted garden. Needs heif-enc (Debian: libheif-examples), so the photos
 * are kept in the repository: node test/photos/make-heic.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { paintGarden } from './garden.ts';

const folder = mkdtempSync(join(tmpdir(), 'garden-'));
const garden = sharp(paintGarden(1600, 1200).toBuffer('image/png'));
const tallGarden = sharp(paintGarden(600, 800).toBuffer('image/png'));

writeFileSync(join(import.meta.dirname, 'garden.heic'), await heic(garden));
// A phone held upright stores the picture on its side with a note to turn it a quarter right.
writeFileSync(
  join(import.meta.dirname, 'garden-turned.heic'),
  withQuarterTurnRight(await heic(tallGarden.rotate(-90))),
);
rmSync(folder, { recursive: true });

/** As a phone writes it: with a wide-gamut colour profile and the place where it was taken. */
async function heic(picture: Sharp): Promise<Buffer> {
  const jpeg = join(folder, 'photo.jpg');
  await picture
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
    .toFile(jpeg);
  execFileSync('heif-enc', ['-q', '42', '-o', join(folder, 'photo.heic'), jpeg]);
  return readFileSync(join(folder, 'photo.heic'));
}

/** heif-enc cannot write the rotation property (irot), so it is added to the finished file, in the layout heif-enc writes. */
function withQuarterTurnRight(file: Buffer): Buffer {
  const boxAt = (type: string) => file.indexOf(type) - 4;
  const endOf = (type: string) => boxAt(type) + file.readUInt32BE(boxAt(type));
  // Angle in quarter turns to the left.
  const rotation = Buffer.from([0, 0, 0, 9, ...Buffer.from('irot'), 3]);

  // The item's property list: count, then one byte each, the topmost bit saying that readers must understand it.
  const countAt = boxAt('ipma') + 18;
  const properties = file.readUInt8(countAt);
  file.writeUInt8(properties + 1, countAt);
  const association = Buffer.from([0x80 | (properties + 1)]);

  const added = { ipco: rotation.length, ipma: association.length, all: rotation.length + association.length };
  const itemCount = file.readUInt16BE(boxAt('iloc') + 14);
  for (let item = 0; item < itemCount; item++) {
    const baseOffsetAt = boxAt('iloc') + 16 + item * 18 + 4;
    file.writeUInt32BE(file.readUInt32BE(baseOffsetAt) + added.all, baseOffsetAt);
  }
  const insertRotationAt = endOf('ipco');
  const insertAssociationAt = endOf('ipma');
  for (const [type, bytes] of [
    ['ipco', added.ipco],
    ['ipma', added.ipma],
    ['iprp', added.all],
    ['meta', added.all],
  ] as const) {
    file.writeUInt32BE(file.readUInt32BE(boxAt(type)) + bytes, boxAt(type));
  }
  return Buffer.concat([
    file.subarray(0, insertRotationAt),
    rotation,
    file.subarray(insertRotationAt, insertAssociationAt),
    association,
    file.subarray(insertAssociationAt),
  ]);
}
