import type { Page } from '@playwright/test';
import { publicPages } from '#server/pages/public-pages.ts';
import {
  waitForHydration,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  delayScripts,
  test,
} from './fixtures.ts';

/** Simulates an update of the shop: scripts of the open page no longer exist, but those of newly loaded pages do. */
async function updateShop(page: Page) {
  let isOld = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isOld = false;
  });
  await page.route('**/assets/**', (route) => (isOld ? route.fulfill({ status: 404 }) : route.continue()));
}
const findGalleryLink = (page: Page) => page.locator('footer').getByRole('link', { name: 'Gallery' });
const findGalleryButton = (page: Page) => page.getByRole('button', { name: /^See it move/ });
const missingPartText = /We couldn’t load part of this page/;

for (const path of ['/about', '/auth'])
  test(`a page that was open during an update of the shop reloads on the next link: ${path} @phone-only`, async ({
    page,
    expectProblem,
  }) => {
    expectProblem(/dynamically imported module/);
    await page.goto(path);
    await waitForHydration(page);
    await updateShop(page);
    await findGalleryLink(page).click();
    await expect(findGalleryButton(page)).toHaveCount(14);
    await expect(page).toHaveURL(/\/gallery$/);
    await waitForHydration(page);
    await findGalleryButton(page).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
  });

for (const [name, path, heading] of [
  ['Contact', '/contact', 'Say hello'],
  ['Help & support', '/support', 'How can we help?'],
] as const)
  test(`after an update, a link to a page without data also reloads: ${path}`, async ({ page, expectProblem }) => {
    expectProblem(/dynamically imported module/);
    await page.goto('/auth');
    await waitForHydration(page);
    await updateShop(page);
    await page.locator('footer').getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page).toHaveURL(path);
    await waitForHydration(page);
    await page.getByLabel('Name').fill('Rosa');
  });

test('a page without its fonts and pictures can be read and used @phone', async ({ page, expectProblem }) => {
  expectProblem(/ERR_FAILED/);
  await page.route(/\.(woff2|avif|webp|jpe?g|mp4)$/, (route) => route.abort());
  await page.goto('/product/kinframe');
  await waitForHydration(page);
  const largePicture = page.getByRole('img', { name: /picture 1 of 6$/ });
  // The place of the picture is reserved and has a background color.
  expect((await largePicture.boundingBox())!.height).toBeGreaterThan(150);
  await expect(largePicture).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Buy now' }).first().click();
  await expect(page).toHaveURL(/\/customer-details/);
});

test('a page cached by the browser before an update reloads when it is opened', async ({ page }) => {
  let loadCount = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loadCount++;
  });
  await page.route('**/assets/*.js', (route) => (loadCount === 1 ? route.fulfill({ status: 404 }) : route.continue()));
  await page.goto('/gallery');
  await expect.poll(() => loadCount).toBe(2);
  await waitForHydration(page);
  await findGalleryButton(page).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(loadCount).toBe(2);
});

test('a page reloads if its script no longer exists, and shows a message if it is still missing', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/dynamically imported module/);
  let loadCount = 0;
  let isMissing = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loadCount++;
  });
  await page.route('**/assets/gallery-page*', (route) =>
    isMissing ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.goto('/gallery?from=a-friend');
  await expect(page.getByRole('alert').filter({ hasText: 'This page did not load completely' })).toBeVisible();
  expect(loadCount).toBe(2);
  isMissing = false;
  await page.getByRole('link', { name: 'Reload the page' }).click();
  await waitForHydration(page);
  await expect(page).toHaveURL('/gallery?from=a-friend');
  await findGalleryButton(page).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('if the connection is lost, a message is shown and the page stays @phone-only', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/dynamically imported module|INTERNET_DISCONNECTED/);
  await page.goto('/auth');
  await waitForHydration(page);
  await context.setOffline(true);
  await findGalleryLink(page).click();
  await expect(page.getByText(missingPartText)).toBeVisible();
  await expectAccessible(page);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(findGalleryButton(page)).toHaveCount(14);
});

test('a page that is shown again after a day reloads, unless something was typed', async ({ page }) => {
  const restoreFromCache = () =>
    page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))).catch(() => {});
  let loadCount = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loadCount++;
  });
  const dayMs = 86_400_000;
  await page.clock.install();
  await page.goto('/contact');
  await waitForHydration(page);
  await restoreFromCache();
  await page.clock.setFixedTime(Date.now() + dayMs);
  expect(loadCount).toBe(1);
  await restoreFromCache();
  await expect.poll(() => loadCount).toBe(2);
  await waitForHydration(page);
  const letFormCome = await delayScripts(page);
  await page.getByLabel('Name').fill('Rosa');
  await page.getByLabel('Name').fill('');
  await page.getByLabel('Subject').fill('A question');
  await page.clock.setFixedTime(Date.now() + 2 * dayMs);
  await restoreFromCache();
  letFormCome();
  await expect(page.getByRole('button', { name: 'Send message' })).toBeEnabled();
  await expect(page.getByLabel('Subject')).toHaveValue('A question');
  expect(loadCount).toBe(2);
});

