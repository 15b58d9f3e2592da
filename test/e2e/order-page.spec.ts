import { christmasEveOrderNumber, customerEve } from './christmas-eve.ts';
import { desktopScreen, phoneScreen } from './screens.ts';
import { expect, test } from './fixtures.ts';

test('the cards of an order are read in the order in which they are shown, at every width', async ({ page }) => {
  await page.goto('/auth');
  await page.getByLabel('Email').first().fill(customerEve.email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).first().fill(customerEve.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/auth');
  for (const viewport of [phoneScreen.viewport, { width: 768, height: 1024 }, desktopScreen.viewport]) {
    await page.setViewportSize(viewport);
    await page.goto(`/orders/${christmasEveOrderNumber}`);
    await expect(page.getByRole('heading', { name: 'What you paid' })).toBeVisible();
    const titles = await page.locator('main h2').evaluateAll((headings) =>
      headings.map((it) => {
        const { left, top } = it.getBoundingClientRect();
        return { title: it.textContent, left: Math.round(left), top };
      }),
    );
    // Columns are read from left to right, and each column from top to bottom.
    const shownTitles = titles.toSorted((a, b) => a.left - b.left || a.top - b.top);
    expect(titles.length).toBeGreaterThan(2);
    expect(
      titles.map((it) => it.title),
      `${viewport.width} pixels wide`,
    ).toEqual(shownTitles.map((it) => it.title));
  }
});
