import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import type { AnimateRequest, Animator } from '#shop/ports/animator.ts';
import type { PhotoAnalyzerPort } from '#shop/ports/photo-analyzer.ts';
import { StorageFull } from '#shop/ports/storage.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { brokenAnimator, createFailingAnimator, fakeAnimator, createHostedAnimator } from '#test/fake-animator.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { buyFramesAsAnna, uploadTo } from '#test/people.ts';
import { readAllTables, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { emptyPhotoAnalyzer, createFaceAnalysis, createPhotoAnalysis } from '#test/photo-analysis.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { videoFileName } from './file-names.ts';
import { markVideoFailed, renderVideo } from './render.ts';

type Row = { id: string; state: string; take: number; style: string; video_key: string | null; failure: string | null };
const readVideoRows = async (it: TestShop) => (await readAllTables(it.shop.db))['videos'] as Row[];
const attempt = { signal: new AbortController().signal, isLastTry: false };
const renderTake = (
  it: TestShop,
  { id, take }: Row,
  more: { animator?: Animator; autoApproves?: () => Promise<boolean>; isLastTry?: boolean; signal?: AbortSignal } = {},
) =>
  renderVideo(
    { ...it.shop, autoApproves: async () => false, ...(more.animator && { standIn: more.animator }), ...more },
    { videoId: id, take },
    { ...attempt, ...more },
  );
const listFiles = (it: TestShop, folder: string) => {
  const path = join(it.shop.config.dataDir, 'files', folder);
  return existsSync(path) ? readdirSync(path) : [];
};

const failToRender = (): never => {
  throw new Error('killed');
};

/** Anna's finalized frame with the given number of photos, and the owner's signed-in browser. */
async function finalizeFrame(it: TestShop, photos: number) {
  const { browser, frames } = await buyFramesAsAnna(it);
  const { deviceId } = frames[0]!;
  for (let i = 0; i < photos; i++) await uploadTo(browser, deviceId);
  expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const approveVideo = (id: string) => admin.post(`/api/admin/videos/${id}/approve`);
  const redoVideo = (id: string, style?: string) => admin.post(`/api/admin/videos/${id}/redo`, { style });
  return { browser, admin, deviceId, approve: approveVideo, redo: redoVideo };
}

describeOnPostgres((fresh) => {
  test('sends one email when a frame’s last two videos are approved at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const { approve } = await finalizeFrame(testShop, 2);
    const videos = await readVideoRows(testShop);
    for (const video of videos) await renderTake(testShop, video);
    const ids = videos.map((video) => video.id);
    const responses = await Promise.all([...ids, ...ids, ...ids].map(approve));
    expect(responses.map((answer) => answer.status)).toEqual(Array(6).fill(200));
    const mails = await waitAndReadEmails(testShop, 'videos-ready:');
    expect(mails).toMatchObject([{ to: 'anna@example.com', content: { videoCount: 2 } }]);
    const { tokens, order_events } = await readAllTables(testShop.shop.db);
    expect((tokens as { purpose: string }[]).filter((token) => token.purpose === 'delivery')).toHaveLength(1);
    expect((order_events as { kind: string }[]).filter((event) => event.kind === 'videos-ready')).toHaveLength(1);
  });

  test('stores the files of one attempt when several jobs render the same take at the same time', async () => {
    const testShop = await openTestShop(fresh);
    await finalizeFrame(testShop, 1);
    const [video] = await readVideoRows(testShop);
    await Promise.all([renderTake(testShop, video!), renderTake(testShop, video!), renderTake(testShop, video!)]);
    await renderTake(testShop, video!);
    const [done] = await readVideoRows(testShop);
    expect(done).toMatchObject({ state: 'rendered', take: 1 });
    expect(listFiles(testShop, 'videos')).toEqual([done!.video_key!.split('/')[1]]);
    expect(listFiles(testShop, 'posters')).toHaveLength(1);
    expect(readdirSync(testShop.shop.workFolder)).toEqual([]);
  });
});

