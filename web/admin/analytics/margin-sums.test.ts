import { expect, it } from 'vitest';
import type { OrderMargin } from '#contract/owner/margins.ts';
import { sumOfMargins } from './margin-sums.ts';

const sampleMargin: OrderMargin = {
  orders: 1,
  paid: 19_900,
  refunded: 100,
  disputed: 0,
  tax: 50,
  fee: 607,
  unknownFees: 0,
  videos: [{ animator: 'replicate', videos: 2, amount: 70 }],
  frames: 1,
  frameCost: 6_250,
  parcels: 1,
  parcelCost: 900,
  labelCost: 0,
  left: 11_923,
};

it('sumOfMargins adds all amounts of the margins, and adds the video costs by animator', () => {
  const otherMargin = {
    ...sampleMargin,
    videos: [{ animator: 'another', videos: 1, amount: 9 }, ...sampleMargin.videos],
  };
  expect(sumOfMargins([sampleMargin, otherMargin])).toEqual({
    ...Object.fromEntries(
      Object.entries(sampleMargin).map(([name, value]) => [name, typeof value === 'number' ? 2 * value : value]),
    ),
    videos: [
      { animator: 'replicate', videos: 4, amount: 140 },
      { animator: 'another', videos: 1, amount: 9 },
    ],
  });
});

it('sumOfMargins returns null for a cost when it is not set in one of the margins, and 0 when there are no margins', () => {
  expect(sumOfMargins([sampleMargin, { ...sampleMargin, frameCost: null }]).frameCost).toBeNull();
  expect(sumOfMargins([]).frameCost).toBe(0);
});
