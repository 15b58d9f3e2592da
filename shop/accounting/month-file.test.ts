import { sql } from 'drizzle-orm';
import { readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { sandboxObjects } from '#adapters/payments/sandbox/sandbox.sql.ts';
import { seedOrders } from '../../bench/seed-orders.ts';
import { toShopDay } from '#contract/calendar.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyAndVerify } from '#test/people.ts';
import { createFaultyProvider, rejectAsUnavailable } from '#test/provider.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { syncDisputes } from '../refunds/disputes.ts';
import { disputes, refunds } from '../refunds/refunds.sql.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { readFees } from '../payments/fees.ts';
import { differenceNames, readMonthFile, spanOfMonth, type MonthFileRow } from './month-file.ts';
import { refundedTaxOf } from './refunded-tax.ts';

const month = '2026-10';

async function readRowsOf(it: TestShop, ofMonth = month) {
  const rows: MonthFileRow[] = [];
  for await (const page of readMonthFile(it.shop, ofMonth)) rows.push(...page);
  const rowsOfSection = (name: MonthFileRow['section']) => rows.filter((row) => row.section === name);
  const findCheckRow = (kind: string) => rowsOfSection('Check').find((row) => row.kind === kind);
  return {
    lines: rowsOfSection('Lines'),
    totals: rowsOfSection('Totals'),
    taxes: rowsOfSection('Tax by state'),
    section: rowsOfSection,
    checked: findCheckRow,
  };
}
const sumOf = <Row>(rows: readonly Row[], of: (row: Row) => number | null) =>
  rows.reduce((sum, row) => sum + (of(row) ?? 0), 0);

const rejectAsError = (error: unknown) => {
  throw error;
};

/** Repeatable random numbers from 0 to 1 (mulberry32). */
function createRandomNumbers(seed: number) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const stateTaxes = [
  { code: 'NY', name: 'New York', percent: 8.875 },
  { code: 'CA', name: 'California', percent: 7.25 },
  { code: 'TX', name: 'Texas', percent: 8.25 },
  { code: 'OR', name: 'Oregon', percent: 0 },
  { code: 'WA', name: 'Washington', percent: 10.35 },
];

interface Booking {
  at: number;
  category: string;
  amount: number;
  fee: number;
  source: { id: string; object: string; payment_intent?: string };
}

/**
 * Makes orders that are paid around October 2026, with promotions, sales tax of several states, partial
 * and failed refunds, and disputes. Writes what the payment provider would have booked for them.
 */
async function makeOrders(it: TestShop, count = 1000) {
  const { db } = it.shop;
  const random = createRandomNumbers(20_261_001);
  const randomBelow = (count: number) => Math.floor(random() * count);
  await seedOrders(db, { orders: count, photos: 0 });
  const { rows: made } = await db.execute<{ id: string; payment: string; intent: string }>(
    sql`select id, payment_id as payment, stripe_payment_intent_id as intent from orders order by id`,
  );
  const periodStart = Date.parse('2026-09-27T00:00:00Z');
  const end = Date.parse('2026-11-04T00:00:00Z');
  const bookings: Booking[] = [];
  const orderChanges: Record<string, unknown>[] = [];
  const refundRows: (typeof refunds.$inferInsert)[] = [];
  const disputeRows: (typeof disputes.$inferInsert)[] = [];
  for (const [n, { id, payment, intent }] of made.entries()) {
    // The first two are charged in the last second of a month and become orders in the next month.
    const paidAt = n < 2 ? Date.parse(`2026-1${n}-01T03:59:59Z`) : periodStart + randomBelow(end - periodStart);
    const stateTax = stateTaxes[randomBelow(stateTaxes.length)]!;
    const subtotal = 19_900 + 999 * randomBelow(4);
    const discount = random() < 0.3 ? Math.round(subtotal * 0.15) : 0;
    const tax = Math.round(((subtotal - discount) * stateTax.percent) / 100);
    const total = subtotal - discount + tax;
    const fee = Math.round(total * 0.029) + 30;
    bookings.push({
      at: paidAt,
      category: 'charge',
      amount: total,
      fee,
      source: { id: `ch_${n}`, object: 'charge', payment_intent: intent },
    });
    let refunded = 0;
    const refundCount = random() < 0.35 ? 1 + randomBelow(3) : 0;
    for (let part = 0; part < refundCount; part += 1) {
      const unrefundedCents = total - refunded;
      const refundCents = part === 2 ? unrefundedCents : 1 + randomBelow(Math.floor(unrefundedCents / 2));
      const bookedAt = paidAt + (part + 1) * (3_600_000 + randomBelow(10 * 86_400_000));
      const providerRefundId = `re_${n}_${part}`;
      const isFailed = random() < 0.1;
      const refundSource = { id: providerRefundId, object: 'refund', payment_intent: intent };
      bookings.push({ at: bookedAt, category: 'refund', amount: -refundCents, fee: 0, source: refundSource });
      if (isFailed)
        bookings.push({
          at: bookedAt + 86_400_000,
          category: 'refund_failure',
          amount: refundCents,
          fee: 0,
          source: refundSource,
        });
      else refunded += refundCents;
      const refundedAt = new Date(bookedAt - 2000);
      refundRows.push({
        id: `refund-${n}-${part}`,
        paymentId: payment,
        orderId: id,
        amountCents: refundCents,
        reason: 'Too many',
        state: isFailed ? 'failed' : 'succeeded',
        providerRefundId,
        createdAt: refundedAt,
        updatedAt: refundedAt,
      });
    }
    if (refunded < total && random() < 0.03) {
      const bookedAt = paidAt + 12 * 86_400_000;
      const disputedCents = total - refunded;
      const isWon = random() < 0.5;
      const disputeSource = { id: `du_${n}`, object: 'dispute', payment_intent: intent };
      bookings.push({ at: bookedAt, category: 'dispute', amount: -disputedCents, fee: 1500, source: disputeSource });
      if (isWon)
        bookings.push({
          at: bookedAt + 86_400_000,
          category: 'dispute_reversal',
          amount: disputedCents,
          fee: 0,
          source: disputeSource,
        });
      const disputedAt = new Date(bookedAt + 1000);
      disputeRows.push({
        id: `du_${n}`,
        orderId: id,
        amountCents: disputedCents,
        reason: 'fraudulent',
        status: isWon ? 'won' : 'lost',
        createdAt: disputedAt,
        updatedAt: disputedAt,
      });
    }
    orderChanges.push({
      id,
      payment,
      subtotal,
      discount,
      tax,
      total,
      refunded,
      state: stateTax.code,
      place: tax > 0 ? stateTax.name : null,
      at: new Date(paidAt + 1000 + randomBelow(30_000)).toISOString(),
      fee: random() < 0.2 ? null : fee,
    });
  }
  await db.execute(sql`
    update orders set created_at = at::timestamptz, subtotal_cents = subtotal, discount_cents = discount, tax_cents = tax,
      total_cents = total, refunded_cents = refunded, tax_jurisdiction = place,
      shipping_address = jsonb_build_object('country', 'US', 'state', state)
    from jsonb_to_recordset(${JSON.stringify(orderChanges)}::jsonb) as it(id text, subtotal int, discount int, tax int,
      total int, refunded int, state text, place text, at text) where orders.id = it.id`);
  await db.execute(sql`
    update payments set amount_cents = total, fee_cents = fee
    from jsonb_to_recordset(${JSON.stringify(orderChanges)}::jsonb) as it(payment text, total int, fee int)
    where payments.id = it.payment`);
  await db.insert(refunds).values(refundRows);
  await db.insert(disputes).values(disputeRows);
  return { bookings, made };
}

/** Writes the bookings as Stripe shows them. */
async function insertBookings({ shop: { db } }: TestShop, bookings: Booking[]) {
  const oldestFirst = bookings.toSorted((one, other) => one.at - other.at);
  const sourcesById = new Map(bookings.map((it) => [it.source.id, it.source]));
  const providerObjects: { id: string; object: string }[] = [
    ...sourcesById.values(),
    ...oldestFirst.map(({ at: bookedAt, category, amount, fee, source }, n) => ({
      id: `txn_${n}`,
      object: 'balance_transaction',
      amount,
      fee,
      net: amount - fee,
      currency: 'usd',
      created: Math.floor(bookedAt / 1000),
      reporting_category: category,
      source: source.id,
    })),
  ];
  await db
    .insert(sandboxObjects)
    .values(providerObjects.map((body) => ({ id: body.id, type: body.object, body, createdAt: new Date() })));
}

const isOfMonth = (ofMonth: string) => (it: Booking) => toShopDay(Math.floor(it.at / 1000) * 1000).startsWith(ofMonth);
const isPayout = ({ category }: Booking) => category === 'payout';
const computeNet = (it: Booking) => it.amount - it.fee;

describeOnFastestEngine((fresh) => {
  test('a month of 1,000 orders agrees with the provider’s balance to the cent, and its tax with the orders', async () => {
    const testShop = await openTestShop(fresh);
    const { bookings } = await makeOrders(testShop);
    await insertBookings(testShop, bookings);
    const months = ['2026-09', '2026-10', '2026-11', '2026-12'];
    const files = await Promise.all(months.map((one) => readRowsOf(testShop, one)));
    for (const [bookedAt, { lines, taxes, totals, section, checked }] of files.entries()) {
      const bookedInMonth = bookings.filter(isOfMonth(months[bookedAt]!));
      expect(lines).toHaveLength(bookedInMonth.length + bookedInMonth.filter((one) => one.fee !== 0).length);
      const balanceCents = sumOf(bookedInMonth, computeNet);
      expect(checked('Balance at the payment provider')).toMatchObject({ balanceCents });
      expect(checked('Sum of the lines')).toMatchObject({ amountCents: balanceCents });
      expect(sumOf(lines, (line) => line.amountCents)).toBe(balanceCents);
      expect(section('Check')).toHaveLength(4); // no difference has a name
      expect(checked('Difference without an explanation')).toMatchObject({ differenceCents: 0 });
      for (const line of lines.filter((one) => one.itemsCents !== null))
        expect(line.itemsCents! + (line.discountCents ?? 0) + (line.shippingCents ?? 0) + line.taxCents!).toBe(
          line.amountCents,
        );
      const remainingTaxRows = taxes.filter((row) => row.kind === 'After refunds');
      const salesTotal = totals.find((row) => row.kind === 'Sales after refunds')!;
      expect(sumOf(remainingTaxRows, (row) => row.taxCents)).toBe(salesTotal.taxCents);
      expect(sumOf(remainingTaxRows, (row) => row.amountCents)).toBe(salesTotal.amountCents);
    }
    const october = files[1]!;
    expect(october.lines.length).toBeGreaterThan(1500);
    const kinds = new Set(october.lines.map((line) => line.kind));
    expect(kinds).toEqual(new Set(['Payment', 'Fee', 'Refund', 'Refund returned', 'Dispute', 'Dispute returned']));
    // Over all months, the tax of each state equals the tax that the orders paid minus the refunded tax.
    const { rows: keptByState } = await testShop.shop.db.execute<{ place: string; tax: number }>(sql`
      select coalesce(tax_jurisdiction, 'Oregon') as place, sum(kept_tax_cents(tax_cents, total_cents, refunded_cents))::int as tax
      from orders group by 1 order by 1`);
    const allRemainingTaxRows = files.flatMap((file) => file.taxes.filter((row) => row.kind === 'After refunds'));
    expect(keptByState).toHaveLength(stateTaxes.length);
    for (const { place, tax } of keptByState)
      expect([
        place,
        sumOf(
          allRemainingTaxRows.filter((row) => row.place === place),
          (row) => row.taxCents,
        ),
      ]).toEqual([place, tax]);
  });

  test('names and explains each difference between the shop’s records and the provider’s balance', async () => {
    const testShop = await openTestShop(fresh);
    const { bookings, made } = await makeOrders(testShop, 100);
    const bookingsOfMonth = bookings.filter(isOfMonth(month));
    // The first charge is of the last second of the month, so its order belongs to the next month.
    const [, wrong, ...unbooked] = bookingsOfMonth.filter((one) => one.category === 'charge').slice(0, 4);
    const bookedAt = Date.parse('2026-10-15T12:00:00Z');
    const changedBookings = bookings
      .filter((one) => !unbooked.includes(one))
      .map((one) => (one === wrong ? { ...one, amount: one.amount - 7 } : one));
    const bookingsWithOthers: Booking[] = [
      ...changedBookings,
      {
        at: bookedAt,
        category: 'charge',
        amount: 5000,
        fee: 175,
        source: { id: 'ch_other', object: 'charge', payment_intent: 'pi_other' },
      },
      {
        at: bookedAt,
        category: 'refund',
        amount: -300,
        fee: 0,
        source: { id: 're_other', object: 'refund', payment_intent: made[0]!.intent },
      },
      { at: bookedAt, category: 'fee', amount: 0, fee: 250, source: { id: 'x_fee', object: 'invoice' } },
      { at: bookedAt, category: 'topup', amount: 10_000, fee: 0, source: { id: 'tu_1', object: 'topup' } },
      { at: bookedAt, category: 'payout', amount: -70_000, fee: 0, source: { id: 'po_1', object: 'payout' } },
    ];
    await insertBookings(testShop, bookingsWithOthers);
    const { section, checked, lines, totals } = await readRowsOf(testShop);
    const balanceCents = sumOf(
      bookingsWithOthers.filter((one) => isOfMonth(month)(one) && !isPayout(one)),
      computeNet,
    );
    expect(checked('Balance at the payment provider')).toMatchObject({ balanceCents });
    expect(checked('Difference without an explanation')).toMatchObject({ differenceCents: 0 });
    const namedDifferences = section('Check').slice(3, -1);
    const differencesByKind = Object.fromEntries(
      namedDifferences.map((row) => [row.kind, [row.differenceCents, row.note]]),
    );
    expect(differencesByKind).toEqual({
      [differenceNames['payment-without-order']]: [5000, '1 line'],
      [differenceNames['payment-differs']]: [-7, '1 line'],
      [differenceNames['unknown-refund']]: [-300, '1 line'],
      [differenceNames['other-movement']]: [10_000, '1 line'],
      [differenceNames['order-without-payment']]: [-sumOf(unbooked, (one) => one.amount), '2 lines'],
    });
    expect(lines.find((line) => line.kind === 'Payout')).toMatchObject({ amountCents: -70_000, differenceCents: 0 });
    expect(lines.find((line) => line.kind === 'Service fee')).toMatchObject({ note: 'fee' });
    expect(totals.find((row) => row.kind === 'Payout')).toMatchObject({ amountCents: -70_000 });
    expect(lines.find((line) => line.note?.startsWith('Payment without an order'))).toMatchObject({
      note: 'Payment without an order. Not a payment of this shop',
      orderNumber: null,
    });
  });

  test('downloads the month of real payments, refunds and disputes as CSV and as a workbook', async () => {
    const testShop = await openTestShop(fresh);
    const { db, sandbox } = testShop.shop;
    const owner = testShop.browser();
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    await buyAndVerify(testShop.browser(), { quantity: 2 });
    const disputedPurchase = await buyAndVerify(testShop.browser(), { extraPackages: 1 });
    const rows: { id: string; totalAmount: number }[] = (await owner.get('/api/admin/lists/orders')).json.rows;
    const largeRow = rows.find((row) => row.totalAmount === 39_800)!;
    const refund = { amountCents: 1999, reason: 'Scratched', withdrawPhotos: false };
    expect((await owner.post(`/api/admin/orders/${largeRow.id}/refunds`, refund)).status).toBe(200);
    for (const { id } of await db.select().from(refunds)) await requestRefund(testShop.shop, id);
    await sandbox!.dispute(disputedPurchase.paymentIntentId);
    await syncDisputes(testShop.shop, disputedPurchase.paymentIntentId);
    await readFees(testShop.shop, { signal: new AbortController().signal, onError: rejectAsError });
    const now = toShopDay(testShop.clock.now()).slice(0, 7);
    const csvResponse = await owner.get(`/api/analytics/month-file.csv?month=${now}`);
    expect(csvResponse.status, csvResponse.text).toBe(200);
    expect(csvResponse.headers['content-disposition']).toContain(`filename="accountant-${now}.csv"`);
    const cells = csvResponse.text
      .slice(1)
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    const lines = cells.filter(([section]) => section === 'Lines').map((line) => [line[1], line[9], line[11]]);
    // $398.00 and $208.99 were paid, with fees of $11.84 and $6.36; the dispute costs $15.00.
    expect(lines.map(String).toSorted()).toEqual(
      [
        ['Dispute', '-208.99', '0.00'],
        ['Fee', '-15', '0.00'],
        ['Refund', '-19.99', '0.00'],
        ['Payment', '208.99', '0.00'],
        ['Fee', '-6.36', '0.00'],
        ['Payment', '398.00', '0.00'],
        ['Fee', '-11.84', '0.00'],
      ]
        .map(String)
        .toSorted(),
    );
    expect(cells.find((line) => line[1] === 'Balance at the payment provider')![10]).toBe('344.81');
    expect(cells.find((line) => line[1] === 'Difference without an explanation')![11]).toBe('0.00');
    const book = await readXlsx((await owner.get(`/api/analytics/month-file.xlsx?month=${now}`)).bytes);
    expect(book.sheets[0]!.rows).toHaveLength(cells.length);
    const { audit_trail: trail } = await readAllTables(db);
    expect(trail).toContainEqual(
      expect.objectContaining({ act: 'export-list', subject_id: 'month-file', after: { month: now } }),
    );
    for (const wrongValue of ['', '?month=2026-13', '?month=2026-1', '?month=never'])
      expect((await owner.get(`/api/analytics/month-file.csv${wrongValue}`)).status, wrongValue).toBe(400);
    expect((await testShop.browser().get(`/api/analytics/month-file.csv?month=${now}`)).status).toBe(401);
  });

  test('answers 503 during an outage of the provider, and records no download', async () => {
    const { provider } = createFaultyProvider(() => ({
      listBalanceTransactions: async function* () {
        yield await rejectAsUnavailable();
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    const owner = testShop.browser();
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    const response = await owner.get(`/api/analytics/month-file.csv?month=${month}`);
    expect([response.status, response.json.code]).toEqual([503, 'payment-provider-unavailable']);
    const { audit_trail: trail } = await readAllTables(testShop.shop.db);
    expect(trail).not.toContainEqual(expect.objectContaining({ act: 'export-list' }));
  });
});

test('a month begins and ends at midnight of the shop’s calendar, also when clocks change', () => {
  expect(spanOfMonth('2026-11')).toEqual({
    from: new Date('2026-11-01T04:00:00Z'),
    until: new Date('2026-12-01T05:00:00Z'),
  });
  expect(spanOfMonth('2026-12').until).toEqual(new Date('2027-01-01T05:00:00Z'));
});

test('the refunded tax of all parts adds up to the whole tax, without failed refunds', () => {
  const order = { taxCents: 1777, totalCents: 21_677 };
  const partialRefunds = [1, 999, 7000, 5000, 8677].map((amountCents, bookedAt) => ({
    id: `${bookedAt}`,
    amountCents,
    state: 'succeeded' as const,
  }));
  const failedRefund = { id: 'failed', amountCents: 5000, state: 'failed' as const };
  const refundsWithFailed = [partialRefunds[0]!, failedRefund, ...partialRefunds.slice(1)] as unknown as Parameters<
    typeof refundedTaxOf
  >[2][];
  expect(
    sumOf(partialRefunds, (part) =>
      refundedTaxOf(
        order,
        refundsWithFailed,
        refundsWithFailed.find((one) => one.id === part.id)!,
      ),
    ),
  ).toBe(1777);
});
