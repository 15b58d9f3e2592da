import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { lifetimes } from '#contract/limits.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { deliverVideos, finishAllErasures, listCustomerFileKeys } from '#test/delivered-order.ts';
import {
  anna,
  buyFramesAsAnna,
  annasPassword,
  buyAndVerify,
  fetchFrames,
  createSmallPhoto,
  uploadTo,
} from '#test/people.ts';
import { countRows, readAllTables, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { openTestShop } from '#test/shop.ts';
import { replaceWithUploadedVideo, redoVideo } from '../production/production.ts';
import { renderVideo } from '../production/render.ts';

describeOnEachEngine((fresh) => {
  test('erases all photos with a receipt, revokes links to videos, and opens undelivered frames again', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 3 });
    const [delivered, making, open] = frames.map((frame) => frame.deviceId) as [string, string, string];
    for (const id of [delivered, making, open, open]) expect((await uploadTo(browser, id)).status).toBe(200);
    await deliverVideos(testShop, browser, delivered);
    expect((await browser.post('/api/uploads/finalize', { deviceId: making })).status).toBe(200);
    const connectionForm = new FormData();
    const { uploads } = (await fetchFrames(browser))[0]!;
    connectionForm.append('invitationCode', 'INVITE-7');
    await browser.put(`/api/devices/${open}/connection`, connectionForm);
    const { path } = (await browser.post(`/api/devices/${delivered}/delivery-link`)).json;
    const ben = testShop.browser();
    await buyAndVerify(ben, { customerDetails: { ...anna, email: 'ben@example.com' } });
    await ben.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
    await uploadTo(ben, (await fetchFrames(ben))[0]!.deviceId);

    testShop.clock.advance(lifetimes.freshSignInMinutes * 60_000 + 1000);
    const tablesBefore = await readAllTables(testShop.shop.db);
    expect((await browser.post('/api/account/erase')).json.code).toBe('password-needed');
    expect((await browser.post('/api/account/delete')).json.code).toBe('password-needed');
    expect((await browser.post('/api/account/prove', { password: 'not-hers' })).json.code).toBe('password-wrong');
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
    expect((await browser.post('/api/account/prove', { password: annasPassword })).status).toBe(200);
    const receiptResponse = await browser.post('/api/account/erase');
    expect(receiptResponse.json, receiptResponse.text).toMatchObject({
      reason: 'asked',
      photos: 4,
      videos: 1,
      frames: [
        { frameName: 'Kinframe 1', photos: 1, videos: 1 },
        { frameName: 'Kinframe 2', photos: 1, videos: 0 },
        { frameName: 'Kinframe 3', photos: 2, videos: 0 },
      ],
      doneAt: expect.any(String),
    });
    expect(await listCustomerFileKeys(testShop)).toHaveLength(3); // only Ben's files are left
    expect((await browser.get(uploads[0]!.url)).status).toBe(404);
    expect((await testShop.browser().get(`/api${path}`)).json.code).toBe('delivery-link-invalid');
    expect(await fetchFrames(browser)).toMatchObject([
      { uploadFinalized: true, uploads: [] },
      { uploadFinalized: false, usedPhotos: 0, remainingPhotos: 20, uploads: [] },
      { uploadFinalized: false, usedPhotos: 0, remainingPhotos: 20, uploads: [] },
    ]);
    expect((await uploadTo(browser, making)).status).toBe(200);
    expect((await browser.post('/api/uploads/finalize', { deviceId: making })).status).toBe(200);
    await finishAllErasures(testShop); // runs the erasure job again
    expect(await readQueuedMails(testShop.shop.db, 'photos-erased:')).toHaveLength(1);
    expect((await browser.get(`/api/account/receipts/${receiptResponse.json.id}`)).json).toEqual(receiptResponse.json);
    expect((await ben.get(`/api/account/receipts/${receiptResponse.json.id}`)).json.code).toBe('not-found');
    expect((await fetchFrames(ben))[0]!.uploads).toHaveLength(1);
    expect((await browser.get('/api/account')).json.receipts).toEqual([receiptResponse.json]);
  });

  test('an erasure also deletes replaced files: earlier takes, the owner’s own videos and QR photos', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const [full, empty] = frames.map((frame) => frame.deviceId) as [string, string];
    for (const id of [full, full, empty, empty]) {
      const form = new FormData();
      form.append('qrPhoto', new Blob([new Uint8Array(await createSmallPhoto())]), 'qr.jpg');
      expect((await browser.put(`/api/devices/${id}/connection`, form)).status).toBe(200);
    }
    await uploadTo(browser, full);
    await browser.post('/api/uploads/finalize', { deviceId: full });
    const [{ id: videoId }] = (await readAllTables(testShop.shop.db))['videos'] as [{ id: string }];
    const renderTake = (take: number) =>
      renderVideo(
        { ...testShop.shop, autoApproves: async () => false },
        { videoId, take },
        { signal: new AbortController().signal, isLastTry: false },
      );
    const makeVideo = async () => {
      const path = join(testShop.shop.workFolder, 'film.mp4');
      writeFileSync(path, 'a film');
      await replaceWithUploadedVideo(testShop.shop, videoId, path);
    };
    await renderTake(1);
    await makeVideo();
    await makeVideo();
    await renderTake(3);
    await redoVideo(testShop.shop, videoId);
    await renderTake(4);
    const remainingKeys = await listCustomerFileKeys(testShop);
    const countTrashedFiles = (folder: string) =>
      remainingKeys.filter((key) => key.startsWith(`trash/${folder}/`)).length;
    expect(['videos', 'posters', 'films', 'connections'].map(countTrashedFiles)).toEqual([2, 2, 1, 2]);
    expect(remainingKeys.filter((key) => key.startsWith('films/'))).toHaveLength(1); // the sweep has not deleted this file yet
    expect((await browser.post('/api/account/erase')).json).toMatchObject({ photos: 1, doneAt: expect.any(String) });
    expect(await listCustomerFileKeys(testShop)).toEqual([]);
    expect(await countRows(testShop.shop.db, 'discarded_files')).toBe(0);
  });
});

