import type { Page } from '@playwright/test';
import { awake, expect, expectAccessible, test } from './fixtures.ts';

const tile = (page: Page, title: string) => page.getByRole('button', { name: `See it move: ${title}` });
const dialog = (page: Page, title: string) => page.getByRole('dialog', { name: title });

test('a picture opens before and after; the page behind stands still and the keyboard stays inside @phone', async ({
  page,
}) => {
  await page.goto('/gallery');
  await expect(page.getByRole('button', { name: /^See it move/ })).toHaveCount(14);
  await tile(page, 'Birthday table').click();
  const opened = dialog(page, 'Birthday table');
  await expect(opened.getByAltText('Birthday table, the photo')).toBeVisible();
  await expect(opened.getByText('Before', { exact: true })).toBeVisible();
  await expect(opened.getByText('After', { exact: true })).toBeVisible();
  const film = opened.getByLabel('Birthday table, animated', { exact: true });
  await expect(film).toHaveAttribute('src', '/media/gallery/birthday.mp4');
  await expect(film).toHaveJSProperty('muted', true);
  await expect(film).toHaveJSProperty('loop', true);
  await expectAccessible(page);

  await expect(page.locator('body')).toHaveCSS('overflow', 'hidden');
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press(i < 3 ? 'Tab' : 'Shift+Tab');
    expect(await opened.evaluate((it) => it.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(opened).toHaveCount(0);
  await expect(page.locator('body')).not.toHaveCSS('overflow', 'hidden');
  await expect(tile(page, 'Birthday table')).toBeFocused();
});

test('over a slow line the viewer is seen at once, and may be taken back before it has come @phone', async ({
  page,
}) => {
  let mayCome = () => {};
  const held = new Promise<void>((resolve) => (mayCome = resolve));
  await page.route('**/assets/gallery-modal*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/gallery');
  await awake(page);
  await tile(page, 'Birthday table').click();
  const opening = page.getByRole('status').filter({ hasText: 'Birthday table' });
  await expect(opening).toBeInViewport();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close Birthday table' }).click({ position: { x: 5, y: 5 } });
  await expect(opening).toHaveCount(0);
  await tile(page, 'Kite at the lake').click();
  await expect(page.getByRole('status').filter({ hasText: 'Kite at the lake' })).toBeInViewport();
  mayCome();
  await expect(dialog(page, 'Kite at the lake')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Kite at the lake' })).toHaveCount(0);
});

test('its film starts under the pointer; the open one leads on to the next and the one before', async ({ page }) => {
  await page.goto('/gallery');
  await awake(page);
  await tile(page, 'Kite at the lake').hover();
  const film = tile(page, 'Kite at the lake').locator('video');
  await expect.poll(() => film.evaluate((it: HTMLVideoElement) => !it.paused && it.currentTime > 0.2)).toBe(true);
  await tile(page, 'Kite at the lake').click();
  await dialog(page, 'Kite at the lake').getByRole('button', { name: 'Next picture' }).click();
  await expect(dialog(page, 'Grandparents’ garden').getByText('2 of 14')).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(dialog(page, 'Paper boats').getByText('14 of 14')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(dialog(page, 'Kite at the lake')).toBeVisible();
});

test('whoever goes by keyboard comes to each of its buttons, and stays at the film that they set going', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/gallery');
  await tile(page, 'Kite at the lake').click();
  const opened = dialog(page, 'Kite at the lake');
  await expect(opened).toBeVisible();
  for (const name of ['Previous picture', 'Next picture', 'Close', 'Play video']) {
    await page.keyboard.press('Tab');
    const button = opened.getByRole('button', { name });
    await expect(button).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(opened.getByRole('button', { name: 'Pause video' })).toBeFocused();
  await page.keyboard.press('ArrowRight'); // that film's button goes with it
  const next = dialog(page, 'Grandparents’ garden');
  await expect(next.getByRole('button', { name: 'Next picture' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(opened.getByRole('button', { name: 'Next picture' })).toBeFocused();
});

test('it closes by the backdrop and by its button', async ({ page }) => {
  await page.goto('/gallery');
  await tile(page, 'Kite at the lake').click();
  await expect(dialog(page, 'Kite at the lake')).toBeVisible();
  // It hears of clicks beside it from the next moment on: one that comes as it opens is not for it.
  await expect(async () => {
    await page.mouse.click(8, 8);
    await expect(dialog(page, 'Kite at the lake')).toHaveCount(0, { timeout: 2000 });
  }).toPass();
  await tile(page, 'Cabin in the snow').click();
  await dialog(page, 'Cabin in the snow').getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a picture without its film has a placeholder; without pictures the page says so', async ({ page }) => {
  let items: unknown[] = [];
  await page.route('**/data/gallery.json', async (route) => {
    const [first] = (await (await route.fetch()).json()) as { afterVideo?: string }[];
    delete first!.afterVideo;
    await route.fulfill({ json: items.length === 0 ? [first] : [] });
  });
  const open = async () => {
    await page.goto('/auth');
    await awake(page); // the router follows the link, and asks for the data
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Gallery' }).click();
  };
  await open();
  await tile(page, 'Kite at the lake').click();
  const opened = dialog(page, 'Kite at the lake');
  await expect(opened.getByText('This animation is on its way.')).toBeVisible();
  await expect(opened.locator('video')).toHaveCount(0);

  items = ['none'];
  await open();
  await expect(page.getByText('The gallery is being hung')).toBeVisible();
  await expect(page.getByRole('link', { name: 'See the frame meanwhile' })).toHaveAttribute(
    'href',
    '/product/kinframe',
  );
});

test('its buttons lead to the frame and to how it works, and back', async ({ page }) => {
  await page.goto('/gallery');
  await page.getByRole('link', { name: 'See how it works' }).click();
  await expect(page).toHaveURL('/how-it-works');
  const questions = page.getByRole('button', { name: /\?$/ });
  await expect(questions).toHaveText([
    'What types of photos work best?',
    'How long does processing take?',
    'Can I use my videos outside the frame?',
  ]);
  await expect(page.getByRole('link', { name: 'View the gallery' }).first()).toHaveAttribute('href', '/gallery');
  await page.getByRole('link', { name: 'Get your Kinframe' }).first().click();
  await expect(page).toHaveURL('/product/kinframe');
});
