import { startFakeEasyPost, type FakeEasyPost } from '../fake-easypost.ts';
import { buyFrameThroughApi } from './buying-behind-pages.ts';
import { expect, expectAccessible, signInAsOwner, test as base } from './fixtures.ts';

const test = base.extend<object, { labelService: FakeEasyPost }>({
  labelService: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires a pattern
    async ({}, use) => {
      const fake = await startFakeEasyPost();
      await use(fake);
      fake.close();
    },
    { scope: 'worker' },
  ],
  settings: [
    ({ labelService }, use) =>
      use({
        EASYPOST_API_KEY: labelService.apiKey,
        EASYPOST_API_BASE: labelService.apiBase,
        EASYPOST_WEBHOOK_SECRET: labelService.webhookSecret,
        SHIP_FROM_NAME: 'Kinframe',
        SHIP_FROM_STREET: '1 Main St',
        SHIP_FROM_CITY: 'Portland',
        SHIP_FROM_STATE: 'ME',
        SHIP_FROM_ZIP: '04101',
      }),
    { scope: 'worker' },
  ],
});

test('the owner buys a label, ships the order with it, sees the delivery, and may void the label', async ({
  page,
  labelService,
  expectProblem,
}) => {
  const email = `otto-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await buyFrameThroughApi(page, email);
  await signInAsOwner(page);
  await page.getByRole('searchbox').fill(email);
  await page.getByRole('row', { name: email }).getByRole('button').click();
  const panel = page.getByRole('region', { name: /^Order KF-/ });
  await panel.getByRole('button', { name: 'Buy a label...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Buy a shipping label' });
  await expect(dialog.getByLabel('Weight in ounces')).toHaveValue('48');
  await dialog.getByLabel('Weight in ounces').fill('heavy');
  await dialog.getByRole('button', { name: 'Get prices' }).click();
  await expect(dialog.getByText('Please enter ounces, from 0.1 to 2400')).toBeVisible();
  await dialog.getByLabel('Weight in ounces').fill('52.5');
  await dialog.getByRole('button', { name: 'Get prices' }).click();
  await expect(dialog.getByRole('radio')).toHaveCount(3);
  await expect(dialog.getByText('FedEx: No account')).toBeVisible();
  await expectAccessible(page);

  // If the account has too little money, the dialog says so, and the owner requests the prices again.
  expectProblem(/409/);
  labelService.trouble.push({
    call: '/buy',
    answer: { status: 402, code: 'INSUFFICIENT_FUNDS', message: 'Insufficient funds.' },
  });
  await dialog.getByRole('button', { name: 'Buy label for $8.25' }).click();
  await expect(
    dialog.getByText(/could not charge your account: Insufficient funds\. Nothing was bought/),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Back to the package' }).click();
  await expect(dialog.getByLabel('Weight in ounces')).toHaveValue('52.5');
  await dialog.getByRole('button', { name: 'Get prices' }).click();
  await dialog.getByRole('button', { name: 'Buy label for $8.25' }).dblclick();

  const boughtDialog = page.getByRole('dialog', { name: 'The label is bought' });
  await expect(boughtDialog.getByText('USPS Ground Advantage, $8.25')).toBeVisible();
  expect(labelService.purchases).toBe(1);
  const pdfPath = await boughtDialog.getByRole('link', { name: 'Open the label (PDF)' }).getAttribute('href');
  const pdf = await page.request.get(pdfPath!);
  expect(pdf.headers()['content-type']).toBe('application/pdf');
  expect((await pdf.body()).subarray(0, 5).toString()).toBe('%PDF-');
  await expectAccessible(page);
  await boughtDialog.getByRole('button', { name: 'Mark as shipped...' }).click();
  const ship = page.getByRole('dialog', { name: 'Ship the order' });
  await expect(ship.getByLabel('Carrier')).toHaveValue('USPS');
  await expect(ship.getByLabel('Tracking number')).toHaveValue(/^94055/);
  await ship.getByRole('button', { name: /Ship anyway|Mark as shipped/ }).click();
  await expect(ship).toBeHidden();

  const shipmentId = [...labelService.shipments.keys()].at(-1)!;
  const event = labelService.trackerEvent(shipmentId, 'delivered');
  const webhookResponse = await page.request.post('/api/webhooks/easypost', {
    headers: labelService.sign(event),
    data: Buffer.from(event),
  });
  expect(webhookResponse.status()).toBe(200);
  await expect(page.getByText(/^Delivered /).first()).toBeVisible(); // without a reload

  const labels = page.getByRole('list', { name: 'Shipping labels' });
  await labels.scrollIntoViewIfNeeded();
  await labels.getByRole('button', { name: 'Void label...' }).click();
  const confirm = page.getByRole('dialog', { name: 'Void this label?' });
  await expect(confirm.getByText('This order is marked as shipped with this label')).toBeVisible();
  await expectAccessible(page);
  await confirm.getByRole('button', { name: 'Void label' }).click();
  await expect(labels.getByText('Waiting for the refund')).toBeVisible();
  await expect(labels.getByRole('link', { name: 'Open the label (PDF)' })).toBeHidden();
});