test('no public page blocks the browser’s back/forward cache', async ({ page }) => {
  await page.addInitScript(() => {
    const unloadListeners: string[] = [];
    globalThis.addEventListener = new Proxy(globalThis.addEventListener, {
      apply(listen, it, [type, ...more]: [string, EventListener]) {
        if (type.includes('unload')) unloadListeners.push(type);
        Reflect.apply(listen, it, [type, ...more]);
      },
    });
    Object.assign(globalThis, { leaving: unloadListeners });
  });
  for (const path of ['/', '/product/kinframe', '/product/photo2video-10', '/product/byof', '/gallery', '/contact']) {
    const pageResponse = await page.goto(path);
    expect(pageResponse!.headers()['cache-control'], path).not.toContain('no-store');
    await waitForHydration(page);
    expect(await page.evaluate(() => (globalThis as { leaving?: string[] }).leaving), path).toEqual([]);
  }
});

test('text typed before hydration prevents the reload of a page that is shown again after a day', async ({ page }) => {
  await page.clock.install();
  const letPageCome = await delayScripts(page);
  await page.goto('/contact');
  await page.evaluate(() => Object.assign(globalThis, { isFirstLoad: true }));
  await page.getByLabel('Name').fill('Rosa');
  await page.clock.setFixedTime(Date.now() + 86_400_000);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  letPageCome();
  await waitForHydration(page);
  await expect(page.getByLabel('Name')).toHaveValue('Rosa');
  expect(await page.evaluate(() => 'isFirstLoad' in globalThis)).toBe(true);
});

test('an error page of the shop does not replace the open page', async ({ page, expectProblem }) => {
  expectProblem(/dynamically imported module|503/);
  await page.goto('/auth');
  await waitForHydration(page);
  await page.route('**/*', (route) => route.fulfill({ status: 503, body: 'No shop is here.' }));
  await findGalleryLink(page).click();
  await expect(page.getByText(missingPartText)).toBeVisible();
  await expect(page.locator('footer')).toBeVisible();
});

test('a page that hydrates at once reloads if its script no longer exists, and then shows a message @phone-only', async ({
  page,
}) => {
  let loadCount = 0;
  let isMissing = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loadCount++;
  });
  await page.route('**/assets/*.js', (route) => (isMissing ? route.fulfill({ status: 404 }) : route.continue()));
  await page.goto('/auth');
  await expect(page.getByRole('alert').filter({ hasText: 'This page did not load completely' })).toBeVisible();
  expect(loadCount).toBe(2);
  await expectAccessible(page);
  isMissing = false;
  await page.getByRole('link', { name: 'Reload the page' }).click();
  await waitForHydration(page);
  await expect(page.getByText('This page did not load completely')).toBeHidden();
  expect(loadCount).toBe(3);
});

test('if the viewer cannot be loaded, the gallery stays and shows a message @phone-only', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/dynamically imported module/);
  await page.goto('/gallery');
  await waitForHydration(page);
  // Set the time of the last automatic reload to now, so that the page does not reload automatically again.
  await page.evaluate(() => sessionStorage.setItem('loadedAnewAt', String(Date.now())));
  await page.route('**/assets/gallery-modal*', (route) => route.fulfill({ status: 404 }));
  await findGalleryButton(page).first().click();
  await expect(page.getByRole('alert').filter({ hasText: missingPartText })).toBeVisible();
  await expect(findGalleryButton(page)).toHaveCount(14);
  await expectAccessible(page);
  await page.unroute('**/assets/gallery-modal*');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await waitForHydration(page);
  await findGalleryButton(page).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('a notification’s text is shown even if its code cannot be loaded @phone-only', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/dynamically imported module/);
  await page.route('**/assets/toast-view*', (route) => route.fulfill({ status: 404 }));
  await page.goto('/contact');
  await waitForHydration(page);
  await page.getByLabel('Name').fill('Rosa Keller');
  await page.getByLabel('Email').fill('rosa@example.com');
  await page.getByLabel('Subject').fill('A question');
  await page.getByLabel('Message').fill('Does it hang on a wall?');
  await page.getByRole('button', { name: /^Send/ }).click();
  const toast = page.getByRole('status').filter({ hasText: 'Close' });
  await expect(toast).toBeVisible();
  await expect(page.locator('footer')).toBeVisible();
  await expectAccessible(page);
  await toast.getByRole('button', { name: 'Close' }).click();
  await expect(toast).toHaveCount(0);
});

