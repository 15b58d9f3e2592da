import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#adapters/database/database.ts';
import { describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { testCardPayments, sampleFramePayment } from '../card-payments.suite.ts';
import { createStripePayments } from '../stripe.ts';
import { testCards, type TestCard } from './test-cards.ts';
import { useSandboxDatabase } from './test-database.ts';
import { startSandboxServer, createSandboxTestShop, WEBHOOK_SECRET, type TestShop } from './test-shop.ts';

describeOnEachEngine((fresh) => {
  describe('the sandbox in the shop’s process', () => {
    testCardPayments(async () => {
      const shop = createSandboxTestShop((await fresh()).db);
      return { payments: shop.payments, pay: async (intent, card) => void (await shop.pay(intent, card)) };
    });
  });

  test('the sandbox has the kind sandbox, no live mode and no publishable key', async () => {
    const { payments } = createSandboxTestShop((await fresh()).db);
    expect(payments).toMatchObject({ kind: 'sandbox', livemode: false, publishableKey: undefined });
  });

  test('the database contains no card number, not even of a card that is not a test card', async () => {
    const { db } = await fresh();
    const shop = createSandboxTestShop(db);
    const foreignCard = '5555555555554444';
    for (const card of Object.keys(testCards) as TestCard[]) {
      await shop.pay(await shop.payments.createIntent(sampleFramePayment, `order-${card}`), card);
    }
    const intent = await shop.payments.createIntent(sampleFramePayment, 'order-foreign');
    for (const number of [foreignCard, foreignCard.replaceAll(/(\d{4})/g, '$1 ')]) {
      await shop.call(
        'POST',
        `/v1/payment_intents/${intent.id}/confirm`,
        { 'payment_method_data[card][number]': number, 'payment_method_data[card][cvc]': '987' },
        { 'idempotency-key': `confirm-${number.length}` },
      );
    }
    await shop.runDueTasks();

    for (const table of ['sandbox_objects', 'sandbox_idempotency', 'sandbox_deliveries']) {
      const { rows } = await db.execute(sql.raw(`select row_to_json(t)::text as text from ${table} t`));
      const storedText = rows
        .map((row) => String(row['text']))
        .join('\n')
        .replaceAll(/[\s-]/g, '');
      expect(storedText.length).toBeGreaterThan(100);
      for (const number of [...Object.values(testCards), foreignCard]) expect(storedText).not.toContain(number);
      expect(storedText).not.toContain('"cvc":');
    }
  });

  test('a delayed payment is processing first, cannot be paid or canceled then, and succeeds later', async () => {
    const shop = createSandboxTestShop((await fresh()).db, { processingSeconds: 5 });
    const intent = await shop.payments.createIntent(sampleFramePayment, 'order-1');
    expect(await shop.pay(intent, 'processes')).toMatchObject({ status: 200, body: { status: 'processing' } });
    expect(await shop.payments.cancelIntent(intent.id)).toMatchObject({ status: 'processing', amountReceivedCents: 0 });
    expect(await shop.pay(intent, 'pays')).toMatchObject({ status: 400 });
    shop.clock.advance(4);
    expect(await shop.payments.getIntent(intent.id)).toMatchObject({ status: 'processing' });
    shop.clock.advance(1);
    expect(await shop.payments.getIntent(intent.id)).toMatchObject({ status: 'succeeded', amountReceivedCents: 20898 });
    await shop.runDueTasks();
    expect(shop.webhooks.map(({ event }) => event.type)).toEqual([
      'payment_intent.created',
      'charge.pending',
      'payment_intent.processing',
      'charge.succeeded',
      'payment_intent.succeeded',
    ]);
  });

  test('a delayed payment can be settled immediately', async () => {
    const shop = createSandboxTestShop((await fresh()).db);
    const intent = await shop.payments.createIntent(sampleFramePayment, 'order-1');
    await shop.pay(intent, 'processes');
    await shop.settleDelayedNow();
    expect(await shop.payments.getIntent(intent.id)).toMatchObject({ status: 'succeeded' });
  });

  test('the overview lists payments newest first with card, refunds and disputes', async () => {
    const shop = createSandboxTestShop((await fresh()).db);
    const intentToPay = await shop.payments.createIntent(sampleFramePayment, 'order-1');
    const declinedIntent = await shop.payments.createIntent(sampleFramePayment, 'order-2');
    await shop.pay(intentToPay, 'pays');
    await shop.pay(declinedIntent, 'insufficientFunds');
    await shop.payments.refund({ intentId: intentToPay.id, amountCents: 999 }, 'refund-1');
    await shop.dispute(intentToPay.id);
    expect(await shop.listPayments()).toMatchObject([
      {
        intentId: declinedIntent.id,
        status: 'requires_payment_method',
        card: { brand: 'visa', last4: '9995' },
        lastError: 'Your card has insufficient funds.',
        refundedCents: 0,
      },
      {
        intentId: intentToPay.id,
        status: 'succeeded',
        amountCents: 20898,
        refundedCents: 999,
        isDisputed: true,
        card: { brand: 'visa', last4: '4242' },
        lastError: undefined,
        receiptEmail: 'anna@example.com',
      },
    ]);
    expect(await shop.listPayments(1)).toHaveLength(1);
  });

  test('a disputed payment cannot be refunded or disputed again, and an unpaid one cannot be disputed', async () => {
    const shop = createSandboxTestShop((await fresh()).db);
    const intent = await shop.payments.createIntent(sampleFramePayment, 'order-1');
    await expect(shop.dispute(intent.id)).rejects.toThrow('does not have a successful charge');
    await shop.pay(intent, 'pays');
    await shop.dispute(intent.id);
    await expect(shop.dispute(intent.id)).rejects.toThrow('disputed already');
    await expect(shop.payments.refund({ intentId: intent.id, amountCents: 1 }, 'refund-1')).rejects.toMatchObject({
      reason: 'rejected',
    });
  });

  test('the issuer reports a paid payment as fraud once, and the shop gets a webhook', async () => {
    const shop = createSandboxTestShop((await fresh()).db);
    const intent = await shop.payments.createIntent(sampleFramePayment, 'order-1');
    await expect(shop.warnOfFraud(intent.id)).rejects.toThrow('does not have a successful charge');
    await shop.pay(intent, 'pays');
    expect(await shop.payments.listFraudWarningsOf(intent.id)).toEqual([]);
    await shop.warnOfFraud(intent.id);
    await expect(shop.warnOfFraud(intent.id)).rejects.toThrow('reported already');
    expect(await shop.payments.listFraudWarningsOf(intent.id)).toEqual([
      { id: expect.stringMatching(/^issfr_/), fraudType: 'made_with_stolen_card' },
    ]);
    await shop.runDueTasks();
    const { rawBody, signature, event } = shop.webhooks.at(-1)!;
    expect(event.type).toBe('radar.early_fraud_warning.created');
    expect(shop.payments.readWebhook(Buffer.from(rawBody), signature)).toMatchObject({ intentId: intent.id });
  });
});

describe('the sandbox over HTTP', () => {
  const freshDatabase = useSandboxDatabase();
  testCardPayments(async () => {
    const shop = createSandboxTestShop((await freshDatabase()).db);
    onTestFinished(() => shop.app.close());
    const apiBase = await startSandboxServer(shop);
    const payments = createStripePayments({ secretKey: shop.secretKey, webhookSecret: WEBHOOK_SECRET, apiBase });
    return { payments, pay: async (intent, card) => void (await shop.pay(intent, card)) };
  });
});

test('intents, keys, delayed payments and undelivered webhooks survive a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-sandbox-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const options = { dataDir, migrationsFolder, withJobs: false };

  const databaseBefore = await openDatabase(options);
  const firstShop = createSandboxTestShop(databaseBefore.db);
  const intent = await firstShop.payments.createIntent(sampleFramePayment, 'order-1');
  await firstShop.pay(intent, 'processes');
  await databaseBefore.close();

  const databaseAfter = await openDatabase(options);
  onTestFinished(() => databaseAfter.close());
  const secondShop = createSandboxTestShop(databaseAfter.db);
  expect(await secondShop.payments.createIntent(sampleFramePayment, 'order-1')).toEqual(intent);
  expect(await secondShop.payments.getIntent(intent.id)).toMatchObject({ status: 'processing' });
  secondShop.clock.advance(60);
  await secondShop.runDueTasks();
  expect(await secondShop.payments.getIntent(intent.id)).toMatchObject({ status: 'succeeded' });
  expect(secondShop.webhooks.map(({ event }) => event.type)).toContain('payment_intent.created');
  expect(secondShop.webhooks.map(({ event }) => event.type)).toContain('payment_intent.succeeded');
});

