import { cards, fillBuyerDetails, fillCard } from './buying.ts';
import { expect, expectAccessible, signInAsOwner, test, waitForEmailedLink, waitForHydration } from './fixtures.ts';
import { desktopScreen } from './screens.ts';

test('a visitor buys a gift card, its recipient pays with it, and the owner voids its balance @phone-only', async ({
  page,
  browser,
  baseURL,
  expectProblem,
}) => {
  expectProblem(/400.*gift-cards\/balance/); // the response to a wrong gift card code
  const giverEmail = `giver-${crypto.randomUUID()}@example.com`;
  const recipientEmail = `recipient-${crypto.randomUUID()}@example.com`;
  let code = '';

  await test.step('the visitor chooses a gift card, pays, and sees the day of its email', async () => {
    const pageResponse = await page.goto('/gift-cards');
    expect(await pageResponse!.text()).toContain('Give a gift card'); // in the HTML, before any script
    await waitForHydration(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await expect(page.getByText('Please enter who the gift card is for')).toBeVisible();
    await expect(page.getByText('Please enter a valid email address')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('radio', { name: 'Other amount' }).check();
    await page.getByLabel('Amount in dollars').fill('24.99');
    await page.getByLabel('Their name').fill('Mei');
    await page.getByLabel('Your message').fill('For the lake photos');
    await page.getByLabel('Their email').fill(recipientEmail);
    await page.getByLabel('Your name').fill('Ben Ode');
    await page.getByLabel('Your email').fill(giverEmail);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await expect(page.getByText('Please choose an amount from $25 to $500')).toBeVisible();
    await page.getByLabel('Amount in dollars').fill('250');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await expect(page.getByText('You pay today')).toBeVisible();
    await expectAccessible(page);
    await fillCard(page, cards.pays);
    await page.getByRole('button', { name: 'Complete Payment' }).click();
    await expect(page.getByRole('heading', { name: 'Thank you for your gift' })).toBeVisible();
    await expect(page.getByText(`We’ve emailed it to ${recipientEmail}`)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the link in the buyer’s receipt opens the purchase, which does not show the code', async () => {
    const giftCardLink = await waitForEmailedLink(giverEmail, /http\S+\/gift-cards\/\S+/);
    const otherPage = await (await browser.newContext({ baseURL: baseURL! })).newPage();
    await otherPage.goto(new URL(giftCardLink).pathname);
    await expect(otherPage.getByText('Only that email contains the code')).toBeVisible();
    await otherPage.context().close();
  });

  await test.step('the recipient reads the balance with the code from the email', async () => {
    code = await waitForEmailedLink(recipientEmail, /([0-9A-Z]{4}-){3}[0-9A-Z]{4}/);
    await page.goto('/gift-cards/balance');
    await waitForHydration(page);
    await page.getByLabel('Gift card code').fill('AAAA-BBBB-CCCC-DDDD');
    await page.getByRole('button', { name: 'Check balance' }).click();
    await expect(page.getByText('We do not recognize this gift card code')).toBeVisible();
    await page.getByLabel('Gift card code').fill(code.toLowerCase());
    await page.getByRole('button', { name: 'Check balance' }).click();
    await expect(page.getByText('of $250.00')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the gift card pays a whole order without a payment card', async () => {
    await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
    await fillBuyerDetails(page, recipientEmail);
    await expect(page.getByText('You pay today')).toBeVisible();
    await page.getByRole('button', { name: 'Add a gift card' }).click();
    await page.getByRole('textbox', { name: 'Gift card' }).fill(code);
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByText('pays $199.00')).toBeVisible();
    await expect(page.getByText('Your gift cards pay for everything')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add another gift card' }).click();
    await page.getByRole('textbox', { name: 'Gift card' }).fill(code);
    await page.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByText('This gift card is already on your order.')).toBeVisible();
    await page.getByRole('link', { name: 'Back to Details' }).click();
    await expect(page.getByText(`Gift card ending in ${code.slice(-4)} pays at the next step`)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await expect(page.getByText('pays $199.00')).toBeVisible();
    await page.getByRole('button', { name: 'Remove gift card' }).click();
    await expect(page.getByRole('button', { name: 'Complete Payment' })).toBeVisible();
    await page.getByRole('button', { name: 'Add a gift card' }).click();
    await page.getByRole('textbox', { name: 'Gift card' }).fill(code);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Place order' }).click();
    await expect(page).toHaveURL(/complete-registration/);
  });

  await test.step('the owner sees the gift card, its balance and its order, and voids the balance', async () => {
    const ownerPage = await (
      await browser.newContext({ baseURL: baseURL!, ...desktopScreen, isMobile: false, hasTouch: false })
    ).newPage();
    await signInAsOwner(ownerPage);
    await ownerPage.goto(`/admin?tab=content&section=gift-cards&q=${encodeURIComponent(recipientEmail)}`);
    const card = ownerPage.getByRole('article', { name: /^Gift card GC-/ });
    await expect(card.getByText('Used in part')).toBeVisible();
    await expect(card).toContainText('$51.00 of $250.00');
    await expect(ownerPage.getByRole('heading', { name: 'Gift cards owed' })).toBeVisible();
    await expectAccessible(ownerPage);
    await card.getByRole('button', { name: 'Void...' }).click();
    const dialog = ownerPage.getByRole('dialog');
    await expect(dialog.getByText('$51.00 that is left on it is lost')).toBeVisible();
    await dialog.getByLabel('Reason').fill('The bank disputes the purchase');
    await expectAccessible(ownerPage);
    await dialog.getByRole('button', { name: 'Void it' }).click();
    await expect(card.getByText('Voided', { exact: true })).toBeVisible();
    await ownerPage.goto(`/admin?tab=orders&q=${encodeURIComponent(recipientEmail)}`);
    await ownerPage.getByRole('button', { name: /^KF-/ }).first().click();
    const panel = ownerPage.getByRole('region', { name: /^Order KF-/ });
    await expect(panel.getByText('Paid by card')).toBeVisible();
    await expectAccessible(ownerPage);
    await ownerPage.context().close();
  });
});

test('a buyer whose payment got no response opens the bought card instead of paying twice @phone-only', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/verify-payment/); // the test drops these responses on purpose
  const giverEmail = `giver-${crypto.randomUUID()}@example.com`;
  const fillForm = async () => {
    await page.goto('/gift-cards');
    await waitForHydration(page);
    await page.getByLabel('Their name').fill('Mei');
    await page.getByLabel('I print it myself').check();
    await page.getByLabel('Your name').fill('Ben Ode');
    await page.getByLabel('Your email').fill(giverEmail);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
  };
  await page.route('**/api/gift-cards/verify-payment', (route) => route.abort());
  await fillForm();
  await fillCard(page, cards.pays);
  await page.getByRole('button', { name: 'Complete Payment' }).click();
  await waitForEmailedLink(giverEmail, /http\S+\/gift-cards\/\S+/);
  await page.unroute('**/api/gift-cards/verify-payment');
  await fillForm();
  await expect(page.getByRole('heading', { name: 'Thank you for your gift' })).toBeVisible();
  await expectAccessible(page);
});
