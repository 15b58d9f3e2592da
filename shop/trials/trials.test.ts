import { mkdtemp, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { sweepFiles } from '#shop/files/sweep.ts';
import { namedFiles } from '#server/named-files.ts';
import { runInSnapshot, exportDatabaseCopy } from '#adapters/database/copy-out.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { deleteOldData } from '#server/jobs/retention.ts';
import { sendMail } from '../mail/mail.ts';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { listCustomerFileKeys } from '#test/delivered-order.ts';
import { brokenAnimator, createFailingAnimator, fakeAnimator } from '#test/fake-animator.ts';
import { startPayment } from '#test/paying.ts';
import {
  buyFramesAsAnna,
  buyAndVerify,
  fetchFrames,
  createPhotoForm,
  createSmallPhoto,
  uploadTo,
} from '#test/people.ts';
import { countRows, readAllTables } from '#test/rows.ts';
import { emptyPhotoAnalyzer, createFaceAnalysis, createPhotoAnalysis } from '#test/photo-analysis.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import type { AnimateRequest, Animator } from '../ports/animator.ts';
import type { PhotoAnalyzerPort } from '../ports/photo-analyzer.ts';
import { eraseTrials } from './erase.ts';
import { makeTrialVideo } from './make-trial-video.ts';
import { startTrial } from './trials.ts';

const attempt = { signal: new AbortController().signal };
const limitedOptions = { env: { RATE_LIMITS: 'on' } };
const hourMs = 3_600_000;
const analyzerOfFace: PhotoAnalyzerPort = {
  ...emptyPhotoAnalyzer,
  version: async () => 'test',
  analyzePhoto: async () =>
    createPhotoAnalysis({
      version: 'test',
      faces: [createFaceAnalysis(0.5, 0.4, 0.3, { mayBlink: true })],
      people: 0.3,
    }),
};

const uploadTrialPhoto = async (browser: Browser, photo?: Buffer) =>
  browser.post('/api/trial', createPhotoForm(undefined, photo ?? (await createSmallPhoto())));
const fetchTrial = async (browser: Browser) => (await browser.get('/api/trial')).json.trial;
const listTrialKeys = async (it: TestShop) => (await listCustomerFileKeys(it)).filter((key) => key.includes('trials/'));
async function makeReadyTrial(it: TestShop, browser = it.browser()) {
  expect((await uploadTrialPhoto(browser)).status).toBe(200);
  await makeTrialVideo(it.shop, attempt);
  const trial = await fetchTrial(browser);
  expect(trial.state).toBe('ready');
  return { browser, trial };
}
/** Sends the queued mail with the link of a trial. Returns its address in the shop. */
async function sendAndReadTrialLink(it: TestShop, browser: Browser, email = 'uncle@example.com'): Promise<string> {
  const sentTexts: string[] = [];
  expect((await browser.post('/api/trial/mail', { email })).status).toBe(200);
  const { mails } = (await readAllTables(it.shop.db)) as unknown as { mails: { id: string; event: string }[] };
  const mail = mails.find(({ event }) => event.startsWith('trial-film:'))!;
  const mailer = { ...it.shop.mailer, send: async (message: { text: string }) => void sentTexts.push(message.text) };
  await sendMail({ ...it.shop, shop: it.shop.readEmailShop, from: 'Kinframe <a@b.c>', mailer }, mail.id);
  return /\/film\/[\w-]+/.exec(sentTexts[0]!)![0];
}

describeOnEachEngine((fresh) => {
  test('makes a full-length video with a watermark from one photo, and only the visitor’s browser can see it', async () => {
    const requests: AnimateRequest[] = [];
    const animator: Animator = {
      ...fakeAnimator,
      start: async (request) => {
        requests.push(request);
        return fakeAnimator.start(request);
      },
    };
    const testShop = await openTestShop(fresh, { animator, seeing: analyzerOfFace });
    const browser = testShop.browser();
    expect(await fetchTrial(browser)).toBeNull();
    const startedResponse = await uploadTrialPhoto(browser);
    expect(startedResponse.json).toMatchObject({ state: 'waiting', ahead: 0, filmUrl: null, isOnFrame: false });
    expect(String(startedResponse.headers['set-cookie'])).toMatch(
      /^trial=[\w-]{43}\.[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    await makeTrialVideo(testShop.shop, attempt);
    const trial = await fetchTrial(browser);
    expect(trial).toMatchObject({ state: 'ready', progress: 1, originalFileName: 'photo.jpg' });
    expect(requests).toMatchObject([{ seconds: 8, mark: 'Kinframe', style: 'alive', isLowPriority: true }]);
    expect(requests[0]!.screen).toBeUndefined(); // without `screen`, the video has the panel's own size, like a paid video
    expect((await browser.get(trial.filmUrl)).text).toBe('a video');
    expect((await browser.get(trial.photoUrl)).headers['content-type']).toBe('image/webp');
    const strangersBrowser = testShop.browser();
    for (const url of [trial.filmUrl, trial.posterUrl, trial.photoUrl])
      expect((await strangersBrowser.get(url)).status).toBe(404);
    // The original is never served, not even to its browser.
    const originalKey = (await listTrialKeys(testShop)).find((key) => key.includes('-original'))!;
    expect((await browser.get(`/${originalKey}`)).status).toBe(404);
    // Nothing that was seen in the photo is stored.
    expect(JSON.stringify((await readAllTables(testShop.shop.db))['trials'])).not.toMatch(/mayBlink|faces/);
  });

  test('a trial is inaccessible after 24 hours, and its files and rows are deleted', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, trial } = await makeReadyTrial(testShop);
    expect(await listTrialKeys(testShop)).toHaveLength(5);
    testShop.clock.advance(24 * hourMs);
    expect(await fetchTrial(browser)).toBeNull();
    expect((await browser.get(trial.filmUrl)).status).toBe(404);
    await eraseTrials(testShop.shop);
    expect(await listTrialKeys(testShop)).toEqual([]);
    expect([await countRows(testShop.shop.db, 'trials'), await countRows(testShop.shop.db, 'trial_files')]).toEqual([
      0, 0,
    ]);
  });
});

describeOnFastestEngine((fresh) => {
  test('the next run finishes an erasure that was interrupted between deleting a file and its row', async () => {
    const testShop = await openTestShop(fresh);
    await makeReadyTrial(testShop);
    testShop.clock.advance(24 * hourMs);
    let left = 2;
    const storage = {
      ...testShop.shop.storage,
      delete: async (key: string) => {
        if (left-- === 0) throw new Error('the process is killed');
        await testShop.shop.storage.delete(key);
      },
      list: (prefix: string) => testShop.shop.storage.list(prefix),
    };
    await expect(eraseTrials({ ...testShop.shop, storage })).rejects.toThrow('killed');
    expect(await countRows(testShop.shop.db, 'trials')).toBe(1);
    expect((await listTrialKeys(testShop)).length).toBeLessThan(5);
    await eraseTrials(testShop.shop);
    expect([await listTrialKeys(testShop), await countRows(testShop.shop.db, 'trials')]).toEqual([[], 0]);
  });

  test('a file that cannot be deleted does not block the deletion of other trials and files', async () => {
    const testShop = await openTestShop(fresh);
    const { storage } = testShop.shop;
    await storage.put('trials/lost-film.mp4', Buffer.from('a video'), 'video/mp4');
    await storage.put('trash/trials/older-film.mp4', Buffer.from('a video'), 'video/mp4');
    for (let count = 0; count < 3; count++) await makeReadyTrial(testShop);
    const { trial_files: files } = (await readAllTables(testShop.shop.db)) as unknown as {
      trial_files: { key: string }[];
    };
    const undeletableKey = files[0]!.key;
    testShop.clock.advance(24 * hourMs);
    const brokenStorage = {
      ...storage,
      delete: async (key: string) => {
        if (key === undeletableKey) throw new Error('the store refuses this file');
        await storage.delete(key);
      },
      list: (prefix: string) => storage.list(prefix),
    };
    await expect(eraseTrials({ ...testShop.shop, storage: brokenStorage })).rejects.toThrow(
      'the store refuses this file',
    );
    expect([await listTrialKeys(testShop), await countRows(testShop.shop.db, 'trials')]).toEqual([[undeletableKey], 1]);
    await eraseTrials(testShop.shop);
    expect([await listTrialKeys(testShop), await countRows(testShop.shop.db, 'trials')]).toEqual([[], 0]);
  });

  test('deletes files that a killed process stored without a row, also from the trash', async () => {
    const testShop = await openTestShop(fresh);
    await testShop.shop.storage.put('trials/lost-film.mp4', Buffer.from('a video'), 'video/mp4');
    await testShop.shop.storage.put('trash/trials/older-film.mp4', Buffer.from('a video'), 'video/mp4');
    await makeReadyTrial(testShop);
    await eraseTrials(testShop.shop);
    expect(await listTrialKeys(testShop)).toHaveLength(6); // the nameless file may still get a row
    testShop.clock.advance(24 * hourMs);
    await eraseTrials(testShop.shop);
    expect(await listTrialKeys(testShop)).toEqual([]);
  });

  test('the sweep keeps the files of a trial', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, trial } = await makeReadyTrial(testShop);
    testShop.clock.advance(2 * hourMs);
    await sweepFiles({ ...testShop.shop, fileSources: namedFiles, isLimited: false, notifyOwner: async () => {} });
    expect((await browser.get(trial.filmUrl)).status).toBe(200);
  });

  test('a visitor can delete only their own trial, immediately', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await makeReadyTrial(testShop);
    expect((await testShop.browser().delete('/api/trial')).json.code).toBe('not-found');
    expect((await browser.delete('/api/trial')).status).toBe(200);
    expect(await fetchTrial(browser)).toBeNull();
    await eraseTrials(testShop.shop);
    expect(await listTrialKeys(testShop)).toEqual([]);
    // A photo that still waits can be erased, too.
    await uploadTrialPhoto(browser);
    expect((await browser.delete('/api/trial')).status).toBe(200);
    await makeTrialVideo(testShop.shop, attempt);
    await eraseTrials(testShop.shop);
    expect([await listTrialKeys(testShop), await countRows(testShop.shop.db, 'tried_films')]).toEqual([[], 1]);
  });

  test('a backup contains neither the trial nor the visitor’s email address', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, trial } = await makeReadyTrial(testShop);
    await browser.post('/api/trial/mail', { email: 'uncle@example.com' });
    const folder = await mkdtemp(join(testShop.shop.workFolder, 'copy-'));
    const copiedDatabase = await runInSnapshot(testShop.shop.db, (tx) =>
      exportDatabaseCopy(tx, (table) => join(folder, table)),
    );
    expect(copiedDatabase.tables.map(({ name }) => name).filter((name) => name.startsWith('trial'))).toEqual([]);
    const files = await readdir(folder);
    const fileTexts = (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('');
    expect(files).toContain('mails');
    expect(fileTexts).not.toContain('uncle@example.com');
    expect(fileTexts).not.toContain(trial.originalFileName);
  });

  test('an emailed link only plays the video, and only until the trial ends', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, trial } = await makeReadyTrial(testShop);
    const path = await sendAndReadTrialLink(testShop, browser);
    const unclesBrowser = testShop.browser();
    const openedResponse = await unclesBrowser.get(`/api${path.replace('/film/', '/trial/film/')}`);
    expect(openedResponse.json).toEqual({ filmUrl: trial.filmUrl, posterUrl: trial.posterUrl, endsAt: trial.endsAt });
    expect((await unclesBrowser.get(trial.filmUrl)).text).toBe('a video');
    expect((await unclesBrowser.get(trial.photoUrl)).status).toBe(404);
    // The link is not the browser's cookie: with it, the video can neither be erased nor replaced, mailed or claimed.
    const token = path.split('/').at(-1)!;
    unclesBrowser.cookies.set('trial', token);
    expect(await fetchTrial(unclesBrowser)).toBeNull();
    expect((await unclesBrowser.delete('/api/trial')).json.code).toBe('not-found');
    expect((await unclesBrowser.post('/api/trial/mail', { email: 'a@example.com' })).json.code).toBe('not-found');
    await uploadTrialPhoto(unclesBrowser);
    expect(await fetchTrial(browser)).toEqual(trial);
    expect(unclesBrowser.cookies.get('trial')).not.toBe(token);
    testShop.clock.advance(24 * hourMs);
    expect((await testShop.browser().get(`/api/trial/film/${token}`)).json.code).toBe('trial-link-invalid');
    expect((await unclesBrowser.get(trial.filmUrl)).status).toBe(404);
  });

  test('does not store the visitor’s email address, and limits the mails per address and per trial', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await makeReadyTrial(testShop);
    await sendAndReadTrialLink(testShop, browser);
    const tablesText = JSON.stringify({ ...(await readAllTables(testShop.shop.db)) });
    expect(tablesText).not.toContain('uncle@example.com');
    const mailVideo = (email: string) => browser.post('/api/trial/mail', { email });
    expect((await mailVideo('uncle@example.com')).status).toBe(200);
    expect((await mailVideo('aunt@example.com')).status).toBe(200);
    const refusedResponse = await mailVideo('aunt@example.com'); // the fourth email of this trial is refused
    expect([refusedResponse.status, refusedResponse.json.code]).toEqual([429, 'trial-mail-limit']);
    const otherTrial = await makeReadyTrial(testShop);
    expect((await otherTrial.browser.post('/api/trial/mail', { email: 'uncle@example.com' })).status).toBe(200);
    const thirdTrial = await makeReadyTrial(testShop);
    expect((await thirdTrial.browser.post('/api/trial/mail', { email: 'uncle@example.com' })).json.code).toBe(
      'trial-mail-limit',
    );
    // A mail that could not be sent until the trial ended is forgotten with it.
    testShop.clock.advance(24 * hourMs);
    await eraseTrials(testShop.shop);
    expect(JSON.stringify((await readAllTables(testShop.shop.db))['mails'])).not.toContain('example.com');
  });

  test('deletes the hash of an email address after an hour, and the hash of a network after a day', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    const { browser } = await makeReadyTrial(testShop);
    await browser.post('/api/trial/mail', { email: 'uncle@example.com' });
    const readSlotKinds = async () => {
      const { trial_slots: slots } = (await readAllTables(testShop.shop.db)) as unknown as {
        trial_slots?: { key: string }[];
      };
      return new Set((slots ?? []).map(({ key }) => key.split(':')[0]));
    };
    expect(await readSlotKinds()).toEqual(new Set(['mail', 'network', 'trial']));
    testShop.clock.advance(hourMs + 1000);
    await deleteOldData(testShop.shop);
    expect(await readSlotKinds()).toEqual(new Set(['network', 'trial']));
    testShop.clock.advance(23 * hourMs);
    await deleteOldData(testShop.shop);
    expect(await readSlotKinds()).toEqual(new Set());
  });

  test('makes videos in the order of their uploads, and returns the number of videos ahead', async () => {
    const testShop = await openTestShop(fresh);
    const browsers = [testShop.browser(), testShop.browser(), testShop.browser()];
    for (const browser of browsers) await uploadTrialPhoto(browser);
    const readQueuePositions = () => Promise.all(browsers.map(async (browser) => (await fetchTrial(browser)).ahead));
    expect(await readQueuePositions()).toEqual([0, 1, 2]);
    await makeTrialVideo(testShop.shop, attempt);
    expect((await fetchTrial(browsers[0]!)).state).toBe('ready');
    expect(await readQueuePositions()).toEqual([0, 0, 1]);
  });

  test('makes no trial while a video or preview of an order is due, and interrupts a running one', async () => {
    let actDuringLook = async () => {};
    const slowAnimator: Animator = {
      ...fakeAnimator,
      getJobStatus: async (jobId, folder) => {
        await actDuringLook();
        return isSlow ? { state: 'working', progress: 0.5 } : fakeAnimator.getJobStatus(jobId, folder);
      },
    };
    let isSlow = false;
    const testShop = await openTestShop(fresh, { animator: slowAnimator });
    const browser = testShop.browser();
    await uploadTrialPhoto(browser);
    const { browser: anna, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await uploadTo(anna, deviceId); // the upload enqueues a preview, which is made before trials
    await makeTrialVideo(testShop.shop, attempt);
    expect((await fetchTrial(browser)).state).toBe('waiting');
    await testShop.shop.db.execute(sql`delete from jobs.job where name = 'make-preview'`);
    // The customer finalizes while the video is made: the video stops and waits.
    isSlow = true;
    actDuringLook = async () => {
      actDuringLook = async () => {};
      await anna.post('/api/uploads/finalize', { deviceId });
    };
    await makeTrialVideo(testShop.shop, attempt);
    expect(await fetchTrial(browser)).toMatchObject({ state: 'waiting', progress: 0, waitsForOrders: true });
    isSlow = false;
    await makeTrialVideo(testShop.shop, attempt);
    expect((await fetchTrial(browser)).state).toBe('waiting');
    await testShop.shop.db.execute(sql`update videos set state = 'rendered'`);
    await makeTrialVideo(testShop.shop, attempt);
    expect((await fetchTrial(browser)).state).toBe('ready');
  });

  test('a preview has priority over a trial, and the visitor sees the reason', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    await uploadTrialPhoto(browser);
    const { browser: anna, frames } = await buyFramesAsAnna(testShop);
    let end: (() => void) | undefined;
    await testShop.shop.database.jobs.startWorkers(
      'make-preview',
      () => new Promise<void>((resolve) => (end = resolve)),
    );
    await uploadTo(anna, frames[0]!.deviceId); // the upload enqueues a preview, which is made before trials
    await vi.waitFor(() => expect(end).toBeDefined(), { timeout: 20_000 });
    await makeTrialVideo(testShop.shop, attempt);
    expect(await fetchTrial(browser)).toMatchObject({ state: 'waiting', waitsForOrders: true });
    end!();
    await vi.waitFor(async () => expect((await fetchTrial(browser)).waitsForOrders).toBe(false), { timeout: 20_000 });
    await makeTrialVideo(testShop.shop, attempt);
    expect((await fetchTrial(browser)).state).toBe('ready');
  });

  test('a trial whose video cannot be made fails with a message and does not count toward the daily limit', async () => {
    const testShop = await openTestShop(fresh, { ...limitedOptions, animator: brokenAnimator });
    const browser = testShop.browser();
    for (let count = 0; count < 3; count++) {
      expect((await uploadTrialPhoto(browser)).status).toBe(200);
      await makeTrialVideo(testShop.shop, attempt);
      expect((await fetchTrial(browser)).state).toBe('failed');
    }
    expect(await countRows(testShop.shop.db, 'tried_films')).toBe(0);
  });

  test('retries a trial video after a temporary failure at most three times', async () => {
    let startCount = 0;
    const failingAnimator = createFailingAnimator('no memory', true);
    const animator: Animator = {
      ...failingAnimator,
      start: (request) => ((startCount += 1), failingAnimator.start(request)),
    };
    const testShop = await openTestShop(fresh, { animator });
    const browser = testShop.browser();
    await uploadTrialPhoto(browser);
    for (let run = 0; run < 4; run++) await makeTrialVideo(testShop.shop, attempt);
    expect([(await fetchTrial(browser)).state, startCount]).toEqual(['failed', 3]);
  });

  test('allows two trials per day from one network, without affecting other networks', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    const openBrowserAt = (address: string) => testShop.browser({ address });
    expect((await uploadTrialPhoto(openBrowserAt('2001:db8:1:2::1'))).status).toBe(200);
    expect((await uploadTrialPhoto(openBrowserAt('2001:db8:1:2:ffff::9'))).status).toBe(200);
    const refusedResponse = await uploadTrialPhoto(openBrowserAt('2001:db8:1:2::3'));
    expect([refusedResponse.status, refusedResponse.json.code]).toEqual([429, 'trial-limit-reached']);
    expect(refusedResponse.json.message).toMatch(
      /You can try 2 photos a day from one internet connection. You can try the next one in 24 hours/,
    );
    expect(Number(refusedResponse.headers['retry-after'])).toBeGreaterThan(86_000);
    expect((await uploadTrialPhoto(openBrowserAt('2001:db8:1:3::1'))).status).toBe(200);
    expect(await listTrialKeys(testShop)).toHaveLength(9); // nothing is left of the refused photo
    testShop.clock.advance(24 * hourMs);
    expect((await uploadTrialPhoto(openBrowserAt('2001:db8:1:2::1'))).status).toBe(200);
    const { trial_slots: slots } = await readAllTables(testShop.shop.db);
    expect(JSON.stringify(slots)).not.toContain('2001');
  });

  test('a repeated upload after a lost response counts once, and its browser still has access', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    const browser = testShop.browser();
    expect((await browser.get('/api/trial/browser')).status).toBe(200);
    const cookie = browser.cookies.get('trial')!;
    const photo = await createSmallPhoto();
    await uploadTrialPhoto(browser, photo);
    browser.cookies.set('trial', cookie); // the browser has not received the response
    expect((await uploadTrialPhoto(browser, photo)).json).toMatchObject({ state: 'waiting' });
    expect([await countRows(testShop.shop.db, 'trials'), await countRows(testShop.shop.db, 'trial_slots')]).toEqual([
      1, 1,
    ]);
    // The cookie stays the same, and the shop accepts only cookies of its own.
    await browser.get('/api/trial/browser');
    expect(browser.cookies.get('trial')).toBe(cookie);
    const otherBrowser = testShop.browser({ address: '192.0.2.9' });
    const plantedTokens = ['a'.repeat(43), `${'a'.repeat(43)}.${'b'.repeat(43)}`, '.', `${cookie}x`];
    for (const token of plantedTokens) {
      otherBrowser.cookies.set('trial', token);
      await otherBrowser.get('/api/trial/browser');
      expect(otherBrowser.cookies.get('trial')).not.toBe(token);
      otherBrowser.cookies.set('trial', token);
    }
    expect((await uploadTrialPhoto(otherBrowser, photo)).status).toBe(200);
    expect(otherBrowser.cookies.get('trial')).not.toBe(plantedTokens.at(-1));
  });

  test('accepts a photo at the moment when the earlier trial ends', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await makeReadyTrial(testShop);
    const path = join(testShop.shop.workFolder, 'next.jpg');
    const photo = await createSmallPhoto();
    await writeFile(path, photo);
    let clockReads = 0;
    const clock = { now: () => new Date(Date.now() + (clockReads++ === 0 ? 0 : 24 * hourMs)) };
    const file = { path, name: 'next.jpg', sizeBytes: photo.length };
    const visitor = { browserToken: browser.cookies.get('trial'), address: undefined };
    const { trial } = await startTrial({ ...testShop.shop, clock }, file, visitor);
    expect(trial.originalFileName).toBe('next.jpg');
  });

  test('the same photo in two tabs of a browser makes one video, and another photo replaces it', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    const browser = testShop.browser();
    const photo = await createSmallPhoto();
    await uploadTrialPhoto(browser, photo);
    expect((await uploadTrialPhoto(browser, photo)).status).toBe(200);
    expect(await countRows(testShop.shop.db, 'trials')).toBe(1);
    await makeTrialVideo(testShop.shop, attempt);
    const { filmUrl } = await fetchTrial(browser);
    expect((await uploadTrialPhoto(browser, photo)).json.filmUrl).toBe(filmUrl);
    expect((await uploadTrialPhoto(browser)).json).toMatchObject({ state: 'waiting', filmUrl: null });
    expect((await browser.get(filmUrl)).status).toBe(404);
    await eraseTrials(testShop.shop);
    expect(await listTrialKeys(testShop)).toHaveLength(3);
  });

  test('refuses photos for trial videos when the queue is full', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    await uploadTrialPhoto(browser);
    await testShop.shop.db.execute(sql`
      insert into trials (id, state, original_file_name, file_size, sha256, width, height, created_at, ends_at)
      select 'other-' || n, 'waiting', 'a.jpg', 1, '', 1, 1, now(), now() + interval '1 day' from generate_series(1, 39) n`);
    const refusedResponse = await uploadTrialPhoto(testShop.browser());
    expect([refusedResponse.status, refusedResponse.json.code]).toEqual([409, 'trial-queue-full']);
    expect(await listTrialKeys(testShop)).toHaveLength(3);
  });

  test('with TRIAL=off or a hosted animator, accepts no photo, but still deletes existing trials', async () => {
    const disabledShop = await openTestShop(fresh, { env: { TRIAL: 'off' } });
    const browser = disabledShop.browser();
    const refusedResponse = await uploadTrialPhoto(browser);
    expect([refusedResponse.status, refusedResponse.json.code]).toEqual([409, 'trial-off']);
    expect((await browser.get('/data/trial.json')).json).toEqual({ isOffered: false });
    // The owner switches it off while a visitor has a video.
    disabledShop.shop.hasTrials = async () => true;
    const { browser: visitor, trial } = await makeReadyTrial(disabledShop);
    disabledShop.shop.hasTrials = async () => false;
    expect((await uploadTrialPhoto(visitor)).json.code).toBe('trial-off');
    expect(await fetchTrial(visitor)).toEqual(trial);
    expect((await visitor.delete('/api/trial')).status).toBe(200);
    expect(await fetchTrial(visitor)).toBeNull();
    await eraseTrials(disabledShop.shop);
    expect(await listTrialKeys(disabledShop)).toEqual([]);
    const hosted = await openTestShop(fresh, { standIn: { ...fakeAnimator, id: 'other' } });
    expect((await uploadTrialPhoto(hosted.browser())).json.code).toBe('trial-off');
  });

  test('adds the photo to a frame at the first position, once, and only from the browser that uploaded it', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const earlierPhotoId = (await uploadTo(browser, deviceId)).json.id;
    await testShop.shop.db.execute(sql`delete from jobs.job where name = 'make-preview'`);
    await makeReadyTrial(testShop); // a trial of another visitor
    expect((await browser.post('/api/trial/claim', { deviceId })).json.code).toBe('not-found');
    const { trial } = await makeReadyTrial(testShop, browser);
    expect((await testShop.browser().post('/api/trial/claim', { deviceId })).json.code).toBe('sign-in-needed');
    const claimResponse = await browser.post('/api/trial/claim', { deviceId });
    expect([claimResponse.status, claimResponse.json.originalFileName]).toEqual([200, 'photo.jpg']);
    const photos = (await fetchFrames(browser))[0]!.uploads;
    expect(photos.map((photo: { id: string }) => photo.id)).toEqual([claimResponse.json.id, earlierPhotoId]);
    expect((await browser.post('/api/trial/claim', { deviceId })).json.code).toBe('trial-claimed');
    // The trial keeps its own files until it ends, and the frame keeps the photo afterwards.
    expect((await browser.get(trial.filmUrl)).status).toBe(200);
    expect((await fetchTrial(browser)).isOnFrame).toBe(true);
    testShop.clock.advance(24 * hourMs);
    await eraseTrials(testShop.shop);
    expect((await browser.get(claimResponse.json.url)).status).toBe(200);
  });

  test('a photo that a full frame refuses can be added to another frame', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const [full, open] = frames.map((frame) => frame.deviceId);
    await makeReadyTrial(testShop, browser);
    await testShop.shop.db.execute(sql`update frames set used_photos = base_photos where id = ${full}`);
    expect((await browser.post('/api/trial/claim', { deviceId: full })).json.code).toBe('photo-limit-reached');
    expect((await browser.post('/api/trial/claim', { deviceId: open })).status).toBe(200);
  });

  test('adds the photo at the end if it cannot be moved to the front', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const earlierPhotoId = (await uploadTo(browser, deviceId)).json.id;
    await testShop.shop.db.execute(sql`delete from jobs.job where name = 'make-preview'`);
    await makeReadyTrial(testShop, browser);
    await testShop.shop.db.execute(sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no more space'; end $$`);
    await testShop.shop.db.execute(
      sql`create trigger refuse before update of position on uploads execute function refuse()`,
    );
    const claimResponse = await browser.post('/api/trial/claim', { deviceId });
    expect(claimResponse.status).toBe(200);
    const photos = (await fetchFrames(browser))[0]!.uploads;
    expect(photos.map((photo: { id: string }) => photo.id)).toEqual([earlierPhotoId, claimResponse.json.id]);
  });

  test('counts trial videos, and purchases by visitors who made a trial video', async () => {
    const testShop = await openTestShop(fresh);
    const otherTrial = await makeReadyTrial(testShop);
    const { browser } = await makeReadyTrial(testShop);
    await buyAndVerify(browser, {});
    await startPayment(otherTrial.browser); // a checkout without a payment is no purchase
    const admin = testShop.browser();
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    const { trials, funnel } = (await admin.get('/api/analytics/days?range=7d')).json;
    expect([trials, funnel.paid]).toEqual([{ tried: 2, bought: 1 }, 1]);
    // A later cart of the same browser that is not paid does not undo the purchase.
    await startPayment(browser, { quantity: 2 });
    expect((await admin.get('/api/analytics/days?range=7d')).json.trials).toEqual({ tried: 2, bought: 1 });
  });

  test('starts a payment even if counting the purchase fails', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await makeReadyTrial(testShop);
    await testShop.shop.db.execute(sql`alter table tried_films rename to lost`);
    await startPayment(browser); // throws if the payment is refused
  });

  test('the jobs make and delete trials automatically', async () => {
    const testShop = await openTestShop(fresh);
    await startJobs(testShop.shop);
    const browser = testShop.browser();
    await uploadTrialPhoto(browser);
    await vi.waitFor(async () => expect((await fetchTrial(browser)).state).toBe('ready'), { timeout: 20_000 });
    await browser.delete('/api/trial');
    await vi.waitFor(async () => expect(await listTrialKeys(testShop)).toEqual([]), { timeout: 20_000 });
  });
});

