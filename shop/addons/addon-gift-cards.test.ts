import { expect, test } from 'vitest';
import { giftCardHoldMinutes } from '#contract/gift-card-forms.ts';
import { lifetimes } from '#contract/limits.ts';
import { describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { buyGiftCardCode, readGiftCards, readGiftCardUses } from '#test/gift-cards.ts';
import { pay, runPaymentCancelJobs, runPaymentSettlement, startAddon, verifyAddon } from '#test/paying.ts';
import { anna, buyFramesAsAnna, fetchFrames } from '#test/people.ts';
import { countRows, readQueuedMails, readAllTables, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { refundPayment } from '../payments/automatic-refunds.ts';
import { requestRefund } from '../refunds/refunds.ts';
import { mailReleasedAddon } from './released-addon-mail.ts';

async function buyFrameWithGiftCard(it: TestShop) {
  const { browser, frames } = await buyFramesAsAnna(it);
  return { browser, deviceId: frames[0]!.deviceId };
}
const fetchRemainingPlaces = async (browser: Browser) => (await fetchFrames(browser))[0]!.remainingPhotos;
const readBalancesIn = async (it: TestShop) => (await readGiftCards(it)).map((card) => card.balance_cents);

async function signInOwner(it: TestShop) {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const readOrders = async () => (await admin.get('/api/admin/orders')).json as { id: string; productType: string }[];
  const refundOrder = async (id: string) => {
    const response = await admin.post(`/api/admin/orders/${id}/refunds`, {
      reason: 'Not needed',
      withdrawPhotos: true,
    });
    for (const { data } of await readWaitingJobs(it.shop.db, 'ask-refund'))
      await requestRefund(it.shop, data['refundId'] as string);
    return response;
  };
  return { readOrders, refundOrder };
}

describeOnEachEngine((fresh) => {
  test('a gift card pays a part of an add-on, the card pays the rest, and a refund goes back to both', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId } = await buyFrameWithGiftCard(testShop);
    const { code } = await buyGiftCardCode(testShop, 2_500);
    const intent = await startAddon(browser, deviceId, 4, { giftCards: [code] });
    expect(intent).toMatchObject({
      totalAmount: 3_996,
      dueAmount: 1_496,
      giftCards: [{ lastFour: code.slice(-4), amount: 2_500 }],
    });
    expect(await readBalancesIn(testShop)).toEqual([2_500]); // the amount is only reserved, so the balance is unchanged
    await pay(browser, intent);
    expect((await verifyAddon(browser, intent.paymentIntentId)).json).toMatchObject({ success: true });
    expect(await fetchRemainingPlaces(browser)).toBe(60);
    expect(await readBalancesIn(testShop)).toEqual([0]);
    const [receipt] = await readQueuedMails(testShop.shop.db, 'addon-receipt:');
    expect(receipt!.content).toMatchObject({ totalCents: 3_996, giftCardCents: 2_500 });

    const { readOrders, refundOrder } = await signInOwner(testShop);
    const order = (await readOrders()).find((it) => it.productType === 'photo-bundle')!;
    expect(order).toMatchObject({ totalAmount: 3_996, giftCardAmount: 2_500 });
    expect((await refundOrder(order.id)).status).toBe(200);
    expect(await readBalancesIn(testShop)).toEqual([2_500]);
    expect(await fetchRemainingPlaces(browser)).toBe(20);
  });

  test('gift cards that pay everything add the places once, without a payment by card', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId } = await buyFrameWithGiftCard(testShop);
    const { code } = await buyGiftCardCode(testShop, 5_000);
    const intent = await startAddon(browser, deviceId, 1, { giftCards: [code] });
    expect(intent).toMatchObject({ totalAmount: 999, dueAmount: 0, clientSecret: '' });
    const verifyResponses = await Promise.all([1, 2, 3].map(() => verifyAddon(browser, intent.paymentIntentId)));
    for (const response of verifyResponses)
      expect(response.json).toMatchObject({ success: true, status: 'paid', deviceId });
    expect(await fetchRemainingPlaces(browser)).toBe(30);
    expect(await readBalancesIn(testShop)).toEqual([4_001]);
    expect(await readQueuedMails(testShop.shop.db, 'addon-receipt:')).toHaveLength(1);
    expect(await countRows(testShop.shop.db, 'orders')).toBe(2);
  });

  test('another customer cannot spend the gift card that a customer has entered for an add-on', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId } = await buyFrameWithGiftCard(testShop);
    const { code } = await buyGiftCardCode(testShop, 5_000);
    const intent = await startAddon(browser, deviceId, 1, { giftCards: [code] });
    const strangersBrowser = testShop.browser();
    await strangersBrowser.post('/api/auth/signup', {
      email: 'mallory@example.com',
      password: 'Kite-over-sea-4',
      firstName: 'Mallory',
      lastName: 'Moss',
    });
    const refusedResponses = [
      await verifyAddon(strangersBrowser, intent.paymentIntentId),
      await testShop.browser().post('/api/pay-with-gift-cards', { paymentIntentId: intent.paymentIntentId }),
    ];
    for (const response of refusedResponses) expect(response.json).not.toMatchObject({ success: true });
    expect(await fetchRemainingPlaces(browser)).toBe(20);
    expect(await readBalancesIn(testShop)).toEqual([5_000]);
  });

  test('charges no card and adds no places if the gift card was spent elsewhere, and emails the customer once', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId } = await buyFrameWithGiftCard(testShop);
    const { code } = await buyGiftCardCode(testShop, 2_500);
    const intent = await startAddon(browser, deviceId, 3, { giftCards: [code] });
    testShop.clock.advance(giftCardHoldMinutes * 60_000);
    const otherBuyersBrowser = testShop.browser();
    const otherIntent = (
      await otherBuyersBrowser.post('/api/create-payment-intent', {
        productId: 'kinframe',
        quantity: 1,
        extraPackages: 0,
        customerDetails: { ...anna, email: 'winner@example.com' },
        giftCards: [code],
      })
    ).json;
    await pay(otherBuyersBrowser, otherIntent);
    expect(
      (await otherBuyersBrowser.post('/api/verify-payment', { paymentIntentId: otherIntent.paymentIntentId })).json,
    ).toMatchObject({ success: true });
    await pay(browser, intent);
    const verifyResponse = await verifyAddon(browser, intent.paymentIntentId);
    expect([verifyResponse.status, verifyResponse.json.code]).toEqual([409, 'gift-card-lost']);
    expect(await fetchRemainingPlaces(browser)).toBe(20);
    expect(await readBalancesIn(testShop)).toEqual([0]);
    testShop.clock.advance(lifetimes.releasedPaymentMailMinutes * 60_000);
    for (const { data } of await readWaitingJobs(testShop.shop.db, 'mail-released-payment')) {
      await mailReleasedAddon(testShop.shop, data['paymentId'] as string);
      await mailReleasedAddon(testShop.shop, data['paymentId'] as string);
    }
    expect(await readQueuedMails(testShop.shop.db, 'payment-released:')).toMatchObject([
      { to: anna.email, content: { isGiftCardLost: true, checkoutUrl: expect.stringContaining('/addon-checkout?') } },
    ]);
  });

  test('refunds an add-on to the gift card and the bank card if its frame was refunded meanwhile, and sends one email', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId } = await buyFrameWithGiftCard(testShop);
    const { code } = await buyGiftCardCode(testShop, 2_500);
    const intent = await startAddon(browser, deviceId, 4, { giftCards: [code] });
    const { readOrders, refundOrder } = await signInOwner(testShop);
    await refundOrder((await readOrders()).find((it) => it.productType === 'kinframe')!.id);
    await pay(browser, intent);
    expect((await verifyAddon(browser, intent.paymentIntentId)).json).toMatchObject({ code: 'addon-given-back' });
    for (const { data } of await readWaitingJobs(testShop.shop.db, 'refund-payment'))
      await refundPayment(testShop.shop, data['paymentId'] as string);
    expect(await readBalancesIn(testShop)).toEqual([2_500]);
    expect(await readQueuedMails(testShop.shop.db, 'addon-given-back:')).toMatchObject([
      { content: { amountCents: 3_996, giftCardCents: 2_500 } },
    ]);

    const unusedGiftCard = await buyGiftCardCode(testShop, 5_000);
    const refusedResponse = await browser.post('/api/create-addon-payment-intent', {
      deviceId,
      quantity: 1,
      giftCards: [unusedGiftCard.code],
    });
    expect(refusedResponse.json).toMatchObject({ code: 'frame-refunded' });
  });

  test('takes nothing from the gift card if the frame was refunded before the customer places the order', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId } = await buyFrameWithGiftCard(testShop);
    const { code } = await buyGiftCardCode(testShop, 5_000);
    const intent = await startAddon(browser, deviceId, 1, { giftCards: [code] });
    const { readOrders, refundOrder } = await signInOwner(testShop);
    await refundOrder((await readOrders())[0]!.id);
    const verifyResponse = await verifyAddon(browser, intent.paymentIntentId);
    expect([verifyResponse.status, verifyResponse.json.code]).toEqual([409, 'frame-refunded']);
    expect(await readBalancesIn(testShop)).toEqual([5_000]);
  });

  test('a newer payment for the frame replaces the reservation, and the replaced payment can no longer be paid', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId } = await buyFrameWithGiftCard(testShop);
    const { code } = await buyGiftCardCode(testShop, 2_500);
    const replacedIntent = await startAddon(browser, deviceId, 1, { giftCards: [code] });
    const newerIntent = await startAddon(browser, deviceId, 2, { giftCards: [code] });
    expect(newerIntent.dueAmount).toBe(0);
    await runPaymentCancelJobs(testShop);
    expect((await verifyAddon(browser, replacedIntent.paymentIntentId)).json).toMatchObject({
      code: 'payment-not-finished',
    });
    expect((await verifyAddon(browser, newerIntent.paymentIntentId)).json).toMatchObject({ success: true });
    expect(await readBalancesIn(testShop)).toEqual([2_500 - 1_998]);
    expect(await fetchRemainingPlaces(browser)).toBe(40);
  });

  test('refuses an unknown and an empty gift card, and writes nothing', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, deviceId } = await buyFrameWithGiftCard(testShop);
    const { code } = await buyGiftCardCode(testShop, 2_500);
    const spentIntent = await startAddon(browser, deviceId, 10, { giftCards: [code] });
    await pay(browser, spentIntent);
    await verifyAddon(browser, spentIntent.paymentIntentId);
    const tablesBefore = await readAllTables(testShop.shop.db);
    for (const [giftCard, expectedCode] of [
      ['ABCDEFGHJKLMNPQR', 'gift-card-unknown'],
      [code, 'gift-card-empty'],
    ]) {
      const response = await browser.post('/api/create-addon-payment-intent', {
        deviceId,
        quantity: 1,
        giftCards: [giftCard],
      });
      expect(response.json).toMatchObject({ code: expectedCode });
    }
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
  });
});

