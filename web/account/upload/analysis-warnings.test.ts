import { expect, test } from 'vitest';
import { unavailableMotionTexts } from '#contract/motion.ts';
import { findAnalysisWarnings } from './analysis-warnings.ts';

const unspecifiedMotions = { living: null, water: false, candle: null };
const frozenPerson = { faces: [{}], showsPeople: true, canLive: false, hasWater: false, sharpness: 0.8 };
const frozenAnimal = { ...frozenPerson, showsPeople: false };

test('a person who cannot be animated gets a warning, unless the customer wants the photo still', () => {
  expect(findAnalysisWarnings(unspecifiedMotions, frozenPerson)).toEqual([unavailableMotionTexts.alive]);
  expect(findAnalysisWarnings({ ...unspecifiedMotions, living: false }, frozenPerson)).toEqual([]);
  expect(findAnalysisWarnings(unspecifiedMotions, { ...frozenPerson, canLive: true })).toEqual([]);
});

test('the face of an animal gets a warning only if the customer asked for motion', () => {
  expect(findAnalysisWarnings(unspecifiedMotions, frozenAnimal)).toEqual([]);
  expect(findAnalysisWarnings({ ...unspecifiedMotions, living: true }, frozenAnimal)).toEqual([
    unavailableMotionTexts.alive,
  ]);
});

test('a request to move water that was not found and a blurred photo get warnings', () => {
  const scene = { ...frozenAnimal, faces: [] };
  expect(findAnalysisWarnings({ ...unspecifiedMotions, water: true }, scene)).toEqual([unavailableMotionTexts.water]);
  expect(findAnalysisWarnings({ ...unspecifiedMotions, water: true }, { ...scene, hasWater: true })).toEqual([]);
  expect(findAnalysisWarnings(unspecifiedMotions, { ...scene, sharpness: 0.1 })).toEqual([
    expect.stringMatching(/^This photo looks blurry/),
  ]);
});
