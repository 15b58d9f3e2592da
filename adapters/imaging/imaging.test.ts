import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { UnusablePhoto } from '#shop/ports/imaging.ts';
import { paintGarden } from '#test/photos/garden.ts';
import { createPngBomb, createAnimatedWebp } from '#test/photos/pictures.ts';
import { listChildren, listDescendants, readNiceness, waitForCondition } from '../processes/process-table.ts';
import { startChild } from '../processes/run-in-child.ts';
import { createSandboxWrapper, findAvailableRestrictions } from './confinement.ts';
import { createImaging } from './imaging.ts';

vi.mock('../processes/run-in-child.ts', { spy: true });

// This time limit is long enough for a busy machine. Another test checks that a time limit works.
const imaging = createImaging({ timeoutMs: 60_000 });
const photos = join(import.meta.dirname, '../../test/photos');
const garden = paintGarden(800, 600);
const gardenPng = garden.toBuffer('image/png');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'imaging-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function writePhoto(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}
let jobCount = 0;
function createFolder(): string {
  const path = join(folder, `developed-${(jobCount += 1)}`);
  mkdirSync(path);
  return path;
}
const developPhoto = (path: string, into: string, sender = 'anna') => imaging.develop(path, into, sender);
/** Expects a refusal that leaves no file behind. */
async function expectRefusal(path: string, reason: UnusablePhoto['reason'], by = imaging) {
  const outputFolder = createFolder();
  const error = await by.develop(path, outputFolder, 'anna').then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(UnusablePhoto);
  expect(error).toMatchObject({ reason });
  expect(readdirSync(outputFolder)).toEqual([]);
}
/** The mean difference of two pictures, 0 to 255, compared at a small size. */
async function computeMeanDifference(a: string | Buffer, b: string | Buffer): Promise<number> {
  const [one, other] = await Promise.all(
    [a, b].map((picture) =>
      sharp(picture).flatten({ background: '#fff' }).resize(80, 80, { fit: 'fill' }).raw().toBuffer(),
    ),
  );
  return one!.reduce((sum, value, at) => sum + Math.abs(value - other![at]!), 0) / one!.length;
}

const gpsTags = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '51/1 30/1 3230/100',
  GPSLongitudeRef: 'W',
  GPSLongitude: '0/1 7/1 0/1',
};

test('a phone photo is developed upright, in sRGB and without its location', async () => {
  const rotatedPng = await sharp(gardenPng).rotate(-90).toBuffer();
  const path = writePhoto(
    'phone.jpg',
    await sharp(rotatedPng)
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD3: gpsTags })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer(),
  );
  const originalMetadata = await sharp(path).metadata();
  expect(originalMetadata).toMatchObject({ width: 600, height: 800, orientation: 6 });
  // The Exif data contains the tag that points to the location, 0x8825, in one of the two byte orders.
  expect(
    originalMetadata.exif?.includes(Buffer.from([0x25, 0x88])) ||
      originalMetadata.exif?.includes(Buffer.from([0x88, 0x25])),
  ).toBe(true);

  const developedPhoto = await developPhoto(path, createFolder());
  expect(developedPhoto).toMatchObject({ mime: 'image/jpeg', width: 800, height: 600 });
  for (const copy of [developedPhoto.displayPath, developedPhoto.thumbnailPath]) {
    const { exif, icc, xmp, iptc, orientation } = await sharp(copy).metadata();
    expect({ exif, icc, xmp, iptc, orientation }).toEqual({});
    expect(await computeMeanDifference(copy, gardenPng)).toBeLessThan(3);
  }
  expect(await sharp(developedPhoto.displayPath).metadata()).toMatchObject({ format: 'jpeg', width: 800, height: 600 });
  expect(await sharp(developedPhoto.thumbnailPath).metadata()).toMatchObject({
    format: 'webp',
    width: 480,
    height: 360,
  });
});

test('reports the original size of a large photo and limits its display copy to 2560 pixels', async () => {
  const path = writePhoto('large.jpg', await sharp(gardenPng).resize(4000, 3000).jpeg().toBuffer());
  const developedPhoto = await developPhoto(path, createFolder());
  expect(developedPhoto).toMatchObject({ width: 4000, height: 3000 });
  expect(await sharp(developedPhoto.displayPath).metadata()).toMatchObject({ width: 2560, height: 1920 });
});

