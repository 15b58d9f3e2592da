import { expect, test } from 'vitest';
import type { OrderView } from '#contract/orders.ts';
import { estimateDelivery } from '#shop/orders/delivery-estimate.ts';
import { recordOrderEvent } from '#shop/orders/orders.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { deliverVideos } from '#test/delivered-order.ts';
import { buyAddon } from '#test/paying.ts';
import { anna, buyFramesAsAnna, buyAndVerify, uploadTo } from '#test/people.ts';
import { openTestShop } from '#test/shop.ts';

describeOnFastestEngine((fresh) => {
  test('shows an order to its customer and to holders of its token, but answers 404 to everyone else', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, session } = await buyFramesAsAnna(testShop, { quantity: 2, extraPackages: 1 });
    const [order] = (await browser.get('/api/order-summary')).json.orders;
    const path = `/api/orders/${order.orderNumber}`;

    const customersResponse = await browser.get(path);
    expect(customersResponse.status).toBe(200);
    expect(customersResponse.json).toMatchObject({
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
    expect((await testShop.browser().get(`${path}?session=${session}`)).json).toEqual(customersResponse.json);
    expect((await browser.get(path.toLowerCase())).status).toBe(200); // a customer may type it in lower case

    const ben = testShop.browser();
    const { verified } = await buyAndVerify(ben, { customerDetails: { ...anna, email: 'ben@example.com' } });
    for (const deniedRequest of [
      testShop.browser().get(path),
      ben.get(path),
      ben.get(`${path}?session=${verified.json.session}`),
      testShop.browser().get(`${path}?session=${'x'.repeat(43)}`),
      browser.get('/api/orders/KF-0000-0000'),
    ])
      expect((await deniedRequest).status).toBe(404);
  });

  test('an order still has videos while photos of a second finalization are in production', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const [{ orderNumber }] = (await browser.get('/api/order-summary')).json.orders;
    const fetchShownOrder = async () => (await browser.get(`/api/orders/${orderNumber}`)).json.frames;
    await uploadTo(browser, deviceId);
    expect(await fetchShownOrder()).toMatchObject([{ videosReadyAt: null, hasVideos: false }]);
    await deliverVideos(testShop, browser, deviceId);
    expect(await fetchShownOrder()).toMatchObject([{ videosReadyAt: expect.any(String), hasVideos: true }]);
    await buyAddon(browser, deviceId);
    await uploadTo(browser, deviceId);
    expect(await fetchShownOrder()).toMatchObject([{ isFinalized: false, hasVideos: true }]);
    expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
    expect(await fetchShownOrder()).toMatchObject([{ isFinalized: true, videosReadyAt: null, hasVideos: true }]);
  });

  test('an order’s token gives access to its summary, but not to file names, captions or pictures of photos', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames, session } = await buyFramesAsAnna(testShop);
    await uploadTo(browser, frames[0]!.deviceId);
    const [photo] = (await browser.get('/api/uploads')).json;
    expect((await browser.put(`/api/uploads/${photo.id}`, { caption: 'Grandma at the lake' })).status).toBe(200);
    const [order] = (await browser.get('/api/order-summary')).json.orders;
    await recordOrderEvent(
      testShop.shop.db,
      testShop.clock,
      order.id,
      'photo-deleted',
      `Photo ${photo.originalFileName} deleted.`,
    );
    const photosOfAnna = (await browser.get('/api/uploads')).json;
    expect(photosOfAnna).toMatchObject([{ caption: 'Grandma at the lake', originalFileName: photo.originalFileName }]);

    const tokenBrowser = testShop.browser();
    const getWithToken = async (path: string) => tokenBrowser.get(`${path}?session=${session}`);
    expect((await getWithToken('/api/uploads')).json).toEqual([
      { id: photo.id, uploadedAt: photo.uploadedAt, isLocked: false, isProcessed: false, isWaiting: false },
    ]);
    expect((await getWithToken('/api/order-summary')).json.photoSummary).toEqual({
      uploadedPhotos: 1,
      totalCapacity: 20,
    });
    for (const path of ['/api/uploads', '/api/order-summary', '/api/user', `/api/orders/${order.orderNumber}`]) {
      const { status, text } = await getWithToken(path);
      expect(status, path).toBe(200);
      for (const secret of ['Grandma', photo.originalFileName, photo.fileName, photo.url, photo.sha256])
        expect(text, path).not.toContain(secret);
    }
  });

  test('with the token of another customer’s order, a page shows the other customer’s name and the signed-in account', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, session } = await buyFramesAsAnna(testShop);
    const ben = testShop.browser();
    await ben.post('/api/auth/register', {
      firstName: 'Ben',
      lastName: 'Otto',
      email: 'ben@example.com',
      password: 'Sunflower-Field-7',
    });
    const readUser = async (who: typeof ben, token?: string) =>
      (await who.get(`/api/user${token === undefined ? '' : `?session=${token}`}`)).json;
    expect(await readUser(ben, session)).toMatchObject({ firstName: anna.firstName, signedInAs: 'ben@example.com' });
    expect(await readUser(testShop.browser(), session)).toMatchObject({ firstName: anna.firstName, signedInAs: null });
    expect(await readUser(browser, session)).toMatchObject({ firstName: anna.firstName, signedInAs: null });
    expect(await readUser(ben)).toMatchObject({ firstName: 'Ben', signedInAs: null });
    expect(await readUser(ben, 'x'.repeat(43))).toMatchObject({ firstName: 'Ben', signedInAs: null });
  });

  test('an add-on is finalized together with its frame', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await buyAddon(browser, deviceId);
    const fetchIsFinalized = async () =>
      (await browser.get('/api/order-summary')).json.orders.map((order: OrderView) => order.isFinalized);
    expect(await fetchIsFinalized()).toEqual([false, false]);
    await uploadTo(browser, deviceId);
    expect((await browser.post('/api/uploads/finalize', { deviceId })).status).toBe(200);
    expect(await fetchIsFinalized()).toEqual([true, true]);
    const [addon] = (await browser.get('/api/order-summary')).json.orders;
    expect((await browser.get(`/api/orders/${addon.orderNumber}`)).json.isFinalized).toBe(true);
  });

  test('estimates the delivery for a visitor who has not bought yet', async () => {
    const testShop = await openTestShop(fresh);
    expect((await testShop.browser().get('/api/delivery-estimate')).json).toEqual(
      estimateDelivery(await testShop.shop.deliveryTimes(), testShop.clock.now()),
    );
    const { from } = estimateDelivery(await testShop.shop.deliveryTimes(), testShop.clock.now());
    testShop.clock.advance(7 * 86_400_000);
    expect((await testShop.browser().get('/api/delivery-estimate')).json.from > from).toBe(true);
  });

  test('an order’s history leaves out events that are only for the owner', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    const [order] = (await browser.get('/api/order-summary')).json.orders;
    await recordOrderEvent(testShop.shop.db, testShop.clock, order.id, 'note', 'Seems to be in a hurry.');
    await recordOrderEvent(testShop.shop.db, testShop.clock, order.id, 'dispute', 'The bank asks.');
    await recordOrderEvent(testShop.shop.db, testShop.clock, order.id, 'refund', '$9.99 given back.');
    const { history } = (await browser.get(`/api/orders/${order.orderNumber}`)).json;
    expect(history.map((event: { kind: string }) => event.kind)).toEqual(['paid', 'refund']);
  });
});
