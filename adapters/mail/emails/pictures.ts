import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmailPicture } from '#shop/ports/mailer.ts';

/** The shop's own pictures for emails, made by art/. */
const pictureTexts = {
  mark: { file: 'apple-touch-icon.png', alt: '' },
  frame: {
    file: 'media/letters/frame.jpg',
    alt: 'The Kinframe, an oak picture frame, on a sideboard in morning light.',
  },
  gift: { file: 'media/letters/gift.jpg', alt: 'The Kinframe next to two wrapped presents.' },
  service: { file: 'media/letters/service.jpg', alt: 'A digital frame of another brand plays a garden scene.' },
  photos: {
    file: 'media/letters/photos.jpg',
    alt: 'Printed photos on a table; one of them is playing in a frame.',
  },
};
export type EmailPictureName = keyof typeof pictureTexts;

/** Reads each of the shop's own pictures once. */
export function createEmailPictureReader(publicFolder: string): (name: EmailPictureName) => EmailPicture {
  const loadedPictures = new Map<EmailPictureName, EmailPicture>();
  return (name) => {
    const loadedPicture = loadedPictures.get(name);
    if (loadedPicture) return loadedPicture;
    const { file, alt } = pictureTexts[name];
    const [ending, contentType] = file.endsWith('.png')
      ? (['png', 'image/png'] as const)
      : (['jpg', 'image/jpeg'] as const);
    const picture = { name: `${name}.${ending}`, contentType, bytes: readFileSync(join(publicFolder, file)), alt };
    loadedPictures.set(name, picture);
    return picture;
  };
}
