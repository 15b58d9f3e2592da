import { expect, test } from 'vitest';
import { areExamplePictures } from './example-pictures.ts';

const createItem = (beforeImage: string) => ({ id: 1, title: 'A title', caption: '', beforeImage });

test('the gallery counts as illustrated only while the shop provides all of its pictures', () => {
  expect(
    areExamplePictures([createItem('/media/gallery/kite-1280.webp'), createItem('/media/gallery/cat-1280.webp')]),
  ).toBe(true);
  expect(
    areExamplePictures([createItem('/media/gallery/kite-1280.webp'), createItem('/content/files/family.jpg')]),
  ).toBe(false);
  expect(areExamplePictures([])).toBe(false);
});
