import type { Page } from '@playwright/test';
import { fillBuyerDetails, createFrameOwner, findPayButton } from './buying.ts';
import { delayScripts, expect, expectAccessible, signInAsOwner, test, waitForHydration } from './fixtures.ts';

const customerDetailsPath = '/customer-details?product=kinframe&quantity=1&extras=0';
const postalCodeRoute = '**/api/postal-codes/*';

const findAddressFields = (page: Page) => ({
  zip: page.getByLabel('ZIP code'),
  city: page.getByLabel('City'),
  state: page.getByLabel('State'),
});
async function openDetails(page: Page) {
  await page.goto(customerDetailsPath);
  await waitForHydration(page);
  return findAddressFields(page);
}
const findStateQuestion = (page: Page) => page.getByRole('status').getByText(/Is the state right\?/);

test('a ZIP code fills in city and state, and replaces only values that it has filled in @phone', async ({ page }) => {
  const { zip, city, state } = await openDetails(page);
  await zip.pressSequentially('10001');
  await expect(city).toHaveValue('New York');
  await expect(state).toHaveValue('NY');
  await expect(page.getByRole('status').getByText('We filled in New York, NY.')).toBeAttached();
  await expectAccessible(page);

  await zip.fill('97201-1234');
  await expect(city).toHaveValue('Portland');
  await expect(state).toHaveValue('OR');
  await city.fill('Goose Hollow');
  await zip.fill('10001');
  await expect(state).toHaveValue('NY');
  await expect(city).toHaveValue('Goose Hollow');
  await city.fill('');
  await state.focus();
  await expect(city).toHaveValue(''); // a city that the person deleted stays empty
  await page.reload();
  await expect(zip).toHaveValue('10001');
});

test('a ZIP code of a gift’s recipient fills in city and state', async ({ page }) => {
  const { zip, city, state } = await openDetails(page);
  await page.getByRole('checkbox', { name: 'This is a gift' }).check();
  await zip.fill('60601');
  await expect(city).toHaveValue('Chicago');
  await expect(state).toHaveValue('IL');
});

test('a state that does not belong to the ZIP code is asked about, and not refused @phone', async ({ page }) => {
  const { zip, city, state } = await openDetails(page);
  await state.selectOption('NJ');
  await zip.fill('10001');
  await expect(findStateQuestion(page)).toHaveText('ZIP code 10001 is in New York, NY. Is the state right?');
  await expect(city).toHaveValue('');
  await expect(state).toHaveValue('NJ');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use New York, NY' }).press('Enter');
  await expect(state).toHaveValue('NY');
  await expect(state).toBeFocused();
  await expect(city).toHaveValue('New York');
  await expect(findStateQuestion(page)).toHaveCount(0);

  await state.selectOption('WA');
  await expect(findStateQuestion(page)).toBeVisible();
  await page.getByLabel('First name').fill('Rose');
  await page.getByLabel('Last name').fill('Winter');
  await page.getByLabel('Email').fill('rose@example.com');
  await page.getByLabel('Address', { exact: true }).fill('12 Linden Street');
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(findPayButton(page)).toBeVisible();
  await expect(page.getByText('New York, WA 10001').first()).toBeVisible();
});

test('a filled field loses its error message, and an unknown ZIP code changes nothing', async ({ page }) => {
  const { zip, city, state } = await openDetails(page);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByText('City is required')).toBeVisible();
  const responsePromise = page.waitForResponse(postalCodeRoute);
  await zip.fill('00000');
  expect((await responsePromise).status()).toBe(404);
  await expect(city).toHaveValue('');
  await zip.fill('10001');
  await expect(state).toHaveValue('NY');
  await expect(page.getByText(/(City|State) is required/)).toHaveCount(0);
});

for (const [how, fail] of [
  ['is refused', { status: 429, json: { code: 'too-many-requests', message: 'Too many tries.' } }],
  ['fails', { status: 500, body: 'Internal Server Error' }],
  ['gets no answer', undefined],
] as const)
  test(`if the search for a ZIP code ${how}, the form works without it`, async ({ page, expectProblem }) => {
    expectProblem(/429|500|ERR_FAILED/);
    await page.route(postalCodeRoute, (route) => (fail ? route.fulfill(fail) : route.abort()));
    const { zip, city } = await openDetails(page);
    const askedRequestPromise = page.waitForRequest(postalCodeRoute);
    await zip.fill('10001');
    await askedRequestPromise;
    await expect(page.getByText('Too many tries.')).toHaveCount(0);
    await expect(city).toHaveValue('');
    await fillBuyerDetails(page, 'without-search@example.com');
  });

