import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import sharp from 'sharp';
import { Cable } from '../faults/cable.ts';
import { anna } from '../people.ts';
import { cards } from './buying.ts';
import { expect, expectAccessible, test } from './fixtures.ts';

/** A customer with an open frame, signed in here. */
async function ownFrame({ request }: BrowserContext, baseURL: string) {
  const post = async (path: string, more: object) => {
    const answer = await request.post(path, { headers: { origin: baseURL }, ...more });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer.json();
  };
  const customerDetails = { ...anna, email: `photos-${crypto.randomUUID()}@example.com` };
  const cart = { productId: 'kinframe', quantity: 1, extraPackages: 0, customerDetails };
  const { paymentIntentId, clientSecret } = await post('/api/create-payment-intent', { data: cart });
  await post(`/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
    form: {
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': cards.pays,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2040',
      'payment_method_data[card][cvc]': '123',
      return_url: `${baseURL}/payment-success`,
    },
  });
  await post('/api/verify-payment', { data: { paymentIntentId } });
  await post('/api/complete-registration', { data: { password: 'Sunflower-Field-7' } });
}

/** Photos of half a megabyte, as noisy as real ones. */
const tenPhotos = () =>
  Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const file = join(tmpdir(), `kinframe-holiday-${index}.jpg`);
      const noise = { type: 'gaussian', mean: 90 + 10 * index, sigma: 40 } as const;
      await sharp({ create: { width: 900, height: 600, channels: 3, background: '#888', noise } })
        .jpeg()
        .toFile(file);
      return file;
    }),
  );
const photoFiles = (page: Page) => page.locator('input[type=file][multiple]');
const done = (page: Page) => page.getByRole('button', { name: "I'm Done" });

test.beforeEach(({ context, baseURL }) => ownFrame(context, baseURL!));

test('ten photos over a line that is cut half way arrive by themselves, each once, and a wrong file is named @phone', async ({
  page,
  context,
  baseURL,
  expectProblem,
}) => {
  expectProblem(/ERR_|Failed to load resource/); // the line is cut
  const cable = await Cable.to(Number(new URL(baseURL!).port));
  await page.goto(`http://localhost:${cable.port}/upload`);
  await expect(photoFiles(page)).toBeEnabled();
  const network = await context.newCDPSession(page);
  const throttle = { offline: false, latency: 50, downloadThroughput: -1, uploadThroughput: 100_000 };
  await network.send('Network.emulateNetworkConditions', throttle);
  const letter = join(tmpdir(), 'kinframe-letter.pdf');
  writeFileSync(letter, 'no photo');
  await photoFiles(page).setInputFiles([...(await tenPhotos()), letter]);
  await expect(
    page.getByText('These files are not supported: kinframe-letter.pdf. Please use JPEG, PNG, HEIC').first(),
  ).toBeVisible();
  await expect(page.getByText('10 photos on the way. Please keep this page open.')).toBeVisible();
  await expect(done(page)).toBeDisabled();
  await expect(page.getByText(/^[1-9]\d?%$/).nth(3)).toBeVisible(); // several are half way
  await expectAccessible(page);
  await cable.cut();
  await expect(page.getByText('Waiting...', { exact: true })).toHaveCount(10);
  await cable.mend();
  await network.send('Network.emulateNetworkConditions', { ...throttle, uploadThroughput: -1 });
  await expect(page.getByText('10 of 20 photos').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText("Add up to 10 more, or tap I'm Done.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: /^View kinframe-holiday-/ })).toHaveCount(10);
  await cable.cut();
});

test('two phones on one account: what one has done, the other can do again without an error', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/status of 409/); // the second "I'm Done"
  const [first, second] = (await tenPhotos()) as [string, string];
  await page.goto('/upload');
  await expect(photoFiles(page)).toBeEnabled();
  await photoFiles(page).setInputFiles([first, second]);
  await expect(page.getByText('2 of 20 photos').first()).toBeVisible();
  const other = await context.newPage();
  await other.goto('/upload');
  for (const phone of [page, other]) {
    await phone.getByRole('button', { name: 'Delete kinframe-holiday-0.jpg' }).click();
    await phone.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(phone.getByText('1 of 20 photos').first()).toBeVisible();
  }
  await photoFiles(other).setInputFiles(first);
  await expect(other.getByText('2 of 20 photos').first()).toBeVisible();
  for (const phone of [page, other]) {
    await done(phone).click();
    // The other one's photo is counted, though this page has not been loaded again.
    await expect(phone.getByText('Once you are done, the 2 photos of Kinframe 1 cannot be changed')).toBeVisible();
  }
  for (const phone of [page, other]) {
    await phone.getByRole('button', { name: "Yes, I'm Done!" }).click();
    await expect(phone).toHaveURL(/\/upload-complete\?finalized=true/);
    await expect(phone.getByText('All 2 photos are with us.')).toBeVisible();
  }
});

test('before the lock people hear of photos that did not arrive and of the frame nobody can reach', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/status of 415/);
  const [photo] = await tenPhotos();
  const pretender = join(tmpdir(), 'kinframe-pretender.jpg');
  writeFileSync(pretender, 'Dear all, this is no photo.');
  await page.goto('/upload');
  await expect(photoFiles(page)).toBeEnabled();
  await photoFiles(page).setInputFiles([photo!, pretender]);
  await expect(page.getByText('1 photo did not arrive. Tap Retry on it.')).toBeVisible();
  await done(page).click();
  const dialog = page.getByRole('dialog');
  await expect(
    dialog.getByText('1 photo did not arrive. Go back and tap Retry, or we go on without it.'),
  ).toBeVisible();
  await expect(dialog.getByText('There is still room for 19 more photos.')).toBeVisible();
  await expect(dialog.getByText('We do not know how to reach your frame yet.')).toBeVisible();
  await expectAccessible(page);
});

test('a photo let go beside its place does not take the page away', async ({ page }) => {
  await page.goto('/upload');
  await expect(photoFiles(page)).toBeEnabled();
  const stays = await page.getByRole('heading', { level: 1 }).evaluate((place) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['photo'], 'kite.jpg', { type: 'image/jpeg' }));
    const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    place.dispatchEvent(event);
    return event.defaultPrevented;
  });
  expect(stays).toBe(true);
});
