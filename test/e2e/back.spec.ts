import type { Page } from '@playwright/test';
import { expect, signInAsOwner, test } from './fixtures.ts';

/** Besides Eve's order, the shop has an order that was delivered with three videos. */
test.use({ settings: { E2E_DELIVERED: 'on' } });

const steps = (page: Page) => page.evaluate(() => history.length);
const rows = (page: Page) => page.getByRole('button', { name: /^KF-/ });
const order = (page: Page) => page.getByRole('region', { name: /^Order KF-/ });
const search = (page: Page) => page.getByRole('searchbox');

test('the back button leads from an order to the list with its search, and forward leads to the order @phone', async ({
  page,
  context,
}) => {
  await signInAsOwner(page);
  await expect(rows(page)).toHaveCount(2);
  const before = await steps(page);
  await search(page).fill('KF');
  await search(page).pressSequentially('-R0SE', { delay: 250 }); // each letter sends a request
  await page.getByLabel('Status').selectOption('Completed');
  await page.getByLabel('Status').selectOption('All statuses');
  await expect(rows(page)).toHaveCount(1);
  expect(await steps(page)).toBe(before);
  await page.evaluate(() => scrollTo({ top: 160, behavior: 'instant' }));
  const height = await page.evaluate(() => scrollY);

  await rows(page).click();
  await expect(order(page)).toBeVisible();
  const other = await context.newPage(); // a second tab with a separate search
  await other.goto('/admin?tab=orders');
  await expect(rows(other)).toHaveCount(2);
  await page.goBack();
  await expect(order(page)).toHaveCount(0);
  await expect(search(page)).toHaveValue('KF-R0SE');
  await expect(rows(page)).toHaveCount(1);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(height);
  await page.goForward();
  await expect(order(page)).toBeVisible();
  await page.reload();
  await expect(order(page)).toBeVisible();
  await expect(rows(other)).toHaveCount(2);

  await test.step('closing the order with its button adds no history entry', async () => {
    await order(page)
      .getByRole('button', { name: /^(Orders|Close order)$/ })
      .click();
    await expect(order(page)).toHaveCount(0);
    await expect(search(page)).toHaveValue('KF-R0SE');
    await page.getByRole('tab', { name: 'Production' }).click();
    await expect(page).toHaveURL(/tab=production/);
    await page.goBack();
    await expect(search(page)).toHaveValue('KF-R0SE');
    await page.goBack();
    await expect(page).not.toHaveURL(/KF-R0SE/);
  });
});

test('a search that is entered while an order is open stays after the order is closed', async ({ page }) => {
  await signInAsOwner(page);
  await rows(page).first().click();
  await expect(order(page)).toBeVisible();
  await search(page).fill('KF-R0SE');
  await expect(rows(page)).toHaveCount(1);
  await order(page).getByRole('button', { name: 'Close order' }).click();
  await expect(order(page)).toHaveCount(0);
  await expect(page).toHaveURL(/q=KF-R0SE/);
  await expect(page).not.toHaveURL(/order=/);
  await expect(rows(page)).toHaveCount(1);
});

test('the browser’s back button asks about unsaved notes of an order before it leads to the list', async ({ page }) => {
  await signInAsOwner(page);
  await rows(page).filter({ hasText: 'KF-R0SE' }).click();
  const notes = order(page).getByLabel('Admin notes');
  await notes.fill('Call her');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.goBack();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(notes).toHaveValue('Call her');
  await page.goBack();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(order(page)).toHaveCount(0);
  await expect(rows(page)).toHaveCount(2);
});
