import { expect, test } from 'vitest';
import { areDrawn } from './drawn-pictures.ts';

const item = (beforeImage: string) => ({ id: 1, title: 'A title', caption: '', beforeImage });

test('pictures count as drawn only while all of them come with the shop', () => {
  expect(areDrawn([item('/media/gallery/kite-1280.webp'), item('/media/gallery/cat-1280.webp')])).toBe(true);
  expect(areDrawn([item('/media/gallery/kite-1280.webp'), item('/content/files/family.jpg')])).toBe(false);
  expect(areDrawn([])).toBe(false);
});
