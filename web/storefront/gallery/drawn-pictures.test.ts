import { expect, test } from 'vitest';
import { areExamplePictures } from './drawn-pictures.ts';

const item = (beforeImage: string) => ({ id: 1, title: 'A title', caption: '', beforeImage });

test('pictures count as drawn only while all of them come with the shop', () => {
  expect(areExamplePictures([item('/media/gallery/kite-1280.webp'), item('/media/gallery/cat-1280.webp')])).toBe(true);
  expect(areExamplePictures([item('/media/gallery/kite-1280.webp'), item('/content/files/family.jpg')])).toBe(false);
  expect(areExamplePictures([])).toBe(false);
});
