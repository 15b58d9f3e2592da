import { beforeAll, expect, test } from 'vitest';
import { build } from '../../scripts/build.ts';
import { onPostgres } from '../database.ts';
import { seeded } from '../faults/scenario.ts';
import { orders } from './orders.ts';
import { isMet } from './part.ts';

onPostgres(() => {
  beforeAll(() => build(), 600_000);

  test('ten buyers a second, told of twice and in no order, make exactly the orders that were paid', async () => {
    const { figures } = await orders.run({ random: seeded(14), share: 0.05, minutes: 0 });
    expect(figures.filter((it) => !isMet(it))).toEqual([]);
    expect(figures.find((it) => it.name === 'orders')).toMatchObject({ value: 30, limit: 30 });
  });
});
