/** `DATABASE_URL=postgres://… tsx scripts/seed-orders.ts 100000 3`: inserts orders with photos into an empty shop. */
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { seedOrders } from '../bench/seed-orders.ts';

const [orders = 1000, photos = 3] = process.argv.slice(2).map(Number);
const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
await client.connect();
try {
  const { rows } = await client.query('select from orders limit 1');
  if (rows.length > 0) throw new Error('This shop has orders already: they are not mixed with made-up ones.');
  await seedOrders(drizzle(client), { orders, photos });
  await client.query('vacuum analyze');
  console.log(`${orders} orders with ${photos} photos each`);
} finally {
  await client.end();
}
