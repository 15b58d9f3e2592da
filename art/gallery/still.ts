// The still of a gallery piece: the photo that a customer would upload.
import { writeFileSync } from 'node:fs';
import { publish } from '../pictures.ts';
import { outputPath, rawFolder } from '../places.ts';
import { type Piece } from './pieces.ts';
import { renderAct } from './stage.ts';

export async function still(name: string, piece: Piece) {
  const show = await renderAct(name, await piece.act());
  show.draw(0);
  const picture = show.canvas.toBuffer('image/png');
  writeFileSync(outputPath(rawFolder, 'stills', `${name}.png`), picture);
  await publish(`gallery/${name}`, picture, piece.alt);
}
