import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { framePanelSize } from '#contract/motion.ts';
import type { AnimationJob } from '#shop/ports/animator.ts';
import { comfyuiWorkflow, startFakeComfyui, createSavedVideo, success } from '#test/fake-comfyui.ts';
import { findFfmpeg } from '../ffmpeg.ts';
import { createComfyuiAnimator, type ComfyuiSettings } from './comfyui-animator.ts';
import type { Workflow } from './workflow.ts';

let folder = '';
let ffmpegPath = '';
let mp4Bytes: Buffer;
let webmBytes: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'comfyui-'));
  ffmpegPath = (await findFfmpeg(process.env['FFMPEG_PATH'])).path;
  const encodeTestVideo = (name: string, ...codec: string[]) => {
    const path = join(folder, name);
    execFileSync(ffmpegPath, ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=640x384:r=24:d=1', ...codec, path]);
    return readFileSync(path);
  };
  mp4Bytes = encodeTestVideo('film.mp4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p');
  webmBytes = encodeTestVideo(
    'film.webm',
    '-c:v',
    'libvpx-vp9',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-pix_fmt',
    'yuv420p',
  );
  writeFileSync(join(folder, 'photo.jpg'), 'a photo');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function createAnimator(
  more: Partial<ComfyuiSettings> = {},
  options: Parameters<typeof startFakeComfyui>[0] = {},
) {
  const fake = await startFakeComfyui(options);
  const workflow = comfyuiWorkflow as Workflow;
  const animator = createComfyuiAnimator({ url: fake.url, workflow, priceCents: 0, ffmpegPath, ...more });
  return { fake, animator };
}
function createRequest(id = 'key-1') {
  const workFolder = join(folder, crypto.randomUUID());
  mkdirSync(workFolder);
  return { id, sourcePath: join(folder, 'photo.jpg'), style: 'push-in', seconds: 8, folder: workFolder } as const;
}

test('runs the workflow with the photo, downloads its video, and overwrites the photo on the server', async () => {
  const { fake, animator } = await createAnimator(
    { model: 'Wan 2.2', token: 'a-proxy-token' },
    { token: 'a-proxy-token' },
  );
  await animator.check();
  const animateRequest = createRequest();
  const jobId = await animator.start(animateRequest);
  expect(fake.inputs).toEqual(new Map([['kinframe/key-1.jpg', 'a photo']]));
  expect(fake.pending).toHaveLength(1);
  expect(fake.pending[0]![2]).toEqual({
    '1': { class_type: 'LoadImage', inputs: { image: 'kinframe/key-1.jpg' } },
    '2': {
      class_type: 'CLIPTextEncode',
      inputs: { text: expect.stringMatching(/^Old photo\. The photo comes .* moves in slowly/), clip: ['9', 0] },
    },
    '3': { class_type: 'ImageToVideo', inputs: { image: ['1', 0], seed: expect.any(Number), seconds: 8 } },
    '4': comfyuiWorkflow['4'],
  });
  expect(await animator.getJobStatus(jobId, animateRequest.folder)).toEqual({ state: 'working', progress: 0 });
  fake.run();
  expect(await animator.getJobStatus(jobId, animateRequest.folder)).toMatchObject({ state: 'working' });
  fake.outputs.set('kinframe_00001_.mp4', mp4Bytes);
  fake.end(jobId, createSavedVideo('kinframe_00001_.mp4'));
  const job = await animator.getJobStatus(jobId, animateRequest.folder);
  expect(job).toMatchObject({
    state: 'done',
    video: { ...framePanelSize, seconds: 1, provenance: { by: 'hosted', model: 'Wan 2.2' } },
  });
  expect(existsSync((job as Extract<AnimationJob, { state: 'done' }>).video.posterPath)).toBe(true);
  expect(fake.inputs).toEqual(new Map([['kinframe/key-1.jpg', 'removed']]));
});

test('converts a WebM, and prefers a saved video to a preview and to pictures', async () => {
  const { fake, animator } = await createAnimator();
  const animateRequest = createRequest();
  const jobId = await animator.start(animateRequest);
  fake.outputs.set('saved.webm', webmBytes);
  fake.end(jobId, {
    outputs: {
      '5': { images: [{ filename: 'first.png', subfolder: '', type: 'output' }] },
      '6': { gifs: [{ filename: 'preview.mp4', subfolder: '', type: 'temp', format: 'video/h264-mp4' }] },
      '7': { text: ['done'], gifs: [{ filename: 'saved.webm', subfolder: '', type: 'output' }] },
    },
  });
  expect(await animator.getJobStatus(jobId, animateRequest.folder)).toMatchObject({
    state: 'done',
    video: framePanelSize,
  });
});

test('a repeated request finds its job when the first response was lost or the process died', async () => {
  const { fake, animator } = await createAnimator();
  fake.trouble.push({ call: 'POST /prompt', answer: 'lost' });
  await expect(animator.start(createRequest())).rejects.toMatchObject({ failure: 'unavailable', retryable: true });
  const [, jobId] = fake.pending[0]!;
  expect(await animator.start(createRequest())).toBe(jobId);
  fake.run();
  expect(await animator.start(createRequest())).toBe(jobId);
  fake.end(jobId, createSavedVideo('film.mp4'));
  expect(await animator.start(createRequest())).toBe(jobId);
  expect(fake.calls.filter((it) => it === 'POST /prompt')).toHaveLength(1);
  expect(await animator.start(createRequest('key-2'))).not.toBe(jobId);
});

test('another process finds a running job by its id, and can cancel it and overwrite its photo on the server', async () => {
  const { fake, animator } = await createAnimator();
  const jobId = await animator.start(createRequest());
  fake.run();
  const { url } = fake;
  const animatorWithoutPlaceholder = createComfyuiAnimator({ url, workflow: {}, priceCents: 0, ffmpegPath });
  expect(await animatorWithoutPlaceholder.getJobStatus(jobId, folder)).toMatchObject({ state: 'working' });
  await animatorWithoutPlaceholder.cancel(jobId);
  expect(fake.running).toEqual([]);
  expect(fake.inputs.get('kinframe/key-1.jpg')).toBe('removed');
});

test.each([
  [401, 'access', false],
  [413, 'input', false],
  [429, 'busy', true],
  [500, 'unavailable', true],
] as const)('a request with response %i fails as %s', async (status, failure, retryable) => {
  const { fake, animator } = await createAnimator();
  fake.trouble.push({ call: 'POST /prompt', answer: status });
  await expect(animator.start(createRequest())).rejects.toMatchObject({ name: 'AnimationError', failure, retryable });
  // The photo stays for a retry, or is overwritten.
  expect(fake.inputs.get('kinframe/key-1.jpg')).toBe(retryable ? 'a photo' : 'removed');
});

test.each(['garbage', 'other', 'cut', 'redirect'] as const)(
  'a request whose response is %s fails as retryable, and its retry starts no second job',
  async (answer) => {
    const { fake, animator } = await createAnimator();
    fake.trouble.push({ call: 'POST /prompt', answer });
    await expect(animator.start(createRequest())).rejects.toMatchObject({ failure: 'unavailable', retryable: true });
    await animator.start(createRequest());
    expect(fake.pending).toHaveLength(1);
  },
);

test('repeats a call after a cut connection or a server error if repeating it is safe', async () => {
  const { fake, animator } = await createAnimator();
  fake.trouble.push({ call: 'GET /queue', answer: 'cut' }, { call: 'POST /upload', answer: 502 });
  const jobId = await animator.start(createRequest());
  fake.trouble.push({ call: 'GET /history', answer: 503 });
  expect(await animator.getJobStatus(jobId, folder)).toMatchObject({ state: 'working' });
});

test('reports an unreachable server as unavailable', async () => {
  const { animator } = await createAnimator({ url: 'http://127.0.0.1:1' });
  for (const animatorCall of [animator.start(createRequest()), animator.getJobStatus('job', folder), animator.check()])
    await expect(animatorCall).rejects.toMatchObject({ failure: 'unavailable', retryable: true });
});

test('reports why ComfyUI refuses a workflow, and overwrites the photo', async () => {
  const { fake, animator } = await createAnimator();
  fake.nodes.delete('ImageToVideo');
  await expect(animator.start(createRequest())).rejects.toMatchObject({
    failure: 'input',
    retryable: false,
    message: 'ComfyUI refused the workflow: Cannot execute because node ImageToVideo does not exist., Node ID #3',
  });
  expect(fake.inputs.get('kinframe/key-1.jpg')).toBe('removed');
  const workflow = { ...comfyuiWorkflow, '8': { class_type: 'LoadImage', inputs: { image: 'mask.png' } } } as Workflow;
  const animatorWithWorkflow = await createAnimator({ workflow });
  await expect(animatorWithWorkflow.animator.start(createRequest())).rejects.toThrow(
    'node 8 (LoadImage): Custom validation failed for node, image - Invalid image file: mask.png',
  );
});

test.each([
  ['torch.OutOfMemoryError', 'Allocation on device 0', 'busy', true],
  ['ValueError', 'Invalid image size', 'input', false],
  ['RuntimeError', 'something else', 'unknown', false],
] as const)('a job that failed with %s: %s is reported as %s', async (type, message, failure, retryable) => {
  const { fake, animator } = await createAnimator();
  const jobId = await animator.start(createRequest());
  const eventDetails = { prompt_id: jobId, node_id: '3', node_type: 'ImageToVideo' };
  const messages = [
    ['execution_start', { prompt_id: jobId }],
    ['execution_error', { ...eventDetails, exception_message: message, exception_type: type, traceback: [] }],
  ];
  fake.end(jobId, { outputs: {}, status: { status_str: 'error', completed: false, messages } });
  expect(await animator.getJobStatus(jobId, folder)).toMatchObject({
    state: 'failed',
    error: { failure, retryable, message: expect.stringContaining(`ImageToVideo: ${type}: ${message}`) },
  });
  expect(fake.inputs.get('kinframe/key-1.jpg')).toBe('removed');
});

test('a job that someone stopped at the server fails without a retry', async () => {
  const { fake, animator } = await createAnimator();
  const jobId = await animator.start(createRequest());
  fake.run();
  await fetch(`${fake.url}/interrupt`, { method: 'POST', body: JSON.stringify({ prompt_id: jobId }) });
  expect(await animator.getJobStatus(jobId, folder)).toMatchObject({
    state: 'failed',
    error: { retryable: false, message: 'The job was stopped at the hosted animator.' },
  });
});

test('cancels a job that takes too long, and leaves the jobs of others alone', async () => {
  const { fake, animator } = await createAnimator({ patienceMs: -1 });
  const [first, second] = [await animator.start(createRequest()), await animator.start(createRequest('key-2'))];
  fake.run();
  // Another user's job waits too.
  fake.pending.push([99, 'other-job', {}, {}, []]);
  expect(await animator.getJobStatus(second, folder)).toMatchObject({ state: 'failed', error: { failure: 'timeout' } });
  expect(fake.running.map(([, id]) => id)).toEqual([first]);
  expect(fake.calls).not.toContain('POST /interrupt');
  expect(await animator.getJobStatus(first, folder)).toMatchObject({ state: 'failed', error: { failure: 'timeout' } });
  expect(fake.running).toEqual([]);
  expect(fake.pending.map(([, id]) => id)).toEqual(['other-job']);
  expect([...fake.inputs.values()]).toEqual(['removed', 'removed']);
});

test('reports a job as unknown after the server has lost it, and cancels a job that has ended without an error', async () => {
  const { fake, animator } = await createAnimator();
  const jobId = await animator.start(createRequest());
  fake.end(jobId, createSavedVideo('film.mp4'));
  await animator.cancel(jobId);
  fake.history.clear(); // simulates a restart of ComfyUI
  expect(await animator.getJobStatus(jobId, folder)).toEqual({ state: 'unknown' });
  await animator.cancel(jobId);
});

test('refuses output that is no video, too large, or missing', async () => {
  const { fake, animator } = await createAnimator();
  const animateRequest = createRequest();
  fake.outputs.set('words.mp4', Buffer.from('these are words'));
  fake.outputs.set('half.mp4', mp4Bytes.subarray(0, mp4Bytes.length / 2));
  fake.outputs.set('huge.mp4', (response) => {
    response.writeHead(200, { 'content-length': String(2 * 1024 ** 3) });
    response.write('begins');
  });
  const endCases = [
    { outputs: {}, status: success },
    { outputs: { '4': { images: 'none' }, '5': null }, status: success },
    createSavedVideo('film.webp'),
    createSavedVideo('words.mp4'),
    createSavedVideo('half.mp4'),
    createSavedVideo('huge.mp4'),
    createSavedVideo('gone.mp4'),
  ];
  for (const [at, ended] of endCases.entries()) {
    const jobId = await animator.start(createRequest(`key-${at}`));
    fake.end(jobId, ended);
    expect(await animator.getJobStatus(jobId, animateRequest.folder), JSON.stringify(ended)).toMatchObject({
      state: 'failed',
      error: { name: 'AnimationError', retryable: false },
    });
    expect(existsSync(join(animateRequest.folder, 'hosted.mp4'))).toBe(false);
  }
});

test('downloads a finished video in a later poll after it was temporarily unavailable', async () => {
  const { fake, animator } = await createAnimator();
  const animateRequest = createRequest();
  const jobId = await animator.start(animateRequest);
  fake.outputs.set('film.mp4', (response) => response.writeHead(503).end());
  fake.end(jobId, createSavedVideo('film.mp4'));
  const lookPromise = animator.getJobStatus(jobId, animateRequest.folder);
  await expect(lookPromise).rejects.toMatchObject({ failure: 'unavailable', retryable: true });
  fake.outputs.set('film.mp4', mp4Bytes);
  expect(await animator.getJobStatus(jobId, animateRequest.folder)).toMatchObject({ state: 'done' });
});

test('check() rejects a server that lacks nodes of the workflow, or that is not ComfyUI', async () => {
  const { fake, animator } = await createAnimator();
  fake.nodes.delete('SaveVideo');
  await expect(animator.check()).rejects.toThrow('ComfyUI does not have these nodes of COMFYUI_WORKFLOW: SaveVideo.');
  fake.trouble.push({ call: 'GET /system_stats', answer: 'garbage' });
  await expect(animator.check()).rejects.toThrow('an answer that is not ComfyUI’s');
});
