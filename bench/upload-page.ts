import { chromium, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { findBrowser } from '../scripts/find-browser.ts';
import { buyFrame } from './uploads.ts';
import { startShop } from './shop-process.ts';

const photoCount = 200;

/**
 * Returns the duration of the slowest interaction on the upload page with 200 photos, from the input to the next paint,
 * in milliseconds, as the browser measures it (Event Timing).
 */
export async function timeUploadPage(): Promise<number> {
  const shop = await startShop();
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const customer = await buyFrame(shop.origin, { extraPackages: (photoCount - 20) / 10 });
    for (let i = 0; i < photoCount; i++) await customer.upload(await createPlainPhoto(i), i);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies([...customer.cookies].map(([name, value]) => ({ name, value, url: shop.origin })));
    const page = await context.newPage();
    await page.addInitScript(() => {
      const slowest = { ms: 0 };
      Object.assign(globalThis, { slowest });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as PerformanceEventTiming[])
          if (entry.interactionId > 0) slowest.ms = Math.max(slowest.ms, entry.duration);
      }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
    });
    await page.goto(`${shop.origin}/upload`, { waitUntil: 'networkidle' });
    await performAllActions(page);
    return await page.evaluate(() => (globalThis as unknown as { slowest: { ms: number } }).slowest.ms);
  } finally {
    await browser.close();
    await shop.close();
  }
}

/**
 * Performs each action once, at human speed. Otherwise, searching for the next element would be part of the measured
 * time.
 */
async function performAllActions(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  const findButton = (name: string) => page.getByRole('button', { name, exact: true });
  const userActions = [
    () => findButton('View photo-3.jpg').click(),
    () => dialog.getByLabel('Title of the video').pressSequentially('The kite', { delay: 100 }),
    () => dialog.getByLabel('This is water').check(),
    () => dialog.getByRole('button', { name: 'Next' }).click(),
    () => page.keyboard.press('ArrowRight'),
    () => page.keyboard.press('Escape'),
    () => findButton('Move photo-5.jpg').focus(),
    ...['Space', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'Space'].map((key) => () => page.keyboard.press(key)),
    () => dragPhoto(page, findButton('Move photo-6.jpg')),
    () => findButton('Delete photo-8.jpg').click(),
    () => dialog.getByRole('button', { name: 'Delete', exact: true }).click(),
    () => dialog.waitFor({ state: 'hidden' }),
    () => findButton("I'm Done").click(),
    () => page.keyboard.press('Escape'),
  ];
  for (const performAction of userActions) {
    await performAction();
    await page.waitForTimeout(400);
  }
}

async function dragPhoto(page: Page, grip: Locator): Promise<void> {
  const { x, y } = (await grip.boundingBox())!;
  await page.mouse.move(x + 10, y + 10);
  await page.mouse.down();
  await page.mouse.move(x + 500, y + 200, { steps: 20 });
  await page.mouse.up();
}

const createPlainPhoto = (i: number) =>
  sharp({ create: { width: 1600, height: 1200, channels: 3, background: { r: (i * 37) % 255, g: 140, b: 90 } } })
    .jpeg()
    .toBuffer();
