import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import {
  findFrameInfo,
  type FrameInfo,
  findNextPageAfterRegistration,
  findNextPageAfterSignIn,
  findNextPageOfSelection,
} from './next-page.ts';

const createFrame = (id: string) => ({ id, name: id, status: 'active', serialNumber: null, purchaseOrderId: 'o1' });
const createFrameInfo = (ids: string[], hasOrders = true): FrameInfo => ({
  hasFrames: ids.length > 0,
  hasOrders,
  deviceCount: ids.length,
  framesPurchased: ids.length,
  frames: ids.map(createFrame),
  orders: [],
});

it.each([findNextPageAfterSignIn, findNextPageAfterRegistration])(
  'returns the page of the only frame, or the choice of frames when there are several',
  (next) => {
    expect(next(createFrameInfo(['f 1']))).toBe('/upload?frameId=f+1');
    expect(next(createFrameInfo(['f1', 'f2']))).toBe('/select-frame');
    expect(next(createFrameInfo([]))).toBe('/device-setup-pending');
    expect(next(undefined)).toBe('/upload');
  },
);

it('returns /upload after sign-in and /purchase-required after registration when nothing was bought', () => {
  expect(findNextPageAfterSignIn(createFrameInfo([], false))).toBe('/upload');
  expect(findNextPageAfterRegistration(createFrameInfo([], false))).toBe('/purchase-required');
});

it('nextPageOfSelection returns undefined only when there are several frames to choose from', () => {
  expect(findNextPageOfSelection(createFrameInfo(['f1', 'f2']))).toBeUndefined();
  expect(findNextPageOfSelection(createFrameInfo(['f1']))).toBe('/upload?frameId=f1');
  expect(findNextPageOfSelection(createFrameInfo([]))).toBe('/device-setup-pending');
  expect(findNextPageOfSelection(createFrameInfo([], false))).toBe('/purchase-required');
});

it('findFrameInfo returns undefined when the frames cannot be loaded', async () => {
  const queryFn = () => Promise.reject(new Error('503: down'));
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, queryFn } } });
  expect(await findFrameInfo(queryClient)).toBeUndefined();
});
