import type { Locator, Page } from '@playwright/test';
import { waitForHydration, expect, expectAccessible, delayScripts, test } from './fixtures.ts';

const findIncreaseButton = (page: Page, name: string) => page.getByRole('button', { name: `Increase ${name}` });
const findDecreaseButton = (page: Page, name: string) => page.getByRole('button', { name: `Decrease ${name}` });
const findBuyLink = (page: Page) => page.getByRole('main').getByRole('link', { name: /^Buy/ });
const findSkeletons = (page: Page) => page.getByRole('main').locator('[aria-hidden].animate-breathe');
const findFooterLink = (page: Page, name: string) => page.getByRole('contentinfo').getByRole('link', { name });

test('a click on a small picture changes the large one, and each picture has its own description', async ({ page }) => {
  await page.goto('/product/kinframe');
  const findLargePicture = (which: number) =>
    page.getByAltText(`Kinframe Digital Picture Frame, picture ${which} of 6`);
  await expect(findLargePicture(1)).toBeVisible();
  const pictureButtons = page.getByRole('list', { name: 'Pictures' }).getByRole('button');
  await expect(pictureButtons).toHaveCount(6);
  await pictureButtons.nth(3).click();
  await expect(findLargePicture(4)).toBeVisible();
  await expect(findLargePicture(1)).toHaveCount(0);
  await expect(pictureButtons.nth(3)).toHaveAttribute('aria-pressed', 'true');
  await expect(pictureButtons.nth(0)).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(() => findLargePicture(4).evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0);
});

/** Waits until a video plays under the browser's default rules: its time advances. */
const expectPlaying = (film: Locator) =>
  expect.poll(() => film.evaluate((it: HTMLVideoElement) => !it.paused && it.currentTime > 0.2)).toBe(true);

test('the frame’s page opens with a moving picture, and compares a photo with its video @phone', async ({ page }) => {
  await page.goto('/product/kinframe');
  const heroFilm = page.getByLabel('Kinframe Digital Picture Frame, a photo moving in it');
  await expectPlaying(heroFilm);
  const comparisonSlider = page.getByRole('slider', { name: 'How much of the photo to show' });
  await comparisonSlider.scrollIntoViewIfNeeded();
  await expectPlaying(page.getByLabel('A cabin in the snow, the video'));
  await expect(heroFilm).toHaveJSProperty('paused', true); // a video that is not visible does not play
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await expectPlaying(heroFilm);
  await comparisonSlider.scrollIntoViewIfNeeded();
  const originalPhoto = page.getByAltText('A cabin in the snow as it was taken');
  await expect(originalPhoto).toHaveCSS('clip-path', 'inset(0px 50% 0px 0px)');
  await comparisonSlider.focus();
  await page.keyboard.press('End');
  await expect(originalPhoto).toHaveCSS('clip-path', 'inset(0px 0% 0px 0px)');
  await expectAccessible(page);
});

test('the service’s page compares a photo with its video, by mouse and by touch @phone', async ({ page, hasTouch }) => {
  await page.goto('/product/byof');
  await waitForHydration(page);
  const comparisonSlider = page.getByRole('slider', { name: 'How much of the photo to show' });
  await comparisonSlider.scrollIntoViewIfNeeded();
  await expectPlaying(page.getByLabel('Grandparents’ garden, the video'));
  const { width, height } = (await comparisonSlider.boundingBox())!;
  const position = { x: width * 0.25, y: height / 2 };
  await (hasTouch ? comparisonSlider.tap({ position }) : comparisonSlider.click({ position }));
  await expect.poll(async () => Number(await comparisonSlider.inputValue())).toBeLessThan(35);
  await expectAccessible(page);
});

test('on a phone, a bar with a buy button stays at the bottom while the page’s own buy button is not visible', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [path, words, price] of [
    ['/product/kinframe', 'Buy now', '$208.99'],
    ['/product/byof', 'Buy now', '$59.98'],
    ['/product/photo2video-10', 'Buy both', '$208.99'],
  ] as const) {
    await page.goto(path);
    if (words === 'Buy now') await findIncreaseButton(page, 'extra photo packages').click();
    const purchaseBar = page.getByText('30 photos', { exact: true }).locator('../..');
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    await expect(purchaseBar.getByRole('link', { name: words })).toBeVisible();
    await expect(purchaseBar.getByText(price)).toBeVisible();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const footer = page.getByRole('contentinfo');
    const readTop = async (it: Locator) => (await it.boundingBox())!.y;
    await expect.poll(async () => (await readTop(footer)) - (await readTop(purchaseBar))).toBeGreaterThan(60); // the bar stays above the footer
    await page.getByRole('main').getByRole('link', { name: /^Buy/ }).first().scrollIntoViewIfNeeded();
    await expect(purchaseBar).toBeHidden();
  }
});

