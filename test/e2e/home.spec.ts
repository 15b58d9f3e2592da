import type { Page } from '@playwright/test';
import { waitForHydration, expect, expectAccessible, delayScripts, test } from './fixtures.ts';

const findHeroVideo = (page: Page) => page.getByLabel('A family photo moves inside the frame');
const findPlayButton = (page: Page) => page.getByRole('button', { name: 'Play video: the photo in the frame' });
const findMainMenu = (page: Page) => page.getByRole('navigation', { name: 'Main' });

/** Video decoders differ between browsers, so the test controls the video's play() result. */
async function fakeVideoPlayback(page: Page, play: 'waits' | 'refused') {
  await page.addInitScript((how) => {
    HTMLMediaElement.prototype.play = () =>
      how === 'refused' ? Promise.reject(new DOMException('not now', 'NotAllowedError')) : new Promise(() => {});
  }, play);
}

test.describe('the video at the top of the home page', () => {
  test('the home page’s video shows its poster until it can play, then fades in', async ({ page, request }) => {
    await fakeVideoPlayback(page, 'waits');
    await page.goto('/');
    const video = findHeroVideo(page);
    await expect(video).toHaveCSS('opacity', '0');
    await expect(page.getByAltText('An oak picture frame on a sideboard in morning light.')).toBeVisible();
    await expect(findPlayButton(page)).toHaveCount(0);
    expect(await video.evaluate((it: HTMLVideoElement) => [it.muted, it.loop, it.playsInline])).toEqual([
      true,
      true,
      true,
    ]);
    await expect(video).toHaveText('Your browser does not support the video tag.');
    await waitForHydration(page); // no video plays before hydration
    await video.evaluate((it) => it.dispatchEvent(new Event('playing')));
    await expect(video).toHaveCSS('opacity', '1');
    await expect(video).toHaveCSS('transition-property', 'opacity');

    const videoResponse = await request.get((await video.getAttribute('src'))!, { headers: { range: 'bytes=0-99' } });
    expect([videoResponse.status(), videoResponse.headers()['content-type']]).toEqual([206, 'video/mp4']);
  });

  test('the home page’s video shows a play button if autoplay is refused, and the button plays it', async ({
    page,
  }) => {
    await fakeVideoPlayback(page, 'refused');
    await page.goto('/');
    await expect(findPlayButton(page)).toBeVisible();
    await expect(findHeroVideo(page)).toHaveCSS('opacity', '0');
    await expectAccessible(page);
    await page.evaluate(() => {
      HTMLMediaElement.prototype.play = async function play(this: HTMLMediaElement) {
        this.dispatchEvent(new Event('playing'));
      };
    });
    await findPlayButton(page).click();
    await expect(findPlayButton(page)).toHaveCount(0);
    await expect(findHeroVideo(page)).toHaveCSS('opacity', '1');
  });

  test('the home page’s video pauses when pressed, and stays paused until pressed again', async ({ page }) => {
    await page.addInitScript(() => {
      const playCalls: string[] = ((globalThis as { playCalls?: string[] }).playCalls = []);
      HTMLMediaElement.prototype.play = async function play(this: HTMLMediaElement) {
        playCalls.push('play');
        this.dispatchEvent(new Event('playing'));
      };
      HTMLMediaElement.prototype.pause = () => void playCalls.push('pause');
    });
    const readLastPlayRequest = () => page.evaluate(() => (globalThis as { playCalls?: string[] }).playCalls?.at(-1));
    await page.goto('/');
    await page.getByRole('button', { name: 'Pause video: the photo in the frame' }).click();
    expect(await readLastPlayRequest()).toBe('pause');
    await expect(findHeroVideo(page)).toHaveCSS('opacity', '1'); // the paused video stays visible
    await expectAccessible(page);
    // Scroll without keys, because a key that is pressed while the page still scrolls is sometimes lost.
    const scrollTo = (top: number) => page.evaluate((it) => window.scrollTo({ top: it, behavior: 'instant' }), top);
    await scrollTo(1e5);
    await expect(findHeroVideo(page)).not.toBeInViewport();
    await scrollTo(0);
    await expect(findHeroVideo(page)).toBeInViewport();
    expect(await readLastPlayRequest()).toBe('pause');
    await findPlayButton(page).click();
    expect(await readLastPlayRequest()).toBe('play');
    await expect(page.getByRole('button', { name: 'Pause video: the photo in the frame' })).toBeVisible();
  });

  test('the home page’s video shows the play button if it cannot be loaded', async ({ page, expectProblem }) => {
    expectProblem(/ERR_FAILED/);
    await page.route('**/*.mp4', (route) => route.abort());
    await page.goto('/');
    await expect(findPlayButton(page)).toBeVisible();
  });

  test('the home page’s video waits for a click if the visitor prefers reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const requestedVideos: string[] = [];
    page.on('request', (it) => it.url().endsWith('.mp4') && requestedVideos.push(it.url()));
    await page.goto('/', { waitUntil: 'networkidle' });
    await expect(findPlayButton(page)).toBeVisible();
    expect(requestedVideos).toEqual([]);
  });
});

