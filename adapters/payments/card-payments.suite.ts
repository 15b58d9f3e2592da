/** Tests for every implementation of CardPayments, over the network or in process. */
import { expect, test } from 'vitest';
import type { CardPayments, PaymentRequest } from '#shop/ports/card-payments.ts';
import type { TestCard } from './sandbox/test-cards.ts';

export interface CardPaymentsUnderTest {
  payments: CardPayments;
  /** Pays in the same way as a buyer's browser. Resolves when the provider has responded. */
  pay: (intent: { id: string; clientSecret: string }, card: TestCard) => Promise<void>;
}

export const sampleFramePayment: PaymentRequest = {
  amountCents: 20898,
  currency: 'usd',
  description: 'Kinframe Digital Picture Frame and one photo package',
  receiptEmail: 'anna@example.com',
  shipping: {
    name: 'Anna Berg',
    phone: '+1 555 0100',
    address: { line1: '1 Elm Street', city: 'Albany', state: 'NY', postalCode: '12207', country: 'US' },
  },
  metadata: { checkoutId: 'chk_1' },
};

export function testCardPayments(open: () => Promise<CardPaymentsUnderTest>) {
  test('a new intent waits for a card and returns the requested values', async () => {
    const { payments } = await open();
    const intent = await payments.createIntent(sampleFramePayment, 'order-1');
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      amountCents: 20898,
      amountReceivedCents: 0,
      currency: 'usd',
      metadata: { checkoutId: 'chk_1' },
      livemode: false,
    });
    expect(intent.id).toMatch(/^pi_\w{24,}$/);
    expect(intent.clientSecret.startsWith(`${intent.id}_secret_`)).toBe(true);
    expect(await payments.getIntent(intent.id)).toEqual(intent);
  });

  test('returns the same account id each time', async () => {
    const { payments } = await open();
    expect(await payments.readAccountId()).toMatch(/^acct_\w+$/);
    expect(await payments.readAccountId()).toBe(await payments.readAccountId());
  });

  test('creates one intent per idempotency key', async () => {
    const { payments } = await open();
    const firstIntent = await payments.createIntent(sampleFramePayment, 'order-1');
    expect(await payments.createIntent(sampleFramePayment, 'order-1')).toEqual(firstIntent);
    expect((await payments.createIntent(sampleFramePayment, 'order-2')).id).not.toBe(firstIntent.id);
  });

  test('rejects an idempotency key that was used for another cart', async () => {
    const { payments } = await open();
    await payments.createIntent(sampleFramePayment, 'order-1');
    await expect(payments.createIntent({ ...sampleFramePayment, amountCents: 100 }, 'order-1')).rejects.toMatchObject({
      name: 'PaymentProviderError',
      reason: 'rejected',
    });
  });

  test('a paid intent has its whole amount and a charge', async () => {
    const { payments, pay } = await open();
    const intent = await payments.createIntent(sampleFramePayment, 'order-1');
    await pay(intent, 'pays');
    const paidIntent = await payments.getIntent(intent.id);
    expect(paidIntent).toMatchObject({ status: 'succeeded', amountReceivedCents: 20898 });
    expect(paidIntent?.chargeId).toMatch(/^ch_/);
  });

  test('returns the fee once it is known, and a refund does not change it', async () => {
    const { payments, pay } = await open();
    const intent = await payments.createIntent(sampleFramePayment, 'order-1');
    expect(await payments.readFeeCents(intent.id)).toBeUndefined();
    await pay(intent, 'declines');
    expect(await payments.readFeeCents(intent.id)).toBeUndefined();
    await pay(intent, 'pays');
    expect(await payments.readFeeCents(intent.id)).toBe(636); // the provider's fee: 2.9% of $208.98, and $0.30
    await payments.refund({ intentId: intent.id, amountCents: 20898 }, 'refund-1');
    expect(await payments.readFeeCents(intent.id)).toBe(636);
    expect(await payments.readFeeCents('pi_unknown')).toBeUndefined();
    expect(await payments.readFeeCents('../balance')).toBeUndefined();
  });

  test('a declined intent can be paid with another card', async () => {
    const { payments, pay } = await open();
    const intent = await payments.createIntent(sampleFramePayment, 'order-1');
    await pay(intent, 'declines');
    expect(await payments.getIntent(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      amountReceivedCents: 0,
    });
    await pay(intent, 'pays');
    expect(await payments.getIntent(intent.id)).toMatchObject({ status: 'succeeded' });
  });

  test('a canceled intent cannot be paid, and canceling it again is fine', async () => {
    const { payments, pay } = await open();
    const intent = await payments.createIntent(sampleFramePayment, 'order-1');
    expect(await payments.cancelIntent(intent.id)).toMatchObject({ status: 'canceled' });
    expect(await payments.cancelIntent(intent.id)).toMatchObject({ status: 'canceled' });
    await pay(intent, 'pays');
    expect(await payments.getIntent(intent.id)).toMatchObject({ status: 'canceled', amountReceivedCents: 0 });
  });

  test('canceling a paid intent cancels nothing and returns the intent as paid', async () => {
    const { payments, pay } = await open();
    const intent = await payments.createIntent(sampleFramePayment, 'order-1');
    await pay(intent, 'pays');
    expect(await payments.cancelIntent(intent.id)).toMatchObject({ status: 'succeeded', amountReceivedCents: 20898 });
  });

  test('an intent with manual capture is charged by its capture only, once', async () => {
    const { payments, pay } = await open();
    const intent = await payments.createIntent({ ...sampleFramePayment, isCapturedLater: true }, 'order-1');
    expect(await payments.captureIntent(intent.id)).toMatchObject({ status: 'requires_payment_method' });
    await pay(intent, 'pays');
    const authorizedIntent = await payments.getIntent(intent.id);
    expect(authorizedIntent).toMatchObject({ status: 'requires_capture', amountCents: 20898, amountReceivedCents: 0 });
    expect(authorizedIntent?.chargeId).toMatch(/^ch_/);
    expect(await payments.readFeeCents(intent.id)).toBeUndefined();
    const capturedIntent = await payments.captureIntent(intent.id);
    expect(capturedIntent).toMatchObject({ status: 'succeeded', amountReceivedCents: 20898 });
    expect(await payments.captureIntent(intent.id)).toEqual(capturedIntent);
    expect(await payments.cancelIntent(intent.id)).toEqual(capturedIntent);
  });

  test('a canceled authorization takes no money, and cannot be captured later', async () => {
    const { payments, pay } = await open();
    const intent = await payments.createIntent({ ...sampleFramePayment, isCapturedLater: true }, 'order-1');
    await pay(intent, 'pays');
    expect(await payments.cancelIntent(intent.id)).toMatchObject({ status: 'canceled', amountReceivedCents: 0 });
    expect(await payments.captureIntent(intent.id)).toMatchObject({ status: 'canceled', amountReceivedCents: 0 });
  });

  test('refunds in parts never exceed what was paid', async () => {
    const { payments, pay } = await open();
    const intent = await payments.createIntent(sampleFramePayment, 'order-1');
    await pay(intent, 'pays');
    const partialRefund = { intentId: intent.id, amountCents: 999, reason: 'The package was bought twice' };
    const refund = await payments.refund(partialRefund, 'refund-1');
    expect(refund).toMatchObject({ status: 'succeeded', amountCents: 999, intentId: intent.id });
    expect(await payments.refund(partialRefund, 'refund-1')).toEqual(refund);
    await expect(payments.refund({ intentId: intent.id, amountCents: 19900 }, 'refund-2')).rejects.toMatchObject({
      reason: 'rejected',
    });
    expect(await payments.refund({ intentId: intent.id, amountCents: 19899 }, 'refund-3')).toMatchObject({
      amountCents: 19899,
    });
    await expect(payments.refund({ intentId: intent.id, amountCents: 1 }, 'refund-4')).rejects.toMatchObject({
      reason: 'rejected',
    });
  });

  test('returns the current refunds and disputes of a payment, with our ids on our own refunds', async () => {
    const { payments, pay } = await open();
    const intent = await payments.createIntent(sampleFramePayment, 'order-1');
    expect(await payments.listRefundsOf(intent.id)).toEqual([]);
    expect(await payments.listDisputesOf(intent.id)).toEqual([]);
    await pay(intent, 'pays');
    const ownRefund = await payments.refund(
      { intentId: intent.id, amountCents: 999, metadata: { refund_id: 'r1' } },
      'refund-1',
    );
    const secondRefund = await payments.refund({ intentId: intent.id, amountCents: 1 }, 'refund-2');
    const refunds = await payments.listRefundsOf(intent.id);
    expect(refunds).toEqual([secondRefund, ownRefund]);
    expect(refunds.map((it) => it.metadata)).toEqual([{}, { refund_id: 'r1' }]);
    const { chargeId } = (await payments.getIntent(intent.id))!;
    expect((await payments.readPayer(chargeId!)).card).toEqual({ brand: 'visa', last4: '4242' });
  });

  test('refuses to refund an intent that was never paid', async () => {
    const { payments } = await open();
    const intent = await payments.createIntent(sampleFramePayment, 'order-1');
    await expect(payments.refund({ intentId: intent.id, amountCents: 1 }, 'refund-1')).rejects.toMatchObject({
      reason: 'rejected',
    });
  });

  test('returns not found for an unknown intent, in any form of id', async () => {
    const { payments } = await open();
    for (const id of ['pi_unknown', 'ch_123', '', '../charges', 'pi_1?expand=x', `pi_${'x'.repeat(300)}`]) {
      expect(await payments.getIntent(id)).toBeUndefined();
      await expect(payments.cancelIntent(id)).rejects.toMatchObject({ reason: 'not-found' });
      await expect(payments.captureIntent(id)).rejects.toMatchObject({ reason: 'not-found' });
    }
    await expect(payments.refund({ intentId: 'pi_unknown', amountCents: 1 }, 'refund-1')).rejects.toMatchObject({
      reason: 'not-found',
    });
  });

  test('rejects an amount that no card can be charged', async () => {
    const { payments } = await open();
    await expect(payments.createIntent({ ...sampleFramePayment, amountCents: 49 }, 'order-1')).rejects.toMatchObject({
      reason: 'rejected',
    });
  });

  test('check resolves when the provider answers', async () => {
    const { payments } = await open();
    await expect(payments.check()).resolves.toBeUndefined();
  });
}
