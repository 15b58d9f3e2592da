import type { Page } from '@playwright/test';
import { buyGiftCardThroughApi } from './buying-behind-pages.ts';
import { cards, createFrameOwner, findPayButton, payWithCard } from './buying.ts';
import { expect, expectAccessible, test, waitForHydration } from './fixtures.ts';

test.beforeEach(({ context, baseURL }) => createFrameOwner(context, baseURL!));

/** Goes from the photos to the card form with this number of packages. */
async function choosePackages(page: Page, packages = 1) {
  await page.goto('/upload');
  await page.getByRole('button', { name: 'Buy More Photos' }).click();
  const dialog = page.getByRole('dialog', { name: 'Buy More Photos' });
  await expect(dialog).toBeVisible();
  for (let i = 1; i < packages; i++) await dialog.getByRole('button', { name: 'Increase packages' }).click();
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'Continue to payment' }).click();
  await expect(page).toHaveURL(/\/addon-checkout\?device=.+&deviceName=Kinframe(\+|%20)1&quantity=\d/);
  await expect(findPayButton(page)).toBeEnabled();
}
const hasRoomFor = (page: Page, photos: number) =>
  expect(page.getByText(new RegExp(`^0 of ${photos} photos used`)).first()).toBeVisible();

test('after a declined card, the customer pays with another card and can add 20 more photos @phone', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/402/);
  await choosePackages(page, 2);
  const summary = page.getByRole('complementary', { name: 'Order summary' });
  await expect(summary).toContainText('+10 Photo Package × 2');
  await expect(summary).toContainText('Tax$0.00');
  await expect(summary).toContainText('Total$19.98');
  await expectAccessible(page);
  await payWithCard(page, cards.declines);
  await expect(page.getByText('Payment Failed').first()).toBeVisible();
  await payWithCard(page, cards.pays);
  await expect(page.getByText('Added room for 20 more photos to Kinframe 1.').first()).toBeVisible();
  await expect(page).toHaveURL(/\/upload(\?frameId=[\w-]+)?$/);
  await hasRoomFor(page, 40);
});

test('a bank’s authentication page leads back to the photos @phone-only', async ({ page }) => {
  await choosePackages(page);
  await payWithCard(page, cards.authenticates);
  await page.getByRole('button', { name: 'Approve payment' }).click();
  await expect(page.getByText('Added room for 10 more photos to Kinframe 1.').first()).toBeVisible();
  await expect(page).toHaveURL(/\/upload(\?frameId=[\w-]+)?$/);
  await hasRoomFor(page, 30);
});

test('the page waits while the bank delays the payment @phone-only', async ({ page }) => {
  await choosePackages(page);
  await payWithCard(page, cards.delays);
  await expect(page.getByRole('heading', { name: 'Your payment is processing' })).toBeVisible();
  await expect(page.getByText('Added room for 10 more photos').first()).toBeVisible({ timeout: 30_000 });
  await hasRoomFor(page, 30);
});

test('purchase parameters in the address are not trusted, and are removed', async ({ page, expectProblem }) => {
  await page.goto('/upload?addon=success&session_id=cs_test_invented');
  await expect(page.getByText('Verification Failed').first()).toBeVisible();
  await expect(page).toHaveURL(/\/upload$/);
  await hasRoomFor(page, 20);
  await page.goto('/upload?addon=cancelled');
  await expect(page.getByText('Purchase cancelled').first()).toBeVisible();
  await expect(page).toHaveURL(/\/upload$/);

  expectProblem(/404/);
  await page.goto('/addon-checkout?device=somebody-elses&deviceName=Mine&quantity=1');
  await expect(page.getByText('Error', { exact: true }).first()).toBeVisible();
  await expect(page).toHaveURL(/\/upload$/);
});

test('a frame of a canceled order keeps its videos, and the page offers nothing to buy or connect @phone', async ({
  page,
}) => {
  let changes: object = { isCanceled: true, uploadFinalized: true, videosReadyAt: new Date().toISOString() };
  await page.route('**/api/frame-photo-limits*', async (route) => {
    const limits = (await (await route.fetch()).json()) as { frames: object[] };
    await route.fulfill({ json: { ...limits, frames: limits.frames.map((it) => ({ ...it, ...changes })) } });
  });
  // The server renders the first page with the real frame. A link loads the changed one.
  const openPhotos = async () => {
    await page.goto('/connect');
    await waitForHydration(page);
    await page.getByRole('main').getByRole('link', { name: 'My Uploads' }).click();
  };
  await openPhotos();
  const keptHeading = page.getByRole('heading', { name: 'Your videos are yours to keep' });
  await expect(keptHeading).toBeVisible();
  await expect(page.getByRole('button', { name: 'Watch your videos' })).toBeVisible();
  for (const buttonName of ['Buy More Photos', "I'm Done"])
    await expect(page.getByRole('button', { name: buttonName })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Connect the frame' })).toHaveCount(0);
  await expectAccessible(page);

  changes = { ...changes, isErased: true };
  await openPhotos();
  await expect(page.getByRole('heading', { name: 'Photos and videos deleted' })).toBeVisible();
  await expect(page.getByText('This order was canceled, so it takes no more photos.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Watch your/ })).toHaveCount(0);
  await expect(page.getByText('No photos yet')).toHaveCount(0);
  await expectAccessible(page);
});

test('a gift card pays for more photos, alone or together with a card @phone', async ({ page }) => {
  const code = await buyGiftCardThroughApi(page, 3_000);
  const summary = page.getByRole('complementary', { name: 'Order summary' });
  const addGiftCard = async () => {
    await summary.getByRole('button', { name: 'Add a gift card' }).click();
    await summary.getByRole('textbox', { name: 'Gift card' }).fill(code);
    await summary.getByRole('button', { name: 'Apply' }).click();
  };

  await test.step('the gift card pays everything, and no card is needed', async () => {
    await choosePackages(page);
    await addGiftCard();
    await expect(summary).toContainText('pays $9.99');
    await expect(summary).toContainText('Left to pay$0.00');
    await expect(page.getByText('Your gift cards pay for everything. You don’t need a card.')).toBeVisible();
    await expectAccessible(page);
    await summary.getByRole('button', { name: 'Remove gift card' }).click();
    await expect(findPayButton(page)).toBeEnabled();
    await addGiftCard();
    await page.getByRole('button', { name: 'Place order' }).dblclick();
    await expect(page.getByText('Added room for 10 more photos to Kinframe 1.').first()).toBeVisible();
    await hasRoomFor(page, 30);
  });

  await test.step('the gift card pays what it still has, and a card pays the rest', async () => {
    await choosePackages(page, 3);
    await expect(summary.getByText('Gift card ending in')).toHaveCount(0); // the code is not kept after the purchase
    await addGiftCard();
    await expect(summary).toContainText('pays $20.01');
    await expect(summary).toContainText('Left to pay$9.96');
    await expectAccessible(page);
    await payWithCard(page, cards.pays);
    await expect(page.getByText('Added room for 30 more photos to Kinframe 1.').first()).toBeVisible();
    await hasRoomFor(page, 60);
  });

  await test.step('an empty gift card is refused next to its field', async () => {
    await choosePackages(page);
    await addGiftCard();
    await expect(
      summary.getByText(`There’s no money left on the gift card ending in ${code.slice(-4)}.`),
    ).toBeVisible();
    await expect(findPayButton(page)).toBeEnabled();
  });
});
