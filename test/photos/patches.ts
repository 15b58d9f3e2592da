/** Flat color patches in pictures that specify their color space in different ways. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { createJpegSegment, addJpegSegments, createPngChunk, createPng } from './pictures.ts';

const [columns, rows, side] = [4, 2, 160];
export const patchesSize = { width: columns * side, height: rows * side };
const colors = [
  [200, 60, 50],
  [60, 170, 70],
  [40, 60, 190],
  [220, 180, 150],
  [128, 128, 128],
  [20, 24, 30],
  [240, 240, 240],
  [90, 20, 120],
] as const;

type Rgb = readonly [number, number, number];

/** Returns the rows of a picture from the top left, with as many channels as `numbersOf` returns. */
function createPixels(numbersOf: (color: Rgb) => number[]): number[][] {
  return Array.from({ length: patchesSize.height }, (_, y) =>
    Array.from({ length: patchesSize.width }, (_, x) =>
      numbersOf(colors[columns * Math.floor(y / side) + Math.floor(x / side)]!),
    ).flat(),
  );
}

/** Returns the center color of each patch, in a picture of any size. */
export async function readPatchColors(picture: string | Buffer): Promise<number[][]> {
  const { data, info } = await sharp(picture).removeAlpha().toColourspace('srgb').raw().toBuffer({
    resolveWithObject: true,
  });
  return colors.map((_, at) => {
    const x = Math.floor(((at % columns) + 0.5) * (info.width / columns));
    const y = Math.floor((Math.floor(at / columns) + 0.5) * (info.height / rows));
    return [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
  });
}

/** The center position of each patch in the picture itself. */
export const patchMiddles = colors.map((_, at) => [
  ((at % columns) + 0.5) * side,
  (Math.floor(at / columns) + 0.5) * side,
]);

interface PngKind {
  bits?: 8 | 16;
  /** The PNG color type: 0 for gray (the green of each patch), 2 for RGB, 6 with transparency. */
  color?: 0 | 2 | 6;
}

/** A PNG of the patches with extra chunks before its picture data. */
export function createPatchesPng(chunks: Buffer[] = [], { bits = 8, color = 2 }: PngKind = {}): Buffer {
  const toSamples = ([red, green, blue]: Rgb) =>
    ({ 0: [green], 2: [red, green, blue], 6: [red, green, blue, 255] })[color];
  const pixelRows = createPixels((it) =>
    bits === 8 ? toSamples(it) : toSamples(it).flatMap((number) => [number, number]),
  );
  return createPng({ ...patchesSize, bits, color }, [
    ...chunks,
    createPngChunk('IDAT', deflateSync(Buffer.concat(pixelRows.map((line) => Buffer.from([0, ...line]))))),
  ]);
}

const createNumbersChunk = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => bytes.writeUInt32BE(value, 4 * at));
  return bytes;
};
export const createCicpChunk = (...codes: number[]) => createPngChunk('cICP', Buffer.from(codes));
export const createGammaChunk = (hundredThousandths: number) =>
  createPngChunk('gAMA', createNumbersChunk(hundredThousandths));
export const createSrgbIntentChunk = (intent: number) => createPngChunk('sRGB', Buffer.from([intent]));
/** A cHRM chunk. The values are x and y of white, red, green and blue, in hundred-thousandths. */
export const createChromaticitiesChunk = (...values: number[]) => createPngChunk('cHRM', createNumbersChunk(...values));
export const createContentLightChunk = (nits: number) =>
  createPngChunk('cLLI', createNumbersChunk(nits * 10_000, nits * 1000));
export const createIccpChunk = (profile: Buffer) =>
  createPngChunk('iCCP', Buffer.concat([Buffer.from('a name\0\0', 'latin1'), deflateSync(profile)]));
export const createShortChunk = (type: string, length: number) => createPngChunk(type, Buffer.alloc(length, 1));
/** Returns the chunk with a wrong checksum. */
export const corruptChecksum = (chunk: Buffer) =>
  Buffer.concat([chunk.subarray(0, -1), Buffer.from([chunk.at(-1)! ^ 1])]);

/** A JPEG of the patches in full color, with Exif data like a camera's. */
export async function createPatchesJpeg(exif: ExifColor = {}): Promise<Buffer> {
  const jpeg = await sharp(createPatchesPng()).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
  return addJpegSegments(jpeg, [createExifSegment(exif)]);
}

export interface ExifColor {
  colorSpace?: number;
  /** The interoperability index: R03 for Adobe RGB, R98 for sRGB. */
  index?: string;
  order?: 'II' | 'MM';
}

/** Returns an Exif segment with the orientation, followed by the color information. */
export function createExifSegment({ colorSpace, index, order = 'MM' }: ExifColor): Buffer {
  const tiff = Buffer.alloc(120);
  const [short, long] =
    order === 'MM'
      ? [
          (value: number, at: number) => tiff.writeUInt16BE(value, at),
          (value: number, at: number) => tiff.writeUInt32BE(value, at),
        ]
      : [
          (value: number, at: number) => tiff.writeUInt16LE(value, at),
          (value: number, at: number) => tiff.writeUInt32LE(value, at),
        ];
  const [shortType, longType, textType] = [3, 4, 2];
  const writeEntry = (at: number, tag: number, type: number, write: (valueAt: number) => void) => {
    short(tag, at);
    short(type, at + 2);
    long(type === textType ? 4 : 1, at + 4);
    write(at + 8);
    return at + 12;
  };
  tiff.write(order, 'latin1');
  short(42, 2);
  long(8, 4);
  short(2, 8);
  let at = writeEntry(10, 0x0112, shortType, (value) => short(1, value));
  at = writeEntry(at, 0x8769, longType, (value) => long(40, value));
  short((colorSpace === undefined ? 0 : 1) + (index === undefined ? 0 : 1), 40);
  at = 42;
  if (colorSpace !== undefined) at = writeEntry(at, 0xa001, shortType, (value) => short(colorSpace, value));
  if (index !== undefined) at = writeEntry(at, 0xa005, longType, (value) => long(80, value));
  if (index !== undefined) {
    short(1, 80);
    writeEntry(82, 1, textType, (value) => tiff.write(`${index}\0`, value, 'latin1'));
  }
  return createJpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]));
}
