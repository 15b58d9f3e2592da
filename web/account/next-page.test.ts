import { expect, it } from 'vitest';
import { type FrameInfo, nextPageAfterRegistration, nextPageAfterSignIn } from './next-page.ts';

const frame = (id: string) => ({ id, name: id, status: 'active', serialNumber: null, purchaseOrderId: 'o1' });
const having = (ids: string[], hasOrders = true): FrameInfo => ({
  hasFrames: ids.length > 0,
  hasOrders,
  deviceCount: ids.length,
  framesPurchased: ids.length,
  frames: ids.map(frame),
  orders: [],
});

it.each([nextPageAfterSignIn, nextPageAfterRegistration])('leads to the one frame, or to the choice between several', (next) => {
  expect(next(having(['f 1']))).toBe('/upload?frameId=f+1');
  expect(next(having(['f1', 'f2']))).toBe('/select-frame');
  expect(next(having([]))).toBe('/device-setup-pending');
  expect(next(undefined)).toBe('/upload');
});

it('leads who has bought nothing to the uploads after signing in, to the shop after registering', () => {
  expect(nextPageAfterSignIn(having([], false))).toBe('/upload');
  expect(nextPageAfterRegistration(having([], false))).toBe('/purchase-required');
});
