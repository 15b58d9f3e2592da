import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seedOrders } from '../../bench/seed-orders.ts';
import { customers } from '../accounts/accounts.sql.ts';
import { orders } from '../orders/orders.sql.ts';
import type { Db } from '../ports/database.ts';
import { describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { countRows } from '#test/rows.ts';
import { mergeTallies, readTallies } from './tallies.ts';

/** Computes the expected counts from the orders, uploads and customers. */
async function countTallyRows(db: Db) {
  const { rows } = await db.execute<{ [name: string]: string }>(sql`
    select (select count(*) from orders) as orders, (select count(*) from uploads) as uploads,
      (select count(*) from customers) as customers,
      (select coalesce(sum(total_cents - refunded_cents), 0) from orders) as "revenueCents"`);
  return Object.fromEntries(Object.entries(rows[0]!).map(([name, value]) => [name, Number(value)]));
}

describeOnEachEngine((fresh) => {
  test('the tallies equal a count of all rows after orders, refunds and deletions, before and after rows are merged', async () => {
    const { db } = await fresh();
    const expectExactTallies = async () => {
      expect(await readTallies(db)).toEqual(await countTallyRows(db));
      await mergeTallies(db);
      expect(await readTallies(db)).toEqual(await countTallyRows(db));
      expect(await countRows(db, 'tallies')).toBe(1);
    };
    await expectExactTallies();
    await seedOrders(db, { orders: 40, photos: 2 });
    expect((await readTallies(db)).orders).toBe(40);
    await expectExactTallies();
    await db.update(orders).set({ refundedCents: 500 }).where(eq(orders.email, 'customer7@example.com'));
    await db.update(orders).set({ notes: 'called' });
    await expectExactTallies();
    await db.execute(sql`delete from uploads where frame_id = 'frame-7'`);
    await db.delete(customers).where(eq(customers.id, 'customer-4'));
    await expectExactTallies();
    await db
      .transaction((tx) =>
        tx
          .update(orders)
          .set({ refundedCents: 1 })
          .then(() => tx.rollback()),
      )
      .catch(() => {});
    await expectExactTallies();
  });
});

describeOnPostgres((fresh) => {
  test('loses no refund when refunds are counted while rows are merged', async () => {
    const { db } = await fresh();
    await seedOrders(db, { orders: 20, photos: 0 });
    const insertRefund = (n: number) =>
      db
        .update(orders)
        .set({ refundedCents: sql`refunded_cents + 1` })
        .where(eq(orders.email, `customer${1 + (n % 20)}@example.com`));
    await Promise.all(Array.from({ length: 200 }, (_, n) => (n % 10 === 0 ? mergeTallies(db) : insertRefund(n))));
    expect(await readTallies(db)).toEqual(await countTallyRows(db));
  });
});
