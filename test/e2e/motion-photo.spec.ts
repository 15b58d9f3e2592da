import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMotionPhotoParts, createGoogleMotionPhoto } from '#test/photos/motion-photos.ts';
import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, test } from './fixtures.ts';

test.use({ settings: { PREVIEWS: 'on' } });

test('a motion photo shows its own motion, and the customer can choose another one @phone-only', async ({
  page,
  context,
  baseURL,
}) => {
  const path = join(mkdtempSync(join(tmpdir(), 'kinframe-photos-')), 'moment.jpg');
  writeFileSync(path, createGoogleMotionPhoto(await createMotionPhotoParts({ width: 1600 }), 1.5));
  await createFrameOwner(context, baseURL!);
  await page.goto('/upload');
  const photoInput = page.locator('input[type=file][multiple]');
  await expect(photoInput).toBeEnabled();
  await photoInput.setInputFiles([path]);
  const photosRegion = page.getByRole('region', { name: 'Photos for Kinframe 1' });
  const dialog = page.getByRole('dialog');
  const motionChoices = dialog.getByRole('group', { name: 'How it moves' });
  const video = dialog.locator('video');

  await test.step('the tile and the dialog say that it is a motion photo, and the preview plays', async () => {
    await expect(photosRegion.getByText('Its own motion')).toBeVisible({ timeout: 90_000 });
    await expect(photosRegion.locator('video')).toHaveCount(1, { timeout: 90_000 });
    await expect(photosRegion.getByText('Its own motion')).toBeVisible();
    await page.getByRole('button', { name: 'View moment.jpg' }).click();
    await expect(motionChoices.getByLabel('Its own motion (our choice)')).toBeChecked();
    await expect(dialog.getByText('This photo came with a few seconds of motion')).toBeVisible();
    await expect.poll(() => video.evaluate((it: HTMLVideoElement) => it.currentTime)).toBeGreaterThan(0);
    await expectAccessible(page);
  });

  await test.step('the customer chooses another motion, and then the photo’s own motion again', async () => {
    const srcBefore = await video.getAttribute('src');
    const savedResponsePromise = page.waitForResponse((it) => it.request().method() === 'PUT');
    await motionChoices.getByRole('radio').nth(1).check();
    await savedResponsePromise;
    await expect(dialog.getByText('This photo came with a few seconds of motion')).toBeHidden();
    await expect(video).toHaveAttribute('src', /preview-/, { timeout: 90_000 });
    expect(await video.getAttribute('src')).not.toBe(srcBefore);
    await motionChoices.getByLabel('Its own motion (our choice)').check();
    await expect(dialog.getByText('This photo came with a few seconds of motion')).toBeVisible();
  });

  await test.step('a photo whose people must stay still does not show them moving', async () => {
    const savedResponsePromise = page.waitForResponse(
      (it) => it.request().postData()?.includes('"living":false') === true,
    );
    await dialog.getByLabel('Keep the people in this photo still').check();
    await savedResponsePromise;
    await expect(dialog.getByText('This photo came with a few seconds of motion')).toBeHidden();
    await expect(motionChoices.getByLabel('Its own motion (our choice)')).toBeHidden();
  });
});
