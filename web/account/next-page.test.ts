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
  'returns the page of the only frame, or the choice of frames when there are several',
  (next) => {
    expect(next(having(['f 1']))).toBe('/upload?frameId=f+1');
    expect(next(having(['f1', 'f2']))).toBe('/select-frame');
    expect(next(having([]))).toBe('/device-setup-pending');
    expect(next(undefined)).toBe('/upload');
  },
);

it('returns /upload after sign-in and /purchase-required after registration when nothing was bought', () => {
  expect(nextPageAfterSignIn(having([], false))).toBe('/upload');
  expect(nextPageAfterRegistration(having([], false))).toBe('/purchase-required');
});

it('nextPageOfSelection returns undefined only when there are several frames to choose from', () => {
  expect(nextPageOfSelection(having(['f1', 'f2']))).toBeUndefined();
  expect(nextPageOfSelection(having(['f1']))).toBe('/upload?frameId=f1');
  expect(nextPageOfSelection(having([]))).toBe('/device-setup-pending');
  expect(nextPageOfSelection(having([], false))).toBe('/purchase-required');
});

it('findFrameInfo returns undefined when the frames cannot be loaded', async () => {
  const queryFn = () => Promise.reject(new Error('503: down'));
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, queryFn } } });
  expect(await findFrameInfo(queryClient)).toBeUndefined();
});
