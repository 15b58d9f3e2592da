import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { toShopHour, shortMomentText } from '#contract/calendar.ts';
import type { DayLine, DaySheet } from '#contract/owner/day-sheet.ts';
import { recordBackup } from '#shop/backups/backups.ts';
import { mailDaySheetOncePerDay, setDaySheetMailed } from '#shop/day-sheet/day-sheet.ts';
import { describeOnEachEngine, describeOnPostgres, type FreshDatabase } from '#test/database.ts';
import { mails } from '#shop/mail/mail.sql.ts';
import { buyFramesAsAnna } from '#test/people.ts';
import { countRows, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';

const hourMs = 3_600_000;
const roomyDisk = { freeBytes: 50e9, totalBytes: 100e9 };

/** A shop with a disk whose free space the test sets, and functions that read the owner's day sheet. */
async function openShopWithOwner(fresh: FreshDatabase) {
  const disk = { ...roomyDisk };
  const testShop = await openTestShop(fresh);
  testShop.shop.storage.readFreeSpace = async () => disk;
  const owner = testShop.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const readSheet = async () => (await owner.get('/api/admin/day-sheet')).json as DaySheet;
  const readLine = async (kind: DayLine['kind']) => (await readSheet()).lines.find((one) => one.kind === kind);
  return { it: testShop, disk, owner, sheet: readSheet, line: readLine };
}
/** Advances the clock to the next time at which it is this hour in the shop's time zone. */
function advanceToHour({ clock }: TestShop, hour: number) {
  do clock.advance(hourMs);
  while (toShopHour(clock.now()) !== hour);
}
async function createTicket(it: TestShop) {
  const question = {
    name: 'Anna',
    email: 'anna@example.com',
    subject: 'My frame sleeps',
    message: 'It does not wake.',
  };
  expect((await it.browser().post('/api/support-tickets', question)).status).toBe(200);
}
const readMailedDaySheets = (it: TestShop) => readQueuedMails(it.shop.db, 'owner-day-sheet:');

describeOnEachEngine((fresh) => {
  test('the day sheet of a new shop is empty', async () => {
    const { sheet } = await openShopWithOwner(fresh);
    expect(await sheet()).toEqual({ lines: [], newOrders: 0, isMailed: false });
  });

  test('each open task has a line, the most urgent first, until the task is done', async () => {
    const { it, disk, sheet, owner, line } = await openShopWithOwner(fresh);
    const { db } = it.shop;
    await buyFramesAsAnna(it);
    const [order] = (await owner.get('/api/admin/orders')).json;
    await db.execute(sql`insert into disputes values
      ('late', ${order.id}, 2900, 'general', 'needs_response', '2026-12-05', now(), now()),
      ('soon', ${order.id}, 19900, 'fraudulent', 'needs_response', '2026-12-01', now(), now()),
      ('read', ${order.id}, 100, 'fraudulent', 'under_review', '2026-11-30', now(), now())`);
    await db.execute(sql`update payments set state = 'mismatched' where intent_id = ${order.stripePaymentIntentId}`);
    const hoursAgo = (hours: number) => new Date(it.clock.now().getTime() - hours * hourMs).toISOString();
    const waitingSince = hoursAgo(73);
    await db.execute(sql`insert into production_orders (order_id, finalized_at, waiting_since, to_review, under_way, failed)
      values (${order.id}, ${waitingSince}, ${waitingSince}, 14, 2, 1)`);
    await createTicket(it);
    await db.execute(sql`update jobs.job set start_after = now() - interval '1 hour' where name = 'send-mail'`);
    await db.execute(sql`update mails set queued_at = ${hoursAgo(2)} where order_id = ${order.id}`);
    const unsentCount = await db.$count(mails, eq(mails.orderId, order.id));
    Object.assign(disk, { freeBytes: 4e9 });

    const { lines } = await sheet();
    expect(lines).toMatchObject([
      { kind: 'dispute', orderId: order.id, orderNumber: order.orderNumber, amount: 19_900 },
      { kind: 'dispute', amount: 2_900, respondBy: '2026-12-05T00:00:00.000Z' },
      { kind: 'payment-problems', count: 1 },
      { kind: 'queue-stands' },
      { kind: 'disk-full', freeBytes: 4e9, totalBytes: 100e9 },
      { kind: 'late', count: 1, since: waitingSince },
      { kind: 'videos-failed', count: 1 },
      { kind: 'mails-unsent', count: unsentCount, orderId: order.id },
      { kind: 'videos-to-check', count: 14 },
      { kind: 'tickets', count: 1 },
    ]);

    await db.execute(sql`update disputes set status = 'won'`);
    await db.execute(sql`update payments set state = 'refunded'`);
    await db.execute(sql`update production_orders set waiting_since = null, to_review = 0, failed = 0`);
    await db.execute(sql`update tickets set status = 'completed'`);
    await db.execute(sql`update mails set sent_at = now()`);
    await db.execute(sql`delete from jobs.job`);
    Object.assign(disk, roomyDisk);
    expect((await sheet()).lines).toEqual([]);
    // The queue updates its counts every few seconds and resets this one, so set it again until it is read.
    await vi.waitFor(
      async () => {
        await db.execute(
          sql`update jobs.queue set failed_count = 2 where name in ('sweep-files', 'send-mail', 'render-video', 'make-preview')`,
        );
        expect(await line('jobs-failed')).toEqual({ kind: 'jobs-failed', count: 2, names: ['sweep-files'] });
      },
      { timeout: 30_000 },
    );
  });

  test('lists packages to ship and frames to connect until they are done, and counts new orders of a day', async () => {
    const { it, sheet, line, owner } = await openShopWithOwner(fresh);
    const { db } = it.shop;
    await buyFramesAsAnna(it);
    const [order] = (await owner.get('/api/admin/orders')).json;
    const readShownOrders = async () => (await owner.get('/api/admin/lists/orders?filter=to-ship')).json.rows.length;
    expect([await line('packages-to-ship'), await readShownOrders()]).toEqual([undefined, 0]); // the order's videos are not ready
    expect(await sheet()).toMatchObject({ lines: [], newOrders: 1 });

    await db.execute(sql`update frames set videos_ready_at = now()`);
    expect(await line('packages-to-ship')).toEqual({ kind: 'packages-to-ship', count: 1, since: order.createdAt });
    expect(await readShownOrders()).toBe(1);
    await db.execute(sql`update orders set gift = '{"recipientName": "Maria", "shipOn": "2099-01-01"}'`);
    expect([await line('packages-to-ship'), await readShownOrders()]).toEqual([undefined, 0]); // the gift ships on a later day
    await db.execute(sql`update orders set gift = null`);
    expect((await owner.post(`/api/admin/orders/${order.id}/shipment`, {})).status).toBe(200);
    expect([await line('packages-to-ship'), await readShownOrders()]).toEqual([undefined, 0]);

    const sinceIso = new Date(it.clock.now().getTime() - 3 * hourMs).toISOString();
    await db.execute(sql`update frames set connection_status = 'pending', connection_since = ${sinceIso}`);
    expect(await line('frames-to-connect')).toEqual({
      kind: 'frames-to-connect',
      count: 1,
      since: sinceIso,
      isLate: false,
    });
    it.clock.advance(22 * hourMs);
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    expect(await line('frames-to-connect')).toMatchObject({ isLate: true });
    expect(await sheet()).toMatchObject({ newOrders: 1 });
    it.clock.advance(3 * hourMs);
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    expect(await sheet()).toMatchObject({ newOrders: 0 });
    await db.execute(sql`update frames set is_active = false`); // as after a full refund
    expect(await line('frames-to-connect')).toBeUndefined();
    await db.execute(sql`update frames set is_active = true, connection_status = 'connected'`);
    expect(await line('frames-to-connect')).toBeUndefined();
  });

  test('a shop that has had orders for a week but no recent backup shows backup-overdue until it has one', async () => {
    const { it, line, owner, sheet } = await openShopWithOwner(fresh);
    await buyFramesAsAnna(it);
    const dayMs = 24 * hourMs;
    it.clock.advance(6 * dayMs);
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    expect(await line('backup-overdue')).toBeUndefined();
    it.clock.advance(2 * dayMs);
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    expect(await line('backup-overdue')).toEqual({ kind: 'backup-overdue', lastAt: null });
    const takenAt = new Date(it.clock.now().getTime() - 8 * dayMs);
    await recordBackup(it.shop, { takenAt, files: 3, sizeBytes: 4e9 });
    expect(await line('backup-overdue')).toEqual({ kind: 'backup-overdue', lastAt: takenAt.toISOString() });
    expect(await sheet()).not.toHaveProperty('lastBackupAt'); // the line backup-overdue has the time
    const now = it.clock.now();
    await recordBackup(it.shop, { takenAt: now, files: 3, sizeBytes: 4e9 });
    expect(await line('backup-overdue')).toBeUndefined();
    expect(await sheet()).toMatchObject({ lastBackupAt: now.toISOString() });
  });

  test('does not list videos that are in time, recent emails, and jobs that wait behind other jobs', async () => {
    const { it, sheet, owner } = await openShopWithOwner(fresh);
    const { db } = it.shop;
    await buyFramesAsAnna(it);
    const [order] = (await owner.get('/api/admin/orders')).json;
    const sinceIso = new Date(it.clock.now().getTime() - 71 * hourMs).toISOString();
    await db.execute(sql`insert into production_orders (order_id, finalized_at, waiting_since, under_way)
      values (${order.id}, ${sinceIso}, ${sinceIso}, 40)`);
    await db.execute(sql`update jobs.job set start_after = now() - interval '5 minutes'`);
    await it.shop.jobs.enqueue(db, 'render-video', { videoId: 'none', take: 1 });
    await it.shop.jobs.enqueue(db, 'back-up', {});
    await it.shop.jobs.enqueue(db, 'make-preview', { orderId: order.id });
    await db.execute(
      sql`update jobs.job set start_after = now() - interval '10 hours' where name in ('render-video', 'back-up', 'make-preview')`,
    );
    expect((await sheet()).lines).toEqual([]);
  });

  test('emails the day sheet once each morning while the setting is on, even without tasks', async () => {
    const { it, owner } = await openShopWithOwner(fresh);
    expect((await owner.put('/api/admin/day-sheet', { isMailed: true })).json).toEqual({
      lines: [],
      newOrders: 0,
      isMailed: true,
    });
    advanceToHour(it, 6);
    await mailDaySheetOncePerDay(it.shop);
    expect(await readMailedDaySheets(it)).toEqual([]);
    advanceToHour(it, 7);
    for (let again = 0; again < 3; again++) await mailDaySheetOncePerDay(it.shop);
    expect(await readMailedDaySheets(it)).toMatchObject([
      { to: 'support@kinframe.example', content: { kind: 'owner-day-sheet', lines: [] } },
    ]);
    await it.shop.db.update(mails).set({ sentAt: it.clock.now() });
    // A shop that was down at 7 a.m. emails the sheet later in the morning.
    advanceToHour(it, 12);
    advanceToHour(it, 11);
    await createTicket(it);
    const takenAt = new Date(it.clock.now().getTime() - 8 * hourMs);
    await recordBackup(it.shop, { takenAt, files: 3, sizeBytes: 4e9 });
    await mailDaySheetOncePerDay(it.shop);
    const [, second] = await readMailedDaySheets(it);
    expect(second!.content).toMatchObject({
      lastBackup: `Last backup: ${shortMomentText(takenAt)}`,
      lines: [{ words: '1 open ticket', url: 'http://localhost:3999/admin?tab=support&filter=open' }],
    });
    advanceToHour(it, 12);
    await setDaySheetMailed(it.shop, false);
    advanceToHour(it, 8);
    await mailDaySheetOncePerDay(it.shop);
    expect(await readMailedDaySheets(it)).toHaveLength(2);
  });

  test('refuses an invalid setting, and changes nothing', async () => {
    const { it, owner, sheet } = await openShopWithOwner(fresh);
    for (const body of [{}, { isMailed: 'yes' }, { isMailed: null }])
      expect((await owner.put('/api/admin/day-sheet', body)).status).toBe(400);
    expect((await sheet()).isMailed).toBe(false);
    expect(await countRows(it.shop.db, 'day_sheet_wishes')).toBe(0);
  });
});

describeOnPostgres((fresh) => {
  test('sends only one email if ten processes send the day sheet at the same time', async () => {
    const { it } = await openShopWithOwner(fresh);
    await setDaySheetMailed(it.shop, true);
    advanceToHour(it, 7);
    await Promise.all(Array.from({ length: 10 }, () => mailDaySheetOncePerDay(it.shop)));
    expect(await readMailedDaySheets(it)).toHaveLength(1);
  });
});
