import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, systemClock } from '#adapters/database/database.ts';
import { toShopDay } from '#contract/calendar.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { writeContent } from '#shop/content/content.ts';
import { buyOnChristmasEve } from './christmas-eve.ts';
import { insertAbandonedCart } from './left-cart.ts';

/**
 * Creates the data folder that each shop of this run copies, because creating a database from scratch takes seconds.
 */
export default async function setup() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-e2e-begun-'));
  await seedBrowserTestShop(dataDir);
  process.env['E2E_BEGUN_DIR'] = dataDir;
  return () => rmSync(dataDir, { recursive: true, force: true });
}

/** Creates a database with promotions around today, an order from a Christmas Eve and a cart that was left. */
export async function seedBrowserTestShop(dataDir: string, url?: string): Promise<void> {
  const computeShopDay = (fromToday: number) => toShopDay(Date.now() + fromToday * 24 * 60 * 60 * 1000);
  const createPromoCode = (discountCode: string, discountPercent: number) => ({ discountCode, discountPercent });
  const database = await openDatabase({ dataDir, url, migrationsFolder });
  await writeContent(database.db, systemClock, 'promos', [
    {
      id: 1,
      message: 'This is over.',
      startDate: computeShopDay(-9),
      endDate: computeShopDay(-1),
      ...createPromoCode('AUTUMN5', 5),
    },
    {
      id: 2,
      message: 'Free gift wrap this week.',
      startDate: computeShopDay(0),
      endDate: computeShopDay(2),
      ...createPromoCode('GIFT10', 10),
    },
    {
      id: 3,
      message: 'Something is coming.',
      startDate: computeShopDay(3),
      endDate: computeShopDay(9),
      ...createPromoCode('WINTER15', 15),
    },
  ]);
  await buyOnChristmasEve(database.db);
  await insertAbandonedCart(database);
  await database.close();
}
