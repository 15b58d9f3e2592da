// One gallery piece: its still (before) and its loop (after).
import { statSync, writeFileSync } from 'node:fs';
import { made, mediaFolder, raw, rawFolder } from '../places.ts';
import { note, publish } from '../pictures.ts';
import { encode, shrink } from '../video.ts';
import { type Piece } from './acts.ts';
import { FPS, FRAMES, HEIGHT, perform, SECONDS, WIDTH } from './stage.ts';

const MAX_BYTES = 900_000;

export async function film(name: string, piece: Piece) {
  const key = `gallery/${name}`;
  const show = await perform(name, await piece.act());
  show.draw(0);
  const still = show.canvas.toBuffer('image/png');
  writeFileSync(made(rawFolder, 'stills', `${name}.png`), still);
  await publish(key, still, piece.alt);
  const lossless = raw(`${name}-lossless.mp4`);
  await encode(lossless, { width: WIDTH, height: HEIGHT, fps: FPS, frames: FRAMES }, 8, (n) => show.draw(n));
  const file = made(mediaFolder, `${key}.mp4`);
  const { bytes, crf } = await shrink(lossless, file, FRAMES, MAX_BYTES, 25);
  note((m) => {
    m.videos[key] = {
      before: key,
      after: `/media/${key}.mp4`,
      poster: key,
      width: WIDTH,
      height: HEIGHT,
      seconds: SECONDS,
      title: piece.title,
      caption: piece.caption,
      alt: piece.alt,
    };
  });
  console.log(
    `${key}: ${Math.round(bytes / 1000)} kB at crf ${crf}, lossless ${Math.round(statSync(lossless).size / 1e6)} MB`,
  );
}
