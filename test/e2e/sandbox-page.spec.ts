import type { BrowserContext, Locator, Page } from '@playwright/test';
import { expect, expectAccessible, test } from './fixtures.ts';

test('the sandbox page shows emails, email samples and payments, and can switch off the provider', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/status of 503/); // the responses while the test switches the provider off
  const email = `curious-${crypto.randomUUID().slice(0, 8)}@example.com`;

  await test.step('the visitor signs up and requests the confirmation email again', async () => {
    await page.goto('/auth?tab=sign-up');
    await page.getByLabel('First name').fill('Curious');
    await page.getByLabel('Last name').fill('Visitor');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('Sunflower-Field-7');
    await page.getByRole('textbox', { name: 'Confirm password' }).fill('Sunflower-Field-7');
    await page.getByRole('button', { name: /sign up|create/i }).click();
    await expect(page).toHaveURL(/\/upload/);
    const notice = page.getByRole('complementary', { name: 'Confirm your email' });
    await expect(notice).toContainText(email);
    // By keyboard: the welcome notification avoids the focused element, and typing does not lead to the products.
    await notice.getByRole('button', { name: 'Send the link again' }).press('Enter');
    await expect(notice.getByRole('button', { name: 'Link sent' })).toBeVisible();
  });

  await test.step('the sandbox page shows both emails, and the link of one works', async () => {
    await page.goto('/sandbox');
    await expect(page.getByRole('heading', { name: 'Sandbox' })).toBeVisible();
    const mailButtons = page.getByRole('list', { name: 'Emails sent' }).getByRole('button', { name: email });
    await expect(mailButtons).toHaveCount(2, { timeout: 30_000 });
    await expectAccessible(page);
    await mailButtons.first().click();
    const messageFrame = page.frameLocator('iframe');
    const link = messageFrame.getByRole('link', { name: /confirm/i }).first();
    await expect(link).toBeVisible();
    // A click into an iframe that has just moved can hit the old position. A reader would click again.
    const confirmationPage = await clickAndAwaitPage(context, link);
    await expect(confirmationPage).toHaveURL(/\/auth\/confirm-email\?token=/);
    await expect(confirmationPage.getByRole('heading', { level: 1 })).toBeVisible();
    await confirmationPage.close();
    await page.getByText('As plain text').click();
    await expect(page.getByRole('link', { name: /\/auth\/confirm-email\?token=/ })).toBeVisible();
  });

  await test.step('the Email samples tab shows a sample email', async () => {
    await page.getByRole('tab', { name: 'Email samples' }).click();
    await page.getByRole('button', { name: /^Videos ready/ }).click();
    await expect(page.frameLocator('iframe').getByRole('link', { name: 'Watch your videos' })).toBeVisible();
    await expect(page).toHaveURL(/tab=letters/);
  });

  await test.step('the visitor switches the provider off and on, and then can pay', async () => {
    await page.getByRole('tab', { name: 'Payments' }).click();
    await page.getByRole('button', { name: 'Turn off for a minute' }).click();
    await expect(page.getByText(/^Offline until/)).toBeVisible();
    await expectAccessible(page);
    const cart = { productId: 'byof', quantity: 1, extraPackages: 0 };
    const origin = new URL(page.url()).origin;
    const requestIntent = () => page.request.post('/api/create-payment-intent', { data: cart, headers: { origin } });
    expect((await requestIntent()).status()).toBe(503);
    await page.getByRole('button', { name: 'Turn on' }).click();
    await expect(page.getByText(/^It’s online/)).toBeVisible();
    const { paymentIntentId, clientSecret } = (await (await requestIntent()).json()) as Record<string, string>;
    await page.request.post(`/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
      form: {
        client_secret: clientSecret!,
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': '4242424242424242',
      },
    });
    await page.request.post('/api/verify-payment', { data: { paymentIntentId }, headers: { origin } });
    const paymentItem = page.getByRole('listitem').filter({ hasText: paymentIntentId! });
    await expect(paymentItem.getByText('Paid')).toBeVisible();
    await paymentItem.getByRole('button', { name: /^Refund/ }).click();
    await expectAccessible(page);
    await page.getByLabel('Amount in dollars').fill('9.99');
    await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
    await expect(paymentItem.getByText('$9.99 refunded')).toBeVisible();
    await paymentItem.getByRole('button', { name: /^Dispute/ }).click();
    await expect(paymentItem.getByText('Disputed')).toBeVisible();
  });

  await test.step('the journeys tab links to the shop’s pages', async () => {
    await page.getByRole('tab', { name: 'Try it out' }).click();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Buy a Kinframe' }).click();
    await expect(page).toHaveURL(/\/customer-details/);
  });
});

/** Returns the tab that a link opens. */
async function clickAndAwaitPage(context: BrowserContext, link: Locator): Promise<Page> {
  let opened: Page | undefined;
  await expect(async () => {
    [opened] = await Promise.all([context.waitForEvent('page', { timeout: 10_000 }), link.click()]);
  }).toPass({ timeout: 60_000 });
  return opened!;
}
