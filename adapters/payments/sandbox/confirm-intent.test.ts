import { expect, test } from 'vitest';
import { sampleFramePayment } from '../card-payments.suite.ts';
import { useSandboxDatabase } from './test-database.ts';
import { createCardFields, testCards, type TestCard } from './test-cards.ts';
import { TEST_SHOP_URL, createSandboxTestShop } from './test-shop.ts';

const freshDatabase = useSandboxDatabase();

const openTestShop = async () => {
  const shop = createSandboxTestShop((await freshDatabase()).db);
  return { shop, intent: await shop.payments.createIntent(sampleFramePayment, 'order-1') };
};

test('when the card 4242 pays, the response, the charge and the balance agree', async () => {
  const { shop, intent } = await openTestShop();
  const response = await shop.pay(intent, 'pays');
  expect(response).toMatchObject({ status: 200, body: { id: intent.id, status: 'succeeded', amount: 20898 } });
  const { chargeId } = (await shop.payments.getIntent(intent.id)) ?? {};
  expect(await shop.call('GET', `/v1/charges/${chargeId}`)).toMatchObject({
    status: 200,
    body: {
      status: 'succeeded',
      paid: true,
      amount: 20898,
      amount_captured: 20898,
      payment_intent: intent.id,
      shipping: { name: 'Anna Berg', address: { city: 'Albany', line2: null } },
      payment_method_details: { card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040 } },
    },
  });
  expect((await shop.call('GET', '/v1/balance')).body.available[0].amount).toBe(20898);
});

test('each declining card returns Stripe’s reason, and the intent can still be paid', async () => {
  const { shop, intent } = await openTestShop();
  const declines: [TestCard, string, string, string][] = [
    ['declines', 'card_declined', 'generic_decline', 'Your card was declined.'],
    ['insufficientFunds', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
    ['expired', 'expired_card', 'expired_card', 'Your card has expired.'],
    ['wrongCvc', 'incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."],
  ];
  for (const [card, code, decline_code, message] of declines) {
    const { status, body } = await shop.pay(intent, card);
    expect(status).toBe(402);
    expect(body.error).toMatchObject({ type: 'card_error', code, decline_code, message });
    expect(body.error.payment_intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code, decline_code, message },
    });
    expect(body.error.payment_intent).not.toHaveProperty('metadata');
  }
  const { body } = await shop.call('GET', '/v1/charges', { payment_intent: intent.id });
  expect(body.data.map((charge: { status: string }) => charge.status)).toEqual(Array(4).fill('failed'));
});

test('refuses any other card with "Use a test card" and leaves the intent unchanged', async () => {
  const { shop, intent } = await openTestShop();
  for (const number of ['5555555555554444', '4111111111111111', '42', 'card', '']) {
    const response = await shop.confirm(intent, { 'payment_method_data[card][number]': number });
    expect(response).toMatchObject({
      status: 402,
      body: { error: { type: 'card_error', message: 'Use a test card' } },
    });
  }
  expect((await shop.call('GET', `/v1/payment_intents/${intent.id}`)).body).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: null,
    latest_charge: null,
  });
});

test('accepts spaces and two-digit years, and checks expiry and security code', async () => {
  const { shop, intent } = await openTestShop();
  const invalidFields: [Record<string, string>, string][] = [
    [{ exp_year: '2025' }, 'invalid_expiry_year'],
    [{ exp_year: '2126' }, 'invalid_expiry_year'],
    [{ exp_month: '11', exp_year: '26' }, 'invalid_expiry_month'],
    [{ exp_month: '13' }, 'invalid_expiry_month'],
    [{ exp_month: '0' }, 'invalid_expiry_month'],
    [{ cvc: '12' }, 'invalid_cvc'],
    [{ cvc: '12345' }, 'invalid_cvc'],
    [{ cvc: 'abc' }, 'invalid_cvc'],
  ];
  for (const [given, code] of invalidFields) {
    const form = Object.fromEntries(Object.entries(given).map(([name, value]) => [formatCardField(name), value]));
    const response = await shop.confirm(intent, { ...createCardFields('pays'), ...form });
    expect(response).toMatchObject({ status: 402, body: { error: { type: 'card_error', code } } });
  }
  const validFields = {
    [formatCardField('number')]: '4242 4242 4242 4242',
    [formatCardField('exp_month')]: '12',
    [formatCardField('exp_year')]: '26',
  };
  expect(await shop.confirm(intent, validFields)).toMatchObject({ status: 200, body: { status: 'succeeded' } });
});

