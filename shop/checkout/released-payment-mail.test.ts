import { expect, test } from 'vitest';
import { toShopDay } from '#contract/calendar.ts';
import { lifetimes } from '#contract/limits.ts';
import { systemClock } from '#adapters/database/database.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import {
  annasCart,
  pay,
  startPayment,
  runPaymentSettlement,
  requestVerification,
  sendPaymentWebhook,
} from '#test/paying.ts';
import { anna } from '#test/people.ts';
import { rejectAsUnavailable, createFaultyProvider } from '#test/provider.ts';
import { countRows, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { writeContent } from '../content/content.ts';
import { settleIntentById } from '../payments/settle.ts';
import { mailReleasedPayment } from './released-payment-mail.ts';

const minuteMs = 60_000;
const withUsageCapOfOne = (it: TestShop) =>
  writeContent(it.shop.db, systemClock, 'promos', [
    {
      message: 'Ten percent off',
      startDate: toShopDay(Date.now() - 24 * 60 * minuteMs),
      endDate: toShopDay(Date.now() + 240 * 60 * minuteMs),
      discountCode: 'Gift10',
      discountPercent: 10,
      usageCap: 1,
    },
  ]);
const payWithCode = (browser: Browser) => startPayment(browser, { promoCode: 'GIFT10' });

/** Two buyers authorize payments for the last use of a code. The first one gets it. */
async function payForLastUseOfCode(it: TestShop) {
  await withUsageCapOfOne(it);
  const [first, second] = [it.browser(), it.browser()];
  const [won, lost] = [await payWithCode(first), await payWithCode(second)];
  await pay(first, won);
  await pay(second, lost);
  expect((await requestVerification(first, won.paymentIntentId)).json).toMatchObject({ success: true });
  return { second, lost };
}

/** Advances the clock until the waiting jobs are due, then runs them. */
async function runWaitingJobs(it: TestShop) {
  it.clock.advance(lifetimes.releasedPaymentMailMinutes * minuteMs);
  for (const { data } of await readWaitingJobs(it.shop.db, 'mail-released-payment'))
    await mailReleasedPayment(it.shop, data['paymentId'] as string);
}
const readMailsOf = (it: TestShop) => readQueuedMails(it.shop.db, 'payment-released');

describeOnFastestEngine((fresh) => {
  test.each(['the webhook', 'the sweep'])(
    'after %s has released an authorization, a buyer who does not return gets one mail with a link to the checkout',
    async (by) => {
      const testShop = await openTestShop(fresh);
      const { lost } = await payForLastUseOfCode(testShop);
      testShop.clock.advance(2 * minuteMs);
      if (by === 'the sweep') await runPaymentSettlement(testShop);
      else {
        await sendPaymentWebhook(testShop, lost.paymentIntentId);
        await settleIntentById(testShop.shop, lost.paymentIntentId);
      }
      expect((await testShop.shop.provider.getIntent(lost.paymentIntentId))?.status).toBe('canceled');
      expect(await readMailsOf(testShop)).toEqual([]); // the buyer may still return to the page
      await runWaitingJobs(testShop);
      await runWaitingJobs(testShop);
      await settleIntentById(testShop.shop, lost.paymentIntentId);
      await runWaitingJobs(testShop);
      expect(await readMailsOf(testShop)).toMatchObject([
        {
          to: anna.email,
          content: {
            firstName: anna.firstName,
            promoCode: 'Gift10',
            checkoutUrl: `${testShop.shop.config.baseUrl}/checkout?product=kinframe&quantity=1&extras=0&step=payment`,
          },
        },
      ]);
    },
  );

  test('a buyer who returned to the checkout and saw the refusal there gets no mail', async () => {
    const testShop = await openTestShop(fresh);
    const { second, lost } = await payForLastUseOfCode(testShop);
    expect((await requestVerification(second, lost.paymentIntentId)).json.code).toBe('promo-code-lost');
    await second.post('/api/create-payment-intent', annasCart); // the page makes this request next
    await runWaitingJobs(testShop);
    expect(await readMailsOf(testShop)).toEqual([]);
  });

  test('a buyer who returned to the checkout and paid the regular price gets no mail', async () => {
    const testShop = await openTestShop(fresh);
    const { second, lost } = await payForLastUseOfCode(testShop);
    await settleIntentById(testShop.shop, lost.paymentIntentId);
    const repeatedPayment = await startPayment(second);
    await pay(second, repeatedPayment);
    expect((await requestVerification(second, repeatedPayment.paymentIntentId)).json).toMatchObject({ success: true });
    await runWaitingJobs(testShop);
    expect(await readMailsOf(testShop)).toEqual([]);
    expect(await countRows(testShop.shop.db, 'orders')).toBe(2);
  });

  test('sends no mail while the provider cannot release the authorization, and one mail afterwards', async () => {
    const { provider, state } = createFaultyProvider(() => ({ cancelIntent: rejectAsUnavailable }));
    const testShop = await openTestShop(fresh, { provider });
    const { lost } = await payForLastUseOfCode(testShop);
    await expect(settleIntentById(testShop.shop, lost.paymentIntentId)).rejects.toMatchObject({
      code: 'payment-unconfirmed',
    });
    await runWaitingJobs(testShop);
    expect(await readMailsOf(testShop)).toEqual([]);
    state.isOn = false;
    await settleIntentById(testShop.shop, lost.paymentIntentId);
    await runWaitingJobs(testShop);
    expect(await readMailsOf(testShop)).toHaveLength(1);
  });

  test('sends no mail if the card was declined or never authorized', async () => {
    const testShop = await openTestShop(fresh);
    await withUsageCapOfOne(testShop);
    const browser = testShop.browser();
    await pay(browser, await payWithCode(browser), '4000000000000002');
    testShop.clock.advance(26 * 60 * minuteMs);
    await runPaymentSettlement(testShop);
    await runWaitingJobs(testShop);
    expect(await readMailsOf(testShop)).toEqual([]);
  });
});
