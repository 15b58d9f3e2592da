import { expect, test } from 'vitest';
import { listShippingWarnings } from './shipping-warnings.ts';

const finishedFrame = { name: 'Kinframe 1', photos: 18, mostPhotos: 20, isFinalized: true, videos: 18, openVideos: 0 };
const email = 'anna@example.com';

test('returns no warning when all videos are approved and the email address is confirmed', () => {
  expect(listShippingWarnings({ isEmailProven: true, frames: [finishedFrame] }, email)).toEqual([]);
});

test('names each unfinished frame, and the email address when it is not confirmed', () => {
  const frames = [
    { ...finishedFrame, openVideos: 4 },
    { ...finishedFrame, name: 'Grandma', photos: 3, isFinalized: false, videos: 0 },
  ];
  expect(listShippingWarnings({ isEmailProven: false, frames }, email)).toEqual([
    'Kinframe 1: 4 of 18 videos not approved yet.',
    'Grandma: the customer isn’t done adding photos (3 of 20).',
    'The customer hasn’t confirmed the email address anna@example.com.',
  ]);
});
