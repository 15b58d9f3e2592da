import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as base, type Page } from '@playwright/test';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import sharp from 'sharp';
import { paintGarden } from '../photos/garden.ts';
import { openOwnShop, ownersPassword, type OwnShop } from './own-shop.ts';

export { expect } from '@playwright/test';

/** This worker's shop, set when its first test starts. */
let shop: OwnShop;

export const test = base.extend<
  { expectProblem: (pattern: RegExp) => void; nothingGoesOn: void },
  { settings: Record<string, string>; ownShop: OwnShop }
>({
  settings: [{}, { scope: 'worker', option: true }],
  ownShop: [
    async ({ settings }, use) => {
      shop = await openOwnShop(settings);
      await use(shop);
      await shop.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: ({ ownShop }, use) => use(ownShop.origin),
  /**
   * Closes the other browser contexts at the end of a test, because open pages would keep playing videos during later
   * tests. It also ignores errors of routes that are still running at the end: no one waits for their responses, so
   * they are not failures of the test.
   */
  nothingGoesOn: [
    async ({ browser, context: own }, use) => {
      await use();
      for (const context of browser.contexts())
        for (const contextOrPage of [context, ...context.pages()])
          await contextOrPage.unrouteAll({ behavior: 'ignoreErrors' });
      const otherContexts = browser.contexts().filter((it) => it !== own);
      await Promise.all(otherContexts.map((it) => it.close()));
    },
    { auto: true },
  ],
  /** A console error or page error fails the test, unless the test expects it. */
  expectProblem: [
    async ({ page }, use) => {
      const allowedProblems: RegExp[] = [];
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
      page.on('console', (message) => {
        if (message.type() === 'error')
          problems.push(
            `${page.url()}: ${message.text()} (${message.location().url}:${message.location().lineNumber})`,
          );
      });
      allowedProblems.push(/404/);
      await use((pattern) => allowedProblems.push(pattern));
      expect(problems.filter((problem) => !allowedProblems.some((it) => it.test(problem)))).toEqual([]);
    },
    { auto: true },
  ],
});

export const shopOrigin = () => shop.origin;

/**
 * Waits until the page is hydrated. Before that, a link loads a full page, and a click on a button is stored for later.
 */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => document.readyState === 'complete' && !window.doEarlyClick);
}

/** Delays the page's scripts, like a slow connection. Call the returned function to load them. */
export async function delayScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\.js(\?|$)/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Signs in to the admin panel with the shop's password. */
export async function signInAsOwner(page: Page): Promise<void> {
  await page.goto('/admin-login');
  await page
    .getByLabel(/password/i)
    .first()
    .fill(ownersPassword);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL(/\/admin(\?|$)/);
}

/** Signs in from the panel's sign-in page through the provider of test/openid-provider.ts, with the given subject. */
export async function signInThroughProvider(page: Page, subject: string): Promise<void> {
  await page.route('https://fonts.googleapis.com/**', (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  await page.getByRole('button', { name: 'Sign in as the owner' }).click();
  await page.getByPlaceholder('Enter any login').fill(subject);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/**
 * Checks WCAG 2.2 AA on the current page after all animations have ended, and that the page is no wider than the
 * screen.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(async () => {
    window.scrollTo({ top: 0, behavior: 'instant' }); // half covered elements would count as small
    const waitForNextFrame = () => new Promise(requestAnimationFrame);
    const findMovingElements = () =>
      document
        .getAnimations()
        .filter((it) => it.playState === 'running' && it.effect?.getComputedTiming().endTime !== Infinity);
    let quietFrames = 0; // an animation may begin a few frames after the click
    while (quietFrames < 6) {
      await Promise.allSettled(findMovingElements().map((it) => it.finished));
      await waitForNextFrame();
      quietFrames = findMovingElements().length > 0 ? 0 : quietFrames + 1;
    }
    // Remove a notification at once when its time ends: while it fades out, its contrast is too low.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('[data-state="closed"] { animation: none !important }');
    document.adoptedStyleSheets.push(sheet);
  });
  // Run axe in the page itself, which contains no frames of other sites, and report only violations. This takes a third
  // of the time.
  const { violations } = await new AxeBuilder({ page })
    .options({ runOnly: standards, resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze();
  await page.evaluate(() => void document.adoptedStyleSheets.pop());
  await expectNoHorizontalScroll(page);
  expect(
    violations.map((it) => `${page.url()} ${it.id}: ${it.nodes.map((node) => node.target.join(' ')).join(' | ')}`),
  ).toEqual([]);
}

export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  const horizontalOverflow = await page.locator('html').evaluate((it) => it.scrollWidth - it.clientWidth);
  expect(horizontalOverflow, page.url()).toBeLessThanOrEqual(0);
}

/** The paths of valid photos, one of each type that the shop accepts except HEIF. They are made once per worker. */
export const drawRealPhotos = (): Promise<string[]> => (photosPromise ??= drawPhotos());
let photosPromise: Promise<string[]> | undefined;
async function drawPhotos(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-photos-'));
  const scene = paintGarden(1600, 1200).toBuffer('image/png');
  const pathInFolder = (name: string) => join(folder, name);
  await sharp(scene)
    .withExif({ IFD0: { Orientation: '6' } })
    .jpeg({ quality: 90 })
    .toFile(pathInFolder('turned.jpg'));
  await sharp(scene).png().toFile(pathInFolder('drawing.png'));
  await sharp(scene).webp().toFile(pathInFolder('modern.webp'));
  await sharp(scene).resize(800).gif().toFile(pathInFolder('old.gif'));
  writeFileSync(pathInFolder('phone.heic'), readFileSync(join(import.meta.dirname, '../photos/garden.heic')));
  return ['turned.jpg', 'drawing.png', 'modern.webp', 'old.gif', 'phone.heic'].map(pathInFolder);
}

/** A picture with one color, 1600 pixels wide, on the local disk. */
export async function createTestPicture(name: string, background: string): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'kinframe-picture-')), name);
  await sharp({ create: { width: 1600, height: 1000, channels: 3, background } })
    .jpeg()
    .toFile(path);
  return path;
}

/** The emails that this shop has sent to an address, oldest first. */
export async function readMailsTo(address: string) {
  const outboxFolder = join(shop.dataDir, 'outbox');
  if (!existsSync(outboxFolder)) return []; // created with the first email
  const mails = await Promise.all(
    readdirSync(outboxFolder)
      .filter((name) => name.endsWith('.eml')) // ignore an email that is still being written
      .toSorted()
      .map(async (name) => PostalMime.parse(readFileSync(join(outboxFolder, name)))),
  );
  return mails.filter((it) => it.to?.some((to) => to.address === address));
}
export async function waitForEmailedLink(address: string, pattern: RegExp): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      async () => (link = (await readMailsTo(address)).map((it) => pattern.exec(it.text ?? '')?.[0]).findLast(Boolean)),
      { timeout: 60_000 },
    )
    .toBeTruthy();
  return link!;
}
