import { expect, test } from 'vitest';
import type { UploadView } from '#contract/frames.ts';
import { hasLostOwnMotion, showsOwnMotion } from './own-motion.ts';

const createPhoto = (more: Partial<UploadView>) =>
  ({ hasOwnMotion: true, style: null, moves: null, preview: null, ...more }) as UploadView;
const unspecifiedMotions = { living: null, water: false, candle: null };

test('a motion photo shows its own motion, unless the customer wants another motion or none', () => {
  expect(showsOwnMotion(createPhoto({}))).toBe(true);
  expect(showsOwnMotion(createPhoto({ moves: unspecifiedMotions }))).toBe(true);
  expect(showsOwnMotion(createPhoto({ style: 'own-motion', moves: { ...unspecifiedMotions, water: true } }))).toBe(
    true,
  );
  for (const photoWithoutOwnMotion of [
    { hasOwnMotion: false },
    { style: 'depth' as const },
    { moves: { ...unspecifiedMotions, living: false } },
    { moves: { ...unspecifiedMotions, water: true } },
    { moves: { ...unspecifiedMotions, candle: { x: 0.5, y: 0.5 } } },
  ])
    expect(showsOwnMotion(createPhoto(photoWithoutOwnMotion))).toBe(false);
});

test('a preview with another motion means that the motion in the file cannot be used', () => {
  expect(hasLostOwnMotion(createPhoto({}))).toBe(false);
  expect(hasLostOwnMotion(createPhoto({ preview: { style: 'own-motion', url: null } }))).toBe(false);
  expect(hasLostOwnMotion(createPhoto({ preview: { style: 'alive', url: null } }))).toBe(true);
  expect(hasLostOwnMotion(createPhoto({ style: 'depth', preview: { style: 'depth', url: null } }))).toBe(false);
});