test('?select-product=true scrolls to the products and is removed from the address', async ({ page }) => {
  await page.goto('/?select-product=true');
  await expect(page.getByRole('heading', { name: 'Choose your package' })).toBeInViewport();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Choose your package' })).toBeInViewport();
});

test('a scroll target stored in the session is used only once', async ({ page }) => {
  await page.goto('/faq');
  await page.evaluate(() => sessionStorage.setItem('scrollTarget', 'gallery'));
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Before, and after' })).toBeInViewport();
  expect(await page.evaluate(() => sessionStorage.getItem('scrollTarget'))).toBeNull();
});

test('on any page, the header links to the home page and its sections, and stays at the top', async ({ page }) => {
  await page.goto('/about');
  await waitForHydration(page);
  const entries = ['Home', 'How It Works', 'Gallery', 'FAQ', 'About', 'Support', 'My Uploads'];
  await expect(findMainMenu(page).getByRole('link')).toHaveText(entries);
  await findMainMenu(page).getByRole('link', { name: 'How It Works' }).click();
  await expect(page.locator('#how-it-works').getByRole('heading', { name: 'How it works' })).toBeInViewport();
  await expect(page).toHaveURL(/\/(#how-it-works)?$/);
  await findMainMenu(page).getByRole('link', { name: 'Home' }).click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await page.getByRole('banner').getByRole('link', { name: 'Buy now' }).click();
  await expect(page.getByRole('heading', { name: 'Choose your package' })).toBeInViewport();
  await expect(page.locator('#products')).toBeFocused();
  await findMainMenu(page).getByRole('link', { name: 'Home' }).click();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  await expect(page.getByRole('banner')).toBeInViewport();
  await expect(findMainMenu(page).getByRole('link', { name: 'My Uploads' })).toHaveAttribute('href', '/upload');

  await page.goto('/support');
  await waitForHydration(page);
  await page.getByRole('banner').getByRole('link', { name: 'Buy now' }).click();
  await expect(page.getByRole('heading', { name: 'Choose your package' })).toBeInViewport();
});

test('hydration keeps the scroll position, and handles a tap that was made before it @phone', async ({ page }) => {
  const releaseScripts = await delayScripts(page);
  await page.goto('/faq', { waitUntil: 'commit' });
  const lastQuestion = page.locator('main button[aria-expanded]').last();
  await lastQuestion.click();
  const scrollTop = await page.evaluate(() => scrollY);
  expect(scrollTop).toBeGreaterThan(100);
  await expect(lastQuestion).toHaveAttribute('aria-expanded', 'false');
  releaseScripts();
  await expect(lastQuestion).toHaveAttribute('aria-expanded', 'true');
  await waitForHydration(page);
  expect(await page.evaluate(() => scrollY)).toBe(scrollTop);
});

test('a tap before hydration is handled once, even if the page’s code already listens', async ({ page }) => {
  await page.addInitScript(() => {
    const clicks = Object.assign(window, { clicks: 0 });
    document.addEventListener('click', () => clicks.clicks++); // like page code that has added its listener earlier
  });
  await page.goto('/faq', { waitUntil: 'commit' });
  const firstQuestion = page.locator('main button[aria-expanded]').first();
  await firstQuestion.dispatchEvent('click');
  await waitForHydration(page);
  await expect(firstQuestion).toHaveAttribute('aria-expanded', 'true');
  expect(await page.evaluate(() => Reflect.get(window, 'clicks') as number)).toBe(1);
});

test('a page loads its code on the first interaction, or after everything else has loaded @phone', async ({ page }) => {
  const code: string[] = [];
  page.on('request', (it) => it.resourceType() === 'script' && code.push(it.url()));
  let releasePictures = () => {};
  const releasedPromise = new Promise<void>((resolve) => (releasePictures = resolve));
  await page.route(/\/media\/hero\//, async (route) => {
    await releasedPromise;
    await route.continue();
  });
  const expectNoCodeLoaded = async () => {
    await page.goto('/', { waitUntil: 'domcontentloaded' });
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
    expect(code).toEqual([]);
  };
  await expectNoCodeLoaded();
  await page.getByRole('banner').getByRole('link').first().focus();
  await page.waitForFunction(() => !window.doEarlyClick);
  code.length = 0;
  await expectNoCodeLoaded();
  releasePictures();
  await waitForHydration(page);
  expect(code.length).toBeGreaterThan(0);
});

test('the footer links to all pages, and shows no social links in a new shop', async ({ page }) => {
  await page.goto('/faq');
  const footer = page.getByRole('contentinfo');
  const targets = await footer.getByRole('link').evaluateAll((links) => links.map((it) => it.getAttribute('href')));
  for (const path of [
    '/product/kinframe',
    '/product/photo2video-10',
    '/product/byof',
    '/how-it-works',
    '/gallery',
    '/support',
    '/faq',
    '/contact',
    '/upload',
    '/about',
    '/legal/privacy',
    '/legal/terms',
  ])
    expect(targets).toContain(path);
  // A new shop has no page on any social network.
  await expect(footer.getByRole('list', { name: 'Social media' })).toHaveCount(0);
});

test('the home page shows six gallery pictures and three questions, one open at a time', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('#gallery').getByRole('button', { name: /^See it move/ })).toHaveCount(6);
  const questionButtons = page.locator('section', { hasText: 'Good questions' }).getByRole('button');
  await expect(questionButtons).toHaveCount(3);
  await questionButtons.nth(0).click();
  await expect(questionButtons.nth(0)).toHaveAttribute('aria-expanded', 'true');
  await questionButtons.nth(2).click();
  await expect(questionButtons.nth(0)).toHaveAttribute('aria-expanded', 'false');
  await expect(questionButtons.nth(2)).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByText(/Videos are ready 24-72 hours after you press/)).toBeVisible();
  await questionButtons.nth(2).click();
  await expect(questionButtons.nth(2)).toHaveAttribute('aria-expanded', 'false');
});

