import type { Locator, Page, Response, Route } from '@playwright/test';
import { shortWeekdayText } from '#contract/calendar.ts';
import {
  cards,
  fillCard,
  finishTwoPhotos,
  createFrameOwner,
  findPayButton,
  payWithCard,
  fillBuyerDetails,
} from './buying.ts';
import { waitForHydration, expect, expectAccessible, delayScripts, waitForEmailedLink, test } from './fixtures.ts';

async function clickBankButton(page: Page, words: 'Approve payment' | 'Decline') {
  await expect(page.getByRole('heading', { name: 'Confirm your payment' })).toBeVisible();
  await page.getByRole('button', { name: words }).click();
}
const registrationPathPattern = /\/complete-registration/;

test('buys two frames for Canada with a card that needs the bank’s approval', async ({ page, expectProblem }) => {
  expectProblem(/status of 402/); // the response to a payment that the bank declines
  await page.goto('/customer-details?product=kinframe&quantity=2&extras=0');
  await fillBuyerDetails(page, 'canada@example.com', { country: 'CA' });
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused(); // so that a screen reader announces the new step
  await expect(page.getByText('K1A 0B1').first()).toBeVisible();

  await test.step('if the bank declines, nothing is charged and the customer can try again', async () => {
    await payWithCard(page, cards.authenticates);
    await clickBankButton(page, 'Decline');
    await expect(page.getByRole('heading', { name: 'Payment Processing Error' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Back to checkout' }).click();
  });
  await test.step('if the bank approves, the order is placed', async () => {
    await payWithCard(page, cards.authenticates);
    await clickBankButton(page, 'Approve payment');
    await expect(page).toHaveURL(registrationPathPattern);
  });
});

test('the service for the customer’s own frame needs no address @phone-only', async ({ page, expectProblem }) => {
  expectProblem(/status of 402/); // the response to a declined card
  const email = 'service@example.com';
  await page.goto('/product/byof');
  await page.getByRole('main').getByRole('link', { name: 'Buy now' }).locator('visible=true').first().click();
  await expect(page.getByLabel('Address', { exact: true })).toHaveCount(0);
  await fillBuyerDetails(page, email, { shipped: false });
  await expect(page.getByText('$49.99').locator('visible=true').first()).toBeVisible();
  await payWithCard(page, cards.declines);
  await expect(page.getByText('Your card was declined.').first()).toBeVisible();
  await payWithCard(page, cards.pays);
  await expect(page).toHaveURL(registrationPathPattern);

  const receiptUrl = await waitForEmailedLink(email, /http\S+\/purchase-success\?session=\S+/);
  await page.goto(receiptUrl);
  await waitForHydration(page);
  await page.getByRole('link', { name: 'Upload More Photos' }).click();
  await expect(page).toHaveURL(registrationPathPattern); // there is no account yet, and it can be created here
  const letCodeCome = await delayScripts(page);
  await page.goto(receiptUrl, { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Upload More Photos' }).click();
  await expect(page).toHaveURL(/\/auth/);
  letCodeCome();
  await expect(page).toHaveURL(registrationPathPattern); // a click before the page is hydrated leads there, too
  const guestContext = await page
    .context()
    .browser()!
    .newContext({ baseURL: new URL(receiptUrl).origin });
  const orderPage = await guestContext.newPage();
  await orderPage.goto(receiptUrl);
  await expect(orderPage.getByRole('heading', { name: /Thank you for your order, Rose/ })).toBeVisible();
  const welcomeUrl = receiptUrl.replace('/purchase-success', '/welcome');
  const guestPage = await guestContext.newPage();
  // The countdown of five seconds stops while the page is hidden, so the accessibility check may take longer.
  await guestPage.addInitScript(() => Object.defineProperty(document, 'hidden', { get: () => true }));
  await guestPage.goto(welcomeUrl);
  await expect(guestPage.getByRole('timer')).toBeVisible();
  await expectAccessible(guestPage);
  await guestPage.close();
  await orderPage.goto(welcomeUrl);
  await expect(orderPage.getByRole('heading', { name: 'Welcome to Kinframe, Rose!' })).toBeVisible();
  await orderPage.getByRole('button', { name: 'Stay on this page' }).click();
  await expect(orderPage.getByRole('timer')).toHaveCount(0);
  await orderPage.reload();
  await expect(orderPage).toHaveURL(/\/upload|\/auth/, { timeout: 15_000 }); // the page redirects after five seconds
  await orderPage.goto(receiptUrl);
  await orderPage.getByRole('link', { name: 'View order and receipt' }).click();
  await expect(orderPage).toHaveURL(/\/orders\/KF-/);
  await expect(orderPage.getByText('Payment received. Waiting for your photos.')).toBeVisible();
  await expectAccessible(orderPage);
  await orderPage.emulateMedia({ media: 'print' });
  await expect(orderPage.getByText('Receipt for order')).toBeVisible();
  await expect(orderPage.getByRole('contentinfo')).toBeHidden();
  await expect(orderPage.getByText('$49.99').first()).toBeVisible();
  await orderPage.goto(new URL(orderPage.url()).pathname); // without the token, the page does not show the order
  await expect(orderPage.getByText('Sign in to see your order')).toBeVisible();
  await guestContext.close();
});

test('buys a frame with a bundle; the account shows packages changed at checkout @phone-only', async ({ page }) => {
  await page.goto('/product/photo2video-10');
  await page.getByRole('link', { name: 'Buy frame + package' }).locator('visible=true').first().click();
  await expect(page).toHaveURL(/\/customer-details\?.*extras=1/);
  await fillBuyerDetails(page, 'bundle@example.com');
  await expect(page.getByText('$208.99').locator('visible=true').first()).toBeVisible();
  await page.getByRole('button', { name: 'Order summary' }).click();
  await page.getByRole('button', { name: 'Edit extra photo packages' }).click();
  const moreButton = page.getByRole('button', { name: 'Increase extra packages' });
  for (let clickCount = 0; clickCount < 3; clickCount++) await moreButton.click();
  await expect(page.getByText('$238.96').locator('visible=true').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await payWithCard(page, cards.pays);
  await expect(page).toHaveURL(registrationPathPattern);
  await test.step('the details page, reached by going back, says that the order is paid', async () => {
    await page.goBack();
    await expect(page).toHaveURL(/\/customer-details/);
    await expect(page.getByText('Your last order is paid')).toBeInViewport();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Create my account to add photos' }).click();
    await expect(page).toHaveURL(registrationPathPattern);
  });
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('Sunflower-Field-7');
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('Sunflower-Field-7');
  await page.getByRole('button', { name: /create|complete/i }).click();
  await expect(page).toHaveURL(/\/upload\?frameId=/);

  await test.step('going back to a paid checkout does not sell the order again', async () => {
    await page.goto('/checkout?product=kinframe&quantity=1&extras=4&step=payment');
    await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible();
    await expect(findPayButton(page)).toHaveCount(0);
  });
  await test.step('the receipt’s link, opened later, says that the account is ready and links to it', async () => {
    await page.goto(await waitForEmailedLink('bundle@example.com', /http\S+\/complete-registration\?token=\S+/));
    await expect(page.getByRole('heading', { name: 'Your account is ready' })).toBeVisible();
    await expectAccessible(page);
    const delayRoute = async (route: Route) => {
      await page.waitForTimeout(1000);
      await route.continue();
    };
    await page.route('**/*.js', delayRoute); // the code of the linked page, which hovering preloads
    const link = page.getByRole('link', { name: 'Go to my photos' });
    await link.hover();
    await page.waitForTimeout(300);
    await link.click();
    await expect(page).toHaveURL(/\/upload/);
    await page.unrouteAll({ behavior: 'wait' });
  });
  await test.step('the customer’s account shows the order', async () => {
    await page.goto('/orders');
    await expectAccessible(page);
    await page.getByRole('link', { name: /KF-/ }).click();
    await expect(page.getByText('0 of 60 photos')).toBeVisible();
    await expect(page.getByText('$238.96').first()).toBeVisible();
    await expectAccessible(page);
  });
  await test.step('the next purchase fills in the buyer’s details', async () => {
    await page.evaluate(() => sessionStorage.clear());
    await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
    await expect(page.getByLabel('First name')).toHaveValue('Rose');
    await expect(page.getByLabel('City')).toHaveValue('Portland');
  });
  await test.step('a purchase in another browser with the account’s unconfirmed email explains the next step', async () => {
    const otherContext = await page
      .context()
      .browser()!
      .newContext({ baseURL: new URL(page.url()).origin });
    const otherPage = await otherContext.newPage();
    await otherPage.goto('/customer-details?product=byof');
    await fillBuyerDetails(otherPage, 'bundle@example.com', { shipped: false });
    await payWithCard(otherPage, cards.pays);
    const notificationRegion = otherPage.getByRole('region', { name: /Notifications/ });
    await expect(notificationRegion.getByText('Payment Successful')).toBeVisible(); // check the notification first, because it closes by itself
    await expect(otherPage).toHaveURL(/\/complete-registration/);
    await expect(otherPage.getByRole('heading', { name: 'Thank you! Your order is paid' })).toBeVisible();
    await expect(otherPage.getByText(/open the link in your receipt to confirm it/)).toBeVisible();
    await expectAccessible(otherPage);
    await otherContext.close();
  });
});

test('the payment step without details says what is missing, and the order can still be changed', async ({ page }) => {
  await page.goto('/checkout?product=kinframe&quantity=2&extras=3&step=payment');
  await expect(page.getByText('Missing Customer Details').first()).toBeVisible();
  await expect(page.locator('dt:text-is("Tax") + dd')).toHaveText('$0.00');
  await page.getByRole('button', { name: 'Edit extra photo packages' }).click();
  await page.getByRole('button', { name: 'Decrease extra packages' }).click();
  await expect(page.getByRole('link', { name: 'Add Customer Details' })).toHaveAttribute(
    'href',
    '/customer-details?product=kinframe&quantity=2&extras=2',
  );
  const gapInPixels = await page.evaluate(() => {
    const [lede, notice] = [/^Review your order/, /^Missing Customer/].map((words) =>
      [...document.querySelectorAll('main p, main h2')]
        .find((it) => words.test(it.textContent ?? ''))!
        .getBoundingClientRect(),
    );
    return notice!.top - lede!.bottom;
  });
  expect(gapInPixels).toBeLessThan(100); // regardless of the order summary's height
});

test('packages removed at checkout stay removed after going back and forward', async ({ page }) => {
  const expectTotal = (sum: string) => expect(page.locator('p:has-text("in US dollars") + p')).toHaveText(sum);
  await page.goto('/product/photo2video-10');
  await page.getByRole('link', { name: 'Buy frame + package' }).locator('visible=true').first().click();
  await fillBuyerDetails(page, 'fewer@example.com');
  await expectTotal('$208.99');
  await page.getByRole('button', { name: 'Edit extra photo packages' }).click();
  await page.getByRole('button', { name: 'Decrease extra packages' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expectTotal('$199.00');

  await test.step('removed packages stay removed after the browser’s back button', async () => {
    await page.goBack();
    await expect(page).toHaveURL('/customer-details?product=kinframe&quantity=1&extras=0');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await expectTotal('$199.00');
  });
  await test.step('changed packages stay changed with the page’s links, and after going back', async () => {
    await page.getByRole('link', { name: 'Back to Details' }).click();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('button', { name: 'Edit extra photo packages' }).click();
    for (let clickCount = 0; clickCount < 2; clickCount++)
      await page.getByRole('button', { name: 'Increase extra packages' }).click();
    await expectTotal('$218.98');
    for (let steps = 0; steps < 3; steps++) await page.goBack();
    await expect(page).toHaveURL('/customer-details?product=kinframe&quantity=1&extras=2');
    await page.reload();
    await expectTotal('$218.98');
    await page.goForward();
    await expect(page).toHaveURL(/\/checkout\?product=kinframe&quantity=1&extras=2/);
    await expectTotal('$218.98');
  });
  await test.step('a new choice on the product page replaces the earlier one', async () => {
    await page.goto('/product/photo2video-10');
    await page.getByRole('link', { name: 'Buy frame + package' }).locator('visible=true').first().click();
    await expect(page).toHaveURL('/customer-details?product=kinframe&quantity=1&extras=1');
    await expectTotal('$208.99');
  });
});

test('the order page asks for more photos until the frame is locked', async ({ page, context, baseURL }) => {
  await createFrameOwner(context, baseURL!);
  const moreButton = page.getByRole('link', { name: 'Upload More Photos' });
  await page.goto('/purchase-success');
  await expect(moreButton).toBeVisible();
  await page.goto('/upload');
  await finishTwoPhotos(page);
  await page.goto('/purchase-success');
  await expect(page.getByText('Your photos are complete, and we are bringing them to life.')).toBeVisible();
  await expect(moreButton).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Continue Shopping' })).toBeVisible();
});

test('a notification does not cover the button or the field in use @phone', async ({ page, expectProblem }, {
  project,
}) => {
  expectProblem(/status of 402/); // the response to a declined card
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await fillBuyerDetails(page, `free-${project.name}@example.com`);
  await fillCard(page, cards.declines);
  const shownElement = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem');
  const isNotCovered = async (inUse: Locator) => {
    const [notice, used] = await Promise.all([shownElement.boundingBox(), inUse.boundingBox()]);
    return notice!.y + notice!.height <= used!.y || notice!.y >= used!.y + used!.height;
  };
  // Scroll the button to the bottom of the window, where notifications appear.
  await findPayButton(page).evaluate((it) => it.scrollIntoView({ block: 'end' }));
  await findPayButton(page).click();
  await expect(shownElement).toContainText('Payment Failed');
  await expect.poll(() => isNotCovered(findPayButton(page))).toBe(true);
  await expect.poll(() => isNotCovered(page.getByLabel('Card number'))).toBe(true); // the refusal moves the focus there
  await page.getByLabel('Security code').evaluate((it: HTMLElement) => {
    it.scrollIntoView({ block: 'end' });
    it.focus({ preventScroll: true });
  });
  await expect.poll(() => isNotCovered(page.getByLabel('Security code'))).toBe(true);
});

test('typed details survive a reload, valid or not, and are deleted after paying @phone-only', async ({ page }) => {
  const email = 'typed@example.com';
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await waitForHydration(page);
  await page.getByLabel('First name').fill('Rose');
  await page.getByLabel('Email').fill('rose@'); // an incomplete email address
  await page.getByLabel('Country').selectOption('CA');
  await page.getByLabel('Province or territory').selectOption('QC');
  await page.getByLabel('Postal code').fill('k1a');
  await page.reload();
  await expect(page.getByLabel('First name')).toHaveValue('Rose');
  await expect(page.getByLabel('Email')).toHaveValue('rose@');
  await expect(page.getByLabel('Country')).toHaveValue('CA');
  await expect(page.getByLabel('Province or territory')).toHaveValue('QC');
  await expect(page.getByLabel('Postal code')).toHaveValue('k1a');
  await fillBuyerDetails(page, email);
  await page.reload();
  await expect(page.getByText(email)).toBeVisible();
  await payWithCard(page, cards.pays);
  await expect(page).toHaveURL(registrationPathPattern);
  const readStoredText = () => JSON.stringify([sessionStorage, localStorage].map((it) => Object.entries(it)));
  for (const personal of ['Rose', email, 'Linden', '4242'])
    expect(await page.evaluate(readStoredText)).not.toContain(personal);
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await waitForHydration(page);
  await expect(page.getByLabel('First name')).toHaveValue('');
});

test('text typed before hydration on a slow connection is kept together with the saved details', async ({ page }) => {
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await waitForHydration(page);
  await page.getByLabel('First name').fill('Rose');
  await page.getByLabel('Last name').fill('Winter');
  await page.getByLabel('City').fill('Portland');
  const releaseScripts = await delayScripts(page);
  await page.reload({ waitUntil: 'commit' });
  await page.getByLabel('First name').fill('Rosa');
  await page.getByLabel('Address', { exact: true }).fill('14 Linden Street');
  releaseScripts();
  await waitForHydration(page);
  await expect(page.getByLabel('Last name')).toHaveValue('Winter');
  await expect(page.getByLabel('First name')).toHaveValue('Rosa');
  await expect(page.getByLabel('City')).toHaveValue('Portland');
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue('14 Linden Street');
});

test('the delivery estimate is shown before paying, with a note on photos @phone-only', async ({ page }) => {
  const { from, to } = await (await page.request.get('/api/delivery-estimate')).json();
  const arrivalDates = page.getByText(`${shortWeekdayText(from)} to ${shortWeekdayText(to)}`);
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await expect(arrivalDates).toBeVisible();
  await expect(
    page.getByText('if you finish your photos today, otherwise about 8 business days after you do'),
  ).toBeVisible();
  await fillBuyerDetails(page, 'arrival@example.com');
  await expect(arrivalDates).toBeVisible();
  await page.goto('/customer-details?product=byof');
  await expect(page.getByText('Estimated delivery')).toHaveCount(0); // the service ships nothing
});

test('the postal code is asked for once, unless the card has a different one @phone-only', async ({ page }) => {
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await fillBuyerDetails(page, 'zip@example.com');
  const sameZipCheckbox = page.getByRole('checkbox', { name: 'My card’s billing ZIP code is also 97201' });
  await expect(sameZipCheckbox).toBeChecked();
  await expect(page.getByLabel(/^ZIP code/)).toHaveCount(0);
  const takenCards = page.getByRole('list', { name: 'Cards we take' });
  for (const name of ['Visa', 'Mastercard', 'American Express', 'Discover'])
    await expect(takenCards.getByRole('img', { name })).toBeVisible();
  await fillCard(page, cards.pays);
  await sameZipCheckbox.uncheck();
  await page.getByLabel(/^ZIP code/).fill('10001');
  await expectAccessible(page);
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242');
  const confirmedRequestPromise = page.waitForRequest(/payment_intents\/\w+\/confirm/);
  await findPayButton(page).click();
  expect(
    new URLSearchParams((await confirmedRequestPromise).postData()!).get(
      'payment_method_data[billing_details][address][postal_code]',
    ),
  ).toBe('10001');
  await expect(page).toHaveURL(registrationPathPattern);
});

test('“Buy now” in the header has the accent color only on pages for choosing a product @phone', async ({ page }) => {
  const measureImageColor = async (path: string) => {
    await page.goto(path);
    const button = page.getByRole('banner').getByRole('link', { name: 'Buy now' });
    return button.evaluate((it) => getComputedStyle(it).backgroundColor);
  };
  const buttonColor = await measureImageColor('/');
  expect(await measureImageColor('/product/kinframe')).toBe(buttonColor);
  for (const path of ['/customer-details', '/checkout', '/auth', '/delivery/none'])
    expect(await measureImageColor(path), path).not.toBe(buttonColor);
});

test('a double click on a checkout button submits only once', async ({ page }) => {
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await fillBuyerDetails(page, 'twice@example.com');
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0'); // the next step's code is not loaded yet
  await page.getByRole('button', { name: 'Continue to payment' }).dblclick();
  await expect(findPayButton(page)).toBeEnabled();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Customer Details' })).toBeVisible();
  await page.goForward();
  const confirmBodies: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/confirm')) confirmBodies.push(request.url());
  });
  await fillCard(page, cards.pays);
  await findPayButton(page).dblclick();
  await expect(page).toHaveURL(registrationPathPattern);
  expect(confirmBodies).toHaveLength(1);
});

test('two tabs of a new visitor share one checkout', async ({ page, context, expectProblem }) => {
  expectProblem(/status of 400 .*payment_intents\/\w+\/confirm/); // the payment in the tab whose intent was replaced
  const address = '/checkout?product=kinframe&quantity=1&extras=0&step=payment';
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await fillBuyerDetails(page, 'tabs@example.com');
  await expect(findPayButton(page)).toBeEnabled();
  const storedCustomerDetails = await page.evaluate(() => sessionStorage.getItem('customerDetails')!);
  await context.clearCookies();

  const tabs = [page, await context.newPage()];
  await tabs[1]!.goto('/about');
  const responses: Response[] = [];
  context.on('response', (response) => {
    if (response.url().endsWith('/api/create-payment-intent')) responses.push(response);
  });
  for (const tab of tabs)
    await tab.evaluate((text) => sessionStorage.setItem('customerDetails', text), storedCustomerDetails);
  await Promise.all(tabs.map((tab) => tab.goto(address)));
  for (const tab of tabs) await expect(findPayButton(tab)).toBeEnabled();
  const firstCookies = await Promise.all(responses.map((it) => it.headerValue('set-cookie')));
  expect(firstCookies.filter((cookie) => cookie?.startsWith('checkout='))).toHaveLength(1);

  // One tab has the intent that the other tab replaced. It says so and renews the intent, and there is only one order.
  const [first, second] = tabs as [Page, Page];
  await payWithCard(first, cards.pays);
  const renewedNotice = first.getByText(/opened in another window/).first(); // also announced to screen readers
  await expect(
    renewedNotice.or(first.getByRole('heading', { name: /Payment Successful|Thank you, Rose/ })).first(),
  ).toBeVisible();
  if (await renewedNotice.isVisible()) {
    await expect(findPayButton(first)).toBeEnabled();
    await findPayButton(first).click();
  }
  await expect(first).toHaveURL(registrationPathPattern);
  await expect(second.getByText('You paid in another window of this browser.')).toBeVisible();
});

test('without a network while paying, the page shows an error and a retry makes one order', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to load resource/);
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await fillBuyerDetails(page, 'network@example.com');
  await expect(findPayButton(page)).toBeEnabled();
  await context.setOffline(true);
  await payWithCard(page, cards.pays);
  await expect(page.getByText('Payment Error').first()).toBeVisible();
  await context.setOffline(false);
  await findPayButton(page).click();
  await expect(page).toHaveURL(registrationPathPattern);
});

test('if a payment cannot be started, the page says why and a retry starts it', async ({ page, expectProblem }) => {
  expectProblem(/ERR_INTERNET_DISCONNECTED/);
  const paymentIntentRoute = '**/api/create-payment-intent';
  await page.route(paymentIntentRoute, (route) => route.abort('internetdisconnected'));
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await fillBuyerDetails(page, 'start@example.com');
  await expect(page.getByText('Failed to initialize payment. Please refresh the page and try again')).toBeVisible();
  await expect(page.getByText('We couldn’t reach the shop. Please check your connection and try again.')).toBeVisible();
  await expect(findPayButton(page)).toBeDisabled();
  await expectAccessible(page);
  await page.unroute(paymentIntentRoute);
  await page.route(paymentIntentRoute, (route) => route.fulfill({ json: {} }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No client secret received from server')).toBeVisible();
  await page.unroute(paymentIntentRoute);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(findPayButton(page)).toBeEnabled();
});

test('after too many changes, the page says how long to wait, and continues by itself', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/status of 429/);
  const paymentIntentRoute = '**/api/create-payment-intent';
  let retryAfter = '420';
  await page.route(paymentIntentRoute, (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': retryAfter },
      json: { message: 'Too many tries in a short time.', code: 'too-many-requests' },
    }),
  );
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await fillBuyerDetails(page, 'many-changes@example.com');
  const notice = page.getByRole('alert').filter({ hasText: 'Please wait' });
  await expect(notice).toContainText('Please wait 7 minutes');
  await expect(notice).toContainText('Nothing was charged. This page continues by itself in 7 minutes');
  await expect(page.getByText('refresh the page')).toHaveCount(0);
  await expect(findPayButton(page)).toBeDisabled();
  await expectAccessible(page);
  retryAfter = '5';
  await page.reload();
  await expect(notice).toContainText('Please wait a minute');
  await page.unroute(paymentIntentRoute);
  await expect(findPayButton(page)).toBeEnabled();
  await expect(notice).toHaveCount(0);
});

test('after a lost payment response, the page checks the payment before it charges a changed cart', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/ERR_CONNECTION_RESET/);
  const email = 'lost@example.com';
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await fillBuyerDetails(page, email);
  await page.route('**/payment_intents/*/confirm', async (route) => {
    await route.fetch(); // the payment succeeds, but its response is lost
    await route.abort('connectionreset');
  });
  await payWithCard(page, cards.pays);
  await expect(page.getByText('Payment Error').first()).toBeVisible();
  await page.unroute('**/payment_intents/*/confirm');
  const intentRequestUrls: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/create-payment-intent')) intentRequestUrls.push(request.url());
  });
  await page.getByRole('button', { name: 'Edit extra photo packages' }).click();
  await page.getByRole('button', { name: 'Increase extra packages' }).click();
  await expect(page).toHaveURL(registrationPathPattern);
  expect(intentRequestUrls).toEqual([]);
});

test('a click before the page is hydrated takes effect after hydration', async ({ page }) => {
  const releaseScripts = await delayScripts(page);
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0', { waitUntil: 'commit' });
  const button = page.getByRole('button', { name: 'Add a promo code' });
  await button.click();
  await expect(button).toBeVisible();
  releaseScripts();
  await expect(page.getByRole('textbox', { name: 'Promo code' })).toBeFocused();
});