test('transparent parts of a PNG become white', async () => {
  const transparentPicture = {
    width: 40,
    height: 30,
    channels: 4,
    background: { r: 0, g: 0, b: 0, alpha: 0 },
  } as const;
  const path = writePhoto('clear.png', await sharp({ create: transparentPicture }).png().toBuffer());
  const { displayPath } = await developPhoto(path, createFolder());
  expect((await sharp(displayPath).raw().toBuffer()).every((value) => value > 250)).toBe(true);
});

test('accepts gray and CMYK photos', async () => {
  const grey = writePhoto('grey.jpg', await sharp(gardenPng).greyscale().jpeg().toBuffer());
  const cmykPhotoPath = writePhoto(
    'print.jpg',
    await sharp(gardenPng).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer(),
  );
  const greyCopy = await developPhoto(grey, createFolder());
  expect(await computeMeanDifference(greyCopy.displayPath, await sharp(grey).png().toBuffer())).toBeLessThan(2);
  const printCopy = await developPhoto(cmykPhotoPath, createFolder());
  expect(await sharp(printCopy.displayPath).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
  expect(await computeMeanDifference(printCopy.displayPath, gardenPng)).toBeLessThan(12);
});

test('accepts WebP and GIF, and uses the first picture of an animation', async () => {
  const frames = ['#c03030', '#30c030', '#3030c0'].map((background) => ({
    create: { width: 60, height: 40, channels: 3, background } as const,
  }));
  const framePngs = await Promise.all(frames.map((frame) => sharp(frame).png().toBuffer()));
  for (const format of ['gif', 'webp'] as const) {
    const animatedSharp = sharp(framePngs, { join: { animated: true } });
    const encodedAnimation = format === 'gif' ? animatedSharp.gif({ loop: 0 }) : animatedSharp.webp({ loop: 0 });
    const path = writePhoto(`film.${format}`, await encodedAnimation.toBuffer());
    expect((await sharp(path).metadata()).pages).toBe(3);
    const developedPhoto = await developPhoto(path, createFolder());
    expect(developedPhoto).toMatchObject({ mime: `image/${format}`, width: 60, height: 40 });
    expect(await computeMeanDifference(developedPhoto.displayPath, framePngs[0]!)).toBeLessThan(8);
  }
});

test('a HEIC photo keeps its colors and loses its location', async () => {
  const path = join(photos, 'garden.heic');
  expect(readFileSync(path).includes('Exif')).toBe(true);
  const developedPhoto = await developPhoto(path, createFolder());
  expect(developedPhoto).toMatchObject({ mime: 'image/heic', width: 1600, height: 1200 });
  // The photo has a phone's wide colors. Treated as sRGB, the difference would be far larger.
  expect(
    await computeMeanDifference(developedPhoto.displayPath, paintGarden(1600, 1200).toBuffer('image/png')),
  ).toBeLessThan(2);
  const { exif, icc, xmp } = await sharp(developedPhoto.displayPath).metadata();
  expect({ exif, icc, xmp }).toEqual({});
});

test('uses the main picture of a HEIC file with several pictures, even if it is not the first', async () => {
  const developedPhoto = await developPhoto(join(photos, 'second-is-primary.heic'), createFolder());
  expect(developedPhoto).toMatchObject({ width: 64, height: 128 });
  const { dominant } = await sharp(developedPhoto.displayPath).stats();
  expect(dominant.b).toBeGreaterThan(dominant.r);
});

test('refuses a HEIC photo with a truncated color description as damaged', async () => {
  const heic = readFileSync(join(photos, 'garden.heic'));
  for (const length of [9, 12, 0x0fffffff]) {
    const truncatedHeic = Buffer.from(heic);
    truncatedHeic.writeUInt32BE(length, heic.indexOf('colr') - 4);
    await expectRefusal(writePhoto(`cut-${length}.heic`, truncatedHeic), 'damaged');
  }
});

test('a HEIC photo taken with a rotated phone is developed upright', async () => {
  const developedPhoto = await developPhoto(join(photos, 'garden-turned.heic'), createFolder());
  expect(developedPhoto).toMatchObject({ width: 600, height: 800 });
  expect(
    await computeMeanDifference(developedPhoto.displayPath, paintGarden(600, 800).toBuffer('image/png')),
  ).toBeLessThan(3);
});

test('detects the type from the bytes, not from the name', async () => {
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
    expect.soft(await imaging.sniff(writePhoto(name, bytes)), name).toBe(mime);
  }
});

