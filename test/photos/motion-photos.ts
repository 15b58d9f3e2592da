/** Makes motion photos as phones write them: a photo and, in the same file, a film of the same moment. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { findFfmpeg } from '#adapters/animation/ffmpeg.ts';
import { paintGarden } from './garden.ts';
import { createJpegSegment, addJpegSegments } from './pictures.ts';

const runProgram = promisify(execFile);

export interface MotionPhotoParts {
  /** A JPEG of the garden with a red ball, at full size. */
  still: Buffer;
  /** The film, with a tone: the ball swings, the hand shakes, and the colors are duller than those of the still. */
  film: Buffer;
}
interface FilmOptions {
  /** Width of the still in pixels. Its height is three quarters of it. */
  width?: number;
  seconds?: number;
  framesPerSecond?: number;
  /** When the still is taken, in seconds. */
  stillAt?: number;
  /** The part of the still's width and height that the film shows. */
  part?: { width: number; height: number };
  /** The film's own size. */
  size?: { width: number; height: number };
  /** ffmpeg arguments for the encoder. */
  codec?: string[];
  /** The film is stored rotated, with a tag that turns it upright, as on phones. */
  isOnItsSide?: boolean;
  /** How far the hand shakes and how far the ball swings, as fractions of the still's width. */
  shake?: number;
  swing?: number;
}

