import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { PaymentProviderError } from '#shop/ports/card-payments.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { anna, buyFramesAsAnna, buyAndVerify, fetchFrames, uploadTo } from '#test/people.ts';
import { rejectAsUnavailable, createFaultyProvider } from '#test/provider.ts';
import { readAllTables, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { requestRefund, syncRefunds, sweepRefunds } from './refunds.ts';

async function signInOwner(it: TestShop) {
  const admin = it.browser();
  const signIn = () => admin.post('/api/admin/auth/password', { password: adminPassword });
  await signIn();
  const readOrders = async () => (await admin.get('/api/admin/orders')).json;
  const [order] = await readOrders();
  const path = `/api/admin/orders/${order.id}/refunds`;
  return {
    admin,
    signIn,
    order,
    again: async () => (await readOrders()).find((it: { id: string }) => it.id === order.id),
    offer: async () => (await admin.get(path)).json,
    refund: (body: Record<string, unknown> = {}) => admin.post(path, { reason: 'Bought by mistake', ...body }),
  };
}
/** Runs the waiting jobs that request refunds from the provider. */
async function requestWaitingRefunds(it: TestShop) {
  for (const { data } of await readWaitingJobs(it.shop.db, 'ask-refund'))
    await requestRefund(it.shop, data['refundId'] as string);
}
async function readRefundsAtProvider(it: TestShop) {
  const { rows } = await it.shop.db.execute<{ body: { id: string; amount: number; status: string } }>(
    sql`select body from sandbox_objects where type = 'refund' order by position`,
  );
  return rows.map((row) => row.body);
}
const getIntentId = (order: { stripePaymentIntentId: string }) => order.stripePaymentIntentId;
const fetchPlaces = async (browser: Browser) =>
  (await fetchFrames(browser)).map((it) => {
    const { basePhotos, extraPhotos, usedPhotos } = it as unknown as Record<string, number>;
    return [basePhotos, extraPhotos, usedPhotos];
  });

describeOnPostgres((fresh) => {
  test('makes one refund when ten requests for the whole amount arrive at once', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop, { extraPackages: 1 });
    const { refund, again } = await signInOwner(testShop);
    const responses = await Promise.all(Array.from({ length: 10 }, () => refund({ amountCents: 20_898 })));
    expect(responses.map((it) => it.status).toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(9).fill(409)]);
    await Promise.all([
      requestWaitingRefunds(testShop),
      requestWaitingRefunds(testShop),
      requestWaitingRefunds(testShop),
    ]);
    expect(await readRefundsAtProvider(testShop)).toMatchObject([{ amount: 20_898 }]);
    expect(await again()).toMatchObject({ refundedAmount: 20_898, refunds: [{ state: 'succeeded' }] });
    expect(await readQueuedMails(testShop.shop.db, 'refund:')).toHaveLength(1);
  });

  test('sends no email about a refund if the owner leaves it out, and the history shows the refund', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { refund, again } = await signInOwner(testShop);
    expect((await refund({ amountCents: 900, tellCustomer: false })).status).toBe(200);
    await requestWaitingRefunds(testShop);
    expect(await readQueuedMails(testShop.shop.db, 'refund:')).toEqual([]);
    const { refunds, events } = await again();
    expect(refunds).toMatchObject([{ amount: 900, state: 'succeeded' }]);
    expect(events).toContainEqual(expect.objectContaining({ kind: 'refund' }));
    const { audit_trail: trail } = await readAllTables(testShop.shop.db);
    const expectedAfter = expect.objectContaining({ tellCustomer: false });
    expect(trail).toContainEqual(expect.objectContaining({ act: 'refund-order', after: expectedAfter }));
  });

  test('makes one refund when ten requests have the same key; partial refunds never exceed the total', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { refund, again } = await signInOwner(testShop);
    const key = crypto.randomUUID();
    const sameRefundResponses = await Promise.all(Array.from({ length: 10 }, () => refund({ amountCents: 900, key })));
    expect(sameRefundResponses.map((it) => it.status)).toEqual(Array(10).fill(200));
    expect((await again()).refundedAmount).toBe(900);
    const partResponses = await Promise.all(Array.from({ length: 10 }, () => refund({ amountCents: 4_000 })));
    expect(partResponses.filter((it) => it.status === 200)).toHaveLength(4);
    expect((await again()).refundedAmount).toBe(16_900);
    await requestWaitingRefunds(testShop);
    const returnedCents = (await readRefundsAtProvider(testShop)).reduce((sum, it) => sum + it.amount, 0);
    expect(returnedCents).toBe(16_900);
  });

  test('a full refund during uploads leaves a frame with exactly the places of its uploaded photos', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { extraPackages: 1 });
    const { refund } = await signInOwner(testShop);
    const uploadPhoto = () => uploadTo(browser, frames[0]!.deviceId);
    const uploadsBefore = await Promise.all([uploadPhoto(), uploadPhoto()]);
    expect(uploadsBefore.map((it) => it.status)).toEqual([200, 200]);
    const [refunded, ...uploads] = await Promise.all([refund(), ...Array.from({ length: 12 }, uploadPhoto)]);
    expect(refunded.status).toBe(200);
    const takenPlaces = 2 + uploads.filter((it) => it.status === 200).length;
    for (const refusedUpload of uploads.filter((it) => it.status !== 200))
      expect(refusedUpload.json).toMatchObject({ code: 'photo-limit-reached' });
    const [after] = await fetchFrames(browser);
    expect(after).toMatchObject({ usedPhotos: takenPlaces, totalLimit: takenPlaces, remainingPhotos: 0 });
    expect(after!.uploads).toHaveLength(takenPlaces);
    expect(refunded.json.refunds).toMatchObject([{ photosWithdrawn: 30 - takenPlaces }]);
  });

  test('refunds of an order and finalize requests for its frames run at the same time without a deadlock', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const { refund } = await signInOwner(testShop);
    for (const { deviceId } of frames) await uploadTo(browser, deviceId);
    const finalizeFrame = (deviceId: string) => browser.post('/api/uploads/finalize', { deviceId });
    const responses = await Promise.all([
      refund({ amountCents: 100 }),
      finalizeFrame(frames[0]!.deviceId),
      refund({ amountCents: 200 }),
      finalizeFrame(frames[1]!.deviceId),
    ]);
    expect(responses.map((it) => it.status)).toEqual([200, 200, 200, 200]);
  });
});

