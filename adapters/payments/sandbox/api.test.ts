import { describe, expect, onTestFinished, test } from 'vitest';
import { Stripe } from 'stripe';
import type { Db } from '#shop/ports/database.ts';
import { sampleFramePayment } from '../card-payments.suite.ts';
import { parseForm } from './form.ts';
import { computeFingerprint } from './idempotency.ts';
import { useSandboxDatabase } from './test-database.ts';
import { startSandboxServer, createSandboxTestShop } from './test-shop.ts';

const intentForm = { amount: '20898', currency: 'usd' };

const freshDatabase = useSandboxDatabase();

test('invalid parameters are refused with Stripe’s codes and messages', async () => {
  const shop = createSandboxTestShop((await freshDatabase()).db);
  const invalidParams: [Record<string, string>, string, string][] = [
    [{ ...intentForm, color: 'red' }, 'parameter_unknown', 'Received unknown parameter: color'],
    [
      { ...intentForm, 'shipping[name]': 'A', 'shipping[address][planet]': 'Mars' },
      'parameter_unknown',
      'Received unknown parameter: shipping[address][planet]',
    ],
    [{ ...intentForm, a: '1', b: '2' }, 'parameter_unknown', 'Received unknown parameters: a, b'],
    [{ currency: 'usd' }, 'parameter_missing', 'Missing required param: amount.'],
    [{ ...intentForm, amount: '12.5' }, 'parameter_invalid_integer', 'Invalid integer (amount)'],
    [{ ...intentForm, amount: '-5' }, 'parameter_invalid_integer', 'greater than or equal to 1'],
    [{ ...intentForm, amount: '49' }, 'amount_too_small', 'at least $0.50'],
    [{ ...intentForm, amount: '100000000' }, 'amount_too_large', '$999,999.99'],
    [{ ...intentForm, customer: 'cus_nobody' }, 'resource_missing', "No such customer: 'cus_nobody'"],
  ];
  for (const [form, code, message] of invalidParams) {
    const { status, body } = await shop.call('POST', '/v1/payment_intents', form);
    expect(status).toBe(code === 'resource_missing' ? 404 : 400);
    expect(body.error).toMatchObject({ type: 'invalid_request_error', code });
    expect(body.error.message).toContain(message);
  }
  for (const form of [
    { ...intentForm, currency: 'eur' },
    { amount: '100', 'currency[x]': 'usd' },
    { ...intentForm, '[x': '1' },
  ]) {
    expect((await shop.call('POST', '/v1/payment_intents', form)).status).toBe(400);
  }
  expect((await shop.call('GET', '/v1/payment_intents')).body.data).toEqual([]);
});

test('operations that are not for buyers need the secret key', async () => {
  const shop = createSandboxTestShop((await freshDatabase()).db);
  const callPayments = (authorization: string) =>
    shop.call('POST', '/v1/payment_intents', intentForm, { authorization });
  expect(await callPayments('')).toMatchObject({ status: 401 });
  expect(await callPayments('Bearer sk_test_guess')).toMatchObject({ status: 401 });
  expect(await callPayments('Bearer pk_test_sandbox')).toMatchObject({
    status: 403,
    body: { error: { code: 'secret_key_required' } },
  });
  expect(await callPayments(`Bearer ${shop.secretKey}`)).toMatchObject({ status: 200 });
});

test('an idempotency key replays its response and refuses a different request', async () => {
  const shop = createSandboxTestShop((await freshDatabase()).db);
  const createIntent = (form: Record<string, string>) =>
    shop.call('POST', '/v1/payment_intents', form, { 'idempotency-key': 'key-1' });
  const firstResponse = await createIntent(intentForm);
  const replayResponse = await createIntent({ currency: 'usd', amount: '20898' });
  expect(replayResponse).toMatchObject({
    status: 200,
    body: firstResponse.body,
    headers: { 'idempotent-replayed': 'true' },
  });
  expect(firstResponse.headers).not.toHaveProperty('idempotent-replayed');
  expect(await createIntent({ ...intentForm, amount: '100' })).toMatchObject({
    status: 400,
    body: { error: { type: 'idempotency_error' } },
  });
  const cancelResponse = await shop.call(
    'POST',
    `/v1/payment_intents/${firstResponse.body.id}/cancel`,
    {},
    { 'idempotency-key': 'key-1' },
  );
  expect(cancelResponse).toMatchObject({ status: 400, body: { error: { type: 'idempotency_error' } } });
  const tooLongResponse = await shop.call('POST', '/v1/payment_intents', intentForm, {
    'idempotency-key': 'k'.repeat(256),
  });
  expect(tooLongResponse.status).toBe(400);
});

