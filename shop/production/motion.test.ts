import { expect, test } from 'vitest';
import { createFaceAnalysis, createPhotoAnalysis } from '#test/photo-analysis.ts';
import type { AllowedMotions } from '#contract/photo-forms.ts';
import { chooseAnotherMotion, chooseCameraMovement, chooseMotionFor, findSuitableMotions } from './motion.ts';

const landscape = { width: 1600, height: 1200, moves: null };
const portrait = { width: 1200, height: 1600, moves: null };
const unspecifiedMotions: AllowedMotions = { living: null, water: false, candle: null };
const positions = [0, 1, 2, 3, 4, 5];
const chooseMotion = (photo: typeof landscape, more: Parameters<typeof createPhotoAnalysis>[0]) =>
  positions.map((position) => chooseMotionFor(photo, position, createPhotoAnalysis(more)));

const oneFace = { faces: [createFaceAnalysis(0.5, 0.4, 0.3)], people: 0.4 };
const group = { faces: [0.2, 0.5, 0.8].map((x) => createFaceAnalysis(x, 0.4)), people: 0.5 };
const crowd = {
  faces: Array.from({ length: 12 }, (_, at) => createFaceAnalysis((at + 0.5) / 12, 0.4, 0.07)),
  people: 0.5,
};
const cloudySky = { sky: { horizon: 0.4, part: 0.4, hasClouds: true } };

test.each([
  ['one clear face', oneFace],
  ['a group', group],
  ['a dozen faces', crowd],
  ['faces that cannot be cut out', { ...group, people: 0 }],
  ['a face below a cloudy sky', { ...oneFace, ...cloudySky }],
])('chooses the motion alive for %s, at every place in the frame', (_name, more) => {
  expect(new Set(chooseMotion(landscape, more))).toEqual(new Set(['alive']));
  expect(new Set(chooseMotion(portrait, more))).toEqual(new Set(['alive']));
});

test('chooses the motion “alive” for a face that may only blink, but not for one that may neither turn nor blink', () => {
  const createFaceWithOnly = (more: Partial<ReturnType<typeof createFaceAnalysis>>) => ({
    faces: [createFaceAnalysis(0.5, 0.4, 0.3, more)],
    people: 0.4,
  });
  expect(chooseMotion(landscape, createFaceWithOnly({ mayTurn: false, mayBlink: true }))[0]).toBe('alive');
  expect(chooseMotion(landscape, createFaceWithOnly({ mayTurn: false, mayBlink: false }))[0]).toBe('parallax');
  expect(
    chooseMotion(landscape, { ...createFaceWithOnly({ mayTurn: false, mayBlink: false }), people: 0 }),
  ).not.toContain('parallax');
});

test('does not choose alive if the only face is a passer-by', () => {
  expect(chooseMotion(landscape, { faces: [createFaceAnalysis(0.9, 0.2, 0.05, { isMain: false })] })).not.toContain(
    'alive',
  );
});

test('the camera goes from face to face in a group whose faces are too small to move', () => {
  const faces = [0.2, 0.4, 0.6, 0.8].map((x) => createFaceAnalysis(x, 0.4, 0.05, { mayTurn: false, mayBlink: false }));
  expect(chooseMotion(landscape, { faces })).toEqual(positions.map(() => 'crowd-pan'));
  expect(chooseMotion(landscape, { faces, ...cloudySky })).toEqual(positions.map(() => 'crowd-pan'));
  expect(chooseMotion(landscape, { faces: faces.slice(0, 1) })).not.toContain('crowd-pan');
  // One of five faces that moves would be noticed less than four that are frozen.
  const facesWithOneMovable = [createFaceAnalysis(0.1, 0.4, 0.06), ...faces];
  expect(chooseMotion(landscape, { faces: facesWithOneMovable })).toEqual(positions.map(() => 'crowd-pan'));
  expect(chooseMotion(landscape, { faces: facesWithOneMovable.slice(0, 3) })).toEqual(positions.map(() => 'alive'));
});

test('the camera drifts along a panorama without people at every place in the frame', () => {
  const panorama = { width: 4000, height: 1500, moves: null };
  expect(chooseMotion(panorama, {})).toEqual(positions.map(() => 'drift'));
  expect(chooseMotion(panorama, oneFace)).toEqual(positions.map(() => 'alive'));
});

test('a narrow strip of sky behind people does not drift; the people stand out instead', () => {
  const analysisOfFaceTurnedAway = {
    faces: [createFaceAnalysis(0.5, 0.4, 0.3, { mayTurn: false, mayBlink: false })],
    people: 0.4,
  };
  const skyStrip = { sky: { horizon: 0.3, part: 0.2, hasClouds: true } };
  expect(chooseMotion(landscape, { ...analysisOfFaceTurnedAway, ...skyStrip })).toEqual(
    positions.map(() => 'parallax'),
  );
  expect(chooseMotion(landscape, skyStrip)).toEqual(positions.map(() => 'sky'));
});

test('chooses sky for a large cloudy sky, but not for a clear sky or a narrow strip', () => {
  expect(chooseMotion(landscape, cloudySky)).toEqual(positions.map(() => 'sky'));
  expect(chooseMotion(landscape, { sky: { horizon: 0.4, part: 0.4, hasClouds: false } })).not.toContain('sky');
  expect(chooseMotion(landscape, { sky: { horizon: 0.1, part: 0.05, hasClouds: true } })).not.toContain('sky');
});

