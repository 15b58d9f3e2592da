/**
 * Runs the production build on the data folder of begun-shop.ts, from which the tests read emails. E2E_ORDERS is the
 * number of orders. With E2E_DELIVERED, the shop has an order that was delivered long ago.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '#adapters/database/database.ts';
import { seedOrders } from '../../bench/seed-orders.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { deliverOrder } from './delivered-order.ts';
import { seedBrowserTestShop } from './prepared-shop.ts';

const dataDir = process.env['E2E_DATA_DIR']!;
const url = process.env['DATABASE_URL'];
if (url || !existsSync(join(dataDir, 'db'))) await seedBrowserTestShop(dataDir, url);
const orderCount = Number(process.env['E2E_ORDERS'] ?? 0);
if (orderCount > 0) {
  const database = await openDatabase({ dataDir, url, migrationsFolder });
  await seedOrders(database.db, { orders: orderCount, photos: 0 });
  await database.close();
}
if (process.env['E2E_DELIVERED']) {
  const database = await openDatabase({ dataDir, url, migrationsFolder });
  await deliverOrder(database, dataDir);
  await database.close();
}

process.env['DATA_DIR'] = dataDir;
await import(join(import.meta.dirname, '../../dist/shop/main.js'));