test('an idempotency key keeps a refusal for a day, but not an invalid-parameter error', async () => {
  const shop = createSandboxTestShop((await freshDatabase()).db);
  const intent = await shop.payments.createIntent(sampleFramePayment, 'order-1');
  const createRefund = (form: Record<string, string>) =>
    shop.call('POST', '/v1/refunds', form, { 'idempotency-key': 'refund-1' });
  expect(await createRefund({ payment_intent: intent.id, typo: '1' })).toMatchObject({ status: 400 });
  const refusedRefundResponse = await createRefund({ payment_intent: intent.id });
  expect(refusedRefundResponse).toMatchObject({
    status: 400,
    body: { error: { code: 'payment_intent_unexpected_state' } },
  });
  await shop.pay(intent, 'pays');
  expect(await createRefund({ payment_intent: intent.id })).toMatchObject({
    status: 400,
    body: refusedRefundResponse.body,
  });
  shop.clock.advance(25 * 3600);
  await shop.runDueTasks();
  expect(await createRefund({ payment_intent: intent.id })).toMatchObject({ status: 200, body: { amount: 20898 } });
});

test('a repeated idempotency key gets the same decline, without a second charge', async () => {
  const shop = createSandboxTestShop((await freshDatabase()).db);
  const intent = await shop.payments.createIntent(sampleFramePayment, 'order-1');
  const confirmIntent = () =>
    shop.call(
      'POST',
      `/v1/payment_intents/${intent.id}/confirm`,
      { 'payment_method_data[card][number]': '4000000000000002' },
      { 'idempotency-key': 'confirm-1' },
    );
  const firstResponse = await confirmIntent();
  expect(firstResponse.status).toBe(402);
  expect(await confirmIntent()).toMatchObject({ status: 402, body: firstResponse.body });
  expect((await shop.call('GET', '/v1/charges', { payment_intent: intent.id })).body.data).toHaveLength(1);
});

test('the amount can change only while an intent is open, and metadata can always change', async () => {
  const shop = createSandboxTestShop((await freshDatabase()).db);
  const intent = await shop.payments.createIntent(sampleFramePayment, 'order-1');
  const updateIntent = (form: Record<string, string>) => shop.call('POST', `/v1/payment_intents/${intent.id}`, form);
  expect((await updateIntent({ amount: '19900', description: '', 'metadata[promo]': 'GIFT' })).body).toMatchObject({
    amount: 19900,
    description: null,
    receipt_email: 'anna@example.com',
    metadata: { checkoutId: 'chk_1', promo: 'GIFT' },
  });
  await shop.pay(intent, 'pays');
  expect(await updateIntent({ amount: '1000' })).toMatchObject({
    status: 400,
    body: { error: { code: 'payment_intent_unexpected_state' } },
  });
  expect((await updateIntent({ 'metadata[promo]': '', 'metadata[orderId]': 'o1' })).body.metadata).toEqual({
    checkoutId: 'chk_1',
    orderId: 'o1',
  });
});

test('refunds by intent or charge, full or partial, are listed and readable', async () => {
  const shop = createSandboxTestShop((await freshDatabase()).db);
  const intent = await shop.payments.createIntent(sampleFramePayment, 'order-1');
  await shop.pay(intent, 'pays');
  const { chargeId = '' } = (await shop.payments.getIntent(intent.id)) ?? {};
  const excessResponse = await shop.call('POST', '/v1/refunds', { charge: chargeId, amount: '20899' });
  expect(excessResponse.body.error.message).toBe(
    'Refund amount ($208.99) is greater than unrefunded amount on charge ($208.98)',
  );
  expect((await shop.call('POST', '/v1/refunds', { payment_intent: intent.id, amount: '0' })).status).toBe(400);
  expect((await shop.call('POST', '/v1/refunds', {})).body.error.code).toBe('parameter_missing');
  expect((await shop.call('POST', '/v1/refunds', { charge: 'ch_x' })).status).toBe(404);
  const partResponse = await shop.call('POST', '/v1/refunds', { charge: chargeId, amount: '898', reason: 'duplicate' });
  const restResponse = await shop.call('POST', '/v1/refunds', { payment_intent: intent.id });
  expect(partResponse.body).toMatchObject({ object: 'refund', amount: 898, reason: 'duplicate', status: 'succeeded' });
  expect(restResponse.body).toMatchObject({ amount: 20000 });
  expect((await shop.call('POST', '/v1/refunds', { charge: chargeId })).body.error.code).toBe(
    'charge_already_refunded',
  );
  expect((await shop.call('GET', '/v1/refunds', { charge: chargeId })).body.data).toEqual([
    restResponse.body,
    partResponse.body,
  ]);
  expect((await shop.call('GET', `/v1/refunds/${partResponse.body.id}`)).body).toEqual(partResponse.body);
  expect((await shop.call('GET', `/v1/charges/${chargeId}`)).body).toMatchObject({
    amount_refunded: 20898,
    refunded: true,
  });
  expect((await shop.call('GET', '/v1/balance')).body.available[0].amount).toBe(0);
});

