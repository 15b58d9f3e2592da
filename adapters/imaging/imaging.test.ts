import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { UnusablePhoto } from '#shop/ports.ts';
import { paintGarden } from '#test/photos/garden.ts';
import { descendantsOf, until } from '../processes/process-table.ts';
import { runInChild } from '../processes/run-in-child.ts';
import { kernelLimits, permissionArguments } from './confinement.ts';
import { createImaging } from './imaging.ts';

vi.mock('../processes/run-in-child.ts', { spy: true });

const imaging = createImaging();
const photos = join(import.meta.dirname, '../../test/photos');
const garden = paintGarden(800, 600);
const gardenPng = garden.toBuffer('image/png');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'imaging-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function photo(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}
let jobs = 0;
function newFolder(): string {
  const path = join(folder, `developed-${(jobs += 1)}`);
  mkdirSync(path);
  return path;
}
/** Expect a refusal that leaves nothing behind. */
async function expectRefusal(path: string, reason: UnusablePhoto['reason'], by = imaging) {
  const into = newFolder();
  const error = await by.develop(path, into).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(UnusablePhoto);
  expect(error).toMatchObject({ reason });
  expect(readdirSync(into)).toEqual([]);
}
/** The mean difference of two pictures from 0 to 255, compared small. */
async function difference(a: string | Buffer, b: string | Buffer): Promise<number> {
  const [one, other] = await Promise.all(
    [a, b].map((picture) =>
      sharp(picture).flatten({ background: '#fff' }).resize(80, 80, { fit: 'fill' }).raw().toBuffer(),
    ),
  );
  return one!.reduce((sum, value, at) => sum + Math.abs(value - other![at]!), 0) / one!.length;
}

const place = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '51/1 30/1 3230/100',
  GPSLongitudeRef: 'W',
  GPSLongitude: '0/1 7/1 0/1',
};

test('a phone photo comes out upright, sRGB and without the place it was taken', async () => {
  const onItsSide = await sharp(gardenPng).rotate(-90).toBuffer();
  const path = photo(
    'phone.jpg',
    await sharp(onItsSide)
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD3: place })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer(),
  );
  const original = await sharp(path).metadata();
  expect(original).toMatchObject({ width: 600, height: 800, orientation: 6 });
  // 'N' and 'W' and the rationals of the place: the tag that points to them.
  expect(original.exif?.includes(Buffer.from([0x25, 0x88])) || original.exif?.includes(Buffer.from([0x88, 0x25]))).toBe(
    true,
  );

  const developed = await imaging.develop(path, newFolder());
  expect(developed).toMatchObject({ mime: 'image/jpeg', width: 800, height: 600 });
  for (const copy of [developed.displayPath, developed.thumbnailPath]) {
    const { exif, icc, xmp, iptc, orientation } = await sharp(copy).metadata();
    expect({ exif, icc, xmp, iptc, orientation }).toEqual({});
    expect(await difference(copy, gardenPng)).toBeLessThan(3);
  }
  expect(await sharp(developed.displayPath).metadata()).toMatchObject({ format: 'jpeg', width: 800, height: 600 });
  expect(await sharp(developed.thumbnailPath).metadata()).toMatchObject({ format: 'webp', width: 480, height: 360 });
});

test('a large photo keeps its size on record and is shown at 2560 pixels', async () => {
  const path = photo('large.jpg', await sharp(gardenPng).resize(4000, 3000).jpeg().toBuffer());
  const developed = await imaging.develop(path, newFolder());
  expect(developed).toMatchObject({ width: 4000, height: 3000 });
  expect(await sharp(developed.displayPath).metadata()).toMatchObject({ width: 2560, height: 1920 });
});

test('see-through parts of a PNG lie on white paper', async () => {
  const clear = { width: 40, height: 30, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } as const;
  const path = photo('clear.png', await sharp({ create: clear }).png().toBuffer());
  const { displayPath } = await imaging.develop(path, newFolder());
  expect((await sharp(displayPath).raw().toBuffer()).every((value) => value > 250)).toBe(true);
});