describeOnPostgres((fresh) => {
  test('only one of many simultaneous requests to add the photo to a frame succeeds', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    await makeReadyTrial(testShop, browser);
    const claimResults = await Promise.all(
      [0, 1, 0, 1, 0, 1].map((at) => browser.post('/api/trial/claim', { deviceId: frames[at]!.deviceId })),
    );
    expect(claimResults.map((it) => it.status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(1);
  });

  test('accepts two of many simultaneous photos from one network', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    const responses = await Promise.all(
      Array.from({ length: 4 }, async () => uploadTrialPhoto(testShop.browser({ address: '192.0.2.7' }))),
    );
    expect(responses.map((it) => it.status).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429]);
    expect(await countRows(testShop.shop.db, 'trials')).toBe(2);
  });

  test('one photo that two tabs of one browser send at the same time makes one video', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    const browser = testShop.browser();
    await uploadTrialPhoto(browser);
    const photo = await createSmallPhoto();
    const responses = await Promise.all([1, 2, 3].map(() => uploadTrialPhoto(browser, photo)));
    expect(responses.map((it) => it.status)).toEqual([200, 200, 200]);
    const { trials } = (await readAllTables(testShop.shop.db)) as { trials?: { browser_hash: string | null }[] };
    expect(trials!.filter((it) => it.browser_hash !== null)).toHaveLength(1);
  });
});
