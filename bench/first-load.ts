import { chromium, type Browser, type BrowserContextOptions, type Request } from '@playwright/test';
import { gzipSync } from 'node:zlib';
import { publicPages } from '#server/pages/public-pages.ts';
import { findBrowser } from '../scripts/find-browser.ts';
import { startShop } from './shop-process.ts';

export interface FirstLoad {
  /** Every script a public page asks for by itself until it is awake and rests, gzipped; by the page's path. */
  scriptKilobytes: Map<string, number>;
  /** What of it, and of the scripts in the page itself, has come when the page stands there whole and nobody has touched it. */
  beforeTouchKilobytes: number;
  /** Everything home sends to a phone before anyone scrolls, without the hero's film. */
  phoneKilobytes: number;
}

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 };

/** What public pages weigh on the wire, seen by a browser with an empty cache. */
export async function weighPages(): Promise<FirstLoad> {
  const shop = await startShop();
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const scriptKilobytes = new Map<string, number>();
    const options = { ...phone, extraHTTPHeaders: { 'accept-encoding': 'gzip' } };
    for (const path of publicPages)
      scriptKilobytes.set(
        path,
        await kilobytesOf(browser, shop.origin + path, options, (request) => request.resourceType() === 'script'),
      );
    return {
      scriptKilobytes,
      beforeTouchKilobytes: await untouched(browser, shop.origin),
      phoneKilobytes: await kilobytesOf(browser, shop.origin, phone, (request) => request.resourceType() !== 'media'),
    };
  } finally {
    await browser.close();
    await shop.close();
  }
}

/** A page of a browser that never rests: what wakes by itself only then has not come. */
async function untouched(browser: Browser, address: string): Promise<number> {
  const page = await browser.newPage({ ...phone, extraHTTPHeaders: { 'accept-encoding': 'gzip' } });
  await page.addInitScript(() => (window.requestIdleCallback = () => 0));
  const scripts: Request[] = [];
  page.on('requestfinished', (request) => request.resourceType() === 'script' && scripts.push(request));
  await page.goto(address, { waitUntil: 'load' });
  const inline = await page
    .locator('script:not([src]):not([type="application/json"]):not([type="application/ld+json"])')
    .allTextContents();
  const sizes = await Promise.all(scripts.map((request) => request.sizes()));
  await page.close();
  const fetched = sizes.reduce((sum, it) => sum + it.responseBodySize, 0);
  return (fetched + inline.reduce((sum, it) => sum + gzipSync(it).length, 0)) / 1000;
}

/** What the requests of a page that are counted answer, on the wire, in kilobytes. */
export async function kilobytesOf(
  browser: Browser,
  address: string,
  options: BrowserContextOptions,
  counts: (request: Request) => boolean,
): Promise<number> {
  const page = await browser.newPage(options);
  const requests: Request[] = [];
  page.on('requestfinished', (request) => counts(request) && requests.push(request));
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.waitForFunction(() => !window.doEarlyClick);
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all(requests.map((request) => request.sizes()));
  await page.close();
  return sizes.reduce((sum, it) => sum + it.responseBodySize, 0) / 1000;
}
