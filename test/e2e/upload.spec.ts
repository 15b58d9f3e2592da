import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { toShopDay } from '#contract/calendar.ts';
import { refusals } from '#contract/refusals.ts';
import { TcpProxy } from '../faults/tcp-proxy.ts';
import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, drawRealPhotos, test } from './fixtures.ts';

/** Photos of half a megabyte, as noisy as real ones. */
const drawPhotosOf = (length: number) =>
  Promise.all(
    Array.from({ length }, async (_, index) => {
      const file = join(tmpdir(), `kinframe-holiday-${index}.jpg`);
      const noise = { type: 'gaussian', mean: 60 + 6 * index, sigma: 40 } as const;
      await sharp({ create: { width: 900, height: 600, channels: 3, background: '#888', noise } })
        .jpeg()
        .toFile(file);
      return file;
    }),
  );
const findPhotoInput = (page: Page) => page.locator('input[type=file][multiple]');
const findDoneButton = (page: Page) => page.getByRole('button', { name: "I'm Done" });

test.beforeEach(({ context, baseURL }) => createFrameOwner(context, baseURL!));

test('twenty photos arrive once each, despite a cut connection and a reload @phone-only', async ({
  page,
  context,
  baseURL,
  expectProblem,
}) => {
  expectProblem(/ERR_|Failed to load resource/); // the test cuts the connection during the upload
  page.on('dialog', (dialog) => void dialog.accept()); // leaving while photos are uploading
  const shopProxy = await TcpProxy.startTo(Number(new URL(baseURL!).port));
  await page.goto(`http://localhost:${shopProxy.port}/upload`);
  await expect(findPhotoInput(page)).toBeEnabled();
  const devToolsSession = await context.newCDPSession(page);
  const throttle = { offline: false, latency: 50, downloadThroughput: -1, uploadThroughput: 100_000 };
  await devToolsSession.send('Network.emulateNetworkConditions', throttle);
  const letterPdfPath = join(tmpdir(), 'kinframe-letter.pdf');
  writeFileSync(letterPdfPath, 'no photo');
  await findPhotoInput(page).setInputFiles([...(await drawPhotosOf(20)), letterPdfPath]);
  await expect(
    page.getByText('These files are not supported: kinframe-letter.pdf. Please use JPEG, PNG, HEIC').first(),
  ).toBeVisible();
  await expect(page.getByText('20 photos uploading.').first()).toBeVisible();
  await expect(findDoneButton(page)).toBeDisabled();
  await expect(page.getByText(/^[1-9]\d?%$/).nth(3)).toBeVisible(); // several are partly uploaded
  await expectAccessible(page);
  await page.getByRole('link', { name: /, home$/ }).click();
  await page
    .getByRole('dialog', { name: 'Photos are still uploading' })
    .getByRole('button', { name: 'Stay here' })
    .click();
  await expect(page).toHaveURL(/\/upload$/);
  await shopProxy.cut();
  const waitingLabel = page.getByText('Waiting...', { exact: true });
  const uploadedPhotos = page.getByRole('button', { name: /^View kinframe-holiday-/ });
  await expect.poll(async () => (await waitingLabel.count()) + (await uploadedPhotos.count())).toBe(20);
  expect(await waitingLabel.count()).toBeGreaterThan(5);
  await shopProxy.repair();
  await page.reload(); // before the upload has resumed automatically
  await expect(page.getByRole('button', { name: /^Cancel kinframe-holiday-/ }).first()).toBeVisible();
  await devToolsSession.send('Network.emulateNetworkConditions', { ...throttle, uploadThroughput: -1 });
  await expect(page.getByText('20 of 20 photos').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: /^View kinframe-holiday-/ })).toHaveCount(20);
  await page.reload();
  await expect(page.getByRole('button', { name: /^View kinframe-holiday-/ })).toHaveCount(20);
  await expect(page.getByRole('button', { name: /^Cancel / })).toHaveCount(0);
  await shopProxy.cut();
});

