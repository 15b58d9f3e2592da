// The logo mark, the icons, and the drawing for empty lists.
import { writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { prepareOutputPath, mediaFolder, projectRootFolder } from './places.ts';
import { publishPicture } from './pictures.ts';
import { accentColor, inkColor, createLogoSvg, createLogoShapes, paperBackgroundColor } from './type.ts';

const publicFolder = `${projectRootFolder}/public`;

const drawIcon = (size: number, padding: number, radius: number) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 64 64"><rect width="64" height="64" rx="${radius}" fill="${accentColor}"/><g transform="translate(32 32) scale(${1 - padding}) translate(-33 -30.5)">${createLogoShapes(paperBackgroundColor)}</g></svg>`,
  );

export async function renderBrandImages() {
  writeFileSync(prepareOutputPath(publicFolder, 'favicon.svg'), drawIcon(64, 0, 14));
  const smallIcon = await sharp(drawIcon(32, -0.08, 14), { density: 288 })
    .resize(32, 32)
    .png()
    .toBuffer();
  writeFileSync(prepareOutputPath(publicFolder, 'favicon-32.png'), smallIcon);
  writeFileSync(prepareOutputPath(publicFolder, 'favicon.ico'), createIcoFile(smallIcon, 32));
  for (const [file, size] of [
    ['apple-touch-icon', 180],
    ['icon-192', 192],
    ['icon-512', 512],
  ] as const) {
    await sharp(drawIcon(size, 0.34, 0))
      .resize(size, size)
      .png({ compressionLevel: 9 })
      .toFile(prepareOutputPath(publicFolder, `${file}.png`));
  }
  writeFileSync(prepareOutputPath(mediaFolder, 'brand/mark.svg'), createLogoSvg());
  writeFileSync(prepareOutputPath(mediaFolder, 'brand/mark-ink.svg'), createLogoSvg(inkColor));
  writeFileSync(prepareOutputPath(mediaFolder, 'brand/mark-paper.svg'), createLogoSvg(paperBackgroundColor));
  writeFileSync(prepareOutputPath(mediaFolder, 'brand/empty.svg'), createEmptyFrame());
  await publishPicture(
    'brand/empty',
    await sharp(Buffer.from(createEmptyFrame()), { density: 144 }).resize(960).png().toBuffer(),
    'Drawing of an empty frame on a shelf, waiting for its first photo.',
  );
}

/** An ICO file that contains one PNG. */
function createIcoFile(png: Buffer, size: number) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head[6] = size;
  head[7] = size;
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(22, 18);
  return Buffer.concat([head, png]);
}

/** An empty frame on a shelf next to a sprig: for empty lists. */
function createEmptyFrame() {
  const drawLeaf = (x: number, y: number, turn: number, s = 1) =>
    `<path transform="translate(${x} ${y}) rotate(${turn}) scale(${s})" d="M0 0C6-11 20-13 30-6 22 5 8 8 0 0Z" fill="#a9b5a6" stroke="#6d7f6c" stroke-width="1.6"/>`;
  const sprig = [
    [372, 172, -150],
    [372, 172, -28],
    [368, 146, -160],
    [370, 146, -22],
    [362, 120, -165],
    [364, 120, -14],
    [355, 98, -100],
  ]
    .map(([x, y, a], i) => drawLeaf(x!, y!, a!, 1 - i * 0.06))
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 320" role="img" aria-label="An empty frame on a shelf"><ellipse cx="222" cy="268" rx="150" ry="9" fill="#e9dfd0"/><path d="M40 268H440" stroke="${inkColor}" stroke-width="2.4" stroke-linecap="round"/><path d="M232 250l34 18" stroke="#8f6338" stroke-width="7" stroke-linecap="round"/><rect x="104" y="76" width="216" height="146" rx="5" transform="rotate(-1.5 212 149)" fill="none"/><g transform="rotate(-1.2 208 168)"><rect x="88" y="84" width="240" height="174" rx="6" fill="#c99b66" stroke="${inkColor}" stroke-width="2.4"/><path d="M88 88l18 18M328 88l-18 18M88 254l18-18M328 254l-18-18" stroke="#8f6338" stroke-width="1.8"/><rect x="104" y="100" width="208" height="142" rx="2" fill="#fbf7f0" stroke="#8f6338" stroke-width="1.6"/><rect x="126" y="119" width="164" height="104" fill="#efe6d8" stroke="#d8cab5" stroke-width="1.6" stroke-dasharray="6 6"/><path d="M168 201l28-34 20 22 10-11 22 23Z" fill="none" stroke="#b9a78f" stroke-width="3" stroke-linejoin="round" stroke-linecap="round"/><circle cx="180" cy="150" r="7" fill="none" stroke="#b9a78f" stroke-width="3"/></g><path d="M352 268c-6 0-11-6-11-22 0-14 6-20 10-24v-16h34v16c4 4 10 10 10 24 0 16-5 22-11 22Z" fill="#f4ecdf" stroke="${inkColor}" stroke-width="2.4" stroke-linejoin="round"/><path d="M368 206C374 160 366 120 352 92" fill="none" stroke="#6d7f6c" stroke-width="2.4" stroke-linecap="round"/>${sprig}<path d="M346 62a26 26 0 0 0-17-22M366 60A48 48 0 0 0 334 22" fill="none" stroke="${accentColor}" stroke-width="3" stroke-linecap="round" opacity="0"/></svg>`;
}
