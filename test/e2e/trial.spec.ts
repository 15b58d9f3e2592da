import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, drawRealPhotos, test } from './fixtures.ts';

test('a visitor tries a photo, returns to the video, and puts the photo on a frame @phone', async ({
  page,
  context,
  baseURL,
  expectProblem,
}) => {
  expectProblem(/status of 415/); // the response to a file that is no photo
  const [turned] = (await drawRealPhotos()) as [string];

  await test.step('the home page leads to /try, which takes one photo', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Try a photo' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Try it with your own photo' })).toBeVisible();
    await expect(page.getByText(/We keep your photo and its video for 24 hours/)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a file that is not a photo is refused with a message', async () => {
    const photoInput = page.getByLabel('Photo file');
    await expect(photoInput).toBeEnabled();
    await photoInput.setInputFiles({ name: 'letter.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') });
    await expect(page.getByRole('alert')).toContainText('letter.jpg');
  });

  await test.step('the page shows the progress of the video, also after the tab was closed', async () => {
    await page.getByLabel('Photo file').setInputFiles(turned);
    const makingHeading = page.getByRole('heading', { name: 'We’re making your video' });
    await expect(makingHeading.or(page.getByRole('heading', { name: 'Your video is ready' }))).toBeVisible({
      timeout: 60_000,
    });
    await page.goto('/faq');
    await page.goto('/try');
    await expect(page.getByRole('heading', { name: 'Your video is ready' })).toBeVisible({ timeout: 120_000 });
    await expect(page.locator('video').first()).toHaveAttribute('src', /^\/trials\/.*-film\.mp4$/);
    await expectAccessible(page);
  });

  await test.step('another browser has no access to the video', async () => {
    const videoUrl = await page.locator('video').first().getAttribute('src');
    expect((await page.request.get(videoUrl!)).status()).toBe(200);
    expect((await fetch(baseURL! + videoUrl)).status).toBe(404);
  });

  await test.step('the visitor requests an email with the link to the video, and the page confirms it', async () => {
    await page.getByRole('textbox', { name: 'Send it to myself' }).fill('visitor@example.com');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(page.getByText('We’re emailing the link to visitor@example.com.')).toBeVisible();
  });

  await test.step('after an order, the upload page asks before the photo is put on the frame', async () => {
    await createFrameOwner(context, baseURL!);
    await page.goto('/upload');
    const questionGroup = page.getByRole('group', { name: 'Put the photo you tried on your frame?' });
    await expect(questionGroup).toBeVisible();
    await expectAccessible(page);
    await questionGroup.getByRole('button', { name: 'Put it on Kinframe 1' }).click();
    await expect(questionGroup).toBeHidden();
    await expect(
      page.getByRole('region', { name: 'Photos for Kinframe 1' }).getByRole('button', { name: /^View / }),
    ).toHaveCount(1);
  });

  await test.step('the visitor deletes the video, and the page asks for another photo', async () => {
    await page.goto('/try');
    await page.getByRole('button', { name: 'Delete it now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('heading', { name: 'Which photo should come to life?' })).toBeVisible();
  });
});
