import { beforeAll, expect, test } from 'vitest';
import { build } from '../../scripts/build.ts';
import { onPostgres } from '../database.ts';
import { seeded } from './scenario.ts';
import { kill } from './scenarios/kill.ts';

onPostgres(() => {
  beforeAll(() => build(), 600_000);

  test(
    'after kill -9 during uploads and payments, no acknowledged photo is lost and every charge is one complete order',
    { timeout: 600_000 },
    async () => {
      const seen = await kill.run({ engine: 'postgres', random: seeded(14), isShort: true });
      expect(seen.acknowledged).toBeGreaterThan(25);
      expect(seen.lost).toBe(0);
    },
  );
});
