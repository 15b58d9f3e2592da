import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { dayAfter, dayOf, endOfDay } from '#contract/calendar.ts';
import { lifetimes } from '#contract/limits.ts';
import { markVideosReady } from '#shop/frames/frames.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { namedFiles } from '#server/named-files.ts';
import { anyEngine, eachEngine, onPostgres } from '#test/database.ts';
import { quickImaging } from '#test/imaging.ts';
import { sentLetters } from '#test/letters.ts';
import { buyAddon, pay, startAddon, startPayment, verify } from '#test/paying.ts';
import { anna, annaOwns, annasPassword, buy, framesOf, smallPhoto, uploadTo } from '#test/people.ts';
import { countOf, everyRow, queuedMails, waitingJobs } from '#test/rows.ts';
import { openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { frameById } from '../frames/frames.ts';
import { isKept } from '../frames/kept.ts';
import { refundPayment } from '../payments/give-back.ts';
import { settle } from '../payments/settle.ts';
import { addPhotoTo, ownPlace } from '../photos/photos.ts';
import { moveOn } from '../production/hand-over.ts';
import { approveVideo, putFilm, redoVideo } from '../production/production.ts';
import { renderVideo } from '../production/render.ts';
import { eraseOverdue, finishErasure, warnOfErasing } from './keeping.ts';

const day = 86_400_000;
/** Whether mails leave is `mail`. */
const days =
  (it: TestShop) =>
  async (count: number, mail: 'sent' | 'stuck' = 'sent') => {
    it.clock.advance(count * day);
    await warnOfErasing(it.shop);
    if (mail === 'sent') await sentLetters(it);
    await eraseOverdue(it.shop);
  };
const warned = async (it: TestShop) =>
  (await queuedMails(it.shop.db, 'photos-erased-soon:')).map((mail) => mail.content.daysBefore as number);

/** Every stored key there is, the trash too. */
async function storedKeys({ shop: { storage } }: TestShop): Promise<string[]> {
  const keys: string[] = [];
  for (const folder of [
    'originals/',
    'display/',
    'thumbnails/',
    'videos/',
    'posters/',
    'films/',
    'connections/',
    'trash/',
  ])
    for await (const { key } of storage.list(folder)) keys.push(key);
  return keys;
}

/** Delivered as if the owner had approved it, without a renderer: rows and files. */
async function deliver(it: TestShop, browser: Browser, deviceId: string, keepPlaces = false): Promise<void> {
  expect((await browser.post('/api/uploads/finalize', { deviceId, keepPlaces })).status).toBe(200);
  const { db, storage, clock } = it.shop;
  const { rows } = await db.execute<{ id: string }>(sql`select id from videos where frame_id = ${deviceId}`);
  for (const { id } of rows) {
    await storage.put(`videos/${id}.mp4`, Buffer.from('a film'), 'video/mp4');
    await storage.put(`posters/${id}.jpg`, Buffer.from('a poster'), 'image/jpeg');
  }
  const now = clock.now().toISOString();
  await db.execute(sql`update videos set state = 'approved', size_bytes = 6, rendered_at = ${now}, approved_at = ${now}, kept_at = ${now},
    video_key = 'videos/' || id || '.mp4', poster_key = 'posters/' || id || '.jpg' where frame_id = ${deviceId}`);
  await db.execute(sql`update frames set videos_ready_at = ${now} where id = ${deviceId}`);
}

async function annaDelivered(it: TestShop, quantity = 1) {
  const { browser, frames } = await annaOwns(it, { quantity });
  for (const { deviceId } of frames) {
    expect((await uploadTo(browser, deviceId)).status).toBe(200);
    await deliver(it, browser, deviceId);
  }
  return { browser, frames: frames.map((frame) => frame.deviceId) };
}
/** Rendered, without a renderer, and its frame taken on. */
async function rendered(it: TestShop, deviceId: string, place: number): Promise<string> {
  const { db, clock } = it.shop;
  const { rows } = await db.execute<{ id: string }>(sql`update videos set state = 'rendered', size_bytes = 6,
    rendered_at = ${clock.now().toISOString()}, video_key = 'videos/' || id || '.mp4', poster_key = 'posters/' || id || '.jpg'
    where frame_id = ${deviceId} and place = ${place} returning id`);
  await db.transaction(async (tx) => moveOn(tx, it.shop, (await frameById(tx, deviceId))!));
  return rows[0]!.id;
}
const signInAgain = async (browser: Browser) =>
  expect((await browser.post('/api/auth/login', { email: anna.email, password: annasPassword })).status).toBe(200);
const signedIn = async (it: TestShop) => {
  const browser = it.browser();
  await signInAgain(browser);
  return browser;
};
const finishAll = async (it: TestShop) => {
  for (const { data } of await waitingJobs(it.shop.db, 'finish-erasure'))
    await finishErasure({ ...it.shop, words: namedFiles }, data['erasureId'] as string);
};

eachEngine((fresh) => {
  test('photos and videos go 90 days after delivery, and their customer was told 14 and 3 days before, each once', async () => {
    const it = await openTestShop(fresh);
    const { frames } = await annaDelivered(it);
    const after = days(it);
    await after(75.9);
    expect(await warned(it)).toEqual([]);
    await after(0.2);
    await after(0.1);
    expect(await warned(it)).toEqual([14]);
    await after(10);
    expect(await warned(it)).toEqual([14]);
    await after(1);
    await after(0.1);
    expect(await warned(it)).toEqual([14, 3]);
    const letters = await sentLetters(it, 'photos-erased-soon:');
    expect(letters.map((mail) => mail.to)).toEqual([anna.email, anna.email]);
    expect(letters[1]!.content.posters).toEqual({ frameId: expect.any(String) }); // what is about to go is seen
    const path = new URL(letters[1]!.content.deliveryUrl).pathname;
    expect((await it.browser().get(`/api${path}`)).json.videos).toHaveLength(1);
    expect(letters[1]!.content.keepUrl).toBe(it.shop.link('/account#photos'));

    await after(2.6);
    expect(await countOf(it.shop.db, 'uploads')).toBe(1);
    expect(await storedKeys(it)).toHaveLength(5);
    await after(0.2);
    expect([await countOf(it.shop.db, 'uploads'), await countOf(it.shop.db, 'videos')]).toEqual([0, 0]);
    expect(await queuedMails(it.shop.db, 'photos-erased:')).toEqual([]); // not before the bytes are gone
    await finishAll(it);
    await finishAll(it);
    expect(await storedKeys(it)).toEqual([]);
    expect(await queuedMails(it.shop.db, 'photos-erased:')).toMatchObject([
      { to: anna.email, content: { reason: 'time-over', frames: [{ frameName: 'Kinframe 1', photos: 1, videos: 1 }] } },
    ]);
    expect((await it.browser().get(`/api${path}`)).json.code).toBe('delivery-link-invalid');
    const browser = it.browser();
    await signInAgain(browser);
    expect((await browser.post(`/api/devices/${frames[0]!}/delivery-link`)).json.code).toBe('delivery-link-invalid');
    expect(await framesOf(browser)).toMatchObject([{ uploadFinalized: true, uploads: [] }]);
    await after(100);
    expect(await warned(it)).toEqual([14, 3]);
    expect(await countOf(it.shop.db, 'erasures')).toBe(1);
  });

  test('everything is erased at once: a receipt says what, links open nothing, and what was not delivered is open again', async () => {
    const it = await openTestShop(fresh);
    const { browser, frames } = await annaOwns(it, { quantity: 3 });
    const [delivered, making, open] = frames.map((frame) => frame.deviceId) as [string, string, string];
    for (const id of [delivered, making, open, open]) expect((await uploadTo(browser, id)).status).toBe(200);
    await deliver(it, browser, delivered);
    expect((await browser.post('/api/uploads/finalize', { deviceId: making })).status).toBe(200);
    const connection = new FormData();
    const { uploads } = (await framesOf(browser))[0]!;
    connection.append('invitationCode', 'INVITE-7');
    await browser.put(`/api/devices/${open}/connection`, connection);
    const { path } = (await browser.post(`/api/devices/${delivered}/delivery-link`)).json;
    const ben = it.browser();
    await buy(ben, { customerDetails: { ...anna, email: 'ben@example.com' } });
    await ben.post('/api/complete-registration', { password: 'Kite-over-sea-4' });
    await uploadTo(ben, (await framesOf(ben))[0]!.deviceId);

    it.clock.advance(lifetimes.freshSignInMinutes * 60_000 + 1000);
    const before = await everyRow(it.shop.db);
    expect((await browser.post('/api/account/erase')).json.code).toBe('password-needed');
    expect((await browser.post('/api/account/delete')).json.code).toBe('password-needed');
    expect((await browser.post('/api/account/prove', { password: 'not-hers' })).json.code).toBe('password-wrong');
    expect(await everyRow(it.shop.db)).toEqual(before);
    expect((await browser.post('/api/account/prove', { password: annasPassword })).status).toBe(200);
    const receipt = await browser.post('/api/account/erase');
    expect(receipt.json, receipt.text).toMatchObject({
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
    expect(await storedKeys(it)).toHaveLength(3); // Ben's
    expect((await browser.get(uploads[0]!.url)).status).toBe(404);
    expect((await it.browser().get(`/api${path}`)).json.code).toBe('delivery-link-invalid');
    expect(await framesOf(browser)).toMatchObject([
      { uploadFinalized: true, uploads: [] },
      { uploadFinalized: false, usedPhotos: 0, remainingPhotos: 20, uploads: [] },
      { uploadFinalized: false, usedPhotos: 0, remainingPhotos: 20, uploads: [] },
    ]);
    expect((await uploadTo(browser, making)).status).toBe(200);
    expect((await browser.post('/api/uploads/finalize', { deviceId: making })).status).toBe(200);
    await finishAll(it); // the job comes as well
    expect(await queuedMails(it.shop.db, 'photos-erased:')).toHaveLength(1);
    expect((await browser.get(`/api/account/receipts/${receipt.json.id}`)).json).toEqual(receipt.json);
    expect((await ben.get(`/api/account/receipts/${receipt.json.id}`)).json.code).toBe('not-found');
    expect((await framesOf(ben))[0]!.uploads).toHaveLength(1);
    expect((await browser.get('/api/account')).json.receipts).toEqual([receipt.json]);
  });

  test('what was replaced before goes too: takes, the owner’s films, pictures of codes', async () => {
    const it = await openTestShop(fresh);
    const { browser, frames } = await annaOwns(it, { quantity: 2 });
    const [full, empty] = frames.map((frame) => frame.deviceId) as [string, string];
    for (const id of [full, full, empty, empty]) {
      const form = new FormData();
      form.append('qrPhoto', new Blob([new Uint8Array(await smallPhoto())]), 'qr.jpg');
      expect((await browser.put(`/api/devices/${id}/connection`, form)).status).toBe(200);
    }
    await uploadTo(browser, full);
    await browser.post('/api/uploads/finalize', { deviceId: full });
    const [{ id: videoId }] = (await everyRow(it.shop.db))['videos'] as [{ id: string }];
    const render = (take: number) =>
      renderVideo(
        { ...it.shop, autoApprove: false },
        { videoId, take },
        { signal: new AbortController().signal, isLastTry: false },
      );
    const film = async () => {
      const path = join(it.shop.workFolder, 'film.mp4');
      writeFileSync(path, 'a film');
      await putFilm(it.shop, videoId, path);
    };
    await render(1);
    await film();
    await film();
    await render(3);
    await redoVideo(it.shop, videoId);
    await render(4);
    const kept = await storedKeys(it);
    const inTrash = (folder: string) => kept.filter((key) => key.startsWith(`trash/${folder}/`)).length;
    expect(['videos', 'posters', 'films', 'connections'].map(inTrash)).toEqual([2, 2, 1, 2]);
    expect(kept.filter((key) => key.startsWith('films/'))).toHaveLength(1); // for the sweep
    expect((await browser.post('/api/account/erase')).json).toMatchObject({ photos: 1, doneAt: expect.any(String) });
    expect(await storedKeys(it)).toEqual([]);
    expect(await countOf(it.shop.db, 'discarded_files')).toBe(0);
  });
});

anyEngine((fresh) => {
  test('a frame is connected however late; once its videos are gone people hear so, until it has new places', async () => {
    const it = await openTestShop(fresh, { imaging: quickImaging });
    const {
      frames: [deviceId],
    } = await annaDelivered(it);
    const after = days(it);
    const connect = async (who: Browser) => {
      const form = new FormData();
      form.append('invitationCode', 'INVITE-7');
      return who.put(`/api/devices/${deviceId!}/connection`, form);
    };
    await after(80);
    const browser = it.browser();
    await signInAgain(browser);
    expect((await connect(browser)).status).toBe(200);
    await it.shop.db.execute(sql`update frames set connection_status = 'none', invitation_code = null`);
    await after(7);
    await after(4);
    await signInAgain(browser);
    expect(await framesOf(browser)).toMatchObject([{ isErased: true, connectionStatus: 'none' }]);
    const late = await connect(browser);
    expect([late.status, late.json]).toMatchObject([409, { code: 'frame-erased', message: /were deleted/ }]);
    expect(await framesOf(browser)).toMatchObject([{ connectionStatus: 'none', invitationCode: null }]);
    await buyAddon(browser, deviceId!);
    expect((await connect(browser)).status).toBe(200);
    expect(await framesOf(browser)).toMatchObject([{ isErased: false, connectionStatus: 'pending' }]);
  });

  test('the days of a present begin with the day on which it leaves', async () => {
    const it = await openTestShop(fresh, { imaging: quickImaging });
    const shipOn = dayAfter(dayOf(it.clock.now()), 60);
    const gift = { recipientName: 'Maria Keller', from: 'Grandma', message: '', shipOn };
    const { browser, frames } = await annaOwns(it, { customerDetails: { ...anna, gift } });
    const { deviceId } = frames[0]!;
    await uploadTo(browser, deviceId);
    await deliver(it, browser, deviceId);
    const { db } = it.shop;
    await db.execute(sql`update frames set videos_ready_at = null`);
    await db.transaction(async (tx) => moveOn(tx, it.shop, (await frameById(tx, deviceId))!));
    const end = new Date(endOfDay(shipOn).getTime() + 90 * day).toISOString();
    expect(await queuedMails(db, 'videos-ready:')).toMatchObject([{ content: { deliveryUrl: { until: end } } }]);
    // Whoever kept them for years and thinks better of it is back at these days.
    for (const keep of [true, false])
      expect((await browser.put(`/api/account/frames/${deviceId}/keep`, { keep })).json.isKept).toBe(keep);
    const after = days(it);
    await after(100);
    expect([await warned(it), await countOf(db, 'uploads')]).toEqual([[], 1]);
    const left = (Date.parse(end) - it.clock.now().getTime()) / day;
    await after(left - 13.9);
    expect(await warned(it)).toEqual([14]);
    await after(11);
    await after(4);
    expect([await warned(it), await countOf(db, 'uploads')]).toEqual([[14, 3], 0]);
    // Not one that was asked to be kept for years.
    await buyAddon(await signedIn(it), deviceId);
    await db.execute(sql`update frames set videos_ready_at = null, erased_at = null`);
    await markVideosReady(db, it.clock, deviceId);
    expect(isKept((await frameById(db, deviceId))!)).toBe(false);
  });

  test('whoever was away hears of it three days before, however late; what is kept stays, and goes only after another warning', async () => {
    const it = await openTestShop(fresh);
    const { browser, frames } = await annaDelivered(it, 2);
    const [kept, other] = frames as [string, string];
    const keep = async (id: string, wanted: boolean) =>
      (await browser.put(`/api/account/frames/${id}/keep`, { keep: wanted })).json;
    expect(await keep(kept, true)).toMatchObject({ isKept: true });
    const after = days(it);
    await after(200); // the shop was away
    expect(await warned(it)).toEqual([3]);
    expect(await countOf(it.shop.db, 'uploads')).toBe(2);
    await after(2.9);
    expect(await countOf(it.shop.db, 'uploads')).toBe(2);
    await after(0.2);
    const { rows } = await it.shop.db.execute(sql`select frame_id from uploads`);
    expect(rows).toEqual([{ frame_id: kept }]);
    await signInAgain(browser);
    expect((await keep(other, true)).code).toBe('nothing-to-keep');
    const { path } = (await browser.post(`/api/devices/${kept}/delivery-link`)).json;
    expect((await browser.get(`/api${path}`)).json.videos).toHaveLength(1);

    expect(await keep(kept, false)).toMatchObject({ isKept: false });
    await after(0);
    expect(await countOf(it.shop.db, 'uploads')).toBe(1);
    await after(0.1);
    await after(11.1);
    expect((await warned(it)).slice(1)).toEqual([14, 3]);
    expect(await countOf(it.shop.db, 'uploads')).toBe(1);
    await after(3);
    expect(await countOf(it.shop.db, 'uploads')).toBe(0);
  });

  test('nothing goes of which no mail has told: the end is put off, the owner hears of it once, the customer again', async () => {
    const it = await openTestShop(fresh);
    await annaDelivered(it);
    const after = days(it);
    await sentLetters(it);
    await after(76.1, 'stuck');
    await after(11, 'stuck');
    await after(3, 'stuck');
    expect(await countOf(it.shop.db, 'uploads')).toBe(1);
    await after(0.1, 'stuck');
    expect(await warned(it)).toEqual([14, 3, 3]);
    await after(2.5); // leaves, too late to be of use
    await after(0.6, 'stuck');
    expect(await countOf(it.shop.db, 'uploads')).toBe(1);
    const told = await queuedMails(it.shop.db, 'erasure-put-off:');
    expect(told).toMatchObject([{ to: await it.shop.ownerEmail(), content: { kind: 'owner-failed-job' } }]);
    await after(0.1);
    await after(2.9);
    expect(await countOf(it.shop.db, 'uploads')).toBe(1);
    await after(0.2);
    expect(await countOf(it.shop.db, 'uploads')).toBe(0);
    expect(await queuedMails(it.shop.db, 'erasure-put-off:')).toHaveLength(1);
  });

  test('a frame with places bought later has no end, and stays kept for years; one whose free places were merely kept goes', async () => {
    const it = await openTestShop(fresh);
    const { browser, frames } = await annaDelivered(it, 3);
    const [waiting, merely, kept] = frames as [string, string, string];
    const reopened = (id: string, later: number) =>
      it.shop.db.execute(sql`update frames set reopened_at = finalized_at, sealed_photos = used_photos,
        later_photos = ${later}, extra_photos = ${later} where id = ${id}`);
    await reopened(waiting, 20);
    await reopened(merely, 0);
    await reopened(kept, 20);
    expect((await browser.put(`/api/account/frames/${kept}/keep`, { keep: true })).status).toBe(200);
    const after = days(it);
    await after(77);
    await after(10.1);
    await after(3);
    const left = await it.shop.db.execute<{ frame_id: string }>(sql`select frame_id from uploads`);
    expect(left.rows.map((row) => row.frame_id).toSorted()).toEqual([waiting, kept].toSorted());
    await after(20);
    await signInAgain(browser);
    const seen = (await browser.get('/api/account')).json.frames as {
      id: string;
      keptUntil: string;
      isErased: boolean;
    }[];
    const stands = seen.find((it) => it.id === waiting)!;
    expect(stands.isErased).toBe(false);
    expect(Date.parse(stands.keptUntil)).toBeGreaterThan(it.clock.now().getTime() + 13.9 * day);
    const { path } = (await browser.post(`/api/devices/${waiting}/delivery-link`)).json;
    expect((await it.browser().get(`/api${path}`)).json.videos).toHaveLength(1);

    // New photos come to the one that is kept, and their videos are ready.
    await it.shop.db.execute(sql`update frames set videos_ready_at = null, reopened_at = null where id = ${kept}`);
    expect(await markVideosReady(it.shop.db, it.shop.clock, kept)).toBe(true);
    await it.shop.db.execute(sql`update frames set videos_ready_at = null, reopened_at = null where id = ${waiting}`);
    expect(await markVideosReady(it.shop.db, it.shop.clock, waiting)).toBe(true);
    const again = (await browser.get('/api/account')).json.frames as { id: string; isKept: boolean }[];
    expect(again.filter((it) => it.isKept).map((it) => it.id)).toEqual([kept]);
  });

  test('of an order without an address nobody can be told: its photos go with their days', async () => {
    const it = await openTestShop(fresh);
    await annaDelivered(it);
    await it.shop.db.execute(sql`update orders set email = ''`);
    const after = days(it);
    await after(76.1);
    await after(14);
    expect(await countOf(it.shop.db, 'uploads')).toBe(0);
  });

  test('a deleted account leaves its bills alone: no picture, no address to write to, no way in', async () => {
    const it = await openTestShop(fresh);
    const { browser } = await annaDelivered(it);
    await browser.post('/api/auth/confirm-email', {
      token: new URL((await sentLetters(it, 'email-confirmation:'))[0]!.content.confirmUrl).searchParams.get('token')!,
    });
    const [order] = (await browser.get('/api/order-summary')).json.orders;
    const other = it.browser();
    await signInAgain(other);
    expect((await browser.get('/api/account')).json.unfinished).toEqual([
      { orderNumber: order.orderNumber, words: ['The parcel is not on its way yet.'] },
    ]);
    const deleted = await browser.post('/api/account/delete');
    expect(deleted.json, deleted.text).toMatchObject({ reason: 'account-deleted', photos: 1, videos: 1 });
    expect(browser.cookies.has('sid')).toBe(false);
    expect((await other.get('/api/auth/user')).status).toBe(401);
    expect((await it.browser().post('/api/auth/login', { email: anna.email, password: annasPassword })).status).toBe(
      401,
    );
    expect(await storedKeys(it)).toEqual([]);
    const { rows } = await it.shop.db.execute(
      sql`select first_name, email, phone, customer_id, total_cents, shipping_address from orders`,
    );
    const place = { line1: '', line2: '', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' };
    expect(rows).toEqual([
      {
        first_name: 'Deleted',
        email: '',
        phone: null,
        customer_id: null,
        total_cents: 19_900,
        shipping_address: place,
      },
    ]);
    expect(await queuedMails(it.shop.db, 'photos-erased:')).toMatchObject([{ to: anna.email }]);
    const farewell = await sentLetters(it, 'photos-erased:');
    expect(farewell).toMatchObject([{ content: { reason: 'account-deleted' } }]);
    const { mails, ...rest } = await everyRow(it.shop.db);
    const sandbox = Object.entries(rest).filter(([table]) => !table.startsWith('sandbox_')); // the card company's own
    for (const said of [anna.email, 'Keller', 'Linden']) expect(JSON.stringify(sandbox)).not.toContain(said);
    expect(JSON.stringify(mails)).not.toContain(anna.email); // the farewell is gone with its sending
    // The same person may come back, and finds nothing of before.
    const again = it.browser();
    expect((await again.post('/api/auth/register', { ...anna, password: annasPassword })).status).toBe(200);
    expect((await again.get('/api/order-summary')).json.orders).toEqual([]);
  });

  test('a frame erased before it was delivered asks and tells anew once it is filled again, with all its places', async () => {
    const it = await openTestShop(fresh);
    const { browser, frames } = await annaOwns(it);
    const { deviceId } = frames[0]!;
    await uploadTo(browser, deviceId);
    expect((await browser.post('/api/uploads/finalize', { deviceId, keepPlaces: true })).status).toBe(200);
    expect((await browser.post('/api/account/erase')).status).toBe(200);
    expect(await framesOf(browser)).toMatchObject([
      { usedPhotos: 0, remainingPhotos: 20, uploadFinalized: false, videosReadyAt: null },
    ]);
    it.clock.advance(60_000);
    await uploadTo(browser, deviceId);
    expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
    expect(await queuedMails(it.shop.db, 'finalized:')).toHaveLength(2);
  });

  test('what was delivered is used up, however often everything is erased', async () => {
    const it = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await annaOwns(it, { quantity: 2 });
    const [kept, closed] = frames.map((frame) => frame.deviceId) as [string, string];
    const eraseAgain = async () => {
      for (const id of [kept, closed]) await uploadTo(browser, id);
      expect((await browser.post('/api/account/erase')).status).toBe(200);
    };
    for (const id of [kept, kept, closed]) expect((await uploadTo(browser, id)).status).toBe(200);
    await deliver(it, browser, kept, true);
    await deliver(it, browser, closed);
    await eraseAgain();
    expect(await framesOf(browser)).toMatchObject([
      { usedPhotos: 2, remainingPhotos: 18, uploadFinalized: false },
      { usedPhotos: 1, uploadFinalized: true, isErased: true },
    ]);
    await buyAddon(browser, closed);
    for (let time = 0; time < 2; time++) {
      await eraseAgain();
      expect(await framesOf(browser)).toMatchObject([
        { usedPhotos: 2, remainingPhotos: 18, uploadFinalized: false, isErased: false },
        { usedPhotos: 1, remainingPhotos: 10, uploadFinalized: false, isErased: false },
      ]);
    }
    // The places that are left are filled and delivered as ever.
    await uploadTo(browser, kept);
    await deliver(it, browser, kept);
    expect((await browser.post('/api/account/erase')).status).toBe(200);
    expect(await framesOf(browser)).toMatchObject([{ usedPhotos: 3, uploadFinalized: true, isErased: true }, {}]);
  });

  test('a film that was delivered and is made again when everything is erased was seen all the same', async () => {
    const it = await openTestShop(fresh, { imaging: quickImaging });
    const { browser, frames } = await annaOwns(it);
    const { deviceId } = frames[0]!;
    for (let i = 0; i < 2; i++) await uploadTo(browser, deviceId);
    await deliver(it, browser, deviceId, true);
    const { rows } = await it.shop.db.execute<{ id: string }>(sql`select id from videos`);
    for (const { id } of rows) await redoVideo(it.shop, id);
    await uploadTo(browser, deviceId);
    expect((await browser.post('/api/uploads/finalize', { deviceId, keepPlaces: true })).status).toBe(200);
    expect((await browser.post('/api/account/erase')).json.photos).toBe(3);
    expect(await framesOf(browser)).toMatchObject([{ usedPhotos: 2, remainingPhotos: 18, uploadFinalized: false }]);
  });

  test.each(['off', 'after'])(
    'with proof %s a film that was accepted is used up, others are given back',
    async (PROOF) => {
      const it = await openTestShop(fresh, { imaging: quickImaging, env: { PROOF } });
      const { browser, frames } = await annaOwns(it, { quantity: 2 });
      const [some, all] = frames.map((frame) => frame.deviceId) as [string, string];
      for (const id of [some, some, some, all]) await uploadTo(browser, id);
      for (const deviceId of [some, all])
        expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
      await rendered(it, some, 1);
      await approveVideo(it.shop, await rendered(it, some, 0));
      await approveVideo(it.shop, await rendered(it, all, 0));
      expect((await framesOf(browser))[0]!.uploads.filter((photo) => photo.isProcessed)).toHaveLength(1);
      expect((await browser.post('/api/account/erase')).json.photos).toBe(4);
      expect(await framesOf(browser)).toMatchObject([
        { usedPhotos: 1, remainingPhotos: 19, uploadFinalized: false, isErased: false, isInProof: false },
        { usedPhotos: 1, uploadFinalized: true, isErased: true, isInProof: false },
      ]);
    },
  );

  test('with proof before the approval a film is used up once its customer has a link to it', async () => {
    const it = await openTestShop(fresh, { imaging: quickImaging, env: { PROOF: 'before' } });
    const { browser, frames } = await annaOwns(it);
    const { deviceId } = frames[0]!;
    const finalizeTwo = async () => {
      for (let i = 0; i < 2; i++) await uploadTo(browser, deviceId);
      expect((await browser.post('/api/uploads/finalize', { deviceId, keepPlaces: true })).status).toBe(200);
    };
    const erase = async () => {
      expect((await browser.post('/api/account/erase')).status).toBe(200);
      return (await framesOf(browser))[0]!;
    };
    await finalizeTwo();
    await rendered(it, deviceId, 0); // the other is being made: nobody is asked yet
    expect(await erase()).toMatchObject({ usedPhotos: 0, remainingPhotos: 20 });

    await finalizeTwo();
    const seen = [await rendered(it, deviceId, 0), await rendered(it, deviceId, 1)];
    const { path } = (await browser.post(`/api/devices/${deviceId}/proof-link`)).json;
    expect((await browser.get(`/api${path}`)).json.videos).toMatchObject(seen.map((id) => ({ shown: { id } })));
    await redoVideo(it.shop, seen[0]!);
    await finalizeTwo();
    expect(await erase()).toMatchObject({ usedPhotos: 2, remainingPhotos: 18 });
    expect((await browser.get(`/api${path}`)).json.code).toBe('proof-link-invalid');
    await finalizeTwo();
    expect(await erase()).toMatchObject({ usedPhotos: 2, remainingPhotos: 18 });
  });

  test('money for an account that is gone meanwhile goes back, and a photo that was on its way stays nowhere', async () => {
    const it = await openTestShop(fresh);
    const { browser, frames } = await annaOwns(it);
    const { deviceId } = frames[0]!;
    const intent = await startAddon(browser, deviceId);
    await pay(browser, intent);
    const frame = (await frameById(it.shop.db, deviceId))!;
    const { rows } = await it.shop.db.execute<{ id: string }>(sql`select id from customers`);
    expect((await browser.post('/api/account/delete')).status).toBe(200);
    await settle(it.shop, intent.paymentIntentId);
    const { payments } = await everyRow(it.shop.db);
    expect(payments!.map((payment) => (payment as { state: string }).state).toSorted()).toEqual([
      'refunding',
      'settled',
    ]);
    const path = join(it.shop.workFolder, 'late.jpg');
    writeFileSync(path, await smallPhoto());
    const file = { path, name: 'late.jpg', sizeBytes: 1000 };
    await expect(addPhotoTo(it.shop, ownPlace(frame, rows[0]!.id), file)).rejects.toMatchObject({ code: 'not-found' });
    expect(await storedKeys(it)).toEqual([]);
  });

  test('how to reach a frame, read while its account is deleted, stays nowhere', async () => {
    const reading = Promise.withResolvers<void>();
    const deleted = Promise.withResolvers<void>();
    const readQr = async () => {
      reading.resolve();
      await deleted.promise;
      return 'INVITE-7';
    };
    const it = await openTestShop(fresh, { imaging: { ...quickImaging, readQr } });
    const { browser, frames } = await annaOwns(it);
    const other = await signedIn(it);
    const form = new FormData();
    form.append('qrPhoto', new Blob(['a code']), 'qr.jpg');
    const saving = browser.put(`/api/devices/${frames[0]!.deviceId}/connection`, form);
    await reading.promise;
    expect((await other.post('/api/account/delete')).status).toBe(200);
    deleted.resolve();
    expect((await saving).json.code).toBe('not-found');
    const frame = await frameById(it.shop.db, frames[0]!.deviceId);
    expect(frame).toMatchObject({ invitationCode: null, qrPhotoKey: null, connectionStatus: 'none' });
    expect(await storedKeys(it)).toEqual([]);
  });

  test('deleted with an address that nobody has confirmed, an account leaves no name in the mails of its own orders', async () => {
    const it = await openTestShop(fresh);
    const { browser } = await annaDelivered(it);
    await sentLetters(it);
    expect((await browser.post('/api/account/delete')).json.reason).toBe('account-deleted');
    const { rows } = await it.shop.db.execute(sql`select "to", content from mails where order_id is not null`);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toEqual({ to: '', content: null });
  });

  test('whatever an account was mixed up in says nothing of it once it is deleted: money given back, invitations, former addresses', async () => {
    const it = await openTestShop(fresh, { imaging: quickImaging });
    const browser = it.browser();
    const twice = [await startPayment(browser), await startPayment(browser, { extraPackages: 1 })];
    for (const intent of twice) await pay(browser, intent);
    for (const intent of twice) await verify(browser, intent.paymentIntentId);
    await browser.post('/api/complete-registration', { password: annasPassword });
    for (const { data } of await waitingJobs(it.shop.db, 'refund-payment'))
      await refundPayment(it.shop, data['paymentId'] as string);
    const [frame] = await framesOf(browser);
    const collecting = `/api/devices/${frame!.deviceId}/collect-link`;
    await browser.post(collecting, { name: 'Party', lastDay: dayAfter(dayOf(it.clock.now()), 7) });
    expect((await browser.post(`${collecting}/invitations`, { email: 'grandma@example.org' })).status).toBe(200);
    await browser.post('/api/account/prove', { password: annasPassword });
    await browser.post('/api/account/email', { email: 'anna.new@example.com' });
    const { confirmUrl } = (await sentLetters(it, 'email-change:')).at(-1)!.content;
    const token = new URL(confirmUrl).searchParams.get('token');
    expect((await browser.post('/api/auth/change-email', { token })).status).toBe(200);
    await it.shop.db.execute(sql`update orders set notes = 'Mrs Keller rings at noon'`);
    await sentLetters(it);
    await browser.post('/api/account/prove', { password: annasPassword });
    const deleted = await browser.post('/api/account/delete');
    expect(deleted.status, deleted.text).toBe(200);
    await finishAll(it);
    await sentLetters(it);
    const rows = Object.entries(await everyRow(it.shop.db)).filter(([table]) => !table.startsWith('sandbox_'));
    for (const said of [anna.email, 'anna.new', 'grandma@', 'Keller', 'Linden'])
      for (const [table, those] of rows) expect(JSON.stringify(those), table).not.toContain(said);
  });

  test('my data is one archive of the promised length: orders to read, and every photo byte for byte', async () => {
    const it = await openTestShop(fresh);
    const { browser } = await annaDelivered(it);
    const answer = await browser.get('/api/account/my-data.zip');
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/zip']);
    expect(answer.bytes).toHaveLength(Number(answer.headers['content-length']));
    const [photo] = (await everyRow(it.shop.db))['uploads'] as { original_key: string }[];
    const original = await buffer(await it.shop.storage.read(photo!.original_key));
    expect(answer.bytes.includes(original)).toBe(true);
    const text = answer.bytes.toString();
    for (const told of ['my-data.html', '"orderNumber": "KF-', '"totalCents": 19900', 'Your data at Kinframe'])
      expect(text).toContain(told);
    expect(text).toMatch(/photos\/KF-[\w-]+\/Kinframe-1-1\/01-photo\.jpg/);
    expect(text).toMatch(/videos\/KF-[\w-]+\/Kinframe-1-1\/01-photo\.mp4/);
    expect(text).not.toMatch(/argon2id|token_hash|stripe/i);
    expect((await it.browser().get('/api/account/my-data.zip')).json.code).toBe('sign-in-needed');
  });
});

onPostgres((fresh) => {
  /** Each row written or changed there takes its time, so that what happens meanwhile can. */
  const slowly = async (it: TestShop, when: string) => {
    await it.shop.db.execute(
      sql`create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return new; end $$`,
    );
    await it.shop.db.execute(sql.raw(`create trigger slow ${when} for each row execute function slow()`));
  };
  const aMoment = () => new Promise((resolve) => setTimeout(resolve, 400));

  test('an order that is being placed while its account is deleted is nobody’s, and says of nobody', async () => {
    for (const isSignedIn of [true, false]) {
      const it = await openTestShop(fresh, { imaging: quickImaging });
      const { browser } = await annaOwns(it);
      const { confirmUrl } = (await sentLetters(it, 'email-confirmation:'))[0]!.content;
      await browser.post('/api/auth/confirm-email', { token: new URL(confirmUrl).searchParams.get('token') });
      const buyer = isSignedIn ? browser : it.browser();
      const intent = await startPayment(buyer, { extraPackages: 2 });
      await pay(buyer, intent);
      await slowly(it, 'before insert on orders');
      const settling = settle(it.shop, intent.paymentIntentId);
      await aMoment();
      expect((await browser.post('/api/account/delete')).status).toBe(200);
      expect((await settling).state).toBe('paid');
      const { orders } = await everyRow(it.shop.db);
      expect(orders).toHaveLength(2);
      for (const order of orders!)
        expect(order).toMatchObject({ customer_id: null, email: '', first_name: 'Deleted', gift: null, phone: null });
    }
  });

  test('a letter that is being written while its account is deleted opens nothing', async () => {
    const it = await openTestShop(fresh, { imaging: quickImaging });
    const { browser } = await annaOwns(it);
    await slowly(it, 'before update on carts');
    const deleting = browser.post('/api/account/delete');
    await aMoment();
    const [receipt] = await sentLetters(it, 'receipt:');
    expect((await deleting).status).toBe(200);
    const { search } = new URL(receipt!.content.orderUrl);
    expect((await it.browser().get(`/api/order-summary${search}`)).json.orders).toEqual([]);
    const { rows } = await it.shop.db.execute(
      sql`select purpose from tokens where revoked_at is null and used_at is null`,
    );
    expect(rows).toEqual([]);
  });

  test('uploads and "I’m Done" that race "erase everything" leave nothing behind: no file without its row', async () => {
    const it = await openTestShop(fresh);
    const { browser, frames } = await annaOwns(it, { quantity: 2 });
    const [first, second] = frames.map((frame) => frame.deviceId) as [string, string];
    for (const id of [first, second]) await uploadTo(browser, id);
    const answers = await Promise.all([
      ...Array.from({ length: 2 }, () => uploadTo(browser, first)),
      browser.post('/api/uploads/finalize', { deviceId: second }),
      browser.post('/api/account/erase'),
      browser.post('/api/account/erase'),
      ...Array.from({ length: 2 }, () => uploadTo(browser, second)),
    ]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    await finishAll(it);
    const rows = (await everyRow(it.shop.db)) as Record<string, Record<string, string | number>[]>;
    const keys = rows['uploads']!.flatMap((row) => [row['original_key'], row['display_key'], row['thumbnail_key']]);
    expect((await storedKeys(it)).toSorted()).toEqual(keys.map(String).toSorted());
    for (const frame of rows['frames']!)
      expect(rows['uploads']!.filter((row) => row['frame_id'] === frame['id'])).toHaveLength(
        Number(frame['used_photos']),
      );
    const erased = rows['erasures']!.reduce((sum, row) => sum + Number(row['photos']), 0);
    const taken = answers.filter(({ status, json }) => status === 200 && json?.url).length;
    expect(erased + rows['uploads']!.length).toBe(taken + 2);
    expect(await queuedMails(it.shop.db, 'photos-erased:')).toHaveLength(rows['erasures']!.length);
  });

  test('a video that is being made while everything is erased stays nowhere', async () => {
    const it = await openTestShop(fresh);
    const { browser, frames } = await annaOwns(it);
    await uploadTo(browser, frames[0]!.deviceId);
    await browser.post('/api/uploads/finalize', { deviceId: frames[0]!.deviceId });
    const [{ data }] = (await waitingJobs(it.shop.db, 'render-video')) as [{ data: object }];
    expect(data).toMatchObject({ take: 1 });
    await startJobs(it.shop);
    expect((await browser.post('/api/account/erase')).json.photos).toBe(1);
    await vi.waitFor(
      async () => {
        expect(await waitingJobs(it.shop.db, 'render-video')).toEqual([]);
        expect(await storedKeys(it)).toEqual([]);
      },
      { timeout: 20_000 },
    );
    expect(await countOf(it.shop.db, 'production_orders')).toBe(0);
  });
});
