import type { Page } from '@playwright/test';
import { publicPages } from '#server/pages/public-pages.ts';
import { awake, expect, expectAccessible, expectNoWider, holdCode, test } from './fixtures.ts';

/** As after an update of the shop: scripts of the page that is open are gone, those of pages sent from now on are there. */
async function updateShop(page: Page) {
  let isOld = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isOld = false;
  });
  await page.route('**/assets/**', (route) => (isOld ? route.fulfill({ status: 404 }) : route.continue()));
}
const toGallery = (page: Page) => page.locator('footer').getByRole('link', { name: 'Gallery' });
const gallery = (page: Page) => page.getByRole('button', { name: /^See it move/ });
const missing = /A part of this page could not be loaded/;

for (const path of ['/about', '/auth'])
  test(`a page that was open while the shop was updated leads on, loaded anew without a word: ${path} @phone-only`, async ({
    page,
    expectProblem,
  }) => {
    expectProblem(/dynamically imported module/);
    await page.goto(path);
    await awake(page);
    await updateShop(page);
    await toGallery(page).click();
    await expect(gallery(page)).toHaveCount(14);
    await expect(page).toHaveURL(/\/gallery$/);
    await awake(page);
    await gallery(page).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
  });

for (const [name, path, heading] of [
  ['Contact', '/contact', 'Say hello'],
  ['Help & Support', '/support', 'How can we help?'],
] as const)
  test(`so does the way to a page that asks the shop for nothing: ${path}`, async ({ page, expectProblem }) => {
    expectProblem(/dynamically imported module/);
    await page.goto('/auth');
    await awake(page);
    await updateShop(page);
    await page.locator('footer').getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page).toHaveURL(path);
    await awake(page);
    await page.getByLabel('Name').fill('Rosa');
  });

test('a page whose fonts and pictures do not come is read, and led on from, all the same @phone', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/ERR_FAILED/);
  await page.route(/\.(woff2|avif|webp|jpe?g|mp4)$/, (route) => route.abort());
  await page.goto('/product/kinframe');
  await awake(page);
  const large = page.getByRole('img', { name: /picture 1 of 6$/ });
  // Its place is kept, in its colour.
  expect((await large.boundingBox())!.height).toBeGreaterThan(150);
  await expect(large).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Buy now' }).first().click();
  await expect(page).toHaveURL(/\/customer-details/);
});

test('a page that the browser kept from before an update is loaded anew as it wakes', async ({ page }) => {
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  await page.route('**/assets/*.js', (route) => (loads === 1 ? route.fulfill({ status: 404 }) : route.continue()));
  await page.goto('/gallery');
  await expect.poll(() => loads).toBe(2);
  await awake(page);
  await gallery(page).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(loads).toBe(2);
});

test('where only the page’s own part is gone it is loaded anew as well, and in vain it says so', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/dynamically imported module/);
  let loads = 0;
  let isGone = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  await page.route('**/assets/gallery-page*', (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()));
  await page.goto('/gallery?from=a-friend');
  await expect(page.getByRole('alert').filter({ hasText: 'This page has not come whole' })).toBeVisible();
  expect(loads).toBe(2);
  isGone = false;
  await page.getByRole('link', { name: 'Load it again' }).click();
  await awake(page);
  await expect(page).toHaveURL('/gallery?from=a-friend');
  await gallery(page).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('where loading anew was in vain, or the line is lost, words say so and the page stays @phone-only', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/dynamically imported module|INTERNET_DISCONNECTED/);
  await page.goto('/auth');
  await awake(page);
  await context.setOffline(true);
  await toGallery(page).click();
  await expect(page.getByText(missing)).toBeVisible();
  await expectAccessible(page);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(gallery(page)).toHaveCount(14);
});

