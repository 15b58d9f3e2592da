// The video that the shop's own animator makes from a gallery piece's still, as a customer would get it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { findFfmpeg } from '#adapters/animation/ffmpeg.ts';
import { createLocalAnimator } from '#adapters/animation/local/local-animator.ts';
import { createPhotoAnalyzer } from '#adapters/seeing/photo-analyzer.ts';
import type { MotionStyle } from '#contract/motion.ts';
import { animateAndWait } from '#test/animate.ts';
import { updateManifest } from '../pictures.ts';
import { prepareOutputPath, mediaFolder, projectRootFolder } from '../places.ts';
import { shrinkVideo } from '../video.ts';
import type { GalleryEntry } from './pieces.ts';

export const exampleVideoSeconds = 8;
const maxBytes = 900_000;

/** For each gallery piece, the best motion that customers can choose, and the position of a flame if there is one. */
const motions: Record<string, { style: MotionStyle; focus?: { x: number; y: number } }> = {
  kite: { style: 'sky' },
  garden: { style: 'motes' },
  birthday: { style: 'candlelight', focus: { x: 0.5, y: 0.31 } },
  cabin: { style: 'snow' },
  promenade: { style: 'restored' },
  cat: { style: 'motes' },
  sailboat: { style: 'water' },
  autumn: { style: 'leaves' },
  campfire: { style: 'candlelight', focus: { x: 0.33, y: 0.8 } },
  balloons: { style: 'sky' },
  'paper-boats': { style: 'drift' },
  laughter: { style: 'alive' },
  newborn: { style: 'alive' },
  'best-friends': { style: 'alive' },
};

export async function renderExampleVideo(name: string, piece: GalleryEntry) {
  const key = `gallery/${name}`;
  const { style, focus } = motions[name] ?? { style: 'depth' };
  const folder = mkdtempSync(path.join(tmpdir(), 'example-'));
  const sourcePath = path.join(folder, 'still.jpg');
  const stillPicture = await sharp(path.join(mediaFolder, `${key}-1280.webp`))
    .jpeg({ quality: 96 })
    .toFile(sourcePath);
  const photoAnalyzer = createPhotoAnalyzer({
    modelsFolder: path.join(projectRootFolder, 'adapters/seeing/models'),
    onTrouble: console.warn,
  });
  const analysis = await photoAnalyzer.analyzePhoto(sourcePath);
  const { path: ffmpegPath } = await findFfmpeg(process.env['FFMPEG_PATH']);
  const animator = createLocalAnimator({ ffmpegPath, eyes: photoAnalyzer });
  const video = await animateAndWait(animator, {
    id: name,
    sourcePath,
    style,
    seconds: exampleVideoSeconds,
    folder,
    ...(analysis && { seen: analysis }),
    ...(focus && { focus }),
  });
  const file = prepareOutputPath(mediaFolder, `${key}.mp4`);
  const { bytes, crf } = await shrinkVideo(video.videoPath, file, exampleVideoSeconds * 25, maxBytes, 23);
  rmSync(folder, { recursive: true });
  updateManifest((m) => {
    m.videos[key] = {
      before: key,
      after: `/media/${key}.mp4`,
      poster: key,
      width: stillPicture.width,
      height: stillPicture.height,
      seconds: exampleVideoSeconds,
      title: piece.title,
      caption: piece.caption,
      alt: piece.alt,
    };
  });
  console.log(`${key}: ${video.provenance.style}, ${Math.round(bytes / 1000)} kB at crf ${crf}`);
}