test('an internal error reveals no details to the caller and counts as an outage for the shop', async () => {
  const lostDatabase = new Proxy({} as Db, {
    get() {
      throw new Error('the database is gone');
    },
  });
  const shop = createSandboxTestShop(lostDatabase);
  const response = await shop.call('POST', '/v1/payment_intents', intentForm);
  expect(response).toMatchObject({ status: 500, body: { error: { type: 'api_error' } } });
  expect(JSON.stringify(response.body)).not.toContain('gone');
  await expect(shop.payments.check()).rejects.toMatchObject({
    reason: 'unavailable',
    cause: { message: 'the database is gone' },
  });
});

test('unknown addresses, content types and ids are refused in Stripe’s error format', async () => {
  const shop = createSandboxTestShop((await freshDatabase()).db);
  expect(await shop.call('GET', '/v1/invoices')).toMatchObject({
    status: 404,
    body: { error: { type: 'invalid_request_error' } },
  });
  expect(await shop.call('POST', '/v1/balance')).toMatchObject({ status: 404 });
  expect(await shop.call('GET', '/v1/charges/pi_x')).toMatchObject({
    status: 404,
    body: { error: { code: 'resource_missing' } },
  });
  const jsonHeaders = { 'content-type': 'application/json' };
  expect(await shop.call('POST', '/v1/payment_intents', intentForm, jsonHeaders)).toMatchObject({
    status: 415,
    body: { error: { type: 'invalid_request_error' } },
  });
  const hugeResponse = await shop.call('POST', '/v1/payment_intents', {
    ...intentForm,
    description: 'x'.repeat(70_000),
  });
  expect(hugeResponse).toMatchObject({ status: 413, body: { error: { type: 'invalid_request_error' } } });
});

test('the official SDK can page through lists, create customers and read events', async () => {
  const shop = createSandboxTestShop((await freshDatabase()).db);
  onTestFinished(() => shop.app.close());
  const { hostname, port } = new URL(await startSandboxServer(shop));
  const stripe = new Stripe(shop.secretKey, {
    httpClient: Stripe.createFetchHttpClient((url, init) => {
      const { pathname, search } = new URL(url instanceof Request ? url.url : url);
      return fetch(`http://${hostname}:${port}/sandbox/stripe${pathname}${search}`, init);
    }),
  });
  const customer = await stripe.customers.create({ email: 'ben@example.com', name: 'Ben', metadata: { id: 'c1' } });
  expect(await stripe.customers.retrieve(customer.id)).toEqual(customer);
  expect((await stripe.customers.list({ email: 'ben@example.com' })).data).toEqual([customer]);
  for (let count = 0; count < 5; count++) {
    await stripe.paymentIntents.create({ amount: 1000 + count, currency: 'usd', customer: customer.id });
  }
  const intents = await stripe.paymentIntents
    .list({ customer: customer.id, limit: 2 })
    .autoPagingToArray({ limit: 100 });
  expect(intents.map(({ amount }) => amount)).toEqual([1004, 1003, 1002, 1001, 1000]);
  const events = await stripe.events.list({ type: 'payment_intent.created', limit: 100 });
  expect(events.data).toHaveLength(5);
  expect(events.has_more).toBe(false);
  expect(await stripe.events.retrieve(events.data[0]!.id)).toEqual(events.data[0]);
  await expect(stripe.paymentIntents.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' });
});

describe('form fields in bracket notation', () => {
  test('nested names become nested objects', () => {
    expect(parseForm('amount=1&shipping[address][city]=St.+John%27s&metadata[a]=1&metadata[b]=')).toEqual({
      amount: '1',
      shipping: { address: { city: "St. John's" } },
      metadata: { a: '1', b: '' },
    });
  });
  test('hostile parameter names are treated as data or refused', () => {
    parseForm('__proto__[polluted]=1&constructor[prototype][polluted]=1');
    expect({}).not.toHaveProperty('polluted');
    for (const form of [
      'a[b=1',
      'a]=1',
      '=1',
      'a=1&a[b]=2',
      'a[b]=2&a=1',
      `a${'[b]'.repeat(9)}=1`,
      'a=1&'.repeat(501),
    ]) {
      expect(() => parseForm(form)).toThrow();
    }
  });
});

const payAndReadFingerprint = (number: string, cvc: string) =>
  computeFingerprint('POST', '/v1/x', { payment_method_data: { card: { number, cvc } } });

test('a fingerprint distinguishes requests without the card’s full number or security code', () => {
  expect(payAndReadFingerprint('5555555555554444', '123')).toBe(payAndReadFingerprint('4444', '999'));
  expect(payAndReadFingerprint('4242424242424242', '123')).not.toBe(payAndReadFingerprint('4000000000000002', '123'));
  expect(computeFingerprint('POST', '/v1/x', { a: 1, b: 2 })).toBe(computeFingerprint('POST', '/v1/x', { b: 2, a: 1 }));
  expect(computeFingerprint('POST', '/v1/x', { a: 1 })).not.toBe(computeFingerprint('POST', '/v1/y', { a: 1 }));
});
