import type { Page } from '@playwright/test';
import { expect, expectAccessible, signInAsOwner, test } from './fixtures.ts';

test.use({ settings: { FRAME_COST: '62.50' } });

const openSettings = async (page: Page) => {
  await page.goto('/admin?tab=settings');
  await expect(page.getByLabel('Approve videos automatically')).toBeVisible();
};
const saveSettings = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Settings saved', { exact: true }).last()).toBeVisible();
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
};
const isTrialOffered = async (page: Page) => (await page.request.get('/data/trial.json')).json();

test('the owner changes settings in the panel, except those that the server sets @phone', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/409 .*\/api\/admin\/content\/settings/);
  expectProblem(/503 .*\/api\/admin\/shop-settings/);
  await signInAsOwner(page);

  await test.step('a setting that the server sets is shown with its variable and cannot be changed', async () => {
    await page.getByRole('tab', { name: 'Settings', exact: true }).click();
    const frameCostField = page.getByLabel('Cost of a frame');
    await expect(frameCostField).toHaveValue('62.5');
    await expect(frameCostField).not.toBeEditable();
    await expect(page.getByText(/Set by the server \(FRAME_COST\)\. You can’t change it here\.$/)).toBeVisible();
    await expect(page.getByText(/Set by the server \(PREVIEWS\)/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
    await expectAccessible(page);
  });

  await test.step('an invalid number is refused at its field, and unsaved changes are kept', async () => {
    await page.getByLabel('Videos made again').fill('100');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Please enter a number from 0 to 99')).toBeVisible();
    await page.getByRole('tab', { name: 'Production', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Keep editing' })
      .click();
    await expect(page.getByLabel('Videos made again')).toHaveValue('100');
    await page.getByLabel('Videos made again').fill('5');
  });

  await test.step('saved settings apply at once and are still there after a reload', async () => {
    expect(await isTrialOffered(page)).toEqual({ isOffered: true });
    await page.getByLabel('Free video for visitors').selectOption('Off');
    await page.getByLabel('Customers check their videos').selectOption('After I approve them');
    await page.getByLabel('Cost of a package').fill('9.40');
    await saveSettings(page);
    expect(await isTrialOffered(page)).toEqual({ isOffered: false });
    await page.reload();
    await expect(page.getByLabel('Customers check their videos')).toHaveValue('after');
    await expect(page.getByLabel('Videos made again')).toHaveValue('5');
    await expect(page.getByLabel('Cost of a package')).toHaveValue('9.4');
  });

  await test.step('the history names the settings that changed, and restores the defaults', async () => {
    await page.getByRole('button', { name: 'History' }).click();
    const dialog = page.getByRole('dialog', { name: 'History' });
    await dialog.getByRole('button', { name: /^Show ?: Before the first save/ }).click();
    await expect(dialog.getByText('After I approve them').first()).toBeVisible();
    await dialog.getByRole('button', { name: /^Restore ?: Before the first save/ }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByLabel('Free video for visitors')).toHaveValue('on');
  });

  await test.step('if two tabs save settings, the second tab lets the owner choose between both versions', async () => {
    const otherTab = await context.newPage();
    await openSettings(otherTab);
    await otherTab.getByLabel('Videos made again').fill('1');
    await saveSettings(otherTab);
    await page.getByLabel('Videos made again').fill('2');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Someone else saved the settings' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save mine instead' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByLabel('Videos made again')).toHaveValue('2');
    await otherTab.close();
  });

  await test.step('settings of other tabs are shown with their values and lead to their tab', async () => {
    const otherElements = page.getByRole('region', { name: 'Settings in other tabs' });
    await expect(otherElements).toContainText('3 + 5 business days');
    await expect(otherElements).toContainText('Not counted');
    await otherElements.getByRole('link', { name: 'Content, Stock' }).click();
    await expect(page.getByRole('checkbox', { name: 'Count frames' })).toBeVisible();
  });

  await test.step('if the settings cannot be loaded, the owner can try again', async () => {
    await page.route('**/api/admin/shop-settings', (route) => route.fulfill({ status: 503, json: {} }));
    await page.goto('/admin?tab=settings');
    await expect(page.getByText('We couldn’t load your settings')).toBeVisible({ timeout: 60_000 });
    await page.unroute('**/api/admin/shop-settings');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByLabel('Approve videos automatically')).toBeVisible();
  });
});
