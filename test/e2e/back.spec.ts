import type { Page } from '@playwright/test';
import { expect, signInAsOwner, test } from './fixtures.ts';

/** Besides Eve's order, the shop has an order that was delivered with three videos. */
test.use({ settings: { E2E_DELIVERED: 'on' } });

const readHistoryLength = (page: Page) => page.evaluate(() => history.length);
const findOrderRows = (page: Page) => page.getByRole('button', { name: /^KF-/ });
const findOrderPanel = (page: Page) => page.getByRole('region', { name: /^Order KF-/ });
const findSearchBox = (page: Page) => page.getByRole('searchbox');

test('the back button leads from an order to the list with its search, and forward leads to the order @phone', async ({
  page,
  context,
}) => {
  await signInAsOwner(page);
  await expect(findOrderRows(page)).toHaveCount(2);
  const lengthBefore = await readHistoryLength(page);
  await findSearchBox(page).fill('KF');
  await findSearchBox(page).pressSequentially('-R0SE', { delay: 250 }); // each letter sends a request
  await page.getByLabel('Status').selectOption('Completed');
  await page.getByLabel('Status').selectOption('All statuses');
  await expect(findOrderRows(page)).toHaveCount(1);
  expect(await readHistoryLength(page)).toBe(lengthBefore);
  await page.evaluate(() => scrollTo({ top: 160, behavior: 'instant' }));
  const scrollPosition = await page.evaluate(() => scrollY);

  await findOrderRows(page).click();
  await expect(findOrderPanel(page)).toBeVisible();
  const otherTab = await context.newPage(); // a second tab with a separate search
  await otherTab.goto('/admin?tab=orders');
  await expect(findOrderRows(otherTab)).toHaveCount(2);
  await page.goBack();
  await expect(findOrderPanel(page)).toHaveCount(0);
  await expect(findSearchBox(page)).toHaveValue('KF-R0SE');
  await expect(findOrderRows(page)).toHaveCount(1);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrollPosition);
  await page.goForward();
  await expect(findOrderPanel(page)).toBeVisible();
  await page.reload();
  await expect(findOrderPanel(page)).toBeVisible();
  await expect(findOrderRows(otherTab)).toHaveCount(2);

  await test.step('closing the order with its button adds no history entry', async () => {
    await findOrderPanel(page)
      .getByRole('button', { name: /^(Orders|Close order)$/ })
      .click();
    await expect(findOrderPanel(page)).toHaveCount(0);
    await expect(findSearchBox(page)).toHaveValue('KF-R0SE');
    await page.getByRole('tab', { name: 'Production' }).click();
    await expect(page).toHaveURL(/tab=production/);
    await page.goBack();
    await expect(findSearchBox(page)).toHaveValue('KF-R0SE');
    await page.goBack();
    await expect(page).not.toHaveURL(/KF-R0SE/);
  });
});

test('a search that is entered while an order is open is kept after the order is closed', async ({ page }) => {
  await signInAsOwner(page);
  await findOrderRows(page).first().click();
  await expect(findOrderPanel(page)).toBeVisible();
  await findSearchBox(page).fill('KF-R0SE');
  await expect(findOrderRows(page)).toHaveCount(1);
  await findOrderPanel(page).getByRole('button', { name: 'Close order' }).click();
  await expect(findOrderPanel(page)).toHaveCount(0);
  await expect(page).toHaveURL(/q=KF-R0SE/);
  await expect(page).not.toHaveURL(/order=/);
  await expect(findOrderRows(page)).toHaveCount(1);
});

test('the browser’s back button asks about unsaved notes of an order before it leads to the list', async ({ page }) => {
  await signInAsOwner(page);
  await findOrderRows(page).filter({ hasText: 'KF-R0SE' }).click();
  const notesField = findOrderPanel(page).getByLabel('Admin notes');
  await notesField.fill('Call her');
  const leaveDialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.goBack();
  await leaveDialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(notesField).toHaveValue('Call her');
  await page.goBack();
  await leaveDialog.getByRole('button', { name: 'Discard changes' }).click();
  await expect(findOrderPanel(page)).toHaveCount(0);
  await expect(findOrderRows(page)).toHaveCount(2);
});
