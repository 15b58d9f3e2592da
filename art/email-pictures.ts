// Product pictures for emails: twice the width of their column, as JPEG, which every email program supports.
import path from 'node:path';
import sharp from 'sharp';
import { prepareOutputPath, mediaFolder } from './places.ts';

const WIDTH = 1040;
/** The name of each picture in emails, and the widest published file, from which it is made. */
const pictures = { frame: 'hero-2160', gift: 'gift-1920', service: 'byof-1520', photos: 'bundle-1440' };

/** Writes public/media/letters/<name>.jpg, from the pictures in public/media/product. */
export async function makeEmailPictures() {
  for (const [name, source] of Object.entries(pictures))
    await sharp(path.join(mediaFolder, `product/${source}.webp`))
      .resize(WIDTH)
      .flatten({ background: '#faf6ef' })
      .jpeg({ quality: 82, mozjpeg: true })
      .toFile(prepareOutputPath(mediaFolder, `letters/${name}.jpg`));
}