test.describe('a promotion’s banner', () => {
  const findBanner = (page: Page) => page.getByRole('complementary', { name: 'Promotion' });

  test('the banner above the header shows today’s promotion', async ({ page }) => {
    await page.goto('/');
    await expect(findBanner(page)).toHaveText('Free gift wrap this week.');
    const [above, header] = await Promise.all([findBanner(page).boundingBox(), page.getByRole('banner').boundingBox()]);
    expect(above!.y + above!.height).toBeLessThanOrEqual(header!.y);
    expect(await (await page.request.get('/data/promos.json')).text()).not.toContain('discountCode');
  });

  test('the banner changes with the day, and disappears when no promotion runs', async ({ page }) => {
    const dayMs = 24 * 60 * 60 * 1000;
    await page.clock.setFixedTime(Date.now() + 4 * dayMs);
    await page.goto('/faq');
    await expect(findBanner(page)).toHaveText('Something is coming.');
    await page.clock.setFixedTime(Date.now() + 30 * dayMs);
    await page.goto('/about');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(findBanner(page)).toHaveCount(0);
  });
});

test.describe('the short product card on the home page', () => {
  const findAddButton = (page: Page) => page.getByRole('button', { name: 'Add to cart: +10 AI Photo Package' });
  const noticeText = '+10 AI Photo Package has been added to your cart.';

  test('the button shows Added to cart! and opens the product’s own checkout', async ({ page }) => {
    await page.goto('/');
    await findAddButton(page).click();
    await expect(page.getByText('Added to cart!', { exact: true })).toBeVisible();
    await expect(page.getByText(noticeText, { exact: true })).toBeVisible();
    await expect(page).toHaveURL('/customer-details?product=kinframe&quantity=1&extras=1');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(noticeText, { exact: true })).toBeVisible(); // the notification is also shown on the page that loads next
  });

  test('a card without a checkout link stays on the page; F8 focuses the notification, which closes by itself', async ({
    page,
  }) => {
    await page.clock.install();
    await page.route('**/data/products.json', async (route) => {
      const products = (await (await route.fetch()).json()) as { checkoutUrl?: string }[];
      for (const product of products) delete product.checkoutUrl;
      await route.fulfill({ json: products });
    });
    await page.goto('/auth');
    await waitForHydration(page);
    await findMainMenu(page).getByRole('link', { name: 'Home' }).click();
    await findAddButton(page).click();
    await expect(page.getByText(noticeText, { exact: true })).toBeVisible();
    await expect(page).toHaveURL('/');
    await page.keyboard.press('F8');
    await expect(page.getByRole('region', { name: /Notifications/ }).locator(':focus')).toBeVisible();
    await findAddButton(page).focus(); // move the focus away, because a focused notification does not close
    await page.clock.fastForward(5500);
    await expect(page.getByText(noticeText, { exact: true })).toHaveCount(0);
  });
});

