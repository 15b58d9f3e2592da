import { expect, test } from 'vitest';
import { eachEngine } from '#test/database.ts';
import { frameOrder } from '../card-payments.suite.ts';
import { testShop, type TestShop } from './test-shop.ts';

const typesOf = (shop: TestShop) => shop.webhooks.map(({ event }) => event.type);

eachEngine((fresh) => {
  test('the shop hears of everything once, in order, signed', async () => {
    const shop = testShop((await fresh()).db);
    const intent = await shop.payments.createIntent(frameOrder, 'order-1');
    await shop.pay(intent, 'declines');
    await shop.pay(intent, 'authenticates');
    await shop.pay(intent, 'pays');
    await shop.payments.refund({ intentId: intent.id, amountCents: 999 }, 'refund-1');
    await shop.dispute(intent.id);
    const other = await shop.payments.createIntent(frameOrder, 'order-2');
    await shop.payments.cancelIntent(other.id);
    await shop.tick();
    await shop.tick();
    expect(typesOf(shop)).toEqual([
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
      'payment_intent.created',
      'payment_intent.canceled',
    ]);
    const read = shop.webhooks.map(({ rawBody, signature }) =>
      shop.payments.readWebhook(Buffer.from(rawBody), signature),
    );
    expect(read).toEqual(
      [...Array(10).fill(intent.id), other.id, other.id].map((intentId) => ({
        id: expect.stringMatching(/^evt_/),
        type: expect.any(String),
        livemode: false,
        intentId,
      })),
    );
    const { body } = await shop.call('GET', '/v1/events', { limit: '1' });
    expect(body.data[0]).toMatchObject({ type: 'payment_intent.canceled', pending_webhooks: 0 });
  });

  test('a shop that fails or does not answer is told again, later and later', async () => {
    const answers: (number | Error)[] = [500, new Error('connection reset'), 302, 200];
    const times: number[] = [];
    const shop: TestShop = testShop((await fresh()).db, {
      deliver: async () => {
        times.push(shop.clock.now().getTime() / 1000);
        const answer = answers[times.length - 1];
        if (answer instanceof Error) throw answer;
        return answer ?? 200;
      },
    });
    await shop.payments.createIntent(frameOrder, 'order-1');
    for (let second = 0; second < 200; second++) {
      await shop.tick();
      shop.clock.advance(1);
    }
    expect(times.map((time) => time - times[0]!)).toEqual([0, 10, 30, 70]);
  });

  test('a webhook lost in a crash on its way is brought by the next process', async () => {
    const { db } = await fresh();
    const left = Promise.withResolvers<void>();
    const dying = testShop(db, {
      deliver: () => {
        left.resolve();
        return new Promise<number>(() => {});
      },
    });
    await dying.payments.createIntent(frameOrder, 'order-1');
    void dying.tick();
    await left.promise;
    const next = testShop(db);
    await next.tick();
    expect(next.webhooks).toEqual([]);
    next.clock.advance(10);
    await next.tick();
    expect(typesOf(next)).toEqual(['payment_intent.created']);
  });

  test('more than one batch goes out in one tick', async () => {
    const shop = testShop((await fresh()).db);
    for (let count = 0; count < 25; count++) await shop.payments.createIntent(frameOrder, `order-${count}`);
    await shop.tick();
    expect(shop.webhooks).toHaveLength(25);
  });

  test('a shop that never answers is given up in the end', async () => {
    let attempts = 0;
    const shop = testShop((await fresh()).db, {
      deliver: async () => {
        attempts += 1;
        return 503;
      },
    });
    await shop.payments.createIntent(frameOrder, 'order-1');
    for (let hour = 0; hour < 40; hour++) {
      await shop.tick();
      shop.clock.advance(3600);
    }
    expect(attempts).toBe(20);
  });
});
