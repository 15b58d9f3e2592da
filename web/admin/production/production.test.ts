import { describe, expect, it } from 'vitest';
import type { AdminVideo, ProductionOrder } from '#contract/admin.ts';
import { countVideos, hasWork, listProduction } from './production-list.ts';
import { promiseClock } from './promise-clock.ts';

const video = (state: AdminVideo['state']) => ({ state }) as AdminVideo;
const order = (
  orderNumber: string,
  finalizedAt: string,
  states: AdminVideo['state'][],
  videosReadyAt: string | null = null,
) =>
  ({
    orderNumber,
    customerName: `Customer ${orderNumber}`,
    customerEmail: `${orderNumber}@example.com`,
    finalizedAt,
    frames: [{ id: orderNumber, name: 'Kinframe 1', finalizedAt, videosReadyAt, videos: states.map(video) }],
  }) as ProductionOrder;
const numbers = (orders: ProductionOrder[]) => orders.map((it) => it.orderNumber);

describe('the production list', () => {
  const orders = [
    order('done', '2026-03-01T00:00:00Z', ['approved'], '2026-03-02T00:00:00Z'),
    order('new', '2026-03-04T00:00:00Z', ['queued', 'rendering']),
    order('old', '2026-03-03T00:00:00Z', ['rendered', 'failed']),
    order('done-later', '2026-03-02T00:00:00Z', ['approved'], '2026-03-03T00:00:00Z'),
  ];
  it('begins with who has waited longest and ends with what is delivered', () =>
    expect(numbers(listProduction(orders, {}))).toEqual(['old', 'new', 'done-later', 'done']));
  it('shows what is asked for', () => {
    expect(numbers(listProduction(orders, { show: 'open' }))).toEqual(['old', 'new']);
    expect(numbers(listProduction(orders, { show: 'review' }))).toEqual(['old']);
    expect(numbers(listProduction(orders, { show: 'failed' }))).toEqual(['old']);
    expect(numbers(listProduction(orders, { show: 'under-way' }))).toEqual(['new']);
    expect(numbers(listProduction(orders, { show: 'delivered', q: 'LATER' }))).toEqual(['done-later']);
  });
  it('looks again only while something moves', () => {
    expect(hasWork(orders)).toBe(true);
    expect(hasWork(orders.filter((it) => it.orderNumber !== 'new'))).toBe(false);
    expect(hasWork(undefined)).toBe(false);
  });
  it('counts a frame’s videos', () =>
    expect(
      countVideos(
        ['queued', 'rendering', 'rendered', 'approved', 'approved', 'failed'].map((it) => video(it as never)),
      ),
    ).toEqual({
      total: 6,
      underWay: 2,
      toReview: 1,
      approved: 2,
      failed: 1,
    }));
});

describe('the clock against the promised 24-72 hours', () => {
  const finalizedAt = '2026-03-01T00:00:00Z';
  const after = (hours: number) =>
    promiseClock({ finalizedAt, videosReadyAt: null, now: Date.parse(finalizedAt) + hours * 3_600_000 });
  it.each([
    [0.5, 'good', '30 min since finalizing, 2 d 23 h left'],
    [18, 'good', '18 h since finalizing, 2 d 6 h left'],
    [30, 'warn', '30 h since finalizing, 42 h left'],
    [72, 'warn', '3 d since finalizing, 0 min left'],
    [75, 'bad', '3 h late'],
  ])('after %d hours is %s', (hours, tone, words) => expect(after(hours)).toEqual({ tone, words }));
  it('stops when the videos are delivered', () => {
    const now = Date.parse('2026-04-01T00:00:00Z');
    expect(promiseClock({ finalizedAt, videosReadyAt: '2026-03-02T06:00:00Z', now })).toEqual({
      tone: 'good',
      words: 'Delivered after 30 h',
    });
    expect(promiseClock({ finalizedAt, videosReadyAt: '2026-03-05T00:00:00Z', now }).tone).toBe('bad');
  });
});
