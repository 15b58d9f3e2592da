import { sql } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { expect, test, vi } from 'vitest';
import { createReplicateAnimator } from '#adapters/animation/replicate/replicate-animator.ts';
import { rateLimits } from '#contract/limits.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { startFakeReplicate } from '#test/fake-replicate.ts';
import { startPayment, sendPaymentWebhook } from '#test/paying.ts';
import { buyAndVerify } from '#test/people.ts';
import { countRows, readAllTables, readWaitingJobs } from '#test/rows.ts';
import { openTestShop, type TestShop } from '#test/shop.ts';
import { startJobs } from '../jobs/jobs.ts';
import { readSecrets } from '../secrets.ts';

const createEvent = (livemode = false) => ({
  id: `evt_${crypto.randomUUID().replaceAll('-', '')}`,
  object: 'event',
  type: 'payment_intent.succeeded',
  livemode,
  data: { object: { object: 'payment_intent', id: 'pi_1' } },
});

/** Sends a body to the webhook's route, signed with the shop's secret or with another secret. */
function sendWebhook(it: TestShop, body: unknown, { secret, from }: { secret?: string; from?: string } = {}) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: secret ?? readSecrets(it.shop.config.dataDir).sandboxWebhookSecret,
    timestamp: Math.floor(it.clock.now().getTime() / 1000),
  });
  return it.app.inject({
    method: 'POST',
    url: '/api/webhooks/stripe',
    remoteAddress: from ?? '192.0.2.1',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    payload,
  });
}