test('refuses files that are not photos', async () => {
  await expectRefusal(writePhoto('words.jpg', Buffer.from('Dear grandmother, the photo is attached.')), 'not-a-photo');
  await expectRefusal(
    writePhoto('drawing.jpg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    'not-a-photo',
  );
});

test('refuses half a photo of any type as damaged', async () => {
  const wholePhoto = sharp(gardenPng);
  const halves = {
    'half.jpg': await wholePhoto.clone().jpeg().toBuffer(),
    'half.png': gardenPng,
    'half.webp': await wholePhoto.clone().webp().toBuffer(),
    'half.gif': await wholePhoto.clone().gif().toBuffer(),
    'half.heic': readFileSync(join(photos, 'garden-turned.heic')),
  };
  for (const [name, bytes] of Object.entries(halves)) {
    await expectRefusal(writePhoto(name, bytes.subarray(0, bytes.length >> 1)), 'damaged');
  }
});

test('accepts stray bytes that some phones write, and refuses a scrambled picture', async () => {
  const jpeg = await sharp(gardenPng).jpeg().toBuffer();
  const afterFirstMarker = 4 + jpeg.readUInt16BE(4);
  const jpegWithStrayBytes = Buffer.concat([
    jpeg.subarray(0, afterFirstMarker),
    Buffer.from([1, 2, 3]),
    jpeg.subarray(afterFirstMarker),
  ]);
  const developedPhoto = await developPhoto(writePhoto('stray.jpg', jpegWithStrayBytes), createFolder());
  expect(await computeMeanDifference(developedPhoto.displayPath, gardenPng)).toBeLessThan(3);

  const scrambledJpeg = Buffer.from(jpeg);
  for (let at = jpeg.length >> 1; at < (jpeg.length >> 1) + 120; at += 3) scrambledJpeg[at] = 0x55;
  await expectRefusal(writePhoto('scrambled.jpg', scrambledJpeg), 'damaged');
});

test('refuses a photo by the size in its header when the photo is too large to decode', async () => {
  const wideStrip = { width: 20_001, height: 2, channels: 3, background: '#808080' } as const;
  const createHeicOfSize = (width: number, height: number) => {
    const bytes = Buffer.from(readFileSync(join(photos, 'garden.heic')));
    const size = bytes.indexOf('ispe') + 8;
    bytes.writeUInt32BE(width, size);
    bytes.writeUInt32BE(height, size + 4);
    return bytes;
  };
  const [deep, withAlpha] = [{ bits: 16 }, { bits: 16, color: 6 }];
  const refusedPhotos = {
    'all.png': [createPngBomb(30_000, 30_000), 'too-many-pixels'],
    'all.heic': [createHeicOfSize(30_000, 30_000), 'too-many-pixels'],
    'thread.png': [createPngBomb(1, 60_000_000), 'side-too-long'],
    'wide.jpg': [await sharp({ create: wideStrip }).jpeg().toBuffer(), 'side-too-long'],
    'wide.gif': [await sharp({ create: wideStrip }).gif().toBuffer(), 'side-too-long'],
    'wide.heic': [createHeicOfSize(20_001, 2), 'side-too-long'],
    'deep.png': [createPngBomb(8000, 7000, deep), 'too-much-colour'],
    'deeper.png': [createPngBomb(6000, 6000, withAlpha), 'too-much-colour'],
  } as const;
  for (const [name, [bytes, reason]] of Object.entries(refusedPhotos))
    await expectRefusal(writePhoto(name, bytes), reason);
});

test('accepts a panorama, 16-bit colors and an animation with many pictures', async () => {
  const panorama = { width: 20_000, height: 2000, channels: 3, background: '#406080' } as const;
  const stillWebp = await sharp(gardenPng).resize(16, 16).removeAlpha().webp().toBuffer();
  const acceptedPhotos = {
    'panorama.jpg': [await sharp({ create: panorama }).jpeg().toBuffer(), 20_000],
    'deep.png': [await sharp(gardenPng).toColourspace('rgb16').png().toBuffer(), 800],
    'film.webp': [createAnimatedWebp(stillWebp, 16, 100_000), 16],
  } as const;
  for (const [name, [bytes, width]] of Object.entries(acceptedPhotos))
    expect(await developPhoto(writePhoto(name, bytes), createFolder()), name).toMatchObject({ width });
});

test('converts wide colors correctly for every type', async () => {
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    const wideGamutPhoto = await sharp(gardenPng).removeAlpha().withIccProfile('p3').toFormat(format).toBuffer();
    const { displayPath } = await developPhoto(writePhoto(`wide.${format}`, wideGamutPhoto), createFolder());
    expect(await computeMeanDifference(displayPath, gardenPng), format).toBeLessThan(3);
  }
});

