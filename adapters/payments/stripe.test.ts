import { Stripe } from 'stripe';
import { describe, expect, test, vi } from 'vitest';
import { PaymentProviderError } from '#shop/ports/card-payments.ts';
import { sampleFramePayment } from './card-payments.suite.ts';
import { createStripePayments, type StripeSettings } from './stripe.ts';

interface SentRequest {
  url: string;
  method: string | undefined;
  headers: Headers;
  form: URLSearchParams;
}

const WEBHOOK_SECRET = 'whsec_for_tests';
const intentResponseBody = {
  id: 'pi_1',
  object: 'payment_intent',
  client_secret: 'pi_1_secret_x',
  status: 'succeeded',
  amount: 20898,
  amount_received: 20898,
  currency: 'usd',
  metadata: {},
  livemode: true,
  latest_charge: { id: 'ch_1' },
};

/** A fake provider that returns these responses in order, and then repeats the last one. */
function openProvider(answers: (Response | Error)[], settings: Partial<StripeSettings> = {}) {
  const sentRequests: SentRequest[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    sentRequests.push({
      url,
      method: init.method,
      headers: new Headers(init.headers),
      form: new URLSearchParams(typeof init.body === 'string' ? init.body : ''),
    });
    const nextAnswer = answers.length > 1 ? answers.shift() : answers[0];
    if (nextAnswer instanceof Error) throw nextAnswer;
    return nextAnswer!.clone();
  };
  return {
    sent: sentRequests,
    payments: createStripePayments({ secretKey: 'sk_test_1', webhookSecret: WEBHOOK_SECRET, fetch, ...settings }),
  };
}
const createJsonResponse = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });
const createErrorResponse = (status: number, error: object) =>
  createJsonResponse(status, { error }, { 'request-id': 'req_1' });

