import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { titleCharacterClasses } from '#contract/video-title.ts';
import type { CameraMovement } from '#contract/motion.ts';
import { readLettersOfFont } from '#test/font-letters.ts';
import { createFaceAnalysis, createPhotoAnalysis } from '#test/photo-analysis.ts';
import type { Box } from '../../seeing/grid.ts';
import { computeFraming } from './framing.ts';
import type { RenderContext } from './render-context.ts';
import { createTravelPath } from './styles/camera-work.ts';
import {
  wrapTitle,
  drawTitle,
  computeFaceAreas,
  findFreeTitleCorners,
  blendTitle,
  findPlainestCorner,
  layOutTitle,
  computeTitleOpacity,
} from './title.ts';
import { convertRgbToYuv, convertPlanesToRgb } from './warp/video-planes.ts';

const films = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1200 },
  { width: 800, height: 1280 },
];
const titles = ['Õ', 'The kite', 'Grandpa’s boat on the lake at Łódź, summer 1962, with all of the Nguyễn family'];
const createPlainPicture = (film: { width: number; height: number }, grey: number) => {
  const area = film.width * film.height;
  return new Uint8Array(1.5 * area).fill(Math.round(convertRgbToYuv(grey, grey, grey)[0]), 0, area).fill(128, area);
};
const computeLuminance = (picture: Uint8ClampedArray, at: number) =>
  [0.2126, 0.7152, 0.0722].reduce((sum, part, c) => {
    const value = picture[at + c]! / 255;
    return sum + part * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  }, 0);