test('a customer’s photo does not wait for all ten photos of another customer', async () => {
  const oneImaging = createImaging({ concurrency: 1, timeoutMs: 60_000 });
  const path = writePhoto('waiting.png', await sharp(gardenPng).resize(40).png().toBuffer());
  const turnOrder: string[] = [];
  const developForSender = (sender: string) =>
    oneImaging.develop(path, createFolder(), sender, async () => void turnOrder.push(sender)).catch(() => {});
  const firstPhoto = developForSender('anna');
  await waitForCondition('the first is being developed', () => turnOrder.length > 0);
  const otherDevelopments = Array.from({ length: 9 }, () => developForSender('anna'));
  await Promise.all([firstPhoto, ...otherDevelopments, developForSender('ben')]);
  expect(turnOrder.slice(0, 3)).toContain('ben');
});

test('one process develops several waiting photos of one customer, but never photos of two customers', async () => {
  const oneImaging = createImaging({ concurrency: 1, timeoutMs: 60_000 });
  const smallPhotos = [30, 40, 50, 60].map((side) => sharp(gardenPng).resize(side).png().toBuffer());
  const paths = (await Promise.all(smallPhotos)).map((bytes, at) => writePhoto(`small-${at}.png`, bytes));
  const { startChild: start } =
    await vi.importActual<typeof import('../processes/run-in-child.ts')>('../processes/run-in-child.ts');
  let handed: string[][] = [];
  vi.mocked(startChild).mockImplementation((program) => {
    handed.push(program.files!.map((file) => dirname(readlinkSync(`/proc/self/fd/${file}`))));
    return start(program);
  });
  onTestFinished(() => void vi.mocked(startChild).mockReset());
  const developedPhotos = await Promise.all(paths.map((path) => oneImaging.develop(path, createFolder(), 'anna')));
  expect(developedPhotos.map((it) => it.width)).toEqual([30, 40, 50, 60]);
  for (const [at, { displayPath }] of developedPhotos.entries())
    expect(await computeMeanDifference(displayPath, readFileSync(paths[at]!)), paths[at]).toBeLessThan(6);
  // The first process got one photo, because the others were not waiting yet. The second process got the other three.
  // Each photo has four files: the original, the display copy, the thumbnail and the place for the whole photo.
  expect(handed.map((files) => files.length / 4)).toEqual([1, 3]);

  handed = [];
  const folders = {
    anna: [createFolder(), createFolder(), createFolder()],
    ben: [createFolder(), createFolder(), createFolder()],
  };
  await Promise.all(
    Object.entries(folders).flatMap(([sender, own]) =>
      own.map((into, at) => oneImaging.develop(paths[at]!, into, sender)),
    ),
  );
  const findSenders = (files: string[]) =>
    Object.entries(folders).filter(([, own]) => own.some((it) => files.includes(it)));
  for (const files of handed) expect(findSenders(files)).toHaveLength(1);
});