test('adjacent photos with plain camera motions get different motions, even if they are not analyzed', () => {
  for (const photoAnalysis of [
    undefined,
    createPhotoAnalysis({}),
    createPhotoAnalysis({ light: { mean: 0.8, dark: 0, burnt: 0.3, color: 0.2 } }),
  ]) {
    const styles = positions.map((position) => chooseMotionFor(landscape, position, photoAnalysis));
    styles.slice(1).forEach((style, position) => expect(style).not.toBe(styles[position]));
  }
});

test('adjacent photos in a frame get different camera movements', () => {
  const cameras = positions.map(chooseCameraMovement);
  cameras.slice(1).forEach((camera, position) => expect(camera).not.toBe(cameras[position]));
});

test('never chooses light-sweep for an overexposed photo', () => {
  expect(chooseMotion(landscape, { light: { mean: 0.8, dark: 0, burnt: 0.3, color: 0.2 } })).not.toContain(
    'light-sweep',
  );
});

test('never suggests motions that alter the photo or that are often detected wrongly', () => {
  const analysisWithEverything = createPhotoAnalysis({
    ...oneFace,
    ...cloudySky,
    water: { part: 0.3 },
    glows: [{ x: 0.5, y: 0.5, radius: 0.01, isFlame: true }],
    light: { mean: 0.3, dark: 0.4, burnt: 0, color: 0 },
  });
  for (const photo of [landscape, portrait])
    for (const photoAnalysis of [
      analysisWithEverything,
      { ...analysisWithEverything, faces: [] },
      { ...analysisWithEverything, faces: [], people: 0 },
    ])
      for (const style of findSuitableMotions(photo, photoAnalysis))
        expect([
          'water',
          'candlelight',
          'snow',
          'motes',
          'leaves',
          'restored',
          'reveal',
          'floating-print',
        ]).not.toContain(style);
});

test('suggests portrait light and no face motion if people must stay still', () => {
  const stillPhoto = { ...landscape, moves: { ...unspecifiedMotions, living: false } };
  expect(chooseMotionFor(stillPhoto, 0, createPhotoAnalysis(oneFace))).toBe('portrait-light');
  expect(findSuitableMotions(stillPhoto, createPhotoAnalysis(oneFace))).not.toContain('alive');
  expect(findSuitableMotions(stillPhoto, createPhotoAnalysis({ ...oneFace, people: 0 }))).not.toContain('alive');
});

test('chooses a motion that the customer requested before the liveliest one', () => {
  const chooseStyle = (moves: Partial<AllowedMotions>, look = createPhotoAnalysis(oneFace)) =>
    chooseMotionFor({ ...landscape, moves: { ...unspecifiedMotions, ...moves } }, 0, look);
  expect(chooseStyle({ living: true })).toBe('alive');
  expect(chooseStyle({ living: true }, createPhotoAnalysis({}))).not.toBe('alive'); // because the photo shows no people
  expect(chooseStyle({ water: true, living: true })).toBe('water');
  expect(chooseStyle({ water: true, candle: { x: 0.3, y: 0.7 } })).toBe('candlelight');
});

test('chooses the photo’s own motion before all others, unless people must stay still or the customer wishes another motion', () => {
  const ownMotionPhoto = { ...landscape, ownMotion: { kind: 'animation' as const } };
  const photoAnalysis = createPhotoAnalysis({ ...oneFace, ...cloudySky });
  expect(findSuitableMotions(ownMotionPhoto, photoAnalysis).slice(0, 2)).toEqual(['own-motion', 'alive']);
  expect(chooseMotionFor(ownMotionPhoto, 3, photoAnalysis)).toBe('own-motion');
  expect(chooseMotionFor(ownMotionPhoto, 3)).toBe('own-motion');
  expect(chooseMotionFor({ ...ownMotionPhoto, moves: { ...unspecifiedMotions, living: true } }, 0, photoAnalysis)).toBe(
    'own-motion',
  );
  expect(chooseMotionFor({ ...ownMotionPhoto, moves: { ...unspecifiedMotions, water: true } }, 0, photoAnalysis)).toBe(
    'water',
  );
  expect(
    findSuitableMotions({ ...ownMotionPhoto, moves: { ...unspecifiedMotions, living: false } }, photoAnalysis),
  ).not.toContain('own-motion');
  expect(findSuitableMotions({ ...landscape, ownMotion: null }, photoAnalysis)).not.toContain('own-motion');
  expect(chooseAnotherMotion('own-motion', ownMotionPhoto, photoAnalysis)).toBe('alive');
});

test('chooseAnotherMotion returns the next suitable motion, and the first one after the last', () => {
  const photoAnalysis = createPhotoAnalysis({ ...oneFace, ...cloudySky });
  const suitableMotions = findSuitableMotions(landscape, photoAnalysis);
  expect(suitableMotions.slice(0, 2)).toEqual(['alive', 'sky']);
  let style = suitableMotions[0]!;
  const shownStyles = suitableMotions.map(() => (style = chooseAnotherMotion(style, landscape, photoAnalysis)));
  expect(shownStyles).toEqual([...suitableMotions.slice(1), suitableMotions[0]]);
  expect(chooseAnotherMotion('snow', landscape, photoAnalysis)).toBe('alive');
});
