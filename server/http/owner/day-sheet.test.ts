import { eq, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { hourOf, shortMomentWords } from '#contract/calendar.ts';
import type { DayLine, DaySheet } from '#contract/owner/day-sheet.ts';
import { keepBackup } from '#shop/backups/backups.ts';
import { mailDaySheet, wishDaySheet } from '#shop/day-sheet/day-sheet.ts';
import { eachEngine, onPostgres, type FreshDatabase } from '#test/database.ts';
import { mails } from '#shop/mail/mail.sql.ts';
import { annaOwns } from '#test/people.ts';
import { countOf, queuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';

const hourMs = 3_600_000;
const roomy = { freeBytes: 50e9, totalBytes: 100e9 };

/** A shop on a disk that the test fills, and what its owner reads. */
async function deskOf(fresh: FreshDatabase) {
  const disk = { ...roomy };
  const it = await openTestShop(fresh);
  it.shop.storage.room = async () => disk;
  const owner = it.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const sheet = async () => (await owner.get('/api/admin/day-sheet')).json as DaySheet;
  const line = async (kind: DayLine['kind']) => (await sheet()).lines.find((one) => one.kind === kind);
  return { it, disk, owner, sheet, line };
}
/** On to the next time it is this hour where the shop is. */
function awaitHour({ clock }: TestShop, hour: number) {
  do clock.advance(hourMs);
  while (hourOf(clock.now()) !== hour);
}
async function ask(it: TestShop) {
  const question = {
    name: 'Anna',
    email: 'anna@example.com',
    subject: 'My frame sleeps',
    message: 'It does not wake.',
  };
  expect((await it.browser().post('/api/support-tickets', question)).status).toBe(200);
}
const sheetsMailed = (it: TestShop) => queuedMails(it.shop.db, 'owner-day-sheet:');

eachEngine((fresh) => {
  test('nothing waits in a new shop', async () => {
    const { sheet } = await deskOf(fresh);
    expect(await sheet()).toEqual({ lines: [], isMailed: false });
  });

  test('everything that waits has its line, the most pressing first, until it is done', async () => {
    const { it, disk, sheet, owner, line } = await deskOf(fresh);
    const { db } = it.shop;
    await annaOwns(it);
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
    await ask(it);
    await db.execute(sql`update jobs.job set start_after = now() - interval '1 hour' where name = 'send-mail'`);
    await db.execute(sql`update mails set queued_at = ${hoursAgo(2)} where order_id = ${order.id}`);
    const unsent = await db.$count(mails, eq(mails.orderId, order.id));
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
      { kind: 'mails-unsent', count: unsent, orderId: order.id },
      { kind: 'videos-to-check', count: 14 },
      { kind: 'tickets', count: 1 },
    ]);

    await db.execute(sql`update disputes set status = 'won'`);
    await db.execute(sql`update payments set state = 'refunded'`);
    await db.execute(sql`update production_orders set waiting_since = null, to_review = 0, failed = 0`);
    await db.execute(sql`update tickets set status = 'completed'`);
    await db.execute(sql`update mails set sent_at = now()`);
    await db.execute(sql`delete from jobs.job`);
    Object.assign(disk, roomy);
    expect((await sheet()).lines).toEqual([]);
    // The queue counts anew every few seconds, and would count none.
    await vi.waitFor(async () => {
      await db.execute(
        sql`update jobs.queue set failed_count = 2 where name in ('sweep-files', 'send-mail', 'render-video')`,
      );
      expect(await line('jobs-failed')).toEqual({ kind: 'jobs-failed', count: 2, names: ['sweep-files'] });
    });
  });

  test('a shop that sells and is not backed up says so, until it is', async () => {
    const { it, line, owner, sheet } = await deskOf(fresh);
    await annaOwns(it);
    const dayMs = 24 * hourMs;
    it.clock.advance(6 * dayMs);
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    expect(await line('backup-overdue')).toBeUndefined();
    it.clock.advance(2 * dayMs);
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    expect(await line('backup-overdue')).toEqual({ kind: 'backup-overdue', lastAt: null });
    const takenAt = new Date(it.clock.now().getTime() - 8 * dayMs);
    await keepBackup(it.shop, { takenAt, files: 3, sizeBytes: 4e9 });
    expect(await line('backup-overdue')).toEqual({ kind: 'backup-overdue', lastAt: takenAt.toISOString() });
    expect(await sheet()).not.toHaveProperty('lastBackupAt'); // its line says it
    const now = it.clock.now();
    await keepBackup(it.shop, { takenAt: now, files: 3, sizeBytes: 4e9 });
    expect(await line('backup-overdue')).toBeUndefined();
    expect(await sheet()).toMatchObject({ lastBackupAt: now.toISOString() });
  });

  test('what is on its way is no news: a promise that holds, a mail of this hour, a render or a backup that waits for another', async () => {
    const { it, sheet, owner } = await deskOf(fresh);
    const { db } = it.shop;
    await annaOwns(it);
    const [order] = (await owner.get('/api/admin/orders')).json;
    const since = new Date(it.clock.now().getTime() - 71 * hourMs).toISOString();
    await db.execute(sql`insert into production_orders (order_id, finalized_at, waiting_since, under_way)
      values (${order.id}, ${since}, ${since}, 40)`);
    await db.execute(sql`update jobs.job set start_after = now() - interval '5 minutes'`);
    await it.shop.jobs.enqueue(db, 'render-video', { videoId: 'none', take: 1 });
    await it.shop.jobs.enqueue(db, 'back-up', {});
    await db.execute(
      sql`update jobs.job set start_after = now() - interval '10 hours' where name in ('render-video', 'back-up')`,
    );
    expect((await sheet()).lines).toEqual([]);
  });

  test('it is mailed once each morning, on quiet days as well, for as long as the owner wants it', async () => {
    const { it, owner } = await deskOf(fresh);
    expect((await owner.put('/api/admin/day-sheet', { isMailed: true })).json).toEqual({ lines: [], isMailed: true });
    awaitHour(it, 6);
    await mailDaySheet(it.shop);
    expect(await sheetsMailed(it)).toEqual([]);
    awaitHour(it, 7);
    for (let again = 0; again < 3; again++) await mailDaySheet(it.shop);
    expect(await sheetsMailed(it)).toMatchObject([
      { to: 'support@kinframe.example', content: { kind: 'owner-day-sheet', lines: [] } },
    ]);
    await it.shop.db.update(mails).set({ sentAt: it.clock.now() });
    // A shop that was down at seven makes up for it, but not in the afternoon.
    awaitHour(it, 12);
    awaitHour(it, 11);
    await ask(it);
    const takenAt = new Date(it.clock.now().getTime() - 8 * hourMs);
    await keepBackup(it.shop, { takenAt, files: 3, sizeBytes: 4e9 });
    await mailDaySheet(it.shop);
    const [, second] = await sheetsMailed(it);
    expect(second!.content).toMatchObject({
      lastBackup: `Last backup: ${shortMomentWords(takenAt)}`,
      lines: [{ words: '1 open ticket', url: 'http://localhost:3999/admin?tab=support&filter=open' }],
    });
    awaitHour(it, 12);
    await wishDaySheet(it.shop, false);
    awaitHour(it, 8);
    await mailDaySheet(it.shop);
    expect(await sheetsMailed(it)).toHaveLength(2);
  });

  test('a wish that is none is refused, and nothing changes', async () => {
    const { it, owner, sheet } = await deskOf(fresh);
    for (const body of [{}, { isMailed: 'yes' }, { isMailed: null }])
      expect((await owner.put('/api/admin/day-sheet', body)).status).toBe(400);
    expect((await sheet()).isMailed).toBe(false);
    expect(await countOf(it.shop.db, 'day_sheet_wishes')).toBe(0);
  });
});

onPostgres((fresh) => {
  test('ten processes write one mail', async () => {
    const { it } = await deskOf(fresh);
    await wishDaySheet(it.shop, true);
    awaitHour(it, 7);
    await Promise.all(Array.from({ length: 10 }, () => mailDaySheet(it.shop)));
    expect(await sheetsMailed(it)).toHaveLength(1);
  });
});
