import { expect, test } from 'vitest';
import { sampleFramePayment } from '../card-payments.suite.ts';
import { useSandboxDatabase } from './test-database.ts';
import { createCardFields } from './test-cards.ts';
import { TEST_SHOP_URL, createSandboxTestShop, type TestShop } from './test-shop.ts';

interface Challenge {
  shop: TestShop;
  intent: { id: string; clientSecret: string };
  /** The authentication page's path with its query. */
  path: string;
}

const freshDatabase = useSandboxDatabase();

const requireAuthentication = async (returnUrl?: string): Promise<Challenge> => {
  const shop = createSandboxTestShop((await freshDatabase()).db);
  const intent = await shop.payments.createIntent(sampleFramePayment, 'order-1');
  const form = { ...createCardFields('authenticates'), ...(returnUrl !== undefined && { return_url: returnUrl }) };
  const { body } = await shop.confirm(intent, form);
  const { pathname, search } = new URL(body.next_action.redirect_to_url.url);
  return { shop, intent, path: pathname + search };
};

test('the authentication page shows amount and card, and loads nothing', async () => {
  const { shop, path } = await requireAuthentication(`${TEST_SHOP_URL}/checkout`);
  const page = await shop.app.inject(path);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('$208.98');
  expect(page.body).toContain('ending in 3155');
  expect(page.body).not.toMatch(/<script|src=|4000002500003155/);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-.+frame-ancestors 'none'$/,
    ),
  });
});

test('approving the payment pays it and redirects to the shop with Stripe’s parameters', async () => {
  const challenge = await requireAuthentication(`${TEST_SHOP_URL}/checkout?step=3`);
  const decisionResponse = await decideChallenge(challenge, 'approve', {
    'sec-fetch-site': 'same-origin',
    origin: TEST_SHOP_URL,
  });
  expect(decisionResponse.statusCode).toBe(303);
  const returnAddress = new URL(String(decisionResponse.headers.location));
  expect(returnAddress.origin + returnAddress.pathname).toBe(`${TEST_SHOP_URL}/checkout`);
  expect(Object.fromEntries(returnAddress.searchParams)).toEqual({
    step: '3',
    payment_intent: challenge.intent.id,
    payment_intent_client_secret: challenge.intent.clientSecret,
    redirect_status: 'succeeded',
  });
  expect(await challenge.shop.payments.getIntent(challenge.intent.id)).toMatchObject({ status: 'succeeded' });
});

test('a second decision on a challenge, the same or another, gets the result of the first one', async () => {
  const challenge = await requireAuthentication(`${TEST_SHOP_URL}/checkout`);
  await decideChallenge(challenge, 'approve');
  const secondDecision = await decideChallenge(challenge, 'decline');
  expect(secondDecision.headers.location).toContain('redirect_status=succeeded');
  const { body } = await challenge.shop.call('GET', '/v1/charges', { payment_intent: challenge.intent.id });
  expect(body.data).toHaveLength(1);
  expect((await challenge.shop.app.inject(challenge.path)).body).toContain('Payment approved');
});

test('declining leaves the intent open for another card', async () => {
  const challenge = await requireAuthentication(`${TEST_SHOP_URL}/checkout`);
  const decisionResponse = await decideChallenge(challenge, 'decline');
  expect(decisionResponse.headers.location).toContain('redirect_status=failed');
  const { body } = await challenge.shop.call('GET', `/v1/payment_intents/${challenge.intent.id}`);
  expect(body).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure' },
    next_action: null,
  });
  expect(await challenge.shop.pay(challenge.intent, 'pays')).toMatchObject({ status: 200 });
});

test('a request that neither approves nor declines shows the question again', async () => {
  const challenge = await requireAuthentication(`${TEST_SHOP_URL}/checkout`);
  expect((await decideChallenge(challenge, '')).body).toContain('Approve payment');
  expect(await challenge.shop.payments.getIntent(challenge.intent.id)).toMatchObject({ status: 'requires_action' });
});

test('the page shows the result when the shop gave no return address', async () => {
  const challenge = await requireAuthentication();
  const decisionResponse = await decideChallenge(challenge, 'approve');
  expect(decisionResponse.statusCode).toBe(200);
  expect(decisionResponse.body).toContain('Payment approved');
});

test('a canceled payment shows “Nothing to approve” and cannot be approved', async () => {
  const challenge = await requireAuthentication(`${TEST_SHOP_URL}/checkout`);
  await challenge.shop.payments.cancelIntent(challenge.intent.id);
  expect((await challenge.shop.app.inject(challenge.path)).body).toContain('Nothing to approve');
  expect((await decideChallenge(challenge, 'approve')).headers.location).toContain('redirect_status=failed');
  expect(await challenge.shop.payments.getIntent(challenge.intent.id)).toMatchObject({ status: 'canceled' });
});

test('a wrong secret and an unknown payment return the same page and change nothing', async () => {
  const challenge = await requireAuthentication(`${TEST_SHOP_URL}/checkout`);
  const wrongSecretResponse = await challenge.shop.app.inject(
    `/sandbox/stripe/authenticate/${challenge.intent.id}?client_secret=x`,
  );
  const unknownIntentResponse = await challenge.shop.app.inject(
    '/sandbox/stripe/authenticate/pi_unknown?client_secret=x',
  );
  expect([wrongSecretResponse.statusCode, unknownIntentResponse.statusCode]).toEqual([404, 404]);
  expect(wrongSecretResponse.body).toBe(unknownIntentResponse.body);
  const forgedChallenge = { ...challenge, intent: { id: challenge.intent.id, clientSecret: 'x' } };
  expect((await decideChallenge(forgedChallenge, 'approve')).statusCode).toBe(404);
  expect(await challenge.shop.payments.getIntent(challenge.intent.id)).toMatchObject({ status: 'requires_action' });
});

test('refuses POST requests from pages of other sites', async () => {
  const challenge = await requireAuthentication(`${TEST_SHOP_URL}/checkout`);
  const foreignHeaders = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.test' },
    { origin: 'null' },
  ];
  for (const headers of foreignHeaders)
    expect((await decideChallenge(challenge, 'approve', headers)).statusCode).toBe(403);
  expect(await challenge.shop.payments.getIntent(challenge.intent.id)).toMatchObject({ status: 'requires_action' });
  expect((await decideChallenge(challenge, 'approve', { origin: TEST_SHOP_URL })).statusCode).toBe(303);
});

function decideChallenge({ shop, intent }: Challenge, decision: string, headers: Record<string, string> = {}) {
  return shop.app.inject({
    method: 'POST',
    url: `/sandbox/stripe/authenticate/${intent.id}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams({ client_secret: intent.clientSecret, decision }).toString(),
  });
}
