import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import encodeQr from 'qr';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { readQr } from './read-qr.ts';

/** Makes a picture like a phone photo of a QR code: slightly rotated, slightly blurred, inside a larger scene. */
async function createPhotoOfQrCode(text: string | undefined): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-qr-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'photo.jpg');
  const scene = sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#a98' } });
  if (text !== undefined) {
    const rows = encodeQr(text, 'raw', { border: 3 });
    const size = rows.length;
    const dotPixels = Buffer.from(rows.flat().map((isDark) => (isDark ? 0 : 255)));
    const code = await sharp(dotPixels, { raw: { width: size, height: size, channels: 1 } })
      .resize(size * 12, size * 12, { kernel: 'nearest' })
      .rotate(11, { background: '#ddd' })
      .blur(1.5)
      .png()
      .toBuffer();
    scene.composite([{ input: code, left: 500, top: 300 }]);
  }
  await scene.jpeg({ quality: 80 }).toFile(path);
  return path;
}

test('reads a QR code that is rotated and blurred inside a photo', async () => {
  expect(await readQr(await createPhotoOfQrCode('INVITE-7QX4-9911'))).toBe('INVITE-7QX4-9911');
});

test('returns undefined for a photo without a code, and for a file that is not a photo', async () => {
  expect(await readQr(await createPhotoOfQrCode(undefined))).toBeUndefined();
  expect(await readQr(import.meta.filename)).toBeUndefined();
});
