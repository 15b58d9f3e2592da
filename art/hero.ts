// The hero: the sideboard as a still, with the video of the shop's own animator (gallery/example.ts) inside the frame.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import {
  encodePlate,
  openRenderedImage,
  encodePng,
  drawOnScreen,
  computeScreenMapping,
  addScreenLight,
} from './compose.ts';
import { exampleVideoSeconds } from './gallery/example.ts';
import { FRAMES_PER_SECOND, CANVAS_HEIGHT, CANVAS_WIDTH } from './gallery/stage.ts';
import { updateManifest, publishPicture } from './pictures.ts';
import { prepareOutputPath, mediaFolder, rawFilePath } from './places.ts';
import { encodeFrames, shrinkVideo } from './video.ts';

const MAX_BYTES = 790_000;
/** The width in pixels that a phone shows: 412 CSS pixels wide at a ratio of 1.75, with the picture's sides cropped. */
const PHONE_WIDTH = 970;
const FRAME_COUNT = exampleVideoSeconds * FRAMES_PER_SECOND;
const ALT =
  'The Kinframe on an oak sideboard in morning light. On its screen leaves come down over an avenue in October, where a grandmother sits on a bench and a child stands.';

/** Yields the raw RGBA frames of a video. */
async function* renderFrames(file: string, bytes: number) {
  const ffmpeg = spawn(
    process.env['FFMPEG_PATH'] ?? 'ffmpeg',
    ['-v', 'error', '-i', file, '-f', 'rawvideo', '-pix_fmt', 'rgba', '-'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let buffered: Buffer[] = [];
  let size = 0;
  for await (const chunk of ffmpeg.stdout as AsyncIterable<Buffer>) {
    buffered.push(chunk);
    size += chunk.length;
    while (size >= bytes) {
      const allBytes = Buffer.concat(buffered);
      yield allBytes.subarray(0, bytes);
      buffered = [allBytes.subarray(bytes)];
      size -= bytes;
    }
  }
}

export async function renderHeroVideo(scene = 'hero', picture = 'autumn') {
  const [plate, large] = [await openRenderedImage(scene, 1600), await openRenderedImage(scene)];
  const screenMapping = computeScreenMapping(plate, 'screen', { width: CANVAS_WIDTH, height: CANVAS_HEIGHT }, 3);
  const canvas = encodePlate(plate, 1.2, 4);
  const sourceFrames = renderFrames(
    prepareOutputPath(mediaFolder, `gallery/${picture}.mp4`),
    CANVAS_WIDTH * CANVAS_HEIGHT * 4,
  );
  const lossless = rawFilePath('hero-lossless.mp4');
  await encodeFrames(
    lossless,
    { width: plate.width, height: plate.height, fps: FRAMES_PER_SECOND, frames: FRAME_COUNT },
    8,
    async (n) => {
      const { value } = await sourceFrames.next();
      if (value) drawOnScreen(plate, screenMapping, value, canvas);
      if (value && n === 0) {
        addScreenLight(
          large,
          computeScreenMapping(large, 'screen', { width: CANVAS_WIDTH, height: CANVAS_HEIGHT }),
          value,
          4,
        );
        const stillPng = await encodePng(large, encodePlate(large, 1.2));
        await publishPicture('hero/home', stillPng, ALT, { avif: 54, webp: 74, jpeg: 78 }, [PHONE_WIDTH]);
      }
      return new Uint8Array(canvas);
    },
  );
  const file = prepareOutputPath(mediaFolder, 'hero/home.mp4');
  const { bytes, crf } = await shrinkVideo(lossless, file, FRAME_COUNT, MAX_BYTES, 21);
  updateManifest((m) => {
    m.videos['hero/home'] = {
      before: 'hero/home',
      after: '/media/hero/home.mp4',
      poster: 'hero/home',
      width: plate.width,
      height: plate.height,
      seconds: exampleVideoSeconds,
      title: 'Kinframe on the sideboard',
      caption: '',
      alt: ALT,
    };
  });
  rmSync(lossless);
  console.log(`hero: ${Math.round(bytes / 1000)} kB at crf ${crf}`);
}
