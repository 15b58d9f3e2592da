import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFaststart, readVideoFacts } from '../../adapters/animation/video-facts.ts';
import { findFfmpeg } from '../../adapters/animation/ffmpeg.ts';
import { cards, payWithCard, fillBuyerDetails } from './buying.ts';
import { expect, expectAccessible, waitForEmailedLink, drawRealPhotos, signInAsOwner, test } from './fixtures.ts';
import { desktopScreen } from './screens.ts';

test('a customer gets from the home page to the finished videos @phone-only', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/status of 402/); // the response to a declined card
  expectProblem(/status of 415/); // the response to a text file instead of a photo
  const email = 'grandmother@example.com';

  await test.step('the customer chooses a frame with an extra package', async () => {
    await page.goto('/');
    await expectAccessible(page);
    await page.goto('/product/kinframe');
    await page.getByRole('button', { name: /increase.*(extra|package)/i }).click();
    await expect(page.getByText('$208.99').first()).toBeVisible();
    await page
      .getByRole('link', { name: /buy/i })
      .or(page.getByRole('button', { name: /buy/i }))
      .locator('visible=true')
      .last()
      .click();
    await expect(page).toHaveURL(/\/customer-details\?product=kinframe&quantity=1&extras=1/);
  });

  await test.step('a missing name is refused, and the customer enters name and address', async () => {
    await expectAccessible(page);
    await page.getByRole('button', { name: /continue/i }).click();
    await expect(page.getByText('First name is required')).toBeVisible();
    await fillBuyerDetails(page, email);
  });

  await test.step('a declined card is refused, and another card pays', async () => {
    await expectAccessible(page);
    await payWithCard(page, cards.declines);
    await expect(page.getByText('Your card was declined.').first()).toBeVisible();
    await payWithCard(page, cards.pays);
    await expect(page).toHaveURL(/\/complete-registration/);
  });

  await test.step('the customer sets a password and sees the upload page', async () => {
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('Sunflower-Field-7');
    await page.getByRole('textbox', { name: 'Confirm password' }).fill('Sunflower-Field-7');
    await page.getByRole('button', { name: /create|complete/i }).click();
    await expect(page.getByRole('heading', { name: 'Your account is ready' })).toBeInViewport();
    await expect(page).toHaveURL(/\/upload\?frameId=/);
  });

  const photoPaths = await drawRealPhotos();
  await test.step('the customer uploads photos, sees them and deletes one', async () => {
    await expect(page.getByText('0 of 30 photos').first()).toBeVisible();
    await page.locator('input[type=file][multiple]').setInputFiles(photoPaths);
    await expect(page.getByText('5 of 30 photos').first()).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('button', { name: 'View phone.heic' })).toBeVisible();
    // All five show the same garden, so the page also asks whether to keep them. Its pictures are not counted.
    const pictures = page.getByRole('button', { name: /^View / }).locator('img');
    await expect(pictures).toHaveCount(5);
    await expect
      .poll(() => pictures.evaluateAll((images) => images.every((it) => (it as HTMLImageElement).naturalWidth > 0)))
      .toBe(true);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete old.gif' }).click();
    await expect(
      page.getByText('Are you sure you want to delete "old.gif"? This action cannot be undone.'),
    ).toBeVisible();
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('button', { name: /^Delete/ })
      .click();
    await expect(page.getByText('4 of 30 photos').first()).toBeVisible();
  });

  await test.step('a text file is refused with a message and uses no place', async () => {
    const textFileNamedJpg = join(tmpdir(), 'letter.jpg');
    writeFileSync(textFileNamedJpg, 'Dear all, this is no photo.');
    await page.locator('input[type=file][multiple]').setInputFiles(textFileNamedJpg);
    await expect(page.getByText(/Please use JPEG, PNG, HEIC, WebP, or GIF images/).first()).toBeVisible();
    await expect(page.getByText('4 of 30 photos').first()).toBeVisible();
  });

  await test.step('the customer finishes with the I’m Done button', async () => {
    await page.getByRole('button', { name: "I'm Done" }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: "Yes, I'm Done!" }).click();
    await expect(page).toHaveURL(/\/upload-complete\?finalized=true/);
    await expectAccessible(page);
    await page.goto('/upload');
    await expect(page.getByText('Order Complete').first()).toBeVisible();
  });

  const ownerContext = await context.browser()!.newContext(desktopScreen);
  const adminPage = await ownerContext.newPage();
  await test.step('the owner sees the videos being made and approves them', async () => {
    await adminPage.goto('/admin-login');
    await expectAccessible(adminPage);
    await signInAsOwner(adminPage);
    await adminPage.getByRole('tab', { name: 'Production' }).click();
    await expect(adminPage.getByRole('heading', { name: 'Ready for Production' })).toBeVisible();
    const orderArticle = adminPage.locator('article').filter({ hasText: email }).first();
    await expect(orderArticle.getByText('0 of 4 approved')).toBeVisible();
    await expect(orderArticle.getByText('4 to review')).toBeVisible({ timeout: 150_000 });
    await expectAccessible(adminPage);
    const previewButton = orderArticle.getByRole('button', { name: /^Preview/ }).first();
    await previewButton.hover();
    await expect
      .poll(() => previewButton.locator('video').evaluate((it: HTMLVideoElement) => it.currentTime))
      .toBeGreaterThan(0);
    await previewButton.click();
    await expect(adminPage.getByRole('dialog')).toBeVisible();
    await expectAccessible(adminPage);
    // One key approves and goes to the next video. Fast key presses are not lost.
    await adminPage.keyboard.press('a');
    await adminPage.keyboard.press('a');
    await expect(orderArticle.getByText('2 of 4 approved')).toBeVisible();
    await adminPage.keyboard.press('Escape');
    await orderArticle.getByRole('button', { name: 'Approve all' }).click();
    await adminPage.getByRole('dialog').getByRole('button', { name: 'Approve all' }).click();
    await expect(orderArticle.getByText('4 of 4 approved')).toBeVisible();
  });

  await test.step('the customer watches and downloads them', async () => {
    const url = await waitForEmailedLink(email, /http\S+\/delivery\/[\w-]+/);
    const visitorContext = await context.browser()!.newContext({ viewport: page.viewportSize()! });
    const deliveryPage = await visitorContext.newPage();
    await deliveryPage.goto(url);
    await expect(deliveryPage.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(deliveryPage);
    const downloads = await deliveryPage
      .locator('a[href*="download="]')
      .evaluateAll((links) => links.map((it) => (it as HTMLAnchorElement).href));
    const uniqueDownloads = [...new Set(downloads)].filter((it) => it.includes('.mp4')); // without the still picture
    expect(uniqueDownloads).toHaveLength(4);
    const { path: ffmpeg } = await findFfmpeg();
    for (const [index, href] of uniqueDownloads.entries()) {
      const response = await visitorContext.request.get(href);
      expect(response.status()).toBe(200);
      const file = join(tmpdir(), `delivered-${index}.mp4`);
      writeFileSync(file, await response.body());
      expect(await readVideoFacts(ffmpeg, file)).toMatchObject({
        codec: 'h264',
        pixelFormat: 'yuv420p',
        width: 1280,
        height: 800,
      });
      expect(await isFaststart(file)).toBe(true);
    }
    expect((await visitorContext.request.get(uniqueDownloads[0]!, { headers: { range: 'bytes=0-99' } })).status()).toBe(
      206,
    );
    // Without the link, no one can download.
    expect(
      (
        await context
          .browser()!
          .newContext()
          .then((stranger) => stranger.request.get(uniqueDownloads[0]!))
      ).status(),
    ).toBe(404);
  });
});