describeOnEachEngine((fresh) => {
  test('the jobs and webhooks complete a refund that the owner has requested', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, session } = await buyFramesAsAnna(testShop, { extraPackages: 2 });
    await startJobs(testShop.shop);
    const { refund, offer, again, order } = await signInOwner(testShop);
    expect(await offer()).toEqual({
      remainingAmount: 21_898,
      card: { brand: 'visa', last4: '4242' },
      giftCardAmount: 0,
      giftCards: [],
      unusedPhotos: 40,
      unusedPackages: 2,
      packageAmount: 999,
    });
    const response = await refund({ amountCents: 999, withdrawPhotos: true });
    expect(response.json).toMatchObject({ refundedAmount: 999, refunds: [{ amount: 999, photosWithdrawn: 10 }] });
    await vi.waitFor(async () => expect((await again()).refunds[0].state).toBe('succeeded'), { timeout: 20_000 });
    await testShop.shop.sandbox!.runDueTasks();
    await vi.waitFor(
      async () => {
        const { rows } = await testShop.shop.db.execute(sql`select state from jobs.job where name = 'follow-refunds'`);
        expect(rows.length).toBeGreaterThan(0);
        expect(rows.every((job) => job['state'] === 'completed')).toBe(true);
      },
      { timeout: 20_000 },
    );
    expect(await fetchPlaces(browser)).toEqual([[20, 10, 0]]);
    const offerAfterRepeat = await again();
    expect(offerAfterRepeat.refunds).toHaveLength(1);
    expect(offerAfterRepeat.events.at(-1)).toMatchObject({
      kind: 'refund',
      words: 'Refunded $9.99: Bought by mistake. Unused room for 10 photos was removed.',
    });
    const mails = await readQueuedMails(testShop.shop.db, 'refund:');
    expect(mails).toMatchObject([
      {
        to: anna.email,
        content: { amountCents: 999, reason: 'Bought by mistake', photosWithdrawn: 10, orderNumber: order.orderNumber },
      },
    ]);
    const seenOrder = (await testShop.browser().get(`/api/order-summary?session=${session}`)).json.orders[0];
    expect(seenOrder).toMatchObject({ refundedAmount: 999, totalAmount: 21_898 });
    expect((await readAllTables(testShop.shop.db))['audit_trail']).toContainEqual(
      expect.objectContaining({
        act: 'refund-order',
        subject_id: order.id,
        after: expect.objectContaining({ amountCents: 999, reason: 'Bought by mistake', photosWithdrawn: 10 }),
      }),
    );
  });
});

