import { sql } from 'drizzle-orm';
import { readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { toShopDay } from '#contract/calendar.ts';
import { seedOrders } from '../../../bench/seed-orders.ts';
import { describeOnFastestEngine, describeOnEachEngine, type FreshDatabase } from '#test/database.ts';
import { countRows, readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';

const lists = ['orders', 'customers', 'users', 'support-tickets'];

async function openShopWithOwner(fresh: FreshDatabase, orders: number) {
  const testShop = await openTestShop(fresh);
  await seedOrders(testShop.shop.db, { orders, photos: 0 });
  const owner = testShop.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  /**
   * Downloads a CSV file. Returns its heading and its rows as lists of cells. No cell in these tests contains a comma.
   */
  const readCsvLines = async (path: string) => {
    const response = await owner.get(`/api/admin/lists/${path}`);
    expect(response.status, response.text.slice(0, 200)).toBe(200);
    const [heading, ...rest] = response.text.slice(1).trimEnd().split('\r\n');
    return { heading: heading!.split(','), rows: rest.map((it) => it.split(',')) };
  };
  return { it: testShop, owner, lines: readCsvLines, db: testShop.shop.db };
}

describeOnEachEngine((fresh) => {
  test('exports each order of a query once, in the order of the list, also if it has several pages', async () => {
    const { owner, lines } = await openShopWithOwner(fresh, 2100);
    const { heading, rows } = await lines('orders.csv');
    expect(rows).toHaveLength(2100);
    expect(new Set(rows.map((it) => it[0])).size).toBe(2100);
    expect(rows.every((it) => it.length === heading.length)).toBe(true);
    const fetchOrderNumbers = async (question: string) =>
      (await owner.get(`/api/admin/lists/orders?limit=1000&${question}`)).json.rows.map(
        (it: { orderNumber: string }) => it.orderNumber,
      );
    expect(rows.slice(0, 1000).map((it) => it[0])).toEqual(await fetchOrderNumbers(''));
    for (const listQuery of ['sort=total&filter=pending', 'sort=-customer&filter=processing', 'q=zoe'])
      expect((await lines(`orders.csv?${listQuery}`)).rows.map((it) => it[0])).toEqual(
        await fetchOrderNumbers(listQuery),
      );
    expect((await lines('customers.csv')).rows).toHaveLength(2100);
    expect((await lines('customers.csv?filter=guest')).rows).toHaveLength(1050);
    const users = await lines('users.csv');
    expect(users.rows).toHaveLength(1050);
    expect(users.rows[0]!.slice(4, 9)).toEqual(['yes', '20', '0', '0', '0']);
    expect((await lines('customers.csv?q=customer4@')).rows).toHaveLength(1);
  });
});

describeOnFastestEngine((fresh) => {
  test('writes times of an order in the shop’s time zone, and its amounts in dollars', async () => {
    const { lines, db } = await openShopWithOwner(fresh, 1);
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

  test('exports every list as a workbook, with codes as text, and amounts and moments as typed cells', async () => {
    const { it, owner, db } = await openShopWithOwner(fresh, 2);
    await db.execute(sql`update orders set created_at = '2026-12-25T01:00:00Z', phone = '+1 503 555 0100',
      first_name = '=cmd()', total_cents = 20899,
      shipping_address = '{"line1":"12 Linden Street","city":"Boston","state":"MA","postalCode":"02138","country":"US"}'`);
    const question = { name: 'Anna', email: 'anna@example.com', subject: 'My frame', message: 'It does not wake up.' };
    await it.browser().post('/api/support-tickets', { ...question, phone: '0012 503 555 0100' });
    const readWorkbook = async (path: string) => {
      const response = await owner.get(`/api/admin/lists/${path}`);
      expect(response.status, path).toBe(200);
      const [heading, ...rows] = (await readXlsx(response.bytes)).sheets[0]!.rows;
      return rows.map((row) => Object.fromEntries(heading!.map((name, at) => [String(name), row[at] ?? null])));
    };
    const orders = await readWorkbook('orders.xlsx');
    expect(orders).toHaveLength(2);
    expect(orders[0]).toMatchObject({
      Order: expect.stringMatching(/^KF-/),
      'Ordered (New York time)': new Date('2026-12-24T20:00:00Z'),
      'First name': '=cmd()',
      Phone: '+1 503 555 0100',
      Quantity: 1,
      'Total (USD)': 208.99,
      'Postal code': '02138',
    });
    expect(await readWorkbook('orders.xlsx?q=visitor')).toEqual([]);
    expect((await readWorkbook('customers.xlsx'))[0]).toMatchObject({ 'Total spent (USD)': expect.any(Number) });
    expect((await readWorkbook('users.xlsx'))[0]).toMatchObject({ 'Base photos': 20, 'Has purchased': 'yes' });
    expect(await readWorkbook('support-tickets.xlsx')).toMatchObject([
      { Phone: '0012 503 555 0100', 'May be texted': 'no' },
    ]);
  });

  test('exports the full text of support questions, and escapes formulas', async () => {
    const { it, owner } = await openShopWithOwner(fresh, 0);
    const question = {
      name: '=1+1',
      email: 'anna@example.com',
      subject: 'A "swing", 2 m',
      message: 'One line\nTwo lines',
    };
    expect((await it.browser().post('/api/support-tickets', question)).status).toBe(200);
    const { text } = await owner.get('/api/admin/lists/support-tickets.csv?filter=open');
    expect(text).toContain(`,open,support,'=1+1,anna@example.com,,no,"A ""swing"", 2 m","One line\nTwo lines",\r\n`);
    const completedTicketsResponse = await owner.get('/api/admin/lists/support-tickets.csv?filter=completed');
    expect(completedTicketsResponse.text.trimEnd().split('\r\n')).toHaveLength(1);
  });

  test('exports the sales tax by month and state with refunds in separate columns, equal to the tax in the monthly margins', async () => {
    const { owner, db, it } = await openShopWithOwner(fresh, 7);
    const { rows: ids } = await db.execute<{ id: string }>(sql`select id from orders order by id`);
    const setOrder = (at: number, values: ReturnType<typeof sql>) =>
      db.execute(sql`update orders set ${values} where id = ${ids[at]!.id}`);
    const now = it.shop.clock.now();
    const month = toShopDay(now).slice(0, 7);
    const lastYear = new Date(now.getTime() - 365 * 86_400_000);
    const createAddressSql = (country: string, state: string) =>
      sql`jsonb_build_object('country', ${country}::text, 'state', ${state}::text)`;
    await db.execute(sql`update orders set created_at = ${now.toISOString()}, tax_cents = 0, tax_jurisdiction = null,
      subtotal_cents = 20000, discount_cents = 0, total_cents = 20000, refunded_cents = 0, shipping_address = null`);
    // Two taxed orders in New York, one of them for a service without an address, and half of it refunded.
    const taxedColumns = sql`tax_cents = 1775, total_cents = 21775, tax_jurisdiction = 'New York'`;
    await setOrder(0, sql`${taxedColumns}, shipping_address = ${createAddressSql('US', 'NY')}`);
    await setOrder(1, sql`${taxedColumns}, refunded_cents = 10888`);
    // Orders without tax: in the state of their address, in Canada, in a month of last year, and too long ago.
    await setOrder(2, sql`shipping_address = ${createAddressSql('US', 'OR')}, refunded_cents = 20000`);
    await setOrder(3, sql`shipping_address = ${createAddressSql('CA', 'ON')}`);
    await setOrder(4, sql`shipping_address = ${createAddressSql('US', 'OR')}, created_at = ${lastYear.toISOString()}`);
    await setOrder(5, sql`created_at = ${new Date(now.getTime() - 800 * 86_400_000).toISOString()}`);
    const csvResponse = await owner.get('/api/analytics/sales-tax.csv');
    expect(csvResponse.status, csvResponse.text).toBe(200);
    expect(csvResponse.headers['content-disposition']).toMatch(/filename="sales-tax-\d{4}-\d\d-\d\d\.csv"/);
    const [heading, ...rows] = csvResponse.text.slice(1).trimEnd().split('\r\n');
    expect(heading).toBe(
      'Month,State or province,Orders,Sales (USD),Tax (USD),Refunded sales (USD),Refunded tax (USD),Sales after refunds (USD),Tax after refunds (USD)',
    );
    expect(rows).toEqual([
      `${month},New York,2,400.00,35.50,100.00,8.88,300.00,26.62`,
      `${month},Ontario,1,200.00,0.00,0.00,0.00,200.00,0.00`,
      `${month},Oregon,1,200.00,0.00,200.00,0.00,0.00,0.00`,
      `${month},Not known,1,200.00,0.00,0.00,0.00,200.00,0.00`,
      `${toShopDay(lastYear).slice(0, 7)},Oregon,1,200.00,0.00,0.00,0.00,200.00,0.00`,
    ]);
    const { months } = (await owner.get('/api/analytics/margins')).json;
    expect(months.find((margin: { month: string }) => margin.month === month).tax).toBe(2662);
    const book = await readXlsx((await owner.get('/api/analytics/sales-tax.xlsx')).bytes);
    expect(book.sheets[0]!.rows).toHaveLength(1 + 5);
    const { audit_trail: trail } = await readAllTables(db);
    expect(trail).toContainEqual(expect.objectContaining({ act: 'export-list', subject_id: 'sales-tax' }));
  });

  test('exports the same figures per day as the Analytics tab shows', async () => {
    const { owner, db } = await openShopWithOwner(fresh, 20);
    const { days, before } = (await owner.get('/api/analytics/days?range=7d')).json;
    const csvResponse = await owner.get('/api/analytics/days.csv?range=7d');
    expect(csvResponse.headers['content-disposition']).toMatch(/filename="days-\d{4}-\d\d-\d\d\.csv"/);
    const [heading, ...rows] = csvResponse.text.slice(1).trimEnd().split('\r\n');
    expect(heading).toBe(
      'Day,Page views,Orders,Revenue (USD),Refunds (USD),Promo code uses,Day before,Page views before,' +
        'Orders before,Revenue before (USD),Refunds before (USD),Promo code uses before',
    );
    const toExpectedCells = (it: Record<string, number>) => [
      it['day'],
      it['views'],
      it['orders'],
      (it['revenue']! / 100).toFixed(2),
      (it['refunds']! / 100).toFixed(2),
      it['codeUses'],
    ];
    expect(rows).toEqual(
      days.map((it: Record<string, number>, at: number) =>
        [...toExpectedCells(it), ...toExpectedCells(before.days[at])].join(','),
      ),
    );
    expect(days.some((it: { orders: number }) => it.orders > 0)).toBe(true);
    const book = await readXlsx((await owner.get('/api/analytics/days.xlsx')).bytes);
    expect(book.sheets[0]!.rows).toHaveLength(1 + 30); // the heading and 30 days, the default range
    expect((await owner.get('/api/analytics/days.csv?range=1y')).status).toBe(400);
    const { audit_trail: trail } = await readAllTables(db);
    expect(trail).toContainEqual(
      expect.objectContaining({ act: 'export-list', subject_id: 'days', after: { range: '7d' } }),
    );
  });

  test('records an export with its filter and sort order, but without the search text', async () => {
    const { owner, db } = await openShopWithOwner(fresh, 3);
    const countBefore = await countRows(db, 'audit_trail');
    await owner.get('/api/admin/lists/orders.csv?q=customer2@example.com&filter=completed&sort=-total');
    const { audit_trail: trail } = await readAllTables(db);
    expect(trail).toHaveLength(countBefore + 1);
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

  test('refuses unknown query parameters with an error message, and refuses everyone except the owner', async () => {
    const { it, owner, db } = await openShopWithOwner(fresh, 3);
    const tablesBefore = await readAllTables(db);
    for (const list of lists.flatMap((it) => [`${it}.csv`, `${it}.xlsx`])) {
      for (const [question, expected] of [
        ['filter=nonsense', /no such filter/],
        ['sort=nonsense', /cannot be sorted that way/],
        ['q=a', /two letters or digits/],
        ['limit=5', /has no filter named limit/],
        ['after=AAAA', /has no filter named after/],
      ] as const) {
        const response = await owner.get(`/api/admin/lists/${list}?${question}`);
        expect(response.status, `${list} ${question}`).toBe(400);
        expect(response.json.message, `${list} ${question}`).toMatch(expected);
      }
      const visitorResponse = await it.browser().get(`/api/admin/lists/${list}`);
      expect([visitorResponse.status, visitorResponse.json.code]).toEqual([401, 'admin-needed']);
      // The refusal does not show whether the query is valid.
      expect((await it.browser().get(`/api/admin/lists/${list}?filter=nonsense`)).status).toBe(401);
    }
    expect(await readAllTables(db)).toEqual(tablesBefore);
  });
});