describe('requests to Stripe', () => {
  test('retries reading the account after an outage, but not after a permission error', async () => {
    const account = createJsonResponse(200, { id: 'acct_1', object: 'account' });
    const unavailableProvider = openProvider([
      createErrorResponse(503, { type: 'api_error' }),
      createErrorResponse(503, {}),
      createErrorResponse(503, {}),
      account,
    ]);
    expect(await unavailableProvider.payments.readAccountId()).toBeNull();
    expect(await unavailableProvider.payments.readAccountId()).toBe('acct_1');
    const restrictedProvider = openProvider([createErrorResponse(403, { type: 'invalid_request_error' }), account]);
    expect([
      await restrictedProvider.payments.readAccountId(),
      await restrictedProvider.payments.readAccountId(),
    ]).toEqual([null, null]);
  });

  test('creates an intent with all the shop’s data and the given idempotency key', async () => {
    const { sent: sentRequests, payments } = openProvider([createJsonResponse(200, intentResponseBody)]);
    const intent = await payments.createIntent(sampleFramePayment, 'checkout-7');
    expect(intent).toEqual({
      id: 'pi_1',
      clientSecret: 'pi_1_secret_x',
      status: 'succeeded',
      amountCents: 20898,
      amountReceivedCents: 20898,
      currency: 'usd',
      metadata: {},
      livemode: true,
      chargeId: 'ch_1',
    });
    expect(sentRequests[0]).toMatchObject({ url: 'https://api.stripe.com/v1/payment_intents', method: 'POST' });
    expect(sentRequests[0]?.headers.get('idempotency-key')).toBe('checkout-7');
    expect(sentRequests[0]?.headers.get('stripe-version')).toBe(Stripe.API_VERSION);
    expect(Object.fromEntries(sentRequests[0]!.form)).toEqual({
      amount: '20898',
      currency: 'usd',
      description: sampleFramePayment.description,
      receipt_email: 'anna@example.com',
      'metadata[checkoutId]': 'chk_1',
      'automatic_payment_methods[enabled]': 'true',
      'shipping[name]': 'Anna Berg',
      'shipping[phone]': '+1 555 0100',
      'shipping[address][line1]': '1 Elm Street',
      'shipping[address][city]': 'Albany',
      'shipping[address][state]': 'NY',
      'shipping[address][postal_code]': '12207',
      'shipping[address][country]': 'US',
    });
  });

  test('calculates tax by line and place, and sends the id of the calculation with the intent', async () => {
    const createTaxBreakdown = (state: string | null, percentage_decimal: string, amount: number) => ({
      amount,
      taxable_amount: 899,
      tax_rate_details: { country: 'US', state, percentage_decimal },
    });
    const { sent: sentRequests, payments } = openProvider([
      createJsonResponse(200, {
        id: 'taxcalc_1',
        tax_amount_exclusive: 80,
        tax_breakdown: [
          createTaxBreakdown('NY', '4.0', 36),
          createTaxBreakdown('NY', '4.875', 44),
          createTaxBreakdown('NY', '0', 0),
        ],
      }),
      createJsonResponse(200, intentResponseBody),
    ]);
    const request = {
      currency: 'usd',
      lines: [{ reference: 'line-1', kind: 'service', quantity: 2, amountCents: 899 }],
      address: { country: 'US', postalCode: '10001' },
      addressSource: 'billing',
    } as const;
    expect(await payments.calculateTax({ ...request, lines: [...request.lines] })).toEqual({
      id: 'taxcalc_1',
      taxCents: 80,
      rate: '8.875',
      jurisdiction: 'New York',
    });
    expect(sentRequests[0]).toMatchObject({ url: 'https://api.stripe.com/v1/tax/calculations', method: 'POST' });
    expect(Object.fromEntries(sentRequests[0]!.form)).toEqual({
      currency: 'usd',
      'line_items[0][amount]': '899',
      'line_items[0][quantity]': '2',
      'line_items[0][reference]': 'line-1',
      'line_items[0][tax_behavior]': 'exclusive',
      'line_items[0][tax_code]': 'txcd_10000000',
      'customer_details[address][country]': 'US',
      'customer_details[address][postal_code]': '10001',
      'customer_details[address_source]': 'billing',
    });
    await payments.createIntent({ ...sampleFramePayment, taxCalculationId: 'taxcalc_1' }, 'checkout-7');
    expect(sentRequests[1]?.form.get('hooks[inputs][tax][calculation]')).toBe('taxcalc_1');
  });

  test.each([
    ['of the payment’s currency', { fee: 636, currency: 'usd', exchange_rate: null }, 636],
    [
      'of an account paid out in another, at Stripe’s own rate',
      { fee: 580, currency: 'eur', exchange_rate: 0.91 },
      637,
    ],
    ['in another without a rate', { fee: 580, currency: 'eur', exchange_rate: null }, undefined],
  ])('returns the fee %s, or undefined if there is no exchange rate', async (_what, booked, fee) => {
    const charge = { id: 'ch_1', balance_transaction: { id: 'txn_1', ...booked } };
    const { sent: sentRequests, payments } = openProvider([
      createJsonResponse(200, { ...intentResponseBody, latest_charge: charge }),
    ]);
    expect(await payments.readFeeCents('pi_1')).toBe(fee);
    expect(new URL(sentRequests[0]!.url).search).toBe('?expand[0]=latest_charge.balance_transaction');
  });

  test('the fee is undefined before the charge is booked, and an unreadable fee is an error', async () => {
    expect(
      await openProvider([createJsonResponse(200, intentResponseBody)]).payments.readFeeCents('pi_1'),
    ).toBeUndefined();
    const charge = { id: 'ch_1', balance_transaction: { id: 'txn_1', fee: 'some', currency: 'usd' } };
    const { payments } = openProvider([createJsonResponse(200, { ...intentResponseBody, latest_charge: charge })]);
    await expect(payments.readFeeCents('pi_1')).rejects.toMatchObject({ reason: 'unavailable' });
  });

  test('sends requests to another API base URL, with or without a path', async () => {
    const bases = {
      'http://127.0.0.1:3000/sandbox/stripe/': 'http://127.0.0.1:3000/sandbox/stripe/v1/payment_intents/pi_1',
      'https://stripe.test': 'https://stripe.test/v1/payment_intents/pi_1',
    };
    for (const [apiBase, url] of Object.entries(bases)) {
      const { sent: sentRequests, payments } = openProvider([createJsonResponse(200, intentResponseBody)], { apiBase });
      await payments.getIntent('pi_1');
      expect(sentRequests[0]?.url).toBe(url);
    }
  });

  test('does not send the owner’s own reason for a refund to Stripe', async () => {
    const { sent: sentRequests, payments } = openProvider([
      createJsonResponse(200, { id: 're_1', object: 'refund', status: null, amount: 5, payment_intent: 'pi_1' }),
    ]);
    const refund = await payments.refund({ intentId: 'pi_1', amountCents: 5, reason: 'Anna called' }, 'r1');
    await payments.refund({ intentId: 'pi_1', amountCents: 5, reason: 'duplicate' }, 'r2');
    await payments.refund({ intentId: 'pi_1', amountCents: 5 }, 'r3');
    expect(refund).toEqual({ id: 're_1', status: 'pending', amountCents: 5, intentId: 'pi_1', metadata: {} });
    expect(sentRequests.map(({ form }) => form.get('reason'))).toEqual(['requested_by_customer', 'duplicate', null]);
    expect(sentRequests.map(({ headers }) => headers.get('idempotency-key'))).toEqual(['r1', 'r2', 'r3']);
  });

  test('livemode is true for live keys and false for test keys', () => {
    const keys = ['sk_live_1', 'rk_live_1', 'sk_test_1', 'rk_test_1'];
    expect(keys.map((secretKey) => openProvider([], { secretKey }).payments.livemode)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('refuses an empty webhook secret at start', () => {
    expect(() => createStripePayments({ secretKey: 'sk_test_1', webhookSecret: ' ' })).toThrow('webhook secret');
  });
});

// The tests run concurrently, because the SDK waits between its retries.
describe.concurrent('errors of Stripe', () => {
  test('retries a lost connection with the same idempotency key', async () => {
    const { sent: sentRequests, payments } = openProvider([
      new TypeError('fetch failed'),
      createJsonResponse(503, {}),
      createJsonResponse(200, intentResponseBody),
    ]);
    expect(await payments.createIntent(sampleFramePayment, 'checkout-7')).toMatchObject({ id: 'pi_1' });
    expect(sentRequests.map(({ headers }) => headers.get('idempotency-key'))).toEqual([
      'checkout-7',
      'checkout-7',
      'checkout-7',
    ]);
  });

  const reasons: [string, Response | Error, PaymentProviderError['reason']][] = [
    ['a dead line', new TypeError('fetch failed'), 'unavailable'],
    ['an answer that is no JSON', new Response('<html>', { status: 200 }), 'unavailable'],
    ['no answer in it', new Response('', { status: 200 }), 'unavailable'],
    ['half an answer', new Response('{"id":"pi_1","amo', { status: 200 }), 'unavailable'],
    ['a text for an answer', createJsonResponse(200, 'pi_1'), 'unavailable'],
    ['nothing for an answer', createJsonResponse(200, null), 'unavailable'],
    ['a list for an answer', createJsonResponse(200, [intentResponseBody]), 'unavailable'],
    ['an intent without its id', createJsonResponse(200, { ...intentResponseBody, id: undefined }), 'unavailable'],
    [
      'an intent without its secret',
      createJsonResponse(200, { ...intentResponseBody, client_secret: null }),
      'unavailable',
    ],
    [
      'an intent without its amount',
      createJsonResponse(200, { ...intentResponseBody, amount: undefined }),
      'unavailable',
    ],
    [
      'an intent in an unknown state',
      createJsonResponse(200, { ...intentResponseBody, status: 'thinking' }),
      'unavailable',
    ],
    ['a proxy’s page', new Response('<html>Bad Gateway', { status: 502 }), 'unavailable'],
    ['an error without words', createJsonResponse(502, {}), 'unavailable'],
    ['a proxy’s own error', createJsonResponse(500, { error: 'upstream' }), 'unavailable'],
    ['an intent in an error', createJsonResponse(400, intentResponseBody), 'unavailable'],
    ['an empty refusal', new Response('', { status: 400 }), 'unavailable'],
    ['a page that is not there', new Response('<html>Not Found', { status: 404 }), 'unavailable'],
    [
      'an address that is not there',
      createErrorResponse(404, { type: 'invalid_request_error', message: 'POST /v1' }),
      'unavailable',
    ],
    ['another place to ask at', new Response('', { status: 307, headers: { location: '/' } }), 'unavailable'],
    ['too many requests at a proxy', new Response('<html>', { status: 429 }), 'unavailable'],
    ['a fault of the provider', createErrorResponse(500, { type: 'api_error', message: 'oops' }), 'unavailable'],
    [
      'too many requests',
      createErrorResponse(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'slow down' }),
      'unavailable',
    ],
    [
      'a wrong key',
      createErrorResponse(401, { type: 'invalid_request_error', message: 'Invalid API Key' }),
      'unavailable',
    ],
    [
      'a key without the right',
      createErrorResponse(403, { type: 'invalid_request_error', message: 'no' }),
      'unavailable',
    ],
    [
      'a bad parameter',
      createErrorResponse(400, {
        type: 'invalid_request_error',
        param: 'receipt_email',
        message: 'Invalid email address: anna@',
      }),
      'rejected',
    ],
    [
      'a key in use by another process',
      createErrorResponse(409, { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'wait' }),
      'unavailable',
    ],
    ['a key used otherwise', createErrorResponse(400, { type: 'idempotency_error', message: 'Keys…' }), 'rejected'],
    [
      'a card error',
      createErrorResponse(402, { type: 'card_error', code: 'card_declined', message: 'no' }),
      'rejected',
    ],
    [
      'a missing intent',
      createErrorResponse(404, { type: 'invalid_request_error', code: 'resource_missing', message: 'No such…' }),
      'not-found',
    ],
  ];
  test.each(reasons)('throws PaymentProviderError for %s', async (_what, given, reason) => {
    const { payments } = openProvider([given]);
    const error = await payments.createIntent(sampleFramePayment, 'checkout-7').catch((error: unknown) => error);
    expect(error).toBeInstanceOf(PaymentProviderError);
    expect(error).toMatchObject({ reason });
    expect(String(error)).not.toContain('anna@');
  });

  test('throws when the response for a created object has no id', async () => {
    const paymentsWithoutId = openProvider([createJsonResponse(200, { object: 'anything' })]).payments;
    const createdObjects = [
      paymentsWithoutId.createCustomer({ name: 'Anna Berg', email: 'anna@example.com' }, 'customer-1'),
      paymentsWithoutId.createIntent(sampleFramePayment, 'checkout-7'),
      paymentsWithoutId.refund({ intentId: 'pi_1', amountCents: 5 }, 'r1'),
      paymentsWithoutId.calculateTax({
        currency: 'usd',
        lines: [],
        address: { country: 'US' },
        addressSource: 'billing',
      }),
    ];
    for (const createCall of createdObjects) await expect(createCall).rejects.toMatchObject({ reason: 'unavailable' });
  });

  test('returns undefined for an intent only when the provider itself reports it as missing', async () => {
    const unknownError = createErrorResponse(404, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: 'No such…',
    });
    expect(await openProvider([unknownError]).payments.getIntent('pi_1')).toBeUndefined();
    const pages = [new Response('<html>', { status: 404 }), createJsonResponse(404, {})];
    const responses = await Promise.allSettled(pages.map((page) => openProvider([page]).payments.getIntent('pi_1')));
    const failedResult = { status: 'rejected', reason: { reason: 'unavailable' } };
    expect(responses).toMatchObject([failedResult, failedResult]);
  });

  test('a response without a list is a provider error', async () => {
    const garbage = [
      createJsonResponse(200, {}),
      createJsonResponse(502, { data: [] }),
      new Response('', { status: 200 }),
    ];
    const responses = await Promise.allSettled(
      garbage
        .map((it) => openProvider([it]).payments)
        .flatMap((payments) => [payments.listRefundsOf('pi_1'), payments.listDisputesOf('pi_1')]),
    );
    expect(responses).toMatchObject(responses.map(() => ({ status: 'rejected', reason: { reason: 'unavailable' } })));
  });

  test('does not retry by itself after status 429', async () => {
    const { sent: sentRequests, payments } = openProvider([new Response('<html>', { status: 429 })]);
    await expect(payments.check()).rejects.toMatchObject({ reason: 'unavailable' });
    expect(sentRequests).toHaveLength(1);
  });

  test('rejects a request at its deadline and aborts the connection', async () => {
    const requestedUrls: string[] = [];
    const endedRequests: string[] = [];
    const hangingFetch = (url: string, { signal }: RequestInit) =>
      new Promise<Response>((_, reject) => {
        requestedUrls.push(url);
        signal!.addEventListener('abort', () => {
          endedRequests.push(url);
          reject(signal!.reason as Error);
        });
      });
    const { payments } = openProvider([], { fetch: hangingFetch });
    const time = new AbortController();
    const { signal: deadline } = time;
    const intent = payments.createIntent(sampleFramePayment, 'checkout-7', { deadline });
    const customer = payments.createCustomer({ name: 'Anna', email: 'anna@example.com' }, 'customer-1', { deadline });
    await vi.waitFor(() => expect(requestedUrls).toHaveLength(2), { timeout: 30_000 });
    time.abort();
    const lateIntent = payments.createIntent(sampleFramePayment, 'checkout-8', { deadline });
    for (const pendingCall of [intent, customer, lateIntent])
      await expect(pendingCall).rejects.toMatchObject({ name: 'PaymentProviderError', reason: 'unavailable' });
    expect(endedRequests).toEqual(requestedUrls);
    expect(requestedUrls).toHaveLength(2);
  });

  test('an error message names the call, the code and the request id for the log', async () => {
    const { payments } = openProvider([
      createErrorResponse(400, {
        type: 'invalid_request_error',
        code: 'email_invalid',
        param: 'receipt_email',
        message: 'x',
      }),
    ]);
    await expect(payments.createIntent(sampleFramePayment, 'checkout-7')).rejects.toThrow(
      'create a payment intent: StripeInvalidRequestError email_invalid receipt_email req_1',
    );
    await expect(openProvider([createErrorResponse(401, { message: 'no' })]).payments.check()).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('read the balance: the secret key is refused, StripeAuthenticationError'),
    });
    await expect(openProvider([createErrorResponse(403, { message: 'no' })]).payments.check()).rejects.toMatchObject({
      reason: 'unavailable',
      message: expect.stringContaining('read the balance: the secret key may not do this, StripePermissionError'),
    });
  });
});

