import { readFileSync } from 'node:fs';
import { buyFrameThroughApi } from './buying-behind-pages.ts';
import {
  expect,
  expectAccessible,
  waitForEmailedLink,
  readMailsTo,
  shopOrigin,
  createTestPicture,
  signInAsOwner,
  test,
} from './fixtures.ts';

/** The number of pages of a printed document. */
const countPdfPages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;

test('the owner makes a partial refund and ships the package', async ({ page, expectProblem }) => {
  expectProblem(/409 .*\/api\/admin\/orders/); // the second of two owners who save at once is refused
  const email = `otto-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await buyFrameThroughApi(page, email);
  await signInAsOwner(page);
  await page.getByRole('searchbox').fill(email);
  await page.getByRole('row', { name: email }).getByRole('button').click();
  const panel = page.getByRole('region', { name: /^Order KF-/ });
  await expect(panel.getByText('No refunds.')).toBeVisible();

  await test.step('a refund shows its effects before it is made', async () => {
    await panel.getByRole('button', { name: 'Refund...' }).click();
    const amountField = page.getByLabel('Amount in dollars');
    await expect(amountField).toHaveValue('218.98');
    await expect(page.getByText('we’ll remove the unused room for 40 photos')).toBeVisible();
    await expectAccessible(page);
    await amountField.fill('1000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('You can still refund up to $218.98')).toBeVisible();
    await expect(page.getByText('Please enter a reason for the refund')).toBeVisible();
    await amountField.fill('10.50');
    await page.getByLabel('Reason').fill('One package was bought by mistake.');
    await expect(page.getByRole('checkbox', { name: 'Remove room for 10 unused photos' })).toBeChecked();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Continue' }).click();
    const refundDialog = page.getByRole('dialog', { name: 'Refund $10.50?' });
    await expect(refundDialog).toContainText('We’ll refund $10.50 to the Visa card ending in 4242.');
    await expect(refundDialog).toContainText('We’ll remove the unused room for 10 photos.');
    await expectAccessible(page);
    await refundDialog.getByRole('button', { name: 'Refund $10.50' }).dblclick();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(panel.getByRole('button', { name: 'Refund...' })).toBeFocused();
  });

  await test.step('the remaining profit says which costs are unknown', async () => {
    await panel.getByRole('heading', { name: 'Profit' }).click();
    await expect(panel.getByText('not set')).toHaveCount(2);
    await expect(
      panel.getByText('To include what you pay for a frame and a package, enter the cost in Settings.'),
    ).toBeVisible();
    await expect(panel.getByText('Profit so far')).toBeVisible();
  });

  await test.step('the refund is made once, and the customer gets one email', async () => {
    await expect(panel.getByText('Refunded', { exact: true }).first()).toBeVisible();
    await expect(panel.getByText('You can still refund $208.48.')).toBeVisible();
    await expect(panel.getByText(/^Refunded \$10\.50: One package was bought by mistake\./)).toBeVisible();
    await expect(panel.getByText('10 unused photos removed')).toHaveCount(1);
    await expect
      .poll(async () => (await readMailsTo(email)).filter((it) => /refund of \$10\.50/.test(it.subject ?? '')).length)
      .toBe(1);
  });

  await test.step('the shipping address is changed before the package is sent', async () => {
    await panel.getByRole('button', { name: 'Change address...' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the shipping address' });
    await expectAccessible(page);
    await dialog.getByLabel('Country').selectOption('CA');
    await dialog.getByRole('button', { name: 'Change address' }).click();
    await expect(dialog.getByText('Province or territory is required')).toBeVisible();
    await dialog.getByLabel('Address', { exact: true }).fill('4 Rue Sherbrooke');
    await dialog.getByLabel('City').fill('Montreal');
    await dialog.getByLabel('Province or territory').selectOption('QC');
    await dialog.getByLabel('Postal code').fill('h2x1y4');
    await expect(dialog.getByText(`We’ll send the new address to ${email}.`)).toBeVisible();
    await dialog.getByRole('button', { name: 'Change address' }).dblclick();
    await expect(dialog).toHaveCount(0);
    await expect(panel.getByText('Montreal, QC H2X 1Y4')).toBeVisible();
    await expect
      .poll(async () => (await readMailsTo(email)).filter((it) => /New shipping address/.test(it.subject ?? '')).length)
      .toBe(1);
    await expect(panel.getByText(`Email sent to ${email}: Shipping address changed.`, { exact: true })).toHaveCount(1);
    await expect(panel.getByText('Shipping address changed.', { exact: true })).toHaveCount(1);
  });

  await test.step('the package is shipped with its tracking number', async () => {
    await panel.getByRole('button', { name: 'Ship order...' }).click();
    const warningAlert = page.getByRole('alert').filter({ hasText: 'Before you ship' });
    await expect(warningAlert).toContainText(/the customer isn’t done adding photos \(0 of \d+\)\./);
    await expect(warningAlert).toContainText(`The customer hasn’t confirmed the email address ${email}.`);
    await page.getByLabel('Tracking number').fill('1Z 999 AA1');
    await page.getByRole('button', { name: 'Ship anyway' }).click();
    await expect(page.getByText('Please choose the carrier for this tracking number')).toBeVisible();
    await page.getByLabel('Carrier').fill('UPS');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Ship anyway' }).dblclick();
    await expect(panel.getByRole('link', { name: /Track the package/ })).toHaveAttribute(
      'href',
      'https://www.ups.com/track?tracknum=1Z999AA1',
    );
    await expect(panel.getByLabel('Status')).toHaveValue('shipped');
    await expectAccessible(page);
  });

  await test.step('notes do not overwrite another person’s notes, and leaving unsaved notes asks first', async () => {
    const notesField = panel.getByLabel('Admin notes');
    const updateButton = panel.getByRole('button', { name: 'Update Order' });
    await notesField.fill('Call on Friday');
    const { rows } = await (await page.request.get(`/api/admin/lists/orders?q=${email}`)).json();
    const otherEdit = { data: { notes: 'Call on Monday' }, headers: { origin: shopOrigin() } };
    expect((await page.request.put(`/api/admin/orders/${rows[0].id}`, otherEdit)).ok()).toBe(true);
    await updateButton.click();
    const conflictDialog = page.getByRole('dialog', { name: 'Someone else changed these notes' });
    await expect(conflictDialog.getByRole('listitem')).toHaveText(/Yours.*Call on Friday.*Theirs.*Call on Monday/s);
    await expectAccessible(page);
    await conflictDialog.getByRole('button', { name: 'Keep editing' }).click();
    await panel.getByRole('button', { name: 'Close order' }).click();
    const leaveDialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leaveDialog.getByRole('button', { name: 'Keep editing' }).click();
    await updateButton.click();
    await conflictDialog.getByRole('button', { name: 'Save mine instead' }).click();
    await expect(page.getByText('Order Updated', { exact: true }).first()).toBeVisible();
    await expect(notesField).toHaveValue('Call on Friday');
    await expect(panel.getByText(`Email sent to ${email}: `, { exact: false }).first()).toBeVisible();
  });

  await test.step('the customer sees the refund and the shipment', async () => {
    const receiptLink = await waitForEmailedLink(email, /http\S+\/purchase-success\?session=\S+/);
    await page.goto(receiptLink);
    await expect(page.getByText('-$10.50').or(page.getByText('$10.50')).first()).toBeVisible();
    await expect
      .poll(async () => (await readMailsTo(email)).filter((it) => /on its way/.test(it.subject ?? '')).length)
      .toBe(1);
  });
});

test('the owner pages through the list, goes back, and opens an order on any page @phone', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/status of 400/); // the response to a filter that does not exist
  const emailPrefix = `pages${crypto.randomUUID().slice(0, 8)}`;
  for (const index of [1, 2, 3]) await buyFrameThroughApi(page, `${emailPrefix}-${index}@example.com`);
  await signInAsOwner(page);
  // Make each page two rows long, so that three orders are enough.
  await page.route('**/api/admin/lists/orders*', (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '2');
    return route.continue({ url: url.href });
  });
  const pageNavigation = page.getByRole('navigation', { name: 'Pages of orders' });
  const orderRow = (at: number) => page.getByText(`${emailPrefix}-${at}@example.com`, { exact: true }).first();

  await test.step('the page number of the list is part of the address', async () => {
    await page.getByRole('searchbox').fill(emailPrefix);
    await expect(page.getByText('1–2 of more than 2 orders')).toBeVisible();
    await expect(orderRow(3)).toBeVisible();
    await expect(pageNavigation.getByRole('button', { name: 'Previous' })).toBeDisabled();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Ships to' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page).toHaveURL(/columns=date%2Ccustomer%2Cproducts%2Cships-to%2Ctotal%2Cstatus/);
    await expect(page.getByText('Portland, OR, US')).toHaveCount(2);
    await pageNavigation.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByText('3–3 of 3 orders')).toBeVisible();
    await expect(page).toHaveURL(/after=/);
    await expect(orderRow(1)).toBeVisible();
    await expect(pageNavigation.getByRole('button', { name: 'Next' })).toBeDisabled();
    await page.goBack();
    await expect(orderRow(3)).toBeVisible();
    await page.goForward();
    await expect(orderRow(1)).toBeVisible();
  });

  await test.step('an order stays open on any page of the list', async () => {
    await page.getByRole('button', { name: /^KF-/ }).click();
    const panel = page.getByRole('region', { name: /^Order KF-/ });
    await expect(panel.getByRole('link', { name: `${emailPrefix}-1@example.com` })).toBeVisible();
    const address = new URL(page.url());
    address.searchParams.delete('after');
    await page.goto(address.href);
    await expect(panel.getByRole('link', { name: `${emailPrefix}-1@example.com` })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('an unknown filter shows a message and a button to continue', async () => {
    await page.goto('/admin?tab=orders&filter=nonsense');
    await expect(page.getByText('This list has no such filter.')).toBeVisible();
    await page.getByRole('button', { name: 'Show all orders' }).click();
    await expect(orderRow(3)).toBeVisible();
    await page.getByRole('searchbox').fill('%%');
    await expect(page.getByText('at least two letters or digits to search')).toBeVisible();
  });
});

test('the owner prints packing slips and sets one status for several orders', async ({ page, expectProblem }) => {
  expectProblem(/404 .*\/api\/admin\/orders\/none/); // the response to a packing slip for an order that does not exist
  const name = `bulk${crypto.randomUUID().slice(0, 8)}`;
  for (const index of [1, 2]) await buyFrameThroughApi(page, `${name}-${index}@example.com`);
  await signInAsOwner(page);
  await page.getByRole('searchbox').fill(name);
  await expect(page.getByText('2 orders', { exact: true })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const selectionBar = page.getByRole('region', { name: 'Selected rows' });
  await selectionBar.getByLabel('Status of the selected orders').selectOption('processing');
  await selectionBar.getByRole('button', { name: 'Update orders' }).click();
  const setProcessingDialog = page.getByRole('dialog', { name: 'Set 2 orders to Processing?' });
  await expect(setProcessingDialog).toContainText('We won’t send an email.');
  await expectAccessible(page);
  await setProcessingDialog.getByRole('button', { name: 'Update orders' }).click();
  await expect(page.getByRole('row', { name }).getByText('Processing')).toHaveCount(2);
  await expect(selectionBar).toHaveCount(0);

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await test.step('the packing slips of the selected orders are printed, one on each sheet', async () => {
    await selectionBar.getByRole('link', { name: '2 packing slips' }).click();
    await expect(page.getByRole('heading', { level: 1, name: '2 packing slips' })).toBeVisible();
    const packingSlips = page.getByRole('article', { name: 'Packing slip of order KF-' });
    await expect(packingSlips).toHaveCount(2);
    await expect(packingSlips.first()).toContainText('Kinframe Digital Picture Frame');
    await expect(page.getByText('$')).toHaveCount(0);
    await expectAccessible(page);
    expect(countPdfPages(await page.pdf({ format: 'Letter' }))).toBe(2);
    await page.reload();
    await expect(packingSlips).toHaveCount(2);
    await page.goto('/admin/packing-slips?orders=none');
    await expect(page.getByText('1 order not found')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'No packing slips' })).toBeVisible();
    await expectAccessible(page);
    await page.goto(`/admin?tab=orders&q=${name}`);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  });

  await selectionBar.getByLabel('Status of the selected orders').selectOption('shipped');
  await selectionBar.getByRole('button', { name: 'Update orders' }).click();
  const setShippedDialog = page.getByRole('dialog', { name: 'Set 2 orders to Shipped?' });
  await expect(setShippedDialog).toContainText('2 customers will get an email that the package is on its way.');
  await setShippedDialog.getByRole('checkbox', { name: 'Email the customers' }).uncheck();
  await expect(setShippedDialog).toContainText('We won’t send an email.');
  await expect(setShippedDialog.getByText('the customer isn’t done adding photos')).toHaveCount(2);
  await expectAccessible(page);
  const [sent] = await Promise.all([
    page.waitForRequest((it) => it.method() === 'PUT' && it.url().includes('/api/admin/orders/')),
    setShippedDialog.getByRole('button', { name: 'Ship anyway' }).click(),
  ]);
  expect(sent.postDataJSON()).toEqual({ status: 'shipped', tellCustomer: false });
  await expect(page.getByRole('row', { name }).getByText('Shipped')).toHaveCount(2);
});

test('the command palette finds an order, its customer and a tab by a few typed letters', async ({ page }) => {
  const email = 'palette@example.com';
  await buyFrameThroughApi(page, email);
  await signInAsOwner(page);
  await page.getByRole('tab', { name: 'Gallery' }).click();
  const finderDialog = page.getByRole('dialog', { name: 'Find anything' });
  const searchField = finderDialog.getByRole('combobox');

  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await searchField.fill(email);
  await expect(finderDialog.getByRole('option', { name: /^KF-/ })).toHaveCount(1);
  const customerOption = finderDialog.getByRole('option', { name: new RegExp(`${email}$`) });
  await expect(customerOption).toHaveCount(1);
  await expectAccessible(page);
  await customerOption.click();
  await expect(page.getByRole('dialog').getByText(email).first()).toBeVisible();
  await expect(page).toHaveURL(/tab=customers&customer=/);
  await page.goto('/admin?tab=users');

  // Enter works before the results arrive.
  await page.getByRole('button', { name: 'Find', exact: true }).focus();
  await page.keyboard.press('Control+k');
  await searchField.pressSequentially(email);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: /^Order KF-/ })).toContainText(email);

  await page.keyboard.press('Control+k');
  await searchField.fill('support');
  await finderDialog.getByRole('option', { name: 'Support Tickets' }).click();
  await expect(page.getByRole('tab', { name: 'Support Tickets' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Control+k');
  await searchField.fill('no such thing at all');
  await expect(finderDialog.getByText('No results for “no such thing at all”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(finderDialog).toHaveCount(0);
});

test('unsaved notes stay when their order leaves the list, and closing the order focuses its row', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/ERR_FAILED/);
  const name = `stays${crypto.randomUUID().slice(0, 8)}`;
  for (const index of [1, 2]) await buyFrameThroughApi(page, `${name}-${index}@example.com`);
  await signInAsOwner(page);
  await page.getByRole('searchbox').fill(name);
  await expect(page.getByText('2 orders', { exact: true })).toBeVisible();
  const row = page.getByRole('row', { name: `${name}-1@` });
  const statusFilter = page.getByRole('combobox', { name: 'Status', exact: true }).first();
  const panel = page.getByRole('region', { name: /^Order KF-/ });
  const notesField = panel.getByLabel('Admin notes');
  await row.getByRole('button').click();
  await notesField.fill('Call on Friday');

  await page.route('**/api/admin/orders/*', (route) => route.abort()); // the order must not be loaded again
  await statusFilter.selectOption('completed');
  await expect(row).toHaveCount(0);
  await expect(notesField).toHaveValue('Call on Friday');
  await expect(panel.getByText('Not saved yet')).toBeVisible();
  await page.unroute('**/api/admin/orders/*');

  await statusFilter.selectOption('');
  await expect(row).toHaveCount(1);
  await panel.getByRole('button', { name: 'Update Order' }).click();
  await expect(panel.getByText('Not saved yet')).toHaveCount(0);
  await panel.getByRole('button', { name: 'Close order' }).focus();
  await page.keyboard.press('Enter');
  await expect(row.getByRole('button')).toBeFocused();
});

test('a refused refund can be requested again, and a refund with a lost response is looked up', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/(409|400|422) .*\/refunds|ERR_FAILED/);
  const email = `twice-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await buyFrameThroughApi(page, email);
  await signInAsOwner(page);
  await page.getByRole('searchbox').fill(email);
  await page.getByRole('row', { name: email }).getByRole('button').click();
  const panel = page.getByRole('region', { name: /^Order KF-/ });
  await panel.getByRole('button', { name: 'Refund...' }).click();
  const fillReasonAndContinue = async () => {
    await page.getByLabel('Reason').fill('It came broken.');
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  await fillReasonAndContinue();
  const fullRefundDialog = page.getByRole('dialog', { name: 'Refund $218.98?' });
  await expect(fullRefundDialog).toContainText('This refunds the whole order.');
  const { rows } = await (await page.request.get(`/api/admin/lists/orders?q=${email}`)).json();
  const otherEdit = { data: { amountCents: 20_000, reason: 'Another tab.' }, headers: { origin: shopOrigin() } };
  expect((await page.request.post(`/api/admin/orders/${rows[0].id}/refunds`, otherEdit)).ok()).toBe(true);
  await fullRefundDialog.getByRole('button', { name: 'Refund $218.98' }).click();
  await expect(page.getByText('Refund failed', { exact: true })).toBeVisible();
  await expect(fullRefundDialog).toHaveCount(0);
  await expect(page.getByText('You can refund up to $18.98')).toBeVisible();

  await page.getByLabel('Amount in dollars').fill('5');
  await fillReasonAndContinue();
  await page.route('**/api/admin/orders/*/refunds', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.abort(); // the refund is made, but its response is lost
  });
  await page.getByRole('button', { name: 'Refund $5.00' }).click();
  await expect(page.getByText('Refund on its way', { exact: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(panel.getByText('You can still refund $13.98.')).toBeVisible();
});

test('the owner cancels an order, and sees before the click what is refunded, deleted and emailed @phone', async ({
  page,
}) => {
  const email = `cancel-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await buyFrameThroughApi(page, email);
  await signInAsOwner(page);
  const { rows } = await (await page.request.get(`/api/admin/lists/orders?q=${email}`)).json();
  const photo = {
    name: 'kite.jpg',
    mimeType: 'image/jpeg',
    buffer: readFileSync(await createTestPicture('kite.jpg', 'teal')),
  };
  const uploadResponse = await page.request.post('/api/admin/upload', {
    multipart: { orderId: rows[0].id, 'files[]': photo },
    headers: { origin: shopOrigin() },
  });
  expect(uploadResponse.ok(), await uploadResponse.text()).toBe(true);
  await page.goto(`/admin?tab=orders&order=${rows[0].id}`);
  const panel = page.getByRole('region', { name: /^Order KF-/ });
  await panel.getByRole('button', { name: 'Cancel order...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this order?' });
  const effectsList = dialog.getByRole('list');
  await expect(effectsList).toContainText('We’ll refund $218.98 to the Visa card ending in 4242.');
  await expect(effectsList).toContainText(`We’ll send one email to ${email}.`);
  await expectAccessible(page);

  await test.step('no choice about the photos is preselected, so the owner must choose', async () => {
    await dialog.getByRole('button', { name: 'Cancel order, refund $218.98' }).click();
    await expect(dialog.getByText('Please choose what happens to the photos and videos')).toBeVisible();
    await expect(dialog.getByText('Please enter a reason')).toBeVisible();
    await dialog.getByRole('radio', { name: /^Keep/ }).check();
    await expect(effectsList).toContainText('We’ll keep 1 photo.');
    await dialog.getByRole('radio', { name: /^Delete/ }).check();
    await expect(effectsList).toContainText(
      'We’ll delete 1 photo right away. Links to photos and videos will stop working.',
    );
    await dialog.getByRole('checkbox', { name: 'Email the customer' }).uncheck();
    await expect(effectsList).toContainText('We won’t email the customer.');
    await dialog.getByRole('checkbox', { name: 'Email the customer' }).check();
    await expectAccessible(page);
  });

  await test.step('the order is canceled once and is shown as canceled everywhere', async () => {
    await dialog.getByLabel('Reason').fill('Ordered twice.');
    await dialog.getByRole('button', { name: 'Cancel order, refund $218.98' }).dblclick();
    await expect(page.getByText('Order canceled', { exact: true })).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await expect(panel.getByText('Order canceled: Ordered twice.')).toHaveCount(1);
    await expect(panel.getByText('Canceled. Please don’t ship it.')).toBeVisible();
    await expect(panel.getByText('Refunded', { exact: true }).first()).toBeVisible();
    await expect(panel.getByText(/^Photos and videos of .* deleted\.$/)).toHaveCount(1);
    for (const hiddenAction of ['Ship order...', 'Cancel order...', 'Change address...'])
      await expect(panel.getByRole('button', { name: hiddenAction })).toHaveCount(0);
    const readSubjects = async () => (await readMailsTo(email)).map((it) => it.subject ?? '');
    await expect.poll(async () => (await readSubjects()).filter((it) => it.endsWith('is canceled')).length).toBe(1);
    expect((await readSubjects()).filter((it) => /refund/i.test(it))).toEqual([]);
    await page.goto(`/admin?tab=orders&filter=canceled&q=${email}`);
    await expect(page.getByText('Canceled', { exact: true }).last()).toBeVisible();
    await page.goto(`/admin?tab=orders&filter=pending&q=${email}`);
    await expect(page.getByText(/No orders (match|found)|Nothing/i).first()).toBeVisible();
  });
});

test('the owner ships several packages with pasted tracking numbers, and each customer gets one email @phone', async ({
  page,
}) => {
  const searchMarker = `many-${crypto.randomUUID().slice(0, 8)}`;
  const emails = [`${searchMarker}-a@example.com`, `${searchMarker}-b@example.com`];
  for (const email of emails) await buyFrameThroughApi(page, email);
  await signInAsOwner(page);
  await page.goto(`/admin?tab=orders&q=${searchMarker}&sort=date`);
  const { rows } = await (await page.request.get(`/api/admin/lists/orders?q=${searchMarker}&sort=date`)).json();
  const [first, second] = rows.map((it: { orderNumber: string }) => it.orderNumber) as [string, string];
  const dialog = page.getByRole('dialog', { name: 'Ship packages' });
  const linesField = dialog.getByLabel('Order numbers and tracking numbers');

  await test.step('the selected orders are filled in, and lines that cannot be shipped are listed', async () => {
    for (const number of [first, second]) await page.getByRole('checkbox', { name: new RegExp(number) }).check();
    await page.getByRole('button', { name: 'Ship with tracking...' }).click();
    await expect(linesField).toHaveValue(`${first}, \n${second}, \n`);
    await expectAccessible(page);
    await linesField.fill(`${first},1Z 999 AA1\n${second}\t9400111899\tUSPS\n${first} 1Z2\nKF-2222-2222,1Z3\nhello`);
    await dialog.getByRole('button', { name: 'Check lines' }).click();
    await expect(dialog.getByRole('heading', { name: '1 with warnings, 4 not possible' })).toBeFocused();
    const findLine = (number: number) =>
      dialog.getByRole('listitem').filter({ hasText: new RegExp(`^Line ${number}`) });
    await expect(findLine(1)).toContainText('Please choose the carrier for this tracking number.');
    await expect(findLine(3)).toContainText('This is the same order as on line 1.');
    await expect(findLine(4)).toContainText('There’s no order with this number.');
    await expect(findLine(5)).toContainText('“hello” is not an order number.');
    await expectAccessible(page);
  });

  await test.step('both orders ship after one confirmation, and the results stay visible', async () => {
    await dialog.getByRole('button', { name: 'Change lines' }).click();
    await dialog.getByLabel('Carrier for lines without one').fill('UPS');
    await dialog.getByRole('button', { name: 'Check lines' }).click();
    await expect(dialog.getByText(/the customer isn’t done adding photos/)).toHaveCount(2);
    await expect(dialog.getByRole('button', { name: 'Ship 0 packages, email the customers' })).toBeDisabled();
    const emailCustomersCheckbox = dialog.getByRole('checkbox', { name: 'Email the customers' });
    await emailCustomersCheckbox.uncheck();
    await expect(dialog.getByRole('button', { name: 'Ship 0 packages, no email' })).toBeDisabled();
    await expect(dialog.getByText('We won’t email the customers about these packages.')).toBeVisible();
    await emailCustomersCheckbox.check();
    for (const number of [first, second]) await dialog.getByLabel(`Ship ${number} anyway`).check();
    await dialog.getByRole('button', { name: 'Ship 2 packages, email the customers' }).dblclick();
    await expect(dialog.getByText('2 packages shipped')).toBeVisible();
    await expect(dialog.getByText('Shipped', { exact: true })).toHaveCount(2);
    for (const email of emails)
      await expect
        .poll(async () => (await readMailsTo(email)).filter((it) => /on its way/i.test(it.subject ?? '')).length)
        .toBe(1);
    await dialog.getByRole('button', { name: 'More packages' }).click();
    await dialog.getByRole('button', { name: 'Check lines' }).click();
    await expect(dialog.getByText(/^Already shipped on .* with 1Z 999 AA1\.$/)).toHaveCount(1);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toHaveCount(0);
  });
});

test('a link to a deleted order, ticket or customer opens a page that says that it does not exist, and offers no retry', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/404 .*\/api\/admin\//);
  await signInAsOwner(page);
  const id = crypto.randomUUID();
  await page.goto(`/admin?tab=orders&order=${id}`);
  await expect(page.getByText('We couldn’t find this order')).toBeVisible();
  await expect(page.getByText('It may have been deleted.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page).not.toHaveURL(/order=/);
  for (const [tab, key, name] of [
    ['support', 'ticket', 'ticket'],
    ['customers', 'customer', 'customer'],
  ]) {
    await page.goto(`/admin?tab=${tab}&${key}=${id}`);
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(`We couldn’t find this ${name}`)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Try again' })).toHaveCount(0);
    await expectAccessible(page);
  }
});
