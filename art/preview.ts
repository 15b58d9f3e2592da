// Renders one frame of a gallery piece as a preview: node art/preview.ts kite out.png [t]
import { writeFileSync } from 'node:fs';
import { galleryEntries } from './gallery/pieces.ts';
import { LOOP_FRAME_COUNT, createGalleryRenderer } from './gallery/stage.ts';

const [name = 'kite', out = 'preview.png', t = '0'] = process.argv.slice(2);
const galleryRenderer = await createGalleryRenderer(name, await galleryEntries[name]!.act());
galleryRenderer.draw(Math.round(Number(t) * LOOP_FRAME_COUNT));
writeFileSync(out, galleryRenderer.canvas.toBuffer('image/png'));
