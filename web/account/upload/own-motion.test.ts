import { expect, test } from 'vitest';
import type { UploadView } from '#contract/frames.ts';
import { hasLostOwnMotion, showsOwnMotion } from './own-motion.ts';

const photo = (more: Partial<UploadView>) =>
  ({ hasOwnMotion: true, style: null, moves: null, preview: null, ...more }) as UploadView;
const unspecifiedMotions = { living: null, water: false, candle: null };

test('a motion photo shows its own motion, unless the customer wants another motion or none', () => {
  expect(showsOwnMotion(photo({}))).toBe(true);
  expect(showsOwnMotion(photo({ moves: unspecifiedMotions }))).toBe(true);
  expect(showsOwnMotion(photo({ style: 'own-motion', moves: { ...unspecifiedMotions, water: true } }))).toBe(true);
  for (const photoWithoutOwnMotion of [
    { hasOwnMotion: false },
    { style: 'depth' as const },
    { moves: { ...unspecifiedMotions, living: false } },
    { moves: { ...unspecifiedMotions, water: true } },
    { moves: { ...unspecifiedMotions, candle: { x: 0.5, y: 0.5 } } },
  ])
    expect(showsOwnMotion(photo(photoWithoutOwnMotion))).toBe(false);
});

test('a preview with another motion means that the motion in the file cannot be used', () => {
  expect(hasLostOwnMotion(photo({}))).toBe(false);
  expect(hasLostOwnMotion(photo({ preview: { style: 'own-motion', url: null } }))).toBe(false);
  expect(hasLostOwnMotion(photo({ preview: { style: 'alive', url: null } }))).toBe(true);
  expect(hasLostOwnMotion(photo({ style: 'depth', preview: { style: 'depth', url: null } }))).toBe(false);
});