test('a contributor’s photos arrive once each, despite a cut connection and a reload @phone-only', async ({
  page,
  context,
  baseURL,
  expectProblem,
}) => {
  expectProblem(/ERR_|Failed to load resource/); // the test cuts the connection during the upload
  page.on('dialog', (dialog) => void dialog.accept());
  const { frames } = await (await context.request.get('/api/frame-photo-limits')).json();
  const linkResponse = await context.request.post(`/api/devices/${frames[0].deviceId}/collect-link`, {
    headers: { origin: baseURL! },
    data: { name: 'A feast', lastDay: toShopDay(Date.now()) },
  });
  await context.clearCookies();
  const shopProxy = await TcpProxy.startTo(Number(new URL(baseURL!).port));
  await page.goto(`http://localhost:${shopProxy.port}${new URL((await linkResponse.json()).url).pathname}`);
  const addPhotosButton = page.getByRole('button', { name: 'Add photos' });
  await expect(addPhotosButton).toBeEnabled();
  await page.getByLabel('Your first name').fill('Lina');
  await addPhotosButton.click();
  await expect(findPhotoInput(page)).toBeEnabled();
  const network = await context.newCDPSession(page);
  const throttle = { offline: false, latency: 50, downloadThroughput: -1, uploadThroughput: 100_000 };
  await network.send('Network.emulateNetworkConditions', throttle);
  await findPhotoInput(page).setInputFiles(await drawPhotosOf(8));
  await expect(page.getByText(/^[1-9]\d?%$/).nth(2)).toBeVisible();
  await expect(page.getByText('8 photos uploading')).toBeVisible();
  await expectAccessible(page);
  await shopProxy.cut();
  await expect(page.getByText('Waiting...', { exact: true })).toHaveCount(8);
  await shopProxy.repair();
  let resumedUploadCount = 0;
  page.on('request', (request) => (resumedUploadCount += request.method() === 'HEAD' ? 1 : 0));
  await page.reload(); // before the upload has resumed automatically
  await expect(page.getByRole('button', { name: /^Cancel kinframe-holiday-/ }).first()).toBeVisible();
  await network.send('Network.emulateNetworkConditions', { ...throttle, uploadThroughput: -1 });
  await expect(page.getByText('Thank you, Lina!')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('8 photos', { exact: true })).toBeVisible();
  expect(resumedUploadCount).toBeGreaterThan(0); // the uploads continued where they had stopped
  await page.reload();
  await expect(page.getByRole('button', { name: /^View kinframe-holiday-/ })).toHaveCount(8);
  await expect(page.getByRole('button', { name: /^Cancel / })).toHaveCount(0);
  await shopProxy.cut();
});

test('a picture reloads after a lost connection, and the page says why the photos are waiting @phone-only', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/ERR_|Failed to load resource/); // the test takes the browser offline
  const photoPaths = await drawPhotosOf(2);
  const areShown = () =>
    page
      .locator('img[src^="/uploads/"]')
      .evaluateAll((pictures) => pictures.every((it) => (it as HTMLImageElement).naturalWidth > 0));
  await page.goto('/upload');
  await expect(findPhotoInput(page)).toBeEnabled();
  await page.route('**/uploads/**', (route) => route.abort());
  const waitingMessage = page
    .getByText('1 photo waiting for an internet connection. It continues automatically.')
    .first();
  await context.setOffline(true); // before any photo was uploaded
  await findPhotoInput(page).setInputFiles(photoPaths[0]!);
  await expect(waitingMessage).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('1 of 20 photos').first()).toBeVisible();
  await context.setOffline(true);
  await findPhotoInput(page).setInputFiles(photoPaths[1]!);
  await expect(waitingMessage).toBeVisible();
  await expectAccessible(page);
  expect(await areShown()).toBe(false);
  await page.unroute('**/uploads/**');
  await context.setOffline(false);
  await expect(page.getByText('2 of 20 photos').first()).toBeVisible();
  await expect.poll(areShown).toBe(true);
});

test('a HEIC is shown before it is uploaded, even in a browser that cannot decode it @phone-only', async ({ page }) => {
  let releaseArrivals = () => {};
  const releasedPromise = new Promise<void>((resolve) => (releaseArrivals = resolve));
  await page.route('**/arrivals**', async (route) => {
    await releasedPromise;
    await route.continue();
  });
  await page.goto('/upload');
  await expect(findPhotoInput(page)).toBeEnabled();
  const readTileSize = (name: string) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: `Cancel ${name}` }) })
      .locator('img')
      .evaluate((it: HTMLImageElement) => [it.naturalWidth, it.naturalHeight], { timeout: 1000 })
      .catch(() => [0, 0]);
  await findPhotoInput(page).setInputFiles((await drawRealPhotos()).filter((it) => it.endsWith('.heic')));
  await expect.poll(() => readTileSize('phone.heic')).toEqual([480, 360]);
  // If a file has several pictures, the main one is shown.
  const buffer = readFileSync(join(import.meta.dirname, '../photos/second-is-primary.heic'));
  await findPhotoInput(page).setInputFiles({ name: 'several.heic', mimeType: 'image/heic', buffer });
  await expect.poll(() => readTileSize('several.heic')).toEqual([64, 128]);
  await page.getByRole('button', { name: 'Cancel several.heic' }).click();
  releaseArrivals();
  await expect(page.getByRole('button', { name: 'View phone.heic' })).toBeVisible();
});

