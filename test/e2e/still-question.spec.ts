import type { FramePhotoLimits } from '#contract/frames.ts';
import { createFrameOwner } from './buying.ts';
import { waitForHydration, expect, expectAccessible, drawRealPhotos, test } from './fixtures.ts';

test('a customer keeps the people in one photo still, and only photos with faces are offered @phone', async ({
  page,
  context,
  baseURL,
}) => {
  await createFrameOwner(context, baseURL!);
  // The shop under test does not analyze photos, so the page is given the result: faces in all photos but the last.
  await page.route('**/api/frame-photo-limits', async (route) => {
    const response = await route.fetch();
    const limits = (await response.json()) as FramePhotoLimits;
    for (const [place, photo] of limits.frames[0]!.uploads.entries()) photo.showsFaces = place < 2;
    await route.fulfill({ response, json: limits });
  });
  await page.goto('/connect');
  await waitForHydration(page);
  await page.getByRole('main').getByRole('link', { name: 'My Uploads' }).click();
  const photoInput = page.locator('input[type=file][multiple]');
  await expect(photoInput).toBeEnabled();
  await photoInput.setInputFiles((await drawRealPhotos()).slice(0, 3));
  await expect(page.getByRole('button', { name: /^View / })).toHaveCount(3);

  const questionGroup = page.getByRole('group', { name: 'Is someone in these photos no longer with us?' });
  const keepStillButtons = questionGroup.getByRole('button', { name: /^Keep .+ still$/, pressed: false });
  await expect(keepStillButtons).toHaveCount(2);
  await expectAccessible(page);
  await keepStillButtons.first().click();
  const savedRequestPromise = page.waitForRequest((it) => it.method() === 'PUT' && it.url().includes('/still-photos'));
  await questionGroup.getByRole('button', { name: 'Keep 1 still' }).click();
  expect((await savedRequestPromise).postDataJSON().ids).toHaveLength(1);
  await expect(page.getByText('We’ll keep the people in 1 photo still.')).toBeVisible();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await questionGroup.getByRole('button', { name: /^Keep .+ still$/, pressed: true }).click();
  await questionGroup.getByRole('button', { name: 'No, let everyone move' }).click();
  await expect(page.getByText('People in your photos will blink and breathe.')).toBeVisible();
});
