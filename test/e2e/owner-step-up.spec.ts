import type { Page } from '@playwright/test';
import { buyFrameThroughApi } from './buying-behind-pages.ts';
import { expect, expectAccessible, test } from './fixtures.ts';
import { ownersPassword } from './own-shop.ts';

/**
 * Opening the panel with ADMIN_KEY in the URL starts a session without proof of identity, so the panel asks for it at
 * once.
 */
const adminKey = 'a-key-of-at-least-thirty-two-characters';
test.use({ settings: { ADMIN_KEY: adminKey } });

const stepUpDialog = (page: Page) => page.getByRole('dialog', { name: 'Is it you?' });
const enterPassword = async (page: Page, password = ownersPassword) => {
  await stepUpDialog(page).getByLabel('Admin password', { exact: true }).fill(password);
  await stepUpDialog(page).getByRole('button', { name: 'Continue' }).click();
};

test('the panel asks for proof of identity before a refund and before an export @phone', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/403.*\/api\/admin\//);
  const email = `rosa-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await buyFrameThroughApi(page, email);
  await page.goto(`/admin?tab=orders&admin_key=${adminKey}`);
  await page.getByRole('searchbox').fill(email);

  await page.getByRole('link', { name: 'Export CSV' }).click();
  await expect(stepUpDialog(page).getByLabel('Admin password', { exact: true })).toBeFocused();
  await expectAccessible(page);
  await enterPassword(page, 'not-the-password');
  await expect(stepUpDialog(page).getByText('That is not your current password. Please try again.')).toBeVisible();
  await stepUpDialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(stepUpDialog(page)).toHaveCount(0);

  await expect(page.getByText('1 order', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^KF-/ }).click();
  await page.getByRole('button', { name: 'Refund...' }).click();
  await page.getByLabel('Amount in dollars').fill('5');
  await page.getByLabel('Reason').fill('A scratch.');
  await page.getByRole('button', { name: 'Continue' }).click();
  const refundButton = page.getByRole('button', { name: 'Refund $5.00' });
  await refundButton.click();
  // A dialog that is visible but not focused yet does not receive the key: Escape would close the dialog below it.
  await expect(stepUpDialog(page).getByLabel('Admin password', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(stepUpDialog(page)).toHaveCount(0);
  await expect(refundButton).toBeEnabled(); // nothing was done or lost
  await refundButton.click();
  await enterPassword(page);
  await expect(page.getByText('Refund on its way', { exact: true })).toBeVisible();

  await page.goto('/admin?tab=orders');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(), // without another question
  ]);
  expect(download.suggestedFilename()).toMatch(/^orders-.*\.csv$/);
});

test('a download continues after the owner proves their identity', async ({ page }) => {
  await buyFrameThroughApi(page, `otto-${crypto.randomUUID().slice(0, 8)}@example.com`);
  await page.goto(`/admin?tab=orders&admin_key=${adminKey}`);
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), enterPassword(page)]);
  expect(download.suggestedFilename()).toMatch(/^orders-.*\.csv$/);
});

test('a session that ends during the proof of identity leads to the sign-in page', async ({ page, expectProblem }) => {
  expectProblem(/401.*\/api\/admin\//);
  await buyFrameThroughApi(page, `ida-${crypto.randomUUID().slice(0, 8)}@example.com`);
  await page.goto(`/admin?tab=orders&admin_key=${adminKey}`);
  await page.getByRole('link', { name: 'Export CSV' }).click();
  await expect(stepUpDialog(page)).toBeVisible();
  await page.context().clearCookies({ name: /admin-sid/ });
  await enterPassword(page);
  await expect(page.getByRole('heading', { name: 'Admin sign-in' })).toBeVisible();
});
