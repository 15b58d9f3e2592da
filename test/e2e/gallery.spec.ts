import type { Page } from '@playwright/test';
import { waitForHydration, expect, expectAccessible, test } from './fixtures.ts';

const findTile = (page: Page, title: string) => page.getByRole('button', { name: `See it move: ${title}` });
const findDialog = (page: Page, title: string) => page.getByRole('dialog', { name: title });

test('a gallery picture opens with before and after; the page cannot scroll, and focus stays inside @phone', async ({
  page,
}) => {
  await page.goto('/gallery');
  await expect(page.getByRole('button', { name: /^See it move/ })).toHaveCount(14);
  await findTile(page, 'Birthday table').click();
  const openedDialog = findDialog(page, 'Birthday table');
  await expect(openedDialog.getByAltText('Birthday table, the photo')).toBeVisible();
  await expect(openedDialog.getByText('Before', { exact: true })).toBeVisible();
  await expect(openedDialog.getByText('After', { exact: true })).toBeVisible();
  const video = openedDialog.getByLabel('Birthday table, animated', { exact: true });
  await expect(video).toHaveAttribute('src', '/media/gallery/birthday.mp4');
  await expect(video).toHaveJSProperty('muted', true);
  await expect(video).toHaveJSProperty('loop', true);
  await expectAccessible(page);

  await expect(page.locator('body')).toHaveCSS('overflow', 'hidden');
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press(i < 3 ? 'Tab' : 'Shift+Tab');
    expect(await openedDialog.evaluate((it) => it.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(openedDialog).toHaveCount(0);
  await expect(page.locator('body')).not.toHaveCSS('overflow', 'hidden');
  await expect(findTile(page, 'Birthday table')).toBeFocused();
});

test('on a slow connection the gallery’s viewer opens at once, and can be closed before it has loaded @phone', async ({
  page,
}) => {
  let releaseCode = () => {};
  const releasedPromise = new Promise<void>((resolve) => (releaseCode = resolve));
  await page.route('**/assets/gallery-modal*', async (route) => {
    await releasedPromise;
    await route.continue();
  });
  await page.goto('/gallery');
  await waitForHydration(page);
  await findTile(page, 'Birthday table').click();
  const loadingStatus = page.getByRole('status').filter({ hasText: 'Birthday table' });
  await expect(loadingStatus).toBeInViewport();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close Birthday table' }).click({ position: { x: 5, y: 5 } });
  await expect(loadingStatus).toHaveCount(0);
  await findTile(page, 'Kite at the lake').click();
  await expect(page.getByRole('status').filter({ hasText: 'Kite at the lake' })).toBeInViewport();
  releaseCode();
  await expect(findDialog(page, 'Kite at the lake')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Kite at the lake' })).toHaveCount(0);
});

test('a gallery video starts on hover, and the viewer goes to the next and the previous picture', async ({ page }) => {
  await page.goto('/gallery');
  await waitForHydration(page);
  await findTile(page, 'Kite at the lake').hover();
  const video = findTile(page, 'Kite at the lake').locator('video');
  await expect.poll(() => video.evaluate((it: HTMLVideoElement) => !it.paused && it.currentTime > 0.2)).toBe(true);
  await findTile(page, 'Kite at the lake').click();
  await findDialog(page, 'Kite at the lake').getByRole('button', { name: 'Next picture' }).click();
  await expect(findDialog(page, 'Grandparents’ garden').getByText('2 of 14')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(findDialog(page, 'Paper boats').getByText('14 of 14')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(findDialog(page, 'Kite at the lake')).toBeVisible();
});

test('the keyboard reaches every button of the viewer, and focus stays on a video it started', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/gallery');
  await findTile(page, 'Kite at the lake').click();
  const openedDialog = findDialog(page, 'Kite at the lake');
  await expect(openedDialog).toBeVisible();
  for (const name of ['Previous picture', 'Next picture', 'Close', 'Play video']) {
    await page.keyboard.press('Tab');
    const button = openedDialog.getByRole('button', { name });
    await expect(button).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(openedDialog.getByRole('button', { name: 'Pause video' })).toBeFocused();
  await page.keyboard.press('ArrowRight'); // the focused pause button disappears with its video
  const nextDialog = findDialog(page, 'Grandparents’ garden');
  await expect(nextDialog.getByRole('button', { name: 'Next picture' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(openedDialog.getByRole('button', { name: 'Next picture' })).toBeFocused();
});

test('a click on the backdrop or on the close button closes the viewer', async ({ page }) => {
  await page.goto('/gallery');
  await findTile(page, 'Kite at the lake').click();
  await expect(findDialog(page, 'Kite at the lake')).toBeVisible();
  // The viewer handles outside clicks only a moment after it opens, so that the opening click does not close it.
  await expect(async () => {
    await page.mouse.click(8, 8);
    await expect(findDialog(page, 'Kite at the lake')).toHaveCount(0, { timeout: 2000 });
  }).toPass();
  await findTile(page, 'Cabin in the snow').click();
  await findDialog(page, 'Cabin in the snow').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a picture without a video has a placeholder, and an empty gallery says that it is empty', async ({ page }) => {
  let items: unknown[] = [];
  await page.route('**/data/gallery.json', async (route) => {
    const [first] = (await (await route.fetch()).json()) as { afterVideo?: string }[];
    delete first!.afterVideo;
    await route.fulfill({ json: items.length === 0 ? [first] : [] });
  });
  const openTile = async () => {
    await page.goto('/auth');
    await waitForHydration(page); // so that the router follows the link and requests the data
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Gallery' }).click();
  };
  await openTile();
  await findTile(page, 'Kite at the lake').click();
  const openedDialog = findDialog(page, 'Kite at the lake');
  await expect(openedDialog.getByText('There’s no video of this picture yet.')).toBeVisible();
  await expect(openedDialog.locator('video')).toHaveCount(0);

  items = ['none'];
  await openTile();
  await expect(page.getByText('The gallery is empty right now')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See the frame' })).toHaveAttribute('href', '/product/kinframe');
});

test('the gallery links to how it works, which links back to the gallery and to the frame', async ({ page }) => {
  await page.goto('/gallery');
  await page.getByRole('link', { name: 'See how it works' }).click();
  await expect(page).toHaveURL('/how-it-works');
  const questionButtons = page.getByRole('button', { name: /\?$/ });
  await expect(questionButtons).toHaveText([
    'What types of photos work best?',
    'How long does processing take?',
    'Can I use my videos outside the frame?',
  ]);
  await expect(page.getByRole('link', { name: 'View the gallery' }).first()).toHaveAttribute('href', '/gallery');
  await page.getByRole('link', { name: 'Get your Kinframe' }).first().click();
  await expect(page).toHaveURL('/product/kinframe');
});