test('black-and-white and print-shop colours are photos too', async () => {
  const grey = photo('grey.jpg', await sharp(gardenPng).greyscale().jpeg().toBuffer());
  const print = photo(
    'print.jpg',
    await sharp(gardenPng).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer(),
  );
  const greyCopy = await imaging.develop(grey, newFolder());
  expect(await difference(greyCopy.displayPath, await sharp(grey).png().toBuffer())).toBeLessThan(2);
  const printCopy = await imaging.develop(print, newFolder());
  expect(await sharp(printCopy.displayPath).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
  expect(await difference(printCopy.displayPath, gardenPng)).toBeLessThan(12);
});

test('WebP and GIF are taken, of a moving one the first picture', async () => {
  const frames = ['#c03030', '#30c030', '#3030c0'].map((background) => ({
    create: { width: 60, height: 40, channels: 3, background } as const,
  }));
  const film = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()));
  for (const format of ['gif', 'webp'] as const) {
    const moving = sharp(film, { join: { animated: true } });
    const written = format === 'gif' ? moving.gif({ loop: 0 }) : moving.webp({ loop: 0 });
    const path = photo(`film.${format}`, await written.toBuffer());
    expect((await sharp(path).metadata()).pages).toBe(3);
    const developed = await imaging.develop(path, newFolder());
    expect(developed).toMatchObject({ mime: `image/${format}`, width: 60, height: 40 });
    expect(await difference(developed.displayPath, film[0]!)).toBeLessThan(8);
  }
});

test('a HEIC photo keeps its colours and loses its place', async () => {
  const path = join(photos, 'garden.heic');
  expect(readFileSync(path).includes('Exif')).toBe(true);
  const developed = await imaging.develop(path, newFolder());
  expect(developed).toMatchObject({ mime: 'image/heic', width: 1600, height: 1200 });
  // Written in the wide colours of a phone: taken for sRGB they would be off by far more.
  expect(await difference(developed.displayPath, paintGarden(1600, 1200).toBuffer('image/png'))).toBeLessThan(2);
  const { exif, icc, xmp } = await sharp(developed.displayPath).metadata();
  expect({ exif, icc, xmp }).toEqual({});
});

test('a HEIC photo taken with the phone turned comes out upright', async () => {
  const developed = await imaging.develop(join(photos, 'garden-turned.heic'), newFolder());
  expect(developed).toMatchObject({ width: 600, height: 800 });
  expect(await difference(developed.displayPath, paintGarden(600, 800).toBuffer('image/png'))).toBeLessThan(3);
});

test('the type is told from the bytes, not from the name', async () => {
  const jpeg = await sharp(gardenPng).resize(40).jpeg().toBuffer();
  const heif = Buffer.from(readFileSync(join(photos, 'garden.heic')));
  heif.write('mif1', 8);
  const avif = await sharp(gardenPng).resize(40).avif({ effort: 0 }).toBuffer();
  const avifInDisguise = Buffer.from(avif);
  avifInDisguise.write('mif1', 8);
  const bitmap = Buffer.concat([Buffer.from('BM'), Buffer.alloc(100)]);
  const longProfile = await sharp(gardenPng)
    .resize(40)
    .withXmp(`<x>${'y'.repeat(9000)}</x>`)
    .png()
    .toBuffer();
  const sniffed = {
    'picture.txt': [jpeg, 'image/jpeg'],
    'long-profile.png': [longProfile, 'image/png'],
    'some.heif': [heif, 'image/heif'],
    'some.avif': [avif, undefined],
    'avif.heic': [avifInDisguise, undefined],
    'drawing.jpg': [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), undefined],
    'letter.png': [Buffer.from('%PDF-1.7\n'), undefined],
    'words.jpg': [Buffer.from('Dear grandmother, the photo is attached.'), undefined],
    'bitmap.jpg': [bitmap, undefined],
    'scan.jpg': [await sharp(gardenPng).resize(40).tiff().toBuffer(), undefined],
    'nothing.jpg': [Buffer.alloc(0), undefined],
  } as const;
  for (const [name, [bytes, mime]] of Object.entries(sniffed)) {
    expect.soft(await imaging.sniff(photo(name, bytes)), name).toBe(mime);
  }
});

