import { expect, type Locator, type Page } from '@playwright/test';

/** Cards of the sandbox. */
export const cards = { pays: '4242424242424242', declines: '4000000000000002', authenticates: '4000002500003155' };

/** Fill in the first step of checkout and go on to the second. */
export async function sayWhoBuys(page: Page, email: string, { shipped = true, country = 'US' } = {}) {
  await page.getByLabel('First name').fill('Rose');
  await page.getByLabel('Last name').fill('Winter');
  await page.getByLabel('Email').fill(email);
  if (shipped) {
    await page.getByLabel('Country').selectOption(country);
    await page.getByLabel('Address', { exact: true }).fill('12 Linden Street');
    await page.getByLabel('City').fill(country === 'US' ? 'Portland' : 'Ottawa');
    await page.getByLabel(/^(State|Province or territory)$/).selectOption(country === 'US' ? 'OR' : 'ON');
    await page.getByLabel(/^(ZIP|Postal) code$/).fill(country === 'US' ? '97201' : 'k1a0b1');
  }
  await page.getByRole('button', { name: 'Continue to Payment' }).click();
  await expect(page).toHaveURL(/\/checkout\?.*step=payment/);
  await expect(payButton(page)).toBeVisible(); // the address is there before the page
}

export const payButton = (page: Page): Locator => page.getByRole('button', { name: 'Complete Payment' });
/** On the second step: a card with any expiration date and code. */
export async function fillCard(page: Page, card: string) {
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel('Expiration date').fill('1240');
  await page.getByLabel(/Security code/).fill('123');
  await expect(payButton(page)).toBeEnabled();
}
export async function payWith(page: Page, card: string) {
  await fillCard(page, card);
  await payButton(page).click();
}
