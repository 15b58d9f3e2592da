import type { FramePhotoLimits } from '#contract/frames.ts';
import { createFrameOwner } from './buying.ts';
import { waitForHydration, expect, expectAccessible, drawRealPhotos, test } from './fixtures.ts';

test('a customer is asked once whether a photo shows water, and its video then has rippling water @phone', async ({
  page,
  context,
  baseURL,
}) => {
  await createFrameOwner(context, baseURL!);
  // The shop under test does not analyze photos, so the page is given the result.
  await page.route('**/api/frame-photo-limits', async (route) => {
    const response = await route.fetch();
    const limits = (await response.json()) as FramePhotoLimits;
    for (const photo of limits.frames[0]!.uploads) photo.mayShowWater = photo.moves === null;
    await route.fulfill({ response, json: limits });
  });
  await page.goto('/connect');
  await waitForHydration(page);
  await page.getByRole('main').getByRole('link', { name: 'My Uploads' }).click();
  const photoInput = page.locator('input[type=file][multiple]');
  await expect(photoInput).toBeEnabled();
  const [, drawing, modern] = (await drawRealPhotos()) as [string, string, string];
  await photoInput.setInputFiles([drawing, modern]);
  await expect(page.getByRole('button', { name: /^View / })).toHaveCount(2);

  const questionGroup = page.getByRole('group', { name: 'Is this water?' });
  await expect(questionGroup).toBeVisible();
  await expectAccessible(page);
  const savedResponsePromise = page.waitForResponse(
    (it) => it.request().method() === 'PUT' && it.url().includes('/api/uploads/'),
  );
  await questionGroup.getByRole('button', { name: 'Let it flow' }).click();
  expect((await (await savedResponsePromise).json()).moves).toEqual({ living: null, water: true, candle: null });
  await questionGroup.getByRole('button', { name: 'No, it isn’t' }).click();
  await expect(questionGroup).toHaveCount(0);
});
