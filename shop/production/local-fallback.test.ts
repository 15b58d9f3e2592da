import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createComfyuiAnimator } from '#adapters/animation/comfyui/comfyui-animator.ts';
import type { Workflow } from '#adapters/animation/comfyui/workflow.ts';
import { createVideoFitter } from '#adapters/animation/video-fitter.ts';
import { findFfmpeg } from '#adapters/animation/ffmpeg.ts';
import { readVideoFacts } from '#adapters/animation/video-facts.ts';
import { framePanelSize } from '#contract/motion.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { AnimationError, type AnimationFailure, type Animator } from '#shop/ports/animator.ts';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { createFailingAnimator, fakeAnimator, createHostedAnimator } from '#test/fake-animator.ts';
import { comfyuiWorkflow, startFakeComfyui, createSavedVideo } from '#test/fake-comfyui.ts';
import { createOwnersVideoForm, createOwnersVideoFile } from '#test/owners-video.ts';
import { buyFramesAsAnna, createSmallPhoto, uploadTo } from '#test/people.ts';
import { readAllTables, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { renderVideo } from './render.ts';

type Row = Record<string, unknown> & { id: string; take: number; state: string };
const readVideoRows = async (it: TestShop) => (await readAllTables(it.shop.db))['videos'] as Row[];
const readAnimationSpending = async (it: TestShop) => {
  const { animation_orders: orders, animation_months: months } = await readAllTables(it.shop.db);
  return { orders: orders as { key: string; price_cents: number }[], months };
};

/** Anna's finalized frame with the given number of photos, and the owner's signed-in browser. */
async function finalizeFrame(it: TestShop, photos = 1) {
  const { browser, frames } = await buyFramesAsAnna(it);
  const { deviceId } = frames[0]!;
  for (let i = 0; i < photos; i++) await uploadTo(browser, deviceId);
  expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const readShownVideos = async () => (await admin.get('/api/admin/production-orders')).json[0].frames[0].videos;
  return { admin, shown: readShownVideos };
}
const paidAnimator = { ...fakeAnimator, id: 'hosted', priceCents: 35 } satisfies Animator;
/** A paid animator that refuses every request with this failure. */
const createRefusingAnimator = (failure: AnimationFailure, retryable = false): Animator => ({
  ...paidAnimator,
  start: () => Promise.reject(new AnimationError(`it said ${failure}`, retryable, { failure })),
});
const renderTake = (
  it: TestShop,
  { id, take }: Row,
  more: { animator?: Animator; monthlyCapCents?: number; isLastTry?: boolean; signal?: AbortSignal } = {},
) =>
  renderVideo(
    { ...it.shop, animator: paidAnimator, standIn: fakeAnimator, autoApproves: async () => false, ...more },
    { videoId: id, take },
    { signal: new AbortController().signal, isLastTry: false, ...more },
  );

describeOnFastestEngine((fresh) => {
  test.each([
    ['access', false, 0],
    ['refused', false, 1],
  ] as const)(
    'this machine makes the video if a hosted animator fails with %s, and the owner sees why',
    async (failure, retryable, booked) => {
      const testShop = await openTestShop(fresh);
      const { shown } = await finalizeFrame(testShop);
      const [video] = await readVideoRows(testShop);
      await renderTake(testShop, video!, { animator: createRefusingAnimator(failure, retryable) });
      expect(await readVideoRows(testShop)).toMatchObject([
        { state: 'queued', take: 1, stand_in: `it said ${failure}`, job_key: null },
      ]);
      expect(await readWaitingJobs(testShop.shop.db, 'render-video')).toHaveLength(2);
      expect((await readAnimationSpending(testShop)).orders).toHaveLength(booked);
      await renderTake(testShop, video!, { animator: createRefusingAnimator(failure) });
      expect(await shown()).toMatchObject([{ state: 'rendered', madeBy: 'fake', standIn: `it said ${failure}` }]);
      expect(await readQueuedMails(testShop.shop.db, 'failed-video:')).toEqual([]);
    },
  );

  test('retries an unavailable hosted animator; after the last attempt, this machine makes the video', async () => {
    const testShop = await openTestShop(fresh);
    await finalizeFrame(testShop);
    const [video] = await readVideoRows(testShop);
    const unavailableAnimator = createRefusingAnimator('unavailable', true);
    await expect(renderTake(testShop, video!, { animator: unavailableAnimator })).rejects.toThrow(
      'it said unavailable',
    );
    await renderTake(testShop, video!, { animator: unavailableAnimator, isLastTry: true });
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'queued', stand_in: 'it said unavailable' }]);
    // The animator may have accepted the request, so its cost stays booked, once.
    expect((await readAnimationSpending(testShop)).orders).toHaveLength(1);
  });

  test('cancels a hosted job that gets no response, and marks the video failed if this machine fails too', async () => {
    const testShop = await openTestShop(fresh);
    await finalizeFrame(testShop);
    const [video] = await readVideoRows(testShop);
    const hosted = { ...createHostedAnimator(), priceCents: 35 };
    const stopController = new AbortController();
    const waitingTake = renderTake(testShop, video!, { animator: hosted, signal: stopController.signal });
    await vi.waitFor(async () => expect((await readVideoRows(testShop))[0]).toMatchObject({ job_id: 'job-1' }), {
      timeout: 30_000,
    });
    stopController.abort();
    await expect(waitingTake).rejects.toThrow(/abort/i);
    const unresponsiveAnimator = {
      ...hosted,
      getJobStatus: () => Promise.reject(new AnimationError('no answer', true)),
    };
    await renderTake(testShop, video!, { animator: unresponsiveAnimator, isLastTry: true });
    expect(hosted.orders).toMatchObject([{ state: 'cancelled' }]);
    const brokenAnimator = createFailingAnimator('this photo will not move', false);
    const { id, take } = video!;
    await renderVideo(
      { ...testShop.shop, animator: hosted, standIn: brokenAnimator, autoApproves: async () => false },
      { videoId: id, take },
      { signal: new AbortController().signal, isLastTry: false },
    );
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'failed', failure: 'this photo will not move' }]);
    expect(await readQueuedMails(testShop.shop.db, 'failed-video:')).toHaveLength(1);
  });

  test('a ComfyUI job continues after its worker died, and this machine makes the video if the job fails', async () => {
    const testShop = await openTestShop(fresh);
    const { shown } = await finalizeFrame(testShop, 2);
    const fake = await startFakeComfyui();
    const { path: ffmpegPath } = await findFfmpeg(process.env['FFMPEG_PATH']);
    const settings = { url: fake.url, workflow: comfyuiWorkflow as Workflow, priceCents: 0, ffmpegPath };
    const createAnimator = () => createComfyuiAnimator({ ...settings, lookEveryMs: 20 });
    const [first, second] = await readVideoRows(testShop);
    const workerStopController = new AbortController();
    const rendering = renderTake(testShop, first!, { animator: createAnimator(), signal: workerStopController.signal });
    await vi.waitFor(() => expect(fake.pending).toHaveLength(1));
    const [, jobId] = fake.pending[0]!;
    const isStored = expect.arrayContaining([expect.objectContaining({ id: first!.id, job_id: jobId })]);
    await vi.waitFor(async () => expect(await readVideoRows(testShop)).toEqual(isStored));
    workerStopController.abort();
    await expect(rendering).rejects.toThrow(/abort/i);
    fake.run();
    fake.outputs.set('made.mp4', await createOwnersVideoFile());
    fake.end(jobId, createSavedVideo('made.mp4'));
    await renderTake(testShop, first!, { animator: createAnimator() });
    expect(fake.calls.filter((call) => call === 'POST /prompt')).toHaveLength(1);
    fake.trouble.push({ call: 'POST /prompt', answer: 400 });
    await renderTake(testShop, second!, { animator: createAnimator() });
    await renderTake(testShop, second!, { animator: createAnimator() });
    const videosByMaker = Map.groupBy((await shown()) as { madeBy: string }[], ({ madeBy }) => madeBy);
    expect(videosByMaker.get('comfyui')).toMatchObject([{ state: 'rendered', standIn: null }]);
    const rejectionText = expect.stringContaining('it rejected the request');
    expect(videosByMaker.get('fake')).toMatchObject([{ state: 'rendered', standIn: rejectionText }]);
    expect([...fake.inputs.values()]).toEqual(['removed', 'removed']);
  });

  test('makes videos on this machine when the monthly cap is reached, and emails the owner once a month', async () => {
    const testShop = await openTestShop(fresh);
    const { shown } = await finalizeFrame(testShop, 4);
    const videosByPlace = (await readVideoRows(testShop)).toSorted((a, b) => Number(a['place']) - Number(b['place']));
    for (const video of videosByPlace) await renderTake(testShop, video, { monthlyCapCents: 70 });
    const animationSpending = await readAnimationSpending(testShop);
    expect(animationSpending.orders.map((order) => order.price_cents)).toEqual([35, 35]);
    expect(animationSpending.months).toMatchObject([{ spent_cents: 70 }]);
    const videos = await shown();
    expect(videos.map((video: { costCents: number }) => video.costCents)).toEqual([35, 35, 0, 0]);
    expect(videos.map((video: { madeBy: string }) => video.madeBy)).toEqual(['hosted', 'hosted', 'fake', 'fake']);
    expect(videos[3].standIn).toContain('limit');
    expect(await readQueuedMails(testShop.shop.db, 'animator-cap:')).toHaveLength(1);
    testShop.clock.advance(32 * 86_400_000);
    const admin = testShop.browser();
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    await admin.post(`/api/admin/videos/${videos[3].id}/redo`, {});
    const videoAfterRedo = (await readVideoRows(testShop)).find((video) => video.id === videos[3].id)!;
    await renderTake(testShop, videoAfterRedo, { monthlyCapCents: 70 });
    expect((await readAnimationSpending(testShop)).orders).toHaveLength(3);
    expect((await readVideoRows(testShop)).find((video) => video.id === videoAfterRedo.id)).toMatchObject({
      made_by: 'hosted',
      stand_in: null,
    });
  });

  test('a redo on this machine sends no request to the hosted animator', async () => {
    const testShop = await openTestShop(fresh);
    const { admin } = await finalizeFrame(testShop);
    const [video] = await readVideoRows(testShop);
    await renderTake(testShop, video!);
    await admin.post(`/api/admin/videos/${video!.id}/redo`, { isLocal: true });
    await renderTake(testShop, (await readVideoRows(testShop))[0]!);
    expect(await readVideoRows(testShop)).toMatchObject([
      { take: 2, made_by: 'fake', stand_in: 'The owner chose this.' },
    ]);
    expect((await readAnimationSpending(testShop)).orders).toHaveLength(1);
  });

  test('the owner’s upload replaces a video, fitted to the frame; a redo animates the photo again', async () => {
    const { path: ffmpegPath } = await findFfmpeg(process.env['FFMPEG_PATH']);
    const testShop = await openTestShop(fresh, { videoFitter: createVideoFitter({ ffmpegPath }) });
    const { admin, shown } = await finalizeFrame(testShop);
    const [video] = await readVideoRows(testShop);
    const putVideo = async (bytes: Buffer) =>
      admin.put(`/api/admin/videos/${video!.id}/film`, createOwnersVideoForm(bytes));
    for (const bytes of [Buffer.alloc(0), Buffer.from('words'), await createSmallPhoto()])
      expect((await putVideo(bytes)).json).toMatchObject({ code: 'no-film', message: 'Please choose an MP4 file.' });
    expect(
      (await admin.put('/api/admin/videos/none/film', createOwnersVideoForm(await createOwnersVideoFile()))).status,
    ).toBe(404);
    expect(await readVideoRows(testShop)).toMatchObject([{ take: 1, film_key: null }]);

    expect((await putVideo(await createOwnersVideoFile())).json).toMatchObject({
      state: 'queued',
      take: 2,
      isOwnFilm: true,
    });
    await renderTake(testShop, video!); // the job of the replaced take changes nothing
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'queued', take: 2 }]);
    await renderTake(testShop, (await readVideoRows(testShop))[0]!);
    expect(await shown()).toMatchObject([{ state: 'rendered', madeBy: 'hand', isOwnFilm: true }]);
    const filesFolder = join(testShop.shop.config.dataDir, 'files');
    const [row] = await readVideoRows(testShop);
    expect(await readVideoFacts(ffmpegPath, join(filesFolder, row!['video_key'] as string))).toMatchObject({
      codec: 'h264',
      ...framePanelSize,
    });
    expect(row!['provenance']).toMatchObject({ by: 'hand' });
    await putVideo(await createOwnersVideoFile());
    expect(readdirSync(join(filesFolder, 'films'))).toHaveLength(1); // the previous upload is in the trash
    expect(
      (await putVideo(Buffer.concat([(await createOwnersVideoFile()).subarray(0, 64), Buffer.alloc(500)]))).json,
    ).toMatchObject({
      take: 4,
    });
    await renderTake(testShop, (await readVideoRows(testShop))[0]!);
    expect(await readVideoRows(testShop)).toMatchObject([
      { state: 'failed', failure: expect.stringContaining('video') },
    ]);
    expect((await admin.post(`/api/admin/videos/${video!.id}/redo`, {})).json).toMatchObject({ isOwnFilm: false });
    await renderTake(testShop, (await readVideoRows(testShop))[0]!);
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'rendered', made_by: 'hosted' }]);
  });
});