test('a page that was kept for a day is loaded anew when it is shown again, unless something was typed', async ({
  page,
}) => {
  const show = () =>
    page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))).catch(() => {});
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  const day = 86_400_000;
  await page.clock.install();
  await page.goto('/contact');
  await awake(page);
  await show();
  await page.clock.setFixedTime(Date.now() + day);
  expect(loads).toBe(1);
  await show();
  await expect.poll(() => loads).toBe(2);
  await awake(page);
  const letFormCome = await holdCode(page);
  await page.getByLabel('Name').fill('Rosa');
  await page.getByLabel('Name').fill('');
  await page.getByLabel('Subject').fill('A question');
  await page.clock.setFixedTime(Date.now() + 2 * day);
  await show();
  letFormCome();
  await expect(page.getByRole('button', { name: 'Send Message' })).toBeEnabled();
  await expect(page.getByLabel('Subject')).toHaveValue('A question');
  expect(loads).toBe(2);
});

test('nothing of a public page forbids the browser to keep it and show it at once on the way back', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const leaving: string[] = [];
    globalThis.addEventListener = new Proxy(globalThis.addEventListener, {
      apply(listen, it, [type, ...more]: [string, EventListener]) {
        if (type.includes('unload')) leaving.push(type);
        Reflect.apply(listen, it, [type, ...more]);
      },
    });
    Object.assign(globalThis, { leaving });
  });
  for (const path of ['/', '/product/kinframe', '/product/photo2video-10', '/product/byof', '/gallery', '/contact']) {
    const answer = await page.goto(path);
    expect(answer!.headers()['cache-control'], path).not.toContain('no-store');
    await awake(page);
    expect(await page.evaluate(() => (globalThis as { leaving?: string[] }).leaving), path).toEqual([]);
  }
});

test('what was typed before a page was awake keeps it, too', async ({ page }) => {
  await page.clock.install();
  const letPageCome = await holdCode(page);
  await page.goto('/contact');
  await page.evaluate(() => Object.assign(globalThis, { isFirstLoad: true }));
  await page.getByLabel('Name').fill('Rosa');
  await page.clock.setFixedTime(Date.now() + 86_400_000);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  letPageCome();
  await awake(page);
  await expect(page.getByLabel('Name')).toHaveValue('Rosa');
  expect(await page.evaluate(() => 'isFirstLoad' in globalThis)).toBe(true);
});

test('a shop that answers with an error of its own is not loaded into an open page', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/dynamically imported module|503/);
  await page.goto('/auth');
  await awake(page);
  await page.route('**/*', (route) => route.fulfill({ status: 503, body: 'No shop is here.' }));
  await toGallery(page).click();
  await expect(page.getByText(missing)).toBeVisible();
  await expect(page.locator('footer')).toBeVisible();
});

test('a page that is not sent asleep, and whose script is gone, is loaded anew by itself; in vain it says so @phone-only', async ({
  page,
}) => {
  let loads = 0;
  let isGone = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  await page.route('**/assets/*.js', (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()));
  await page.goto('/auth');
  await expect(page.getByRole('alert').filter({ hasText: 'This page has not come whole' })).toBeVisible();
  expect(loads).toBe(2);
  await expectAccessible(page);
  isGone = false;
  await page.getByRole('link', { name: 'Load it again' }).click();
  await awake(page);
  await expect(page.getByText('This page has not come whole')).toBeHidden();
  expect(loads).toBe(3);
});

test('a viewer that does not come leaves the gallery as it was, in words @phone-only', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/dynamically imported module/);
  await page.goto('/gallery');
  await awake(page);
  await page.evaluate(() => sessionStorage.setItem('loadedAnewAt', String(Date.now()))); // a moment ago, in vain
  await page.route('**/assets/gallery-modal*', (route) => route.fulfill({ status: 404 }));
  await gallery(page).first().click();
  await expect(page.getByRole('alert').filter({ hasText: missing })).toBeVisible();
  await expect(gallery(page)).toHaveCount(14);
  await expectAccessible(page);
  await page.unroute('**/assets/gallery-modal*');
  await page.getByRole('button', { name: 'Load the page again' }).click();
  await awake(page);
  await gallery(page).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('what a notification says is read where its code does not come @phone-only', async ({ page, expectProblem }) => {
  expectProblem(/dynamically imported module/);
  await page.route('**/assets/toast-view*', (route) => route.fulfill({ status: 404 }));
  await page.goto('/contact');
  await awake(page);
  await page.getByLabel('Name').fill('Rosa Keller');
  await page.getByLabel('Email').fill('rosa@example.com');
  await page.getByLabel('Subject').fill('A question');
  await page.getByLabel('Message').fill('Does it hang on a wall?');
  await page.getByRole('button', { name: /^Send/ }).click();
  const words = page.getByRole('status').filter({ hasText: 'Close' });
  await expect(words).toBeVisible();
  await expect(page.locator('footer')).toBeVisible();
  await expectAccessible(page);
  await words.getByRole('button', { name: 'Close' }).click();
  await expect(words).toHaveCount(0);
});