describeOnPostgres((fresh) => {
  test('uploads and finalize requests during an erasure leave no file without a row', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const [first, second] = frames.map((frame) => frame.deviceId) as [string, string];
    for (const id of [first, second]) await uploadTo(browser, id);
    const responses = await Promise.all([
      ...Array.from({ length: 2 }, () => uploadTo(browser, first)),
      browser.post('/api/uploads/finalize', { deviceId: second }),
      browser.post('/api/account/erase'),
      browser.post('/api/account/erase'),
      ...Array.from({ length: 2 }, () => uploadTo(browser, second)),
    ]);
    for (const { status } of responses) expect([200, 409]).toContain(status);
    await finishAllErasures(testShop);
    const rows = (await readAllTables(testShop.shop.db)) as Record<string, Record<string, string | number>[]>;
    const keys = rows['uploads']!.flatMap((row) => [row['original_key'], row['display_key'], row['thumbnail_key']]);
    expect((await listCustomerFileKeys(testShop)).toSorted()).toEqual(keys.map(String).toSorted());
    for (const frame of rows['frames']!)
      expect(rows['uploads']!.filter((row) => row['frame_id'] === frame['id'])).toHaveLength(
        Number(frame['used_photos']),
      );
    const erasedPhotos = rows['erasures']!.reduce((sum, row) => sum + Number(row['photos']), 0);
    const acceptedUploads = responses.filter(({ status, json }) => status === 200 && json?.url).length;
    expect(erasedPhotos + rows['uploads']!.length).toBe(acceptedUploads + 2);
    expect(await readQueuedMails(testShop.shop.db, 'photos-erased:')).toHaveLength(rows['erasures']!.length);
  });

  test('an erasure while a video is being rendered leaves no video and no files', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await uploadTo(browser, frames[0]!.deviceId);
    await browser.post('/api/uploads/finalize', { deviceId: frames[0]!.deviceId });
    const [{ data }] = (await readWaitingJobs(testShop.shop.db, 'render-video')) as [{ data: object }];
    expect(data).toMatchObject({ take: 1 });
    await startJobs(testShop.shop);
    expect((await browser.post('/api/account/erase')).json.photos).toBe(1);
    await vi.waitFor(
      async () => {
        expect(await readWaitingJobs(testShop.shop.db, 'render-video')).toEqual([]);
        expect(await listCustomerFileKeys(testShop)).toEqual([]);
      },
      { timeout: 20_000 },
    );
    expect(await countRows(testShop.shop.db, 'production_orders')).toBe(0);
  });
});