describeOnEachEngine((fresh) => {
  test('marks a video failed and leaves no files when the storage stays full; a later redo succeeds', async () => {
    const testShop = await openTestShop(fresh);
    const { admin, redo } = await finalizeFrame(testShop, 1);
    const [video] = await readVideoRows(testShop);
    const putFile = testShop.shop.storage.putFile.bind(testShop.shop.storage);
    // The video file is stored before the poster, so it must be deleted again.
    const fullStorage = vi.spyOn(testShop.shop.storage, 'putFile').mockImplementation(async (key, ...rest) => {
      if (key.startsWith('posters/')) throw new StorageFull(`no room for ${key} (ENOSPC)`);
      return putFile(key, ...rest);
    });
    await expect(renderTake(testShop, video!)).rejects.toThrow(StorageFull);
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'rendering', video_key: null, failure: null }]);
    await renderTake(testShop, video!, { isLastTry: true });
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'failed', video_key: null }]);
    expect([
      ...listFiles(testShop, 'videos'),
      ...listFiles(testShop, 'posters'),
      ...readdirSync(testShop.shop.workFolder),
    ]).toEqual([]);
    expect(await readQueuedMails(testShop.shop.db, 'failed-video:')).toHaveLength(1);
    const [order] = (await admin.get('/api/admin/production-orders')).json;
    expect(order.frames[0].videos[0]).toMatchObject({
      state: 'failed',
      failure: expect.stringMatching(/^no room for posters/),
    });
    fullStorage.mockRestore();
    expect((await redo(video!.id)).status).toBe(200);
    await renderTake(testShop, (await readVideoRows(testShop))[0]!);
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'rendered', failure: null }]);
  });

  test('emails the owner once when a photo cannot be rendered, and a redo renders it again', async () => {
    const testShop = await openTestShop(fresh, { animator: brokenAnimator });
    await startJobs(testShop.shop);
    const { admin, redo, approve } = await finalizeFrame(testShop, 1);
    const [video] = await vi.waitFor(
      async () => {
        const videos = await readVideoRows(testShop);
        expect(videos).toMatchObject([{ state: 'failed', failure: 'this photo will not move' }]);
        return videos;
      },
      { timeout: 20_000 },
    );
    await renderTake(testShop, video!, { animator: brokenAnimator }); // a second run of the job sends no second mail
    expect(await readQueuedMails(testShop.shop.db, 'failed-video:')).toMatchObject([
      { to: 'support@kinframe.example' },
    ]);
    const [order] = (await admin.get('/api/admin/production-orders')).json;
    expect(order.frames[0].videos[0]).toMatchObject({
      state: 'failed',
      failure: 'this photo will not move',
      videoUrl: null,
    });
    expect((await approve(video!.id)).json.code).toBe('video-not-ready');
    expect((await redo(video!.id, 'vintage')).json).toMatchObject({
      take: 2,
      style: 'vintage',
      state: 'queued',
      failure: null,
    });
    await vi.waitFor(async () => expect(await readVideoRows(testShop)).toMatchObject([{ state: 'failed', take: 2 }]), {
      timeout: 20_000,
    });
    expect(await readQueuedMails(testShop.shop.db, 'failed-video:')).toHaveLength(2); // one mail per take
  });
});

