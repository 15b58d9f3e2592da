/** Runs every part at full size, for `npm run load`. */
import { beforeAll, expect, inject, test } from 'vitest';
import { build } from '../../scripts/build.ts';
import { seeded } from '../faults/scenario.ts';
import { isWithinLimit, type Measured, type LoadTestPart, type Size } from './part.ts';
import { connections } from './connections.ts';
import { mixed } from './mixed.ts';
import { orders } from './orders.ts';
import { phones } from './phones.ts';

declare module 'vitest' {
  interface ProvidedContext {
    load: Size & { seed: number; only: string | undefined };
  }
  interface TaskMeta {
    measured?: Measured;
  }
}

const parts: LoadTestPart[] = [orders, phones, connections, mixed];

const { seed, only, ...size } = inject('load');
const selected = parts.filter((it) => only === undefined || it.name === only);
if (selected.length === 0)
  throw new Error(`there is no part ${only}; there are ${parts.map((it) => it.name).join(', ')}`);
if (!inject('postgresUrl')) throw new Error('Load is put on a shop on PostgreSQL, and none is installed.');

beforeAll(() => build(), 600_000);

for (const part of selected)
  test(part.name, { timeout: 1_200_000 + 2 * size.minutes * 60_000 }, async ({ task }) => {
    const measured = await part.run({ ...size, random: seeded(seed) });
    task.meta.measured = measured;
    expect(measured.figures.filter((it) => !isWithinLimit(it))).toEqual([]);
  });