test('refuses only the damaged and the missing photos when other photos wait with them', async () => {
  const oneImaging = createImaging({ concurrency: 1, timeoutMs: 60_000 });
  const finePhoto = writePhoto('among.png', gardenPng);
  const damagedFile = writePhoto('damaged-among.png', gardenPng.subarray(0, gardenPng.length >> 1));
  const queuedPaths = [
    finePhoto,
    finePhoto,
    damagedFile,
    finePhoto,
    join(folder, 'missing.png'),
    finePhoto,
    damagedFile,
    finePhoto,
  ];
  const folders = queuedPaths.map(createFolder);
  writeFileSync(queuedPaths[4]!, gardenPng);
  // Runs at the first photo's turn. Removes a file after all photos are waiting and before the file is passed to a
  // process.
  let removalPromise: Promise<void> | undefined;
  const removePhotoOnce = () => (removalPromise ??= wait(200).then(() => rmSync(queuedPaths[4]!)));
  const developResults = await Promise.allSettled(
    queuedPaths.map((path, at) => oneImaging.develop(path, folders[at]!, 'anna', removePhotoOnce)),
  );
  expect(developResults.map((it) => it.status === 'fulfilled')).toEqual(queuedPaths.map((path) => path === finePhoto));
  expect(folders.map((it) => readdirSync(it).length)).toEqual(queuedPaths.map((path) => (path === finePhoto ? 2 : 0)));
});

test('does not decode a photo if its callback `onTurn` rejects, and develops the next photo', async () => {
  vi.mocked(startChild).mockClear();
  const outputFolder = createFolder();
  const refusedDevelop = imaging.develop(writePhoto('fine.png', gardenPng), outputFolder, 'anna', () =>
    Promise.reject(new Error('wait')),
  );
  await expect(refusedDevelop).rejects.toThrow('wait');
  expect(startChild).not.toHaveBeenCalled();
  await expect(developPhoto(writePhoto('fine.png', gardenPng), createFolder())).resolves.toMatchObject({ width: 800 });
});

test('refuses a photo that takes too long', async () => {
  // Measured from the start of the decoder: no HEIC is decoded this fast.
  await expectRefusal(join(photos, 'garden.heic'), 'too-slow', createImaging({ timeoutMs: 10 }));
});

/** Bytes added after the end of the picture. A decoder that has read this much is at work. */
const extraBytes = 40_000_000;
async function createSlowPhoto(): Promise<string> {
  const grey = { width: 7700, height: 7700, channels: 3, background: '#808080' } as const;
  const picture = await sharp({ create: grey }).png({ compressionLevel: 1 }).toBuffer();
  return writePhoto('slow.png', Buffer.concat([picture, Buffer.alloc(extraBytes)]));
}
const findRunningDecoder = () =>
  waitForCondition('the decoder has read the photo', () =>
    listDescendants(process.pid).find((pid) => countBytesReadBy(pid) > extraBytes),
  );
async function killDecoderAtWork(): Promise<void> {
  process.kill(await findRunningDecoder(), 'SIGKILL');
}

test('a decoder runs with low priority', async () => {
  const developedPhoto = developPhoto(await createSlowPhoto(), createFolder());
  expect(readNiceness(await findRunningDecoder())).toBeGreaterThanOrEqual(10);
  await developedPhoto;
});

test('when a decoder is killed, refuses its photo as damaged and develops the next photo', async () => {
  const refusal = expectRefusal(await createSlowPhoto(), 'damaged');
  await killDecoderAtWork();
  await refusal;
  await expect(developPhoto(writePhoto('fine.png', gardenPng), createFolder())).resolves.toMatchObject({ width: 800 });
});

test('retries a photo if its decoder process, which had decoded other photos before, was killed', async () => {
  const [slow, fine] = [await createSlowPhoto(), writePhoto('fine.png', gardenPng)];
  vi.mocked(startChild).mockClear();
  // The other photos arrive one after another while the first photo waits in its callback `onTurn`.
  const firstDevelop = imaging.develop(fine, createFolder(), 'anna', () => wait(600));
  const otherDevelopments: (typeof firstDevelop)[] = [];
  for (const path of [fine, slow, fine]) {
    await wait(150);
    otherDevelopments.push(developPhoto(path, createFolder()));
  }
  await killDecoderAtWork();
  expect((await Promise.all([firstDevelop, ...otherDevelopments])).map((it) => it.width)).toEqual([
    800, 800, 7700, 800,
  ]);
  expect(startChild).toHaveBeenCalledTimes(2);
});

test('a full disk is not reported as an unusable photo', async () => {
  const outputFolder = createFolder();
  symlinkSync('/dev/full', join(outputFolder, 'display.jpg'));
  const error: unknown = await developPhoto(writePhoto('fine.png', gardenPng), outputFolder).catch(
    (error: unknown) => error,
  );
  expect(error).not.toBeInstanceOf(UnusablePhoto);
  expect(error).toMatchObject({ code: 'ENOSPC' });
  expect(readdirSync(outputFolder)).toEqual([]);
});

