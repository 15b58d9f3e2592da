import type { Locator, Page, Response, Route } from '@playwright/test';
import { shortWeekdayWords } from '#contract/calendar.ts';
import { cards, fillCard, finishTwoPhotos, ownFrame, payButton, payWith, sayWhoBuys } from './buying.ts';
import { awake, expect, expectAccessible, holdCode, linkIn, test } from './fixtures.ts';

async function answerBank(page: Page, words: 'Approve payment' | 'Decline') {
  await expect(page.getByRole('heading', { name: 'Confirm your payment' })).toBeVisible();
  await page.getByRole('button', { name: words }).click();
}
const registered = /\/complete-registration/;

test('a frame for Canada with a card that asks the bank', async ({ page, expectProblem }) => {
  expectProblem(/status of 402/); // the payment the bank refused
  await page.goto('/customer-details?product=kinframe&quantity=2&extras=0');
  await sayWhoBuys(page, 'canada@example.com', { country: 'CA' });
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused(); // so that a screen reader says where one is
  await expect(page.getByText('K1A 0B1').first()).toBeVisible();

  await test.step('declined at the bank, nothing is charged and the page is ready again', async () => {
    await payWith(page, cards.authenticates);
    await answerBank(page, 'Decline');
    await expect(page.getByRole('heading', { name: 'Payment Processing Error' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Back to Checkout' }).click();
  });
  await test.step('approved, it is an order', async () => {
    await payWith(page, cards.authenticates);
    await answerBank(page, 'Approve payment');
    await expect(page).toHaveURL(registered);
  });
});

test('the service for a frame one owns needs no address @phone-only', async ({ page, expectProblem }) => {
  expectProblem(/status of 402/); // the declined card
  const email = 'service@example.com';
  await page.goto('/product/byof');
  await page.getByRole('main').getByRole('link', { name: 'Buy now' }).locator('visible=true').first().click();
  await expect(page.getByLabel('Address', { exact: true })).toHaveCount(0);
  await sayWhoBuys(page, email, { shipped: false });
  await expect(page.getByText('$49.99').locator('visible=true').first()).toBeVisible();
  await payWith(page, cards.declines);
  await expect(page.getByText('Your card was declined.').first()).toBeVisible();
  await payWith(page, cards.pays);
  await expect(page).toHaveURL(registered);

  const receipt = await linkIn(email, /http\S+\/purchase-success\?session=\S+/);
  await page.goto(receipt);
  await awake(page);
  await page.getByRole('link', { name: 'Upload More Photos' }).click();
  await expect(page).toHaveURL(registered); // no account yet, and here it can be made
  const letCodeCome = await holdCode(page);
  await page.goto(receipt, { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Upload More Photos' }).click();
  await expect(page).toHaveURL(/\/auth/);
  letCodeCome();
  await expect(page).toHaveURL(registered); // also for whoever clicks before the page is awake
  const guest = await page
    .context()
    .browser()!
    .newContext({ baseURL: new URL(receipt).origin });
  const order = await guest.newPage();
  await order.goto(receipt);
  await expect(order.getByRole('heading', { name: /Thank you for your order, Rose/ })).toBeVisible();
  const welcome = receipt.replace('/purchase-success', '/welcome');
  const counting = await guest.newPage();
  // Five seconds are not counted for a page that nobody sees; looking through it may take longer.
  await counting.addInitScript(() => Object.defineProperty(document, 'hidden', { get: () => true }));
  await counting.goto(welcome);
  await expect(counting.getByRole('timer')).toBeVisible();
  await expectAccessible(counting);
  await counting.close();
  await order.goto(welcome);
  await expect(order.getByRole('heading', { name: 'Welcome to Kinframe, Rose!' })).toBeVisible();
  await order.getByRole('button', { name: 'Stay on this page' }).click();
  await expect(order.getByRole('timer')).toHaveCount(0);
  await order.reload();
  await expect(order).toHaveURL(/\/upload|\/auth/, { timeout: 15_000 }); // five seconds later
  await order.goto(receipt);
  await order.getByRole('link', { name: 'View order and receipt' }).click();
  await expect(order).toHaveURL(/\/orders\/KF-/);
  await expect(order.getByText('Payment received. Waiting for your photos.')).toBeVisible();
  await expectAccessible(order);
  await order.emulateMedia({ media: 'print' });
  await expect(order.getByText('Receipt for order')).toBeVisible();
  await expect(order.getByRole('contentinfo')).toBeHidden();
  await expect(order.getByText('$49.99').first()).toBeVisible();
  await order.goto(new URL(order.url()).pathname); // without the token it is nobody's
  await expect(order.getByText('Sign in to see your order')).toBeVisible();
  await guest.close();
});

test('a frame with a bundle: packages changed at checkout, and found in the account @phone-only', async ({ page }) => {
  await page.goto('/product/photo2video-10');
  await page.getByRole('link', { name: 'Buy frame + package' }).locator('visible=true').first().click();
  await expect(page).toHaveURL(/\/customer-details\?.*extras=1/);
  await sayWhoBuys(page, 'bundle@example.com');
  await expect(page.getByText('$208.99').locator('visible=true').first()).toBeVisible();
  await page.getByRole('button', { name: 'Order Summary' }).click();
  await page.getByRole('button', { name: 'Edit extra photo packages' }).click();
  const more = page.getByRole('button', { name: 'Increase extra packages' });
  for (let clicks = 0; clicks < 3; clicks++) await more.click();
  await expect(page.getByText('$238.96').locator('visible=true').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await payWith(page, cards.pays);
  await expect(page).toHaveURL(registered);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('Sunflower-Field-7');
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('Sunflower-Field-7');
  await page.getByRole('button', { name: /create|complete/i }).click();
  await expect(page).toHaveURL(/\/upload\?frameId=/);

  await test.step('going back to the paid checkout sells nothing twice', async () => {
    await page.goto('/checkout?product=kinframe&quantity=1&extras=4&step=payment');
    await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeVisible();
    await expect(payButton(page)).toHaveCount(0);
  });
  await test.step('the receipt’s link, opened afterwards, says that the account is ready and leads on', async () => {
    await page.goto(await linkIn('bundle@example.com', /http\S+\/complete-registration\?token=\S+/));
    await expect(page.getByRole('heading', { name: 'Your account is ready' })).toBeVisible();
    await expectAccessible(page);
    const slowly = async (route: Route) => {
      await page.waitForTimeout(1000);
      await route.continue();
    };
    await page.route('**/*.js', slowly); // of the page behind the link, which is asked for under the pointer
    const link = page.getByRole('link', { name: 'Go to my photos' });
    await link.hover();
    await page.waitForTimeout(300);
    await link.click();
    await expect(page).toHaveURL(/\/upload/);
    await page.unrouteAll({ behavior: 'wait' });
  });
  await test.step('the order is in the account', async () => {
    await page.goto('/orders');
    await expectAccessible(page);
    await page.getByRole('link', { name: /KF-/ }).click();
    await expect(page.getByText('0 of 60 photos')).toBeVisible();
    await expect(page.getByText('$238.96').first()).toBeVisible();
    await expectAccessible(page);
  });
  await test.step('the next purchase knows the buyer', async () => {
    await page.evaluate(() => sessionStorage.clear());
    await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
    await expect(page.getByLabel('First name')).toHaveValue('Rose');
    await expect(page.getByLabel('City')).toHaveValue('Portland');
  });
  await test.step('bought with their e-mail in another browser, it is paid, and they are asked to sign in', async () => {
    const elsewhere = await page
      .context()
      .browser()!
      .newContext({ baseURL: new URL(page.url()).origin });
    const other = await elsewhere.newPage();
    await other.goto('/customer-details?product=byof');
    await sayWhoBuys(other, 'bundle@example.com', { shipped: false });
    await payWith(other, cards.pays);
    const notifications = other.getByRole('region', { name: /Notifications/ });
    await expect(notifications.getByText('Payment Successful')).toBeVisible(); // it goes by itself, so it is looked for first
    await expect(other).toHaveURL(/\/auth/);
    await expect(other.getByText('Sign in to add photos and follow your order.')).toBeVisible();
    await elsewhere.close();
  });
});

test('payment opened before the details: what is missing is said, and the order can still be changed', async ({
  page,
}) => {
  await page.goto('/checkout?product=kinframe&quantity=2&extras=3&step=payment');
  await expect(page.getByText('Missing Customer Details')).toBeVisible();
  await expect(page.locator('dt:text-is("Tax") + dd')).toHaveText('$0.00');
  await page.getByRole('button', { name: 'Edit extra photo packages' }).click();
  await page.getByRole('button', { name: 'Decrease extra packages' }).click();
  await expect(page.getByRole('link', { name: 'Add Customer Details' })).toHaveAttribute(
    'href',
    '/customer-details?product=kinframe&quantity=2&extras=2',
  );
  const gap = await page.evaluate(() => {
    const [lede, notice] = [/^One last look/, /^Missing Customer/].map((words) =>
      [...document.querySelectorAll('main p, main h2')]
        .find((it) => words.test(it.textContent ?? ''))!
        .getBoundingClientRect(),
    );
    return notice!.top - lede!.bottom;
  });
  expect(gap).toBeLessThan(100); // however tall the order beside it is
});

test('packages taken off at checkout stay off, however one goes back and on', async ({ page }) => {
  const total = (sum: string) => expect(page.locator('p:has-text("in US dollars") + p')).toHaveText(sum);
  await page.goto('/product/photo2video-10');
  await page.getByRole('link', { name: 'Buy frame + package' }).locator('visible=true').first().click();
  await sayWhoBuys(page, 'fewer@example.com');
  await total('$208.99');
  await page.getByRole('button', { name: 'Edit extra photo packages' }).click();
  await page.getByRole('button', { name: 'Decrease extra packages' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await total('$199.00');

  await test.step('by the browser’s button', async () => {
    await page.goBack();
    await expect(page).toHaveURL('/customer-details?product=kinframe&quantity=1&extras=0');
    await page.getByRole('button', { name: 'Continue to Payment' }).click();
    await total('$199.00');
  });
  await test.step('by the page’s own links, and then to where it all began', async () => {
    await page.getByRole('link', { name: 'Back to Details' }).click();
    await page.getByRole('button', { name: 'Continue to Payment' }).click();
    await page.getByRole('button', { name: 'Edit extra photo packages' }).click();
    for (let clicks = 0; clicks < 2; clicks++)
      await page.getByRole('button', { name: 'Increase extra packages' }).click();
    await total('$218.98');
    for (let steps = 0; steps < 3; steps++) await page.goBack();
    await expect(page).toHaveURL('/customer-details?product=kinframe&quantity=1&extras=2');
    await page.reload();
    await total('$218.98');
    await page.goForward();
    await expect(page).toHaveURL(/\/checkout\?product=kinframe&quantity=1&extras=2/);
    await total('$218.98');
  });
  await test.step('a choice made anew is the newest', async () => {
    await page.goto('/product/photo2video-10');
    await page.getByRole('link', { name: 'Buy frame + package' }).locator('visible=true').first().click();
    await expect(page).toHaveURL('/customer-details?product=kinframe&quantity=1&extras=1');
    await total('$208.99');
  });
});

test('an order asks for more photos until it is locked', async ({ page, context, baseURL }) => {
  await ownFrame(context, baseURL!);
  const more = page.getByRole('link', { name: 'Upload More Photos' });
  await page.goto('/purchase-success');
  await expect(more).toBeVisible();
  await page.goto('/upload');
  await finishTwoPhotos(page);
  await page.goto('/purchase-success');
  await expect(page.getByText('Your photos are complete, and we are bringing them to life.')).toBeVisible();
  await expect(more).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Continue Shopping' })).toBeVisible();
});

test('a notification leaves the button and the field in use free @phone', async ({ page, expectProblem }, {
  project,
}) => {
  expectProblem(/status of 402/); // the declined card
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await sayWhoBuys(page, `free-${project.name}@example.com`);
  await fillCard(page, cards.declines);
  const shown = page.getByRole('region', { name: /Notifications/ }).getByRole('listitem');
  const isFree = async (inUse: Locator) => {
    const [notice, used] = await Promise.all([shown.boundingBox(), inUse.boundingBox()]);
    return notice!.y + notice!.height <= used!.y || notice!.y >= used!.y + used!.height;
  };
  // The button at the very foot of the window, where notifications come.
  await payButton(page).evaluate((it) => it.scrollIntoView({ block: 'end' }));
  await payButton(page).click();
  await expect(shown).toContainText('Payment Failed');
  await expect.poll(() => isFree(payButton(page))).toBe(true);
  await expect.poll(() => isFree(page.getByLabel('Card number'))).toBe(true); // which the refusal leads to
  await page.getByLabel('Security code').evaluate((it: HTMLElement) => {
    it.scrollIntoView({ block: 'end' });
    it.focus({ preventScroll: true });
  });
  await expect.poll(() => isFree(page.getByLabel('Security code'))).toBe(true);
});

test('what was typed outlives a reload, right or wrong, and is forgotten once it is paid @phone-only', async ({
  page,
}) => {
  const email = 'typed@example.com';
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await awake(page);
  await page.getByLabel('First name').fill('Rose');
  await page.getByLabel('Email').fill('rose@'); // half an address
  await page.getByLabel('Country').selectOption('CA');
  await page.getByLabel('Province or territory').selectOption('QC');
  await page.getByLabel('Postal code').fill('k1a');
  await page.reload();
  await expect(page.getByLabel('First name')).toHaveValue('Rose');
  await expect(page.getByLabel('Email')).toHaveValue('rose@');
  await expect(page.getByLabel('Country')).toHaveValue('CA');
  await expect(page.getByLabel('Province or territory')).toHaveValue('QC');
  await expect(page.getByLabel('Postal code')).toHaveValue('k1a');
  await sayWhoBuys(page, email);
  await page.reload();
  await expect(page.getByText(email)).toBeVisible();
  await payWith(page, cards.pays);
  await expect(page).toHaveURL(registered);
  const kept = () => JSON.stringify([sessionStorage, localStorage].map((it) => Object.entries(it)));
  for (const personal of ['Rose', email, 'Linden', '4242']) expect(await page.evaluate(kept)).not.toContain(personal);
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await awake(page);
  await expect(page.getByLabel('First name')).toHaveValue('');
});

test('what is typed over a slow line, before the page knows what was typed last, is kept beside it', async ({
  page,
}) => {
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await awake(page);
  await page.getByLabel('First name').fill('Rose');
  await page.getByLabel('Last name').fill('Winter');
  await page.getByLabel('City').fill('Portland');
  const wake = await holdCode(page);
  await page.reload({ waitUntil: 'commit' });
  await page.getByLabel('First name').fill('Rosa');
  await page.getByLabel('Address', { exact: true }).fill('14 Linden Street');
  wake();
  await awake(page);
  await expect(page.getByLabel('Last name')).toHaveValue('Winter');
  await expect(page.getByLabel('First name')).toHaveValue('Rosa');
  await expect(page.getByLabel('City')).toHaveValue('Portland');
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue('14 Linden Street');
});

test('the day a frame arrives is told before paying, and that photos put it off @phone-only', async ({ page }) => {
  const { from, to } = await (await page.request.get('/api/delivery-estimate')).json();
  const arrival = page.getByText(`${shortWeekdayWords(from)} to ${shortWeekdayWords(to)}`);
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await expect(arrival).toBeVisible();
  await expect(
    page.getByText('if you finish your photos today, otherwise about 8 business days after them'),
  ).toBeVisible();
  await sayWhoBuys(page, 'arrival@example.com');
  await expect(arrival).toBeVisible();
  await page.goto('/customer-details?product=byof');
  await expect(page.getByText('Estimated delivery')).toHaveCount(0); // nothing is shipped
});

test('the postal code is asked for once: the card’s is another only where one says so @phone-only', async ({
  page,
}) => {
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await sayWhoBuys(page, 'zip@example.com');
  const asIs = page.getByRole('checkbox', { name: 'My card’s billing ZIP code is also 97201' });
  await expect(asIs).toBeChecked();
  await expect(page.getByLabel(/^ZIP code/)).toHaveCount(0);
  const taken = page.getByRole('list', { name: 'Cards we take' });
  for (const name of ['Visa', 'Mastercard', 'American Express', 'Discover'])
    await expect(taken.getByRole('img', { name })).toBeVisible();
  await fillCard(page, cards.pays);
  await asIs.uncheck();
  await page.getByLabel(/^ZIP code/).fill('10001');
  await expectAccessible(page);
  await expect(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242');
  const confirmed = page.waitForRequest(/payment_intents\/\w+\/confirm/);
  await payButton(page).click();
  expect(
    new URLSearchParams((await confirmed).postData()!).get(
      'payment_method_data[billing_details][address][postal_code]',
    ),
  ).toBe('10001');
  await expect(page).toHaveURL(registered);
});

test('the header calls to buy only where people choose @phone', async ({ page }) => {
  const colour = async (path: string) => {
    await page.goto(path);
    const button = page.getByRole('banner').getByRole('link', { name: 'Buy now' });
    return button.evaluate((it) => getComputedStyle(it).backgroundColor);
  };
  const calling = await colour('/');
  expect(await colour('/product/kinframe')).toBe(calling);
  for (const path of ['/customer-details', '/checkout', '/auth', '/delivery/none'])
    expect(await colour(path), path).not.toBe(calling);
});

test('what is clicked twice is done once', async ({ page }) => {
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await sayWhoBuys(page, 'twice@example.com');
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0'); // the next step's code has yet to come
  await page.getByRole('button', { name: 'Continue to Payment' }).dblclick();
  await expect(payButton(page)).toBeEnabled();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Customer Details' })).toBeVisible();
  await page.goForward();
  const confirmed: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/confirm')) confirmed.push(request.url());
  });
  await fillCard(page, cards.pays);
  await payButton(page).dblclick();
  await expect(page).toHaveURL(registered);
  expect(confirmed).toHaveLength(1);
});

test('two tabs of one new visitor share one checkout', async ({ page, context, expectProblem }) => {
  expectProblem(/status of 400 .*payment_intents\/\w+\/confirm/); // the tab whose intent the other one replaced
  const address = '/checkout?product=kinframe&quantity=1&extras=0&step=payment';
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await sayWhoBuys(page, 'tabs@example.com');
  await expect(payButton(page)).toBeEnabled();
  const details = await page.evaluate(() => sessionStorage.getItem('customerDetails')!);
  await context.clearCookies();

  const tabs = [page, await context.newPage()];
  await tabs[1]!.goto('/about');
  const answers: Response[] = [];
  context.on('response', (response) => {
    if (response.url().endsWith('/api/create-payment-intent')) answers.push(response);
  });
  for (const tab of tabs) await tab.evaluate((text) => sessionStorage.setItem('customerDetails', text), details);
  await Promise.all(tabs.map((tab) => tab.goto(address)));
  for (const tab of tabs) await expect(payButton(tab)).toBeEnabled();
  const begun = await Promise.all(answers.map((it) => it.headerValue('set-cookie')));
  expect(begun.filter((cookie) => cookie?.startsWith('checkout='))).toHaveLength(1);

  // One of them holds the intent that the other's replaced: it says so and renews it, and there is one order.
  const [first, second] = tabs as [Page, Page];
  await payWith(first, cards.pays);
  const renewed = first.getByText(/opened in another window/).first(); // it is said aloud, too
  await expect(
    renewed.or(first.getByRole('heading', { name: /Payment Successful|Thank you, Rose/ })).first(),
  ).toBeVisible();
  if (await renewed.isVisible()) {
    await expect(payButton(first)).toBeEnabled();
    await payButton(first).click();
  }
  await expect(first).toHaveURL(registered);
  await expect(second.getByText('You paid in another window of this browser.')).toBeVisible();
});

test('a dead network while paying: words, nothing lost, and one order', async ({ page, context, expectProblem }) => {
  expectProblem(/ERR_INTERNET_DISCONNECTED|Failed to fetch|Failed to load resource/);
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await sayWhoBuys(page, 'network@example.com');
  await expect(payButton(page)).toBeEnabled();
  await context.setOffline(true);
  await payWith(page, cards.pays);
  await expect(page.getByText('Payment Error').first()).toBeVisible();
  await context.setOffline(false);
  await payButton(page).click();
  await expect(page).toHaveURL(registered);
});

test('a payment that cannot be started says why, and starts once it can', async ({ page, expectProblem }) => {
  expectProblem(/ERR_INTERNET_DISCONNECTED/);
  const intents = '**/api/create-payment-intent';
  await page.route(intents, (route) => route.abort('internetdisconnected'));
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await sayWhoBuys(page, 'start@example.com');
  await expect(page.getByText('Failed to initialize payment. Please refresh the page and try again')).toBeVisible();
  await expect(
    page.getByText('We could not reach the shop. Please check your connection and try again.'),
  ).toBeVisible();
  await expect(payButton(page)).toBeDisabled();
  await expectAccessible(page);
  await page.unroute(intents);
  await page.route(intents, (route) => route.fulfill({ json: {} }));
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByText('No client secret received from server')).toBeVisible();
  await page.unroute(intents);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(payButton(page)).toBeEnabled();
});

test('a lost answer while paying is looked into before a changed cart is charged', async ({ page, expectProblem }) => {
  expectProblem(/ERR_CONNECTION_RESET/);
  const email = 'lost@example.com';
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await sayWhoBuys(page, email);
  await page.route('**/payment_intents/*/confirm', async (route) => {
    await route.fetch(); // the bank says yes, and nobody hears it
    await route.abort('connectionreset');
  });
  await payWith(page, cards.pays);
  await expect(page.getByText('Payment Error').first()).toBeVisible();
  await page.unroute('**/payment_intents/*/confirm');
  const intents: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/create-payment-intent')) intents.push(request.url());
  });
  await page.getByRole('button', { name: 'Edit extra photo packages' }).click();
  await page.getByRole('button', { name: 'Increase extra packages' }).click();
  await expect(page).toHaveURL(registered);
  expect(intents).toEqual([]);
});

test('what is clicked before the page is awake is done once it is', async ({ page }) => {
  const wake = await holdCode(page);
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0', { waitUntil: 'commit' });
  const button = page.getByRole('button', { name: 'Add a promo code' });
  await button.click();
  await expect(button).toBeVisible();
  wake();
  await expect(page.getByRole('textbox', { name: 'Promo code' })).toBeFocused();
});
