import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { framePanelSize } from '#contract/motion.ts';
import type { AnimationJob } from '#shop/ports/animator.ts';
import { startFakeReplicate, type FakePrediction, type FakeReplicate } from '#test/fake-replicate.ts';
import { findFfmpeg } from '../ffmpeg.ts';
import { createReplicateAnimator, type ReplicateSettings } from './replicate-animator.ts';

let folder = '';
let ffmpegPath = '';
let mp4Bytes: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hosted-'));
  ffmpegPath = (await findFfmpeg(process.env['FFMPEG_PATH'])).path;
  const path = join(folder, 'film.mp4');
  const inputArguments = ['-f', 'lavfi', '-i', 'testsrc2=s=640x384:r=24:d=1', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'];
  execFileSync(ffmpegPath, ['-v', 'error', ...inputArguments, path]);
  mp4Bytes = readFileSync(path);
  writeFileSync(join(folder, 'photo.jpg'), 'a photo');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function createAnimator(
  extraSettings: Partial<ReplicateSettings> = {},
  options: Parameters<typeof startFakeReplicate>[0] = {},
) {
  const fake = await startFakeReplicate(options);
  const { token, apiBase } = fake;
  const animator = createReplicateAnimator({
    token,
    apiBase,
    model: 'o/m',
    priceCents: 35,
    ffmpegPath,
    ...extraSettings,
  });
  return { fake, animator };
}
function createRequest(id = 'key-1') {
  const workFolder = join(folder, crypto.randomUUID());
  mkdirSync(workFolder);
  return { id, sourcePath: join(folder, 'photo.jpg'), style: 'push-in', seconds: 8, folder: workFolder } as const;
}
const endPrediction = (fake: FakeReplicate, jobId: string, how: Partial<FakePrediction>) =>
  Object.assign(
    fake.predictions.find((it) => it.id === jobId)!,
    how,
  );

test('creates a video, downloads it when it is ready, and deletes the photo from the service', async () => {
  const { fake, animator } = await createAnimator();
  await animator.check();
  const animateRequest = createRequest();
  const jobId = await animator.start(animateRequest);
  const [image] = [...fake.files.keys()].map((id) => `${fake.apiBase}/files/${id}`);
  expect(fake.predictions).toMatchObject([{ input: { start_image: image, end_image: image, duration: 10 } }]);
  expect(fake.predictions[0]!.input).toMatchObject({ prompt: expect.stringContaining('moves in slowly') });
  expect([...fake.files.values()].map((it) => it.bytes.toString())).toEqual(['a photo']);
  expect(await animator.getJobStatus(jobId, animateRequest.folder)).toMatchObject({ state: 'working' });
  fake.outputs.set('film.mp4', mp4Bytes);
  endPrediction(fake, jobId, { status: 'succeeded', output: [`${fake.origin}/output/film.mp4`] });
  const job = await animator.getJobStatus(jobId, animateRequest.folder);
  expect(job).toMatchObject({
    state: 'done',
    video: { ...framePanelSize, seconds: 1, provenance: { by: 'hosted', model: 'o/m' } },
  });
  expect(existsSync((job as Extract<AnimationJob, { state: 'done' }>).video.posterPath)).toBe(true);
  expect(fake.files.size).toBe(0);
});

test('a repeated request finds its job or its uploaded photo when the first response was lost', async () => {
  const { fake, animator } = await createAnimator();
  const jobId = await animator.start(createRequest());
  expect(await animator.start(createRequest())).toBe(jobId);
  expect(await animator.start(createRequest('key-2'))).not.toBe(jobId);
  fake.predictions.length = 0; // simulates a process that crashed after sending the photo
  await animator.start(createRequest());
  expect(fake.predictions).toHaveLength(1);
  expect(fake.files.size).toBe(2);
});

test('a repeated request finds its job on a later page, but does not read more than ten pages', async () => {
  const { fake, animator } = await createAnimator();
  const jobId = await animator.start(createRequest());
  for (let i = 2; i <= 5; i++) await animator.start(createRequest(`key-${i}`));
  fake.pageSize = 2;
  expect(await animator.start(createRequest())).toBe(jobId);
  expect(fake.predictions).toHaveLength(5);
  for (let i = 6; i <= 11; i++) await animator.start(createRequest(`key-${i}`));
  fake.pageSize = 1;
  fake.calls.length = 0;
  await animator.start(createRequest());
  expect(fake.calls.filter((it) => it === 'GET /files')).toHaveLength(10);
});

test.each([
  [401, 'access', false],
  [402, 'quota', false],
  [422, 'input', false],
  [500, 'unavailable', true],
] as const)('a request with response %i fails as %s', async (status, failure, retryable) => {
  const { fake, animator } = await createAnimator();
  fake.trouble.push({ call: 'POST /models', answer: status });
  await expect(animator.start(createRequest())).rejects.toMatchObject({ name: 'AnimationError', failure, retryable });
  expect(fake.files.size).toBe(retryable ? 1 : 0); // the photo is kept for a retry, or deleted
});

test('a request fails without a retry when the response is unreadable', async () => {
  const { fake, animator } = await createAnimator();
  fake.trouble.push({ call: 'POST /models', answer: 'garbage' });
  await expect(animator.start(createRequest())).rejects.toMatchObject({ failure: 'unknown', retryable: false });
});

test.each([
  ['The input or output was flagged as sensitive. (E005)', 'refused', false],
  ['CUDA out of memory', 'busy', true],
  ['Prediction timed out', 'timeout', true],
  ['Invalid image: cannot identify image file', 'input', false],
  [{ odd: true }, 'unknown', false],
] as const)('a job that failed with %j is reported as %s', async (error, failure, retryable) => {
  const { fake, animator } = await createAnimator();
  const jobId = await animator.start(createRequest());
  endPrediction(fake, jobId, { status: 'failed', error });
  expect(await animator.getJobStatus(jobId, folder)).toMatchObject({ state: 'failed', error: { failure, retryable } });
  expect(fake.files.size).toBe(0);
});

test('cancels a job that takes too long, and reports a job that the service does not know as unknown', async () => {
  const { fake, animator } = await createAnimator({ patienceMs: 60_000 });
  const jobId = await animator.start(createRequest());
  endPrediction(fake, jobId, { status: 'processing', created_at: new Date(Date.now() - 61_000).toISOString() });
  expect(await animator.getJobStatus(jobId, folder)).toMatchObject({ state: 'failed', error: { failure: 'timeout' } });
  expect(fake.predictions).toMatchObject([{ status: 'canceled' }]);
  expect(await animator.getJobStatus('p99', folder)).toEqual({ state: 'unknown' });
});

test('refuses output that is no video, too large, or at a private or untrusted address', async () => {
  const { fake, animator } = await createAnimator();
  const animateRequest = createRequest();
  const jobId = await animator.start(animateRequest);
  fake.outputs.set('words.mp4', Buffer.from('these are words'));
  fake.outputs.set('huge.mp4', (response) => {
    response.writeHead(200, { 'content-length': String(2 * 1024 ** 3) });
    response.write('begins');
  });
  const outputs = [
    undefined,
    { not: 'an address' },
    'words',
    `${fake.origin}/output/words.mp4`,
    `${fake.origin}/output/huge.mp4`,
    `${fake.origin}/output/gone.mp4`,
    'file:///etc/passwd',
    'http://example.com/video.mp4',
    'https://127.0.0.1/video.mp4',
    'https://[::ffff:10.0.0.1]/video.mp4',
    'https://169.254.169.254/latest',
    'https://localhost/video.mp4',
  ];
  for (const output of outputs) {
    endPrediction(fake, jobId, { status: 'succeeded', output });
    const job = await animator.getJobStatus(jobId, animateRequest.folder);
    expect(job, JSON.stringify(output)).toMatchObject({
      state: 'failed',
      error: { failure: expect.any(String), retryable: false },
    });
    expect(existsSync(join(animateRequest.folder, 'hosted.mp4'))).toBe(false);
  }
});

test('downloads a finished video in a later poll after it was temporarily unavailable', async () => {
  const { fake, animator } = await createAnimator();
  const animateRequest = createRequest();
  const jobId = await animator.start(animateRequest);
  fake.outputs.set('film.mp4', (response) => response.writeHead(503).end());
  endPrediction(fake, jobId, { status: 'succeeded', output: `${fake.origin}/output/film.mp4` });
  await expect(animator.getJobStatus(jobId, animateRequest.folder)).rejects.toMatchObject({
    failure: 'unavailable',
    retryable: true,
  });
  fake.outputs.set('film.mp4', mp4Bytes);
  expect(await animator.getJobStatus(jobId, animateRequest.folder)).toMatchObject({ state: 'done' });
});

test('check() rejects a model that accepts no photo, or needs more than a photo', async () => {
  const inputSchemas = { components: { schemas: { Input: { properties: { prompt: { type: 'string' } } } } } };
  const { animator } = await createAnimator({}, { inputSchema: inputSchemas });
  await expect(animator.check()).rejects.toThrow('takes no photo');
  const extraSettings = {
    components: { schemas: { Input: { required: ['image', 'mask'], properties: { image: {}, mask: {} } } } },
  };
  const animatorWithExtraSettings = await createAnimator({}, { inputSchema: extraSettings });
  await expect(animatorWithExtraSettings.animator.check()).rejects.toThrow('asks for mask');
});