test.describe('the home page on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the menu opens and links to pages; its button, Escape, tabbing out and a link close the menu', async ({
    page,
  }) => {
    await page.goto('/gallery');
    const menu = page.getByRole('navigation', { name: 'Menu' });
    const openButton = page.getByRole('button', { name: 'Open menu' });
    const closeButton = page.getByRole('button', { name: 'Close menu' });
    await expect(menu).toBeHidden();
    await openButton.click();
    await expect(menu.getByRole('link')).toHaveCount(7);
    await expectAccessible(page);
    await closeButton.click();
    await expect(menu).toBeHidden();
    await openButton.click();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(openButton).toBeFocused();
    await openButton.click();
    await menu.getByRole('link', { name: 'My Uploads' }).focus();
    await page.keyboard.press('Tab'); // into the page, where the menu would cover the focused element
    await expect(menu).toBeHidden();
    await openButton.click();
    await menu.getByRole('link', { name: 'FAQ' }).click();
    await expect(page).toHaveURL('/faq');
    await expect(menu).toBeHidden();
  });
});

test('the home page shows default text and skeletons if data is missing or broken', async ({ page }) => {
  for (const name of ['hero', 'features', 'steps', 'products', 'gallery', 'faqs'])
    await page.route(`**/data/${name}.json`, (route) => route.fulfill({ json: name === 'hero' ? {} : [] }));
  await page.goto('/auth');
  await waitForHydration(page);
  await findMainMenu(page).getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The photos you love, moving again.');
  await expect(page.getByRole('heading', { name: 'A gift they will keep on display' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Upload your photos' })).toBeVisible();
  await expect(page.locator('#products [aria-hidden].animate-breathe')).toHaveCount(3);
  await expect(page.getByRole('button', { name: /^See it move/ })).toHaveCount(0);
});
