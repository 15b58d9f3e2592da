import { expect, test } from 'vitest';
import { createFaceAnalysis, createPhotoAnalysis } from '#test/photo-analysis.ts';
import { boundingBox, type Box } from '../../seeing/grid.ts';
import { computeFractionOutside, computeFraming, computeViewBox, type Framing } from './framing.ts';
import { findAllowedCameraTargets } from './styles/camera-work.ts';

const screens = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1200 },
  { width: 800, height: 1280 },
];
const photos = {
  landscape: { width: 2560, height: 1707 },
  phone: { width: 2560, height: 1920 },
  portrait: { width: 1707, height: 2560 },
  square: { width: 2000, height: 2000 },
  panorama: { width: 2560, height: 900 },
};
const facesByGroup = {
  one: [createFaceAnalysis(0.5, 0.3, 0.3)],
  'one at the top': [createFaceAnalysis(0.4, 0.08, 0.15)],
  'one cut by the photo itself': [createFaceAnalysis(0.9, 0.02, 0.3)],
  'a group from edge to edge': [0.08, 0.25, 0.42, 0.6, 0.78, 0.93].map((x, at) =>
    createFaceAnalysis(x, 0.25 + 0.04 * (at % 3), 0.14),
  ),
  'a tall child and a low one': [createFaceAnalysis(0.3, 0.12, 0.2), createFaceAnalysis(0.65, 0.8, 0.2)],
  sixty: Array.from({ length: 60 }, (_, at) =>
    createFaceAnalysis(0.05 + (0.9 * (at % 12)) / 11, 0.15 + 0.15 * Math.floor(at / 12), 0.06),
  ),
  'one and a passer-by': [createFaceAnalysis(0.4, 0.4, 0.3), createFaceAnalysis(0.98, 0.1, 0.05, { isMain: false })],
};
const allCases = screens.flatMap((screen) =>
  Object.entries(photos).flatMap(([shape, photo]) =>
    Object.entries(facesByGroup).map(([who, faces]) => ({ screen, shape, photo, who, faces })),
  ),
);

test.each(allCases)('$who in a $shape on $screen.width x $screen.height: no head is cut at any zoom', (it) => {
  const framing = computeFraming(it.photo, it.screen, { seen: createPhotoAnalysis({ faces: it.faces }) });
  const wholeFilm = { left: 0, top: 0, ...it.screen };
  expect(framing.heads).toHaveLength(it.faces.filter((one) => one.isMain).length);
  for (const head of framing.heads) {
    expect(computeFractionOutside(head, wholeFilm)).toBeLessThan(0.005);
    expect(computeFractionOutside(head, computeViewBox(it.screen, framing.mostZoom, framing.towards))).toBeLessThan(
      0.005,
    );
    // Tests both ends of a swaying camera's movement.
    const zoom = Math.min(1.13, framing.mostZoom);
    const { middle, sway } = findAllowedCameraTargets(framing, it.screen, zoom);
    for (const direction of [-1, 1]) {
      const swayedPoint = { x: middle.x + direction * sway.x, y: middle.y + direction * sway.y };
      expect(computeFractionOutside(head, computeViewBox(it.screen, zoom, swayedPoint))).toBeLessThan(0.005);
    }
  }
});

test.each(allCases)(
  '$who in a $shape on $screen.width x $screen.height: the photo keeps its aspect ratio and is within the video',
  (it) => {
    const { crop, place, isWhole } = computeFraming(it.photo, it.screen, {
      seen: createPhotoAnalysis({ faces: it.faces }),
    });
    expect(crop.left).toBeGreaterThanOrEqual(0);
    expect(crop.top).toBeGreaterThanOrEqual(0);
    expect(crop.left + crop.width).toBeLessThanOrEqual(it.photo.width);
    expect(crop.top + crop.height).toBeLessThanOrEqual(it.photo.height);
    expect(crop.width / crop.height / (place.width / place.height)).toBeCloseTo(1, 2);
    if (isWhole) expect(crop).toEqual({ left: 0, top: 0, ...it.photo });
  },
);

const isMiddleInView = (box: Box, { x, y }: { x: number; y: number }, film: { width: number; height: number }) =>
  x * film.width > box.left &&
  x * film.width < box.left + box.width &&
  y * film.height > box.top &&
  y * film.height < box.top + box.height;

test('the camera moves to the faces, and the customer’s point has priority over them', () => {
  const screen = screens[0]!;
  const faces = [createFaceAnalysis(0.25, 0.4, 0.2)];
  const ownFraming = computeFraming(photos.landscape, screen, { seen: createPhotoAnalysis({ faces }) });
  expect(isMiddleInView(boundingBox(ownFraming.heads), ownFraming.focus, screen)).toBe(true);
  expect(ownFraming.towards.x).toBeLessThan(0.4);
  const pointedFraming = computeFraming(photos.landscape, screen, {
    seen: createPhotoAnalysis({ faces }),
    pointed: { x: 0.9, y: 0.6 },
  });
  expect(pointedFraming.focus.x).toBeCloseTo(0.9, 1);
  expect(pointedFraming.towards.x).toBeGreaterThan(0.8);
  expect(pointedFraming.mostZoom).toBeGreaterThan(1.05);
});

test.each([
  ['as large as a pixel', { width: 1, height: 1 }],
  ['a thread', { width: 2560, height: 1 }],
  ['a thread that hangs', { width: 1, height: 2560 }],
])('returns a valid framing for a photo with the shape %s', (_, photo) => {
  for (const screen of screens) {
    const framing: Framing = computeFraming(photo, screen, {});
    expect(framing.crop.width * framing.crop.height).toBeGreaterThan(0);
    expect(framing.place.width * framing.place.height).toBeGreaterThan(0);
    expect(framing.mostZoom).toBeGreaterThanOrEqual(1);
  }
});

