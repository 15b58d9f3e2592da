import type { Page } from '@playwright/test';
import { ownFrame } from './buying.ts';
import { awake, expect, realPhotos, signInAsOwner, test } from './fixtures.ts';

/** Beside Eve's order one that came with three films. */
test.use({ settings: { E2E_DELIVERED: 'on' } });

const steps = (page: Page) => page.evaluate(() => history.length);
const rows = (page: Page) => page.getByRole('button', { name: /^KF-/ });
const order = (page: Page) => page.getByRole('region', { name: /^Order KF-/ });
const search = (page: Page) => page.getByRole('searchbox');

test('the owner goes back from an order to the list as it was asked for, and forward to the order again @phone', async ({
  page,
  context,
}) => {
  await signInAsOwner(page);
  await expect(rows(page)).toHaveCount(2);
  const before = await steps(page);
  await search(page).fill('KF');
  await search(page).pressSequentially('-R0SE', { delay: 250 }); // each letter asks
  await page.getByLabel('Status').selectOption('Completed');
  await page.getByLabel('Status').selectOption('All statuses');
  await expect(rows(page)).toHaveCount(1);
  expect(await steps(page)).toBe(before);
  await page.evaluate(() => scrollTo({ top: 160, behavior: 'instant' }));
  const height = await page.evaluate(() => scrollY);

  await rows(page).click();
  await expect(order(page)).toBeVisible();
  const other = await context.newPage(); // asks for nothing of this one
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

  await test.step('closed by its button, it leaves no step behind', async () => {
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

test('the list beside an open order may be asked for anew; closing the order keeps that', async ({ page }) => {
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

test('back closes a dialog over an order, and asks first where words would be lost @phone', async ({ page }) => {
  await signInAsOwner(page);
  await rows(page).filter({ hasText: 'KF-R0SE' }).click();
  const refund = page.getByRole('dialog', { name: 'Refund' });
  const open = () => order(page).getByRole('button', { name: 'Refund...' }).click();
  await open();
  await expect(refund).toBeVisible();
  await page.goBack();
  await expect(refund).toHaveCount(0);
  await expect(order(page)).toBeVisible();
  await page.goForward(); // to nothing that is open
  await expect(order(page)).toBeVisible();

  await open();
  await refund.getByLabel('Reason').fill('One package too many.');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.goBack();
  await expect(question).toBeVisible();
  await page.goBack();
  await expect(question).toHaveCount(0);
  await expect(refund.getByLabel('Reason')).toHaveValue('One package too many.');
  await page.goBack();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(refund.getByLabel('Reason')).toHaveValue('One package too many.');
  await page.goBack();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(refund).toHaveCount(0);
  await expect(order(page)).toBeVisible();

  await test.step('and the next step back leads from the order to the list', async () => {
    await page.goBack();
    await expect(order(page)).toHaveCount(0);
    await expect(rows(page)).toHaveCount(2);
  });
});

test('a dialog that is closed by its own means leaves no step behind, and what it changed stands', async ({ page }) => {
  await signInAsOwner(page);
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('tab', { name: 'Users' }).click();
  await page.getByRole('tab', { name: 'Orders & Uploads' }).click();
  for (const closing of ['button', 'back']) {
    await page.getByRole('button', { name: 'Columns' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Ships to' }).setChecked(closing === 'button');
    if (closing === 'button') await dialog.getByRole('button', { name: 'Done' }).click();
    else await page.goBack();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('columnheader', { name: 'Ships to' })).toHaveCount(closing === 'button' ? 1 : 0);
    if (closing === 'button') await expect(page).toHaveURL(/ships-to/);
    else await expect(page).not.toHaveURL(/ships-to/);
  }
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog', { name: 'Find anything' }).getByText('Gallery', { exact: true }).click();
  await expect(page).toHaveURL(/tab=gallery/);
  await page.goBack();
  await expect(page).toHaveURL(/tab=orders/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/tab=users/);
});

test('notes of an order that are not saved are asked about before back leads to the list @phone', async ({ page }) => {
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

test('visitors go back from a picture of the gallery to the gallery, and customers from a photo to theirs @phone', async ({
  page,
  context,
  baseURL,
}) => {
  await ownFrame(context, baseURL!);
  await page.goto('/faq');
  await page.goto('/gallery');
  await awake(page);
  const picture = page.getByRole('dialog', { name: 'Birthday table' });
  await page.getByRole('button', { name: 'See it move: Birthday table' }).click();
  await expect(picture).toBeVisible();
  await page.goBack();
  await expect(picture).toHaveCount(0);
  await expect(page).toHaveURL(/\/gallery$/);
  await page.getByRole('button', { name: 'See it move: Birthday table' }).click();
  await page.reload(); // closed, and without its step
  await awake(page);
  await expect.poll(() => page.evaluate(() => (history.state as { step?: { depth: number } }).step?.depth)).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/faq$/);

  await page.goto('/upload');
  const album = page.locator('input[type=file][multiple]');
  await expect(album).toBeEnabled();
  await album.setInputFiles((await realPhotos()).slice(0, 1));
  const photo = page.getByRole('button', { name: 'View turned.jpg' });
  await photo.click();
  const viewer = page.getByRole('dialog', { name: 'turned.jpg' });
  await viewer.getByRole('button', { name: 'Delete photo' }).click();
  const question = page.getByRole('dialog').filter({ hasText: 'Are you sure' });
  await expect(question).toBeVisible();
  await page.goBack();
  await expect(question).toHaveCount(0);
  await photo.click();
  await page.goBack();
  await expect(viewer).toHaveCount(0);
  await expect(photo).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/faq$/);
});
