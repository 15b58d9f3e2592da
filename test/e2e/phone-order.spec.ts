import { payWithCard, cards } from './buying.ts';
import { expect, expectAccessible, readMailsTo, signInAsOwner, test, waitForEmailedLink } from './fixtures.ts';
import { phoneScreen } from './screens.ts';

test.use({ settings: { STRIPE_TAX: 'on' } });

test('the owner takes an order by phone, and the customer pays it with the emailed link', async ({
  page,
  browser,
  baseURL,
}) => {
  const email = 'rose-calls@example.com';
  await signInAsOwner(page);
  await page.goto('/admin?tab=orders');

  await test.step('the owner makes the order and emails the link', async () => {
    await page.getByRole('button', { name: 'New order...' }).click();
    const dialog = page.getByRole('dialog', { name: 'New order by phone' });
    await dialog.getByRole('button', { name: 'Email the payment link' }).click();
    await expect(dialog.getByText('Please enter a valid email address')).toBeVisible();
    await dialog.getByRole('button', { name: 'Increase photo packages' }).click();
    await dialog.getByLabel('Customer’s email').fill(email);
    await dialog.getByLabel('First name').fill('Rose');
    await dialog.getByLabel('Last name').fill('Winter');
    await dialog.getByLabel('I have the shipping address').check();
    await dialog.getByLabel('Address', { exact: true }).fill('1 Elm Street');
    await dialog.getByLabel('ZIP code').fill('12207');
    await dialog.getByLabel('City').fill('Albany');
    await dialog.getByLabel('State').selectOption('NY');
    await dialog.getByLabel('Note').fill('Call before noon');
    await expect(dialog.getByText('$217.35')).toBeVisible(); // 208.99 and 4 percent tax
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Email the payment link' }).click();
    await expect(page.getByText('Payment link sent').first()).toBeVisible();
    await expect(dialog).toHaveCount(0);
  });

  // Not the notification, which is a list item with the email too.
  const row = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: email });
  await expect(row).toContainText('Sent');
  await expectAccessible(page);
  const cartLink = await waitForEmailedLink(email, /\/cart\/[\w-]+/);
  expect((await readMailsTo(email)).map((mail) => mail.subject)).toEqual(['Your order is ready to pay']);

  await test.step('the customer checks the order and pays it on a phone', async () => {
    const phonePage = await (await browser.newContext({ baseURL: baseURL!, ...phoneScreen })).newPage();
    await phonePage.goto(cartLink);
    await expect(phonePage).toHaveURL(/\/checkout\?/);
    await expect(phonePage.getByText('1 Elm Street')).toBeVisible();
    await expect(phonePage.getByText('$217.35').first()).toBeVisible();
    await expectAccessible(phonePage);
    await expect(row).toContainText('Opened');
    await payWithCard(phonePage, cards.pays);
    await expect(phonePage).toHaveURL(/\/complete-registration/);
    const latePage = await (await browser.newContext({ baseURL: baseURL!, ...phoneScreen })).newPage();
    await latePage.goto(cartLink);
    await expect(latePage.getByText('This order is already paid.')).toBeVisible();
    await expectAccessible(latePage);
  });

  await test.step('the order in the panel says that it was made by phone', async () => {
    await expect(row).toContainText('Paid');
    await row.getByRole('button', { name: /^Open KF-/ }).click();
    await expect(page.getByText(/^Ordered by phone on /)).toBeVisible();
    await expect(page.getByLabel('Notes')).toHaveValue('Call before noon');
  });

  await test.step('the owner copies a payment link and cancels it, and the list shows it as canceled', async () => {
    await page.goto('/admin?tab=orders');
    await page.getByRole('button', { name: 'New order...' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Customer’s email').fill('copied@example.com');
    await dialog.getByRole('button', { name: 'Copy the link' }).click();
    await expect(dialog.getByRole('heading', { name: 'The link is ready' })).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Cancel...: copied@example.com' }).click();
    await page.getByRole('button', { name: 'Cancel the link', exact: true }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'copied@example.com' })).toContainText('Canceled');
  });
});