test('what is no photo is refused', async () => {
  await expectRefusal(photo('words.jpg', Buffer.from('Dear grandmother, the photo is attached.')), 'not-a-photo');
  await expectRefusal(photo('drawing.jpg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 'not-a-photo');
});

test('half a photo is damaged, of whatever type', async () => {
  const whole = sharp(gardenPng);
  const halves = {
    'half.jpg': await whole.clone().jpeg().toBuffer(),
    'half.png': gardenPng,
    'half.webp': await whole.clone().webp().toBuffer(),
    'half.gif': await whole.clone().gif().toBuffer(),
    'half.heic': readFileSync(join(photos, 'garden-turned.heic')),
  };
  for (const [name, bytes] of Object.entries(halves)) {
    await expectRefusal(photo(name, bytes.subarray(0, bytes.length >> 1)), 'damaged');
  }
});

test('stray bytes some phones write do no harm, a scrambled picture does', async () => {
  const jpeg = await sharp(gardenPng).jpeg().toBuffer();
  const afterFirstMarker = 4 + jpeg.readUInt16BE(4);
  const stray = Buffer.concat([
    jpeg.subarray(0, afterFirstMarker),
    Buffer.from([1, 2, 3]),
    jpeg.subarray(afterFirstMarker),
  ]);
  const developed = await imaging.develop(photo('stray.jpg', stray), newFolder());
  expect(await difference(developed.displayPath, gardenPng)).toBeLessThan(3);

  const scrambled = Buffer.from(jpeg);
  for (let at = jpeg.length >> 1; at < (jpeg.length >> 1) + 120; at += 3) scrambled[at] = 0x55;
  await expectRefusal(photo('scrambled.jpg', scrambled), 'damaged');
});

test('a small file that unfolds into 900 megapixels is refused at once', async () => {
  const path = photo('bomb.png', pngBomb(30_000, 30_000));
  const from = performance.now();
  await expectRefusal(path, 'too-many-pixels');
  expect(performance.now() - from).toBeLessThan(5000);
  const heic = Buffer.from(readFileSync(join(photos, 'garden.heic')));
  const size = heic.indexOf('ispe') + 8;
  heic.writeUInt32BE(30_000, size);
  heic.writeUInt32BE(30_000, size + 4);
  await expectRefusal(photo('bomb.heic', heic), 'too-many-pixels');
});

test('a photo that takes too long is given up', async () => {
  // A decoder's process alone takes longer to start.
  await expectRefusal(join(photos, 'garden.heic'), 'too-slow', createImaging({ timeoutMs: 10 }));
});

test('a decoder that is killed is the damage of one photo, and the next one develops', async () => {
  const grey = { width: 7700, height: 7700, channels: 3, background: '#808080' } as const;
  const picture = await sharp({ create: grey }).png({ compressionLevel: 1 }).toBuffer();
  // Ballast behind the picture's end: once so much was read, the decoder is at work.
  const ballast = 40_000_000;
  const refusal = expectRefusal(photo('slow.png', Buffer.concat([picture, Buffer.alloc(ballast)])), 'damaged');
  const [decoder = 0] = await until('the decoder has read the photo', () => {
    const children = descendantsOf(process.pid);
    return children.some((pid) => bytesReadBy(pid) > ballast) && children;
  });
  process.kill(decoder, 'SIGKILL');
  await refusal;
  await expect(imaging.develop(photo('fine.png', gardenPng), newFolder())).resolves.toMatchObject({ width: 800 });
});

test('a full disk is not the photo’s fault', async () => {
  const into = newFolder();
  symlinkSync('/dev/full', join(into, 'display.jpg'));
  const error: unknown = await imaging.develop(photo('fine.png', gardenPng), into).catch((error: unknown) => error);
  expect(error).not.toBeInstanceOf(UnusablePhoto);
  expect(error).toMatchObject({ code: 'ENOSPC' });
  expect(readdirSync(into)).toEqual([]);
});

test('two photos are developed at a time', async () => {
  const path = photo('many.png', gardenPng);
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, descendantsOf(process.pid).length)), 5);
  await Promise.all(Array.from({ length: 5 }, () => imaging.develop(path, newFolder())));
  clearInterval(watch);
  expect(most).toBe(2);
});