/**
 * What has changed since it was asked last: where an element stands, and all that is computed of it and of what stands
 * before and after it; but for margins: of an automatic one Chromium says 0 now and then where it has given it 80.
 */
const changedLooks = (page: Page) =>
  page.evaluate(() => {
    const memory = globalThis as { looks?: string[][] };
    const before = memory.looks ?? [];
    memory.looks = [...document.body.querySelectorAll('*')].map((it) => {
      const { x, y, width, height } = it.getBoundingClientRect();
      const looks = ['', '::before', '::after'].flatMap((part) => {
        const style = getComputedStyle(it, part);
        if (part && style.content === 'none') return [];
        const properties = [...style].filter((property) => !property.startsWith('margin'));
        return properties.map((property) => `${part} ${property}: ${style.getPropertyValue(property)}`);
      });
      return [`${it.tagName}.${it.getAttribute('class')} at ${x}, ${y}, ${width} by ${height}`, ...looks];
    });
    return memory.looks.flatMap((looks, at) => {
      const changed = looks.filter((look, which) => look !== before[at]?.[which]);
      return changed.length > 0 ? [[looks[0], ...changed.slice(0, 5)].join(' | ')] : [];
    });
  });

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a page asleep looks as it does under the whole style @phone', async ({ page }) => {
    for (const path of [...publicPages, '/nothing-here']) {
      await page.goto(path);
      await page.screenshot(); // what is further down has its size with the first picture
      await changedLooks(page);
      await page.locator('link[rel=asleep][as=style]').evaluate((it: HTMLLinkElement) => (it.rel = 'stylesheet'));
      await expect.poll(() => page.evaluate(() => document.styleSheets.length), { message: path }).toBe(2);
      expect(await changedLooks(page), path).toEqual([]);
    }
  });

  test('pages are read and gone through; what needs scripts says so @phone', async ({ page }) => {
    for (const path of ['/', '/product/kinframe', '/gallery', '/about', '/contact', '/support', '/auth', '/checkout']) {
      await page.goto(path);
      const notice = page.getByRole('complementary', { name: 'Without JavaScript' });
      await expect(notice).toBeVisible();
      await expect(notice).toContainText('JavaScript is switched off in this browser.', { useInnerText: true });
      await expectNoWider(page);
    }
    for (const path of ['/contact', '/support', '/auth', '/auth/forgot-password', '/customer-details']) {
      await page.goto(path);
      const send = page.locator('main [type=submit]').first();
      await expect(send).toBeDisabled();
      const why = send.locator('xpath=following-sibling::noscript/p');
      await expect(why).toContainText('needs JavaScript', { useInnerText: true });
    }
    await page.goto('/');
    await expect(page.getByRole('button', { name: /^Add to cart/ })).toHaveCount(0);
    const menu = page.getByRole('link', { name: 'Menu', exact: true });
    if (page.viewportSize()!.width < 1280) {
      await menu.click();
      await expect(toGallery(page)).toBeInViewport();
    } else await expect(menu).toBeHidden();
    await toGallery(page).click();
    await expect(page).toHaveURL(/\/gallery$/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test('what only a script answers does not stand there as a button; films play, and both forms are a link away @phone', async ({
    page,
  }) => {
    await page.goto('/gallery');
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
    const films = page.locator('main noscript video[controls]');
    await expect(films).toHaveCount(14);
    await expect(films.first()).toBeVisible();
    const isPlaying = (film: HTMLVideoElement) => film.play().then(() => !film.paused);
    expect(await films.first().evaluate(isPlaying)).toBe(true);
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
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Make your account');
    await page.getByRole('link', { name: 'An account already? Sign In' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back');
  });
});