describeOnFastestEngine((fresh) => {
  test('retries a temporary failure, and marks the video failed after the last attempt', async () => {
    const testShop = await openTestShop(fresh);
    await finalizeFrame(testShop, 1);
    const [video] = await readVideoRows(testShop);
    const outOfMemoryAnimator = createFailingAnimator('out of memory', true);
    await expect(renderTake(testShop, video!, { animator: outOfMemoryAnimator })).rejects.toThrow('out of memory');
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'rendering' }]);
    expect(await readQueuedMails(testShop.shop.db, 'failed-video:')).toEqual([]);
    await renderTake(testShop, video!, { animator: outOfMemoryAnimator, isLastTry: true });
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'failed', failure: 'out of memory' }]);
    expect(await readQueuedMails(testShop.shop.db, 'failed-video:')).toHaveLength(1);
    expect(readdirSync(testShop.shop.workFolder)).toEqual([]);
  });

  test('emails the owner when the last attempt of a render is interrupted, and a redo succeeds', async () => {
    let started = 0;
    const testShop = await openTestShop(fresh, {
      animator: {
        ...fakeAnimator,
        start: (request) => (started++, fakeAnimator.start(request)),
        getJobStatus: async (...args) =>
          started > 1 ? fakeAnimator.getJobStatus(...args) : { state: 'working', progress: 0.5 },
      },
    });
    const { redo } = await finalizeFrame(testShop, 1);
    // The job has no retries left, so it fails when it expires.
    await testShop.shop.db.execute(
      sql`update jobs.job set retry_limit = 0, expire_seconds = 1 where name = 'render-video'`,
    );
    await startJobs(testShop.shop);
    await vi.waitFor(async () => expect(await readVideoRows(testShop)).toMatchObject([{ state: 'failed' }]), {
      timeout: 40_000,
    });
    expect(await readQueuedMails(testShop.shop.db, 'failed-video:')).toHaveLength(1);
    const [video] = await readVideoRows(testShop);
    expect((await redo(video!.id)).json).toMatchObject({ take: 2 });
    await vi.waitFor(async () => expect(await readVideoRows(testShop)).toMatchObject([{ state: 'rendered' }]), {
      timeout: 20_000,
    });
    await markVideoFailed(testShop.shop, { videoId: video!.id, take: 1 }); // a late job of the earlier take changes nothing
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'rendered', take: 2 }]);
    expect(await readQueuedMails(testShop.shop.db, 'failed-video:')).toHaveLength(1);
  });

  test('starts a hosted job once, even if the process crashes while starting or waiting', async () => {
    const testShop = await openTestShop(fresh);
    await finalizeFrame(testShop, 1);
    const [video] = await readVideoRows(testShop);
    const animator = createHostedAnimator();
    // The process crashes after the animator has accepted the request and before the job id is stored.
    const crashingAnimator = {
      ...animator,
      start: async (request: AnimateRequest) => (await animator.start(request), failToRender()),
    };
    await expect(renderTake(testShop, video!, { animator: crashingAnimator })).rejects.toThrow('killed');
    expect((await readVideoRows(testShop))[0]).toMatchObject({ state: 'rendering', job_id: null });
    // The process stops while it waits for the job. The hosted job continues.
    const stopController = new AbortController();
    const waitingTake = renderTake(testShop, video!, { animator, signal: stopController.signal });
    await vi.waitFor(async () => expect((await readVideoRows(testShop))[0]).toMatchObject({ job_id: 'job-1' }), {
      timeout: 30_000,
    });
    stopController.abort();
    await expect(waitingTake).rejects.toThrow(/abort/i);
    expect(animator.orders).toMatchObject([{ state: 'working' }]);

    animator.orders[0]!.state = 'done';
    await Promise.all([renderTake(testShop, video!, { animator }), renderTake(testShop, video!, { animator })]);
    expect(animator.orders).toHaveLength(1);
    expect((await readVideoRows(testShop))[0]).toMatchObject({ state: 'rendered', made_by: 'hosted' });
    expect(listFiles(testShop, 'videos')).toHaveLength(1);
  });

  test('starts a new hosted job after one failed or was lost, and cancels the job of a failed video', async () => {
    const testShop = await openTestShop(fresh);
    await finalizeFrame(testShop, 1);
    const [video] = await readVideoRows(testShop);
    const animator = createHostedAnimator();
    const renderAgain = (isLastTry = false) => renderTake(testShop, video!, { animator, isLastTry });
    const waitingRender = renderAgain();
    await vi.waitFor(() => expect(animator.orders).toHaveLength(1), { timeout: 30_000 });
    animator.orders[0]!.state = 'failed';
    await expect(waitingRender).rejects.toThrow('the job was failed');
    const lostRender = renderAgain();
    await vi.waitFor(async () => expect((await readVideoRows(testShop))[0]).toMatchObject({ job_id: 'job-2' }), {
      timeout: 30_000,
    });
    expect(new Set(animator.orders.map((order) => order.key)).size).toBe(2);
    animator.orders[1]!.jobId = 'forgotten';
    await expect(lostRender).rejects.toThrow('does not know this job');

    const stopController = new AbortController();
    const thirdTake = renderTake(testShop, video!, { animator, signal: stopController.signal });
    await vi.waitFor(async () => expect((await readVideoRows(testShop))[0]).toMatchObject({ job_id: 'job-3' }), {
      timeout: 30_000,
    });
    stopController.abort();
    await expect(thirdTake).rejects.toThrow(/abort/i);
    await markVideoFailed({ ...testShop.shop, animator }, { videoId: video!.id, take: 1 });
    expect(animator.orders[2]).toMatchObject({ state: 'cancelled' });
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'failed' }]);
  });

  test('does not wait for the job of another animator after the animator is changed', async () => {
    const testShop = await openTestShop(fresh);
    await finalizeFrame(testShop, 1);
    const [video] = await readVideoRows(testShop);
    const hosted = createHostedAnimator();
    const stopController = new AbortController();
    const waitingTake = renderTake(testShop, video!, { animator: hosted, signal: stopController.signal });
    await vi.waitFor(async () => expect((await readVideoRows(testShop))[0]).toMatchObject({ job_id: 'job-1' }), {
      timeout: 30_000,
    });
    stopController.abort();
    await expect(waitingTake).rejects.toThrow(/abort/i);
    await renderTake(testShop, video!, { animator: fakeAnimator });
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'rendered', made_by: 'fake' }]);
  });

  test('a job of an earlier take changes nothing', async () => {
    const testShop = await openTestShop(fresh);
    const { approve, redo } = await finalizeFrame(testShop, 1);
    const [first] = await readVideoRows(testShop);
    expect((await redo(first!.id)).json.code).toBe('video-not-ready'); // a redo is refused while the video is rendered
    await renderTake(testShop, first!);
    expect((await approve(first!.id)).status).toBe(200);
    expect((await redo(first!.id)).json).toMatchObject({ state: 'queued', take: 2, videoUrl: null });
    expect((await readWaitingJobs(testShop.shop.db, 'render-video')).map((job) => job.data['take'])).toEqual([1, 2]);
    await renderTake(testShop, first!);
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'queued', take: 2 }]);
    const [second] = await readVideoRows(testShop);
    await renderTake(testShop, second!);
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'rendered', take: 2 }]);
    await approve(first!.id);
    expect(await readQueuedMails(testShop.shop.db, 'videos-ready:')).toHaveLength(1); // the first approval has sent this mail
  });

  test('returns 409 for a second redo of the same take from another tab', async () => {
    const testShop = await openTestShop(fresh);
    const { admin } = await finalizeFrame(testShop, 1);
    const [video] = await readVideoRows(testShop);
    await renderTake(testShop, video!);
    const redoFirstVideo = () => admin.post(`/api/admin/videos/${video!.id}/redo`, { style: 'vintage', take: 1 });
    expect((await redoFirstVideo()).json).toMatchObject({ state: 'queued', take: 2 });
    await renderTake(testShop, (await readVideoRows(testShop))[0]!);
    const tablesBefore = await readAllTables(testShop.shop.db);
    const lateResponse = await redoFirstVideo();
    expect([lateResponse.status, lateResponse.json.code]).toEqual([409, 'video-not-ready']);
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'rendered', take: 2 }]);
  });

  test('with automatic approval, a retry approves a rendered video after a crash before its approval', async () => {
    const testShop = await openTestShop(fresh);
    await finalizeFrame(testShop, 1);
    const [video] = await readVideoRows(testShop);
    await renderTake(testShop, video!); // rendered but not approved, as after a crash
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'rendered' }]);
    await renderTake(testShop, video!, { autoApproves: async () => true });
    expect(await readVideoRows(testShop)).toMatchObject([{ state: 'approved' }]);
    expect(await readQueuedMails(testShop.shop.db, 'videos-ready:')).toHaveLength(1);
  });

  test('the delivery link shows approved videos with safe file names, and its cookie opens them', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, approve, deviceId } = await finalizeFrame(testShop, 2);
    const awkwardCaption = `CON.${'𠮷野'.repeat(40)}/../\r\nx`;
    await testShop.shop.db.execute(sql`update uploads set original_file_name = ${awkwardCaption}`);
    for (const video of await readVideoRows(testShop)) {
      await renderTake(testShop, video);
      expect((await browser.get(`/videos/${video.id}.mp4`)).status).toBe(404); // the owner has not approved it yet
      await approve(video.id);
    }
    const [mail] = await waitAndReadEmails(testShop, 'videos-ready:');
    const token = new URL(mail!.content.deliveryUrl).pathname.split('/').at(-1)!;
    const visitor = testShop.browser();
    const { status, json, text } = await visitor.get(`/api/delivery/${token}`);
    expect(status, text).toBe(200);
    expect(json).toMatchObject({ firstName: 'Anna', frameName: 'Kinframe 1', videos: [{}, {}] });
    expect(text).not.toContain(token);
    for (const { videoUrl, posterUrl, downloadUrl, stillUrl } of json.videos) {
      expect((await testShop.browser().get(videoUrl)).status).toBe(404);
      expect([(await visitor.get(videoUrl)).text, (await visitor.get(posterUrl)).text]).toEqual([
        'a video',
        'a poster',
      ]);
      const downloadResponse = await visitor.get(downloadUrl);
      expect(downloadResponse.headers['content-disposition']).toMatch(
        /^attachment; filename="[\w.-]+\.mp4"; filename\*=UTF-8''[\w%.-]+\.mp4$/,
      );
      const stillResponse = await visitor.get(stillUrl);
      expect([stillResponse.text, stillResponse.headers['content-type']]).toEqual(['a poster', 'image/jpeg']);
      expect(stillResponse.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+\.jpg"/);
      // A poster cannot be downloaded under the file name of a video.
      const misnamedDownloadResponse = await visitor.get(`${posterUrl}&download=still.mp4`);
      expect(misnamedDownloadResponse.headers['content-disposition']).toBeUndefined();
      expect((await testShop.browser().get(stillUrl)).status).toBe(404);
      expect((await visitor.get(videoUrl, { range: 'bytes=2-6' })).text).toBe('video');
    }
    const archiveResponse = await visitor.get(json.downloadAllUrl);
    expect([archiveResponse.bytes.length, archiveResponse.headers['content-length']]).toEqual([
      json.downloadAllBytes,
      String(json.downloadAllBytes),
    ]);
    expect((await testShop.browser().get(`/videos/all/${deviceId}`)).status).toBe(404);
    expect(
      (
        await visitor.get(
          `/videos/${(await readVideoRows(testShop))[0]!.id}.mp4?download=${encodeURIComponent('a"\r\nx: y.mp4')}`,
        )
      ).headers['content-disposition'],
    ).toBeUndefined();
    await testShop.shop.db.execute(sql`update tokens set expires_at = now() where purpose = 'delivery'`);
    expect((await visitor.get(`/api/delivery/${token}`)).json).toMatchObject({
      code: 'delivery-link-invalid',
      message: 'This delivery link has expired or is invalid.',
    });
    expect((await visitor.get(json.videos[0].videoUrl)).status).toBe(404);
  });

  test('finalizing the last frame does not change a status that the owner has set', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const readStatus = async () => (await browser.get('/api/order-summary')).json.orders[0];
    expect((await browser.post('/api/uploads/finalize', { deviceId: frames[0]!.deviceId })).json).toMatchObject({
      code: 'no-photos-yet',
      message: 'Please upload at least one photo before finalizing.',
    });
    for (const { deviceId } of frames) await uploadTo(browser, deviceId);
    await browser.post('/api/uploads/finalize', { deviceId: frames[0]!.deviceId });
    expect(await readStatus()).toMatchObject({ status: 'pending', isFinalized: false });
    const admin = testShop.browser();
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    const [order] = (await admin.get('/api/admin/orders')).json;
    await admin.put(`/api/admin/orders/${order.id}`, { status: 'shipped' });
    await browser.post('/api/uploads/finalize', { deviceId: frames[1]!.deviceId });
    expect(await readStatus()).toMatchObject({ status: 'shipped', isFinalized: true });
    expect(await readQueuedMails(testShop.shop.db, 'finalized:')).toHaveLength(2);
  });
});