/**
 * Returns what has changed since the last call: the position of each element and its computed styles, including its
 * ::before and ::after. Margins are left out, because Chromium sometimes reports 0 instead of 80 for an automatic
 * margin.
 */
const readChangedStyles = (page: Page) =>
  page.evaluate(() => {
    const memory = globalThis as { looks?: string[][] };
    const stylesBefore = memory.looks ?? [];
    memory.looks = [...document.body.querySelectorAll('*')].map((it) => {
      const { x, y, width, height } = it.getBoundingClientRect();
      const computedStyles = ['', '::before', '::after'].flatMap((part) => {
        const style = getComputedStyle(it, part);
        if (part && style.content === 'none') return [];
        const properties = [...style].filter((property) => !property.startsWith('margin'));
        return properties.map((property) => `${part} ${property}: ${style.getPropertyValue(property)}`);
      });
      return [`${it.tagName}.${it.getAttribute('class')} at ${x}, ${y}, ${width} by ${height}`, ...computedStyles];
    });
    return memory.looks.flatMap((looks, at) => {
      const changedLooks = looks.filter((look, which) => look !== stylesBefore[at]?.[which]);
      return changedLooks.length > 0 ? [[looks[0], ...changedLooks.slice(0, 5)].join(' | ')] : [];
    });
  });

test.describe('pages in a browser without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a page before hydration looks the same as with the full stylesheet @phone', async ({ page }) => {
    for (const path of [...publicPages, '/nothing-here']) {
      await page.goto(path);
      await page.screenshot(); // elements further down get their size with the first screenshot
      await readChangedStyles(page);
      await page.locator('link[rel=asleep][as=style]').evaluate((it: HTMLLinkElement) => (it.rel = 'stylesheet'));
      await expect.poll(() => page.evaluate(() => document.styleSheets.length), { message: path }).toBe(2);
      expect(await readChangedStyles(page), path).toEqual([]);
    }
  });

  test('pages can be read and navigated; features that need scripts say so @phone', async ({ page }) => {
    for (const path of ['/', '/product/kinframe', '/gallery', '/about', '/contact', '/support', '/auth', '/checkout']) {
      await page.goto(path);
      const notice = page.getByRole('complementary', { name: 'Without JavaScript' });
      await expect(notice).toBeVisible();
      await expect(notice).toContainText('JavaScript is turned off in this browser.', { useInnerText: true });
      await expectNoHorizontalScroll(page);
    }
    for (const path of ['/contact', '/support', '/auth', '/auth/forgot-password', '/customer-details']) {
      await page.goto(path);
      const submitButton = page.locator('main [type=submit]').first();
      await expect(submitButton).toBeDisabled();
      const reasonText = submitButton.locator('xpath=preceding-sibling::noscript/p');
      await expect(reasonText).toContainText('needs JavaScript', { useInnerText: true });
    }
    await page.goto('/');
    await expect(page.getByRole('button', { name: /^Add to cart/ })).toHaveCount(0);
    const menu = page.getByRole('link', { name: 'Menu', exact: true });
    if (page.viewportSize()!.width < 1280) {
      await menu.click();
      await expect(findGalleryLink(page)).toBeInViewport();
    } else await expect(menu).toBeHidden();
    await findGalleryLink(page).click();
    await expect(page).toHaveURL(/\/gallery$/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test('features that need scripts show no buttons, videos play, and sign-in and sign-up are linked @phone', async ({
    page,
  }) => {
    await page.goto('/gallery');
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
    const videosWithoutScript = page.locator('main noscript video[controls]');
    await expect(videosWithoutScript).toHaveCount(14);
    await expect(videosWithoutScript.first()).toBeVisible();
    const isPlaying = (film: HTMLVideoElement) => film.play().then(() => !film.paused);
    expect(await videosWithoutScript.first().evaluate(isPlaying)).toBe(true);
    await page.goto('/product/kinframe');
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('slider')).toHaveCount(0);
    await expect(page.getByRole('list', { name: 'Pictures' }).locator('img')).toHaveCount(6);
    await expect(page.getByRole('list', { name: 'Pictures' }).locator('img').first()).toBeVisible();
    await expect(page.getByLabel('A cabin in the snow, the video').last()).toHaveJSProperty('controls', true);
    await page.goto('/faq');
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
    await expect(page.getByText('What exactly do I get?')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'What exactly do I get?' })).toBeVisible();
    await expect(page.getByText('No. You pay once for the frame or the service')).toBeVisible();
    await page.goto('/auth');
    await expect(page.getByRole('tab')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Show password' })).toHaveCount(0);
    await page.getByRole('link', { name: 'No account yet? Sign Up' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Create your account');
    await page.getByRole('link', { name: 'Already have an account? Sign In' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back');
  });
});
