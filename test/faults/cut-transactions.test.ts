import { beforeAll, expect, test } from 'vitest';
import { build } from '../../scripts/build.ts';
import { onPostgres } from '../database.ts';
import { seeded } from './scenario.ts';
import { cutTransactions } from './scenarios/cut-transactions.ts';

onPostgres(() => {
  beforeAll(() => build(), 600_000);

  test(
    'losing the database during transactions does not stop the shop, leak connections or lose acknowledged data',
    { timeout: 600_000 },
    async () => {
      const seen = await cutTransactions.run({ engine: 'postgres', random: seeded(14), isShort: true });
      expect(seen.acknowledged).toBeGreaterThan(50);
      expect(seen.lost).toBe(0);
    },
  );
});
