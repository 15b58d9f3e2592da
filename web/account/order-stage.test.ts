import { expect, it } from 'vitest';
import { deliveryWords, doneSteps, stageOf } from './order-stage.ts';

const estimate = { from: '2026-11-30', to: '2026-12-02', finishBy: null, businessDays: 8 };

it('awaits photos until every frame is finalized, then processes', () => {
  expect(stageOf({ status: 'pending', isFinalized: false }).words).toBe('Awaiting Photos');
  expect(stageOf({ status: 'processing', isFinalized: true }).words).toBe('Processing');
  expect(stageOf({ status: 'processing', isFinalized: false }).words).toBe('Awaiting Photos');
  expect(stageOf({ status: 'shipped', isFinalized: true }).words).toBe('Shipped');
});

it('says refunded once nothing of it remains paid', () => {
  const order = { status: 'processing', isFinalized: true, totalAmount: 19_900 } as const;
  expect(stageOf({ ...order, refundedAmount: 19_900 }).words).toBe('Refunded');
  expect(stageOf({ ...order, refundedAmount: 19_899 }).words).toBe('Processing');
});

it('tells of its steps which are done', () => {
  expect(doneSteps({ status: 'pending', isFinalized: false })).toEqual([false, false, false]);
  expect(doneSteps({ status: 'processing', isFinalized: true })).toEqual([true, false, false]);
  expect(doneSteps({ status: 'shipped', isFinalized: true })).toEqual([true, false, true]); // videos may come after the parcel
  expect(doneSteps({ status: 'completed', isFinalized: true })).toEqual([true, true, true]);
});

it('promises a delivery only for photos finished by a day', () => {
  const words = deliveryWords({ status: 'pending', isFinalized: false }, estimate);
  expect(words.when).toBe('Mon, November 30 to Wed, December 2');
  expect(words.condition).toBe('if you finish your photos today');
  expect(
    deliveryWords({ status: 'pending', isFinalized: false }, { ...estimate, finishBy: '2026-11-27' }).condition,
  ).toBe('if you finish your photos by Fri, November 27');
  expect(deliveryWords({ status: 'processing', isFinalized: true }, estimate).condition).toBeUndefined();
  expect(deliveryWords({ status: 'shipped', isFinalized: true }, estimate).title).toBe('Delivery');
});
