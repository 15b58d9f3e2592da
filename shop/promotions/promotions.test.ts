import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { contentSections, type Content } from '#contract/content.ts';
import { toShopDay } from '#contract/calendar.ts';
import { PaymentProviderError } from '#shop/ports/card-payments.ts';
import type { Db } from '#shop/ports/database.ts';
import { systemClock } from '#adapters/database/database.ts';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { anna, buyAndVerify, confirmIntentWithCard } from '#test/people.ts';
import { runPaymentCancelJobs } from '#test/paying.ts';
import { rejectAsUnavailable, createFaultyProvider } from '#test/provider.ts';
import { countRows, readAllTables, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { writeContent } from '../content/content.ts';
import { deleteOldData } from '#server/jobs/retention.ts';
import { refundPayment } from '../payments/automatic-refunds.ts';
import { settleIntentById } from '../payments/settle.ts';
import { settleOpenPayments } from '../payments/sweep.ts';
import { computeDiscountCents, readPromotion } from './promotions.ts';

type Promo = Content<'promos'>[number];
const [minute, hour] = [60_000, 3_600_000];
const giftPromo: Promo = {
  message: 'Ten percent off',
  startDate: toShopDay(Date.now() - 24 * hour),
  endDate: toShopDay(Date.now() + 240 * hour),
  discountCode: 'Gift10',
  discountPercent: 10,
};
const writePromotions = (db: Db, ...promos: Promo[]) => writeContent(db, systemClock, 'promos', promos);
const cart = { productId: 'kinframe', quantity: 1, extraPackages: 0, customerDetails: anna };
const requestIntentWith = (browser: Browser, changed: Record<string, unknown> = {}) =>
  browser.post('/api/create-payment-intent', { ...cart, promoCode: 'GIFT10', ...changed });
const checkCode = (browser: Browser, promoCode: string, changed: Record<string, unknown> = {}) =>
  browser.post('/api/check-promo-code', { ...cart, promoCode, ...changed });
const sweepPayments = (it: TestShop) =>
  settleOpenPayments(it.shop, {
    signal: new AbortController().signal,
    onError: (error) => {
      throw error;
    },
  });

interface Row {
  state: string;
  intent_id: string;
}
const readPayments = async (db: Db) => (await readAllTables(db))['payments'] as Row[];
/** Approves the payment on the bank's page, as the buyer does. */
const approvePayment = async (it: TestShop, answer: { json: unknown }) => {
  const { paymentIntentId, clientSecret } = toIntent(answer);
  const form = new URLSearchParams({ client_secret: clientSecret, decision: 'approve' });
  await it.browser().post(`/sandbox/stripe/authenticate/${paymentIntentId}`, form.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
};
/** Returns the stored number of uses. Expects that it matches the carts that have reserved or spent a use. */
async function countUses(db: Db): Promise<number> {
  const { rows } = await db.execute<{ used: number }>(sql`select used from promotion_counts where code = 'GIFT10'`);
  const carts = (await readAllTables(db))['carts'] as { promotion_use: string; promo_code: string | null }[];
  const usedCarts = carts.filter((it) => it.promotion_use !== 'none' && it.promo_code === 'Gift10').length;
  expect(rows[0]?.used ?? 0).toBe(usedCarts);
  return usedCarts;
}

describe('the discount of a promo code', () => {
  test.each([
    [19_900, 10, 1990],
    [4_999, 50, 2500], // 2499.5 is rounded up
    [20_898, 12.5, 2612], // 2612.25 is rounded down
    [20_899, 12.5, 2612], // 2612.375 is rounded down
    [4_999, 0.01, 0], // 0.4999 is rounded down
    [5_000, 0.01, 1], // 0.5 is rounded up
    [999_999, 33.33, 333_300],
  ])('for a subtotal of %d cents and %d percent, the discount is %d cents', (subtotal, percent, cents) => {
    expect(computeDiscountCents(subtotal, { percent })).toBe(cents);
  });

  test('leaves at least the smallest amount that a card can be charged', () => {
    for (const percent of [99, 99.9, 100])
      expect(4_999 - computeDiscountCents(4_999, { percent })).toBeGreaterThanOrEqual(50);
    expect(4_999 - computeDiscountCents(4_999, { percent: 100 })).toBe(50);
  });

  test('refuses a discount of 100 percent, and a usage cap that is not a positive whole number', () => {
    const parsePromotions = (change: Partial<Promo>) => contentSections.promos.safeParse([{ ...giftPromo, ...change }]);
    expect(parsePromotions({ discountPercent: 100 }).error?.issues[0]?.message).toMatch(/at most 99 percent/);
    for (const usageCap of [0, -1, 1.5]) expect(parsePromotions({ usageCap }).success).toBe(false);
    expect(parsePromotions({ usageCap: 1, discountPercent: 99 }).success).toBe(true);
  });
});

/** Each stranger has a browser with another network address. */
let addressCount = 0;
const openStrangersBrowser = (it: TestShop) =>
  it.browser({ address: `203.0.${Math.floor((addressCount += 1) / 250)}.${addressCount % 250}` });
const toIntent = ({ json }: { json: unknown }) => json as { paymentIntentId: string; clientSecret: string };
const payIntentOf = (browser: Browser, answer: { json: unknown }, card?: string) => {
  const { paymentIntentId, clientSecret } = toIntent(answer);
  return confirmIntentWithCard(browser, paymentIntentId, clientSecret, card);
};
const verifyIntentOf = (browser: Browser, answer: { json: unknown }) =>
  browser.post('/api/verify-payment', { paymentIntentId: toIntent(answer).paymentIntentId });
const readIntentStatus = async (it: TestShop, answer: { json: unknown }) =>
  (await it.shop.provider.getIntent(toIntent(answer).paymentIntentId))!;
const compareNumbers = (a: number, b: number) => a - b;
const readOrders = async (db: Db) =>
  (await readAllTables(db))['orders'] as { total_cents: number; promo_code: string | null }[];

describeOnPostgres((fresh) => {
  test('gives a code with ten uses to ten of fifty buyers who enter it at once from fifty networks', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(db, { ...giftPromo, usageCap: 10 });
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => requestIntentWith(openStrangersBrowser(testShop))),
    );
    const successResponses = responses.filter((it) => it.status === 200);
    expect(successResponses).toHaveLength(10);
    for (const { json } of successResponses) expect(json).toMatchObject({ discountAmount: 1990, totalAmount: 17_910 });
    for (const { json } of responses.filter((it) => it.status !== 200))
      expect(json).toMatchObject({ success: false, code: 'promo-code-used-up' });
    expect(await countUses(db)).toBe(0);
    // The refused buyers leave no rows.
    expect([await countRows(db, 'payments'), await countRows(db, 'checkouts')]).toEqual([10, 10]);
  });

  test('charges five of twenty buyers in one network who pay at once with a code that has five uses', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(db, { ...giftPromo, usageCap: 5 });
    const buyers = Array.from({ length: 20 }, () => testShop.browser());
    const responses = await Promise.all(buyers.map((browser) => requestIntentWith(browser)));
    expect(responses.map((it) => it.status)).toEqual(Array(20).fill(200));
    await Promise.all(buyers.map((browser, at) => payIntentOf(browser, responses[at]!)));
    const verifyResponses = await Promise.all(buyers.map((browser, at) => verifyIntentOf(browser, responses[at]!)));
    expect(verifyResponses.filter((it) => it.status === 200)).toHaveLength(5);
    for (const { json } of verifyResponses.filter((it) => it.status !== 200))
      expect(json).toMatchObject({
        success: false,
        code: 'promo-code-lost',
        message: expect.stringContaining('$19.90'),
      });
    expect((await readOrders(db)).map((it) => it.total_cents)).toEqual(Array(5).fill(17_910));
    expect(await countUses(db)).toBe(5);
    const endStatuses = await Promise.all(responses.map((it) => readIntentStatus(testShop, it)));
    expect(endStatuses.map((it) => it.amountReceivedCents).toSorted(compareNumbers)).toEqual([
      ...Array(15).fill(0),
      ...Array(5).fill(17_910),
    ]);
  });

  test('gives the last use to one of two buyers who pay at once, in each of a hundred rounds', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const promoCodes = Array.from({ length: 100 }, (_, at) => `LAST${at}`);
    await writePromotions(db, ...promoCodes.map((discountCode) => ({ ...giftPromo, discountCode, usageCap: 1 })));
    for (const promoCode of promoCodes) {
      const [a, b] = [testShop.browser(), testShop.browser()];
      const [ofA, ofB] = [await requestIntentWith(a, { promoCode }), await requestIntentWith(b, { promoCode })];
      await Promise.all([payIntentOf(a, ofA), payIntentOf(b, ofB)]);
      const { paymentIntentId: intentA } = toIntent(ofA);
      const { paymentIntentId: intentB } = toIntent(ofB);
      const [verifiedA, verifiedB] = await Promise.all([
        verifyIntentOf(a, ofA),
        verifyIntentOf(b, ofB),
        settleIntentById(testShop.shop, intentA),
        settleIntentById(testShop.shop, intentB),
        settleIntentById(testShop.shop, intentA),
        settleIntentById(testShop.shop, intentB),
      ]);
      expect([verifiedA.status, verifiedB.status].toSorted(compareNumbers)).toEqual([200, 409]);
      expect([verifiedA, verifiedB].find((it) => it.status === 409)?.json.code).toBe('promo-code-lost');
      const endStatuses = [await readIntentStatus(testShop, ofA), await readIntentStatus(testShop, ofB)];
      expect(endStatuses.map((it) => `${it.status} ${it.amountReceivedCents}`).toSorted()).toEqual([
        'canceled 0',
        'succeeded 17910',
      ]);
    }
    const { rows } = await db.execute<{ used: number }>(sql`select used from promotion_counts`);
    expect(rows.map((it) => it.used)).toEqual(Array(100).fill(1));
    expect(await countRows(db, 'orders')).toBe(100);
    expect(await readWaitingJobs(db, 'refund-payment')).toEqual([]);
  }, 120_000);

  test('reserves one use of the code for a browser that prices eight carts at once', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(db, { ...giftPromo, usageCap: 2 });
    const browser = testShop.browser();
    await requestIntentWith(browser);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, extraPackages) => requestIntentWith(browser, { extraPackages })),
    );
    expect(responses.map((it) => it.status)).toEqual(Array(8).fill(200));
    expect(await countRows(db, 'promotion_holds')).toBe(1);
    expect((await requestIntentWith(openStrangersBrowser(testShop))).status).toBe(200);
    expect((await requestIntentWith(openStrangersBrowser(testShop))).json.code).toBe('promo-code-used-up');
  }, 600_000);

  test('makes one order and one charge when two tabs of one browser pay at once', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(db, { ...giftPromo, usageCap: 3 });
    for (let round = 0; round < 10; round++) {
      const browser = testShop.browser();
      const tabResponses = [await requestIntentWith(browser), await requestIntentWith(browser, { extraPackages: 1 })];
      await Promise.all(tabResponses.map((tab) => payIntentOf(browser, tab)));
      await Promise.allSettled([
        ...tabResponses.map((tab) => verifyIntentOf(browser, tab)),
        ...tabResponses.map((tab) => settleIntentById(testShop.shop, toIntent(tab).paymentIntentId)),
        runPaymentCancelJobs(testShop),
      ]);
      const endStatuses = await Promise.all(tabResponses.map((tab) => readIntentStatus(testShop, tab)));
      expect(endStatuses.map((it) => it.status).toSorted()).toEqual(['canceled', 'succeeded']);
      await db.execute(sql`update promotion_counts set used = 0`);
      await db.execute(sql`update carts set promotion_use = 'none'`);
    }
    expect(await countRows(db, 'orders')).toBe(10);
  }, 60_000);

  test('counts uses correctly while sweeps, cancellations and new buyers run at once', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(db, { ...giftPromo, usageCap: 5 });
    const earlyResponses = await Promise.all(
      Array.from({ length: 5 }, () => requestIntentWith(openStrangersBrowser(testShop))),
    );
    testShop.clock.advance(25 * hour);
    const paidIntent = toIntent(earlyResponses[0]!);
    await payIntentOf(testShop.browser(), earlyResponses[0]!);
    const laterBrowsers = Array.from({ length: 12 }, () => openStrangersBrowser(testShop));
    await Promise.all([
      ...Array.from({ length: 3 }, () => sweepPayments(testShop)),
      ...Array.from({ length: 3 }, () => settleIntentById(testShop.shop, paidIntent.paymentIntentId)),
      ...laterBrowsers.map((browser) => requestIntentWith(browser)),
    ]);
    expect(await countUses(db)).toBe(1);
    await sweepPayments(testShop);
    const states = (await readPayments(db)).filter((it) =>
      earlyResponses.some((e) => e.json.paymentIntentId === it.intent_id),
    );
    expect(states.map((it) => it.state).toSorted()).toEqual([...Array(4).fill('cancelled'), 'settled']);
    testShop.clock.advance(0.2 * hour);
    const lastResponses = await Promise.all(
      Array.from({ length: 4 }, () => requestIntentWith(openStrangersBrowser(testShop))),
    );
    expect(lastResponses.map((it) => it.status)).toEqual(Array(4).fill(200));
    expect(await countUses(db)).toBe(1);
  });
});

