/**
 * The production build on a fresh data folder, which the tests read mails from, with promotions around today and what
 * somebody bought on a Christmas Eve; beside it as many orders as E2E_ORDERS says.
 */
import { join } from 'node:path';
import { openDatabase, systemClock } from '#adapters/database/database.ts';
import { dayOf } from '#contract/calendar.ts';
import { writeContent } from '#shop/content/content.ts';
import { seedOrders } from '../../bench/seed-orders.ts';
import { buyOnChristmasEve } from './christmas-eve.ts';

const root = join(import.meta.dirname, '../..');
const dataDir = process.env['E2E_DATA_DIR']!;
const day = (fromToday: number) => dayOf(Date.now() + fromToday * 24 * 60 * 60 * 1000);
const code = (discountCode: string, discountPercent: number) => ({ discountCode, discountPercent });

const database = await openDatabase({ dataDir, migrationsFolder: join(root, 'db/migrations') });
await writeContent(database.db, systemClock, 'promos', [
  { id: 1, message: 'This is over.', startDate: day(-9), endDate: day(-1), ...code('AUTUMN5', 5) },
  { id: 2, message: 'Free gift wrap this week.', startDate: day(0), endDate: day(2), ...code('GIFT10', 10) },
  { id: 3, message: 'Something is coming.', startDate: day(3), endDate: day(9), ...code('WINTER15', 15) },
]);
await buyOnChristmasEve(database.db);
const orders = Number(process.env['E2E_ORDERS'] ?? 0);
if (orders > 0) await seedOrders(database.db, { orders, photos: 0 });
await database.close();

process.env['DATA_DIR'] = dataDir;
await import(join(root, 'dist/shop/main.js'));
