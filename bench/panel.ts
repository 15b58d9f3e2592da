import { chromium, type Browser } from '@playwright/test';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import sharp from 'sharp';
import { findBrowser } from '../scripts/find-browser.ts';
import { startPostgres } from '../test/postgres.ts';
import { measureTransferKilobytes } from './first-load.ts';
import { resetPeakMegabytes, findMedian, readPeakMegabytes } from './measure.ts';
import { signInOwner, type OwnerClient } from './owner.ts';
import { seedOrders } from './seed-orders.ts';
import { startShop } from './shop-process.ts';
import { buyFrame } from './uploads.ts';

export interface PanelFigures {
  /**
   * Milliseconds from opening the panel's address with an empty cache until orders can be searched. The median of five
   * visits.
   */
  usableMs: number;
  /** Size of all scripts that the panel loads at its start, gzipped. */
  scriptKilobytes: number;
  /**
   * Milliseconds from the request for all photos of an order until the first byte of the response. The slowest of five.
   */
  zipStartsMs: number;
  /** Memory growth of the shop's process while the photos were sent. */
  zipGrownMegabytes: number;
}
const orderCount = 1000;
const photoCount = 200;
const repetitions = 5;

/** Measures the owner's panel in a shop on PostgreSQL, and the ZIP with all photos of one order. */
export async function measurePanel(): Promise<PanelFigures> {
  const cluster = await startPostgres({ durable: true });
  if (!cluster) throw new Error('The panel is measured on PostgreSQL, and none is installed.');
  const shop = await startShop({ DATABASE_URL: cluster.url });
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    await seedDatabase(cluster.url);
    const ownerClient = await signInOwner(shop.origin);
    const openMilliseconds: number[] = [];
    for (let time = 0; time < repetitions; time++)
      openMilliseconds.push(await measureTimeUntilUsable(browser, ownerClient));
    const scriptKilobytes = await measureTransferKilobytes(
      browser,
      `${shop.origin}/admin`,
      { extraHTTPHeaders: { 'accept-encoding': 'gzip', cookie: ownerClient.cookie } },
      (request) => request.resourceType() === 'script',
    );
    const customer = await buyFrame(shop.origin, { extraPackages: (photoCount - 20) / 10 });
    for (let photo = 0; photo < photoCount; photo++) await customer.upload(await createNoisyPhoto(photo), photo);
    const zip = await measureZipDownload(ownerClient, shop.pid);
    return { usableMs: findMedian(openMilliseconds), scriptKilobytes, ...zip };
  } finally {
    await browser.close();
    await shop.close();
    await cluster.stop();
  }
}

async function seedDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await seedOrders(drizzle(client), { orders: orderCount, photos: 3 });
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

async function measureTimeUntilUsable(browser: Browser, { origin, cookie }: OwnerClient): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, extraHTTPHeaders: { cookie } });
  try {
    const page = await context.newPage();
    const startedAt = performance.now();
    await page.goto(`${origin}/admin`, { waitUntil: 'commit' });
    await page
      .getByRole('link', { name: /^KF-/ })
      .or(page.getByRole('button', { name: /KF-/ }))
      .first()
      .waitFor();
    await page.getByRole('searchbox').fill('zoe');
    await page.waitForURL(/q=zoe/);
    // Subtract the search field's delay after the last letter, because it is not part of opening.
    return performance.now() - startedAt - 200;
  } finally {
    await context.close();
  }
}

async function measureZipDownload(
  { request: ask }: OwnerClient,
  pid: number,
): Promise<Pick<PanelFigures, 'zipStartsMs' | 'zipGrownMegabytes'>> {
  const { rows } = (await (await ask('/api/admin/lists/orders?q=anna@example.com')).json()) as {
    rows: { id: string }[];
  };
  const path = `/api/admin/orders/${rows[0]!.id}/download`;
  const peakBefore = resetPeakMegabytes(pid);
  let zipStartsMs = 0;
  for (let time = 0; time < repetitions; time++) {
    const startedAt = performance.now();
    const response = await ask(path);
    let bytes = 0;
    for await (const chunk of response.body!) {
      if (bytes === 0) zipStartsMs = Math.max(zipStartsMs, performance.now() - startedAt);
      bytes += chunk.length;
    }
    if (bytes !== Number(response.headers.get('content-length')))
      throw new Error(`the ZIP has ${bytes} bytes, not the ${response.headers.get('content-length')} of its header`);
  }
  return { zipStartsMs, zipGrownMegabytes: readPeakMegabytes(pid) - peakBefore };
}

/** A file of 0.6 to 0.9 MB, because noise hardly compresses. */
const createNoisyPhoto = (mean: number) =>
  sharp({
    create: {
      width: 1600,
      height: 1200,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer();
