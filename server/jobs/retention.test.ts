import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { recordAuditEntry } from '#shop/audit/audit.ts';
import { refundPayment } from '#shop/payments/automatic-refunds.ts';
import { settleIntentById } from '#shop/payments/settle.ts';
import type { Db } from '#shop/ports/database.ts';
import { describeOnFastestEngine, describeOnEachEngine } from '#test/database.ts';
import { pay, startAddon, startPayment, runPaymentSettlement } from '#test/paying.ts';
import { anna, buyFramesAsAnna, buyAndVerify } from '#test/people.ts';
import { countRows, readAllTables, readWaitingJobs } from '#test/rows.ts';
import { openTestShop } from '#test/shop.ts';
import { deleteOldData } from './retention.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const pastMoment = '2026-01-01T00:00:00Z';

/**
 * A row for some of the rules, the column with its date, and two ages: at the first age the row is kept, at the second
 * it is deleted.
 */
const kinds = [
  {
    table: 'page_views',
    dated: 'viewed_at',
    row: { id: 'a', page_path: '/', user_agent: 'Browser' },
    ages: [394 * dayMs, 400 * dayMs],
  },
  {
    table: 'tickets',
    dated: 'created_at',
    row: {
      id: 'a',
      ticket_number: 'T-1',
      kind: 'contact',
      status: 'open',
      subject: 'Frames',
      customer_name: 'Anna',
      customer_email: 'anna@example.com',
      sms_consent: false,
      message: 'Hello',
      admin_notes: '',
    },
    ages: [729 * dayMs, 733 * dayMs],
  },
  {
    table: 'payment_events',
    dated: 'received_at',
    row: { id: 'a', type: 'charge.succeeded' },
    ages: [89 * dayMs, 91 * dayMs],
  },
  {
    table: 'tokens',
    dated: 'expires_at',
    row: { token_hash: 'a', purpose: 'delivery', subject_id: 'a', created_at: pastMoment },
    ages: [29 * dayMs, 31 * dayMs],
  },
  {
    table: 'sessions',
    dated: 'expires_at',
    row: { token_hash: 'a', kind: 'admin', created_at: pastMoment, last_seen_at: pastMoment },
    ages: [-minuteMs, minuteMs],
  },
  {
    table: 'sign_in_failures',
    dated: 'last_failed_at',
    row: { key: 'a', failures: 3 },
    ages: [14 * minuteMs, 16 * minuteMs],
  },
  {
    table: 'slow_photos',
    dated: 'refused_at',
    row: { id: 'a', sender: 'a' },
    ages: [limits.slowPhotosSeconds * 1000 - minuteMs, limits.slowPhotosSeconds * 1000 + minuteMs],
  },
  { table: 'rate_counters', dated: 'ends_at', row: { key: 'a', count: 3 }, ages: [59 * minuteMs, 61 * minuteMs] },
];
/** Inserts the row with an explicit column list, because generated columns accept no value. */
const insertRow = (db: Db, table: string, row: object) => {
  const name = sql.identifier(table);
  const columns = sql.join(
    Object.keys(row).map((it) => sql.identifier(it)),
    sql`, `,
  );
  return db.execute(
    sql`insert into ${name} (${columns}) select ${columns} from jsonb_populate_record(null::${name}, ${JSON.stringify(row)}::jsonb)`,
  );
};

describeOnFastestEngine((fresh) => {
  test.each(kinds)('deletes rows of $table at their age limit, but not before', async ({ table, dated, row, ages }) => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const [young, old] = ages as [number, number];
    await insertRow(db, table, { ...row, [dated]: new Date(testShop.clock.now().getTime() - young).toISOString() });
    await deleteOldData(testShop.shop);
    expect(await countRows(db, table)).toBe(1);
    testShop.clock.advance(old - young);
    await deleteOldData(testShop.shop);
    expect(await countRows(db, table)).toBe(0);
  });

  test('after 30 days deletes data of buyers who never paid, but not of those who paid or may have paid', async () => {
    const testShop = await openTestShop(fresh);
    const ben = { ...anna, firstName: 'Ben', email: 'ben@example.com' };
    const clara = { ...anna, firstName: 'Clara', email: 'clara@example.com' };
    const readKnownTables = async () => {
      const { carts, payments } = await readAllTables(testShop.shop.db);
      const listEmails = (rows: unknown[] = []) =>
        rows.map((row) => String((row as { email: string | null }).email)).toSorted();
      return [
        listEmails(carts!.map((row) => (row as { details: unknown }).details ?? { email: null })),
        listEmails(payments),
      ];
    };
    const allEmails = [anna.email, ben.email, clara.email];
    await buyAndVerify(testShop.browser());
    await startPayment(testShop.browser(), { customerDetails: ben });
    testShop.clock.advance(2 * dayMs);
    await runPaymentSettlement(testShop); // Ben did not pay, so the provider closes his payment
    await startPayment(testShop.browser(), { customerDetails: clara });
    testShop.clock.advance(27 * dayMs);
    await deleteOldData(testShop.shop);
    expect(await readKnownTables()).toEqual([allEmails, allEmails]);
    testShop.clock.advance(40 * dayMs);
    await deleteOldData(testShop.shop);
    const withoutBen = [anna.email, clara.email, 'null'];
    expect(await readKnownTables()).toEqual([withoutBen, withoutBen]);
  });

  test('after 30 days deletes the data of a buyer whose payment was refunded because it bought nothing', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const intent = await startAddon(browser, frames[0]!.deviceId);
    await pay(browser, intent);
    expect((await browser.post('/api/account/delete')).status).toBe(200);
    await settleIntentById(testShop.shop, intent.paymentIntentId);
    const [{ data }] = (await readWaitingJobs(testShop.shop.db, 'refund-payment')) as [{ data: { paymentId: string } }];
    await refundPayment(testShop.shop, data.paymentId);
    testShop.clock.advance(31 * dayMs);
    await deleteOldData(testShop.shop);
    const { payments } = await readAllTables(testShop.shop.db);
    expect(payments!.map((row) => (row as { email: string | null }).email)).toEqual([null, null]);
  });

  test('never deletes audit entries of the admin panel', async () => {
    const testShop = await openTestShop(fresh);
    await recordAuditEntry(testShop.shop.db, testShop.clock, { act: 'admin-sign-in', requestId: 'a' });
    testShop.clock.advance(20 * 365 * dayMs);
    await deleteOldData(testShop.shop);
    expect(await countRows(testShop.shop.db, 'audit_trail')).toBe(1);
  });
});

describeOnEachEngine((fresh) => {
  test('deletes all rows that are too old, in any number of batches, and none after the job is stopped', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await db.execute(sql`
      insert into page_views (id, page_path, user_agent, viewed_at)
      select n, '/', 'Browser', now() - make_interval(days => case when n <= 2500 then 500 else 1 end)
      from generate_series(1, 2510) n`);
    await deleteOldData(testShop.shop, AbortSignal.abort());
    expect(await countRows(db, 'page_views')).toBe(2510);
    await deleteOldData(testShop.shop);
    expect(await countRows(db, 'page_views')).toBe(10);
  });
});