describe('webhooks of Stripe', () => {
  const now = new Date('2026-12-01T12:00:00Z');
  const { payments } = openProvider([], { clock: { now: () => now } });
  const signPayload = (payload: string, { secret = WEBHOOK_SECRET, age = 0 } = {}) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: now.getTime() / 1000 - age });
  const readWebhook = (payload: string, signature = signPayload(payload)) =>
    payments.readWebhook(Buffer.from(payload), signature);

  test('reads the intent’s id from an event', () => {
    const eventCases: [object, string | undefined][] = [
      [{ object: 'payment_intent', id: 'pi_1' }, 'pi_1'],
      [{ object: 'charge', id: 'ch_1', payment_intent: 'pi_1' }, 'pi_1'],
      [{ object: 'refund', id: 're_1', payment_intent: { id: 'pi_1' } }, 'pi_1'],
      [{ object: 'dispute', id: 'du_1', payment_intent: 'pi_1' }, 'pi_1'],
      [{ object: 'charge', id: 'ch_1', payment_intent: null }, undefined],
      [{ object: 'customer', id: 'cus_1' }, undefined],
    ];
    for (const [object, intentId] of eventCases) {
      expect(readWebhook(createEventBody(object))).toEqual({
        id: 'evt_1',
        type: 'x.y',
        livemode: true,
        ...(intentId && { intentId }),
      });
    }
  });

  test('refuses a webhook with a wrong signature or a changed body as forged', () => {
    const payload = createEventBody({ object: 'payment_intent', id: 'pi_1' });
    const otherPayload = payload.replace('pi_1', 'pi_2');
    for (const signature of [
      signPayload(otherPayload),
      signPayload(payload, { secret: 'whsec_other' }),
      '',
      'nonsense',
      't=1',
      't=1,v1=',
      't=,v1=abc',
      'v1=abc',
    ]) {
      expect(readWebhook(payload, signature)).toBe('forged');
    }
    expect(readWebhook(`${payload} `, signPayload(payload))).toBe('forged');
  });

  test('refuses a webhook older than five minutes', () => {
    const payload = createEventBody({ object: 'payment_intent', id: 'pi_1' });
    expect(readWebhook(payload, signPayload(payload, { age: 300 }))).toMatchObject({ intentId: 'pi_1' });
    expect(readWebhook(payload, signPayload(payload, { age: 301 }))).toBe('forged');
  });

  test('accepts a webhook if one of several signatures is valid, so that secrets can be rotated', () => {
    const payload = createEventBody({ object: 'payment_intent', id: 'pi_1' });
    expect(readWebhook(payload, `${signPayload(payload)},v1=${'0'.repeat(64)}`)).toMatchObject({ intentId: 'pi_1' });
  });

  const oddBodies = {
    nothing: '',
    'no JSON': '{"id":"evt_1"',
    null: 'null',
    'a list': '[]',
    'a text': '"evt_1"',
    'no id': createEventBody({ object: 'charge' }).replace('"evt_1"', 'null'),
    'an empty id': createEventBody({ object: 'charge' }).replace('evt_1', ''),
    'an id no database takes': createEventBody({ object: 'charge' }).replace('evt_1', 'evt_\\u0000'),
    'no type': createEventBody({ object: 'charge' }).replace('"x.y"', '7'),
    'no mode': createEventBody({ object: 'charge' }).replace('true', '"yes"'),
    'no data': createEventBody({ object: 'charge' }).replace('"data"', '"date"'),
    'no object': createEventBody({ object: 'charge' }).replace('"object":{', '"subject":{'),
    'an object of no kind': createEventBody({}),
    'an intent that is none': createEventBody({ object: 'charge', payment_intent: 7 }),
    'an intent’s id that is none': createEventBody({ object: 'payment_intent', id: 'pi_1\u0000' }),
  };
  test.each(Object.entries(oddBodies))('a signed event with %s is unreadable', (_what, payload) => {
    expect(readWebhook(payload)).toBe('unreadable');
  });
});

function createEventBody(object: object): string {
  return JSON.stringify({ id: 'evt_1', object: 'event', type: 'x.y', livemode: true, data: { object } });
}
