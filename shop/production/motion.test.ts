import { expect, test } from 'vitest';
import { face, seen } from '#test/seeing.ts';
import type { Moves } from '#contract/photo-forms.ts';
import { motionFor } from './motion.ts';

const landscape = { width: 1600, height: 1200, moves: null };
const portrait = { width: 1200, height: 1600, moves: null };
const chosen = (photo: typeof landscape, more: Parameters<typeof seen>[0]) =>
  [0, 1, 2, 3, 4, 5].map((place) => motionFor(photo, place, seen(more)));

test('motion is chosen by what was seen', () => {
  const one = { faces: [face(0.5, 0.4, 0.3)] };
  const three = { faces: [0.2, 0.5, 0.8].map((x) => face(x, 0.4)) };
  expect(new Set(chosen(landscape, { ...one, people: 0.4 }))).toEqual(new Set(['parallax', 'portrait-light']));
  expect(chosen(portrait, { ...one, people: 0.4 })).not.toContain('floating-print');
  expect(chosen(landscape, { ...three, people: 0.5 })).toContain('crowd-pan');
  // Where nobody can be cut out, nothing is asked for that needs it.
  for (const faces of [one, three]) {
    const styles = chosen(landscape, { ...faces, people: 0 });
    for (const layered of ['parallax', 'portrait-light', 'crowd-pan']) expect(styles).not.toContain(layered);
  }
  const crowd = { faces: Array.from({ length: 60 }, (_, at) => face((at % 10) / 10, 0.3, 0.05)) };
  expect(chosen(landscape, { ...crowd, people: 0.5 })).not.toContain('crowd-pan');
  const burnt = { light: { mean: 0.8, dark: 0, burnt: 0.3, colour: 0.2 } };
  expect(chosen(landscape, burnt)).not.toContain('light-sweep');
  expect(chosen(landscape, { sky: { horizon: 0.4, part: 0.4, hasClouds: true } })).toContain('sky');
  expect(chosen(landscape, { sky: { horizon: 0.4, part: 0.4, hasClouds: false } })).not.toContain('sky');
  // A passer-by makes no portrait.
  expect(chosen(landscape, { faces: [face(0.9, 0.2, 0.05, { isMain: false })] })).toContain('drift');
});

test('what alters a photo, or may hurt, is never chosen by itself', () => {
  const all = seen({
    faces: [face(0.5, 0.4, 0.3)],
    people: 0.4,
    sky: { horizon: 0.4, part: 0.4, hasClouds: true },
    water: { part: 0.3 },
    glows: [{ x: 0.5, y: 0.5, radius: 0.01, isFlame: true }],
    light: { mean: 0.3, dark: 0.4, burnt: 0, colour: 0 },
  });
  for (const more of [
    all,
    { ...all, faces: [] },
    { ...all, faces: [], sky: { horizon: 1, part: 0.01, hasClouds: false } },
  ])
    for (const style of [...chosen(landscape, more), ...chosen(portrait, more)])
      expect(['alive', 'water', 'candlelight', 'snow', 'motes', 'leaves', 'restored', 'reveal']).not.toContain(style);
});

test('neighbours of one kind move differently, seen or not', () => {
  for (const more of [{}, { faces: [face(0.5, 0.4, 0.3)], people: 0.4 }, { faces: [face(0.5, 0.4, 0.3)], people: 0 }]) {
    const styles = chosen(landscape, more);
    styles.slice(1).forEach((style, place) => expect(style).not.toBe(styles[place]));
  }
});

test('what the customer lets move is what moves', () => {
  const still = { living: null, water: false, candle: null };
  const one = seen({ faces: [face(0.5, 0.4, 0.3)] });
  const of = (moves: Partial<Moves>, look = one) => motionFor({ ...landscape, moves: { ...still, ...moves } }, 0, look);
  expect(of({ living: true })).toBe('alive');
  expect(of({ living: true }, seen({}))).not.toBe('alive'); // nobody is there
  expect(of({ living: false })).toBe(motionFor(landscape, 0, one));
  expect(of({ water: true, living: true })).toBe('water');
  expect(of({ water: true, candle: { x: 0.3, y: 0.7 } })).toBe('candlelight');
});
