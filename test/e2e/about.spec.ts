import type { Page } from '@playwright/test';
import { waitForHydration, expect, test } from './fixtures.ts';

async function visitAbout(page: Page, answer: unknown) {
  await page.route('**/api/about-content', (route) => route.fulfill({ json: answer }));
  await page.goto('/auth');
  await waitForHydration(page); // so that the router follows the link and requests the data
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About' }).click();
  await expect(page).toHaveURL('/about');
}
const emptySection = {
  title: '',
  subtitle: '',
  content: '',
  imageUrl: '',
  imageAlt: '',
  buttonText: '',
  buttonUrl: '',
};

test('the about page shows the owner’s text, videos as muted loops, and buttons with the owner’s links', async ({
  page,
}) => {
  await visitAbout(page, [
    {
      ...emptySection,
      section: 'hero',
      title: 'Hello <b>there</b>',
      content: 'One line.\nAnother.',
      imageUrl: '/media/gallery/kite.mp4',
      imageAlt: 'A kite rises',
      buttonText: 'Ask us',
      buttonUrl: '/contact',
    },
    {
      ...emptySection,
      section: 'story-1',
      title: 'A story',
      imageUrl: '/media/product/detail-1200.jpg',
      imageAlt: 'Oak',
    },
    { ...emptySection, section: 'cta', title: 'Well then' },
  ]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hello <b>there</b>');
  const video = page.getByLabel('A kite rises', { exact: true });
  await expect(video).toHaveAttribute('src', '/media/gallery/kite.mp4');
  for (const property of ['muted', 'loop', 'playsInline']) await expect(video).toHaveJSProperty(property, true);
  await expect(page.getByAltText('Oak', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Ask us' })).toHaveAttribute('href', '/contact');
  // Without a button text, the last section links to the frame. The link to the gallery is always there.
  const lastSection = page
    .locator('section', { has: page.getByRole('heading', { name: 'Well then' }) })
    .getByRole('link');
  await expect(lastSection).toHaveText(['Shop Kinframe', 'View the gallery']);
  expect(await lastSection.evaluateAll((links) => links.map((it) => it.getAttribute('href')))).toEqual([
    '/product/kinframe',
    '/gallery',
  ]);
  await expect(page.getByRole('heading', { name: 'Made to be given' })).toBeVisible(); // not edited: the default text
});

test('on the about page, each picture takes one grid cell and leaves no gap in its story @phone', async ({ page }) => {
  await page.goto('/about');
  const lastPositions = await page
    .getByRole('main')
    .locator('section:has(> picture)')
    .evaluateAll((stories) =>
      stories
        .filter((it) => getComputedStyle(it).display === 'grid')
        .map((story) => {
          const parts = [...story.children].flatMap((it) => (it.tagName === 'PICTURE' ? [it.lastElementChild!] : [it]));
          const boxes = parts.map((it) => it.getBoundingClientRect());
          return (
            story.getBoundingClientRect().height -
            (Math.max(...boxes.map((it) => it.bottom)) - Math.min(...boxes.map((it) => it.top)))
          );
        }),
    );
  expect(lastPositions.length).toBeGreaterThan(2);
  for (const freePixels of lastPositions) expect(freePixels).toBeLessThan(2);
});

test('the about page shows the default text if its content is invalid', async ({ page }) => {
  await visitAbout(page, { message: 'no list' });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('We keep families moving.');
  await expect(page.getByRole('heading', { name: 'A small team that answers' })).toBeVisible();
});

test('the FAQ page opens only one question at a time, and links to support', async ({ page }) => {
  await page.goto('/faq');
  await waitForHydration(page);
  const questionButtons = page.getByRole('main').getByRole('button');
  await expect(questionButtons).toHaveCount(12);
  await questionButtons.nth(7).click();
  await expect(page.getByText('No. You pay once for the frame or the service')).toBeVisible();
  await questionButtons.nth(1).click();
  await expect(page.getByText('No. You pay once for the frame or the service')).toBeHidden();
  await page.getByRole('link', { name: 'Contact support' }).click();
  await expect(page).toHaveURL('/support');
});
