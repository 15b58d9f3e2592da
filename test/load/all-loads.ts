/** Runs every part at full size, for `npm run load`. */
import { beforeAll, expect, inject, test } from 'vitest';
import { build } from '../../scripts/build.ts';
import { createSeededRandom } from '../faults/scenario.ts';
import { isWithinLimit, type LoadTestResult, type LoadTest, type LoadTestSize } from './part.ts';
import { slowConnectionsLoadTest } from './connections.ts';
import { mixedActionsLoadTest } from './mixed.ts';
import { ordersLoadTest } from './orders.ts';
import { phoneUploadsLoadTest } from './phones.ts';

declare module 'vitest' {
  interface ProvidedContext {
    load: LoadTestSize & { seed: number; only: string | undefined };
  }
  interface TaskMeta {
    measured?: LoadTestResult;
  }
}

const loadTests: LoadTest[] = [ordersLoadTest, phoneUploadsLoadTest, slowConnectionsLoadTest, mixedActionsLoadTest];

const { seed, only, ...size } = inject('load');
const selectedLoadTests = loadTests.filter((it) => only === undefined || it.name === only);
if (selectedLoadTests.length === 0)
  throw new Error(`there is no part ${only}; there are ${loadTests.map((it) => it.name).join(', ')}`);
if (!inject('postgresUrl')) throw new Error('Load is put on a shop on PostgreSQL, and none is installed.');

beforeAll(() => build(), 600_000);

for (const loadTest of selectedLoadTests)
  test(loadTest.name, { timeout: 1_200_000 + 2 * size.minutes * 60_000 }, async ({ task }) => {
    const measurement = await loadTest.run({ ...size, random: createSeededRandom(seed) });
    task.meta.measured = measurement;
    expect(measurement.figures.filter((it) => !isWithinLimit(it))).toEqual([]);
  });
