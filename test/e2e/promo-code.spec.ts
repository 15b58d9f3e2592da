import type { Page } from '@playwright/test';
import { cards, payButton, payWith, sayWhoBuys } from './buying.ts';
import { expect, expectAccessible, mailsTo, test } from './fixtures.ts';

async function payAndRegister(page: Page) {
  await expect(payButton(page)).toBeEnabled();
  const intents: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/create-payment-intent')) intents.push(request.url());
  });
  await payWith(page, cards.pays);
  await expect(page).toHaveURL(/\/complete-registration/);
  expect(intents).toEqual([]); // what is paid asks for no other intent
}

/** On a phone the order is folded to its total. */
async function unfold(page: Page) {
  const fold = page.getByRole('button', { name: /^Order Summary/ });
  if ((await fold.isVisible()) && (await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
}
const amount = (page: Page, text: string) => page.getByText(text).locator('visible=true').first();
const line = (page: Page, name: string) => page.getByRole('definition').and(page.locator(`dt:text-is("${name}") + dd`));

test('a code entered at checkout is taken off, charged and confirmed @phone-only', async ({ page, expectProblem }) => {
  expectProblem(/status of (400|409)/); // codes that do not count
  const email = 'promo@example.com';
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=1');

  await test.step('codes that do not count are told apart, and buying goes on', async () => {
    await page.getByRole('button', { name: 'Add a promo code' }).click();
    const field = page.getByRole('textbox', { name: 'Promo code' });
    await expect(field).toBeFocused();
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByText('Please enter a promo code.')).toBeVisible();
    for (const [code, words] of [
      ['GIFT', 'We do not know this promo code. Please check its spelling.'],
      ['AUTUMN5', /^This promo code has expired\. Its last day was /],
      ['WINTER15', /^This promo code cannot be used yet\. It starts on /],
    ] as const) {
      await field.fill(code);
      await page.getByRole('button', { name: 'Apply' }).click();
      await expect(page.getByText(words)).toBeVisible();
    }
    await expectAccessible(page);
    await expect(amount(page, '$208.99')).toBeVisible();
  });

  await test.step('one that counts has a line of its own', async () => {
    await page.getByRole('textbox', { name: 'Promo code' }).fill(' gift10 ');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByRole('button', { name: 'Remove promo code GIFT10' })).toBeFocused();
    await unfold(page);
    await expect(line(page, 'Discount (GIFT10)')).toHaveText('-$20.90');
    await expect(amount(page, '$188.09')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('it comes along to the payment, follows the cart, and can be taken out', async () => {
    await sayWhoBuys(page, email);
    await unfold(page);
    await expect(line(page, 'Discount (GIFT10)')).toHaveText('-$20.90');
    await page.getByRole('button', { name: /^Edit/ }).click();
    await page.getByRole('button', { name: 'Decrease extra packages' }).click();
    await expect(line(page, 'Discount (GIFT10)')).toHaveText('-$19.90');
    await expect(amount(page, '$179.10')).toBeVisible();
    await page.getByRole('button', { name: 'Remove promo code GIFT10' }).click();
    await expect(line(page, 'Discount (GIFT10)')).toHaveCount(0);
    await expect(amount(page, '$199.00')).toBeVisible();
    await page.getByRole('button', { name: 'Add a promo code' }).click();
    await page.getByRole('textbox', { name: 'Promo code' }).fill('GIFT10');
    await page.keyboard.press('Enter');
    await expect(line(page, 'Discount (GIFT10)')).toHaveText('-$19.90');
    await page.reload();
    await unfold(page);
    await expect(line(page, 'Discount (GIFT10)')).toHaveText('-$19.90');
    await expectAccessible(page);
  });

  await test.step('pay, and find it on the confirmation and the receipt', async () => {
    await payAndRegister(page);
    await expect.poll(async () => (await mailsTo(email)).length, { timeout: 60_000 }).toBeGreaterThan(0);
    const [receipt] = await mailsTo(email);
    expect(receipt?.text).toMatch(/Discount \(GIFT10\)\s+−\$19\.90/);
    const confirmation = /http\S+\/purchase-success\?session=[\w-]+/.exec(receipt?.text ?? '')?.[0];
    await page.goto(confirmation!);
    await expect(line(page, 'Discount (GIFT10)')).toHaveText('-$19.90');
    await expect(amount(page, '$179.10')).toBeVisible();
  });

  await test.step('a code is for one order', async () => {
    await page.goto('/customer-details?product=byof');
    await expect(page.getByRole('button', { name: 'Add a promo code' })).toBeVisible();
  });
});

test('a link brings a code from any page that leads to the checkout', async ({ page, expectProblem }) => {
  expectProblem(/status of 400/); // the code nobody knows
  for (const start of ['/?code=GIFT10', '/product/byof?code=GIFT10', '/customer-details?product=byof&code=GIFT10']) {
    await page.goto(start);
    await expect(page).not.toHaveURL(/code=/);
    await expect(page.locator('link[rel=canonical]')).not.toHaveAttribute('href', /code/);
    await page.goto('/customer-details?product=byof');
    await expect(page.getByRole('button', { name: 'Remove promo code GIFT10' })).toBeVisible();
    await page.getByRole('button', { name: 'Remove promo code GIFT10' }).click();
    await expect(page.getByRole('button', { name: 'Add a promo code' })).toBeFocused();
  }

  // A bad one is said kindly at the checkout, and stops nobody.
  await page.goto('/product/kinframe?code=NONSENSE');
  await expect(page).not.toHaveURL(/code=/);
  await page.goto('/customer-details?product=kinframe');
  await expect(page.getByText('We do not know this promo code. Please check its spelling.')).toBeVisible();
  await sayWhoBuys(page, 'link@example.com');
  await expect(page.getByText('We do not know this promo code. Please check its spelling.')).toBeVisible();
  await expect(amount(page, '$199.00')).toBeVisible();
  await page.goto('/checkout?product=kinframe&quantity=1&extras=0&step=payment&code=gift10');
  await expect(page.getByRole('button', { name: 'Remove promo code GIFT10' })).toBeVisible();
  await expect(amount(page, '$179.10')).toBeVisible();
  await payAndRegister(page);
});