describeOnFastestEngine((fresh) => {
  test('refuses wrong amounts, ids and users, and changes nothing', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    const { refund, admin, order } = await signInOwner(testShop);
    const tablesBefore = await readAllTables(testShop.shop.db);
    for (const amountCents of [Number.NaN, -1, 0, 1.5, 1e9, 2 ** 53, '900', 'all', null, [], {}, true])
      expect((await refund({ amountCents })).json, JSON.stringify(amountCents)).toMatchObject({
        success: false,
        code: 'invalid-request',
        fields: { amountCents: 'Please enter an amount in dollars and cents, such as 12.50' },
      });
    for (const reason of [undefined, '', '   ', 'x'.repeat(501), 7])
      expect((await refund({ reason })).json).toMatchObject({
        code: 'invalid-request',
        fields: { reason: expect.any(String) },
      });
    expect((await refund({ key: 'not-a-key' })).status).toBe(400);
    expect((await refund({ amountCents: 19_901 })).json).toMatchObject({
      code: 'refund-too-large',
      message: 'You can still refund up to $199.00 of this order.',
    });
    for (const id of ['none', crypto.randomUUID(), order.orderNumber]) {
      expect((await admin.get(`/api/admin/orders/${id}/refunds`)).status).toBe(404);
      expect((await admin.post(`/api/admin/orders/${id}/refunds`, { reason: 'A test' })).status).toBe(404);
    }
    for (const otherBrowser of [browser, testShop.browser()]) {
      expect((await otherBrowser.get(`/api/admin/orders/${order.id}/refunds`)).json.code).toBe('admin-needed');
      expect((await otherBrowser.post(`/api/admin/orders/${order.id}/refunds`, { reason: 'A test' })).json.code).toBe(
        'admin-needed',
      );
    }
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
    expect(await readWaitingJobs(testShop.shop.db, 'ask-refund')).toEqual([]);
    expect((await refund()).status).toBe(200);
    expect((await refund()).json.code).toBe('nothing-to-refund');
  });

  test('a full refund withdraws unused places, keeps the photos and closes a frame without photos', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 3, extraPackages: 2 });
    const [first, second, empty] = frames.map((it) => it.deviceId) as [string, string, string];
    await uploadTo(browser, first);
    await uploadTo(browser, second);
    expect((await browser.post('/api/uploads/finalize', { deviceId: second })).status).toBe(200);
    const { refund, again } = await signInOwner(testShop);
    expect((await refund()).json.refunds).toMatchObject([{ amount: 61_698, photosWithdrawn: 49 }]);
    // The finalized frame is unchanged. The frame that is not finalized keeps only the place of its photo.
    expect(await fetchPlaces(browser)).toEqual([
      [1, 0, 1],
      [20, 10, 1],
    ]);
    expect((await uploadTo(browser, first)).json.code).toBe('photo-limit-reached');
    expect((await uploadTo(browser, empty)).json).toMatchObject({
      code: 'frame-refunded',
      message: 'This frame was refunded, so you cannot add photos to it.',
    });
    expect((await browser.post('/api/uploads/finalize', { deviceId: empty })).json.code).toBe('frame-refunded');
    const { frameInfo } = (await browser.get('/api/customer/frames')).json;
    expect(frameInfo.frames.map((it: { status: string }) => it.status)).toEqual(['active', 'active']);
    expect((await browser.post('/api/uploads/finalize', { deviceId: first })).status).toBe(200);
    expect((await again()).orderStatus).toBe('processing'); // all frames that were not refunded are finalized
  });

  test('a partial refund withdraws the unused packages it pays for, but only with withdrawPhotos', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2, extraPackages: 3 });
    for (let i = 0; i < 2; i++) await uploadTo(browser, frames[0]!.deviceId);
    const { refund, offer } = await signInOwner(testShop);
    expect((await refund({ amountCents: 5_000 })).json.refunds.at(-1).photosWithdrawn).toBe(0);
    expect((await refund({ amountCents: 998, withdrawPhotos: true })).json.refunds.at(-1).photosWithdrawn).toBe(0);
    expect((await refund({ amountCents: 1_998, withdrawPhotos: true })).json.refunds.at(-1).photosWithdrawn).toBe(20);
    expect((await fetchPlaces(browser)).reduce((sum, [base, extra]) => sum + base! + extra!, 0)).toBe(50);
    expect(await offer()).toMatchObject({ unusedPackages: 1, unusedPhotos: 48 });
    // A refund never withdraws more than the unused packages, whatever its amount.
    expect((await refund({ amountCents: 20_000, withdrawPhotos: true })).json.refunds.at(-1).photosWithdrawn).toBe(10);
    expect(await fetchPlaces(browser)).toEqual([
      [20, 0, 2],
      [20, 0, 0],
    ]);
  });

  test('retries a refund until the provider responds', async () => {
    const { provider, state } = createFaultyProvider(() => ({
      refund: rejectAsUnavailable,
      listRefundsOf: rejectAsUnavailable,
      getIntent: rejectAsUnavailable,
    }));
    state.isOn = false;
    const testShop = await openTestShop(fresh, { provider });
    await buyFramesAsAnna(testShop);
    const { refund, again, offer } = await signInOwner(testShop);
    state.isOn = true;
    expect((await offer()).card).toBeNull();
    expect((await refund({ amountCents: 500 })).json.refunds).toMatchObject([{ state: 'asking' }]);
    await expect(requestWaitingRefunds(testShop)).rejects.toThrow('no route to the provider');
    expect(await again()).toMatchObject({ refundedAmount: 500, refunds: [{ state: 'asking' }] });
    expect(await readQueuedMails(testShop.shop.db, 'refund:')).toEqual([]);
    state.isOn = false;
    await requestWaitingRefunds(testShop);
    expect((await again()).refunds).toMatchObject([{ state: 'succeeded' }]);
    expect(await readQueuedMails(testShop.shop.db, 'refund:')).toHaveLength(1);
  });

  test.each([
    ['before the provider is asked', 'before'],
    ['after the provider has taken it', 'after'],
  ])('makes exactly one refund when the process crashes %s', async (_when, when) => {
    const { provider, state } = createFaultyProvider((real) => ({
      refund: async (...request) => {
        if (when === 'after') await real.refund(...request);
        throw new Error('the process died here');
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    await buyFramesAsAnna(testShop);
    const { refund, again, order } = await signInOwner(testShop);
    await refund({ amountCents: 500 });
    await expect(requestWaitingRefunds(testShop)).rejects.toThrow('died');
    // The provider forgets the idempotency key before the request is repeated.
    await testShop.shop.db.execute(sql`delete from sandbox_idempotency`);
    state.isOn = false;
    await requestWaitingRefunds(testShop);
    await requestWaitingRefunds(testShop);
    await syncRefunds(testShop.shop, getIntentId(order));
    expect(await readRefundsAtProvider(testShop)).toHaveLength(1);
    expect(await again()).toMatchObject({ refundedAmount: 500, refunds: [{ amount: 500, state: 'succeeded' }] });
    expect(await readQueuedMails(testShop.shop.db, 'refund:')).toHaveLength(1);
  });

  test('recognizes its refund by the shop’s id when the webhook arrives but the response was lost', async () => {
    const { provider, state } = createFaultyProvider((real) => ({
      refund: async (...request) => {
        await real.refund(...request);
        throw new Error('the process died here');
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    await buyFramesAsAnna(testShop);
    const { refund, again, order } = await signInOwner(testShop);
    await refund({ amountCents: 500 });
    await expect(requestWaitingRefunds(testShop)).rejects.toThrow('died');
    state.isOn = false;
    await testShop.shop.sandbox!.runDueTasks();
    const receivedJobs = await readWaitingJobs(testShop.shop.db, 'follow-refunds');
    expect(receivedJobs.map((job) => job.data)).toEqual([{ intentId: getIntentId(order) }]);
    await syncRefunds(testShop.shop, getIntentId(order));
    expect((await again()).refunds).toMatchObject([{ amount: 500, state: 'succeeded', reason: 'Bought by mistake' }]);
  });

  test('a refund that fails later no longer counts, returns its places and notifies the owner once', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2, extraPackages: 3 });
    for (let i = 0; i < 3; i++) await uploadTo(browser, frames[0]!.deviceId);
    const places = await fetchPlaces(browser);
    const { refund, again, order } = await signInOwner(testShop);
    await refund();
    await requestWaitingRefunds(testShop);
    expect(await again()).toMatchObject({ refundedAmount: 42_797, refunds: [{ photosWithdrawn: 67 }] });
    const [made] = await readRefundsAtProvider(testShop);
    await testShop.shop.sandbox!.failRefund(made!.id);
    await syncRefunds(testShop.shop, getIntentId(order));
    await syncRefunds(testShop.shop, getIntentId(order));
    const offerAfterRepeat = await again();
    expect(offerAfterRepeat).toMatchObject({ refundedAmount: 0, refunds: [{ state: 'failed' }] });
    expect(offerAfterRepeat.events.at(-1).words).toBe(
      'The refund of $427.97 did not go through. We will find another way.',
    );
    expect(await fetchPlaces(browser)).toEqual(places);
    expect((await uploadTo(browser, frames[1]!.deviceId)).status).toBe(200);
    expect(await readQueuedMails(testShop.shop.db, 'owner-refund-failed:')).toMatchObject([
      {
        to: 'support@kinframe.example',
        content: { amountCents: 42_797, reason: 'expired_or_canceled_card', photosReturned: 67 },
      },
    ]);
    expect((await refund({ amountCents: 42_797 })).status).toBe(200); // the owner can try the refund again
  });

  test('a refund that the provider refuses fails at once and sends no email to the customer', async () => {
    const { provider } = createFaultyProvider(() => ({
      refund: () => Promise.reject(new PaymentProviderError('rejected', 'refund a payment: charge_disputed')),
    }));
    const testShop = await openTestShop(fresh, { provider });
    await buyFramesAsAnna(testShop);
    const { refund, again } = await signInOwner(testShop);
    await refund({ amountCents: 500 });
    await requestWaitingRefunds(testShop);
    expect(await again()).toMatchObject({ refundedAmount: 0, refunds: [{ state: 'failed' }] });
    expect(await readQueuedMails(testShop.shop.db, 'refund:')).toEqual([]);
    expect(await readQueuedMails(testShop.shop.db, 'owner-refund-failed:')).toHaveLength(1);
  });

  test('stores a refund made at the provider only once; a refund of all that is left removes unused photo slots', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    const { again, order, refund } = await signInOwner(testShop);
    const refundElsewhere = (amountCents: number) =>
      testShop.shop.provider.refund({ intentId: getIntentId(order), amountCents }, crypto.randomUUID());
    await refundElsewhere(1_000);
    const syncOrderRefunds = () => syncRefunds(testShop.shop, getIntentId(order));
    await syncOrderRefunds();
    await syncOrderRefunds();
    expect(await again()).toMatchObject({
      refundedAmount: 1_000,
      refunds: [{ amount: 1_000, state: 'succeeded', photosWithdrawn: 0 }],
    });
    // The shop's refund fails, because its money was already refunded at the provider. After that, the refund at the
    // provider can be counted.
    await refund({ amountCents: 18_900 });
    await refundElsewhere(18_900);
    await expect(syncOrderRefunds()).rejects.toThrow('more than is left');
    await requestWaitingRefunds(testShop);
    await syncOrderRefunds();
    expect(await again()).toMatchObject({
      refundedAmount: 19_900,
      refunds: [{ amount: 1_000 }, { amount: 18_900, state: 'failed' }, { amount: 18_900, photosWithdrawn: 20 }],
    });
    expect(await fetchPlaces(browser)).toEqual([]);
    const { hasFrames, hasOrders } = (await browser.get('/api/customer/frames')).json.frameInfo;
    expect([hasFrames, hasOrders]).toEqual([false, false]); // the customer sees no frames and no orders
    expect(await readQueuedMails(testShop.shop.db, 'refund:')).toHaveLength(2);
  });

  test('ignores refunds of another program’s payments', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const tablesBefore = await readAllTables(testShop.shop.db);
    await syncRefunds(testShop.shop, 'pi_of_another_program');
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
  });

  test('rejects a report about a refund whose order does not exist yet, so that the job retries it', async () => {
    const testShop = await openTestShop(fresh);
    const { provider } = testShop.shop;
    const browser = testShop.browser();
    const { paymentIntentId } = await buyAndVerify(browser);
    await testShop.shop.db.execute(sql`update orders set payment_id = 'hidden'`);
    await testShop.shop.db.execute(sql`update payments set state = 'open'`);
    await provider.refund({ intentId: paymentIntentId, amountCents: 100 }, 'elsewhere');
    await expect(syncRefunds(testShop.shop, paymentIntentId)).rejects.toThrow('before it became an order');
  });

  test('checks refunds again that have had no update for hours', async () => {
    const { provider, state } = createFaultyProvider((real) => ({
      refund: async (...request) => ({ ...(await real.refund(...request)), status: 'pending' }),
    }));
    const testShop = await openTestShop(fresh, { provider });
    await buyFramesAsAnna(testShop);
    const { refund, again, order, signIn } = await signInOwner(testShop);
    await refund({ amountCents: 500 });
    await requestWaitingRefunds(testShop);
    expect((await again()).refunds).toMatchObject([{ state: 'pending' }]);
    await refund({ amountCents: 600 });
    await testShop.shop.db.execute(sql`delete from jobs.job where name in ('ask-refund', 'follow-refunds')`);
    await sweepRefunds(testShop.shop);
    expect(await readWaitingJobs(testShop.shop.db, 'ask-refund')).toEqual([]);
    testShop.clock.advance(7 * 3_600_000);
    await sweepRefunds(testShop.shop);
    await sweepRefunds(testShop.shop);
    expect(await readWaitingJobs(testShop.shop.db, 'ask-refund')).toHaveLength(1);
    expect((await readWaitingJobs(testShop.shop.db, 'follow-refunds')).map((job) => job.data)).toEqual([
      { intentId: getIntentId(order) },
    ]);
    state.isOn = false;
    await signIn();
    await requestWaitingRefunds(testShop);
    await syncRefunds(testShop.shop, getIntentId(order));
    expect((await again()).refunds).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]);
    expect(await readQueuedMails(testShop.shop.db, 'refund:')).toHaveLength(2);
  });

  test('the next run of the sweep continues with refunds beyond the limit of one run', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await buyFramesAsAnna(testShop);
    const { refund } = await signInOwner(testShop);
    await refund({ amountCents: 500 });
    await db.execute(sql`
      insert into refunds select (jsonb_populate_record(refunds, jsonb_build_object('id', 'another-' || n))).*
      from refunds, generate_series(1, 250) n`);
    await db.execute(sql`delete from jobs.job where name = 'ask-refund'`);
    testShop.clock.advance(7 * 3_600_000);
    await sweepRefunds(testShop.shop);
    expect(await readWaitingJobs(db, 'ask-refund')).toHaveLength(200);
    await sweepRefunds(testShop.shop);
    expect(await readWaitingJobs(db, 'ask-refund')).toHaveLength(251);
  });
});
