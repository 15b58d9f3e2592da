import { beforeAll, expect, test } from 'vitest';
import { build } from '../../scripts/build.ts';
import { describeOnPostgres } from '../database.ts';
import { createSeededRandom } from './scenario.ts';
import { repeatedKillScenario } from './scenarios/kill.ts';

describeOnPostgres(() => {
  beforeAll(() => build(), 600_000);

  test(
    'after kill -9 during uploads and payments, no acknowledged photo is lost and every charge is one complete order',
    { timeout: 600_000 },
    async () => {
      const scenarioResult = await repeatedKillScenario.run({
        engine: 'postgres',
        random: createSeededRandom(14),
        isShort: true,
      });
      expect(scenarioResult.acknowledged).toBeGreaterThan(25);
      expect(scenarioResult.lost).toBe(0);
    },
  );
});
