// The still of a gallery piece: the photo that a customer would upload.
import { writeFileSync } from 'node:fs';
import { publishPicture } from '../pictures.ts';
import { prepareOutputPath, rawFolder } from '../places.ts';
import { type GalleryEntry } from './pieces.ts';
import { createGalleryRenderer } from './stage.ts';

export async function renderGalleryStill(name: string, piece: GalleryEntry) {
  const galleryRenderer = await createGalleryRenderer(name, await piece.act());
  galleryRenderer.draw(0);
  const picture = galleryRenderer.canvas.toBuffer('image/png');
  writeFileSync(prepareOutputPath(rawFolder, 'stills', `${name}.png`), picture);
  await publishPicture(`gallery/${name}`, picture, piece.alt);
}
