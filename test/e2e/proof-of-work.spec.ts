import { proofOfWorkLimits } from '../../contract/limits.ts';
import { anna } from '../people.ts';
import { cards, payWithCard, fillBuyerDetails } from './buying.ts';
import { expect, expectAccessible, test } from './fixtures.ts';

test.use({ settings: { RATE_LIMITS: 'on' } });

const cart = { productId: 'kinframe', quantity: 1, extraPackages: 0 };

test('over the limit without proof of work, the browser is checked and the purchase continues @phone', async ({
  page,
  baseURL,
  expectProblem,
}) => {
  expectProblem(/status of 428/); // the request that is repeated with a proof of work
  const headers = { origin: baseURL! };
  const requestIntent = () =>
    page.request.post('/api/create-payment-intent', { headers, data: { ...cart, customerDetails: anna } });
  for (let i = 0; i < proofOfWorkLimits['payment-intent'].max; i += 1) await requestIntent();
  expect((await requestIntent()).status()).toBe(428);
  await page.context().clearCookies();

  // Delay the worker's script, so that the check is visible.
  await page.route('**/proof-of-work-worker*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  const checkingStatus = page.getByRole('status').filter({ hasText: 'Checking your browser…' });
  const statusShownPromise = expect(checkingStatus).toBeVisible();
  await fillBuyerDetails(page, `checked-${crypto.randomUUID()}@example.com`);
  await statusShownPromise;
  await expectAccessible(page);
  await expect(checkingStatus).toHaveCount(0);
  await payWithCard(page, cards.pays);
  await expect(page).toHaveURL(/\/complete-registration/);
});

test('a browser that cannot compute a proof shows a message', async ({ page, baseURL, expectProblem }) => {
  expectProblem(/status of (428|400)/);
  const headers = { origin: baseURL! };
  const data = { ...cart, promoCode: 'NO-SUCH-CODE' };
  for (let i = 0; i < proofOfWorkLimits['promo-code'].max; i += 1)
    await page.request.post('/api/check-promo-code', { headers, data });
  await page.addInitScript(() => Reflect.deleteProperty(window, 'Worker'));
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await page.getByRole('button', { name: 'Add a promo code' }).click();
  await page.getByRole('textbox', { name: 'Promo code' }).fill('GIFT10');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText(/^Many requests came from your network in the last hour/)).toBeVisible();
});