test.each(allCases)(
  '$who in a $shape on $screen.width x $screen.height: a camera that travels never cuts a face',
  ({ photo, screen, faces }) => {
    const framing = computeFraming(photo, screen, { seen: createPhotoAnalysis({ faces }), mayTravel: true });
    const { travel, crop, place } = framing;
    if (!travel) {
      expect(framing).toEqual(computeFraming(photo, screen, { seen: createPhotoAnalysis({ faces }) }));
      return;
    }
    expect(crop.width / crop.height / (place.width / place.height)).toBeCloseTo(1, 2);
    const shownPart = (crop.width * crop.height) / (photo.width * photo.height);
    expect(shownPart).toBeGreaterThanOrEqual(0.5);
    for (const travelFraction of [0, 0.3, 0.7, 1]) {
      const left = travel.atFaces.x + (travel.away.x - travel.atFaces.x) * travelFraction;
      const top = travel.atFaces.y + (travel.away.y - travel.atFaces.y) * travelFraction;
      const view = { left, top, ...screen };
      expect(left).toBeGreaterThanOrEqual(0);
      expect(top).toBeGreaterThanOrEqual(0);
      expect(left + screen.width).toBeLessThanOrEqual(place.width + 0.01);
      expect(top + screen.height).toBeLessThanOrEqual(place.height + 0.01);
      for (const face of framing.faces) {
        const cropBox = { left: 0, top: 0, width: place.width, height: place.height };
        if (computeFractionOutside(face, cropBox) === 0) expect(computeFractionOutside(face, view)).toBeLessThan(0.005);
      }
    }
    // At the faces, the heads are visible up to the hair.
    for (const head of framing.heads) expect(head.top).toBeGreaterThanOrEqual(travel.atFaces.y - 2);
  },
);

test('a portrait photo of one person fills a wide screen with a moving camera if cropping is allowed, else it is shown whole', () => {
  const faces = [createFaceAnalysis(0.5, 0.3, 0.2)];
  const photo = { width: 1500, height: 2000 };
  const travelFraming = computeFraming(photo, screens[0]!, { seen: createPhotoAnalysis({ faces }), mayTravel: true });
  expect(travelFraming).toMatchObject({ isWhole: false, place: { width: 1280 } });
  expect(travelFraming.travel!.away.y - travelFraming.travel!.atFaces.y).toBeGreaterThan(48);
  expect(computeFraming(photo, screens[0]!, { seen: createPhotoAnalysis({ faces }) }).isWhole).toBe(true);
  const pointedPosition = { x: 0.5, y: 0.9 };
  expect(
    computeFraming(photo, screens[0]!, {
      seen: createPhotoAnalysis({ faces }),
      mayTravel: true,
      pointed: pointedPosition,
    }).travel,
  ).toBeUndefined();
});

test('a camera that moves along an upright photo keeps the hair of its person visible', () => {
  const analysis = createPhotoAnalysis({ faces: [createFaceAnalysis(0.5, 0.3, 0.2)] });
  const framing = computeFraming({ width: 1500, height: 2000 }, screens[0]!, { seen: analysis, mayTravel: true });
  const { atFaces, away } = framing.travel!;
  expect(Math.abs(away.y - atFaces.y)).toBeGreaterThan(48);
  for (const { y } of [atFaces, away]) expect(framing.heads[0]!.top).toBeGreaterThan(y);
});

test('a panorama without people fills a wide screen with a moving camera if cropping is allowed, else it is shown whole', () => {
  for (const photo of [photos.panorama, { width: 4400, height: 1000 }]) {
    const framing = computeFraming(photo, screens[0]!, { mayTravel: true });
    const { travel, place, crop } = framing;
    expect(framing).toMatchObject({ isWhole: false, place: { height: 800 } });
    expect(travel!.away.x - travel!.atFaces.x).toBeGreaterThan(76);
    expect(travel!.away.x + 1280).toBeLessThanOrEqual(place.width + 0.01);
    expect(crop.width / photo.width).toBeGreaterThanOrEqual(0.5);
    expect(crop.width / crop.height / (place.width / place.height)).toBeCloseTo(1, 2);
    expect(computeFraming(photo, screens[0]!, {}).isWhole).toBe(true);
  }
  for (const photo of [
    { width: 6000, height: 1000 },
    { width: 900, height: 300 },
  ])
    expect(computeFraming(photo, screens[0]!, { mayTravel: true }).isWhole).toBe(true);
});

test('a very tall photo, a face larger than the screen, and a photo without people are shown whole', () => {
  const tallFilm = { width: 1080, height: 2400 };
  const uprightPhoto = { width: 1500, height: 2000 };
  const computeUprightFraming = (photo: typeof tallFilm, faces: ReturnType<typeof createFaceAnalysis>[]) =>
    computeFraming(photo, screens[0]!, { seen: createPhotoAnalysis({ faces }), mayTravel: true });
  expect(computeUprightFraming(tallFilm, [createFaceAnalysis(0.5, 0.2, 0.1)]).isWhole).toBe(true);
  expect(computeUprightFraming(uprightPhoto, [createFaceAnalysis(0.5, 0.4, 0.6)]).isWhole).toBe(true);
  expect(computeUprightFraming(uprightPhoto, []).isWhole).toBe(true);
});
