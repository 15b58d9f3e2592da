import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, drawRealPhotos, test } from './fixtures.ts';

test('two photos that look alike are pointed out once, and the focus stays among the photos @phone', async ({
  page,
  context,
  baseURL,
}) => {
  await createFrameOwner(context, baseURL!);
  await page.goto('/upload');
  const photoInput = page.locator('input[type=file][multiple]');
  await expect(photoInput).toBeEnabled();
  const [, drawing, modern, old] = (await drawRealPhotos()) as [string, string, string, string];
  await photoInput.setInputFiles([drawing, modern]);
  const alikePhotosGroup = page.getByRole('group', { name: 'These two look alike. Keep both?' });
  await expect(alikePhotosGroup.getByRole('img')).toHaveCount(2, { timeout: 60_000 });
  await expectAccessible(page);

  // The answer is kept for other tabs and devices.
  await alikePhotosGroup.getByRole('button', { name: 'Keep both' }).focus();
  await page.keyboard.press('Enter');
  await expect(alikePhotosGroup).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Photos for Kinframe 1' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('button', { name: 'View drawing.png' })).toBeVisible();
  await expect(page.getByRole('group', { name: /alike/ })).toHaveCount(0);

  await expect(photoInput).toBeEnabled();
  await photoInput.setInputFiles(old);
  const alikeGroup = page.getByRole('group', { name: 'These 3 look alike. Keep all?' });
  await expect(alikeGroup.getByRole('img')).toHaveCount(3, { timeout: 60_000 });
  await expect(page.getByRole('button', { name: /I.m Done/ }).first()).toBeEnabled();
  await alikeGroup.getByRole('button', { name: 'Remove this one: old.gif' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: /alike/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'View drawing.png' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Photos for Kinframe 1' })).toBeFocused();
});
