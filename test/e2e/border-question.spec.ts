import type { FramePhotoLimits } from '#contract/frames.ts';
import { createFrameOwner } from './buying.ts';
import { waitForHydration, expect, expectAccessible, drawRealPhotos, test } from './fixtures.ts';

const printArea = { left: 0.1, top: 0.1, width: 0.8, height: 0.75 };

test('a customer trims the paper border of one print and keeps that of another @phone', async ({
  page,
  context,
  baseURL,
}) => {
  await createFrameOwner(context, baseURL!);
  // The shop under test does not analyze photos, so the page is given the result.
  const keptBorderPhotoIds = new Set<string>();
  await page.route('**/api/frame-photo-limits', async (route) => {
    const response = await route.fetch();
    const limits = (await response.json()) as FramePhotoLimits;
    for (const photo of limits.frames[0]!.uploads)
      photo.printArea = photo.crop.area || keptBorderPhotoIds.has(photo.id) ? null : printArea;
    await route.fulfill({ response, json: limits });
  });
  await page.goto('/connect');
  await waitForHydration(page);
  await page.getByRole('main').getByRole('link', { name: 'My Uploads' }).click();
  const files = page.locator('input[type=file][multiple]');
  await expect(files).toBeEnabled();
  const [, drawing, modern] = (await drawRealPhotos()) as [string, string, string];
  await files.setInputFiles([drawing, modern]);
  await expect(page.getByRole('button', { name: /^View / })).toHaveCount(2);

  const questionGroup = page.getByRole('group', { name: 'Trim the paper border?' });
  await expect(questionGroup).toBeVisible();
  await expectAccessible(page);
  await expect(questionGroup.getByRole('checkbox', { name: 'Repair scratches and faded colors' })).toBeChecked();
  const repairResponse = page.waitForResponse(
    (it) => it.request().method() === 'PUT' && /\/api\/uploads\/[^/]+$/.test(it.url()),
  );
  const cropResponse = page.waitForResponse((it) => it.url().endsWith('/crop'));
  await questionGroup.getByRole('button', { name: 'Trim it' }).click();
  expect((await (await repairResponse).json()).isRepaired).toBe(true);
  expect((await (await cropResponse).json()).crop).toEqual({ quarterTurns: 0, area: printArea });
  // The question is now about the next photo.
  await expect(questionGroup.getByRole('button', { name: 'Trim it' })).toBeEnabled();
  const keptResponse = page.waitForResponse(
    (it) => it.request().method() === 'PUT' && it.url().includes('/api/uploads/'),
  );
  await questionGroup.getByRole('button', { name: 'Keep the border' }).click();
  keptBorderPhotoIds.add((await (await keptResponse).json()).id as string);
  await expect(questionGroup).toHaveCount(0);
});
