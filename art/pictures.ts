// Stills for the pages: AVIF and WebP in several widths, one JPEG as a fallback, and an entry in the manifest.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import { prepareOutputPath, mediaFolder } from './places.ts';

export interface Picture {
  width: number;
  height: number;
  widths: number[];
  alt: string;
  color: string;
}

export interface Video {
  before: string;
  after: string;
  poster: string;
  width: number;
  height: number;
  seconds: number;
  title: string;
  caption: string;
  alt: string;
}

export interface MediaManifest {
  pictures: Record<string, Picture>;
  videos: Record<string, Video>;
}

const WIDTHS = [480, 640, 800, 1200, 1600, 2160, 2880];
/** The width for product pictures in lists and table rows. */
const THUMBNAIL_WIDTH = 240;
const manifestFile = prepareOutputPath(mediaFolder, 'media.json');

/**
 * Writes public/media/<key>-<width>.avif and .webp in the widths above and in `more`, as far as the source allows, and
 * <key>-1200.jpg, at most 1200 pixels wide.
 */
export async function publishPicture(
  key: string,
  source: Buffer,
  alt: string,
  quality = { avif: 58, webp: 80, jpeg: 82 },
  more: number[] = [],
) {
  const { width, height } = await sharp(source).metadata();
  const wantedWidths = [...(key.startsWith('product/') ? [THUMBNAIL_WIDTH] : []), ...WIDTHS, ...more];
  const widths = wantedWidths.filter((w) => w <= width).toSorted((a, b) => a - b);
  if (width > (widths.at(-1) ?? 0) * 1.05) widths.push(width);
  const jpegWidth = Math.min(1200, width);
  const resizeTo = (w: number): Sharp => sharp(source).resize(w);
  for (const w of widths) {
    await resizeTo(w)
      .avif({ quality: quality.avif, effort: 4 })
      .toFile(prepareOutputPath(mediaFolder, `${key}-${w}.avif`));
    await resizeTo(w)
      .webp({ quality: quality.webp, effort: 5 })
      .toFile(prepareOutputPath(mediaFolder, `${key}-${w}.webp`));
  }
  await resizeTo(jpegWidth)
    .flatten({ background: '#faf6ef' })
    .jpeg({ quality: quality.jpeg, mozjpeg: true })
    .toFile(prepareOutputPath(mediaFolder, `${key}-1200.jpg`));
  updateManifest((m) => {
    m.pictures[key] = { width, height, widths, alt, color: '' };
  });
  const [r, g, b] = await sharp(source).flatten({ background: '#faf6ef' }).resize(1, 1).raw().toBuffer();
  const color = `#${[r!, g!, b!].map((c) => c.toString(16).padStart(2, '0')).join('')}`;
  updateManifest((m) => {
    m.pictures[key]!.color = color;
  });
}

export function updateManifest(change: (manifest: MediaManifest) => void) {
  const manifest: MediaManifest = existsSync(manifestFile)
    ? (JSON.parse(readFileSync(manifestFile, 'utf8')) as MediaManifest)
    : { pictures: {}, videos: {} };
  change(manifest);
  const sortKeys = <T>(record: Record<string, T>) =>
    Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b)));
  writeFileSync(
    manifestFile,
    `${JSON.stringify({ pictures: sortKeys(manifest.pictures), videos: sortKeys(manifest.videos) }, null, 2)}\n`,
  );
}