test('a photo without a free place is kept, and uploaded once there is one', async ({ page, expectProblem }) => {
  expectProblem(/status of 409/);
  const text = refusals['photo-limit-reached'].words;
  await page.route('**/api/arrivals', (route) =>
    route.fulfill({ status: 409, json: { code: 'photo-limit-reached', error: text, message: text } }),
  );
  await page.goto('/upload');
  await expect(findPhotoInput(page)).toBeEnabled();
  await findPhotoInput(page).setInputFiles(await drawPhotosOf(1));
  await expect(page.getByRole('button', { name: 'Retry kinframe-holiday-0.jpg' })).toBeVisible();
  await page.unroute('**/api/arrivals'); // as if the customer had bought more places
  await page.reload();
  await expect(page.getByText('1 of 20 photos').first()).toBeVisible();
});

test('two phones on one account can both delete and finalize without an error', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/status of 409/); // the response to the second "I'm Done"
  const [first, second] = (await drawPhotosOf(2)) as [string, string];
  await page.goto('/upload');
  await expect(findPhotoInput(page)).toBeEnabled();
  await findPhotoInput(page).setInputFiles([first, second]);
  await expect(page.getByText('2 of 20 photos').first()).toBeVisible();
  const otherTab = await context.newPage();
  await otherTab.goto('/upload');
  for (const tab of [page, otherTab]) {
    await tab.getByRole('button', { name: 'Delete kinframe-holiday-0.jpg' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(tab.getByText('1 of 20 photos').first()).toBeVisible();
  }
  await findPhotoInput(otherTab).setInputFiles(first);
  await expect(otherTab.getByText('2 of 20 photos').first()).toBeVisible();
  for (const tab of [page, otherTab]) {
    await findDoneButton(tab).click();
    // The other phone's photo is counted, although this page has not been reloaded.
    await expect(tab.getByText('Once you’re done, the 2 photos on Kinframe 1 can’t be changed')).toBeVisible();
  }
  for (const tab of [page, otherTab]) {
    await tab.getByRole('button', { name: "Yes, I'm Done!" }).click();
    await expect(tab).toHaveURL(/\/upload-complete\?finalized=true/);
    await expect(tab.getByText('We have all 2 of your photos.')).toBeVisible();
  }
});

test('before finalizing, the dialog mentions unusable photos and no missing connection; no retry is offered', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/status of 415/);
  const [photo] = await drawPhotosOf(1);
  const textFileNamedJpg = join(tmpdir(), 'kinframe-pretender.jpg');
  writeFileSync(textFileNamedJpg, 'Dear all, this is no photo.');
  await page.goto('/upload');
  await expect(findPhotoInput(page)).toBeEnabled();
  await findPhotoInput(page).setInputFiles([photo!, textFileNamedJpg]);
  await expect(page.getByText('1 photo can’t be used. Please remove it.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Retry/ })).toHaveCount(0);
  await findDoneButton(page).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('1 photo can’t be used. We’ll continue without it.')).toBeVisible();
  await expect(dialog.getByText('You still have room for 19 more photos.')).toBeVisible();
  await expect(dialog.getByText(/frame isn’t connected yet/)).toHaveCount(0); // a frame has no code before it arrives
  await expectAccessible(page);
});

test('a photo dropped next to the upload area does not navigate away', async ({ page }) => {
  await page.goto('/upload');
  await expect(findPhotoInput(page)).toBeEnabled();
  const isHandledByPage = await page.getByRole('heading', { level: 1 }).evaluate((place) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['photo'], 'kite.jpg', { type: 'image/jpeg' }));
    const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    place.dispatchEvent(event);
    return event.defaultPrevented;
  });
  expect(isHandledByPage).toBe(true);
});
