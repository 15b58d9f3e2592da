import { expect, test } from 'vitest';
import type { PaymentEvent } from '#shop/ports/card-payments.ts';
import { describeOnEachEngine } from '#test/database.ts';
import { sampleFramePayment } from '../card-payments.suite.ts';
import { createSandboxTestShop, type TestShop } from './test-shop.ts';

const listEventTypes = (shop: TestShop) => shop.webhooks.map(({ event }) => event.type);

describeOnEachEngine((fresh) => {
  test('sends every event once, signed, and in order for each payment', async () => {
    const shop = createSandboxTestShop((await fresh()).db);
    const intent = await shop.payments.createIntent(sampleFramePayment, 'order-1');
    await shop.pay(intent, 'declines');
    await shop.pay(intent, 'authenticates');
    await shop.pay(intent, 'pays');
    await shop.payments.refund({ intentId: intent.id, amountCents: 999 }, 'refund-1');
    await shop.dispute(intent.id);
    const otherIntent = await shop.payments.createIntent(sampleFramePayment, 'order-2');
    await shop.payments.cancelIntent(otherIntent.id);
    await shop.runDueTasks();
    await shop.runDueTasks();
    const readEvents = shop.webhooks.map(({ rawBody, signature }) =>
      shop.payments.readWebhook(Buffer.from(rawBody), signature),
    );
    const eventTypesOf = (intentId: string) =>
      listEventTypes(shop).filter((_, at) => (readEvents[at] as PaymentEvent).intentId === intentId);
    expect(eventTypesOf(intent.id)).toEqual([
      'payment_intent.created',
      'charge.failed',
      'payment_intent.payment_failed',
      'payment_intent.requires_action',
      'charge.succeeded',
      'payment_intent.succeeded',
      'refund.created',
      'charge.refunded',
      'refund.updated',
      'charge.dispute.created',
    ]);
    expect(eventTypesOf(otherIntent.id)).toEqual(['payment_intent.created', 'payment_intent.canceled']);
    expect(readEvents).toHaveLength(12);
    for (const event of readEvents)
      expect(event).toEqual({
        id: expect.stringMatching(/^evt_/),
        type: expect.any(String),
        livemode: false,
        intentId: expect.toBeOneOf([intent.id, otherIntent.id]),
      });
    const { body } = await shop.call('GET', '/v1/events', { limit: '1' });
    expect(body.data[0]).toMatchObject({ type: 'payment_intent.canceled', pending_webhooks: 0 });
  });

  test('webhooks of different payments are sent concurrently, those of one payment in order', async () => {
    const runningDeliveries: string[] = [];
    const reportedEvents: string[] = [];
    let most = 0;
    const shop: TestShop = createSandboxTestShop((await fresh()).db, {
      deliver: async (rawBody) => {
        const { type, data } = JSON.parse(rawBody);
        const intent: string = data.object.object === 'payment_intent' ? data.object.id : data.object.payment_intent;
        expect(runningDeliveries).not.toContain(intent);
        runningDeliveries.push(intent);
        most = Math.max(most, runningDeliveries.length);
        // The first deliveries are the slowest. A later delivery that does not wait would arrive before them.
        for (let turn = 20 - reportedEvents.length; turn > 0; turn--) await new Promise(setImmediate);
        runningDeliveries.splice(runningDeliveries.indexOf(intent), 1);
        reportedEvents.push(`${intent} ${type}`);
        return 200;
      },
    });
    const intents = [];
    for (let count = 0; count < 3; count++)
      intents.push(await shop.payments.createIntent(sampleFramePayment, `order-${count}`));
    for (const intent of intents) await shop.pay(intent, 'pays');
    await shop.runDueTasks();
    expect(most).toBe(3);
    for (const { id } of intents)
      expect(reportedEvents.filter((it) => it.startsWith(id))).toEqual(
        ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'].map((type) => `${id} ${type}`),
      );
  });

  test('retries with growing delays when the shop fails or does not respond', async () => {
    const answers: (number | Error)[] = [500, new Error('connection reset'), 302, 200];
    const times: number[] = [];
    const shop: TestShop = createSandboxTestShop((await fresh()).db, {
      deliver: async () => {
        times.push(shop.clock.now().getTime() / 1000);
        const answer = answers[times.length - 1];
        if (answer instanceof Error) throw answer;
        return answer ?? 200;
      },
    });
    await shop.payments.createIntent(sampleFramePayment, 'order-1');
    for (let second = 0; second < 200; second++) {
      await shop.runDueTasks();
      shop.clock.advance(1);
    }
    expect(times.map((time) => time - times[0]!)).toEqual([0, 10, 30, 70]);
  });

  test('another process sends a webhook whose delivery was interrupted by a crash', async () => {
    const { db } = await fresh();
    const deliveryFinished = Promise.withResolvers<void>();
    const stoppedShop = createSandboxTestShop(db, {
      deliver: () => {
        deliveryFinished.resolve();
        return new Promise<number>(() => {});
      },
    });
    await stoppedShop.payments.createIntent(sampleFramePayment, 'order-1');
    void stoppedShop.runDueTasks();
    await deliveryFinished.promise;
    const nextShop = createSandboxTestShop(db);
    await nextShop.runDueTasks();
    expect(nextShop.webhooks).toEqual([]);
    nextShop.clock.advance(10);
    await nextShop.runDueTasks();
    expect(listEventTypes(nextShop)).toEqual(['payment_intent.created']);
  });

  test('sends all webhooks in one tick when there are more than one batch', async () => {
    const shop = createSandboxTestShop((await fresh()).db);
    for (let count = 0; count < 25; count++) await shop.payments.createIntent(sampleFramePayment, `order-${count}`);
    await shop.runDueTasks();
    expect(shop.webhooks).toHaveLength(25);
  });

  test('stops after 20 attempts when the shop never accepts', async () => {
    let attemptCount = 0;
    const shop = createSandboxTestShop((await fresh()).db, {
      deliver: async () => {
        attemptCount += 1;
        return 503;
      },
    });
    await shop.payments.createIntent(sampleFramePayment, 'order-1');
    for (let hour = 0; hour < 40; hour++) {
      await shop.runDueTasks();
      shop.clock.advance(3600);
    }
    expect(attemptCount).toBe(20);
  });
});