test('develops at most two photos at the same time', async () => {
  const path = writePhoto('many.png', gardenPng);
  let most = 0;
  const processCountTimer = setInterval(() => (most = Math.max(most, listChildren(process.pid).length)), 5);
  await Promise.all(Array.from({ length: 5 }, (_, i) => developPhoto(path, createFolder(), `customer ${i}`)));
  clearInterval(processCountTimer);
  expect(most).toBe(2);
});

test('develops every photo behind all available fences, in a child without the shop’s environment', async () => {
  vi.mocked(startChild).mockClear();
  await developPhoto(writePhoto('fenced.png', gardenPng), createFolder());
  const [[child]] = vi.mocked(startChild).mock.calls as [Parameters<typeof startChild>];
  expect(Object.keys(child.environment ?? {})).toEqual(['VIPS_DISC_THRESHOLD']);
  expect(child.nodeArguments).toContain('--permission');
  const sandboxWrapper = createSandboxWrapper(await findAvailableRestrictions(child.entry), {
    entry: child.entry,
    room: '/room-1',
    cpuSeconds: 150,
  });
  const removeVariableParts = (command: string[] = []) =>
    command.filter((it) => !/^--re[ug]id=/.test(it)).map((it) => (/\/room-\w+$/.test(it) ? 'a room' : it));
  expect(removeVariableParts(child.wrap?.(['a child']))).toEqual(removeVariableParts(sandboxWrapper(['a child'])));
});

function countBytesReadBy(pid: number): number {
  try {
    return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
  } catch {
    // The process ended after it was listed.
    return 0;
  }
}

test.for(['garden.jpg', 'phone.heic'] as const)(
  'crops %s from the original pixels and keeps the whole original',
  async (name) => {
    const path =
      name === 'phone.heic'
        ? join(photos, 'garden-turned.heic')
        : writePhoto(name, await sharp(gardenPng).resize(4000, 3000).jpeg().toBuffer());
    const wholeCopies = await developPhoto(path, createFolder());
    const crop = { quarterTurns: 1, area: { left: 0, top: 0.5, width: 0.5, height: 0.5 } };
    const developedPhoto = await imaging.develop(path, createFolder(), 'anna', undefined, crop);
    expect(developedPhoto).toMatchObject({ width: wholeCopies.width, height: wholeCopies.height });
    const expected = await sharp(wholeCopies.displayPath).rotate(90).toBuffer();
    const { width, height } = await sharp(expected).metadata();
    const expectedCrop = await sharp(expected)
      .extract({
        left: 0,
        top: Math.round(height / 2),
        width: Math.round(width / 2),
        height: height - Math.round(height / 2),
      })
      .png()
      .toBuffer();
    expect(await computeMeanDifference(developedPhoto.displayPath, expectedCrop)).toBeLessThan(3);
    expect(
      await computeMeanDifference(developedPhoto.wholePath!, await sharp(wholeCopies.displayPath).png().toBuffer()),
    ).toBeLessThan(3);
    if (name === 'garden.jpg')
      expect(await sharp(developedPhoto.displayPath).metadata()).toMatchObject({ width: 1500, height: 2000 });
  },
);

test('makes a crop that keeps a whole side as sharp as the original allows', async () => {
  const path = writePhoto('large.jpg', await sharp(gardenPng).resize(4032, 3024).jpeg().toBuffer());
  for (const [quarterTurns, area] of [
    [0, { left: 0.25, top: 0, width: 0.5, height: 1 }],
    [1, { left: 0, top: 0.25, width: 1, height: 0.5 }],
  ] as const) {
    const { displayPath } = await imaging.develop(path, createFolder(), 'anna', undefined, { quarterTurns, area });
    const { width, height } = await sharp(displayPath).metadata();
    const [longer, shorter] = quarterTurns === 0 ? [height, width] : [width, height];
    expect(longer).toBe(2560);
    expect(Math.abs(shorter - (2560 * 2) / 3)).toBeLessThan(1); // sharp rounds the shorter side to whole pixels
  }
});