test('the decoder can read its photo, write its folder, and nothing else', async () => {
  const shop = createServer((_, response) => response.end('a door')).listen(0, '127.0.0.1');
  await until('the server listens', () => shop.listening);
  const address = shop.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  const secret = photo('secret.txt', Buffer.from('a secret'));
  const readable = photo('readable.png', gardenPng);
  const program = join(newFolder(), 'probe.mjs');
  writeFileSync(
    program,
    `import { doJobOfParent } from '${new URL('../processes/child-side.ts', import.meta.url).href}';
     import { spawnSync } from 'node:child_process';
     import { readFileSync, writeFileSync } from 'node:fs';
     const can = async (act) => { try { await act(); return true; } catch { return false; } };
     doJobOfParent(async ({ readable, secret, into, outside, port }) => ({
       readPhoto: await can(() => readFileSync(readable)),
       readSecret: await can(() => readFileSync(secret)),
       writeFolder: await can(() => writeFileSync(into + '/copy', 'x')),
       writeElsewhere: await can(() => writeFileSync(outside, 'x')),
       startProcess: await can(() => spawnSync('true')),
       reachNetwork: await can(() => fetch('http://127.0.0.1:' + port)),
     }));`,
  );
  const into = newFolder();
  const wrap = await kernelLimits(10_000);
  const entry = pathToFileURL(program);
  const answer = await runInChild({
    entry,
    job: { readable, secret, into, outside: join(folder, 'outside'), port },
    nodeArguments: [
      ...permissionArguments(entry, readable, into),
      // The probe lies elsewhere than the code it imports.
      `--allow-fs-read=${join(import.meta.dirname, '../processes')}`,
    ],
    wrap,
    timeoutMs: 10_000,
  });
  shop.close();
  expect(answer).toEqual({
    readPhoto: true,
    readSecret: false,
    writeFolder: true,
    writeElsewhere: false,
    startProcess: false,
    // Where the kernel lets us take the network away (most containers do not).
    reachNetwork: !wrap(['true']).includes('unshare'),
  });
});

test('every photo is developed behind that fence, and by a child that knows none of our settings', async () => {
  vi.mocked(runInChild).mockClear();
  await imaging.develop(photo('fenced.png', gardenPng), newFolder());
  const [[child]] = vi.mocked(runInChild).mock.calls as [Parameters<typeof runInChild>];
  expect(Object.keys(child.environment ?? {})).toEqual(['VIPS_DISC_THRESHOLD']);
  expect(child.nodeArguments).toContain('--permission');
  expect(child.wrap?.(['a child'])).toEqual((await kernelLimits(child.timeoutMs))(['a child']));
});

function bytesReadBy(pid: number): number {
  try {
    return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
  } catch {
    // Gone since it was listed.
    return 0;
  }
}

/** A PNG of few bytes whose header promises many pixels. */
function pngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [
    ['IHDR', header],
    ['IDAT', deflateSync(Buffer.alloc(100_000))],
    ['IEND', Buffer.alloc(0)],
  ] as const;
  return Buffer.concat([signature, ...chunks.map(([type, data]) => pngChunk(type, data))]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(4);
  frame.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([frame, body, checksum]);
}
