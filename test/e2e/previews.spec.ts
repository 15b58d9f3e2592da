import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, drawRealPhotos, test } from './fixtures.ts';

test.use({ settings: { PREVIEWS: 'on' } });

test('a photo gets a preview before finalizing, and the chosen motion is used for its video @phone-only', async ({
  page,
  context,
  baseURL,
}) => {
  await createFrameOwner(context, baseURL!);
  await page.goto('/upload');
  const photoInput = page.locator('input[type=file][multiple]');
  await expect(photoInput).toBeEnabled();
  const [, drawing, modern] = (await drawRealPhotos()) as [string, string, string];
  await photoInput.setInputFiles([drawing, modern]);
  const photosRegion = page.getByRole('region', { name: 'Photos for Kinframe 1' });
  const videos = photosRegion.locator('video');

  await test.step('previews appear without a reload, and can be paused', async () => {
    await expect(videos).toHaveCount(2, { timeout: 90_000 });
    await expect.poll(() => videos.first().evaluate((film: HTMLVideoElement) => film.currentTime)).toBeGreaterThan(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Pause previews' }).click();
    await expect(videos).toHaveCount(0);
    await page.getByRole('button', { name: 'Play previews' }).click();
    await expect(videos).toHaveCount(2);
  });

  await test.step('choosing another motion makes another preview', async () => {
    await page
      .getByRole('button', { name: /^View / })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    const video = dialog.locator('video');
    const srcBefore = await video.getAttribute('src');
    const motionChoices = dialog.getByRole('group', { name: 'How it moves' });
    await expect(motionChoices.getByRole('radio').first()).toBeChecked();
    await expect(motionChoices.getByRole('radio')).toHaveCount(4);
    await motionChoices.getByRole('radio').nth(1).check();
    await expect(dialog.getByText('Making a preview.')).toBeVisible();
    await expect(video).toHaveAttribute('src', /preview-/, { timeout: 90_000 });
    expect(await video.getAttribute('src')).not.toBe(srcBefore);
    await expectAccessible(page);
    await page.reload();
    await page
      .getByRole('button', { name: /^View / })
      .first()
      .click();
    await expect(motionChoices.getByRole('radio').nth(1)).toBeChecked();
  });
});
