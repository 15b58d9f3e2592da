import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { contentSections, type Content } from '#contract/content.ts';
import { dayOf } from '#contract/calendar.ts';
import { PaymentProviderError } from '#shop/ports/card-payments.ts';
import type { Db } from '#shop/ports/database.ts';
import { systemClock } from '#adapters/database/database.ts';
import { anyEngine, eachEngine, onPostgres } from '#test/database.ts';
import { anna, buy, confirm } from '#test/people.ts';
import { cancelReplaced } from '#test/paying.ts';
import { countOf, everyRow, queuedMails, waitingJobs } from '#test/rows.ts';
import { openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { writeContent } from '../content/content.ts';
import { refundPayment } from '../payments/give-back.ts';
import { settle } from '../payments/settle.ts';
import { settleOpenPayments } from '../payments/sweep.ts';
import { discountOf, promotionOf } from './promotions.ts';

type Promo = Content<'promos'>[number];
const hour = 3_600_000;
const gift: Promo = {
  message: 'Ten percent off',
  startDate: dayOf(Date.now() - 24 * hour),
  endDate: dayOf(Date.now() + 240 * hour),
  discountCode: 'Gift10',
  discountPercent: 10,
};
const announce = (db: Db, ...promos: Promo[]) => writeContent(db, systemClock, 'promos', promos);
const cart = { productId: 'kinframe', quantity: 1, extraPackages: 0, customerDetails: anna };
const ask = (browser: Browser, changed: Record<string, unknown> = {}) =>
  browser.post('/api/create-payment-intent', { ...cart, promoCode: 'GIFT10', ...changed });
const check = (browser: Browser, promoCode: string, changed: Record<string, unknown> = {}) =>
  browser.post('/api/check-promo-code', { ...cart, promoCode, ...changed });
const sweep = (it: TestShop) =>
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
const paymentsIn = async (db: Db) => (await everyRow(db))['payments'] as Row[];
/** The count, which must always be what the carts hold or have spent. */
async function used(db: Db): Promise<number> {
  const { rows } = await db.execute<{ used: number }>(sql`select used from promotion_counts where code = 'GIFT10'`);
  const carts = (await everyRow(db))['carts'] as { promotion_use: string; promo_code: string | null }[];
  const holding = carts.filter((it) => it.promotion_use !== 'none' && it.promo_code === 'Gift10').length;
  expect(rows[0]?.used ?? 0).toBe(holding);
  return holding;
}

describe('a percentage of cents', () => {
  test.each([
    [19_900, 10, 1990],
    [4_999, 50, 2500], // 2499.5: half up
    [20_898, 12.5, 2612], // 2612.25
    [20_899, 12.5, 2612], // 2612.375
    [4_999, 0.01, 0], // 0.4999
    [5_000, 0.01, 1], // 0.5
    [999_999, 33.33, 333_300],
  ])('of %d, %d percent are %d', (subtotal, percent, cents) => {
    expect(discountOf(subtotal, { percent })).toBe(cents);
  });

  test('leaves what a card can be charged', () => {
    for (const percent of [99, 99.9, 100]) expect(4_999 - discountOf(4_999, { percent })).toBeGreaterThanOrEqual(50);
    expect(4_999 - discountOf(4_999, { percent: 100 })).toBe(50);
  });

  test('that would give everything away cannot be entered, nor a cap that nobody fits under', () => {
    const edit = (change: Partial<Promo>) => contentSections.promos.safeParse([{ ...gift, ...change }]);
    expect(edit({ discountPercent: 100 }).error?.issues[0]?.message).toMatch(/99 percent at most/);
    for (const usageCap of [0, -1, 1.5]) expect(edit({ usageCap }).success).toBe(false);
    expect(edit({ usageCap: 1, discountPercent: 99 }).success).toBe(true);
  });
});

onPostgres((fresh) => {
  test('of fifty checkouts at once with a code for ten, ten get it and forty are told', async () => {
    const it = await openTestShop(fresh);
    const { db } = it.shop;
    await announce(db, { ...gift, usageCap: 10 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(it.browser())));
    const got = answers.filter((it2) => it2.status === 200);
    expect(got).toHaveLength(10);
    for (const { json } of got) expect(json).toMatchObject({ discountAmount: 1990, totalAmount: 17_910 });
    for (const { json } of answers.filter((it2) => it2.status !== 200))
      expect(json).toMatchObject({ success: false, code: 'promo-code-used-up' });
    expect(await used(db)).toBe(10);
    // Who was refused has left nothing behind.
    expect([await countOf(db, 'payments'), await countOf(db, 'checkouts')]).toEqual([10, 10]);
  });

  test('one browser that prices eight carts at once takes one use, and leaves one', async () => {
    const it = await openTestShop(fresh);
    const { db } = it.shop;
    await announce(db, { ...gift, usageCap: 2 });
    const browser = it.browser();
    await ask(browser);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, extraPackages) => ask(browser, { extraPackages })));
    expect(answers.map((it2) => it2.status)).toEqual(Array(8).fill(200));
    expect(await used(db)).toBeLessThanOrEqual(1);
    expect((await ask(it.browser())).status).toBe(200);
  });

  test('sweeps, cancelled intents and new buyers at once never lose count', async () => {
    const it = await openTestShop(fresh);
    const { db } = it.shop;
    await announce(db, { ...gift, usageCap: 5 });
    const early = await Promise.all(Array.from({ length: 5 }, () => ask(it.browser())));
    it.clock.advance(3 * hour);
    const paid = early[0]!.json as { paymentIntentId: string; clientSecret: string };
    await confirm(it.browser(), paid.paymentIntentId, paid.clientSecret);
    await Promise.all([
      ...Array.from({ length: 3 }, () => sweep(it)),
      ...Array.from({ length: 3 }, () => settle(it.shop, paid.paymentIntentId)),
      ...Array.from({ length: 12 }, () => ask(it.browser())),
    ]);
    expect(await used(db)).toBeLessThanOrEqual(5);
    await sweep(it);
    const states = (await paymentsIn(db)).filter((it2) => early.some((e) => e.json.paymentIntentId === it2.intent_id));
    expect(states.map((it2) => it2.state).toSorted()).toEqual([...Array(4).fill('cancelled'), 'settled']);
    await Promise.all(Array.from({ length: 12 }, () => ask(it.browser())));
    expect(await used(db)).toBe(5);
  });
});

