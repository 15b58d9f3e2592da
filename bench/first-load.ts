import { chromium, type Browser, type BrowserContextOptions, type Request } from '@playwright/test';
import { gzipSync } from 'node:zlib';
import { publicPages } from '#server/pages/public-pages.ts';
import { findBrowser } from '../scripts/find-browser.ts';
import { startShop } from './shop-process.ts';

export interface PageTransferSizes {
  /**
   * Gzipped kilobytes of all scripts that a public page loads without interaction until it is hydrated and idle. The
   * key is the page's path.
   */
  scriptKilobytes: Map<string, number>;
  /**
   * Gzipped kilobytes of the home page's scripts, including inline scripts, when the page is complete but not yet idle
   * and no one has interacted with it.
   */
  beforeTouchKilobytes: number;
  /** Everything that the home page sends to a phone before scrolling, without the hero's video. */
  phoneKilobytes: number;
}

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 };

/** Measures the transfer size of public pages in a browser with an empty cache. */
export async function measurePages(): Promise<PageTransferSizes> {
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
        await measureTransferKilobytes(
          browser,
          shop.origin + path,
          options,
          (request) => request.resourceType() === 'script',
        ),
      );
    return {
      scriptKilobytes,
      beforeTouchKilobytes: await measureWithoutTouch(browser, shop.origin),
      phoneKilobytes: await measureTransferKilobytes(
        browser,
        shop.origin,
        phone,
        (request) => request.resourceType() !== 'media',
      ),
    };
  } finally {
    await browser.close();
    await shop.close();
  }
}

/** Loads a page in a browser that is never idle, so that code that hydrates only when idle is not loaded. */
async function measureWithoutTouch(browser: Browser, address: string): Promise<number> {
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
  const fetchedBytes = sizes.reduce((sum, it) => sum + it.responseBodySize, 0);
  return (fetchedBytes + inline.reduce((sum, it) => sum + gzipSync(it).length, 0)) / 1000;
}

/**
 * Returns the total size of a page's compressed responses in kilobytes. Includes only the requests for which `counts`
 * returns true.
 */
export async function measureTransferKilobytes(
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
