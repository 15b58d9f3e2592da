import type { APIRequestContext, BrowserContext, Page } from '@playwright/test';
import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, waitForEmailedLink, readMailsTo, test } from './fixtures.ts';

const strangersPassword = 'Kite-over-sea-4';
const newPassword = 'Sunflower-Field-7';
const findField = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

async function postJson(request: APIRequestContext, origin: string, path: string, data: object) {
  const response = await request.post(path, { headers: { origin }, data });
  expect(response.status(), await response.text()).toBe(200);
}

/** Opens every link of every email to an address like a mail scanner, in a browser that runs the pages' scripts. */
async function openEveryLink(context: BrowserContext, address: string): Promise<{ opened: string[]; sent: string[] }> {
  const sentRequests: string[] = [];
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && pathname !== '/api/page-views')
      sentRequests.push(`${request.method()} ${pathname}`);
  });
  const links = (await readMailsTo(address)).flatMap((mail) => (mail.text ?? '').match(/http:\/\/localhost\S+/g) ?? []);
  const openedLinks = [...new Set(links)];
  const page = await context.newPage();
  for (const link of openedLinks) {
    await page.goto(link);
    await page.waitForFunction(() => document.readyState === 'complete' && !window.doEarlyClick);
    await page.waitForTimeout(500); // everything that a page does automatically has started by now
  }
  await page.close();
  return { opened: openedLinks, sent: sentRequests };
}

test('a mail scanner that opens every link and runs scripts gives no stranger access to an account @phone-only', async ({
  page,
  browser,
  baseURL,
}) => {
  const origin = baseURL!;
  const attackerContext = await browser.newContext({ baseURL: origin });
  const scannerContext = await browser.newContext({ baseURL: origin });
  const buyerContext = await browser.newContext({ baseURL: origin });
  const email = await createFrameOwner(buyerContext, origin, {}, { registers: false });
  const fetchStrangersOrders = async () =>
    (await (await attackerContext.request.get('/api/order-summary')).json()).orders.length;

  await test.step('a stranger causes every kind of mailed link to be sent', async () => {
    const person = { firstName: 'Sly', lastName: 'Stranger', email, password: strangersPassword };
    await postJson(attackerContext.request, origin, '/api/auth/register', person);
    await postJson(attackerContext.request, origin, '/api/auth/link', { email });
    await postJson(attackerContext.request, origin, '/api/auth/forgot-password', { email });
    const otherContext = await browser.newContext({ baseURL: origin });
    await postJson(otherContext.request, origin, '/api/auth/register', { ...person, email: `sly-${email}` });
    await postJson(otherContext.request, origin, '/api/account/email', { email });
    for (const path of ['confirm-email', 'link', 'reset-password', 'change-email'])
      await waitForEmailedLink(email, new RegExp(`http\\S+/auth/${path}\\?token=\\S+`));
    await waitForEmailedLink(email, /http\S+\/complete-registration\?token=\S+/);
  });

  await test.step('the scanner opens all links: no request changes anything', async () => {
    const { opened: openedLinks, sent: sentRequests } = await openEveryLink(scannerContext, email);
    expect(openedLinks.length).toBeGreaterThanOrEqual(6);
    expect(sentRequests).toEqual([]);
    expect(await fetchStrangersOrders()).toBe(0);
    expect((await (await attackerContext.request.get('/api/auth/user')).json()).emailConfirmed).toBe(false);
    expect((await scannerContext.request.get('/api/auth/user')).status()).toBe(401);
  });

  await test.step('the link to another account’s new address asks to sign in to that account', async () => {
    await page.goto(await waitForEmailedLink(email, /http\S+\/auth\/change-email\?token=\S+/));
    await expect(page.getByRole('heading', { name: 'Please sign in first' })).toBeVisible();
    await expectAccessible(page);
    await expect(page.getByRole('button', { name: 'Confirm new email' })).toHaveCount(0);
  });

  await test.step('the sign-in link asks for a new password', async () => {
    await page.goto(await waitForEmailedLink(email, /http\S+\/auth\/link\?token=\S+/));
    await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeVisible();
    await expect(page.getByText(email)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the confirmation link asks for a new password, and only the buyer gets the order', async () => {
    await page.goto(await waitForEmailedLink(email, /http\S+\/auth\/confirm-email\?token=\S+/));
    await expect(page.getByRole('heading', { name: 'Choose a password' })).toBeVisible();
    await expectAccessible(page);
    await findField(page, 'New password').fill(newPassword);
    await findField(page, 'Confirm new password').fill(newPassword);
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await expect(page.getByText('Your email address is confirmed.')).toBeVisible();
    await page.getByRole('link', { name: 'Continue to my photos' }).click();
    await expect(page.getByText('0 of 20 photos').first()).toBeVisible();
    expect(await fetchStrangersOrders()).toBe(0);
    expect((await attackerContext.request.get('/api/auth/user')).status()).toBe(401);
  });
});

test('a confirmation link on another device asks to sign in first, then returns to the confirmation', async ({
  page,
  browser,
  baseURL,
}) => {
  const laptopContext = await browser.newContext({ baseURL: baseURL! });
  const email = await createFrameOwner(laptopContext, baseURL!); // the buyer is signed in on the laptop, with a password
  const confirmEmailLink = await waitForEmailedLink(email, /http\S+\/auth\/confirm-email\?token=\S+/);
  await page.goto(confirmEmailLink);
  await page.getByRole('button', { name: 'Sign in and confirm' }).click();
  await findField(page, 'Email').fill(email);
  await findField(page, 'Password').fill(newPassword);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('button', { name: 'Confirm my email' }).click();
  await expect(page.getByText('Your email address is confirmed.')).toBeVisible();
  await page.getByRole('link', { name: 'Continue to my photos' }).click();
  await expect(page.getByText('0 of 20 photos').first()).toBeVisible();
  expect((await laptopContext.request.get('/api/auth/user')).status()).toBe(401); // every other browser is signed out
});
