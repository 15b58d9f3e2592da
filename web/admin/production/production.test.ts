import { describe, expect, it } from 'vitest';
import { motionTexts } from '#contract/motion.ts';
import type { AdminVideo, ProductionOrder } from '#contract/owner/production.ts';
import { countVideos, hasWork, proofText, videoSummaryText } from './production-rules.ts';
import { compareWithPromisedTime } from './promise-clock.ts';

const createVideo = (state: AdminVideo['state']) => ({ state }) as AdminVideo;
const createOrder = (orderNumber: string, states: AdminVideo['state'][]) =>
  ({ orderNumber, frames: [{ videos: states.map(createVideo) }] }) as ProductionOrder;

describe('hasWork and countVideos', () => {
  const orders = [createOrder('new', ['queued', 'rendering']), createOrder('old', ['rendered', 'failed', 'approved'])];
  it('hasWork is true only while a video is queued or rendering', () => {
    expect(hasWork(orders)).toBe(true);
    expect(hasWork(orders.filter((it) => it.orderNumber !== 'new'))).toBe(false);
    expect(hasWork(undefined)).toBe(false);
  });
  it('countVideos counts videos by state', () =>
    expect(
      countVideos(
        ['queued', 'rendering', 'rendered', 'approved', 'approved', 'failed'].map((it) => createVideo(it as never)),
      ),
    ).toEqual({
      total: 6,
      underWay: 2,
      toReview: 1,
      approved: 2,
      failed: 1,
    }));
});

describe('videoSummaryText', () => {
  const video = { style: 'push-in', take: 1, isOwnFilm: false, madeBy: null, costCents: 0 } as AdminVideo;
  it.each(['queued', 'rendering'] as const)('calls the motion of a %s video a plan', (state) =>
    expect(videoSummaryText({ ...video, state })).toBe(`Planned: ${motionTexts['push-in'].name}`),
  );
  it('names the motion and the number of takes of a finished video', () =>
    expect(videoSummaryText({ ...video, state: 'rendered', take: 2 })).toBe(
      `${motionTexts['push-in'].name} · made 2 times`,
    ));
});

describe('proofText describes the customer’s proof', () => {
  it('proofText says when the proof ends, in the shop’s time zone', () =>
    expect(proofText({ round: 1, endsAt: '2026-03-04T20:00:00Z' })).toBe(
      'The customer can review until Mar 4, 2026, 3:00 PM EST',
    ));
  it('says that the customer waits for a new video when the proof has no end', () =>
    expect(proofText({ round: 2, endsAt: null })).toBe('The customer is waiting for a new video, round 2'));
});

describe('compareWithPromisedTime compares the time since finalizing with the promised 24-72 hours', () => {
  const finalizedAt = '2026-03-01T00:00:00Z';
  const hoursAfter = (hours: number) =>
    compareWithPromisedTime({ finalizedAt, videosReadyAt: null, now: Date.parse(finalizedAt) + hours * 3_600_000 });
  it.each([
    [0.5, 'good', '30 min since finalizing, 2 days 23 hours left'],
    [18, 'good', '18 hours since finalizing, 2 days 6 hours left'],
    [30, 'warn', '30 hours since finalizing, 42 hours left'],
    [72, 'warn', '3 days since finalizing, 0 min left'],
    [72 + 0.5 / 60, 'warn', 'Due now'],
    [72 + 1.5 / 60, 'bad', '1 min late'],
    [75, 'bad', '3 hours late'],
    [72 + 61 * 24 + 5, 'bad', '61 days late'],
  ])('the time of %d hours has the tone %s', (hours, tone, words) =>
    expect(hoursAfter(hours)).toEqual({ tone, words }),
  );
  it('the time stops when the videos are delivered', () => {
    const now = Date.parse('2026-04-01T00:00:00Z');
    expect(compareWithPromisedTime({ finalizedAt, videosReadyAt: '2026-03-02T06:00:00Z', now })).toEqual({
      tone: 'good',
      words: 'Delivered after 30 hours',
    });
    expect(compareWithPromisedTime({ finalizedAt, videosReadyAt: '2026-03-05T00:00:00Z', now }).tone).toBe('bad');
  });
});
