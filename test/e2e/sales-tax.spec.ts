import { cards, createFrameOwner, findPayButton, payWithCard } from './buying.ts';
import { expect, expectAccessible, test } from './fixtures.ts';

test.use({ settings: { STRIPE_TAX: 'on' } });

test('the buyer’s location is asked for once, and sent to the bank with the card @phone-only', async ({
  page,
  context,
  baseURL,
  expectProblem,
}) => {
  expectProblem(/400/); // the shop refuses a payment without a location, and the page asks for it
  await createFrameOwner(context, baseURL!, { gift: { recipientName: 'Maria Winter' } }); // a gift has the recipient's address, not the buyer's
  await page.goto('/upload');
  await page.getByRole('button', { name: 'Buy More Photos' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Continue to payment' }).click();
  const locationForm = page.getByRole('form', { name: 'Where you live' });
  await locationForm.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('ZIP code is required').first()).toBeVisible();
  await locationForm.getByLabel('ZIP code').fill(' 10001 ');
  await locationForm.getByRole('button', { name: 'Continue' }).click();
  await expect(findPayButton(page)).toBeEnabled();
  await expect(page.getByLabel(/^ZIP code/)).toHaveCount(0);
  await expect(page.getByLabel('My card’s billing ZIP code is also 10001')).toBeChecked();
  await expectAccessible(page);
  const confirmedRequestPromise = page.waitForRequest(/payment_intents\/[^/]+\/confirm/);
  await payWithCard(page, cards.pays);
  expect(
    new URLSearchParams((await confirmedRequestPromise).postData()!).get(
      'payment_method_data[billing_details][address][postal_code]',
    ),
  ).toBe('10001');
  await expect(page.getByText(/^0 of 30 photos used/).first()).toBeVisible();
});
