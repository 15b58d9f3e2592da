import { createCanvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { paintGarden } from '#test/photos/garden.ts';
import { computeFraming } from './framing.ts';
import { createRandom } from './motion.ts';
import { repairStage, restorePicture } from './restore.ts';
import { createRenderContext } from './render-context.ts';

const size = { width: 960, height: 600 };
const film = { width: 640, height: 400, frames: 2 };

async function createDamagedStage(damage: (g: ReturnType<ReturnType<typeof createCanvas>['getContext']>) => void) {
  const canvas = createCanvas(size.width, size.height);
  const g = canvas.getContext('2d');
  g.fillStyle = g.createLinearGradient(0, 0, 960, 600);
  g.fillStyle.addColorStop(0, '#7a5c48');
  g.fillStyle.addColorStop(1, '#b0a088');
  g.fillRect(0, 0, size.width, size.height);
  damage(g);
  const png = canvas.toBuffer('image/png');
  return await createRenderContext(
    { ...size, pixels: () => sharp(png).removeAlpha() },
    film,
    computeFraming(size, film, {}),
  );
}

test('repairs a scratch across the picture and keeps a short stroke', async () => {
  const stage = await createDamagedStage((g) => {
    g.strokeStyle = '#fff8e8';
    g.lineWidth = 3;
    for (const [x, y, u, v] of [
      [500, 0, 420, 600],
      [100, 100, 130, 130],
    ] as const) {
      g.beginPath();
      g.moveTo(x, y);
      g.lineTo(u, v);
      g.stroke();
    }
  });
  const [before, after] = [stage.picture, await restorePicture(stage)];
  const scale = stage.size.width / size.width;
  const pixelAt = (picture: Uint8Array, x: number, y: number) =>
    picture[3 * (Math.round(y * scale) * stage.inner.width + Math.round(x * scale))]!;
  for (const y of [120, 300, 480]) {
    const x = 500 - (80 * y) / 600;
    expect(pixelAt(before, x, y) - pixelAt(before, x + 20, y)).toBeGreaterThan(60);
    expect(Math.abs(pixelAt(after, x, y) - pixelAt(after, x + 20, y))).toBeLessThan(16);
  }
  expect(pixelAt(after, 115, 115) - pixelAt(after, 140, 115)).toBeGreaterThan(40);
});

test('a photo without damage keeps its details', async () => {
  const png = paintGarden(size.width, size.height).toBuffer('image/png');
  const stage = await createRenderContext(
    { ...size, pixels: () => sharp(png).removeAlpha() },
    film,
    computeFraming(size, film, {}),
  );
  const restoredPicture = await restorePicture(stage);
  const computeMeanStep = (picture: Uint8Array) =>
    picture.reduce((sum, value, at) => sum + Math.abs(value - (picture[at + 3] ?? value)), 0) / picture.length;
  expect(computeMeanStep(restoredPicture)).toBeGreaterThan(0.85 * computeMeanStep(stage.picture));
});

const computeBrightness = (picture: Uint8Array, at: number) =>
  0.3 * picture[3 * at]! + 0.59 * picture[3 * at + 1]! + 0.11 * picture[3 * at + 2]!;
const isBrightnessClose = (a: Uint8Array, b: Uint8Array, at: number, most: number) =>
  Math.abs(computeBrightness(a, at) - computeBrightness(b, at)) <= most;

test('removes most scratches and dust from a photo with many details, and changes nothing at faces', async () => {
  const paint = (damages: boolean) => {
    const canvas = paintGarden(size.width, size.height);
    const g = canvas.getContext('2d');
    g.strokeStyle = g.fillStyle = '#fff8e8';
    g.lineWidth = 3;
    const random = createRandom(7);
    if (damages) {
      for (let i = 0; i < 5; i++) {
        const x = random() * size.width;
        g.beginPath();
        g.moveTo(x, 0);
        g.lineTo(x + (random() - 0.5) * 0.2 * size.width, size.height);
        g.stroke();
      }
      for (let i = 0; i < 60; i++) {
        g.beginPath();
        g.arc(random() * size.width, random() * size.height, 1.5 + 2 * random(), 0, 7);
        g.fill();
      }
    }
    return canvas.toBuffer('image/png');
  };
  const face = { left: 0.3, top: 0.3, width: 0.1, height: 0.2, score: 1, isMain: true };
  const seen = { faces: [face] } as unknown as Parameters<typeof computeFraming>[2]['seen'];
  const stageOfPhoto = (png: Buffer) =>
    createRenderContext(
      { ...size, pixels: () => sharp(png).removeAlpha() },
      film,
      computeFraming(size, film, { seen, pointed: { x: 0.5, y: 0.5 } }),
    );
  const [clean, damaged] = [await stageOfPhoto(paint(false)), await stageOfPhoto(paint(true))];
  const [wanted, mended] = [await restorePicture(clean), await restorePicture(damaged)];
  const { width } = damaged.inner;
  const { left, top, ...faceSize } = damaged.framing.faces[0]!;
  const isAtFace = (at: number) => {
    const x = (at % width) - (left * damaged.scale - damaged.inner.left);
    const y = Math.floor(at / width) - (top * damaged.scale - damaged.inner.top);
    return x >= 0 && y >= 0 && x < faceSize.width * damaged.scale && y < faceSize.height * damaged.scale;
  };
  const counts = { damaged: 0, mended: 0, atFace: 0, changedAtFace: 0 };
  for (let at = 0; at < mended.length / 3; at++) {
    if (isAtFace(at)) {
      counts.atFace += 1;
      if (!isBrightnessClose(wanted, mended, at, 8) && isBrightnessClose(clean.picture, damaged.picture, at, 8))
        counts.changedAtFace += 1;
    } else if (!isBrightnessClose(clean.picture, damaged.picture, at, 30)) {
      counts.damaged += 1;
      if (isBrightnessClose(wanted, mended, at, 24)) counts.mended += 1;
    }
  }
  expect(counts.damaged).toBeGreaterThan(4_000);
  expect(counts.mended / counts.damaged).toBeGreaterThan(0.8);
  expect(counts.atFace).toBeGreaterThan(1_000);
  expect(counts.changedAtFace / counts.atFace).toBeLessThan(0.005);
});

test('removes most curved scratches and a fold from a photo with many details', async () => {
  const paint = (isDamaged: boolean) => {
    const canvas = paintGarden(size.width, size.height);
    const g = canvas.getContext('2d');
    g.strokeStyle = '#fff8e8';
    g.lineWidth = 3;
    const random = createRandom(3);
    if (isDamaged) {
      for (let i = 0; i < 9; i++) {
        const [x, y, length] = [random() * size.width, random() * 400, 80 + 160 * random()];
        g.beginPath();
        g.moveTo(x, y);
        g.quadraticCurveTo(x + (random() - 0.5) * length, y + length / 2, x + (random() - 0.5) * 60, y + length);
        g.stroke();
      }
      g.lineWidth = 4;
      g.beginPath();
      g.moveTo(0, 440);
      g.lineTo(400, 460);
      g.lineTo(960, 435);
      g.stroke();
    }
    return canvas.toBuffer('image/png');
  };
  const stageOfPhoto = (png: Buffer) =>
    createRenderContext({ ...size, pixels: () => sharp(png).removeAlpha() }, film, computeFraming(size, film, {}));
  const [clean, damaged] = [await stageOfPhoto(paint(false)), await stageOfPhoto(paint(true))];
  const [wanted, mended] = [await restorePicture(clean), await restorePicture(damaged)];
  const counts = { damaged: 0, repaired: 0, changedBeside: 0 };
  for (let at = 0; at < mended.length / 3; at++) {
    const isRight = isBrightnessClose(wanted, mended, at, 24);
    if (isBrightnessClose(clean.picture, damaged.picture, at, 30)) counts.changedBeside += isRight ? 0 : 1;
    else {
      counts.damaged += 1;
      counts.repaired += isRight ? 1 : 0;
    }
  }
  expect(counts.damaged).toBeGreaterThan(2_000);
  expect(counts.repaired / counts.damaged).toBeGreaterThan(0.8);
  expect(counts.changedBeside / (mended.length / 3)).toBeLessThan(0.03);
});

test('repairs the picture behind the people in the same tones as the picture itself', async () => {
  const stage = await createDamagedStage((g) => {
    g.fillStyle = '#fff8e8';
    g.fillRect(500, 0, 3, size.height);
  });
  const behind = Uint8Array.from(stage.picture);
  behind.fill(110, 0, behind.length / 4); // the filled background differs where people stand
  const cut = { behind, meshes: [], paintedByModel: false };
  const repaired = await repairStage({ ...stage, cut });
  expect(repaired.picture).toEqual(await restorePicture(stage));
  const x = Math.round((500 * stage.size.width) / size.width);
  const at = 3 * (Math.round(0.75 * stage.inner.height) * stage.inner.width + x);
  expect(Math.abs(repaired.cut!.behind![at]! - repaired.picture[at]!)).toBeLessThan(6);
  expect(Math.abs(repaired.cut!.behind![at + 90]! - repaired.picture[at + 90]!)).toBeLessThan(3);
  expect(stage.picture[at]! - repaired.picture[at]!).toBeGreaterThan(40);
});

test('a gray photo with a yellow paper border stays gray', async () => {
  const [, light, dark] = await measureTones(['#ece2cf', '#c8c8c8', '#484848', '#909090', '#303030']);
  for (const { after } of [light!, dark!]) expect(Math.max(...after) - Math.min(...after)).toBeLessThanOrEqual(2);
});

async function measureTones(colors: string[]) {
  const canvas = createCanvas(size.width, size.height);
  const g = canvas.getContext('2d');
  colors.forEach((color, at) => {
    g.fillStyle = color;
    g.fillRect((at * size.width) / colors.length, 0, size.width / colors.length, size.height);
  });
  const png = canvas.toBuffer('image/png');
  const stage = await createRenderContext(
    { ...size, pixels: () => sharp(png).removeAlpha() },
    film,
    computeFraming(size, film, {}),
  );
  const restoredPicture = await restorePicture(stage);
  const { width, height } = stage.inner;
  const pixelAtPart = (picture: Uint8Array, part: number) => {
    const pixelIndex = 3 * (Math.round(height / 2) * width + Math.round(((part + 0.5) * width) / colors.length));
    return [...picture.subarray(pixelIndex, pixelIndex + 3)];
  };
  return colors.map((_, part) => ({
    before: pixelAtPart(stage.picture, part),
    after: pixelAtPart(restoredPicture, part),
  }));
}

test('restores faded tones for each color separately', async () => {
  const [dark, bright] = await measureTones(['#4a3a30', '#d2b48c', '#907860']);
  expect(Math.max(...dark!.after)).toBeLessThan(30);
  expect(Math.min(...bright!.after)).toBeGreaterThan(215);
});

test('does not take a yellow wall in bright light for a faded photo, and keeps its colors', async () => {
  for (const { before, after } of await measureTones(['#0a0806', '#e8b83c', '#f6c84a', '#0c5c58']))
    for (const c of [0, 1, 2]) expect(Math.abs(after[c]! - before[c]!), before.join()).toBeLessThan(12);
});