test('the bar at the bottom does not cover the focused element', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 570 });
  await page.goto('/product/kinframe');
  const purchaseBar = page.getByText('20 photos', { exact: true }).locator('../..');
  await expect(purchaseBar).toBeVisible();
  const pictureButtons = page.getByRole('list', { name: 'Pictures' }).getByRole('button');
  await pictureButtons.first().focus();
  for (let which = 1; which < 6; which++) await page.keyboard.press('Tab');
  await expect(pictureButtons.last()).toBeFocused();
  const [picture, foot] = [(await pictureButtons.last().boundingBox())!, (await purchaseBar.boundingBox())!];
  expect(picture.y + picture.height).toBeLessThan(foot.y);
});

test('the page counts frames from 1 and packages from 0, and checkout takes over the numbers', async ({ page }) => {
  await page.goto('/product/kinframe');
  await expect(findDecreaseButton(page, 'quantity')).toBeDisabled();
  await expect(findDecreaseButton(page, 'extra photo packages')).toBeDisabled();
  await expect(page.getByText('$199.00', { exact: true })).toBeVisible();
  await findIncreaseButton(page, 'quantity').click();
  for (let i = 0; i < 3; i++) await findIncreaseButton(page, 'extra photo packages').click();
  await expect(page.getByText('$427.97', { exact: true })).toBeVisible();
  await expect(page.getByText('70 photos brought to life')).toBeVisible();
  await findDecreaseButton(page, 'extra photo packages').click();
  await expect(page.getByText('$417.98', { exact: true })).toBeVisible();
  await findDecreaseButton(page, 'quantity').click();
  await expect(findDecreaseButton(page, 'quantity')).toBeDisabled();
  await findIncreaseButton(page, 'quantity').click();
  await expectAccessible(page);
  await findBuyLink(page).click();
  await expect(page).toHaveURL('/customer-details?product=kinframe&quantity=2&extras=2');
});

test('several clicks before the page is hydrated all count', async ({ page }) => {
  const releaseScripts = await delayScripts(page);
  await page.goto('/product/kinframe', { waitUntil: 'commit' });
  await findIncreaseButton(page, 'quantity').click();
  for (let i = 0; i < 3; i++) await findIncreaseButton(page, 'extra photo packages').click();
  releaseScripts();
  await expect(page.getByText('$427.97', { exact: true })).toBeVisible({ timeout: 5_000 });
});

test('a click during the replay of clicks from before hydration is handled after those', async ({ page }) => {
  // Simulates a busy phone: delayed tasks run a second later.
  await page.addInitScript(() => {
    const originalSetTimeout = window.setTimeout;
    window.setTimeout = ((next: () => void, ms?: number) => {
      if (ms === undefined) document.documentElement.dataset['busy'] = '';
      return originalSetTimeout(next, ms ?? 1000);
    }) as typeof setTimeout;
  });
  const releaseScripts = await delayScripts(page);
  await page.goto('/product/kinframe', { waitUntil: 'commit' });
  await findIncreaseButton(page, 'quantity').click();
  releaseScripts();
  await page.waitForFunction(() => 'busy' in document.documentElement.dataset);
  await findIncreaseButton(page, 'extra photo packages').click();
  await waitForHydration(page);
  await expect(page).toHaveURL('/product/kinframe?quantity=2&extras=1'); // in the order of the clicks
});

