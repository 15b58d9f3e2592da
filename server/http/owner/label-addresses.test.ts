import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seedOrders } from '../../../bench/seed-orders.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';

describeOnFastestEngine((fresh) => {
  test('exports the addresses of chosen orders for a label service, in the chosen sequence', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await seedOrders(db, { orders: 4, photos: 0 });
    const owner = testShop.browser();
    await owner.post('/api/admin/auth/password', { password: adminPassword });
    await db.execute(sql`update orders set canceled_at = null, gift = null, phone = '(207) 555-0142', phone_e164 = '+12075550142',
      first_name = '=cmd()', last_name = 'Keller', email = 'anna@example.com', quantity = 2,
      shipping_address = '{"line1":"12 Linden Street","city":"Portland","state":"OR","postalCode":"04101","country":"US"}'`);
    const { rows } = await db.execute<{ id: string; number: string }>(
      sql`select id, order_number as number from orders order by order_number`,
    );
    const [first, gift, canceled, digital] = rows as [
      (typeof rows)[0],
      (typeof rows)[0],
      (typeof rows)[0],
      (typeof rows)[0],
    ];
    await db.execute(
      sql`update orders set gift = '{"recipientName":"Maria Ode","recipientPhone":"514 555 0123"}' where id = ${gift.id}`,
    );
    await db.execute(sql`update orders set canceled_at = now() where id = ${canceled.id}`);
    await db.execute(sql`update orders set shipping_address = null where id = ${digital.id}`);
    const csvPath = (ids: string[]) => `/api/admin/shipping-addresses.csv?orders=${ids.join('.')}`;
    const response = await owner.get(csvPath([gift.id, first.id, canceled.id, digital.id, 'none', first.id]));
    expect([response.status, response.headers['content-type'], response.headers['content-disposition']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      expect.stringMatching(/attachment; filename="?addresses-\d{4}-\d\d-\d\d\.csv/),
    ]);
    expect(response.text.slice(1).trimEnd().split('\r\n')).toEqual([
      'Order Number,Name,Company,Address 1,Address 2,City,State,Zip,Country,Phone,Email,Quantity',
      `${gift.number},Maria Ode,,12 Linden Street,,Portland,OR,04101,US,'+15145550123,,2`,
      // A name that looks like a formula is escaped.
      `${first.number},'=cmd() Keller,,12 Linden Street,,Portland,OR,04101,US,'+12075550142,anna@example.com,2`,
    ]);
    expect((await readAllTables(db))['audit_trail']).toContainEqual(
      expect.objectContaining({
        act: 'export-list',
        subject_id: 'shipping-addresses',
        after: { orders: [gift.id, first.id] },
      }),
    );
    for (const wrongValue of ['', '.', Array.from({ length: 101 }, (_, at) => `id${at}`).join('.')])
      expect((await owner.get(csvPath([wrongValue]))).status, wrongValue.slice(0, 20)).toBe(400);
    expect((await testShop.browser().get(csvPath([first.id]))).status).toBe(401);
  });
});
