import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { findNextPage, nextPageAfterRegistration, nextPageAfterSignIn, nextPageOfSelection } from './next-page.ts';

const info = (deviceCount: number, hasOrders = deviceCount > 0) => ({
  hasFrames: deviceCount > 0,
  hasOrders,
  deviceCount,
  frames: Array.from({ length: deviceCount }, (_, index) => ({ id: `frame-${index + 1}` })),
});

describe('the page after signing in', () => {
  it('is the upload page of the only frame', () => {
    expect(nextPageAfterSignIn(info(1))).toBe('/upload?frameId=frame-1');
    expect(nextPageAfterRegistration(info(1))).toBe('/upload?frameId=frame-1');
  });
  it('is a choice when there are several frames', () => {
    expect(nextPageAfterSignIn(info(3))).toBe('/select-frame');
    expect(nextPageAfterRegistration(info(2))).toBe('/select-frame');
  });
  it('says that a bought frame is being set up', () => {
    expect(nextPageAfterSignIn(info(0, true))).toBe('/device-setup-pending');
    expect(nextPageAfterRegistration(info(0, true))).toBe('/device-setup-pending');
  });
  it('with nothing bought is /upload after signing in and /purchase-required after registration', () => {
    expect(nextPageAfterSignIn(info(0))).toBe('/upload');
    expect(nextPageAfterRegistration(info(0))).toBe('/purchase-required');
  });
  it('is /upload when the frames cannot be asked for', async () => {
    const queryClient = new QueryClient({
      defaultOptions: { queries: { retry: false, queryFn: () => Promise.reject(new Error('503: down')) } },
    });
    expect(await findNextPage(queryClient, nextPageAfterRegistration)).toBe('/upload');
  });
});

describe('choosing a frame', () => {
  it('is asked for only when there is a choice', () => {
    expect(nextPageOfSelection(info(2))).toBeUndefined();
    expect(nextPageOfSelection(info(1))).toBe('/upload?frameId=frame-1');
    expect(nextPageOfSelection(info(0, true))).toBe('/device-setup-pending');
    expect(nextPageOfSelection(info(0))).toBe('/purchase-required');
  });
});
