import type { Page, Route } from '@playwright/test';
import { cards, findPayButton, payWithCard, fillBuyerDetails } from './buying.ts';
import { expect, expectAccessible, readMailsTo, test } from './fixtures.ts';

async function payAndRegister(page: Page) {
  await expect(findPayButton(page)).toBeEnabled();
  const intentRequests: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/create-payment-intent')) intentRequests.push(request.url());
  });
  await payWithCard(page, cards.pays);
  await expect(page).toHaveURL(/\/complete-registration/);
  expect(intentRequests).toEqual([]); // a paid order requests no other intent
}

/** On a phone the order summary is folded to its total. */
async function unfoldCodeField(page: Page) {
  const summaryButton = page.getByRole('button', { name: /^Order summary/ });
  if ((await summaryButton.isVisible()) && (await summaryButton.getAttribute('aria-expanded')) === 'false')
    await summaryButton.click();
}
const findAmount = (page: Page, text: string) => page.getByText(text).locator('visible=true').first();
const findLine = (page: Page, name: string) =>
  page.getByRole('definition').and(page.locator(`dt:text-is("${name}") + dd`));

test('a code entered at checkout is deducted, charged and confirmed @phone-only', async ({ page, expectProblem }) => {
  expectProblem(/status of (400|409)/); // the responses to promo codes that are not valid
  const email = 'promo@example.com';
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=1');

  await test.step('each kind of invalid code has its own message, and does not block the purchase', async () => {
    await page.getByRole('button', { name: 'Add a promo code' }).click();
    const field = page.getByRole('textbox', { name: 'Promo code' });
    await expect(field).toBeFocused();
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByText('Please enter a promo code')).toBeVisible();
    for (const [code, refusalText] of [
      ['GIFT', 'We do not recognize this promo code. Please check the spelling.'],
      ['AUTUMN5', /^This promo code has expired\. Its last day was /],
      ['WINTER15', /^This promo code cannot be used yet\. It starts on /],
    ] as const) {
      await field.fill(code);
      await page.getByRole('button', { name: 'Apply' }).click();
      await expect(page.getByText(refusalText)).toBeVisible();
    }
    await expectAccessible(page);
    await expect(findAmount(page, '$208.99')).toBeVisible();
  });

  await test.step('a valid code has a line of its own in the order summary', async () => {
    await page.getByRole('textbox', { name: 'Promo code' }).fill(' gift10 ');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByRole('button', { name: 'Remove promo code GIFT10' })).toBeFocused();
    await unfoldCodeField(page);
    await expect(findLine(page, 'Discount (GIFT10)')).toHaveText('-$20.90');
    await expect(findAmount(page, '$188.09')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the code is kept for the payment, adapts to the cart, and can be removed', async () => {
    await fillBuyerDetails(page, email);
    await unfoldCodeField(page);
    await expect(findLine(page, 'Discount (GIFT10)')).toHaveText('-$20.90');
    await page.getByRole('button', { name: /^Edit/ }).click();
    await page.getByRole('button', { name: 'Decrease extra packages' }).click();
    await expect(findLine(page, 'Discount (GIFT10)')).toHaveText('-$19.90');
    await expect(findAmount(page, '$179.10')).toBeVisible();
    await page.getByRole('button', { name: 'Remove promo code GIFT10' }).click();
    await expect(findLine(page, 'Discount (GIFT10)')).toHaveCount(0);
    await expect(findAmount(page, '$199.00')).toBeVisible();
    await page.getByRole('button', { name: 'Add a promo code' }).click();
    await page.getByRole('textbox', { name: 'Promo code' }).fill('GIFT10');
    await page.keyboard.press('Enter');
    await expect(findLine(page, 'Discount (GIFT10)')).toHaveText('-$19.90');
    await page.reload();
    await unfoldCodeField(page);
    await expect(findLine(page, 'Discount (GIFT10)')).toHaveText('-$19.90');
    await expectAccessible(page);
  });

  await test.step('the customer pays, and the confirmation and the receipt show the code', async () => {
    await payAndRegister(page);
    await expect.poll(async () => (await readMailsTo(email)).length, { timeout: 60_000 }).toBeGreaterThan(0);
    const [receipt] = await readMailsTo(email);
    expect(receipt?.text).toMatch(/Discount \(GIFT10\)\s+−\$19\.90/);
    const confirmationUrl = /http\S+\/purchase-success\?session=[\w-]+/.exec(receipt?.text ?? '')?.[0];
    await page.goto(confirmationUrl!);
    await expect(findLine(page, 'Discount (GIFT10)')).toHaveText('-$19.90');
    await expect(findAmount(page, '$179.10')).toBeVisible();
  });

  await test.step('a code is used for one order only', async () => {
    await page.goto('/customer-details?product=byof');
    await expect(page.getByRole('button', { name: 'Add a promo code' })).toBeVisible();
  });
});

