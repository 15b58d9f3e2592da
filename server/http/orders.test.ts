import { expect, test } from 'vitest';
import type { OrderView } from '#contract/orders.ts';
import { estimateDelivery } from '#shop/orders/delivery-estimate.ts';
import { recordOrderEvent } from '#shop/orders/orders.ts';
import { anyEngine } from '#test/database.ts';
import { buyAddon } from '#test/paying.ts';
import { anna, annaOwns, buy, uploadTo } from '#test/people.ts';
import { openTestShop } from '#test/shop.ts';

anyEngine((fresh) => {
  test('an order opens to its customer and to its token, and to nobody else', async () => {
    const it = await openTestShop(fresh);
    const { browser, session } = await annaOwns(it, { quantity: 2, extraPackages: 1 });
    const [order] = (await browser.get('/api/order-summary')).json.orders;
    const path = `/api/orders/${order.orderNumber}`;

    const hers = await browser.get(path);
    expect(hers.status).toBe(200);
    expect(hers.json).toMatchObject({
      ...order,
      totalAmount: 40_799,
      refundedAmount: 0,
      promoCode: null,
      parcel: null,
      history: [{ kind: 'paid' }],
      frames: [
        { name: 'Kinframe 1', usedPhotos: 0, photoLimit: 30, isFinalized: false, videosReadyAt: null },
        { name: 'Kinframe 2', photoLimit: 20 },
      ],
    });
    expect((await it.browser().get(`${path}?session=${session}`)).json).toEqual(hers.json);
    expect((await browser.get(path.toLowerCase())).status).toBe(200); // as typed from paper

    const ben = it.browser();
    const { verified } = await buy(ben, { customerDetails: { ...anna, email: 'ben@example.com' } });
    for (const stranger of [
      it.browser().get(path),
      ben.get(path),
      ben.get(`${path}?session=${verified.json.session}`),
      it.browser().get(`${path}?session=${'x'.repeat(43)}`),
      browser.get('/api/orders/KF-0000-0000'),
    ])
      expect((await stranger).status).toBe(404);
  });

  test('an add-on waits for photos as long as the frame that it gives more room', async () => {
    const it = await openTestShop(fresh);
    const { browser, frames } = await annaOwns(it);
    const { deviceId } = frames[0]!;
    await buyAddon(browser, deviceId);
    const finalized = async () =>
      (await browser.get('/api/order-summary')).json.orders.map((order: OrderView) => order.isFinalized);
    expect(await finalized()).toEqual([false, false]);
    await uploadTo(browser, deviceId);
    expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
    expect(await finalized()).toEqual([true, true]);
    const [addon] = (await browser.get('/api/order-summary')).json.orders;
    expect((await browser.get(`/api/orders/${addon.orderNumber}`)).json.isFinalized).toBe(true);
  });

  test('whoever is about to buy is told when a frame would arrive', async () => {
    const it = await openTestShop(fresh);
    expect((await it.browser().get('/api/delivery-estimate')).json).toEqual(
      estimateDelivery(it.shop.deliveryTimes, it.clock.now()),
    );
    const { from } = estimateDelivery(it.shop.deliveryTimes, it.clock.now());
    it.clock.advance(7 * 86_400_000);
    expect((await it.browser().get('/api/delivery-estimate')).json.from > from).toBe(true);
  });

  test('an order’s history leaves out what is the owner’s', async () => {
    const it = await openTestShop(fresh);
    const { browser } = await annaOwns(it);
    const [order] = (await browser.get('/api/order-summary')).json.orders;
    await recordOrderEvent(it.shop.db, it.clock, order.id, 'note', 'Seems to be in a hurry.');
    await recordOrderEvent(it.shop.db, it.clock, order.id, 'dispute', 'The bank asks.');
    await recordOrderEvent(it.shop.db, it.clock, order.id, 'refund', '$9.99 given back.');
    const { history } = (await browser.get(`/api/orders/${order.orderNumber}`)).json;
    expect(history.map((event: { kind: string }) => event.kind)).toEqual(['paid', 'refund']);
  });
});
