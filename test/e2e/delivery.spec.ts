import type { APIRequestContext, Browser, Page } from '@playwright/test';
import { expect, expectAccessible, shopOrigin, signInAsOwner, test } from './fixtures.ts';
import { cards, finishTwoPhotos, payWithCard, fillBuyerDetails } from './buying.ts';

/** Prepares a customer on My Uploads with two finalized photos, and the owner's session. */
async function finalizeFrame(page: Page, browser: Browser, email: string) {
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await fillBuyerDetails(page, email);
  await payWithCard(page, cards.pays);
  await expect(page).toHaveURL(/\/complete-registration/);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('Sunflower-Field-7');
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('Sunflower-Field-7');
  await page.getByRole('button', { name: /create|complete/i }).click();
  await expect(page).toHaveURL(/\/upload\?frameId=/);
  const frameId = new URL(page.url()).searchParams.get('frameId')!;
  await finishTwoPhotos(page);
  const ownerPage = await (await browser.newContext()).newPage();
  await signInAsOwner(ownerPage);
  return { frameId, admin: ownerPage, owner: ownerPage.request };
}

async function callAsOwner(owner: APIRequestContext, method: string, path: string) {
  const response = await owner.fetch(path, { method, headers: { origin: shopOrigin() } });
  expect(response.ok(), `${method} ${path}: ${await response.text()}`).toBe(true);
  return response.json();
}

