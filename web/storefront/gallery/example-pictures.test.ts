import { expect, test } from 'vitest';
import { areExamplePictures } from './example-pictures.ts';

const item = (beforeImage: string) => ({ id: 1, title: 'A title', caption: '', beforeImage });

test('the gallery counts as illustrated only while the shop provides all of its pictures', () => {
  expect(areExamplePictures([item('/media/gallery/kite-1280.webp'), item('/media/gallery/cat-1280.webp')])).toBe(true);
  expect(areExamplePictures([item('/media/gallery/kite-1280.webp'), item('/content/files/family.jpg')])).toBe(false);
  expect(areExamplePictures([])).toBe(false);
});
