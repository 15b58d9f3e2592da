import { expect, test } from 'vitest';
import { limits, rateLimits } from '#contract/limits.ts';
import { changedDelayMs } from './intent-pace.ts';

/** Intents asked for by as many changes, so far apart: one that is changed before its time is not asked for. */
function intentsFor({ changes, everyMs }: { changes: number; everyMs: number }) {
  let asked = 0;
  for (let change = 1; change <= changes; change++) {
    if (change === changes || changedDelayMs(asked) < everyMs) asked += 1;
  }
  return asked;
}

test('a change is asked for after 100 ms', () => {
  expect(changedDelayMs(0)).toBe(100);
});

test.each([150, 300, 600, 1200])(
  'all packages one by one, %i ms apart, stay far below the limit of intents',
  (everyMs) => {
    const asked = intentsFor({ changes: limits.maxExtras, everyMs });
    expect(asked).toBeLessThanOrEqual(rateLimits['payment-intent'].max / 2);
  },
);
