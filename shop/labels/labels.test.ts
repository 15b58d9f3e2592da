import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { deleteOldData } from '#server/jobs/retention.ts';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { fakePdf } from '#test/fake-easypost.ts';
import { toStatusAndCode, labelParcel, labelSender, openLabelShop } from '#test/label-shop.ts';
import { buyFramesAsAnna } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';

const minuteMs = 60_000;

describeOnFastestEngine((fresh) => {
  test('buys a label, stores its PDF for the owner, and puts its price into the margin', async () => {
    const shop = await openLabelShop(fresh, { env: { SHIPPING_COST: '9', FRAME_COST: '60' } });
    const { admin, fake, read, margin } = shop;
    expect(await read()).toEqual({
      isOn: true,
      refusal: null,
      parcel: { weight: 48, length: 14, width: 11, height: 4 },
      customs: null,
      labels: [],
    });
    expect(await margin()).toMatchObject({ parcels: 1, parcelCost: 900, labelCost: 0 });
    const quotedRates = await shop.quote();
    expect(quotedRates.rates[0]).toMatchObject({ carrier: 'USPS', service: 'Ground Advantage', amount: 825, days: 3 });
    expect(quotedRates.warnings).toEqual(['FedEx: No account']);
    expect(JSON.stringify(fake.bodies)).not.toContain('@');
    expect(await read()).toMatchObject({ labels: [], parcel: labelParcel });
    const buyResponse = await shop.buy(quotedRates);
    expect(buyResponse.json).toMatchObject({
      state: 'bought',
      amount: 825,
      carrier: 'USPS',
      trackingNumber: '9405500208303109880001',
      pdfUrl: `/labels/${quotedRates.label.id}`,
      isOutdated: false,
    });
    const pdf = await admin.get(buyResponse.json.pdfUrl);
    expect([pdf.bytes, pdf.headers['content-type']]).toEqual([fakePdf, 'application/pdf']);
    expect(pdf.headers['content-disposition']).toContain('label-9405500208303109880001.pdf');
    for (const client of [shop.browser, shop.it.browser()])
      expect((await client.get(buyResponse.json.pdfUrl)).status).toBe(404);
    expect(await margin()).toMatchObject({ parcels: 1, parcelCost: 825, labelCost: 825, left: 19_900 - 6_000 - 825 });
    const { months } = (await admin.get('/api/analytics/margins')).json;
    expect(months[0]).toMatchObject({ parcelCost: 825, labelCost: 825 });
    expect((await shop.ownersOrder()).events.map((event: { words: string }) => event.words)).toContain(
      'Label bought: USPS Ground Advantage, $8.25.',
    );
    expect(JSON.stringify(await shop.customersOrder())).not.toContain('Label');
    expect((await read()).refusal).toBe('label-exists');
    expect(toStatusAndCode(await admin.post(`/api/admin/orders/${shop.orderId}/label-rates`, labelParcel))).toEqual([
      409,
      'label-exists',
    ]);
  });

  test('returns the bought label if it is bought again, and refuses a second label from another tab', async () => {
    const shop = await openLabelShop(fresh);
    const [first, second] = [await shop.quote(), await shop.quote()];
    const { json: label } = await shop.buy(first);
    expect((await shop.buy(first)).json).toEqual(label);
    expect(toStatusAndCode(await shop.buy(second))).toEqual([409, 'label-exists']);
    const otherRate = { rateId: first.rates[1].id };
    expect(toStatusAndCode(await shop.admin.post(`/api/admin/labels/${first.label.id}/buy`, otherRate))).toEqual([
      409,
      'label-exists',
    ]);
    expect(shop.fake.purchases).toBe(1);
  });

  test('finds a bought label when the response to the purchase was lost', async () => {
    const shop = await openLabelShop(fresh);
    const quotedRates = await shop.quote();
    shop.fake.trouble.push({ call: '/buy', answer: 'lost' });
    expect((await shop.buy(quotedRates)).json).toMatchObject({ state: 'bought', amount: 825 });
    expect(shop.fake.purchases).toBe(1);
  });

  test('checks again later if the service is down after a purchase, and buys no label twice', async () => {
    const shop = await openLabelShop(fresh);
    const quotedRates = await shop.quote();
    const serviceDown = { status: 503, code: 'SERVICE_UNAVAILABLE', message: 'Down' };
    shop.fake.trouble.push({ call: '/buy', answer: 'lost' }, { call: 'GET /shipments', answer: serviceDown });
    expect(toStatusAndCode(await shop.buy(quotedRates))).toEqual([503, 'label-unsure']);
    expect(await shop.states()).toEqual(['buying']);
    expect((await shop.buy(quotedRates)).json).toMatchObject({ state: 'buying' });
    expect((await shop.quote()).code).toBe('label-exists');
    await shop.wait(2);
    expect(await shop.follow()).toEqual([]);
    expect((await shop.read()).labels[0]).toMatchObject({ state: 'bought', pdfUrl: expect.any(String) });
    expect(shop.fake.purchases).toBe(1);
  });

  test('gives up a purchase of a killed process that never reached the service, after ten minutes', async () => {
    const shop = await openLabelShop(fresh);
    const quotedRates = await shop.quote();
    await shop.it.shop.db.execute(sql`update labels set state = 'buying', rate_id = ${quotedRates.rates[0].id},
      carrier = 'USPS', service = 'Ground Advantage', price_cents = 825, buying_at = ${shop.it.clock.now().toISOString()}`);
    await shop.wait(2);
    await shop.follow();
    expect(await shop.states()).toEqual(['buying']);
    await shop.wait(9);
    await shop.follow();
    expect((await shop.read()).labels[0]).toMatchObject({
      state: 'failed',
      problem: 'The label service did not make the label',
    });
    expect(await shop.margin()).toMatchObject({ labelCost: 0 });
    expect((await shop.buy(await shop.quote())).json.state).toBe('bought');
    expect(shop.fake.purchases).toBe(1);
  });

  test.each([
    [{ status: 402, code: 'INSUFFICIENT_FUNDS', message: 'Insufficient funds.' }, 409, 'label-no-money'],
    [{ status: 422, code: 'SHIPMENT.POSTAGE.FAILURE', message: 'Bad address' }, 409, 'label-refused'],
    [{ status: 429, code: 'RATE_LIMITED', message: 'Slow down' }, 503, 'label-service-busy'],
  ])('a purchase fails completely after the error %j', async (answer, status, code) => {
    const shop = await openLabelShop(fresh);
    const quotedRates = await shop.quote();
    shop.fake.trouble.push({ call: '/buy', answer });
    const refusedResponse = await shop.buy(quotedRates);
    expect(toStatusAndCode(refusedResponse)).toEqual([status, code]);
    if (status === 409) expect(refusedResponse.json.message).toContain(answer.message.replace('.', ''));
    expect(await shop.states()).toEqual(['failed']);
    expect(toStatusAndCode(await shop.buy(quotedRates))).toEqual([409, 'label-outdated']);
    expect((await shop.buy(await shop.quote())).json.state).toBe('bought');
  });

  test.each([
    ['html', 503, 'label-service-busy'],
    ['nothing', 503, 'label-service-busy'],
    [{ status: 422, code: 'ADDRESS.INVALID', message: 'No such street' }, 409, 'label-refused'],
  ] as const)('explains why no prices can be read: %j', async (answer, status, code) => {
    const shop = await openLabelShop(fresh);
    shop.fake.trouble.push({ call: 'POST /addresses', answer });
    const rateResponse = await shop.admin.post(`/api/admin/orders/${shop.orderId}/label-rates`, labelParcel);
    expect(toStatusAndCode(rateResponse)).toEqual([status, code]);
    expect((await readAllTables(shop.it.shop.db))['labels']).toEqual([]);
  });

  test('refuses a purchase after the address has changed or the order was canceled', async () => {
    const shop = await openLabelShop(fresh);
    const quotedRates = await shop.quote();
    const address = { line1: '9 Pine Street', city: 'Portland', state: 'OR', postalCode: '97205', country: 'US' };
    await shop.admin.put(`/api/admin/orders/${shop.orderId}/shipping-address`, { address, tellCustomer: false });
    expect(toStatusAndCode(await shop.buy(quotedRates))).toEqual([409, 'label-outdated']);
    const secondQuote = await shop.quote();
    await shop.it.shop.db.execute(sql`update orders set canceled_at = now()`);
    expect(toStatusAndCode(await shop.buy(secondQuote))).toEqual([409, 'order-canceled']);
    expect(shop.fake.purchases).toBe(0);
  });

  test('the panel says that a label has an old address after the address has changed', async () => {
    const shop = await openLabelShop(fresh);
    await shop.buy(await shop.quote());
    await shop.it.shop.db.execute(
      sql`update orders set shipping_address = shipping_address || '{"line1": "9 Pine St"}'`,
    );
    expect((await shop.read()).labels[0]).toMatchObject({ isOutdated: true });
  });

  test('refuses a label for an unknown country, without a sender, and without a label service', async () => {
    const shop = await openLabelShop(fresh);
    await shop.it.shop.db.execute(sql`update orders set shipping_address = shipping_address || '{"country": "MX"}'`);
    expect((await shop.read()).refusal).toBe('label-country');
    expect((await shop.quote()).code).toBe('label-country');
    expect(shop.fake.calls).toEqual([]);
    const shopWithoutSender = await openLabelShop(fresh, {
      env: Object.fromEntries(Object.keys(labelSender).map((name) => [name, ''])),
    });
    expect((await shopWithoutSender.quote()).code).toBe('label-sender-missing');
    const disabledShop = await openTestShop(fresh);
    await buyFramesAsAnna(disabledShop, { quantity: 1 });
    const admin = disabledShop.browser();
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    const [order] = (await admin.get('/api/admin/orders')).json;
    expect((await admin.get(`/api/admin/orders/${order.id}/labels`)).json).toMatchObject({ isOn: false, labels: [] });
    expect(toStatusAndCode(await admin.post(`/api/admin/orders/${order.id}/label-rates`, labelParcel))).toEqual([
      404,
      'not-found',
    ]);
    expect(
      (await disabledShop.app.inject({ method: 'POST', url: '/api/webhooks/easypost', payload: '{}' })).statusCode,
    ).toBe(404);
  });

  test('voids a label: its price no longer counts, and another label can be bought', async () => {
    const shop = await openLabelShop(fresh);
    const { json: label } = await shop.buy(await shop.quote());
    expect((await shop.voidLabel(label.id)).json).toMatchObject({ state: 'voiding' });
    expect((await shop.voidLabel(label.id)).json).toMatchObject({ state: 'voiding' });
    expect(shop.fake.calls.filter((call) => call.endsWith('/refund'))).toHaveLength(1);
    expect(await shop.margin()).toMatchObject({ parcelCost: null, labelCost: 0 });
    expect((await shop.buy(await shop.quote())).json.state).toBe('bought');
    expect(await shop.margin()).toMatchObject({ parcelCost: 825, labelCost: 825 });
    await shop.wait(2);
    await shop.follow();
    expect(await shop.states()).toEqual(['bought', 'voiding']);
    shop.fake.shipments.get('shp_1')!.refundStatus = 'refunded';
    await shop.wait(61);
    await shop.follow();
    expect(await shop.states()).toEqual(['bought', 'voided']);
    expect((await shop.admin.get(`/labels/${label.id}`)).status).toBe(404);
    expect(await shop.margin()).toMatchObject({ labelCost: 825 });
  });

  test('counts the price again if the carrier refuses the refund, at once or later', async () => {
    const shop = await openLabelShop(fresh);
    const { json: label } = await shop.buy(await shop.quote());
    const labelUsed = { status: 422, code: 'SHIPMENT.REFUND.UNAVAILABLE', message: 'The label was used.' };
    shop.fake.trouble.push({ call: '/refund', answer: labelUsed });
    const voidResponse = await shop.voidLabel(label.id);
    expect([...toStatusAndCode(voidResponse), voidResponse.json.message]).toEqual([
      409,
      'label-void-refused',
      'The label service did not void this label: The label was used. The label stays valid.',
    ]);
    expect((await shop.read()).labels[0]).toMatchObject({ state: 'void-refused', problem: 'The label was used' });
    expect(await shop.margin()).toMatchObject({ labelCost: 825 });
    expect((await shop.voidLabel(label.id)).json).toMatchObject({ state: 'voiding', problem: null });
    shop.fake.shipments.get('shp_1')!.refundStatus = 'rejected';
    await shop.wait(61);
    await shop.follow();
    expect(await shop.states()).toEqual(['void-refused']);
    expect(await shop.margin()).toMatchObject({ labelCost: 825 });
  });

  test('repeats a refund request that the service never received', async () => {
    const shop = await openLabelShop(fresh);
    const { json: label } = await shop.buy(await shop.quote());
    shop.fake.trouble.push({ call: '/refund', answer: 'html' });
    expect((await shop.voidLabel(label.id)).json).toMatchObject({ state: 'voiding' });
    shop.fake.refundStatus = 'refunded';
    await shop.wait(2);
    await shop.follow();
    expect(await shop.states()).toEqual(['voided']);
  });

  test('records once that the package was delivered, for the owner and the customer', async () => {
    const shop = await openLabelShop(fresh);
    const { json: label } = await shop.buy(await shop.quote());
    const shipment = { carrier: label.carrier, trackingNumber: label.trackingNumber, tellAgain: false };
    await shop.admin.post(`/api/admin/orders/${shop.orderId}/shipment`, shipment);
    const fiveMinutesAgo = new Date(Date.now() - 5 * minuteMs);
    const inTransitEvent = shop.fake.trackerEvent('shp_1', 'in_transit');
    const deliveredEvent = shop.fake.trackerEvent('shp_1', 'delivered', fiveMinutesAgo);
    const laterEvent = shop.fake.trackerEvent('shp_1', 'delivered', new Date());
    expect((await shop.deliver(inTransitEvent)).statusCode).toBe(200);
    expect((await shop.ownersOrder()).parcel.deliveredAt).toBeNull();
    for (const body of [deliveredEvent, deliveredEvent, inTransitEvent, laterEvent])
      expect((await shop.deliver(body)).json()).toEqual({ received: true });
    const order = await shop.ownersOrder();
    expect([order.orderStatus, order.parcel.deliveredAt]).toEqual(['shipped', fiveMinutesAgo.toISOString()]);
    const customersOrder = await shop.customersOrder();
    expect(customersOrder.parcel.deliveredAt).toBe(fiveMinutesAgo.toISOString());
    expect(customersOrder.history.filter((event: { kind: string }) => event.kind === 'delivered')).toHaveLength(1);
    expect((await shop.read()).labels[0].deliveredAt).toBe(fiveMinutesAgo.toISOString());
    const otherShipment = { carrier: 'UPS', trackingNumber: '1Z999', tellAgain: false };
    await shop.admin.post(`/api/admin/orders/${shop.orderId}/shipment`, otherShipment);
    expect((await shop.ownersOrder()).parcel).toMatchObject({ trackingNumber: '1Z999', deliveredAt: null });
  });

  test('keeps a delivery that is reported before the order is marked as shipped', async () => {
    const shop = await openLabelShop(fresh);
    const { json: label } = await shop.buy(await shop.quote());
    await shop.deliver(shop.fake.trackerEvent('shp_1', 'delivered'));
    expect((await shop.ownersOrder()).parcel).toBeNull();
    const shipment = { carrier: label.carrier, trackingNumber: label.trackingNumber, tellAgain: false };
    await shop.admin.post(`/api/admin/orders/${shop.orderId}/shipment`, shipment);
    expect((await shop.ownersOrder()).parcel.deliveredAt).toEqual(expect.any(String));
  });

  test('refuses unsigned, forged and long calls, and ignores unknown packages', async () => {
    const shop = await openLabelShop(fresh);
    await shop.buy(await shop.quote());
    const tablesBefore = await readAllTables(shop.it.shop.db);
    const body = shop.fake.trackerEvent('shp_1', 'delivered');
    expect((await shop.deliver(body, {})).statusCode).toBe(400);
    expect((await shop.deliver(body, { 'x-hmac-signature': 'hmac-sha256-hex=00' })).statusCode).toBe(400);
    expect((await shop.deliver(body.replace('shp_1', 'shp_9'), shop.fake.sign(body))).statusCode).toBe(400);
    expect((await shop.deliver('', shop.fake.sign(''))).statusCode).toBe(400);
    const tooLongBody = JSON.stringify({ description: 'x'.repeat(2_000_000) });
    expect((await shop.deliver(tooLongBody)).statusCode).toBe(413);
    expect((await shop.deliver(shop.fake.trackerEvent('shp_9', 'delivered'))).statusCode).toBe(200);
    expect(await readAllTables(shop.it.shop.db)).toEqual(tablesBefore);
  });

  test('deletes prices after a day, and the label with the address after 90 days', async () => {
    const shop = await openLabelShop(fresh);
    await shop.quote();
    const { json: label } = await shop.buy(await shop.quote());
    await shop.wait(25 * 60);
    await deleteOldData(shop.it.shop);
    expect((await readAllTables(shop.it.shop.db))['labels']).toHaveLength(1);
    await shop.wait(90 * 24 * 60);
    await deleteOldData(shop.it.shop);
    await shop.follow();
    const { admin } = shop;
    expect((await admin.get(`/labels/${label.id}`)).status).toBe(404);
    expect((await admin.get(`/api/admin/orders/${shop.orderId}/margin`)).json).toMatchObject({ labelCost: 825 });
  });
});

