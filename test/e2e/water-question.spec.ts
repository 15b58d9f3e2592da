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
  let isAnswered = false;
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/api/uploads/')) isAnswered = true;
  });
  await page.route('**/api/uploads/*/seen', async (route) => {
    const analysis = { faces: [], canLive: false, hasWater: true, glows: [], sharpness: 1 };
    const motions = isAnswered ? ['water', 'depth'] : ['depth', 'push-in'];
    await route.fulfill({ json: { ...analysis, motions } });
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
  const askedName = (await questionGroup.getByRole('img').first().getAttribute('alt'))!;
  const photoTile = page.getByRole('button', { name: `View ${askedName}` });
  const motionChoices = page.getByRole('dialog').getByRole('group', { name: 'How it moves' });
  await photoTile.click();
  await expect(motionChoices.getByLabel('Shows its depth (our choice)')).toBeChecked();
  await page.keyboard.press('Escape');
  const savedResponsePromise = page.waitForResponse(
    (it) => it.request().method() === 'PUT' && it.url().includes('/api/uploads/'),
  );
  await questionGroup.getByRole('button', { name: 'Let it flow' }).click();
  expect((await (await savedResponsePromise).json()).moves).toEqual({ living: null, water: true, candle: null });
  await questionGroup.getByRole('button', { name: 'No, it isn’t' }).click();
  await expect(questionGroup).toHaveCount(0);
  await photoTile.click();
  await expect(motionChoices.getByLabel('Water ripples gently', { exact: true })).toBeChecked();
});
