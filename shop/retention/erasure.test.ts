import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { dayAfter, toShopDay, endOfDay } from '#contract/calendar.ts';
import { markVideosReady } from '#shop/frames/frames.ts';
import { describeOnFastestEngine, describeOnEachEngine } from '#test/database.ts';
import {
  buyAndDeliverAsAnna,
  deliverVideos,
  finishAllErasures,
  openAnnasBrowser,
  signInAgain,
  listCustomerFileKeys,
} from '#test/delivered-order.ts';
import { quickImaging } from '#test/imaging.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { buyAddon } from '#test/paying.ts';
import { anna, buyFramesAsAnna, fetchFrames, uploadTo } from '#test/people.ts';
import { countRows, readQueuedMails } from '#test/rows.ts';
import { openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { findFrameById } from '../frames/frames.ts';
import { isKeptForYears } from '../frames/frame-retention.ts';
import { startNextFrameStep } from '../production/next-frame-step.ts';
import { eraseOverdue, mailErasureWarnings } from './erasure.ts';

const dayMs = 86_400_000;
/** Advances the clock and runs the retention jobs. With `stuck`, no mails are sent. */
const advanceDaysAndRunJobs =
  (it: TestShop) =>
  async (count: number, mail: 'sent' | 'stuck' = 'sent') => {
    it.clock.advance(count * dayMs);
    await mailErasureWarnings(it.shop);
    if (mail === 'sent') await waitAndReadEmails(it);
    await eraseOverdue(it.shop);
  };
const countWarnedFrames = async (it: TestShop) =>
  (await readQueuedMails(it.shop.db, 'photos-erased-soon:')).map((mail) => mail.content.daysBefore as number);

describeOnEachEngine((fresh) => {
  test('erases photos and videos 90 days after delivery, after one email 14 days before and one email 3 days before', async () => {
    const testShop = await openTestShop(fresh);
    const { frames } = await buyAndDeliverAsAnna(testShop);
    const advanceDays = advanceDaysAndRunJobs(testShop);
    await advanceDays(75.9);
    expect(await countWarnedFrames(testShop)).toEqual([]);
    await advanceDays(0.2);
    await advanceDays(0.1);
    expect(await countWarnedFrames(testShop)).toEqual([14]);
    await advanceDays(10);
    expect(await countWarnedFrames(testShop)).toEqual([14]);
    await advanceDays(1);
    await advanceDays(0.1);
    expect(await countWarnedFrames(testShop)).toEqual([14, 3]);
    const emails = await waitAndReadEmails(testShop, 'photos-erased-soon:');
    expect(emails.map((mail) => mail.to)).toEqual([anna.email, anna.email]);
    expect(emails[1]!.content.posters).toEqual({ frameId: expect.any(String) }); // the email shows posters of the videos that will be erased
    const path = new URL(emails[1]!.content.deliveryUrl).pathname;
    expect((await testShop.browser().get(`/api${path}`)).json.videos).toHaveLength(1);
    expect(emails[1]!.content.keepUrl).toBe(testShop.shop.link('/account#photos'));

    await advanceDays(2.6);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(1);
    expect(await listCustomerFileKeys(testShop)).toHaveLength(5);
    await advanceDays(0.2);
    expect([await countRows(testShop.shop.db, 'uploads'), await countRows(testShop.shop.db, 'videos')]).toEqual([0, 0]);
    expect(await readQueuedMails(testShop.shop.db, 'photos-erased:')).toEqual([]); // this email is sent only after the files are deleted
    await finishAllErasures(testShop);
    await finishAllErasures(testShop);
    expect(await listCustomerFileKeys(testShop)).toEqual([]);
    expect(await readQueuedMails(testShop.shop.db, 'photos-erased:')).toMatchObject([
      { to: anna.email, content: { reason: 'time-over', frames: [{ frameName: 'Kinframe 1', photos: 1, videos: 1 }] } },
    ]);
    expect((await testShop.browser().get(`/api${path}`)).json.code).toBe('delivery-link-invalid');
    const browser = testShop.browser();
    await signInAgain(browser);
    expect((await browser.post(`/api/devices/${frames[0]!}/delivery-link`)).json.code).toBe('delivery-link-invalid');
    expect(await fetchFrames(browser)).toMatchObject([{ uploadFinalized: true, uploads: [] }]);
    await advanceDays(100);
    expect(await countWarnedFrames(testShop)).toEqual([14, 3]);
    expect(await countRows(testShop.shop.db, 'erasures')).toBe(1);
  });
});

describeOnFastestEngine((fresh) => {
  test('refuses connection details after the videos are erased, and saves them again after the customer buys places', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const {
      frames: [deviceId],
    } = await buyAndDeliverAsAnna(testShop);
    const advanceDays = advanceDaysAndRunJobs(testShop);
    const connectFrame = async (who: Browser) => {
      const form = new FormData();
      form.append('invitationCode', 'INVITE-7');
      return who.put(`/api/devices/${deviceId!}/connection`, form);
    };
    await advanceDays(80);
    const browser = testShop.browser();
    await signInAgain(browser);
    expect((await connectFrame(browser)).status).toBe(200);
    await testShop.shop.db.execute(sql`update frames set connection_status = 'none', invitation_code = null`);
    await advanceDays(7);
    await advanceDays(4);
    await signInAgain(browser);
    expect(await fetchFrames(browser)).toMatchObject([{ isErased: true, connectionStatus: 'none' }]);
    const lateResponse = await connectFrame(browser);
    expect([lateResponse.status, lateResponse.json]).toMatchObject([
      409,
      { code: 'frame-erased', message: /were deleted/ },
    ]);
    expect(await fetchFrames(browser)).toMatchObject([{ connectionStatus: 'none', invitationCode: null }]);
    await buyAddon(browser, deviceId!);
    expect((await connectFrame(browser)).status).toBe(200);
    expect(await fetchFrames(browser)).toMatchObject([{ isErased: false, connectionStatus: 'pending' }]);
  });

  test('the 90 days until the photos of a gift are erased start on its shipping day', async () => {
    const testShop = await openTestShop(fresh, { imaging: quickImaging });
    const shipOn = dayAfter(toShopDay(testShop.clock.now()), 60);
    const gift = { recipientName: 'Maria Keller', from: 'Grandma', message: '', shipOn };
    const { browser, frames } = await buyFramesAsAnna(testShop, { customerDetails: { ...anna, gift } });
    const { deviceId } = frames[0]!;
    await uploadTo(browser, deviceId);
    await deliverVideos(testShop, browser, deviceId);
    const { db } = testShop.shop;
    await db.execute(sql`update frames set videos_ready_at = null`);
    await db.transaction(async (tx) => startNextFrameStep(tx, testShop.shop, (await findFrameById(tx, deviceId))!));
    const retentionEnd = new Date(endOfDay(shipOn).getTime() + 90 * dayMs).toISOString();
    expect(await readQueuedMails(db, 'videos-ready:')).toMatchObject([
      { content: { deliveryUrl: { until: retentionEnd } } },
    ]);
    expect(await waitAndReadEmails(testShop, 'videos-ready:')).toMatchObject([
      { content: { expiresAt: retentionEnd } },
    ]);
    // If a customer keeps the videos for years and then no longer, the end is the same as before.
    for (const keepsMails of [true, false])
      expect((await browser.put(`/api/account/frames/${deviceId}/keep`, { keep: keepsMails })).json.isKept).toBe(
        keepsMails,
      );
    const advanceDays = advanceDaysAndRunJobs(testShop);
    await advanceDays(100);
    expect([await countWarnedFrames(testShop), await countRows(db, 'uploads')]).toEqual([[], 1]);
    const daysLeft = (Date.parse(retentionEnd) - testShop.clock.now().getTime()) / dayMs;
    await advanceDays(daysLeft - 13.9);
    expect(await countWarnedFrames(testShop)).toEqual([14]);
    await advanceDays(11);
    await advanceDays(4);
    expect([await countWarnedFrames(testShop), await countRows(db, 'uploads')]).toEqual([[14, 3], 0]);
    // The later end of a gift does not count as kept for years.
    await buyAddon(await openAnnasBrowser(testShop), deviceId);
    await db.execute(sql`update frames set videos_ready_at = null, erased_at = null`);
    await markVideosReady(db, testShop.clock, deviceId);
    expect(isKeptForYears((await findFrameById(db, deviceId))!)).toBe(false);
  });

  test('erases photos 3 days after a late warning, and photos kept for years only after new warnings', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyAndDeliverAsAnna(testShop, 2);
    const [kept, other] = frames as [string, string];
    const setKeptForYears = async (id: string, wanted: boolean) =>
      (await browser.put(`/api/account/frames/${id}/keep`, { keep: wanted })).json;
    expect(await setKeptForYears(kept, true)).toMatchObject({ isKept: true });
    const advanceDays = advanceDaysAndRunJobs(testShop);
    await advanceDays(200); // for 200 days the shop did not run
    expect(await countWarnedFrames(testShop)).toEqual([3]);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(2);
    await advanceDays(2.9);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(2);
    await advanceDays(0.2);
    const { rows } = await testShop.shop.db.execute(sql`select frame_id from uploads`);
    expect(rows).toEqual([{ frame_id: kept }]);
    await signInAgain(browser);
    expect((await setKeptForYears(other, true)).code).toBe('nothing-to-keep');
    const { path } = (await browser.post(`/api/devices/${kept}/delivery-link`)).json;
    expect((await browser.get(`/api${path}`)).json.videos).toHaveLength(1);

    expect(await setKeptForYears(kept, false)).toMatchObject({ isKept: false });
    await advanceDays(0);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(1);
    await advanceDays(0.1);
    await advanceDays(11.1);
    expect((await countWarnedFrames(testShop)).slice(1)).toEqual([14, 3]);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(1);
    await advanceDays(3);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(0);
  });

  test('delays the erasure if no warning was sent, emails the owner once, and warns the customer again', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndDeliverAsAnna(testShop);
    const advanceDays = advanceDaysAndRunJobs(testShop);
    await waitAndReadEmails(testShop);
    await advanceDays(76.1, 'stuck');
    await advanceDays(11, 'stuck');
    await advanceDays(3, 'stuck');
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(1);
    await advanceDays(0.1, 'stuck');
    expect(await countWarnedFrames(testShop)).toEqual([14, 3, 3]);
    await advanceDays(2.5); // the mail is sent, but too late to count
    await advanceDays(0.6, 'stuck');
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(1);
    const mails = await readQueuedMails(testShop.shop.db, 'erasure-put-off:');
    expect(mails).toMatchObject([{ to: await testShop.shop.ownerEmail(), content: { kind: 'owner-failed-job' } }]);
    await advanceDays(0.1);
    await advanceDays(2.9);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(1);
    await advanceDays(0.2);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(0);
    expect(await readQueuedMails(testShop.shop.db, 'erasure-put-off:')).toHaveLength(1);
  });

  test('does not erase a frame with an open add-on, but erases a frame that is open only for unused free places', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyAndDeliverAsAnna(testShop, 3);
    const [waiting, merely, kept] = frames as [string, string, string];
    const reopenFrame = (id: string, later: number) =>
      testShop.shop.db.execute(sql`update frames set reopened_at = finalized_at, sealed_photos = used_photos,
        later_photos = ${later}, extra_photos = ${later} where id = ${id}`);
    await reopenFrame(waiting, 20);
    await reopenFrame(merely, 0);
    await reopenFrame(kept, 20);
    expect((await browser.put(`/api/account/frames/${kept}/keep`, { keep: true })).status).toBe(200);
    const advanceDays = advanceDaysAndRunJobs(testShop);
    await advanceDays(77);
    await advanceDays(10.1);
    await advanceDays(3);
    const rowsLeft = await testShop.shop.db.execute<{ frame_id: string }>(sql`select frame_id from uploads`);
    expect(rowsLeft.rows.map((row) => row.frame_id).toSorted()).toEqual([waiting, kept].toSorted());
    await advanceDays(20);
    await signInAgain(browser);
    const framesBeforeChange = (await browser.get('/api/account')).json.frames as {
      id: string;
      keptUntil: string;
      isErased: boolean;
    }[];
    const waitingFrame = framesBeforeChange.find((it) => it.id === waiting)!;
    expect(waitingFrame.isErased).toBe(false);
    expect(Date.parse(waitingFrame.keptUntil)).toBeGreaterThan(testShop.clock.now().getTime() + 13.9 * dayMs);
    const { path } = (await browser.post(`/api/devices/${waiting}/delivery-link`)).json;
    expect((await testShop.browser().get(`/api${path}`)).json.videos).toHaveLength(1);

    // The kept frame gets new photos, and their videos are ready.
    await testShop.shop.db.execute(
      sql`update frames set videos_ready_at = null, reopened_at = null where id = ${kept}`,
    );
    expect(await markVideosReady(testShop.shop.db, testShop.shop.clock, kept)).toBe(true);
    await testShop.shop.db.execute(
      sql`update frames set videos_ready_at = null, reopened_at = null where id = ${waiting}`,
    );
    expect(await markVideosReady(testShop.shop.db, testShop.shop.clock, waiting)).toBe(true);
    const framesAfterChange = (await browser.get('/api/account')).json.frames as { id: string; isKept: boolean }[];
    expect(framesAfterChange.filter((it) => it.isKept).map((it) => it.id)).toEqual([kept]);
  });

  test('erases the photos of an order without an email on time, without a warning', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndDeliverAsAnna(testShop);
    await testShop.shop.db.execute(sql`update orders set email = ''`);
    const advanceDays = advanceDaysAndRunJobs(testShop);
    await advanceDays(76.1);
    await advanceDays(14);
    expect(await countRows(testShop.shop.db, 'uploads')).toBe(0);
  });
});
