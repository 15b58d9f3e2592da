import type { Page } from '@playwright/test';
import { expect, signInAsOwner, test } from './fixtures.ts';

/** Besides Eve's order, the shop has an order that was delivered with three videos. */
test.use({ settings: { E2E_DELIVERED: 'on' } });

const readHistoryLength = (page: Page) => page.evaluate(() => history.length);
const orderRows = (page: Page) => page.getByRole('button', { name: /^KF-/ });
const orderPanel = (page: Page) => page.getByRole('region', { name: /^Order KF-/ });
const searchBox = (page: Page) => page.getByRole('searchbox');

test('the back button leads from an order to the list with its search, and forward leads to the order @phone', async ({
  page,
  context,
}) => {
  await signInAsOwner(page);
  await expect(orderRows(page)).toHaveCount(2);
  const lengthBefore = await readHistoryLength(page);
  await searchBox(page).fill('KF');
  await searchBox(page).pressSequentially('-R0SE', { delay: 250 }); // each letter sends a request
  await page.getByLabel('Status').selectOption('Completed');
  await page.getByLabel('Status').selectOption('All statuses');
  await expect(orderRows(page)).toHaveCount(1);
  expect(await readHistoryLength(page)).toBe(lengthBefore);
  await page.evaluate(() => scrollTo({ top: 160, behavior: 'instant' }));
  const height = await page.evaluate(() => scrollY);

  await orderRows(page).click();
  await expect(orderPanel(page)).toBeVisible();
  const otherTab = await context.newPage(); // a second tab with a separate search
  await otherTab.goto('/admin?tab=orders');
  await expect(orderRows(otherTab)).toHaveCount(2);
  await page.goBack();
  await expect(orderPanel(page)).toHaveCount(0);
  await expect(searchBox(page)).toHaveValue('KF-R0SE');
  await expect(orderRows(page)).toHaveCount(1);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(height);
  await page.goForward();
  await expect(orderPanel(page)).toBeVisible();
  await page.reload();
  await expect(orderPanel(page)).toBeVisible();
  await expect(orderRows(otherTab)).toHaveCount(2);

  await test.step('closing the order with its button adds no history entry', async () => {
    await orderPanel(page)
      .getByRole('button', { name: /^(Orders|Close order)$/ })
      .click();
    await expect(orderPanel(page)).toHaveCount(0);
    await expect(searchBox(page)).toHaveValue('KF-R0SE');
    await page.getByRole('tab', { name: 'Production' }).click();
    await expect(page).toHaveURL(/tab=production/);
    await page.goBack();
    await expect(searchBox(page)).toHaveValue('KF-R0SE');
    await page.goBack();
    await expect(page).not.toHaveURL(/KF-R0SE/);
  });
});

test('a search that is entered while an order is open is kept after the order is closed', async ({ page }) => {
  await signInAsOwner(page);
  await orderRows(page).first().click();
  await expect(orderPanel(page)).toBeVisible();
  await searchBox(page).fill('KF-R0SE');
  await expect(orderRows(page)).toHaveCount(1);
  await orderPanel(page).getByRole('button', { name: 'Close order' }).click();
  await expect(orderPanel(page)).toHaveCount(0);
  await expect(page).toHaveURL(/q=KF-R0SE/);
  await expect(page).not.toHaveURL(/order=/);
  await expect(orderRows(page)).toHaveCount(1);
});

test('the browser’s back button asks about unsaved notes of an order before it leads to the list', async ({ page }) => {
  await signInAsOwner(page);
  await orderRows(page).filter({ hasText: 'KF-R0SE' }).click();
  const notesField = orderPanel(page).getByLabel('Admin notes');
  await notesField.fill('Call her');
  const leaveDialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.goBack();
  await leaveDialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(notesField).toHaveValue('Call her');
  await page.goBack();
  await leaveDialog.getByRole('button', { name: 'Discard changes' }).click();
  await expect(orderPanel(page)).toHaveCount(0);
  await expect(orderRows(page)).toHaveCount(2);
});
