import { beforeAll, expect, test } from 'vitest';
import { build } from '../../scripts/build.ts';
import { describeOnPostgres } from '../database.ts';
import { createSeededRandom } from './scenario.ts';
import { cutTransactions } from './scenarios/cut-transactions.ts';

describeOnPostgres(() => {
  beforeAll(() => build(), 600_000);

  test(
    'losing the database during transactions does not stop the shop, leak connections or lose acknowledged data',
    { timeout: 600_000 },
    async () => {
      const scenarioResult = await cutTransactions.run({
        engine: 'postgres',
        random: createSeededRandom(14),
        isShort: true,
      });
      expect(scenarioResult.acknowledged).toBeGreaterThan(50);
      expect(scenarioResult.lost).toBe(0);
    },
  );
});