eachEngine((fresh) => {
  test('a code is compared trimmed and in any case, and stands on everything the order says', async () => {
    const it = await openTestShop(fresh);
    const { db } = it.shop;
    await announce(db, gift);
    const browser = it.browser();
    expect((await check(browser, ' gift10 ', { extraPackages: 1 })).json).toEqual({
      promoCode: 'Gift10',
      discountAmount: 2090,
    });
    expect(await used(db)).toBe(0);
    const { intent, verified } = await buy(browser, { promoCode: ' gift10 ', extraPackages: 1 });
    expect(intent).toMatchObject({
      subtotalAmount: 20_899,
      discountAmount: 2090,
      promoCode: 'Gift10',
      taxAmount: 0,
      totalAmount: 18_809,
    });
    const { json } = await browser.get(`/api/order-summary?session=${verified.json.session}`);
    expect(json.orders).toMatchObject([{ discountAmount: 2090, promoCode: 'Gift10', totalAmount: 18_809 }]);
    for (const { content } of await queuedMails(db))
      expect(content).toMatchObject({ discountCents: 2090, discountLabel: 'Gift10', totalCents: 18_809 });
    expect(await used(db)).toBe(1);
    // Nobody reads it from the banner.
    expect((await browser.get('/data/promos.json')).text).not.toMatch(/gift|percent"|cap/i);
  });

  test('a changed cart passes its use on, another code or none gives it back', async () => {
    const it = await openTestShop(fresh);
    const { db } = it.shop;
    await announce(db, { ...gift, usageCap: 1 }, { ...gift, discountCode: 'OTHER', discountPercent: 20 });
    const [browser, stranger] = [it.browser(), it.browser()];
    const first = await ask(browser);
    for (const extraPackages of [1, 2, 3]) {
      expect((await ask(browser, { extraPackages })).json).toMatchObject({ promoCode: 'Gift10' });
      expect(await used(db)).toBe(1);
    }
    await cancelReplaced(it);
    expect((await it.shop.provider.getIntent(first.json.paymentIntentId))!.status).toBe('canceled');
    expect((await ask(stranger)).json.code).toBe('promo-code-used-up');
    expect((await check(stranger, 'GIFT10')).json.code).toBe('promo-code-used-up');
    expect((await check(browser, 'GIFT10')).status).toBe(200); // it holds the last one itself
    expect((await ask(browser, { promoCode: 'other' })).json).toMatchObject({ discountAmount: 3980 });
    await cancelReplaced(it);
    expect(await used(db)).toBe(0);
    expect((await ask(stranger)).status).toBe(200);
    expect((await ask(stranger, { promoCode: undefined })).json).toMatchObject({ discountAmount: 0 });
    await cancelReplaced(it);
    expect((await ask(browser)).status).toBe(200);
    expect(await used(db)).toBe(1);
  });
});

anyEngine((fresh) => {
  test('a cart left lying gives its use back after two hours, one without a code after a day', async () => {
    const it = await openTestShop(fresh);
    const { db } = it.shop;
    await announce(db, { ...gift, usageCap: 1 });
    const [abandoned, plain] = [await ask(it.browser()), await ask(it.browser(), { promoCode: '' })];
    const stateOf = async ({ json }: typeof plain) =>
      (await paymentsIn(db)).find((it2) => it2.intent_id === json.paymentIntentId)?.state;
    it.clock.advance(1.9 * hour);
    await sweep(it);
    expect([await stateOf(abandoned), await used(db)]).toEqual(['open', 1]);
    it.clock.advance(0.2 * hour);
    await sweep(it);
    await sweep(it);
    expect([await stateOf(abandoned), await stateOf(plain), await used(db)]).toEqual(['cancelled', 'open', 0]);
    expect((await ask(it.browser())).status).toBe(200);
  });

  test('an intent cancelled at the provider gives its use back, once, however often it is heard of', async () => {
    const it = await openTestShop(fresh);
    const { db, provider } = it.shop;
    await announce(db, gift);
    const [first] = [await ask(it.browser()), await ask(it.browser())];
    await provider.cancelIntent(first.json.paymentIntentId);
    for (let i = 0; i < 3; i++) await settle(it.shop, first.json.paymentIntentId);
    expect(await used(db)).toBe(1);
  });

  test('what is paid is kept: a use that had been given back counts again, past the cap', async () => {
    const down = () => Promise.reject(new PaymentProviderError('unavailable', 'no answer'));
    let isDown = true;
    const it = await openTestShop(fresh, {
      // The provider has the intent, but its answer is lost.
      provider: ({ payments }) => ({
        ...payments,
        createIntent: async (...request) => {
          const intent = await payments.createIntent(...request);
          return isDown ? down() : intent;
        },
      }),
    });
    const { db, provider } = it.shop;
    await announce(db, { ...gift, usageCap: 1 });
    const browser = it.browser();
    expect((await ask(browser)).json.code).toBe('payment-provider-unavailable');
    expect(await used(db)).toBe(1);
    it.clock.advance(11 * 60_000);
    await sweep(it);
    expect(await used(db)).toBe(0);
    isDown = false;
    expect((await ask(it.browser())).status).toBe(200);
    expect(await used(db)).toBe(1);

    const { rows } = await db.execute<{ id: string }>(
      sql`select id from sandbox_objects where type = 'payment_intent' order by position limit 1`,
    );
    const lost = (await provider.getIntent(rows[0]!.id))!;
    await confirm(browser, lost.id, lost.clientSecret);
    await settle(it.shop, lost.id);
    await settle(it.shop, lost.id);
    expect(await used(db)).toBe(2);
    expect((await ask(it.browser())).json.code).toBe('promo-code-used-up');
    const order = (await everyRow(db))['orders'] as { promo_code: string; discount_cents: number }[];
    expect(order).toMatchObject([{ promo_code: 'Gift10', discount_cents: 1990 }]);
  });

  test('a second payment that goes back takes no use with it', async () => {
    const it = await openTestShop(fresh, {
      provider: ({ payments }) => ({
        ...payments,
        cancelIntent: () => Promise.reject(new PaymentProviderError('unavailable', 'no answer')),
      }),
    });
    const { db } = it.shop;
    await announce(db, { ...gift, usageCap: 1 });
    const browser = it.browser();
    for (const { json } of [await ask(browser), await ask(browser, { extraPackages: 1 })]) {
      await confirm(browser, json.paymentIntentId, json.clientSecret);
      await settle(it.shop, json.paymentIntentId);
    }
    expect(await used(db)).toBe(1);
    const [job] = await waitingJobs(db, 'refund-payment');
    await refundPayment(it.shop, (job!.data as { paymentId: string }).paymentId);
    expect(await used(db)).toBe(1);
    expect((await paymentsIn(db)).map((it2) => it2.state).toSorted()).toEqual(['refunded', 'settled']);
  });

  test('a code counts on its days by the shop’s calendar, from midnight to midnight', async () => {
    const { db } = await fresh();
    await announce(db, { ...gift, startDate: '2026-11-27', endDate: '2026-11-30' });
    const at = (moment: string) =>
      promotionOf({ db, clock: { now: () => new Date(moment) } }, 'GIFT10').then(
        (it) => it.percent,
        (error: unknown) => (error as Error).message,
      );
    // America/New_York is five hours behind.
    expect(await at('2026-11-27T04:59:59.999Z')).toBe(
      'This promo code cannot be used yet. It starts on November 27, 2026.',
    );
    expect(await at('2026-11-27T05:00:00Z')).toBe(10);
    expect(await at('2026-12-01T04:59:59.999Z')).toBe(10);
    expect(await at('2026-12-01T05:00:00Z')).toBe('This promo code has expired. Its last day was November 30, 2026.');
  });

  test('what is no running code is refused by name, everywhere, and changes nothing', async () => {
    const it = await openTestShop(fresh);
    const { db } = it.shop;
    const days = (from: number, to: number) => ({
      startDate: dayOf(Date.now() + from * 24 * hour),
      endDate: dayOf(Date.now() + to * 24 * hour),
    });
    await announce(
      db,
      gift,
      { ...gift, ...days(3, 9), discountCode: 'SOON' },
      { ...gift, ...days(-9, -3), discountCode: 'GONE' },
      { ...gift, ...days(-9, -3), discountCode: 'AGAIN' },
      { ...gift, ...days(3, 9), discountCode: 'AGAIN' },
      { ...gift, discountCode: 'NOTHING', discountPercent: 0 },
      { message: 'Free shipping, as ever', startDate: gift.startDate, endDate: gift.endDate, discountCode: ' ' },
    );
    const before = await everyRow(db);
    for (const [code, refusal] of [
      ['GIFT', 'promo-code-unknown'],
      ['NOTHING', 'promo-code-unknown'],
      ["' or 1=1 --", 'promo-code-unknown'],
      ['SOON', 'promo-code-too-early'],
      ['AGAIN', 'promo-code-too-early'],
      ['GONE', 'promo-code-expired'],
      ['x'.repeat(41), 'invalid-request'],
    ] as const)
      for (const answer of [await ask(it.browser(), { promoCode: code }), await check(it.browser(), code)])
        expect(answer.json, code).toMatchObject({ success: false, code: refusal });
    expect((await check(it.browser(), '')).json.code).toBe('promo-code-unknown');
    expect(await everyRow(db)).toEqual(before);
    // A discount of the browser's own is not heard.
    const { json } = await ask(it.browser(), { promoCode: '', discountAmount: 5000, discountPercent: 90, total: 1 });
    expect(json).toMatchObject({ discountAmount: 0, totalAmount: 19_900 });
    expect(json).not.toHaveProperty('promoCode');
  });
});