test('pays with the client secret, with or without a publishable key; a wrong secret returns 404', async () => {
  const { shop, intent } = await openTestShop();
  const path = `/v1/payment_intents/${intent.id}`;
  const fieldsWithWrongSecret = { ...createCardFields('pays'), client_secret: `${intent.id}_secret_guess` };
  const missingResponse = { status: 404, body: { error: { code: 'resource_missing' } } };
  expect(await shop.call('POST', `${path}/confirm`, fieldsWithWrongSecret, { authorization: '' })).toMatchObject(
    missingResponse,
  );
  expect(await shop.call('POST', `${path}/confirm`, createCardFields('pays'), { authorization: '' })).toMatchObject(
    missingResponse,
  );
  expect(await shop.call('GET', path, { client_secret: 'x' }, { authorization: '' })).toMatchObject(missingResponse);

  const key = { key: 'pk_test_sandbox', client_secret: intent.clientSecret };
  const seenResponse = await shop.call('GET', path, key, { authorization: '' });
  expect(seenResponse).toMatchObject({ status: 200, body: { status: 'requires_payment_method' } });
  expect(seenResponse.body).not.toHaveProperty('metadata');
  expect(seenResponse.body).not.toHaveProperty('customer');
  const publicKeyHeader = { authorization: 'Bearer pk_test_sandbox' };
  const form = { ...createCardFields('pays'), client_secret: intent.clientSecret };
  expect(await shop.call('POST', `${path}/confirm`, form, publicKeyHeader)).toMatchObject({ status: 200 });
});

test('an intent can be paid only once', async () => {
  const { shop, intent } = await openTestShop();
  await shop.pay(intent, 'pays');
  const secondPaymentResponse = await shop.pay(intent, 'pays');
  expect(secondPaymentResponse.body.error).toMatchObject({
    code: 'payment_intent_unexpected_state',
    payment_intent: { status: 'succeeded' },
  });
  expect(secondPaymentResponse.body.error.message).toContain('already succeeded');
});

test('refuses a confirm without a card', async () => {
  const { shop, intent } = await openTestShop();
  expect(await shop.confirm(intent, {})).toMatchObject({
    status: 400,
    body: { error: { code: 'payment_intent_unexpected_state' } },
  });
});

test('accepts a return address only if it is on the shop’s own origin', async () => {
  const { shop, intent } = await openTestShop();
  const foreignAddresses = [
    'https://evil.test/',
    '//evil.test',
    'javascript:alert(1)',
    '/thanks',
    'http://shop.test:81/',
    'http://a@shop.test/',
  ];
  for (const return_url of foreignAddresses) {
    const response = await shop.confirm(intent, { ...createCardFields('authenticates'), return_url });
    expect(response).toMatchObject({ status: 400, body: { error: { code: 'url_invalid', param: 'return_url' } } });
  }
  const response = await shop.confirm(intent, {
    ...createCardFields('authenticates'),
    return_url: `${TEST_SHOP_URL}/checkout?step=3`,
  });
  expect(response.body).toMatchObject({
    status: 'requires_action',
    next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: `${TEST_SHOP_URL}/checkout?step=3` } },
  });
  expect(response.body.next_action.redirect_to_url.url).toBe(
    `${TEST_SHOP_URL}/sandbox/stripe/authenticate/${intent.id}?client_secret=${intent.clientSecret}`,
  );
});

test('every test card has a Visa number', () => {
  expect(Object.values(testCards).every((number) => /^4\d{15}$/.test(number))).toBe(true);
});

const formatCardField = (name: string) => `payment_method_data[card][${name}]`;