test('a link brings a code to the checkout from any page', async ({ page, expectProblem }) => {
  expectProblem(/status of 400/); // the response to an unknown promo code
  for (const start of ['/?code=GIFT10', '/product/byof?code=GIFT10', '/customer-details?product=byof&code=GIFT10']) {
    await page.goto(start);
    await expect(page).not.toHaveURL(/code=/);
    await expect(page.locator('link[rel=canonical]')).not.toHaveAttribute('href', /code/);
    await page.goto('/customer-details?product=byof');
    await expect(page.getByRole('button', { name: 'Remove promo code GIFT10' })).toBeVisible();
    await page.getByRole('button', { name: 'Remove promo code GIFT10' }).click();
    await expect(page.getByRole('button', { name: 'Add a promo code' })).toBeFocused();
  }

  // An unknown code shows a message at the checkout, and does not block buying.
  await page.goto('/product/kinframe?code=NONSENSE');
  await expect(page).not.toHaveURL(/code=/);
  await page.goto('/customer-details?product=kinframe');
  await expect(page.getByText('We do not recognize this promo code. Please check the spelling.')).toBeVisible();
  await fillBuyerDetails(page, 'link@example.com');
  await expect(page.getByText('We do not recognize this promo code. Please check the spelling.')).toBeVisible();
  await expect(findAmount(page, '$199.00')).toBeVisible();
  await page.goto('/checkout?product=kinframe&quantity=1&extras=0&step=payment&code=gift10');
  await expect(page.getByRole('button', { name: 'Remove promo code GIFT10' })).toBeVisible();
  await expect(findAmount(page, '$179.10')).toBeVisible();
  await payAndRegister(page);
});

test('a used-up code is shown with the price difference before the card is charged @phone-only', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/status of 409/);
  await page.goto('/customer-details?product=kinframe&code=GIFT10');
  await fillBuyerDetails(page, 'too-late@example.com');
  await expect(findPayButton(page)).toBeEnabled();
  await unfoldCodeField(page);
  await expect(findLine(page, 'Discount (GIFT10)')).toHaveText('-$19.90');
  const usedUpText = 'This promo code has already been used as often as it can be.';
  const answerWithRefusal = (code: string, message: string) => (route: Route) =>
    route.fulfill({ status: 409, json: { success: false, code, message, error: message } });

  await test.step('if the code is used up before Pay is pressed, the card is not used', async () => {
    const confirms: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/confirm')) confirms.push(request.url());
    });
    await page.route('**/api/check-promo-code', answerWithRefusal('promo-code-used-up', usedUpText));
    await payWithCard(page, cards.pays);
    await expect(page.getByText(/Without the code, your order costs \$19\.90 more\./).first()).toBeVisible();
    await expect(findLine(page, 'Discount (GIFT10)')).toHaveCount(0);
    await expect(findAmount(page, '$199.00')).toBeVisible();
    expect(confirms).toEqual([]);
    await page.unroute('**/api/check-promo-code');
    await expectAccessible(page);
  });

  await test.step('if the code is used up during the payment, the page says so and shows the new total', async () => {
    await page.getByRole('textbox', { name: 'Promo code' }).fill('GIFT10');
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(findLine(page, 'Discount (GIFT10)')).toHaveText('-$19.90');
    const lostCodeText = 'Your card was not charged: someone else used GIFT10 for the last time a moment before you.';
    await page.route('**/confirm', (route) => route.fulfill({ json: { status: 'requires_capture' } }));
    await page.route('**/api/verify-payment', answerWithRefusal('promo-code-lost', lostCodeText));
    await payWithCard(page, cards.pays);
    await expect(page.getByText(lostCodeText).first()).toBeVisible();
    await expect(findAmount(page, '$199.00')).toBeVisible();
    await page.unroute('**/confirm');
    await page.unroute('**/api/verify-payment');
    await payAndRegister(page);
  });
});