/** Makes the still and its film with ffmpeg. */
export async function createMotionPhotoParts({
  width = 1000,
  seconds = 3,
  framesPerSecond = 30,
  stillAt = 1.5,
  part = { width: 0.9, height: 0.9 },
  size = { width: 640, height: 480 },
  codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '18'],
  isOnItsSide = false,
  shake = 0.008,
  swing = 0.12,
}: FilmOptions = {}): Promise<MotionPhotoParts> {
  const { path: ffmpeg } = await findFfmpeg(process.env['FFMPEG_PATH']);
  const folder = mkdtempSync(join(tmpdir(), 'motion-photo-'));
  const pathInFolder = (name: string) => join(folder, name);
  const height = 0.75 * width;
  const shareOfWidth = (share: number) => Math.round(share * width);
  const ball = { side: shareOfWidth(0.12), x: shareOfWidth(0.44), y: shareOfWidth(0.31) };
  try {
    const scene = paintGarden(width, height).toBuffer('image/png');
    const disc = Buffer.from(
      `<svg width="${ball.side}" height="${ball.side}"><circle cx="50%" cy="50%" r="48%" fill="#d02818"/></svg>`,
    );
    writeFileSync(pathInFolder('garden.png'), scene);
    writeFileSync(pathInFolder('ball.png'), await sharp(disc).png().toBuffer());
    const stillPhoto = await sharp(scene)
      .composite([{ input: disc, left: ball.x, top: ball.y }])
      .jpeg({ quality: 92 })
      .toBuffer();
    const [wide, high] = [part.width * width, part.height * height];
    // At the moment of the still, the ball and the hand are where the still shows them.
    const createSwingExpression = (share: number, speed: number) =>
      `${shareOfWidth(share)}*sin(${speed}*(t-${stillAt}))`;
    const filters = [
      `[0]loop=loop=-1:size=1,fps=${framesPerSecond}[scene];[1]loop=loop=-1:size=1,fps=${framesPerSecond}[ball]`,
      `;[scene][ball]overlay=x='${ball.x}+${createSwingExpression(swing, 3)}':y=${ball.y}`,
      `,crop=${wide}:${high}:x='${(width - wide) / 2}+${createSwingExpression(shake, 9)}':y='${(height - high) / 2}+${createSwingExpression(shake, 7)}'`,
      `,scale=${size.width}:${size.height},eq=brightness=-0.05:contrast=0.9:saturation=0.75${isOnItsSide ? ',transpose=cclock' : ''}`,
    ];
    const inputs = ['-i', pathInFolder('garden.png'), '-i', pathInFolder('ball.png'), '-f', 'lavfi', '-i', 'sine'];
    const encodingArguments = ['-t', `${seconds}`, '-pix_fmt', 'yuv420p', ...codec, pathInFolder('film.mp4')];
    const mappingArguments = ['-map', '[film]', '-map', '2:a'];
    await runProgram(ffmpeg, [
      '-v',
      'error',
      '-y',
      ...inputs,
      '-filter_complex',
      `${filters.join('')}[film]`,
      ...mappingArguments,
      ...encodingArguments,
    ]);
    const videoBytes = readFileSync(pathInFolder('film.mp4'));
    return { still: stillPhoto, film: isOnItsSide ? rotateVideo(videoBytes) : videoBytes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes a quarter turn to the right into the track header of a film. */
function rotateVideo(film: Buffer): Buffer {
  const matrixOffset = film.indexOf('tkhd') + 4 + 40;
  [0, 0x10000, 0, -0x10000, 0].forEach((value, at) => film.writeInt32BE(value, matrixOffset + 4 * at));
  return film;
}

const createXmp = (attributes: string, content = '') =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
  `<rdf:Description xmlns:Camera="http://ns.google.com/photos/1.0/camera/" ` +
  `xmlns:Container="http://ns.google.com/photos/1.0/container/" ` +
  `xmlns:Item="http://ns.google.com/photos/1.0/container/item/" ${attributes}>${content}</rdf:Description></rdf:RDF></x:xmpmeta>`;

const insertXmp = (jpeg: Buffer, xmp: string) =>
  addJpegSegments(jpeg, [createJpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp}`))]);

const createContainerXmp = (mime: string, filmLength: number, stillAt: number | undefined, padding = 0) =>
  createXmp(
    `Camera:MotionPhoto="1" Camera:MotionPhotoVersion="1" Camera:MotionPhotoPresentationTimestampUs="${toMicroseconds(stillAt)}"`,
    `<Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource">` +
      `<Container:Item Item:Mime="${mime}" Item:Semantic="Primary" Item:Length="0" Item:Padding="${padding}"/></rdf:li>` +
      `<rdf:li rdf:parseType="Resource"><Container:Item Item:Mime="video/mp4" Item:Semantic="MotionPhoto" ` +
      `Item:Length="${filmLength}" Item:Padding="0"/></rdf:li></rdf:Seq></Container:Directory>`,
  );
const toMicroseconds = (seconds: number | undefined) => (seconds === undefined ? -1 : Math.round(seconds * 1e6));

/** As Google's phones write it now: XMP lists the parts of the file. */
export const createGoogleMotionPhoto = ({ still, film }: MotionPhotoParts, stillAt?: number): Buffer =>
  Buffer.concat([insertXmp(still, createContainerXmp('image/jpeg', film.length, stillAt)), film]);

/** As Google's phones wrote it before. */
export const createMicroVideoPhoto = ({ still, film }: MotionPhotoParts, stillAt?: number): Buffer => {
  const attributes = `Camera:MicroVideo="1" Camera:MicroVideoVersion="1" Camera:MicroVideoOffset="${film.length}" Camera:MicroVideoPresentationTimestampUs="${toMicroseconds(stillAt)}"`;
  return Buffer.concat([insertXmp(still, createXmp(attributes)), film]);
};

/** As Samsung's phones write it: a directory at the end of the file. */
export function createSamsungMotionPhoto({ still, film }: MotionPhotoParts): Buffer {
  const name = Buffer.from('MotionPhoto_Data');
  const head = Buffer.alloc(8);
  head.writeUInt16LE(0x0a30, 2);
  head.writeUInt32LE(name.length, 4);
  const part = Buffer.concat([head, name, film]);
  const directory = Buffer.alloc(24);
  directory.write('SEFH');
  directory.writeUInt32LE(106, 4);
  directory.writeUInt32LE(1, 8);
  directory.writeUInt16LE(0x0a30, 14);
  directory.writeUInt32LE(part.length, 16);
  directory.writeUInt32LE(part.length, 20);
  const end = Buffer.alloc(8);
  end.writeUInt32LE(directory.length);
  end.write('SEFT', 4);
  return Buffer.concat([still, part, directory, end]);
}

/** As phones write a HEIC: the film is in a box at the end. */
export function createHeicMotionPhoto(heic: Buffer, film: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + film.length);
  head.write('mpvd', 4);
  return Buffer.concat([heic, head, film]);
}

/** Makes an animation of the garden with a ball that swings, and its first picture as a JPEG. */
export async function createAnimation(
  format: 'gif' | 'webp',
  { width = 320, pictures = 20, delayMs = 60 }: { width?: number; pictures?: number; delayMs?: number } = {},
): Promise<{ file: Buffer; still: Buffer }> {
  const size = { width, height: Math.round(0.75 * width) };
  const scene = await sharp(paintGarden(size.width, size.height).toBuffer('image/png')).removeAlpha().raw().toBuffer();
  const radius = 0.07 * width;
  const pages = Array.from({ length: pictures }, (_, index) => {
    const page = Buffer.from(scene);
    const circleCenter = { x: width * (0.45 + 0.15 * Math.sin((2 * Math.PI * index) / 20)), y: 0.35 * width };
    for (let y = Math.floor(circleCenter.y - radius); y <= circleCenter.y + radius; y++)
      for (let x = Math.floor(circleCenter.x - radius); x <= circleCenter.x + radius; x++)
        if (Math.hypot(x - circleCenter.x, y - circleCenter.y) < radius) page.set([208, 40, 24], 3 * (y * width + x));
    return page;
  });
  const rawSize = { width, height: size.height * pictures, channels: 3, pageHeight: size.height } as const;
  const allPages = sharp(Buffer.concat(pages), { raw: rawSize });
  const delay = Array<number>(pictures).fill(delayMs);
  const file = await (
    format === 'gif' ? allPages.gif({ delay, effort: 1 }) : allPages.webp({ delay, quality: 85, effort: 0 })
  ).toBuffer();
  return { file, still: await sharp(file, { pages: 1 }).jpeg({ quality: 92 }).toBuffer() };
}
