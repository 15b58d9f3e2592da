import sharp from 'sharp';
import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, test } from './fixtures.ts';

const createUprightPhoto = async (name: string, background: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({
    create: { width: 1200, height: 1600, channels: 3, background, noise: { type: 'gaussian', mean: 128, sigma: 50 } },
  })
    .jpeg()
    .toBuffer(),
});

test('two upright photos share a video if the customer agrees, and can be separated again @phone', async ({
  page,
  context,
  baseURL,
}) => {
  await createFrameOwner(context, baseURL!);
  await page.goto('/upload');
  const photoInput = page.locator('input[type=file][multiple]');
  await expect(photoInput).toBeEnabled();
  await photoInput.setInputFiles([
    await createUprightPhoto('lake.jpg', '#7a9bb5'),
    await createUprightPhoto('garden.jpg', '#8aa37b'),
  ]);
  const pairSuggestion = page.getByRole('group', { name: 'Show these two side by side?' });
  await expect(pairSuggestion.getByRole('img')).toHaveCount(2, { timeout: 60_000 });
  await expectAccessible(page);
  await pairSuggestion.getByRole('button', { name: 'Show side by side' }).click();
  await expect(pairSuggestion).toBeHidden();
  await page.reload();
  await expect(page.getByText('Side by side', { exact: true })).toBeVisible();
  await expect(pairSuggestion).toBeHidden();

  await page.getByRole('button', { name: 'View garden.jpg' }).click();
  const dialog = page.getByRole('dialog', { name: 'garden.jpg' });
  const shownPairRegion = dialog.getByRole('region', { name: 'Shown side by side' });
  await expect(shownPairRegion).toContainText('This photo shares one video with lake.jpg.');
  await shownPairRegion.getByRole('button', { name: 'Give each photo its own video' }).click();
  await expect(shownPairRegion).toBeHidden();

  // The shop does not suggest them again, but the customer can pair them.
  const pairChoiceRegion = dialog.getByRole('region', { name: 'Side by side' });
  await pairChoiceRegion.getByRole('button', { name: 'Choose a photo to go with it' }).click();
  await pairChoiceRegion.getByRole('button', { name: 'Show next to lake.jpg' }).click();
  await expect(shownPairRegion).toBeVisible();
  await expectAccessible(page);
});