test('a late response does not overwrite typed text, and selects the text that it fills into the focused field', async ({
  page,
}) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(postalCodeRoute, async (route) => {
    await promise;
    await route.continue();
  });
  const { zip, city, state } = await openDetails(page);
  await zip.fill('10001');
  await city.focus();
  resolve();
  await expect(city).toHaveValue('New York');
  await page.keyboard.type('Manhattan');
  await expect(city).toHaveValue('Manhattan');

  const delayedResponse = Promise.withResolvers<void>();
  await page.unroute(postalCodeRoute);
  await page.route(postalCodeRoute, async (route) => {
    await delayedResponse.promise;
    await route.continue();
  });
  await zip.fill('97201');
  await city.fill('Goose Hollow');
  await state.selectOption('OR');
  const responsePromise = page.waitForResponse(postalCodeRoute);
  delayedResponse.resolve();
  await responsePromise;
  await expect(findStateQuestion(page)).toHaveCount(0);
  await expect(city).toHaveValue('Goose Hollow');
  await expect(state).toHaveValue('OR');
});

test('an address that the browser fills in at once stays as it is', async ({ page }) => {
  const { zip, city, state } = await openDetails(page);
  const responsePromise = page.waitForResponse(postalCodeRoute);
  await page.getByRole('form', { name: 'Customer details' }).evaluate((form: HTMLFormElement) => {
    for (const [name, value] of [
      ['address.line1', '12 Linden Street'],
      ['address.postalCode', '10001'],
      ['address.city', 'Manhattan'],
      ['address.state', 'NY'],
    ] as const) {
      const field = form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
      const elementClass = field instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
      Object.getOwnPropertyDescriptor(elementClass.prototype, 'value')!.set!.call(field, value);
      for (const event of ['input', 'change']) field.dispatchEvent(new Event(event, { bubbles: true }));
    }
  });
  await responsePromise;
  await expect(city).toHaveValue('Manhattan');
  await expect(state).toHaveValue('NY');
  await expect(zip).toHaveValue('10001');
  await expect(findStateQuestion(page)).toHaveCount(0);
});

test('a ZIP code typed before hydration fills in city and state afterwards', async ({ page }) => {
  const releaseScripts = await delayScripts(page);
  await page.goto(customerDetailsPath, { waitUntil: 'commit' });
  const { zip, city, state } = findAddressFields(page);
  await zip.fill('10001');
  releaseScripts();
  await expect(city).toHaveValue('New York');
  await expect(state).toHaveValue('NY');
});

test('a Canadian postal code is not searched for', async ({ page }) => {
  const searchedCodes: string[] = [];
  await page.route(postalCodeRoute, async (route) => {
    searchedCodes.push(route.request().url());
    await route.continue();
  });
  await openDetails(page);
  await fillBuyerDetails(page, 'no-search@example.com', { country: 'CA' });
  expect(searchedCodes).toEqual([]);
});

test('the owner is asked about a wrong state in a changed address', async ({ page, context, baseURL }) => {
  const email = await createFrameOwner(context, baseURL!);
  await signInAsOwner(page);
  await page.goto(`/admin?tab=orders&q=${encodeURIComponent(email)}`);
  await page.getByRole('row').filter({ hasText: email }).click();
  await page.getByRole('button', { name: 'Change address...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the shipping address' });
  await expect(dialog.getByText(/Is the state right\?/)).toHaveCount(0);
  await dialog.getByLabel('ZIP code').fill('60601');
  await expect(dialog.getByText('ZIP code 60601 is in Chicago, IL. Is the state right?')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Use Chicago, IL' }).click();
  await expect(dialog.getByLabel('City')).toHaveValue('Chicago');
  await expect(dialog.getByLabel('State')).toHaveValue('IL');
});
