import { expect, it } from 'vitest';
import { deliveryText, listDoneSteps, orderStageBadge } from './order-stage.ts';

const estimate = { from: '2026-11-30', to: '2026-12-02', finishBy: null, businessDays: 8 };

it('orderStageBadge returns Awaiting Photos until every frame is finalized, and then Processing', () => {
  expect(orderStageBadge({ status: 'pending', isFinalized: false }).words).toBe('Awaiting Photos');
  expect(orderStageBadge({ status: 'processing', isFinalized: true }).words).toBe('Processing');
  expect(orderStageBadge({ status: 'processing', isFinalized: false }).words).toBe('Awaiting Photos');
  expect(orderStageBadge({ status: 'shipped', isFinalized: true }).words).toBe('Shipped');
});

it('orderStageBadge returns Refunded when the whole amount is refunded', () => {
  const order = { status: 'processing', isFinalized: true, totalAmount: 19_900 } as const;
  expect(orderStageBadge({ ...order, refundedAmount: 19_900 }).words).toBe('Refunded');
  expect(orderStageBadge({ ...order, refundedAmount: 19_899 }).words).toBe('Processing');
});

it('orderStageBadge returns Canceled for a canceled order, also if its refund has failed', () => {
  const order = { status: 'pending', isFinalized: false, canceledAt: '2026-11-29T10:00:00.000Z' } as const;
  expect(orderStageBadge({ ...order, refundedAmount: 0, totalAmount: 19_900 }).words).toBe('Canceled');
});

it('doneSteps returns for each of the three steps of an order whether it is done', () => {
  expect(listDoneSteps({ status: 'pending', isFinalized: false })).toEqual([false, false, false]);
  expect(listDoneSteps({ status: 'processing', isFinalized: true })).toEqual([true, false, false]);
  // The videos may become ready after the package has shipped.
  expect(listDoneSteps({ status: 'shipped', isFinalized: true })).toEqual([true, false, true]);
  expect(listDoneSteps({ status: 'completed', isFinalized: true })).toEqual([true, true, true]);
});

it('deliveryText says by which day to finish the photos only when they are not finalized', () => {
  const deliveryTexts = deliveryText({ status: 'pending', isFinalized: false }, estimate);
  expect(deliveryTexts.when).toBe('Mon, November 30 to Wed, December 2');
  expect(deliveryTexts.condition).toBe('if you finish your photos today');
  expect(
    deliveryText({ status: 'pending', isFinalized: false }, { ...estimate, finishBy: '2026-11-27' }).condition,
  ).toBe('if you finish your photos by Fri, November 27');
  expect(deliveryText({ status: 'processing', isFinalized: true }, estimate).condition).toBeUndefined();
  expect(deliveryText({ status: 'shipped', isFinalized: true }, estimate).title).toBe('Delivery');
});