describeOnFastestEngine((fresh) => {
  test('limits IP addresses that send forged signatures, but never calls with a valid signature', async () => {
    const testShop = await openTestShop(fresh, { env: { RATE_LIMITS: 'on' } });
    const { max } = rateLimits['forged-webhook'];
    for (let i = 0; i < max; i++)
      expect((await sendWebhook(testShop, createEvent(), { secret: 'whsec_other' })).statusCode).toBe(400);
    const refusedResponse = await sendWebhook(testShop, createEvent(), { secret: 'whsec_other' });
    expect([refusedResponse.statusCode, refusedResponse.json().code]).toEqual([429, 'too-many-requests']);
    expect(Number(refusedResponse.headers['retry-after'])).toBeGreaterThan(0);
    // A valid signature is accepted even from the same IP address, as behind a proxy that hides addresses.
    expect((await sendWebhook(testShop, createEvent())).statusCode).toBe(200);
    expect((await sendWebhook(testShop, createEvent(), { secret: 'whsec_other', from: '192.0.2.2' })).statusCode).toBe(
      400,
    );

    const webhookResponses = Array.from({ length: rateLimits.other.max + 20 }, () =>
      sendWebhook(testShop, createEvent()),
    );
    expect(new Set((await Promise.all(webhookResponses)).map((answer) => answer.statusCode))).toEqual(new Set([200]));
  });

  test('refuses a signed body that it cannot read with an error message, and changes nothing', async () => {
    const testShop = await openTestShop(fresh, { env: { RATE_LIMITS: 'on' } });
    const tablesBefore = await readAllTables(testShop.shop.db);
    const eventWithoutId = { ...createEvent(), id: undefined };
    const oddBodies = [
      '',
      '{',
      'null',
      [],
      7,
      'true',
      {},
      eventWithoutId,
      { ...createEvent(), type: null },
      { ...createEvent(), data: {} },
    ];
    for (const body of [
      ...oddBodies,
      { ...createEvent(), id: 'evt_\0' },
      { ...createEvent(), data: { object: 'pi_1' } },
    ]) {
      const webhookResponse = await sendWebhook(testShop, body);
      expect([webhookResponse.statusCode, webhookResponse.json().code], JSON.stringify(body)).toEqual([
        400,
        'invalid-request',
      ]);
      expect(webhookResponse.json().message).toMatch(/\w+ \w+/);
    }
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
  });

  test('accepts and ignores a live event if the shop uses test mode', async () => {
    const testShop = await openTestShop(fresh);
    const tablesBefore = await readAllTables(testShop.shop.db);
    expect((await sendWebhook(testShop, createEvent(true))).statusCode).toBe(200);
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
    expect((await sendWebhook(testShop, createEvent(false))).statusCode).toBe(200);
    expect(await readAllTables(testShop.shop.db)).not.toEqual(tablesBefore);
  });

  test('records a payment-created event without a job, and enqueues a job for every later event', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    expect((await sendWebhook(testShop, { ...createEvent(), type: 'payment_intent.created' })).statusCode).toBe(200);
    expect(await countRows(db, 'payment_events')).toBe(1);
    expect(await readWaitingJobs(db, 'settle-payment')).toEqual([]);
    for (const type of ['payment_intent.processing', 'payment_intent.canceled', 'payment_intent.succeeded']) {
      const paymentIntent = { object: 'payment_intent', id: `pi_${type.slice(15)}` };
      expect(
        (await sendWebhook(testShop, { ...createEvent(), type, data: { object: paymentIntent } })).statusCode,
      ).toBe(200);
      expect(await readWaitingJobs(db, 'settle-payment')).toContainEqual({ data: { intentId: paymentIntent.id } });
    }
  });

  test('records an event of a payment that is already settled, but enqueues no job', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const { paymentIntentId } = await buyAndVerify(testShop.browser());
    const openPayment = await startPayment(testShop.browser());
    for (const id of [paymentIntentId, openPayment.paymentIntentId])
      expect((await sendPaymentWebhook(testShop, id)).statusCode).toBe(200);
    expect(await countRows(db, 'payment_events')).toBe(2);
    expect(await readWaitingJobs(db, 'settle-payment')).toEqual([{ data: { intentId: openPayment.paymentIntentId } }]);
  });

  test('a webhook of the animator with a valid signature notifies the job that waits for it', async () => {
    const fakeReplicateServer = await startFakeReplicate();
    const { token, apiBase } = fakeReplicateServer;
    const ffmpegPath = 'ffmpeg';
    const animator = createReplicateAnimator({ token, apiBase, model: 'o/m', priceCents: 0, ffmpegPath });
    const testShop = await openTestShop(fresh, { animator });
    const sendAnimatorWebhook = (body: string, headers: Record<string, string>) =>
      testShop.app.inject({ method: 'POST', url: '/api/webhooks/animator', headers, payload: body });
    const body = JSON.stringify({ id: 'p1', status: 'succeeded' });
    const startedAt = Date.now();
    const notification = testShop.shop.animationNews.waitForNotification('p1', 60_000);
    const oldSignature = fakeReplicateServer.sign(body, new Date(Date.now() - 301_000));
    for (const headers of [
      {},
      oldSignature,
      { ...fakeReplicateServer.sign(body), 'webhook-id': 'msg_2' },
      fakeReplicateServer.sign(`${body} `),
    ])
      expect((await sendAnimatorWebhook(body, headers)).statusCode).toBe(400);
    const oddBodies = ['', 'null', '{}', '{"id":7}', JSON.stringify({ id: `p1'; drop` })];
    for (const oddBody of oddBodies)
      expect((await sendAnimatorWebhook(oddBody, fakeReplicateServer.sign(oddBody))).statusCode).toBe(400);
    expect((await sendAnimatorWebhook(body, fakeReplicateServer.sign(body))).statusCode).toBe(200);
    await notification;
    expect(Date.now() - startedAt).toBeLessThan(30_000);
  });

  test('answers 404 to webhooks of the animator if the shop uses no hosted animator', async () => {
    const testShop = await openTestShop(fresh);
    const response = await testShop.app.inject({ method: 'POST', url: '/api/webhooks/animator', payload: '{}' });
    expect(response.statusCode).toBe(404);
  });

  test('refuses unsigned webhooks, and accepts a signed event of an unknown payment without failing', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const intent = await startPayment(testShop.browser());
    const spoiltRequests = [
      { secret: 'whsec_another' },
      { header: '' },
      { header: 't=1,v1=00' },
      { header: 'nonsense' },
      { body: '{"id":"evt_1","type":"payment_intent.succeeded"}' },
      { body: '' },
      { at: testShop.clock.now().getTime() - 3_600_000 },
    ];
    for (const spoiltRequest of spoiltRequests) {
      const answer = await sendPaymentWebhook(testShop, intent.paymentIntentId, spoiltRequest);
      expect([answer.statusCode, answer.json().code], JSON.stringify(spoiltRequest)).toEqual([400, 'invalid-request']);
    }
    expect(await countRows(db, 'payment_events')).toBe(0);
    await startJobs(testShop.shop);
    expect((await sendPaymentWebhook(testShop, 'pi_of_another_program')).statusCode).toBe(200);
    await vi.waitFor(
      async () => {
        const { rows } = await db.execute(sql`select state from jobs.job where name = 'settle-payment'`);
        expect(rows).toEqual([{ state: 'completed' }]);
      },
      { timeout: 20_000 },
    );
  });
});