test('names a saved video after its photo, with characters that every file system accepts', () => {
  expect(
    [
      'kite.jpg',
      'Été à la mer.HEIC',
      'etc/passwd',
      'con',
      '\u202egpj.exe',
      '',
      '👩‍👩‍👧‍👦.png',
      'a'.repeat(300),
      '海辺.jpg',
      '=cmd|x.jpg',
      'नमस्ते.jpg',
      '❤️.jpg',
    ].map((originalFileName, at) => videoFileName(at + 1, { caption: null, originalFileName })),
  ).toEqual([
    '01-kite.mp4',
    '02-Été-à-la-mer.mp4',
    '03-etc-passwd.mp4',
    '04-con.mp4',
    '05-gpj.mp4',
    '06-photo.mp4',
    '07-photo.mp4',
    `08-${'a'.repeat(60)}.mp4`,
    '09-海辺.mp4',
    '10-cmd-x.mp4',
    '11-नमस्ते.mp4',
    '12-photo.mp4',
  ]);
  expect(videoFileName(1, { caption: null, originalFileName: `x${'𠮷'.repeat(80)}.jpg` }).isWellFormed()).toBe(true);
  expect(videoFileName(1, { caption: 'Mr.Bear', originalFileName: 'IMG_2.jpg' })).toBe('01-Mr-Bear.mp4');
});

