import type { Page } from '@playwright/test';
import { fakeCustomsPdf, startFakeEasyPost, type FakeEasyPost } from '../fake-easypost.ts';
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

/** Buys a frame as a customer, and opens the dialog for its label as the owner. */
async function openDialog(page: Page, address?: object) {
  const email = `otto-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await buyFrameThroughApi(page, email, address);
  await signInAsOwner(page);
  await page.getByRole('searchbox').fill(email);
  // The list is a table on a desktop and cards on a phone.
  const found = page.getByRole('row').or(page.getByRole('listitem')).filter({ hasText: email });
  await found.getByRole('button', { name: /^KF-/ }).click();
  const panel = page.getByRole('region', { name: /^Order KF-/ });
  await panel.getByRole('button', { name: 'Buy a label...' }).click();
  return page.getByRole('dialog', { name: 'Buy a shipping label' });
}

test('the owner buys a label, ships the order with it, sees the delivery, and may void the label', async ({
  page,
  labelService,
  expectProblem,
}) => {
  const dialog = await openDialog(page);
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
  const pdfResponse = await page.request.get(pdfPath!);
  expect(pdfResponse.headers()['content-type']).toBe('application/pdf');
  expect((await pdfResponse.body()).subarray(0, 5).toString()).toBe('%PDF-');
  await expectAccessible(page);
  await boughtDialog.getByRole('button', { name: 'Mark as shipped...' }).click();
  const shipDialog = page.getByRole('dialog', { name: 'Ship the order' });
  await expect(shipDialog.getByLabel('Carrier')).toHaveValue('USPS');
  await expect(shipDialog.getByLabel('Tracking number')).toHaveValue(/^94055/);
  await shipDialog.getByRole('button', { name: /Ship anyway|Mark as shipped/ }).click();
  await expect(shipDialog).toBeHidden();

  const shipmentId = [...labelService.shipments.keys()].at(-1)!;
  const deliveredEvent = labelService.trackerEvent(shipmentId, 'delivered');
  const webhookResponse = await page.request.post('/api/webhooks/easypost', {
    headers: labelService.sign(deliveredEvent),
    data: Buffer.from(deliveredEvent),
  });
  expect(webhookResponse.status()).toBe(200);
  await expect(page.getByText(/^Delivered /).first()).toBeVisible(); // the open page updates without a reload

  const labelList = page.getByRole('list', { name: 'Shipping labels' });
  await labelList.scrollIntoViewIfNeeded();
  await labelList.getByRole('button', { name: 'Void label...' }).click();
  const voidLabelDialog = page.getByRole('dialog', { name: 'Void this label?' });
  await expect(voidLabelDialog.getByText('This order is marked as shipped with this label')).toBeVisible();
  await expectAccessible(page);
  await voidLabelDialog.getByRole('button', { name: 'Void label' }).click();
  await expect(labelList.getByText('Waiting for the refund')).toBeVisible();
  await expect(labelList.getByRole('link', { name: 'Open the label (PDF)' })).toBeHidden();
});

test('the owner certifies the customs form of a package to Canada, and opens both PDFs @phone', async ({
  page,
  labelService,
}) => {
  const address = { line1: '1 Rue Saint-Paul', city: 'Montreal', state: 'QC', postalCode: 'H2Y 1H2', country: 'CA' };
  const dialog = await openDialog(page, address);
  const customs = dialog.getByRole('group', { name: 'Customs form' });
  await expect(customs.getByText('The package has 1 frame and goes to Canada.')).toBeVisible();
  await expect(customs.getByLabel('Contents')).toHaveValue('Digital picture frame');
  await expect(customs.getByLabel('Value of one frame in US dollars')).toHaveValue('199.00');
  await expectAccessible(page);

  await customs.getByLabel('Value of one frame in US dollars').fill('250');
  await customs.getByLabel('HS tariff number').fill('8528.5');
  await dialog.getByRole('button', { name: 'Get prices' }).click();
  await expect(customs.getByText('Please enter at most $199.00, because')).toBeVisible();
  await expect(customs.getByText('Please enter 6 to 10 digits, or leave this empty')).toBeVisible();
  await expect(customs.getByText('Please enter two letters, such as CN')).toBeVisible();
  await expect(customs.getByText('Please enter the name of the person who signs')).toBeVisible();
  await expect(customs.getByText('Please confirm that the customs form is true')).toBeVisible();
  await expect(customs.getByLabel('Value of one frame in US dollars')).toBeFocused();
  await expectAccessible(page);

  await customs.getByLabel('Value of one frame in US dollars').fill('199');
  await customs.getByLabel('HS tariff number').fill('8528.59');
  await dialog.getByLabel('Weight in ounces').fill('48');
  await customs.getByLabel('Weight of one frame in ounces').fill('49');
  await customs.getByLabel('Country of origin').fill('cn');
  await expect(customs.getByText('Where the frames are made, as two letters: China.')).toBeVisible();
  await customs.getByLabel('Signed by').fill('Ada Owner');
  await customs.getByLabel('I certify that this customs form is true and complete').check();
  await dialog.getByRole('button', { name: 'Get prices' }).click();
  await expect(customs.getByText('The frames can’t weigh more than the whole package')).toBeVisible();
  await customs.getByLabel('Weight of one frame in ounces').fill('40');
  await dialog.getByRole('button', { name: 'Get prices' }).click();
  await expect(dialog.getByRole('radio')).toHaveCount(3);

  // The owner certifies the form again after going back to it.
  await dialog.getByRole('button', { name: 'Back to the package' }).click();
  await expect(customs.getByLabel('Signed by')).toHaveValue('Ada Owner');
  await expect(customs.getByRole('checkbox')).not.toBeChecked();
  await customs.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Get prices' }).click();
  await dialog.getByRole('radio', { name: 'UPS Ground' }).check();
  await dialog.getByRole('button', { name: 'Buy label for $10.40' }).dblclick();
  const boughtDialog = page.getByRole('dialog', { name: 'The label is bought' });
  const formPath = await boughtDialog.getByRole('link', { name: 'Open the customs form (PDF)' }).getAttribute('href');
  const form = await page.request.get(formPath!);
  expect(await form.body()).toEqual(fakeCustomsPdf);
  await expect(boughtDialog.getByRole('link', { name: 'Open the label (PDF)' })).toBeVisible();
  await expectAccessible(page);
  const shipment = [...labelService.shipments.values()].at(-1)!;
  expect(labelService.calls.filter((call) => call === `POST /shipments/${shipment.id}/buy`)).toHaveLength(1);
  expect(shipment.customs).toMatchObject({
    customs_certify: true,
    customs_signer: 'Ada Owner',
    customs_items: [{ quantity: 1, value: 199, weight: 40, hs_tariff_number: '852859', origin_country: 'CN' }],
  });
});