test('the chosen quantities are kept after going back from checkout, and after a reload @phone-only', async ({
  page,
}) => {
  await page.goto('/product/kinframe?code=GIFT10');
  await findIncreaseButton(page, 'quantity').click();
  await findIncreaseButton(page, 'extra photo packages').click();
  await findIncreaseButton(page, 'extra photo packages').click();
  await expect(page).toHaveURL('/product/kinframe?quantity=2&extras=2');
  const isAsChosen = async () => {
    await expect(page).toHaveURL('/product/kinframe?quantity=2&extras=2');
    await expect(page.getByText('$417.98', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('60 photos brought to life')).toBeVisible();
  };
  await page.reload();
  await isAsChosen();
  await waitForHydration(page);
  await findBuyLink(page).first().click();
  await expect(page).toHaveURL('/customer-details?product=kinframe&quantity=2&extras=2');
  await page.goBack();
  await isAsChosen();
  await page.goForward();
  await page.getByRole('link', { name: 'Back to the frame' }).click();
  await isAsChosen();
  await page.goto('/checkout?product=byof&quantity=1&extras=1&step=payment');
  await waitForHydration(page);
  await page.getByRole('link', { name: 'Back to the service' }).click();
  await expect(page).toHaveURL('/product/byof?extras=1');
  await expect(page.getByText('$59.98', { exact: true }).first()).toBeVisible();
  await findBuyLink(page).first().click();
  // Checkout has kept the promo code.
  await expect(page.getByRole('button', { name: 'Remove promo code GIFT10' })).toBeVisible();
});

test('the frame’s page shows its features and specifications, and links to the service', async ({ page }) => {
  await page.goto('/product/kinframe');
  await expect(page.getByText('20 of your photos animated into short MP4 videos')).toBeVisible();
  // The sample's rating is only for search engines. Stars are shown if there are reviews to read.
  await expect(page.getByText('127 reviews')).toHaveCount(0);
  await expect(page.getByText('10.1 inches, 1280 x 800 pixels')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Bring Your Own Frame' }).click();
  await expect(page).toHaveURL('/product/byof');
});

test('the photo package is bought together with a frame', async ({ page }) => {
  await page.goto('/product/photo2video-10');
  await expect(page.getByText('$9.99', { exact: true })).toBeVisible();
  await expect(page.getByText('$208.99', { exact: true })).toBeVisible();
  await expect(page.getByText('10 additional photos animated into MP4 videos')).toBeVisible();
  const stepItems = page.getByRole('heading', { name: 'How it works' }).locator('..').getByRole('listitem');
  await expect(stepItems).toHaveCount(3);
  await page.getByRole('link', { name: 'Buy frame + package' }).click();
  await expect(page).toHaveURL('/customer-details?product=kinframe&quantity=1&extras=1');
  await page.goto('/product/photo-bundle'); // the package's other name
  await expect(page).toHaveURL('/product/photo2video-10');
});

test('the service’s page says what it includes, which frames fit and how to connect them', async ({ page }) => {
  await page.goto('/product/byof');
  await expect(page.getByText('No new frame needed')).toBeVisible();
  const findSection = (name: string) => page.getByRole('heading', { name, exact: true }).locator('..');
  await expect(findSection("What's Included").getByRole('listitem')).toHaveCount(5);
  await expect(page.getByText('download your videos for 90 days after they’re ready')).toBeVisible();
  const compatibleFrameLinks = findSection('Compatible Frames').getByRole('link');
  await expect(compatibleFrameLinks).toHaveAttribute('href', /^https:\/\/www\.amazon\.com\//);
  await expect(compatibleFrameLinks).toHaveAttribute('target', '_blank');
  await expect(compatibleFrameLinks).toHaveAttribute('rel', /noopener/);
  await expect(findSection('How it Works').getByRole('listitem')).toHaveCount(5);
  await expect(findSection('How to Connect Your Frame').getByRole('listitem')).toHaveText([
    /invite code or QR/,
    /Log in to My Uploads.*email address you used for your order/,
    /Connect Your Frame/,
    /arrive automatically over Wi-Fi/,
    /frame’s own app/,
  ]);
  await expect(page.getByRole('heading', { name: 'Service Specifications' })).toBeVisible();
  await expect(page.getByText('Processing time')).toBeVisible();
  await expect(findSection('How to Connect Your Frame').getByRole('link')).toHaveAttribute('href', '/support');
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
});

test('the service’s card stays visible, counts only packages, and shows the total', async ({ page }) => {
  await page.goto('/product/byof');
  const card = page.getByRole('complementary', { name: 'Buy this service' });
  await expect(card.getByText('$49.99', { exact: true })).toBeVisible();
  await expect(findIncreaseButton(page, 'quantity')).toHaveCount(0);
  await findIncreaseButton(page, 'extra photo packages').click();
  await findIncreaseButton(page, 'extra photo packages').click();
  await expect(card.getByText('$69.97', { exact: true })).toBeVisible();
  await expect(card.getByText('40 photos brought to life')).toBeVisible();
  await page.getByRole('heading', { name: 'How it Works' }).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 600);
  await expect(card).toBeInViewport({ ratio: 1 });
  await findBuyLink(page).click();
  await expect(page).toHaveURL('/customer-details?product=byof&quantity=1&extras=2');
});

test('skeletons are shown until the product has loaded', async ({ page }) => {
  let releaseResponse = () => {};
  const releasedPromise = new Promise<void>((resolve) => (releaseResponse = resolve));
  await page.route('**/data/products.json', async (route) => {
    await releasedPromise;
    await route.continue();
  });
  await page.goto('/auth');
  await waitForHydration(page);
  await findFooterLink(page, 'The Kinframe').click();
  await expect(findSkeletons(page).first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kinframe');
  releaseResponse();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Kinframe Digital Picture Frame');
  await expect(page).toHaveTitle('Kinframe Digital Picture Frame, $199.00 | Kinframe');
  await expect(findSkeletons(page)).toHaveCount(0);
});

for (const [name, answer] of Object.entries({
  missing: { json: [] },
  unavailable: { status: 503, json: { success: false, message: 'Please try again.' } },
}))
  test(`skeletons stay if the product is ${name}`, async ({ page, expectProblem }) => {
    expectProblem(/status of 503/);
    await page.route('**/data/products.json', (route) => route.fulfill(answer));
    await page.goto('/auth');
    await waitForHydration(page);
    for (const [words, path] of [
      ['The Kinframe', '/product/kinframe'],
      ['Photo package', '/product/photo2video-10'],
      ['Bring Your Own Frame', '/product/byof'],
    ] as const) {
      await findFooterLink(page, words).click();
      await expect(page).toHaveURL(path);
      await expect(findSkeletons(page).first()).toBeVisible();
      await expect(findBuyLink(page)).toHaveCount(0);
    }
    await expectAccessible(page);
  });
