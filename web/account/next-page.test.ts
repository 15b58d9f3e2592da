import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import {
  findFrameInfo,
  type FrameInfo,
  nextPageAfterRegistration,
  nextPageAfterSignIn,
  nextPageOfSelection,
} from './next-page.ts';

const frame = (id: string) => ({ id, name: id, status: 'active', serialNumber: null, purchaseOrderId: 'o1' });
const having = (ids: string[], hasOrders = true): FrameInfo => ({
  hasFrames: ids.length > 0,
  hasOrders,
  deviceCount: ids.length,
  framesPurchased: ids.length,
  frames: ids.map(frame),
  orders: [],
});

it.each([nextPageAfterSignIn, nextPageAfterRegistration])(
  'leads to the one frame, or to the choice between several',
  (next) => {
    expect(next(having(['f 1']))).toBe('/upload?frameId=f+1');
    expect(next(having(['f1', 'f2']))).toBe('/select-frame');
    expect(next(having([]))).toBe('/device-setup-pending');
    expect(next(undefined)).toBe('/upload');
  },
);

it('leads who has bought nothing to the uploads after signing in, to the shop after registering', () => {
  expect(nextPageAfterSignIn(having([], false))).toBe('/upload');
  expect(nextPageAfterRegistration(having([], false))).toBe('/purchase-required');
});

it('offers a choice of frames only when there is one', () => {
  expect(nextPageOfSelection(having(['f1', 'f2']))).toBeUndefined();
  expect(nextPageOfSelection(having(['f1']))).toBe('/upload?frameId=f1');
  expect(nextPageOfSelection(having([]))).toBe('/device-setup-pending');
  expect(nextPageOfSelection(having([], false))).toBe('/purchase-required');
});

it('knows no frames when the shop cannot be asked', async () => {
  const queryFn = () => Promise.reject(new Error('503: down'));
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, queryFn } } });
  expect(await findFrameInfo(queryClient)).toBeUndefined();
});