test('a player shows new videos without a reload, works offline, and stops when its link is ended', async ({
  page,
  browser,
}) => {
  test.setTimeout(400_000); // two videos are made and played to their end
  const { frameId, admin, owner } = await finalizeFrame(page, browser, 'screen@example.com');
  const readVideos = async () => {
    const orders = await callAsOwner(owner, 'GET', '/api/admin/production-orders');
    const frames = orders.flatMap((order: { frames: { id: string }[] }) => order.frames);
    return frames.find((frame: { id: string }) => frame.id === frameId).videos as { id: string; state: string }[];
  };
  const { url } = await callAsOwner(owner, 'POST', `/api/admin/devices/${frameId}/player`);
  const livingRoomContext = await browser.newContext();
  const livingRoomPage = await livingRoomContext.newPage();
  const problems: string[] = [];
  livingRoomPage.on('pageerror', (error) => problems.push(error.message));
  await livingRoomPage.clock.install();
  await livingRoomPage.goto(url);
  await expect(livingRoomPage.getByText('Your videos are loading')).toBeVisible();
  /** The player sends three requests per minute. Moving the clock ahead triggers the next one now. */
  const triggerPoll = () => livingRoomPage.clock.fastForward(20_000);
  await expect
    .poll(async () => (await readVideos()).map((it) => it.state), { timeout: 150_000 })
    .toEqual(['rendered', 'rendered']);
  const [first, second] = await readVideos();
  const expectPlaying = (id: string) =>
    expect(livingRoomPage.locator(`html[data-playing="${id}"]`)).toBeAttached({ timeout: 60_000 });
  await callAsOwner(owner, 'POST', `/api/admin/videos/${first!.id}/approve`);
  await triggerPoll();
  await expectPlaying(first!.id);
  await callAsOwner(owner, 'POST', `/api/admin/videos/${second!.id}/approve`);
  await triggerPoll();
  await expectPlaying(second!.id);
  const listCachedUrls = () =>
    livingRoomPage.evaluate(async () => (await (await caches.open('play-1')).keys()).map((it) => it.url));
  await expect.poll(async () => (await listCachedUrls()).filter((it) => it.includes('.mp4')).length).toBe(2);

  await livingRoomContext.setOffline(true);
  await expectPlaying(first!.id);
  await expectPlaying(second!.id);
  await livingRoomPage.reload(); // as after a power cut, still without a network
  await expectPlaying(first!.id);
  await expectPlaying(second!.id);
  await livingRoomContext.setOffline(false);
  await callAsOwner(owner, 'DELETE', `/api/admin/devices/${frameId}/player`);
  await triggerPoll();
  await expect(livingRoomPage.getByRole('heading', { name: 'This screen no longer has any videos' })).toBeVisible({
    timeout: 60_000,
  });
  await expect.poll(async () => (await listCachedUrls()).filter((it) => it.includes('.mp4'))).toEqual([]);
  expect(problems).toEqual([]);

  await test.step('the customer watches, adds a title, shares, compares and asks for a video again', async () => {
    await page.goto(`/upload?frameId=${frameId}`);
    await page.getByRole('button', { name: 'Watch your videos' }).click();
    await expect(page).toHaveURL(/\/delivery\//);
    await expectAccessible(page);
    await expect(page.getByText(/for good/i)).toHaveCount(0);
    await page.getByRole('button', { name: 'Play Video 1' }).press('Enter');
    await expect(page.locator('.picture-screen video')).toBeFocused(); // the pressed button has disappeared
    await page.getByRole('button', { name: 'Play all' }).click();
    await expect
      .poll(() => page.locator('.picture-screen video').evaluate((it: HTMLVideoElement) => it.currentTime))
      .toBeGreaterThan(0.2);
    await page.getByText('What was done').click();
    await expect(page.getByText(/^Motion: .+\.$/)).toBeVisible();
    await page.getByRole('button', { name: 'Add a title' }).click();
    await page.getByLabel(/Title/).fill('Tea in the garden');
    await page.getByRole('button', { name: 'Save title' }).click();
    await expect(page.getByText('Tea in the garden').first()).toBeVisible();
    const pictureDownload = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download a picture of Tea in the garden' }).click();
    expect((await pictureDownload).suggestedFilename()).toBe('01-Tea-in-the-garden.jpg');
    await page.getByRole('button', { name: 'Before and after' }).click();
    await page.getByLabel('How much of the photo to show').press('ArrowRight');
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Make a link to share' }).click();
    await page.getByRole('button', { name: 'Make the link', exact: true }).click();
    await expect(page.getByRole('img', { name: 'QR code of the shared link' })).toBeVisible();
    const link = (await page.getByRole('dialog').locator('.font-mono').textContent())!;
    const guestPage = await (await browser.newContext()).newPage();
    await guestPage.goto(link);
    await expect(guestPage.getByText('Tea in the garden').first()).toBeVisible();
    await expect(guestPage.getByRole('button', { name: 'Make this one again' })).toHaveCount(0);
    await expectAccessible(guestPage);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^End the link/ }).click();
    await expect(page.getByRole('button', { name: /^End the link/ })).toHaveCount(0);
    await guestPage.reload();
    await expect(guestPage.getByRole('heading', { name: 'This page has closed' })).toBeVisible();

    await page.getByRole('button', { name: 'Before and after' }).click(); // while on, the arrow keys move its slider
    await page.getByRole('button', { name: 'Make this one again' }).click();
    // The arrow key must not change the video behind the dialog.
    await page.getByRole('button', { name: 'Make it again' }).press('ArrowRight');
    await expect(page.getByText('1 of 2 ·')).toBeVisible();
    await page.getByRole('button', { name: 'Make it again' }).click();
    await expect(page.getByText('Please tell us what we should change')).toBeVisible();
    await page.getByLabel('What should we change?').fill('A little calmer, please');
    await page.getByRole('button', { name: 'Make it again' }).click();
    await expect(page.getByText(/We’re making a new version of “Tea in the garden”/)).toBeVisible();
    await expect(page.getByText('1 of 2 ·')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Make this one again' })).toHaveCount(0);
  });

  await test.step('the owner keeps the earlier video, and must confirm a redo of an approved one', async () => {
    await admin.goto('/admin?tab=production');
    const orderArticle = admin.locator('article').filter({ hasText: 'screen@example.com' }).first();
    await orderArticle.getByRole('button', { name: /^Show videos of/ }).click();
    const firstPhotoTile = orderArticle.getByRole('article').first();
    await expect(firstPhotoTile.getByText(/the customer’s page shows/)).toBeVisible();
    await expectAccessible(admin);
    await firstPhotoTile.getByRole('button', { name: /^Keep the earlier video/ }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Keep the earlier one' }).click();
    await expect(firstPhotoTile.getByText('Approved', { exact: true })).toBeVisible();
    await firstPhotoTile.getByRole('button', { name: /^Redo/ }).click();
    await expectAccessible(admin);
    await admin.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(firstPhotoTile.getByText('Approved', { exact: true })).toBeVisible();
    await page.reload();
    await expect(page.getByText(/making a new version/)).toHaveCount(0);
    await expect(page.getByText('1 of 2 ·')).toBeVisible();
  });
});