describe('concurrent calls of the sandbox', () => {
  describeOnPostgres((fresh) => {
    const tenIndexes = Array.from({ length: 10 }, (_, index) => index);

    test('ten confirms of one intent make one charge', async () => {
      const shop = createSandboxTestShop((await fresh()).db);
      const intent = await shop.payments.createIntent(sampleFramePayment, 'order-1');
      const responses = await Promise.all(tenIndexes.map(() => shop.pay(intent, 'pays')));
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(responses.filter(({ body }) => body.error?.code === 'payment_intent_unexpected_state')).toHaveLength(9);
      expect(await countCharges(shop, intent.id)).toHaveLength(1);
      expect(await shop.payments.getIntent(intent.id)).toMatchObject({ amountReceivedCents: 20898 });
    });

    test('when an intent is confirmed and canceled at the same time, only one succeeds', async () => {
      const shop = createSandboxTestShop((await fresh()).db);
      for (const round of tenIndexes) {
        const intent = await shop.payments.createIntent(sampleFramePayment, `order-${round}`);
        const [paid, canceled] = await Promise.all([shop.pay(intent, 'pays'), shop.payments.cancelIntent(intent.id)]);
        const { status } = (await shop.payments.getIntent(intent.id)) ?? {};
        expect(canceled.status).toBe(status);
        expect(paid.status).toBe(status === 'succeeded' ? 200 : 400);
        expect(await countCharges(shop, intent.id)).toHaveLength(status === 'succeeded' ? 1 : 0);
      }
    });

    test('ten concurrent requests with one idempotency key make one intent', async () => {
      const shop = createSandboxTestShop((await fresh()).db);
      const intents = await Promise.all(
        tenIndexes.map(() => shop.payments.createIntent(sampleFramePayment, 'order-1')),
      );
      expect(new Set(intents.map(({ id }) => id)).size).toBe(1);
      expect((await shop.call('GET', '/v1/payment_intents')).body.data).toHaveLength(1);
    });

    test('ten refunds with different keys never exceed the paid amount', async () => {
      const shop = createSandboxTestShop((await fresh()).db);
      const intent = await shop.payments.createIntent(sampleFramePayment, 'order-1');
      await shop.pay(intent, 'pays');
      const outcomes = await Promise.allSettled(
        tenIndexes.map((index) => shop.payments.refund({ intentId: intent.id, amountCents: 9000 }, `refund-${index}`)),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      const [charge] = await countCharges(shop, intent.id);
      expect(charge).toMatchObject({ amount_refunded: 18000, refunded: false });
    });

    test('processes that tick at the same time settle a payment once and deliver each webhook once', async () => {
      const { db } = await fresh();
      const shops = [createSandboxTestShop(db), createSandboxTestShop(db), createSandboxTestShop(db)];
      const [shop] = shops;
      const intent = await shop!.payments.createIntent(sampleFramePayment, 'order-1');
      await shop!.pay(intent, 'processes');
      for (const eachShop of shops) eachShop.clock.advance(60);
      await Promise.all(shops.map((each) => each.runDueTasks()));
      const reportedEventIds = shops.flatMap(({ webhooks }) => webhooks.map(({ event }) => event.id));
      expect(reportedEventIds).toHaveLength(5);
      expect(new Set(reportedEventIds).size).toBe(5);
    });
  });
});

const countCharges = async (shop: TestShop, intentId: string) =>
  (await shop.call('GET', '/v1/charges', { payment_intent: intentId })).body.data as Stripe.Charge[];
