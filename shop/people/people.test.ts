import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seedOrders } from '../../bench/seed-orders.ts';
import { customers } from '../accounts/accounts.sql.ts';
import { orders } from '../orders/orders.sql.ts';
import type { Db } from '../ports/database.ts';
import { describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { anna, buyFramesAsAnna, annasPassword, buyAndVerify, fetchFrames, uploadTo } from '#test/people.ts';
import { countRows } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

const figures = sql`count(*)::int as count, coalesce(sum(total_cents - refunded_cents), 0)::int as spent,
  min(created_at) as first, max(created_at) as last`;
/** The expected rows of `people`, computed from all orders and customers. */
async function countPeople(db: Db) {
  const { rows } = await db.execute(sql`
    select customers.id, email, first_name || ' ' || last_name as name, created_at as since, figures.*
    from customers, lateral (select ${figures} from orders where customer_id = customers.id) figures
    union all
    select 'guest-' || md5(email), email,
      (array_agg(first_name || ' ' || last_name order by created_at desc))[1], min(created_at), ${figures}
    from orders where customer_id is null and email <> '' group by email
    order by 1`);
  return rows;
}
async function readStoredPeople(db: Db) {
  const { rows } = await db.execute(sql`
    select id, email, first_name || ' ' || last_name as name, since, order_count as count, spent_cents::int as spent,
      first_order_at as first, last_order_at as last from people order by 1`);
  return rows;
}

async function signInOwner(it: TestShop): Promise<Browser> {
  const owner = it.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  return owner;
}

describeOnEachEngine((fresh) => {
  test('the list of people matches the orders and customers after each kind of change', async () => {
    const { db } = await fresh();
    const expectExactPeople = async (count: number) => {
      expect(await readStoredPeople(db)).toEqual(await countPeople(db));
      expect(await countRows(db, 'people')).toBe(count);
    };
    await expectExactPeople(0);
    await seedOrders(db, { orders: 40, photos: 0 }); // half of the orders are guests' orders
    await expectExactPeople(40);
    await db.update(orders).set({ refundedCents: 500 }).where(eq(orders.email, 'customer7@example.com'));
    await db.update(orders).set({ email: 'customer7@example.com' }).where(eq(orders.email, 'customer9@example.com'));
    await expectExactPeople(39);
    await db.update(customers).set({ lastName: 'Ode' }).where(eq(customers.id, 'customer-4'));
    await db.update(orders).set({ customerId: 'customer-4' }).where(eq(orders.email, 'customer7@example.com'));
    await expectExactPeople(38);
    const deletedBuyer = { customerId: null, email: '', firstName: 'Deleted', lastName: 'account' };
    await db.update(orders).set(deletedBuyer).where(eq(orders.customerId, 'customer-4'));
    await db.delete(customers).where(eq(customers.id, 'customer-4'));
    await db.update(orders).set({ notes: 'called' });
    await expectExactPeople(37);
  });

  test('a guest who signs up becomes an account in the list, and the guest’s row is gone', async () => {
    const testShop = await openTestShop(fresh);
    const guest = testShop.browser();
    await buyAndVerify(guest);
    expect(await readStoredPeople(testShop.shop.db)).toMatchObject([
      { id: expect.stringMatching(/^guest-/), count: 1, spent: 19900 },
    ]);
    await guest.post('/api/complete-registration', { password: annasPassword });
    expect(await readStoredPeople(testShop.shop.db)).toMatchObject([{ email: anna.email, count: 1, spent: 19900 }]);
    expect(await readStoredPeople(testShop.shop.db)).toEqual(await countPeople(testShop.shop.db));
  });
});

describeOnPostgres((fresh) => {
  test('the list of people is correct when orders are refunded and moved to accounts at the same time', async () => {
    const { db } = await fresh();
    await seedOrders(db, { orders: 20, photos: 0 });
    await db.update(orders).set({ email: 'one@example.com' });
    await db.update(orders).set({ customerId: null });
    const ids = (await db.select({ id: orders.id }).from(orders)).map((it) => it.id);
    await Promise.all(
      ids.flatMap((id, n) => [
        db.update(orders).set({ refundedCents: n }).where(eq(orders.id, id)),
        db
          .update(orders)
          .set({ customerId: `customer-${2 + (n % 3) * 2}` })
          .where(eq(orders.id, id)),
      ]),
    );
    expect(await readStoredPeople(db)).toEqual(await countPeople(db));
    // A guest's last order moves to an account. At the same time, another order becomes a guest's order of the same
    // address.
    const [one, other] = ids as [string, string];
    for (let round = 0; round < 20; round++) {
      const assignOrder = (id: string, customerId: string | null) =>
        db.update(orders).set({ customerId }).where(eq(orders.id, id));
      const isEven = round % 2 === 0;
      await Promise.all([
        assignOrder(one, isEven ? null : 'customer-2'),
        assignOrder(other, isEven ? 'customer-4' : null),
      ]);
      expect(await readStoredPeople(db)).toEqual(await countPeople(db));
    }
  });

  test('frames never exceed their limit when the owner changes it during uploads', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const [first] = frames.map((frame) => frame.deviceId) as [string];
    await testShop.shop.db.execute(sql`update frames set used_photos = 18`);
    const ownerBrowsers = [await signInOwner(testShop), await signInOwner(testShop)];
    const { id } = (await browser.get('/api/auth/user')).json;
    const changeUser = (owner: Browser, change: object) => owner.put(`/api/admin/users/${id}`, change);
    const responses = await Promise.all([
      changeUser(ownerBrowsers[0]!, { basePhotoLimit: 37 }),
      uploadTo(browser, first),
      changeUser(ownerBrowsers[1]!, { basePhotoLimit: 36, extraPhotoPackages: 1 }),
      uploadTo(browser, first),
      uploadTo(browser, first),
      changeUser(ownerBrowsers[0]!, { extraPhotoPackages: 0, basePhotoLimit: 40 }),
      uploadTo(browser, first),
    ]);
    for (const response of responses)
      expect([undefined, 'photo-limit-reached', 'places-in-use'], response.text).toContain(response.json.code);
    for (const frame of await fetchFrames(browser)) expect(frame.remainingPhotos).toBeGreaterThanOrEqual(0);
    await Promise.all(
      ownerBrowsers.flatMap((owner) => [
        changeUser(owner, { basePhotoLimit: 55 }),
        changeUser(owner, { extraPhotoPackages: 3 }),
      ]),
    );
    expect((await browser.get('/api/frame-photo-limits')).json.globalTotalLimit).toBe(85);
    const counts = await Promise.all([
      changeUser(ownerBrowsers[0]!, { reuploadCredits: 4 }),
      changeUser(ownerBrowsers[1]!, { reuploadCredits: 6 }),
    ]);
    expect(counts.map((answer) => answer.json.reuploadCredits)).toEqual([expect.any(Number), expect.any(Number)]);
    const { reuploadCredits } = (await browser.get('/api/frame-photo-limits')).json;
    expect([4, 6]).toContain(reuploadCredits);
  });
});
