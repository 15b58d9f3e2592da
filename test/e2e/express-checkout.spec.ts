import { fillBuyerDetails } from './buying.ts';
import { expect, expectAccessible, test } from './fixtures.ts';

test.use({ settings: { STRIPE_TAX: 'on' } });

const walletButton = { name: 'Pay with one tap' };

test('a wallet fills in the address and pays once, even if the response is lost; a missing part is asked for @phone-only', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/ERR_FAILED|Failed to fetch/); // the test drops a response on purpose
  const readPayments = async () => (await (await page.request.get('/api/sandbox/payments')).json()) as unknown[];
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await page.getByRole('button', walletButton).click();
  const walletDialog = page.getByRole('dialog');
  await expect(walletDialog.getByRole('button', { name: 'Pay $199.00' })).toBeEnabled(); // Oregon has no sales tax
  await walletDialog.getByLabel('Ship to').selectOption({ index: 3 });
  await expect(walletDialog.getByText('The shop does not accept this address.')).toBeVisible();
  await expect(walletDialog.getByRole('button', { name: 'Pay' })).toBeDisabled();
  await walletDialog.getByLabel('Ship to').selectOption({ index: 2 });
  await walletDialog.getByRole('button', { name: 'Pay $199.00' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Your wallet left something out' });
  await expect(notice.getByRole('listitem')).toHaveText(['Last name', 'Address']);
  await expect(page.getByLabel('First name')).toHaveValue('Rose');
  await expect(page.getByLabel('City')).toHaveValue('Portland');
  await expect(page.getByText('Last name is required')).toBeVisible();
  expect(await readPayments()).toEqual([]);
  await expectAccessible(page);

  await page.reload();
  await expect(page.getByLabel('City')).toHaveValue('Portland'); // the typed details are not lost
  await page.getByRole('button', walletButton).click();
  await walletDialog.getByLabel('Ship to').selectOption({ index: 1 });
  const payButton = walletDialog.getByRole('button', { name: 'Pay $206.96' });
  await expect(payButton).toBeEnabled();
  await walletDialog.getByLabel('Email in the wallet').fill('wallet@example.com');
  await expectAccessible(page);
  await page.route('**/confirm', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await payButton.dblclick();
  await expect(page).toHaveURL(/\/complete-registration/);
  expect(await readPayments()).toMatchObject([{ status: 'succeeded', amount: 20_696 }]);
});

test('a wallet pays on the payment page with the details of the form @phone-only', async ({ page }) => {
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await fillBuyerDetails(page, 'rose-pays-by-wallet@example.com');
  await page.getByRole('button', walletButton).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Pay $199.00' }).click();
  await expect(page).toHaveURL(/\/complete-registration/);
});