describeOnPostgres((fresh) => {
  test('two add-ons of two frames that pay with one gift card at once never spend more than it has', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    for (let round = 0; round < 25; round++) {
      const { id, code } = await buyGiftCardCode(testShop, 2_500);
      const intents = [];
      for (const frame of frames) {
        intents.push(await startAddon(browser, frame.deviceId, 2, { giftCards: [code] }));
        // The reserved money becomes free, so the next payment can reserve it too.
        testShop.clock.advance(giftCardHoldMinutes * 60_000);
      }
      const responses = await Promise.all(
        intents.flatMap(({ paymentIntentId }) => [
          verifyAddon(browser, paymentIntentId),
          verifyAddon(browser, paymentIntentId),
        ]),
      );
      expect(responses.map((it) => it.json.code ?? 'paid').toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
        expect.stringMatching(/^(gift-card-lost|payment-not-finished)$/),
        expect.stringMatching(/^(gift-card-lost|payment-not-finished)$/),
        'paid',
        'paid',
      ]);
      expect((await readGiftCards(testShop)).find((card) => card.id === id)!.balance_cents).toBe(502);
    }
    expect((await readGiftCardUses(testShop)).filter((use) => use.state === 'spent')).toHaveLength(25);
  });

  test('an add-on paid by gift card and a refund of its frame at once lose no money and do not deadlock', async () => {
    for (let round = 0; round < 10; round++) {
      const testShop = await openTestShop(fresh);
      const { browser, deviceId } = await buyFrameWithGiftCard(testShop);
      const { code } = await buyGiftCardCode(testShop, 5_000);
      const intent = await startAddon(browser, deviceId, 1, { giftCards: [code] });
      const { readOrders, refundOrder } = await signInOwner(testShop);
      const [order] = await readOrders();
      const [verifyResponse, refundResponse] = await Promise.all([
        verifyAddon(browser, intent.paymentIntentId),
        refundOrder(order!.id),
        runPaymentSettlement(testShop),
      ]);
      expect(refundResponse.status).toBe(200);
      const isPaid = verifyResponse.json.success === true;
      expect(await readBalancesIn(testShop)).toEqual([isPaid ? 4_001 : 5_000]);
      expect(await countRows(testShop.shop.db, 'orders')).toBe(isPaid ? 2 : 1);
    }
  });
});
