import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seedOrders } from '../../../bench/seed-orders.ts';
import { anyEngine, eachEngine, type FreshDatabase } from '#test/database.ts';
import { countOf, everyRow } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';

const lists = ['orders', 'customers', 'users', 'support-tickets'];

async function ownerOf(fresh: FreshDatabase, orders: number) {
  const it = await openTestShop(fresh);
  await seedOrders(it.shop.db, { orders, photos: 0 });
  const owner = it.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  /** Lines by their cells, without the heading; no cell of these has a comma in it. */
  const lines = async (path: string) => {
    const answer = await owner.get(`/api/admin/lists/${path}`);
    expect(answer.status, answer.text.slice(0, 200)).toBe(200);
    const [heading, ...rest] = answer.text.slice(1).trimEnd().split('\r\n');
    return { heading: heading!.split(','), rows: rest.map((it2) => it2.split(',')) };
  };
  return { it, owner, lines, db: it.shop.db };
}

eachEngine((fresh) => {
  test('has every order of the question once, in its order, also where it takes several pages', async () => {
    const { owner, lines } = await ownerOf(fresh, 2100);
    const { heading, rows } = await lines('orders.csv');
    expect(rows).toHaveLength(2100);
    expect(new Set(rows.map((it) => it[0])).size).toBe(2100);
    expect(rows.every((it) => it.length === heading.length)).toBe(true);
    const listed = async (question: string) =>
      (await owner.get(`/api/admin/lists/orders?limit=1000&${question}`)).json.rows.map(
        (it: { orderNumber: string }) => it.orderNumber,
      );
    expect(rows.slice(0, 1000).map((it) => it[0])).toEqual(await listed(''));
    for (const question of ['sort=total&filter=pending', 'sort=-customer&filter=processing', 'q=zoe'])
      expect((await lines(`orders.csv?${question}`)).rows.map((it) => it[0])).toEqual(await listed(question));
    expect((await lines('customers.csv')).rows).toHaveLength(2100);
    expect((await lines('customers.csv?filter=guest')).rows).toHaveLength(1050);
    const users = await lines('users.csv');
    expect(users.rows).toHaveLength(1050);
    expect(users.rows[0]!.slice(4, 9)).toEqual(['yes', '20', '0', '0', '0']);
    expect((await lines('customers.csv?q=customer4@')).rows).toHaveLength(1);
  });
});

anyEngine((fresh) => {
  test('tells an order by the shop’s calendar and in dollars', async () => {
    const { lines, db } = await ownerOf(fresh, 1);
    await db.execute(sql`update orders set created_at = '2026-12-25T01:00:00Z', promo_code = 'GIFT10',
      first_name = '=cmd()', last_name = 'O''Neill', phone = '+1 503 555 0100', notes = '@home', refunded_cents = 5,
      gift = '{"recipientName":"Maria","from":"=1+1","message":"@you\\nwith love","shipOn":"2026-12-20"}',
      shipping_address = '{"line1":"12 Linden Street","city":"Portland","state":"OR","postalCode":"97201","country":"US"}'`);
    const { heading, rows } = await lines('orders.csv');
    expect(Object.fromEntries(heading.map((name, at) => [name, rows[0]![at]]))).toMatchObject({
      'Ordered (New York time)': '2026-12-24 20:00',
      'First name': "'=cmd()",
      'Last name': "O'Neill",
      Phone: "'+1 503 555 0100",
      Products: '1 × Kinframe Digital Picture Frame',
      'Promo code': 'GIFT10',
      'Total (USD)': '208.99',
      'Refunded (USD)': '0.05',
      'Gift for': 'Maria',
      'Gift from': "'=1+1",
      'Gift message': '"\'@you\nwith love"',
      'Not before': '2026-12-20',
      Street: '12 Linden Street',
      'Apartment or suite': '',
      'Postal code': '97201',
      'Admin notes': "'@home",
    });
  });

  test('what was asked at the desk comes along whole, and cannot act in a spreadsheet', async () => {
    const { it, owner } = await ownerOf(fresh, 0);
    const question = {
      name: '=1+1',
      email: 'anna@example.com',
      subject: 'A "swing", 2 m',
      message: 'One line\nTwo lines',
    };
    expect((await it.browser().post('/api/support-tickets', question)).status).toBe(200);
    const { text } = await owner.get('/api/admin/lists/support-tickets.csv?filter=open');
    expect(text).toContain(`,open,support,'=1+1,anna@example.com,,no,"A ""swing"", 2 m","One line\nTwo lines",\r\n`);
    const completed = await owner.get('/api/admin/lists/support-tickets.csv?filter=completed');
    expect(completed.text.trimEnd().split('\r\n')).toHaveLength(1);
  });

  test('is written down with its question, but not with the name that was searched for', async () => {
    const { owner, db } = await ownerOf(fresh, 3);
    const before = await countOf(db, 'audit_trail');
    await owner.get('/api/admin/lists/orders.csv?q=customer2@example.com&filter=completed&sort=-total');
    const { audit_trail: trail } = await everyRow(db);
    expect(trail).toHaveLength(before + 1);
    expect(trail).toContainEqual(
      expect.objectContaining({
        act: 'export-list',
        subject_id: 'orders',
        after: { filter: 'completed', sort: '-total', isSearch: true },
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
    );
    expect(JSON.stringify(trail)).not.toContain('customer2');
  });

  test('a question it does not understand is refused in words; nobody but the owner gets any', async () => {
    const { it, owner, db } = await ownerOf(fresh, 3);
    const before = await everyRow(db);
    for (const list of lists) {
      for (const [question, words] of [
        ['filter=nonsense', /no such filter/],
        ['sort=nonsense', /cannot be sorted so/],
        ['q=a', /two letters or digits/],
        ['limit=5', /is not asked by limit/],
        ['after=AAAA', /is not asked by after/],
      ] as const) {
        const answer = await owner.get(`/api/admin/lists/${list}.csv?${question}`);
        expect(answer.status, `${list} ${question}`).toBe(400);
        expect(answer.json.message, `${list} ${question}`).toMatch(words);
      }
      const nobody = await it.browser().get(`/api/admin/lists/${list}.csv`);
      expect([nobody.status, nobody.json.code]).toEqual([401, 'admin-needed']);
      // Nor do they learn whether they asked well.
      expect((await it.browser().get(`/api/admin/lists/${list}.csv?filter=nonsense`)).status).toBe(401);
    }
    expect(await everyRow(db)).toEqual(before);
  });
});
