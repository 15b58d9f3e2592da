import { beforeAll, expect, test } from 'vitest';
import { build } from '../../scripts/build.ts';
import { describeOnPostgres } from '../database.ts';
import { createSeededRandom } from '../faults/scenario.ts';
import { ordersLoadTest } from './orders.ts';
import { createCountFigure, isWithinLimit } from './part.ts';

describeOnPostgres(() => {
  beforeAll(() => build(), 600_000);

  test(
    'with ten buyers a second, and webhooks sent twice and out of order, the shop has exactly the paid orders',
    { timeout: 600_000 },
    async () => {
      const { figures } = await ordersLoadTest.run({ random: createSeededRandom(14), share: 0.05, minutes: 0 });
      // Check only the counts. The limits for the speed, on an idle machine, are in docs/load.md.
      const counts = figures.filter((it) => it.is === 'exactly');
      expect(counts.filter((it) => !isWithinLimit(it))).toEqual([]);
      expect(counts).toContainEqual(createCountFigure('orders', 30, 30));
    },
  );
});
