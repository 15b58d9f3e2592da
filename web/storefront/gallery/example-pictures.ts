import type { GalleryItem } from '#contract/content-forms.ts';

/** Whether the gallery shows only the example pictures that the shop provides. They are drawings, including the people in them. */
export const areExamplePictures = (items: GalleryItem[]): boolean =>
  items.length > 0 && items.every((it) => it.beforeImage.startsWith('/media/gallery/'));

export const examplePicturesText =
  'We drew these pictures, including the people. The software that moves them will also move your photos.';
