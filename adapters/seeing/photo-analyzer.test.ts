import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paintGarden } from '#test/photos/garden.ts';
import { listDescendants } from '../processes/process-table.ts';
import { visionModelFiles } from './models.ts';
import { createPhotoAnalyzer } from './photo-analyzer.ts';

const modelsFolder = join(import.meta.dirname, 'models');
let folder = '';
let gardenPath = '';
const reportedTroubles: string[] = [];
const analyzer = createPhotoAnalyzer({ modelsFolder, onTrouble: (trouble) => reportedTroubles.push(trouble) });
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'seeing-test-'));
  gardenPath = join(folder, 'garden.jpg');
  await sharp(paintGarden(1280, 960).toBuffer('image/png')).jpeg().toFile(gardenPath);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function writePhoto(name: string, picture: Sharp): Promise<string> {
  const path = join(folder, `${name}.jpg`);
  await picture.jpeg().toFile(path);
  return path;
}
const createPlainPhoto = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#8899aa' } });

test('describes a photo’s size, light and sharpness, and the result has a version and is serializable', async () => {
  const analysis = await analyzer.analyzePhoto(gardenPath);
  expect(analysis).toMatchObject({ version: await analyzer.version(), width: 1280, height: 960, faces: [], people: 0 });
  expect(analysis!.light.mean).toBeGreaterThan(0.2);
  expect(analysis!.light.mean).toBeLessThan(0.8);
  expect(analysis!.sharpness).toBeGreaterThan(0);
  expect(JSON.parse(JSON.stringify(analysis))).toEqual(analysis);
});

test('every model of the list is present with its expected hash', async () => {
  expect(await analyzer.version()).toBe(`7 ${Object.keys(visionModelFiles).join(' ')}`);
  expect(await analyzer.describe()).toMatch(/^models: faces, .*fill$/);
});

test.each([
  ['one pixel', () => createPlainPhoto(1, 1)],
  ['a thread', () => createPlainPhoto(2560, 2)],
  ['a thread that hangs', () => createPlainPhoto(3, 2560)],
  ['one color', () => createPlainPhoto(1600, 1000)],
  ['grey', () => sharp(paintGarden(640, 480).toBuffer('image/png')).greyscale()],
])('finds no faces, people or glows and reports no problem in an unusual photo: %s', async (name, picture) => {
  reportedTroubles.length = 0;
  expect(await analyzer.analyzePhoto(await writePhoto(name, picture()))).toMatchObject({
    faces: [],
    people: 0,
    glows: [],
  });
  expect(reportedTroubles).toEqual([]);
});

test('finds no face in noise', async () => {
  const noise = { width: 800, height: 600, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 40 } } as const;
  const analysis = await analyzer.analyzePhoto(
    await writePhoto('noise', sharp({ create: { ...noise, background: '#000' } })),
  );
  expect(analysis).toMatchObject({ faces: [], glows: [] });
});

test('does not load a changed model file, reports it, and uses the others with another version', async () => {
  const changedFolder = join(folder, 'changed');
  mkdirSync(changedFolder);
  for (const name of readdirSync(modelsFolder).filter((it) => it.endsWith('.onnx')))
    copyFileSync(join(modelsFolder, name), join(changedFolder, name));
  const bytes = readFileSync(join(changedFolder, 'ultraface-rfb-320.onnx'));
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(join(changedFolder, 'ultraface-rfb-320.onnx'), bytes);
  rmSync(join(changedFolder, 'iris.onnx'));

  const reportedProblems: string[] = [];
  const analyzerWithoutSomeModels = createPhotoAnalyzer({
    modelsFolder: changedFolder,
    onTrouble: (trouble) => reportedProblems.push(trouble),
  });
  expect(await analyzerWithoutSomeModels.version()).toBe('7 mesh depth people fill');
  expect(await analyzerWithoutSomeModels.analyzePhoto(gardenPath)).toMatchObject({ faces: [], people: 0 });
  expect(await analyzerWithoutSomeModels.describe()).toMatch(/the model for faces is another file; no model for eyes/);
  expect(reportedProblems).toHaveLength(1);
  expect(reportedProblems[0]).toContain('another file');
});

test('returns undefined and reports the problem when a photo is broken or takes too long', async () => {
  const brokenPhoto = join(folder, 'broken.jpg');
  writeFileSync(brokenPhoto, readFileSync(gardenPath).subarray(0, 4000));
  reportedTroubles.length = 0;
  expect(await analyzer.analyzePhoto(brokenPhoto)).toBeUndefined();
  expect(reportedTroubles).toHaveLength(1);

  const reportedProblems: string[] = [];
  const analyzerWithShortTimeout = createPhotoAnalyzer({
    modelsFolder,
    timeoutMs: 40,
    onTrouble: (trouble) => reportedProblems.push(trouble),
  });
  expect(await analyzerWithShortTimeout.analyzePhoto(gardenPath)).toBeUndefined();
  expect(reportedProblems.join()).toMatch(/killed after 40 ms|does not run/);
  expect(listDescendants(process.pid)).toEqual([]);
});

test('an aborted analysis stops and leaves no process behind', async () => {
  const controller = new AbortController();
  const analysisPromise = analyzer.analyzePhoto(gardenPath, controller.signal);
  setTimeout(() => controller.abort(), 200);
  await expect(analysisPromise).rejects.toThrow(/no longer wanted/);
  expect(listDescendants(process.pid)).toEqual([]);
});

test('in a photo without a face, cuts out no people but still estimates nearness', async () => {
  const cutFolder = join(folder, 'cut');
  const plate = { width: 640, height: 400 };
  const crop = { left: 0, top: 80, width: 1280, height: 800 };
  const wantedParts = { people: true, behind: true, nearness: true };
  const cutout = await analyzer.cutOutParts(
    gardenPath,
    { crop, plate, faces: [], scale: 1, wants: wantedParts },
    cutFolder,
  );
  expect(cutout).toMatchObject({ people: false, behind: false, nearness: true, meshes: [] });
  expect(existsSync(cutFolder) && readFileSync(cutFolder).length).toBe(224 * 224);
});
