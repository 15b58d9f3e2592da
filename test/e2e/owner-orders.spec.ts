import type { Page } from '@playwright/test';
import { expect, expectAccessible, linkIn, mailsTo, origin, signInAsOwner, test } from './fixtures.ts';

/** Pay for a frame with two extra packages, as a browser does behind its pages. */
async function buy(page: Page, email: string): Promise<void> {
  await page.goto('/');
  const paid = await page.evaluate(async (email) => {
    const post = async (url: string, body: unknown) =>
      (
        await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json();
    const address = { line1: '12 Linden Street', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' };
    const customerDetails = { firstName: 'Otto', lastName: 'Winter', email, phone: '', address };
    const cart = { productId: 'kinframe', quantity: 1, extraPackages: 2, customerDetails };
    const { paymentIntentId, clientSecret } = await post('/api/create-payment-intent', cart);
    await fetch(`/sandbox/stripe/v1/payment_intents/${paymentIntentId}/confirm`, {
      method: 'POST',
      body: new URLSearchParams({
        client_secret: clientSecret,
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': '4242424242424242',
        'payment_method_data[card][exp_month]': '12',
        'payment_method_data[card][exp_year]': '2040',
        'payment_method_data[card][cvc]': '123',
        return_url: location.origin,
      }),
    });
    return post('/api/verify-payment', { paymentIntentId });
  }, email);
  expect(paid).toMatchObject({ success: true });
}

test('the owner gives part of an order back and sends its parcel off', async ({ page, expectProblem }) => {
  expectProblem(/409 .*\/api\/admin\/orders/); // two owners at once
  const email = `otto-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await buy(page, email);
  await signInAsOwner(page);
  await page.getByRole('searchbox').fill(email);
  await page.getByRole('row', { name: email }).getByRole('button').click();
  const panel = page.getByRole('region', { name: /^Order KF-/ });
  await expect(panel.getByText('Nothing was given back.')).toBeVisible();

  await test.step('a refund says what will happen before it does', async () => {
    await panel.getByRole('button', { name: 'Refund...' }).click();
    const amount = page.getByLabel('Amount in dollars');
    await expect(amount).toHaveValue('218.98');
    await expect(page.getByText('the unused room for 40 photos goes with it')).toBeVisible();
    await expectAccessible(page);
    await amount.fill('1000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('At most $218.98 can still be refunded')).toBeVisible();
    await expect(page.getByText('Please say why the money goes back.')).toBeVisible();
    await amount.fill('10.50');
    await page.getByLabel('Reason').fill('One package was bought by mistake.');
    await expect(page.getByRole('checkbox', { name: 'Withdraw 10 unused photos' })).toBeChecked();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Continue' }).click();
    const confirm = page.getByRole('dialog', { name: 'Refund $10.50?' });
    await expect(confirm).toContainText('$10.50 goes back to the Visa card ending in 4242.');
    await expect(confirm).toContainText('The unused room for 10 photos is withdrawn.');
    await expectAccessible(page);
    await confirm.getByRole('button', { name: 'Refund $10.50' }).dblclick();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(panel.getByRole('button', { name: 'Refund...' })).toBeFocused();
  });

  await test.step('what is left says what is not known', async () => {
    await expect(panel.getByText('not set')).toHaveCount(2);
    await expect(panel.getByText(/To count what you pay for a frame and a parcel, set FRAME_COST and/)).toBeVisible();
    await expect(panel.getByText('Left of what is known')).toBeVisible();
  });

  await test.step('it is made once, and everyone hears of it', async () => {
    await expect(panel.getByText('Refunded', { exact: true }).first()).toBeVisible();
    await expect(panel.getByText('$208.48 can still be given back.')).toBeVisible();
    await expect(panel.getByText(/^Refunded \$10\.50: One package was bought by mistake\./)).toBeVisible();
    await expect(panel.getByText('10 unused photos withdrawn')).toHaveCount(1);
    await expect
      .poll(async () => (await mailsTo(email)).filter((it) => /refund of \$10\.50/.test(it.subject ?? '')).length)
      .toBe(1);
  });

  await test.step('the parcel goes off with its number', async () => {
    await panel.getByRole('button', { name: 'Ship order...' }).click();
    await page.getByLabel('Tracking number').fill('1Z 999 AA1');
    await page.getByRole('button', { name: 'Mark as shipped' }).click();
    await expect(page.getByText('Please name the carrier of this tracking number')).toBeVisible();
    await page.getByLabel('Carrier').fill('UPS');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Mark as shipped' }).dblclick();
    await expect(panel.getByRole('link', { name: /Follow the parcel/ })).toHaveAttribute(
      'href',
      'https://www.ups.com/track?tracknum=1Z999AA1',
    );
    await expect(panel.getByLabel('Status')).toHaveValue('shipped');
    await expectAccessible(page);
  });

  await test.step('notes overwrite nobody’s, and are left unsaved only after a question', async () => {
    const notes = panel.getByLabel('Admin notes');
    const update = panel.getByRole('button', { name: 'Update Order' });
    await notes.fill('Call on Friday');
    const { rows } = await (await page.request.get(`/api/admin/lists/orders?q=${email}`)).json();
    const theirs = { data: { notes: 'Call on Monday' }, headers: { origin: origin() } };
    expect((await page.request.put(`/api/admin/orders/${rows[0].id}`, theirs)).ok()).toBe(true);
    await update.click();
    const choice = page.getByRole('dialog', { name: 'Somebody else changed these notes' });
    await expect(choice.getByRole('listitem')).toHaveText(/Yours.*Call on Friday.*Theirs.*Call on Monday/s);
    await expectAccessible(page);
    await choice.getByRole('button', { name: 'Keep editing' }).click();
    await panel.getByRole('button', { name: 'Close order' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await update.click();
    await choice.getByRole('button', { name: 'Save mine instead' }).click();
    await expect(page.getByText('Order Updated', { exact: true }).first()).toBeVisible();
    await expect(notes).toHaveValue('Call on Friday');
    await expect(panel.getByText(`Mail sent to ${email}: `, { exact: false }).first()).toBeVisible();
  });

  await test.step('the customer reads both in the order', async () => {
    const link = await linkIn(email, /http\S+\/purchase-success\?session=\S+/);
    await page.goto(link);
    await expect(page.getByText('-$10.50').or(page.getByText('$10.50')).first()).toBeVisible();
    await expect
      .poll(async () => (await mailsTo(email)).filter((it) => /on its way/.test(it.subject ?? '')).length)
      .toBe(1);
  });
});

test('the owner turns the pages of the list, goes back, and opens an order of any page @phone', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/status of 400/); // the filter that does not exist
  const name = `pages${crypto.randomUUID().slice(0, 8)}`;
  for (const at of [1, 2, 3]) await buy(page, `${name}-${at}@example.com`);
  await signInAsOwner(page);
  // Pages of two: three orders are enough.
  await page.route('**/api/admin/lists/orders*', (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('limit', '2');
    return route.continue({ url: url.href });
  });
  const pages = page.getByRole('navigation', { name: 'Pages of orders' });
  const order = (at: number) => page.getByText(`${name}-${at}@example.com`, { exact: true }).first();

  await test.step('page by page, in the address', async () => {
    await page.getByRole('searchbox').fill(name);
    await expect(page.getByText('1–2 of more than 2 orders')).toBeVisible();
    await expect(order(3)).toBeVisible();
    await expect(pages.getByRole('button', { name: 'Previous' })).toBeDisabled();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Ships to' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(page).toHaveURL(/columns=date%2Ccustomer%2Cproducts%2Cships-to%2Ctotal%2Cstatus/);
    await expect(page.getByText('Portland, OR, US')).toHaveCount(2);
    await pages.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByText('3–3 of 3 orders')).toBeVisible();
    await expect(page).toHaveURL(/after=/);
    await expect(order(1)).toBeVisible();
    await expect(pages.getByRole('button', { name: 'Next' })).toBeDisabled();
    await page.goBack();
    await expect(order(3)).toBeVisible();
    await page.goForward();
    await expect(order(1)).toBeVisible();
  });

  await test.step('an order stays open, wherever the list stands', async () => {
    await page.getByRole('button', { name: /^KF-/ }).click();
    const panel = page.getByRole('region', { name: /^Order KF-/ });
    await expect(panel.getByRole('link', { name: `${name}-1@example.com` })).toBeVisible();
    const address = new URL(page.url());
    address.searchParams.delete('after');
    await page.goto(address.href);
    await expect(panel.getByRole('link', { name: `${name}-1@example.com` })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a filter that does not exist is answered in words, with a way on', async () => {
    await page.goto('/admin?tab=orders&filter=nonsense');
    await expect(page.getByText('This list has no such filter.')).toBeVisible();
    await page.getByRole('button', { name: 'Show all orders' }).click();
    await expect(order(3)).toBeVisible();
    await page.getByRole('searchbox').fill('%%');
    await expect(page.getByText('at least two letters or digits in a row')).toBeVisible();
  });
});

test('the owner sets one status for several orders', async ({ page }) => {
  const name = `bulk${crypto.randomUUID().slice(0, 8)}`;
  for (const at of [1, 2]) await buy(page, `${name}-${at}@example.com`);
  await signInAsOwner(page);
  await page.getByRole('searchbox').fill(name);
  await expect(page.getByText('2 orders', { exact: true })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const bar = page.getByRole('region', { name: 'Selected rows' });
  await bar.getByLabel('Status of the selected orders').selectOption('processing');
  await bar.getByRole('button', { name: 'Update orders' }).click();
  const confirm = page.getByRole('dialog', { name: 'Set 2 orders to Processing?' });
  await expect(confirm).toContainText('No mail is sent.');
  await expectAccessible(page);
  await confirm.getByRole('button', { name: 'Update orders' }).click();
  await expect(page.getByRole('row', { name }).getByText('Processing')).toHaveCount(2);
  await expect(bar).toHaveCount(0);
});

test('an order, its customer and a tab are found by a few letters from anywhere', async ({ page }) => {
  const email = 'palette@example.com';
  await buy(page, email);
  await signInAsOwner(page);
  await page.getByRole('tab', { name: 'Gallery' }).click();
  const finder = page.getByRole('dialog', { name: 'Find anything' });
  const words = finder.getByRole('combobox');

  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await words.fill(email);
  await expect(finder.getByRole('option', { name: /^KF-/ })).toHaveCount(1);
  const customer = finder.getByRole('option', { name: new RegExp(`${email}$`) });
  await expect(customer).toHaveCount(1);
  await expectAccessible(page);
  await customer.click();
  await expect(page.getByRole('dialog').getByText(email).first()).toBeVisible();
  await expect(page).toHaveURL(/tab=customers&customer=/);
  await page.goto('/admin?tab=users');

  // Whoever knows what they want does not wait for the answers.
  await page.getByRole('button', { name: 'Find', exact: true }).focus();
  await page.keyboard.press('Control+k');
  await words.pressSequentially(email);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: /^Order KF-/ })).toContainText(email);

  await page.keyboard.press('Control+k');
  await words.fill('support');
  await finder.getByRole('option', { name: 'Support Tickets' }).click();
  await expect(page.getByRole('tab', { name: 'Support Tickets' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Control+k');
  await words.fill('no such thing at all');
  await expect(finder.getByText('Nothing is called “no such thing at all”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(finder).toHaveCount(0);
});

test('what is typed beside the list stays when its order leaves the list, and closing it leads back to its row', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/ERR_FAILED/);
  const name = `stays${crypto.randomUUID().slice(0, 8)}`;
  for (const at of [1, 2]) await buy(page, `${name}-${at}@example.com`);
  await signInAsOwner(page);
  await page.getByRole('searchbox').fill(name);
  await expect(page.getByText('2 orders', { exact: true })).toBeVisible();
  const row = page.getByRole('row', { name: `${name}-1@` });
  const filter = page.getByRole('combobox', { name: 'Status', exact: true }).first();
  const panel = page.getByRole('region', { name: /^Order KF-/ });
  const notes = panel.getByLabel('Admin notes');
  await row.getByRole('button').click();
  await notes.fill('Call on Friday');

  await page.route('**/api/admin/orders/*', (route) => route.abort()); // its own answer is not needed
  await filter.selectOption('completed');
  await expect(row).toHaveCount(0);
  await expect(notes).toHaveValue('Call on Friday');
  await expect(panel.getByText('Not saved yet')).toBeVisible();
  await page.unroute('**/api/admin/orders/*');

  await filter.selectOption('');
  await expect(row).toHaveCount(1);
  await panel.getByRole('button', { name: 'Update Order' }).click();
  await expect(panel.getByText('Not saved yet')).toHaveCount(0);
  await panel.getByRole('button', { name: 'Close order' }).focus();
  await page.keyboard.press('Enter');
  await expect(row.getByRole('button')).toBeFocused();
});

test('a refund that is refused leads back to its amount, and one whose answer was lost is looked for', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/(409|400|422) .*\/refunds|ERR_FAILED/);
  const email = `twice-${crypto.randomUUID().slice(0, 8)}@example.com`;
  await buy(page, email);
  await signInAsOwner(page);
  await page.getByRole('searchbox').fill(email);
  await page.getByRole('row', { name: email }).getByRole('button').click();
  const panel = page.getByRole('region', { name: /^Order KF-/ });
  await panel.getByRole('button', { name: 'Refund...' }).click();
  const goOn = async () => {
    await page.getByLabel('Reason').fill('It came broken.');
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  await goOn();
  const all = page.getByRole('dialog', { name: 'Refund $218.98?' });
  await expect(all).toContainText('Nothing of the order remains paid.');
  const { rows } = await (await page.request.get(`/api/admin/lists/orders?q=${email}`)).json();
  const theirs = { data: { amountCents: 20_000, reason: 'Another tab.' }, headers: { origin: origin() } };
  expect((await page.request.post(`/api/admin/orders/${rows[0].id}/refunds`, theirs)).ok()).toBe(true);
  await all.getByRole('button', { name: 'Refund $218.98' }).click();
  await expect(page.getByText('Refund Failed', { exact: true })).toBeVisible();
  await expect(all).toHaveCount(0);
  await expect(page.getByText('At most $18.98, which is all that is left')).toBeVisible();

  await page.getByLabel('Amount in dollars').fill('5');
  await goOn();
  await page.route('**/api/admin/orders/*/refunds', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.abort(); // it is made, and nobody hears of it
  });
  await page.getByRole('button', { name: 'Refund $5.00' }).click();
  await expect(page.getByText('Refund On Its Way', { exact: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(panel.getByText('$13.98 can still be given back.')).toBeVisible();
});