describeOnPostgres((fresh) => {
  test.each([2, 10])('buys one label when it is bought %i times at once', async (times) => {
    const shop = await openLabelShop(fresh);
    const firstQuote = await shop.quote();
    const otherQuote = await shop.quote();
    const { promise, resolve } = Promise.withResolvers<void>();
    shop.fake.beforePurchase = () => promise;
    let answered = 0;
    const countResponse = (call: ReturnType<typeof shop.buy>) => call.finally(() => (answered += 1));
    const buyCalls = Array.from({ length: times }, () => countResponse(shop.buy(firstQuote)));
    const otherTabCall = countResponse(shop.buy(otherQuote));
    // All calls but the one that buys are answered while the service has not responded yet.
    await vi.waitFor(() => expect(answered).toBe(times), { timeout: 20_000 });
    resolve();
    const responses = await Promise.all([...buyCalls, otherTabCall]);
    for (const { status, json } of responses) {
      expect(status === 200 ? json.state : json.code).toMatch(/^(buying|bought|label-exists)$/);
    }
    expect(responses.filter(({ json }) => json.state === 'bought')).toHaveLength(1);
    expect(shop.fake.purchases).toBe(1);
    expect(shop.fake.calls.filter((call) => call.endsWith('/buy'))).toHaveLength(1);
    expect(await shop.states()).toEqual(['bought']);
    expect(await shop.margin()).toMatchObject({ labelCost: 825 });
  });

  test('voids a label once when it is voided ten times at once', async () => {
    const shop = await openLabelShop(fresh);
    const { json: label } = await shop.buy(await shop.quote());
    const responses = await Promise.all(Array.from({ length: 10 }, () => shop.voidLabel(label.id)));
    expect(new Set(responses.map(({ json }) => json.state))).toEqual(new Set(['voiding']));
    expect(shop.fake.calls.filter((call) => call.endsWith('/refund'))).toHaveLength(1);
  });

  test('records one delivery when ten calls arrive at once', async () => {
    const shop = await openLabelShop(fresh);
    await shop.buy(await shop.quote());
    const body = shop.fake.trackerEvent('shp_1', 'delivered');
    const responses = await Promise.all(Array.from({ length: 10 }, () => shop.deliver(body)));
    expect(responses.every(({ statusCode }) => statusCode === 200)).toBe(true);
    const { events } = await shop.ownersOrder();
    expect(events.filter((event: { kind: string }) => event.kind === 'delivered')).toHaveLength(1);
  });
});
