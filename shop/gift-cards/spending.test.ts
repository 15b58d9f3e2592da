import { describe, expect, test } from 'vitest';
import { describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { PaymentProviderError } from '#shop/ports/card-payments.ts';
import { createFaultyProvider } from '#test/provider.ts';
import { buyGiftCardCode, readGiftCards, readGiftCardUses } from '#test/gift-cards.ts';
import { anna, confirmIntentWithCard } from '#test/people.ts';
import { runPaymentCancelJobs, runPaymentSettlement } from '#test/paying.ts';
import { countRows, readQueuedMails, readAllTables, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { syncDisputes } from '../refunds/disputes.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { writeContent } from '../content/content.ts';
import { toShopDay } from '#contract/calendar.ts';
import { giftCardHoldMinutes } from '#contract/gift-card-forms.ts';
import { issueCode } from './codes.ts';
import { distributeAmount } from './spending.ts';

const startWithGiftCards = (browser: Browser, giftCards: string[], changed: Record<string, unknown> = {}) =>
  browser.post('/api/create-payment-intent', {
    productId: 'kinframe',
    quantity: 1,
    extraPackages: 0,
    customerDetails: anna,
    giftCards,
    ...changed,
  });
interface StartedPayment {
  json: { paymentIntentId: string; clientSecret: string };
}
const payByCard = (browser: Browser, { json }: StartedPayment) =>
  confirmIntentWithCard(browser, json.paymentIntentId, json.clientSecret);
const verifyPayment = (browser: Browser, { json }: StartedPayment) =>
  browser.post('/api/verify-payment', { paymentIntentId: json.paymentIntentId });
const placeFreeOrder = (browser: Browser, { json }: StartedPayment) =>
  browser.post('/api/pay-with-gift-cards', { paymentIntentId: json.paymentIntentId });

async function signInOwner(it: TestShop) {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const readOrders = async () => (await admin.get('/api/admin/orders')).json;
  const [order] = await readOrders();
  const path = `/api/admin/orders/${order.id}`;
  return {
    admin,
    order: async () => (await readOrders()).find((it: { id: string }) => it.id === order.id),
    offer: async () => (await admin.get(`${path}/refunds`)).json,
    refund: (body: Record<string, unknown> = {}) =>
      admin.post(`${path}/refunds`, { reason: 'Bought by mistake', ...body }),
    cancel: (refundAmount: number) =>
      admin.post(`${path}/cancellation`, {
        reason: 'Out of stock',
        photos: 'keep',
        tellCustomer: true,
        refundAmount,
        key: crypto.randomUUID(),
      }),
  };
}
async function requestWaitingRefunds(it: TestShop) {
  for (const { data } of await readWaitingJobs(it.shop.db, 'ask-refund'))
    await requestRefund(it.shop, data['refundId'] as string);
}
const readBalances = async (it: TestShop) => (await readGiftCards(it)).map((card) => card.balance_cents);
const readRefunds = async (it: TestShop) =>
  ((await readAllTables(it.shop.db))['refunds'] as { amount_cents: number; gift_cards: unknown; state: string }[])
    .map((row) => ({ cents: row.amount_cents, isToGiftCard: row.gift_cards !== null, state: row.state }))
    .toSorted((a, b) => a.cents - b.cents);

describe('distributing an amount over gift cards', () => {
  const distributeShares = (due: number, ...available: number[]) =>
    distributeAmount(
      due,
      available.map((availableCents) => ({ availableCents })),
    ).map((it) => it.amountCents);

  test('uses gift cards in their order, and skips a gift card that is not needed', () => {
    expect(distributeShares(10_000, 4_000, 9_000, 5_000)).toEqual([4_000, 6_000]);
    expect(distributeShares(10_000, 4_000)).toEqual([4_000]);
    expect(distributeShares(10_000)).toEqual([]);
  });

  test('never leaves less to pay than the smallest amount that a card can be charged', () => {
    expect(distributeShares(10_000, 9_980)).toEqual([9_950]);
    expect(distributeShares(10_000, 9_960, 20)).toEqual([9_950]);
    expect(distributeShares(10_000, 10_000)).toEqual([10_000]);
  });
});

describeOnEachEngine((fresh) => {
  test('a gift card pays a part, the card pays the rest, and the balance shows what is left', async () => {
    const testShop = await openTestShop(fresh);
    const { id, code } = await buyGiftCardCode(testShop, 5_000);
    await issueCode(testShop.shop.db, testShop.clock, id); // issues a newer code of the same gift card
    const browser = testShop.browser();
    const startedPayment = await startWithGiftCards(browser, [code.toLowerCase().replaceAll(/(.{4})/g, '$1 ')]);
    expect(startedPayment.json).toMatchObject({
      totalAmount: 19_900,
      dueAmount: 14_900,
      giftCards: [{ lastFour: code.slice(-4), amount: 5_000 }],
    });
    expect(await readBalances(testShop)).toEqual([5_000]); // the amount is only reserved, so the balance is unchanged
    await payByCard(browser, startedPayment);
    const verifyResponse = await verifyPayment(browser, startedPayment);
    expect(verifyResponse.json).toMatchObject({ success: true });
    const order = (await browser.get(`/api/order-summary?session=${verifyResponse.json.session}`)).json.orders[0];
    expect(order).toMatchObject({ totalAmount: 19_900, giftCardAmount: 5_000 });
    expect(await readBalances(testShop)).toEqual([0]);
    const [receipt] = await readQueuedMails(testShop.shop.db, 'receipt:');
    expect(receipt!.content).toMatchObject({ totalCents: 19_900, giftCardCents: 5_000 });
    expect((await testShop.browser().post('/api/gift-cards/balance', { code })).json).toMatchObject({
      balance: 0,
      available: 0,
      amount: 5_000,
    });
    expect((await startWithGiftCards(testShop.browser(), [code])).json).toMatchObject({ code: 'gift-card-empty' });
  });

  test('several cards with a promotion pay everything, and the order needs no payment by card', async () => {
    const testShop = await openTestShop(fresh);
    const today = toShopDay(testShop.clock.now());
    await writeContent(testShop.shop.db, testShop.clock, 'promos', [
      { message: 'Ten off', startDate: today, endDate: today, discountCode: 'TEN', discountPercent: 10, usageCap: 1 },
    ]);
    const firstCard = await buyGiftCardCode(testShop, 10_000);
    const secondCard = await buyGiftCardCode(testShop, 10_000);
    const browser = testShop.browser();
    const startedPayment = await startWithGiftCards(browser, [firstCard.code, secondCard.code, firstCard.code], {
      promoCode: 'TEN',
    });
    expect(startedPayment.json).toMatchObject({
      totalAmount: 17_910,
      dueAmount: 0,
      clientSecret: '',
      giftCards: [{ amount: 10_000 }, { amount: 7_910 }],
    });
    expect((await verifyPayment(browser, startedPayment)).json).toMatchObject({ code: 'payment-not-finished' });
    const placeResponse = await placeFreeOrder(browser, startedPayment);
    expect(placeResponse.json, placeResponse.text).toMatchObject({ success: true, status: 'paid' });
    expect((await placeFreeOrder(browser, startedPayment)).json).toMatchObject({ success: true });
    expect((await verifyPayment(browser, startedPayment)).json).toMatchObject({ success: true });
    expect(await countRows(testShop.shop.db, 'orders')).toBe(1);
    expect((await readBalances(testShop)).toSorted((a, b) => a - b)).toEqual([0, 2_090]);
    await runPaymentSettlement(testShop);
    expect(await readGiftCardUses(testShop)).toMatchObject([{ state: 'spent' }, { state: 'spent' }]);
  });

  test('a cart that gift cards pay completely can still be paid after its reservation has ended', async () => {
    const testShop = await openTestShop(fresh);
    const { code } = await buyGiftCardCode(testShop, 50_000);
    const browser = testShop.browser();
    const startedPayment = await startWithGiftCards(browser, [code]);
    testShop.clock.advance(15 * 60_000);
    await runPaymentSettlement(testShop); // closes the unpaid payment
    expect((await placeFreeOrder(browser, startedPayment)).json).toMatchObject({ success: true });
    expect(await readBalances(testShop)).toEqual([30_100]);
  });

  test('a changed cart replaces the reservation of this browser; another browser waits until the reservation ends', async () => {
    const testShop = await openTestShop(fresh);
    const { code } = await buyGiftCardCode(testShop, 5_000);
    const browser = testShop.browser();
    await startWithGiftCards(browser, [code]);
    expect((await startWithGiftCards(testShop.browser(), [code])).json).toMatchObject({ code: 'gift-card-reserved' });
    const repeatedPayment = await startWithGiftCards(browser, [code], { extraPackages: 1 });
    expect(repeatedPayment.json).toMatchObject({ dueAmount: 15_899 });
    await runPaymentCancelJobs(testShop);
    await startWithGiftCards(browser, []); // removes the gift card from the cart
    expect((await startWithGiftCards(testShop.browser(), [code])).json).toMatchObject({ dueAmount: 14_900 });
    testShop.clock.advance(giftCardHoldMinutes * 60_000);
    expect((await startWithGiftCards(testShop.browser(), [code])).json).toMatchObject({ dueAmount: 14_900 });
  });

  test('a payment that is never finished does not change the gift card’s balance', async () => {
    const testShop = await openTestShop(fresh);
    const { code } = await buyGiftCardCode(testShop, 5_000);
    await startWithGiftCards(testShop.browser(), [code]);
    testShop.clock.advance(25 * 3_600_000);
    await runPaymentSettlement(testShop);
    expect(await readBalances(testShop)).toEqual([5_000]);
  });

  test('releases the authorization if another order has spent the card in the meantime', async () => {
    const testShop = await openTestShop(fresh);
    const { code } = await buyGiftCardCode(testShop, 5_000);
    const [slow, fast] = [testShop.browser(), testShop.browser()];
    const slowPayment = await startWithGiftCards(slow, [code]);
    testShop.clock.advance(giftCardHoldMinutes * 60_000);
    const fastPayment = await startWithGiftCards(fast, [code]);
    await payByCard(fast, fastPayment);
    expect((await verifyPayment(fast, fastPayment)).json).toMatchObject({ success: true });
    await payByCard(slow, slowPayment);
    expect((await verifyPayment(slow, slowPayment)).json).toMatchObject({ code: 'gift-card-lost' });
    expect((await testShop.shop.provider.getIntent(slowPayment.json.paymentIntentId))!.status).toBe('canceled');
    expect(await countRows(testShop.shop.db, 'orders')).toBe(1);
    expect(await readBalances(testShop)).toEqual([0]);
  });

  test('refunds the card first, then the gift cards in the order in which they paid', async () => {
    const testShop = await openTestShop(fresh);
    const [first, second] = [await buyGiftCardCode(testShop, 5_000), await buyGiftCardCode(testShop, 5_000)];
    const browser = testShop.browser();
    const startedPayment = await startWithGiftCards(browser, [first.code, second.code]);
    await payByCard(browser, startedPayment);
    await verifyPayment(browser, startedPayment);
    const { refund, offer, order } = await signInOwner(testShop);
    expect(await offer()).toMatchObject({ remainingAmount: 19_900, giftCardAmount: 10_000 });
    await refund({ amountCents: 9_000 });
    expect(await readBalances(testShop)).toEqual([0, 0]);
    await refund({ amountCents: 6_900 }); // 900 cents go to the card, and 6,000 cents to the gift cards
    expect(await readRefunds(testShop)).toEqual([
      { cents: 900, isToGiftCard: false, state: 'asking' },
      { cents: 6_000, isToGiftCard: true, state: 'succeeded' },
      { cents: 9_000, isToGiftCard: false, state: 'asking' },
    ]);
    const readBalanceOf = async (id: string) =>
      (await readGiftCards(testShop)).find((card) => card.id === id)!.balance_cents;
    expect([await readBalanceOf(first.id), await readBalanceOf(second.id)]).toEqual([5_000, 1_000]);
    await requestWaitingRefunds(testShop);
    await refund();
    expect([await readBalanceOf(first.id), await readBalanceOf(second.id)]).toEqual([5_000, 5_000]);
    expect(await order()).toMatchObject({ refundedAmount: 19_900 });
    expect((await refund()).json).toMatchObject({ code: 'nothing-to-refund' });
    await requestWaitingRefunds(testShop);
    const cards = [first.code.slice(-4), second.code.slice(-4)];
    // One email for each refund, although the second went to the card and to gift cards.
    const mails = (await readQueuedMails(testShop.shop.db, 'refund:')).map(({ content }) => content);
    expect(mails).toHaveLength(3);
    expect(mails).toContainEqual(
      expect.objectContaining({ amountCents: 6_900, giftCardCents: 6_000, giftCards: cards }),
    );
    const giftCardRefund = { amountCents: 4_000, giftCardCents: 4_000, giftCards: [second.code.slice(-4)] };
    expect(mails).toContainEqual(expect.objectContaining(giftCardRefund));
  });

  test('emails about the gift card part alone if the card’s part of a refund fails', async () => {
    const { provider } = createFaultyProvider(() => ({
      refund: () => Promise.reject(new PaymentProviderError('rejected', 'refund a payment: charge_disputed')),
    }));
    const testShop = await openTestShop(fresh, { provider });
    const card = await buyGiftCardCode(testShop, 5_000);
    const browser = testShop.browser();
    const startedPayment = await startWithGiftCards(browser, [card.code]);
    await payByCard(browser, startedPayment);
    await verifyPayment(browser, startedPayment);
    const { refund } = await signInOwner(testShop);
    await refund();
    await requestWaitingRefunds(testShop);
    const mails = await readQueuedMails(testShop.shop.db, 'refund:');
    expect(mails.map(({ content }) => [content.amountCents, content.giftCardCents])).toEqual([[5_000, 5_000]]);
  });

  test('returns the amount that gift cards paid when the bank has taken back the card’s part', async () => {
    const testShop = await openTestShop(fresh);
    const { code } = await buyGiftCardCode(testShop, 5_000);
    const browser = testShop.browser();
    const startedPayment = await startWithGiftCards(browser, [code]);
    await payByCard(browser, startedPayment);
    await verifyPayment(browser, startedPayment);
    const { refund, offer, order } = await signInOwner(testShop);
    const { stripePaymentIntentId } = await order();
    await testShop.shop.sandbox!.dispute(stripePaymentIntentId);
    await syncDisputes(testShop.shop, stripePaymentIntentId);
    expect(await offer()).toMatchObject({ remainingAmount: 5_000, giftCardAmount: 5_000 });
    expect((await refund({ amountCents: 5_001 })).json.code).toBe('refund-too-large');
    await refund();
    expect(await readBalances(testShop)).toEqual([5_000]);
    expect(await readRefunds(testShop)).toEqual([{ cents: 5_000, isToGiftCard: true, state: 'succeeded' }]);
    expect((await refund()).json.code).toBe('payment-disputed');
  });

  test('canceling an order returns the whole amount, also if gift cards paid all of it', async () => {
    const testShop = await openTestShop(fresh);
    const { code } = await buyGiftCardCode(testShop, 50_000);
    const browser = testShop.browser();
    await placeFreeOrder(browser, await startWithGiftCards(browser, [code]));
    const { cancel, order } = await signInOwner(testShop);
    const cancelResponse = await cancel(19_900);
    expect(cancelResponse.status, cancelResponse.text).toBe(200);
    expect(await readBalances(testShop)).toEqual([50_000]);
    expect(await order()).toMatchObject({ refundedAmount: 19_900 });
    expect(await readWaitingJobs(testShop.shop.db, 'ask-refund')).toEqual([]);
    const [mail] = await readQueuedMails(testShop.shop.db, 'order-canceled:');
    expect(mail!.content).toMatchObject({ amountCents: 19_900, giftCardCents: 19_900 });
  });
});

describeOnPostgres((fresh) => {
  test('two browsers that enter or pay with one gift card at once never use more than its balance', async () => {
    const testShop = await openTestShop(fresh);
    const { code } = await buyGiftCardCode(testShop, 30_000);
    const browsers = Array.from({ length: 8 }, () => testShop.browser());
    const responses = await Promise.all(browsers.map((browser) => startWithGiftCards(browser, [code])));
    const usedResponses = responses.filter((answer) => answer.status === 200);
    const cents = usedResponses
      .flatMap((answer) => answer.json.giftCards as { amount: number }[])
      .map((share) => share.amount);
    expect(cents.reduce((a, b) => a + b, 0)).toBe(30_000);
    for (const response of responses.filter((it) => it.status !== 200))
      expect(response.json).toMatchObject({ code: 'gift-card-reserved' });
  });

  test('when ten checkouts with ended reservations pay at once, only as many get an order as the balance covers', async () => {
    const testShop = await openTestShop(fresh);
    const { code } = await buyGiftCardCode(testShop, 45_000);
    const checkouts: { browser: Browser; started: StartedPayment }[] = [];
    for (let count = 0; count < 10; count++) {
      const browser = testShop.browser();
      checkouts.push({ browser, started: await startWithGiftCards(browser, [code]) });
      testShop.clock.advance(giftCardHoldMinutes * 60_000);
    }
    const placeResponses = await Promise.all(
      checkouts.flatMap(({ browser, started }) => [placeFreeOrder(browser, started), placeFreeOrder(browser, started)]),
    );
    const paidResponses = placeResponses.filter((answer) => answer.json.success === true);
    expect(paidResponses).toHaveLength(4); // two orders, and each was requested twice
    for (const response of placeResponses.filter((it) => it.json.success !== true))
      expect(response.json).toMatchObject({ code: 'gift-card-lost' });
    expect(await countRows(testShop.shop.db, 'orders')).toBe(2);
    expect(await readBalances(testShop)).toEqual([5_200]);
  });

  test('a payment that the browser, the webhook and the sweep settle at once spends the card once', async () => {
    const testShop = await openTestShop(fresh);
    const { code } = await buyGiftCardCode(testShop, 5_000);
    const browser = testShop.browser();
    const startedPayment = await startWithGiftCards(browser, [code]);
    await payByCard(browser, startedPayment);
    testShop.clock.advance(61_000);
    await Promise.all([
      verifyPayment(browser, startedPayment),
      verifyPayment(browser, startedPayment),
      runPaymentSettlement(testShop),
      verifyPayment(browser, startedPayment),
    ]);
    expect((await verifyPayment(browser, startedPayment)).json).toMatchObject({ success: true });
    expect(await countRows(testShop.shop.db, 'orders')).toBe(1);
    expect(await readBalances(testShop)).toEqual([0]);
    expect(await readGiftCardUses(testShop)).toMatchObject([
      { state: 'spent', amount_cents: 5_000, returned_cents: 0 },
    ]);
  });

  test('ten simultaneous full refunds return the money to the card and the gift card once', async () => {
    const testShop = await openTestShop(fresh);
    const { code } = await buyGiftCardCode(testShop, 5_000);
    const browser = testShop.browser();
    const startedPayment = await startWithGiftCards(browser, [code]);
    await payByCard(browser, startedPayment);
    await verifyPayment(browser, startedPayment);
    const { refund } = await signInOwner(testShop);
    const responses = await Promise.all(Array.from({ length: 10 }, () => refund()));
    expect(responses.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(await readBalances(testShop)).toEqual([5_000]);
    await Promise.all([requestWaitingRefunds(testShop), requestWaitingRefunds(testShop)]);
    expect(await readRefunds(testShop)).toEqual([
      { cents: 5_000, isToGiftCard: true, state: 'succeeded' },
      { cents: 14_900, isToGiftCard: false, state: 'succeeded' },
    ]);
  });
});