describeOnFastestEngine((fresh) => {
  test('chooses the motion from what the photo shows, and keeps a motion that a person chose', async () => {
    const analyzedPaths: string[] = [];
    const seeing: PhotoAnalyzerPort = {
      ...emptyPhotoAnalyzer,
      version: async () => '1',
      analyzePhoto: async (path) => {
        analyzedPaths.push(path);
        return createPhotoAnalysis({ version: '1', faces: [createFaceAnalysis(0.5, 0.4, 0.3)], people: 0.4 });
      },
    };
    const animateRequests: AnimateRequest[] = [];
    const animator: Animator = {
      ...fakeAnimator,
      start: (request) => (animateRequests.push(request), fakeAnimator.start(request)),
    };
    const testShop = await openTestShop(fresh, { seeing, animator });
    const { redo } = await finalizeFrame(testShop, 1);
    const [video] = await readVideoRows(testShop);
    await renderTake(testShop, video!);
    expect(await readVideoRows(testShop)).toMatchObject([
      { state: 'rendered', style: 'alive', is_chosen: false, provenance: { by: 'local', style: 'drift' } },
    ]);
    expect(animateRequests).toMatchObject([{ style: 'alive', camera: 'approach', seen: { people: 0.4 } }]);
    await redo(video!.id, 'vintage');
    await renderTake(testShop, { ...video!, take: 2 });
    expect(animateRequests[1]).toMatchObject({ style: 'vintage' });
    expect(await readVideoRows(testShop)).toMatchObject([{ style: 'vintage', is_chosen: true }]);
    expect(analyzedPaths).toHaveLength(1);
  });
});
