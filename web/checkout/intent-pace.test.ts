import { cartLimits } from '#contract/catalog.ts';
import { expect, test } from 'vitest';
import { rateLimits } from '#contract/limits.ts';
import { intentUpdateDelayMs } from './intent-pace.ts';

/**
 * Returns how many intents are created if the buyer makes changes at this interval. A change creates no intent if the
 * next change follows before the delay is over.
 */
function countIntents({ changes, everyMs }: { changes: number; everyMs: number }) {
  let requestCount = 0;
  for (let change = 1; change <= changes; change++) {
    if (change === changes || intentUpdateDelayMs(requestCount) < everyMs) requestCount += 1;
  }
  return requestCount;
}

test('the delay before a new intent is 100 ms after the first change', () => {
  expect(intentUpdateDelayMs(0)).toBe(100);
});

test.each([150, 300, 600, 1200])(
  'needs at most half of the rate limit when the buyer adds all packages one by one, %i ms apart',
  (everyMs) => {
    const requestCount = countIntents({ changes: cartLimits.maxExtras, everyMs });
    expect(requestCount).toBeLessThanOrEqual(rateLimits['payment-intent'].max / 2);
  },
);
