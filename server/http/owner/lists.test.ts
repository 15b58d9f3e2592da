import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seedOrders } from '../../../bench/seed-orders.ts';
import { describeOnFastestEngine, type FreshDatabase } from '#test/database.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';

/** The owner's browser, in a shop with this many orders. */
async function openShopWithOwner(fresh: FreshDatabase, orders: number, photos = 0) {
  const testShop = await openTestShop(fresh);
  await seedOrders(testShop.shop.db, { orders, photos });
  const browser = testShop.browser();
  await browser.post('/api/admin/auth/password', { password: adminPassword });
  return { browser, db: testShop.shop.db };
}
const lists = ['orders', 'production-orders', 'uploads', 'users'];

describeOnFastestEngine((fresh) => {
  test('the owner finds the oldest of 520 orders by search, by the Link header and by pages', async () => {
    const { browser, db } = await openShopWithOwner(fresh, 520);
    const { rows } = await db.execute<{ id: string; number: string }>(
      sql`select id, order_number as number from orders order by created_at limit 1`,
    );
    const firstRow = rows[0]!;
    const { json } = await browser.get(`/api/admin/lists/orders?q=${firstRow.number}`);
    expect(json).toMatchObject({
      rows: [{ id: firstRow.id }],
      total: 1,
      isTotalExact: true,
      next: null,
      previous: null,
    });
    expect((await browser.get(`/api/admin/orders/${firstRow.id}`)).json).toEqual(json.rows[0]);
    expect((await browser.get(`/api/admin/orders?q=${firstRow.number}`)).json).toEqual(json.rows);
    expect((await browser.get('/api/admin/orders/none')).status).toBe(404);
    // The call that returns an array has the newest 500 orders, and a link to the rest.
    const newestOrdersResponse = await browser.get('/api/admin/orders');
    expect(newestOrdersResponse.json).toHaveLength(500);
    const [, others] = /^<([^>]+)>; rel="next"$/.exec(String(newestOrdersResponse.headers['link']))!;
    expect((await browser.get(others!)).json.at(-1).id).toBe(firstRow.id);
    // The call that returns pages reaches the oldest order on the last page.
    let page = (await browser.get('/api/admin/lists/orders?limit=200')).json;
    expect([page.total, page.isTotalExact]).toEqual([520, true]);
    while (page.next) page = (await browser.get(`/api/admin/lists/orders?limit=200&after=${page.next}`)).json;
    expect(page.rows.at(-1).id).toBe(firstRow.id);
  });

  test('calls that return arrays accept the queries of lists, and name the next page in the Link header', async () => {
    const { browser } = await openShopWithOwner(fresh, 70, 1);
    for (const list of lists) {
      const queryText = list === 'orders' ? 'limit=20&sort=-total&filter=completed' : 'limit=20';
      const plainResponse = await browser.get(`/api/admin/${list}?${queryText}`);
      const pageResponse = await browser.get(`/api/admin/lists/${list}?${queryText}`);
      expect(plainResponse.json).toEqual(pageResponse.json.rows);
      expect(plainResponse.json).toHaveLength(20);
      const [, next] = /^<([^>]+)>; rel="next"$/.exec(String(plainResponse.headers['link']))!;
      const nextPageResponse = await browser.get(next!);
      expect(nextPageResponse.json).toEqual(
        (await browser.get(`/api/admin/lists/${list}?${queryText}&after=${pageResponse.json.next}`)).json.rows,
      );
      expect(nextPageResponse.json[0].id).not.toBe(plainResponse.json[0].id);
    }
    const wholeResponse = await browser.get('/api/admin/orders?limit=1000');
    expect(wholeResponse.json).toHaveLength(70);
    expect(wholeResponse.headers['link']).toBeUndefined();
    const { id } = wholeResponse.json[4];
    const photosResponse = await browser.get(`/api/admin/uploads?orderId=${id}`);
    expect(photosResponse.json.map((it: { orderId: string }) => it.orderId)).toEqual([id]);
  });

  test('refuses unknown queries of a list with an error message, and changes nothing', async () => {
    const { browser, db } = await openShopWithOwner(fresh, 3);
    const tablesBefore = await readAllTables(db);
    const expectRefusal = async (question: string, words: RegExp) => {
      for (const address of [
        'lists/orders',
        'orders',
        'lists/production-orders',
        'uploads',
        'customers',
        'lists/users',
      ]) {
        const response = await browser.get(`/api/admin/${address}?${question}`);
        expect(response.status, `${address} ${question}`).toBe(400);
        expect(response.json.message, `${address} ${question}`).toMatch(words);
      }
    };
    await expectRefusal('filter=nonsense', /no such filter/);
    await expectRefusal('filter=', /no such filter/);
    await expectRefusal('sort=nonsense', /cannot be sorted that way/);
    await expectRefusal('sort=date;drop%20table%20orders', /cannot be sorted that way/);
    await expectRefusal('sort=date&sort=-date', /cannot be sorted that way/);
    await expectRefusal('status=pending', /has no filter named status/);
    await expectRefusal('__proto__=1', /has no filter named|check what you entered/);
    await expectRefusal(`q=${'a'.repeat(10_000)}`, /at most 200 characters/);
    await expectRefusal('q=a&q=b', /send only one search term/);
    for (const tooShortQuery of ['%25', '%25%25%25', '___', '---', 'a', '%5C'])
      await expectRefusal(`q=${tooShortQuery}`, /two letters or digits/);
    await expectRefusal('after=nonsense', /search, filter or sort order has changed/);
    await expectRefusal(`after=${'A'.repeat(3000)}`, /no such page/);
    for (const limit of ['0', '-1', '1001', '1e9', 'many', '1.5', 'NaN'])
      await expectRefusal(`limit=${limit}`, /1 to 1000 rows/);
    await expectRefusal('q=%00', /check what you entered/);
    expect(await readAllTables(db)).toEqual(tablesBefore);
  });

  test('accepts the admin key in the URL of a list, and leaves the key out of the link to the next page', async () => {
    const adminKey = 'a-key-of-at-least-thirty-two-characters';
    const testShop = await openTestShop(fresh, { env: { ADMIN_KEY: adminKey } });
    await seedOrders(testShop.shop.db, { orders: 2, photos: 0 });
    const response = await testShop.browser().get(`/api/admin/orders?limit=1&admin_key=${adminKey}`);
    expect(response.json).toHaveLength(1);
    expect(response.headers['link']).not.toContain(adminKey);
  });
});