describeOnPostgres((fresh) => {
  test('videos that start at the same time do not exceed the monthly cap', async () => {
    const testShop = await openTestShop(fresh);
    await finalizeFrame(testShop, 10);
    const videos = await readVideoRows(testShop);
    await Promise.all(videos.map((video) => renderTake(testShop, video, { monthlyCapCents: 130 })));
    const { orders, months } = await readAnimationSpending(testShop);
    expect(orders).toHaveLength(3);
    expect(months).toMatchObject([{ spent_cents: 105 }]);
    expect((await readVideoRows(testShop)).filter((video) => video.state === 'rendered')).toHaveLength(10);
    expect(await readQueuedMails(testShop.shop.db, 'animator-cap:')).toHaveLength(1);
  });

  test('the jobs finish a video on this machine automatically when the hosted animator refuses it', async () => {
    const testShop = await openTestShop(fresh, {
      animator: createRefusingAnimator('refused'),
      standIn: fakeAnimator,
      videoFitter: fakeAnimator,
    });
    await startJobs(testShop.shop);
    await finalizeFrame(testShop, 3);
    await vi.waitFor(
      async () =>
        expect((await readVideoRows(testShop)).map((video) => video.state)).toEqual(Array(3).fill('rendered')),
      { timeout: 20_000 },
    );
    expect(await readVideoRows(testShop)).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ made_by: 'fake', stand_in: 'it said refused' })),
    );
  });
});
