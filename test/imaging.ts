import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Imaging } from '#shop/ports/imaging.ts';

/** Accepts any file as a photo without decoding it. For tests that do not depend on images. */
export const quickImaging: Imaging = {
  sniff: async () => 'image/jpeg',
  readQr: async () => undefined,
  async develop(_path, folder, _sender, _turnCame, crop) {
    const photo = {
      displayPath: join(folder, 'display.jpg'),
      thumbnailPath: join(folder, 'thumbnail.webp'),
      ...(crop && { wholePath: join(folder, 'whole.jpg') }),
    };
    for (const path of Object.values(photo)) await writeFile(path, 'a picture');
    return { mime: 'image/jpeg', width: 64, height: 48, perceptualHash: undefined, ...photo };
  },
};
