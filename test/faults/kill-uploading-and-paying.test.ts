import { beforeAll, expect, test } from 'vitest';
import { build } from '../../scripts/build.ts';
import { onPostgres } from '../database.ts';
import { seeded } from './scenario.ts';
import { kill } from './scenarios/kill.ts';

onPostgres(() => {
  beforeAll(() => build(), 600_000);

  test(
    'killed with -9 amid uploads, and anywhere between charge and commit: no acknowledged photo is lost, each charge is one whole order',
    { timeout: 600_000 },
    async () => {
      const seen = await kill.run({ engine: 'postgres', random: seeded(14), isShort: true });
      expect(seen.acknowledged).toBeGreaterThan(25);
      expect(seen.lost).toBe(0);
    },
  );
});
