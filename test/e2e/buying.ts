import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import { anna } from '../people.ts';
import { drawRealPhotos } from './fixtures.ts';

/** Test cards of the sandbox. */
export const cards = {
  pays: '4242424242424242',
  declines: '4000000000000002',
  authenticates: '4000002500003155',
  delays: '4000000000000077',
};

/** Fills in the first step of checkout and continues to the second. */
export async function fillBuyerDetails(page: Page, email: string, { shipped = true, country = 'US' } = {}) {
  await page.getByLabel('First name').fill('Rose');
  await page.getByLabel('Last name').fill('Winter');
  await page.getByLabel('Email').fill(email);
  if (shipped) {
    await page.getByLabel('Country').selectOption(country);
    await page.getByLabel('Address', { exact: true }).fill('12 Linden Street');
    // The page shows this label when it has the country's address format. It then also empties the postal code.
    if (country === 'US') await page.getByLabel('ZIP code').fill('97201');
    else await page.getByLabel('Postal code').fill('k1a0b1');
    // The ZIP code fills in the same city and state, before or after this.
    await page.getByLabel('City').fill(country === 'US' ? 'Portland' : 'Ottawa');
    await page.getByLabel(/^(State|Province or territory)$/).selectOption(country === 'US' ? 'OR' : 'ON');
  }
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page).toHaveURL(/\/checkout\?.*step=payment/);
  await expect(findPayButton(page)).toBeVisible(); // wait for the page, because the address changes first
}

export const findPayButton = (page: Page): Locator => page.getByRole('button', { name: 'Complete Payment' });
/** On the second step: enters a card with any expiration date and code. */
export async function fillCard(page: Page, card: string) {
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel('Expiration date').fill('1240');
  await page.getByLabel(/Security code/).fill('123');
  await expect(findPayButton(page)).toBeEnabled();
}
export async function payWithCard(page: Page, card: string) {
  await fillCard(page, card);
  await findPayButton(page).click();
}

/**
 * Creates a customer who owns an open frame and is signed in here. With `registers: false`, creates a guest without an
 * account. Returns the email address.
 */
export async function createFrameOwner(
  { request }: BrowserContext,
  baseURL: string,
  details: object = {},
  { quantity = 1, extraPackages = 0, registers = true } = {},
): Promise<string> {
  const postJson = async (path: string, more: object) => {
    const response = await request.post(path, { headers: { origin: baseURL }, ...more });
    expect(response.status(), await response.text()).toBe(200);
    return response.json();
  };
  const customerDetails = { ...anna, ...details, email: `photos-${crypto.randomUUID()}@example.com` };
  const cart = { productId: 'kinframe', quantity, extraPackages, customerDetails };
  const { paymentIntentId, clientSecret } = await postJson('/api/create-payment-intent', { data: cart });
  await postJson(`/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
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
  await postJson('/api/verify-payment', { data: { paymentIntentId } });
  if (registers) await postJson('/api/complete-registration', { data: { password: 'Sunflower-Field-7' } });
  return customerDetails.email;
}

/** On My Uploads: uploads two photos and finalizes the frame. */
export async function finishTwoPhotos(page: Page): Promise<void> {
  const photoInput = page.locator('input[type=file][multiple]');
  await expect(photoInput).toBeEnabled(); // once the page is hydrated
  await photoInput.setInputFiles((await drawRealPhotos()).slice(0, 2));
  await expect(page.getByText('2 of 20 photos').first()).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: "I'm Done" }).click();
  await page.getByRole('button', { name: "Yes, I'm Done!" }).click();
  await expect(page).toHaveURL(/\/upload-complete\?finalized=true/);
}