describeOnEachEngine((fresh) => {
  test('accepts a code with other case and spaces, and shows it with its discount in order and emails', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(db, giftPromo);
    const browser = testShop.browser();
    for (const typedCode of ['gift 10', 'ＧＩＦＴ１０', 'Gift10\u200b'])
      expect((await checkCode(browser, typedCode)).json, typedCode).toMatchObject({ promoCode: 'Gift10' });
    expect((await checkCode(browser, ' gift10 ', { extraPackages: 1 })).json).toEqual({
      promoCode: 'Gift10',
      discountAmount: 2090,
    });
    expect(await countUses(db)).toBe(0);
    const { intent, verified } = await buyAndVerify(browser, { promoCode: ' gift10 ', extraPackages: 1 });
    expect(intent).toMatchObject({
      subtotalAmount: 20_899,
      discountAmount: 2090,
      promoCode: 'Gift10',
      taxAmount: 0,
      totalAmount: 18_809,
    });
    const { json } = await browser.get(`/api/order-summary?session=${verified.json.session}`);
    expect(json.orders).toMatchObject([{ discountAmount: 2090, promoCode: 'Gift10', totalAmount: 18_809 }]);
    for (const { content } of await readQueuedMails(db))
      expect(content).toMatchObject({ discountCents: 2090, discountLabel: 'Gift10', totalCents: 18_809 });
    expect(await countUses(db)).toBe(1);
    // The public promotions data does not contain the code.
    expect((await browser.get('/data/promos.json')).text).not.toMatch(/gift|percent"|cap/i);
  });

  test('a browser’s reservation of a code lasts ten minutes, even if the cart changes', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(
      db,
      { ...giftPromo, usageCap: 1 },
      { ...giftPromo, discountCode: 'OTHER', discountPercent: 20 },
    );
    const [browser, other] = [testShop.browser(), openStrangersBrowser(testShop)];
    const firstIntentResponse = await requestIntentWith(browser);
    for (const extraPackages of [1, 2, 3]) {
      testShop.clock.advance(3 * minute);
      expect((await requestIntentWith(browser, { extraPackages })).json).toMatchObject({ promoCode: 'Gift10' });
      expect((await requestIntentWith(other)).json.code).toBe('promo-code-used-up');
      expect((await checkCode(other, 'GIFT10')).json.code).toBe('promo-code-used-up');
      expect((await checkCode(browser, 'GIFT10')).status).toBe(200); // this browser itself holds the last use
    }
    await runPaymentCancelJobs(testShop);
    expect((await testShop.shop.provider.getIntent(firstIntentResponse.json.paymentIntentId))!.status).toBe('canceled');
    expect(await countUses(db)).toBe(0);
    testShop.clock.advance(1.1 * minute);
    expect((await checkCode(other, 'GIFT10')).status).toBe(200);
    expect((await requestIntentWith(other)).status).toBe(200);
    // After ten minutes, both browsers can pay with the code. The last use goes to the buyer who pays first.
    expect((await requestIntentWith(browser, { promoCode: 'other' })).json).toMatchObject({ discountAmount: 3980 });
    expect((await requestIntentWith(browser)).json).toMatchObject({ discountAmount: 1990 });
    expect(await countUses(db)).toBe(0);
  });
});