describe.each(films)('a title on a video of $width x $height', (film) => {
  test.each(titles)('“%s” stays within the margin and is readable on white, gray and black', (title) => {
    const lettering = layOutTitle(title, film);
    const corners = findFreeTitleCorners(lettering, film, []);
    expect(corners.map((it) => it.isRight)).toEqual([false, true]);
    const margin = 0.055 * Math.min(film.width, film.height);
    for (const corner of corners)
      for (const grey of [255, 250, 128, 0]) {
        const planes = createPlainPicture(film, grey);
        blendTitle(planes, film, drawTitle(lettering, corner, film), 1);
        const picture = convertPlanesToRgb(planes, film);
        // The brightest pixel is a letter; letters are far brighter than the shade.
        const pixelIndex = (x: number, y: number) => 3 * (y * film.width + x);
        let [brightest, left, right, top, bottom] = [0, Infinity, 0, Infinity, 0];
        let behind = 0;
        for (let y = corner.top; y < corner.top + corner.height; y++)
          for (let x = corner.left; x < corner.left + corner.width; x++) {
            const light = computeLuminance(picture, pixelIndex(x, y));
            brightest = Math.max(brightest, light);
            if (light > 0.5) {
              [left, right] = [Math.min(left, x), Math.max(right, x)];
              [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
            }
          }
        expect(brightest).toBeGreaterThan(0.9);
        for (const y of [corner.top, corner.top + corner.height - 1])
          for (const x of [corner.left, corner.left + corner.width - 1])
            behind = Math.max(behind, computeLuminance(picture, pixelIndex(x, y)));
        expect((brightest + 0.05) / (behind + 0.05), `on ${grey}`).toBeGreaterThan(4.5);
        expect(left).toBeGreaterThanOrEqual(margin);
        expect(film.width - 1 - right).toBeGreaterThanOrEqual(margin);
        expect(film.height - 1 - bottom).toBeGreaterThanOrEqual(margin);
        expect(top).toBeGreaterThan(film.height / 2);
        if (title === titles[2]) expect(right - left).toBeGreaterThan(0.3 * film.width);
      }
  });

  test('the title changes only its own corner of the video, with a soft shade', () => {
    const lettering = layOutTitle('The kite', film);
    const [corner] = findFreeTitleCorners(lettering, film, []);
    const title = drawTitle(lettering, corner!, film);
    const picture = createPlainPicture(film, 200);
    blendTitle(picture, film, title, 1);
    const pictureBefore = createPlainPicture(film, 200);
    const brightnessChange = (x: number, y: number) =>
      pictureBefore[y * film.width + x]! - picture[y * film.width + x]!;
    expect(title.width * title.height).toBeLessThan(0.2 * film.width * film.height);
    for (let x = 0; x < title.width; x++) expect(Math.abs(brightnessChange(x, title.top))).toBeLessThanOrEqual(1);
    for (let y = title.top; y < film.height; y++) expect(Math.abs(brightnessChange(title.width, y)), 'beyond').toBe(0);
  });

  test('the title covers no face, wherever the camera moves the face', () => {
    const lettering = layOutTitle(titles[2]!, film);
    const createContextWithFaces = (...faces: ReturnType<typeof createFaceAnalysis>[]) => {
      const photo = { width: 1600, height: 1000 };
      const faceAnalysis = createPhotoAnalysis({ faces });
      return {
        film,
        photo,
        seen: faceAnalysis,
        framing: computeFraming(photo, film, { seen: faceAnalysis }),
      } as unknown as RenderContext;
    };
    const placeTitleNear = (...faces: ReturnType<typeof createFaceAnalysis>[]) =>
      findFreeTitleCorners(lettering, film, computeFaceAreas(createContextWithFaces(...faces), 'push-in'));
    expect(placeTitleNear(createFaceAnalysis(0.5, 0.15, 0.15))).toHaveLength(2);
    if (film.width > film.height) {
      expect(placeTitleNear(createFaceAnalysis(0.15, 0.8)).map((it) => it.isRight)).toEqual([true]);
      expect(placeTitleNear(createFaceAnalysis(0.9, 0.8)).map((it) => it.isRight)).toEqual([false]);
      const lowTitle = placeTitleNear(
        createFaceAnalysis(0.15, 0.85, 0.2),
        createFaceAnalysis(0.85, 0.85, 0.2),
        createFaceAnalysis(0.5, 0.85, 0.2),
      );
      expect(lowTitle.every((it) => it.top < film.height / 2)).toBe(true);
      // The title must not cover a passer-by's face either.
      expect(placeTitleNear(createFaceAnalysis(0.5, 0.5, 0.95, { isMain: false }))).toEqual([]);
      // In crowd-pan, the camera visits each face.
      const crowd = createContextWithFaces(createFaceAnalysis(0.3, 0.6, 0.2), createFaceAnalysis(0.7, 0.6, 0.2));
      expect(findFreeTitleCorners(lettering, film, computeFaceAreas(crowd, 'crowd-pan'))).toEqual([]);
      // In alive, only the camera 'visit' does.
      const pair = createContextWithFaces(createFaceAnalysis(0.3, 0.45, 0.15), createFaceAnalysis(0.7, 0.45, 0.15));
      const findCorners = (camera: CameraMovement) =>
        findFreeTitleCorners(lettering, film, computeFaceAreas({ ...pair, camera }, 'alive'));
      expect([findCorners('approach').length, findCorners('visit').length]).toEqual([2, 0]);
    }
  });
});

test('the title covers no face while the camera travels along an upright photo', () => {
  const film = films[0]!;
  const photo = { width: 1500, height: 2000 };
  const lettering = layOutTitle(titles[2]!, film);
  let traveled = 0;
  for (let step = 0; step < 40; step++) {
    const faces = [
      createFaceAnalysis(0.15 + 0.7 * ((step * 0.37) % 1), 0.1 + 0.8 * (step / 40), 0.08 + 0.12 * ((step * 0.61) % 1)),
    ];
    const faceAnalysis = createPhotoAnalysis({ faces });
    const framing = computeFraming(photo, film, { seen: faceAnalysis, mayTravel: true });
    if (!framing.travel) continue;
    const stage = {
      film,
      photo,
      seen: faceAnalysis,
      framing,
      camera: 'drift',
      scale: 1.17,
    } as unknown as RenderContext;
    const viewAt = createTravelPath(stage)!;
    const [shown] = framing.faces as [Box];
    const corners = findFreeTitleCorners(lettering, film, computeFaceAreas(stage, 'alive'));
    traveled += corners.length;
    for (const corner of corners)
      for (let phase = 0; phase < 1; phase += 0.05) {
        const { zoom, shift } = viewAt(phase);
        const [left, top] = [shown.left * zoom + shift!.x, shown.top * zoom + shift!.y];
        const isBesideTitle = left + shown.width * zoom <= corner.left || left >= corner.left + corner.width;
        const isOutsideCorner = top + shown.height * zoom <= corner.top || top >= corner.top + corner.height;
        expect(isBesideTitle || isOutsideCorner, `face ${step} at ${phase}`).toBe(true);
      }
  }
  expect(traveled).toBeGreaterThan(10);
});

test('the title uses the free corner with less detail in the picture', () => {
  const film = films[0]!;
  const lettering = layOutTitle('The kite', film);
  const corners = findFreeTitleCorners(lettering, film, []);
  for (const isRestless of [false, true]) {
    const picture = createPlainPicture(film, 128);
    for (let at = 0; at < film.width * film.height; at++)
      if (at % film.width > film.width / 2 === isRestless) picture[at] = (at * 28) % 251;
    expect(findPlainestCorner(corners, picture, film).isRight).toBe(!isRestless);
  }
});

test('the title fades out and in smoothly, and is fully visible at both ends of the loop', () => {
  const steps = Array.from({ length: 201 }, (_, at) => computeTitleOpacity(at / 200));
  expect([steps[0], steps[75], steps[100 + 25], steps[200]]).toEqual([1, 1, 0, 1]);
  for (let at = 1; at < steps.length; at++) expect(Math.abs(steps[at]! - steps[at - 1]!)).toBeLessThan(0.07);
  expect(Math.abs(steps[199]! - steps[0]!)).toBeLessThan(0.01);
});

test('opacity 0 leaves the picture unchanged, and bright pixels never wrap around to black', () => {
  const film = films[0]!;
  const lettering = layOutTitle('The kite', film);
  const title = drawTitle(lettering, findFreeTitleCorners(lettering, film, [])[0]!, film);
  const picture = createPlainPicture(film, 255);
  blendTitle(picture, film, title, 0);
  expect(picture).toEqual(createPlainPicture(film, 255));
  for (let opacity = 0.01; opacity <= 1; opacity += 0.09) {
    const whitePicture = createPlainPicture(film, 255);
    blendTitle(whitePicture, film, title, opacity);
    expect(Math.min(...new Set(convertPlanesToRgb(whitePicture, film)))).toBeGreaterThan(80);
  }
});

test.each([
  ['short', ['short']],
  ['one two three', ['one two', 'three']],
  ['one two three four five', ['one two', 'three…']],
  ['incomprehensibly', ['incomprehe', 'nsibly']],
  ['incomprehensibilities of it', ['incomprehe', 'nsibiliti…']],
  ['one two three and so on', ['one two', 'three and…']],
])('wraps the title %j into the lines %j', (title, lines) => {
  expect(wrapTitle(title, (line) => Array.from(line).length <= 10)).toEqual(lines);
});

test.each(Object.entries(titleCharacterClasses))(
  'the font file %s contains every letter for which titles use this file',
  (part, range) => {
    const { resolve } = createRequire(import.meta.url);
    const file = resolve(`@fontsource-variable/fraunces/files/fraunces-${part}-wght-normal.woff2`);
    const hasLetter = readLettersOfFont(readFileSync(file));
    const coveredLetters = Array.from({ length: 0x2fff }, (_, code) => code).filter((code) =>
      new RegExp(`[${range}]`, 'u').test(String.fromCodePoint(code)),
    );
    expect(coveredLetters.length).toBeGreaterThan(80);
    expect(coveredLetters.filter((code) => !hasLetter.has(code))).toEqual([]);
  },
);
