// Photos that the named people of the demo upload: the gallery scenes at other moments and in other crops, like camera
// photos.
import { statSync } from 'node:fs';
import sharp from 'sharp';
import { galleryEntries } from './gallery/pieces.ts';
import { LOOP_FRAME_COUNT, createGalleryRenderer } from './gallery/stage.ts';
import { createRandomGenerator } from './noise.ts';
import { prepareOutputPath, sampleFolder } from './places.ts';

interface Sample {
  file: string;
  piece: string;
  /** The time in the loop, 0..1. */
  t: number;
  /** The part of the 1280x800 stage, and the width of the photo. Portrait crops are allowed. */
  crop?: [x: number, y: number, w: number, h: number];
  width: number;
}

const samples: Sample[] = [
  { file: 'kite-at-the-lake', piece: 'kite', t: 0.35, width: 2880 },
  { file: 'grandpa-and-lina', piece: 'kite', t: 0.7, crop: [40, 330, 480, 360], width: 2400 },
  { file: 'grandparents-garden', piece: 'garden', t: 0.4, width: 2880 },
  { file: 'on-the-garden-bench', piece: 'garden', t: 0.8, crop: [70, 260, 405, 540], width: 2400 },
  { file: 'october-avenue', piece: 'autumn', t: 0.5, width: 2880 },
  { file: 'sailing-in-the-bay', piece: 'sailboat', t: 0.2, width: 2880 },
  { file: 'lighthouse', piece: 'sailboat', t: 0.6, crop: [20, 90, 540, 405], width: 2400 },
  { file: 'cabin-in-the-snow', piece: 'cabin', t: 0.3, width: 2880 },
  { file: 'snowman', piece: 'cabin', t: 0.75, crop: [150, 330, 480, 360], width: 2400 },
  { file: 'seventh-birthday', piece: 'birthday', t: 0.25, width: 2880 },
  { file: 'mimi-on-the-windowsill', piece: 'cat', t: 0.55, crop: [120, 60, 540, 720], width: 2400 },
  { file: 'campfire', piece: 'campfire', t: 0.15, width: 2880 },
  { file: 'promenade-1931', piece: 'promenade', t: 0.45, width: 2880 },
  { file: 'balloon-morning', piece: 'balloons', t: 0.65, width: 2880 },
  { file: 'paper-boats', piece: 'paper-boats', t: 0.3, width: 2880 },
];

const SCALE = 2;

export async function renderSamplePhotos(names: string[] = []) {
  for (const sample of samples) {
    if (names.length && !names.includes(sample.file)) continue;
    const { piece, t, crop, width, file } = sample;
    const galleryRenderer = await createGalleryRenderer(piece, await galleryEntries[piece]!.act(), SCALE);
    galleryRenderer.draw(Math.round(t * LOOP_FRAME_COUNT));
    const [x, y, w, h] = crop ?? [0, 0, 1280, 800];
    const height = Math.round((width * h) / w);
    const enlargedPicture = await sharp(galleryRenderer.canvas.toBuffer('image/png'))
      .extract({ left: x * SCALE, top: y * SCALE, width: w * SCALE, height: h * SCALE })
      .resize(width, height, { kernel: 'lanczos3' })
      .removeAlpha()
      .raw()
      .toBuffer();
    addGrain(enlargedPicture, width, 4);
    const sampleFile = prepareOutputPath(sampleFolder, `${file}.jpg`);
    await sharp(enlargedPicture, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 84, mozjpeg: true })
      .withExif({ IFD0: { Make: 'Kinframe', Model: 'Sample', Software: 'art/samples.ts' } })
      .toFile(sampleFile);
    console.log(`${file}: ${width}x${height}, ${Math.round(statSync(sampleFile).size / 1000)} kB`);
  }
}

/** Soft camera grain, two pixels wide, so that enlargements do not look smooth. */
function addGrain(pixels: Buffer, width: number, strength: number) {
  const random = createRandomGenerator(width);
  const row = new Float32Array(width);
  for (let i = 0; i < pixels.length; i += 3) {
    const x = (i / 3) % width;
    row[x] = 0.5 * row[x]! + (random() - 0.5) * strength;
    const q = row[x]! + 0.6 * (row[(x + width - 1) % width] ?? 0);
    for (let c = 0; c < 3; c++) pixels[i + c] = Math.max(0, Math.min(255, pixels[i + c]! + q));
  }
}