describeOnFastestEngine((fresh) => {
  test('gives the last use to the next buyer if the first cart is not paid within ten minutes', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(db, { ...giftPromo, usageCap: 1 });
    await requestIntentWith(testShop.browser());
    testShop.clock.advance(9.9 * minute);
    expect((await requestIntentWith(openStrangersBrowser(testShop))).json.code).toBe('promo-code-used-up');
    testShop.clock.advance(0.2 * minute);
    const buyer = openStrangersBrowser(testShop);
    const { verified } = await buyAndVerify(buyer, { promoCode: 'GIFT10' });
    expect(verified.json).toMatchObject({ success: true });
    expect(await readOrders(db)).toMatchObject([{ promo_code: 'Gift10', total_cents: 17_910 }]);
    expect(await countUses(db)).toBe(1);
  });

  test('allows one reservation per day for each browser, and one for all browsers of a network', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(db, { ...giftPromo, usageCap: 1 });
    const addresses2 = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2::abc'];
    for (const address of addresses2) expect((await requestIntentWith(testShop.browser({ address }))).status).toBe(200);
    expect(await countRows(db, 'promotion_holds')).toBe(1);
    testShop.clock.advance(10.1 * minute);
    for (const address of addresses2) expect((await requestIntentWith(testShop.browser({ address }))).status).toBe(200);
    const [first, second] = [openStrangersBrowser(testShop), openStrangersBrowser(testShop)];
    expect((await requestIntentWith(first)).status).toBe(200);
    expect((await requestIntentWith(second)).json.code).toBe('promo-code-used-up');
    testShop.clock.advance(10.1 * minute);
    expect((await requestIntentWith(first, { extraPackages: 1 })).status).toBe(200);
    expect((await requestIntentWith(second)).status).toBe(200);
  });

  test('charges the first of two buyers for the last use; the other can pay the price without the code', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(db, { ...giftPromo, usageCap: 1 });
    const [slow, quick] = [testShop.browser(), openStrangersBrowser(testShop)];
    const slowPayment = await requestIntentWith(slow);
    testShop.clock.advance(11 * minute);
    const quickPayment = await requestIntentWith(quick);
    await payIntentOf(slow, slowPayment);
    expect((await verifyIntentOf(slow, slowPayment)).json).toMatchObject({ success: true });
    // The code is refused before the second buyer enters a card.
    expect((await checkCode(quick, 'GIFT10')).json.code).toBe('promo-code-used-up');
    // The payment is also refused if the second buyer pays with the code anyway.
    await payIntentOf(quick, quickPayment);
    const lateResponse = await verifyIntentOf(quick, quickPayment);
    expect([lateResponse.status, lateResponse.json.code]).toEqual([409, 'promo-code-lost']);
    expect(lateResponse.json.message).toBe(
      'Your card was not charged: someone else used Gift10 for the last time a moment before you. Without it, your order costs $19.90 more. If your bank shows a pending payment, it will disappear on its own.',
    );
    expect((await verifyIntentOf(quick, quickPayment)).json.code).toBe('promo-code-lost');
    expect(await readIntentStatus(testShop, quickPayment)).toMatchObject({
      status: 'canceled',
      amountReceivedCents: 0,
    });
    const { verified, intent } = await buyAndVerify(quick);
    expect([verified.json.success, intent.totalAmount]).toEqual([true, 19_900]);
    expect((await readOrders(db)).map((it) => it.total_cents).toSorted(compareNumbers)).toEqual([17_910, 19_900]);
    expect(await countUses(db)).toBe(1);
  });

  test.each(['the webhook', 'the sweep'])(
    '%s charges one of two buyers who never return for the last use, and cancels the other payment',
    async (by) => {
      const testShop = await openTestShop(fresh);
      const { db } = testShop.shop;
      await writePromotions(db, { ...giftPromo, usageCap: 1 });
      const [first, second] = [testShop.browser(), testShop.browser()];
      const responses = [await requestIntentWith(first), await requestIntentWith(second)];
      await payIntentOf(first, responses[0]!);
      await payIntentOf(second, responses[1]!);
      testShop.clock.advance(2 * minute);
      if (by === 'the sweep') await sweepPayments(testShop);
      else for (const response of responses) await settleIntentById(testShop.shop, toIntent(response).paymentIntentId);
      await sweepPayments(testShop);
      const endStatuses = await Promise.all(responses.map((answer) => readIntentStatus(testShop, answer)));
      expect(endStatuses.map((it) => it.status).toSorted()).toEqual(['canceled', 'succeeded']);
      expect([await countRows(db, 'orders'), await countUses(db)]).toEqual([1, 1]);
    },
  );

  test('reserves a code’s use only after the bank’s approval, and only if a use is left then', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(db, { ...giftPromo, usageCap: 1 });
    const authenticationCard = '4000002500003155';
    const [slow, other] = [testShop.browser(), openStrangersBrowser(testShop)];
    const response = await requestIntentWith(slow);
    await payIntentOf(slow, response, authenticationCard);
    expect(await readIntentStatus(testShop, response)).toMatchObject({ status: 'requires_action' });
    testShop.clock.advance(15 * minute);
    const quickPayment = await requestIntentWith(other);
    expect(quickPayment.status).toBe(200);
    await approvePayment(testShop, response);
    expect((await verifyIntentOf(slow, response)).json).toMatchObject({ success: true });
    await payIntentOf(other, quickPayment, authenticationCard);
    await approvePayment(testShop, quickPayment);
    expect((await verifyIntentOf(other, quickPayment)).json.code).toBe('promo-code-lost');
    expect(await readIntentStatus(testShop, quickPayment)).toMatchObject({
      status: 'canceled',
      amountReceivedCents: 0,
    });
    expect([await countRows(db, 'orders'), await countUses(db)]).toEqual([1, 1]);
  });

  test('captures a payment later if the capture got no response, and keeps the code’s use reserved', async () => {
    for (const isLost of [true, false]) {
      const { provider, state } = createFaultyProvider((real) => ({
        captureIntent: async (id) => {
          if (isLost) await real.captureIntent(id);
          return rejectAsUnavailable();
        },
      }));
      const testShop = await openTestShop(fresh, { provider });
      const { db } = testShop.shop;
      await writePromotions(db, { ...giftPromo, usageCap: 1 });
      const [first, second] = [testShop.browser(), testShop.browser()];
      const responses = [await requestIntentWith(first), await requestIntentWith(second)];
      for (const [at, browser] of [first, second].entries()) await payIntentOf(browser, responses[at]!);
      expect((await verifyIntentOf(first, responses[0]!)).json.code).toBe('payment-unconfirmed');
      expect((await verifyIntentOf(second, responses[1]!)).json.code).toBe('promo-code-lost');
      expect([await countRows(db, 'orders'), await countUses(db)]).toEqual([0, 1]);
      state.isOn = false;
      testShop.clock.advance(2 * minute);
      await sweepPayments(testShop);
      expect([await countRows(db, 'orders'), await countUses(db)]).toEqual([1, 1]);
      expect((await verifyIntentOf(first, responses[0]!)).json).toMatchObject({ success: true });
    }
  });

  test('returns the reserved use once when an authorization is canceled before its capture', async () => {
    const { provider, state } = createFaultyProvider(() => ({ captureIntent: rejectAsUnavailable }));
    const testShop = await openTestShop(fresh, { provider });
    const { db } = testShop.shop;
    await writePromotions(db, { ...giftPromo, usageCap: 1 });
    const browser = testShop.browser();
    const response = await requestIntentWith(browser);
    await payIntentOf(browser, response);
    await verifyIntentOf(browser, response);
    expect(await countUses(db)).toBe(1);
    state.isOn = false;
    const { paymentIntentId } = toIntent(response);
    await testShop.shop.provider.cancelIntent(paymentIntentId);
    for (let i = 0; i < 3; i++) await settleIntentById(testShop.shop, paymentIntentId);
    expect(await countUses(db)).toBe(0);
    expect((await buyAndVerify(openStrangersBrowser(testShop), { promoCode: 'GIFT10' })).verified.json).toMatchObject({
      success: true,
    });
  });

  test('a payment whose response was lost reserves no use of the code, and is captured later if a use is left', async () => {
    let isDown = true;
    const testShop = await openTestShop(fresh, {
      // The provider creates the intent, but its response is lost.
      provider: ({ payments }) => ({
        ...payments,
        createIntent: async (...request) => {
          const intent = await payments.createIntent(...request);
          return isDown ? rejectAsUnavailable() : intent;
        },
      }),
    });
    const { db, provider } = testShop.shop;
    await writePromotions(db, { ...giftPromo, usageCap: 1 });
    const [first, second] = [openStrangersBrowser(testShop), openStrangersBrowser(testShop)];
    expect((await requestIntentWith(first)).json.code).toBe('payment-provider-unavailable');
    testShop.clock.advance(11 * minute);
    await sweepPayments(testShop);
    expect((await requestIntentWith(second)).json.code).toBe('payment-provider-unavailable');
    isDown = false;
    const { rows } = await db.execute<{ id: string }>(
      sql`select id from sandbox_objects where type = 'payment_intent' order by position`,
    );
    for (const { id } of rows) {
      const lostIntent = (await provider.getIntent(id))!;
      await confirmIntentWithCard(first, lostIntent.id, lostIntent.clientSecret);
      await settleIntentById(testShop.shop, lostIntent.id);
    }
    expect([await countRows(db, 'orders'), await countUses(db)]).toEqual([1, 1]);
    expect((await requestIntentWith(openStrangersBrowser(testShop))).json.code).toBe('promo-code-used-up');
    const [order] = await readOrders(db);
    expect(order).toMatchObject({ promo_code: 'Gift10', total_cents: 17_910 });
  });

  test('charges a payment whose use an earlier release has counted, even if the cap is reached', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(db, giftPromo);
    const [browser, other] = [testShop.browser(), openStrangersBrowser(testShop)];
    const [paid, left] = [await requestIntentWith(browser), await requestIntentWith(other)];
    await writePromotions(db, { ...giftPromo, usageCap: 2 });
    await db.execute(sql`update carts set promotion_use = 'held'`);
    await db.execute(sql`insert into promotion_counts values ('GIFT10', 2)`);
    expect((await checkCode(browser, 'GIFT10')).status).toBe(200);
    expect((await requestIntentWith(openStrangersBrowser(testShop))).json.code).toBe('promo-code-used-up');
    await payIntentOf(browser, paid);
    expect((await verifyIntentOf(browser, paid)).json).toMatchObject({ success: true });
    await testShop.shop.provider.cancelIntent(toIntent(left).paymentIntentId);
    for (let i = 0; i < 3; i++) await settleIntentById(testShop.shop, toIntent(left).paymentIntentId);
    expect(await countUses(db)).toBe(1);
  });

  test('never captures an amount that differs from the agreed one', async () => {
    const { provider, state } = createFaultyProvider((real) => ({
      getIntent: async (id) => {
        const intent = await real.getIntent(id);
        return intent && { ...intent, amountCents: 100 };
      },
    }));
    state.isOn = false;
    const testShop = await openTestShop(fresh, { provider });
    const { db } = testShop.shop;
    await writePromotions(db, { ...giftPromo, usageCap: 1 });
    const browser = testShop.browser();
    const response = await requestIntentWith(browser);
    await payIntentOf(browser, response);
    state.isOn = true;
    expect((await verifyIntentOf(browser, response)).status).toBe(402);
    state.isOn = false;
    expect(await readIntentStatus(testShop, response)).toMatchObject({ status: 'canceled', amountReceivedCents: 0 });
    expect([await countRows(db, 'orders'), await countUses(db)]).toEqual([0, 0]);
  });

  test('charges a payment with an uncapped code at once, and counts the use when it is paid', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(db, giftPromo);
    const browser = testShop.browser();
    const response = await requestIntentWith(browser);
    expect(await countUses(db)).toBe(0);
    await payIntentOf(browser, response);
    expect(await readIntentStatus(testShop, response)).toMatchObject({ status: 'succeeded' });
    await verifyIntentOf(browser, response);
    expect([await countUses(db), await countRows(db, 'promotion_holds')]).toEqual([1, 0]);
  });

  test('deletes reservations of a promo code one day after they end', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await writePromotions(db, { ...giftPromo, usageCap: 1 });
    await requestIntentWith(testShop.browser());
    testShop.clock.advance(24 * hour);
    await deleteOldData({ db, clock: testShop.clock });
    expect(await countRows(db, 'promotion_holds')).toBe(1);
    testShop.clock.advance(0.2 * hour);
    await deleteOldData({ db, clock: testShop.clock });
    expect(await countRows(db, 'promotion_holds')).toBe(0);
  });

  test('does not change the number of uses when a second payment is refunded', async () => {
    const testShop = await openTestShop(fresh, {
      provider: ({ payments }) => ({
        ...payments,
        cancelIntent: () => Promise.reject(new PaymentProviderError('unavailable', 'no answer')),
      }),
    });
    const { db } = testShop.shop;
    await writePromotions(db, giftPromo);
    const browser = testShop.browser();
    for (const { json } of [await requestIntentWith(browser), await requestIntentWith(browser, { extraPackages: 1 })]) {
      await confirmIntentWithCard(browser, json.paymentIntentId, json.clientSecret);
      await settleIntentById(testShop.shop, json.paymentIntentId);
    }
    expect(await countUses(db)).toBe(1);
    const [job] = await readWaitingJobs(db, 'refund-payment');
    await refundPayment(testShop.shop, (job!.data as { paymentId: string }).paymentId);
    expect(await countUses(db)).toBe(1);
    expect((await readPayments(db)).map((it) => it.state).toSorted()).toEqual(['refunded', 'settled']);
  });

  test('accepts a code from its first to its last day in the shop’s time zone, from midnight to midnight', async () => {
    const { db } = await fresh();
    await writePromotions(db, { ...giftPromo, startDate: '2026-11-27', endDate: '2026-11-30' });
    const readPromotionAt = (moment: string) =>
      readPromotion({ db, clock: { now: () => new Date(moment) } }, 'GIFT10').then(
        (it) => it.percent,
        (error: unknown) => (error as Error).message,
      );
    // America/New_York is five hours behind UTC.
    expect(await readPromotionAt('2026-11-27T04:59:59.999Z')).toBe(
      'This promo code cannot be used yet. It starts on November 27, 2026.',
    );
    expect(await readPromotionAt('2026-11-27T05:00:00Z')).toBe(10);
    expect(await readPromotionAt('2026-12-01T04:59:59.999Z')).toBe(10);
    expect(await readPromotionAt('2026-12-01T05:00:00Z')).toBe(
      'This promo code has expired. Its last day was November 30, 2026.',
    );
  });

  test('returns a different error code for an unknown, early or expired code, and changes nothing', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const createPromotionDays = (from: number, to: number) => ({
      startDate: toShopDay(Date.now() + from * 24 * hour),
      endDate: toShopDay(Date.now() + to * 24 * hour),
    });
    await writePromotions(
      db,
      giftPromo,
      { ...giftPromo, ...createPromotionDays(3, 9), discountCode: 'SOON' },
      { ...giftPromo, ...createPromotionDays(-9, -3), discountCode: 'GONE' },
      { ...giftPromo, ...createPromotionDays(-9, -3), discountCode: 'AGAIN' },
      { ...giftPromo, ...createPromotionDays(3, 9), discountCode: 'AGAIN' },
      { ...giftPromo, discountCode: 'NOTHING', discountPercent: 0 },
      {
        message: 'Free shipping, as ever',
        startDate: giftPromo.startDate,
        endDate: giftPromo.endDate,
        discountCode: ' ',
      },
    );
    const tablesBefore = await readAllTables(db);
    for (const [code, refusal] of [
      ['GIFT', 'promo-code-unknown'],
      ['NOTHING', 'promo-code-unknown'],
      ["' or 1=1 --", 'promo-code-unknown'],
      ['SOON', 'promo-code-too-early'],
      ['AGAIN', 'promo-code-too-early'],
      ['GONE', 'promo-code-expired'],
      ['x'.repeat(41), 'invalid-request'],
    ] as const)
      for (const response of [
        await requestIntentWith(testShop.browser(), { promoCode: code }),
        await checkCode(testShop.browser(), code),
      ])
        expect(response.json, code).toMatchObject({ success: false, code: refusal });
    expect((await checkCode(testShop.browser(), '')).json.code).toBe('promo-code-unknown');
    expect((await checkCode(testShop.browser(), '\u200b')).json.code).toBe('promo-code-unknown');
    expect(await readAllTables(db)).toEqual(tablesBefore);
    // The shop ignores a discount that the browser sends.
    const { json } = await requestIntentWith(testShop.browser(), {
      promoCode: '',
      discountAmount: 5000,
      discountPercent: 90,
      total: 1,
    });
    expect(json).toMatchObject({ discountAmount: 0, totalAmount: 19_900 });
    expect(json).not.toHaveProperty('promoCode');
  });
});
