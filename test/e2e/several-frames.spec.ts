import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, drawRealPhotos, test } from './fixtures.ts';

test('two frames have separate photos, limits and finalization @phone-only', async ({ page, context, baseURL }) => {
  const email = await createFrameOwner(context, baseURL!, {}, { quantity: 2, extraPackages: 1 });
  const photoPaths = (await drawRealPhotos()).slice(0, 3);
  const photoInput = page.locator('input[type=file][multiple]');

  await test.step('after signing in, the customer chooses a frame', async () => {
    await context.clearCookies();
    await page.goto('/auth');
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('Sunflower-Field-7');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page).toHaveURL(/\/select-frame$/);
    await expect(page.getByRole('heading', { name: 'Which frame are these photos for?' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Kinframe 2/ }).click();
    await expect(page.getByText('Opening Kinframe 2...')).toBeVisible();
    await expect(page).toHaveURL(/\/upload\?frameId=/);
  });

  await test.step('the upload page opens at the chosen frame’s tab', async () => {
    await expect(page.getByRole('tab', { name: /^Kinframe 2/ })).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByText('0 of 20 photos used').first()).toBeVisible();
    await page.getByRole('tab', { name: /^Kinframe 1/ }).click();
    await expect(page.getByText('0 of 30 photos used').first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('an empty package moves to the other frame', async () => {
    await page.getByRole('button', { name: 'Move 10 to Kinframe 2' }).click();
    await expect(page.getByText('Kinframe 2 now has room for 30 photos.').first()).toBeVisible();
    await expect(page.getByText('0 of 20 photos used').first()).toBeVisible();
  });

  await test.step('photos are added to the selected frame', async () => {
    await expect(photoInput).toBeEnabled();
    await photoInput.setInputFiles(photoPaths.slice(0, 2));
    await expect(page.getByText('2 of 20 photos').first()).toBeVisible({ timeout: 60_000 });
    await page.getByRole('tab', { name: /^Kinframe 2/ }).click();
    await expect(page.getByRole('button', { name: /^View / })).toHaveCount(0);
    await photoInput.setInputFiles(photoPaths.slice(2));
    await expect(page.getByText('1 of 30 photos').first()).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('All 2 frames together: 3 of 50 photos used.')).toBeVisible();
  });

  await test.step('one frame is finalized, and the other stays open', async () => {
    await page.getByRole('button', { name: "I'm Done" }).click();
    await expect(page.getByText('Once you’re done, the 1 photo on Kinframe 2')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: "Yes, I'm Done!" }).click();
    await expect(page).toHaveURL(/\/upload-complete\?finalized=true/);
    await expectAccessible(page);
    await page.goto('/upload');
    await expect(page.getByRole('tab', { name: /^Kinframe 2.*Finished/ })).toBeVisible();
    await page.getByRole('tab', { name: /^Kinframe 1/ }).click();
    await expect(page.getByRole('button', { name: "I'm Done" })).toBeEnabled();
    await expect(page.getByRole('button', { name: /^Delete / })).toHaveCount(2);
    await page.getByRole('tab', { name: /^Kinframe 2/ }).click();
    await expect(page.getByText('Order Complete').first()).toBeVisible();
    await expect(page.getByRole('button', { name: /^Delete / })).toHaveCount(0);
    await expectAccessible(page);
  });
});
