import type { Page } from '@playwright/test';
import { findFreePort } from '../free-port.ts';
import { generateTotpCode } from '../one-time-code.ts';
import { openProvider, ownersSubject, createSettings } from '../openid-provider.ts';
import { expect, expectAccessible, shopOrigin, signInAsOwner, signInThroughProvider, test } from './fixtures.ts';
import { ownersPassword } from './own-shop.ts';

/** The settings name the provider's port before the shop or the provider is started. */
const providerPort = await findFreePort();
const adminKey = 'a-key-of-at-least-thirty-two-characters';
test.use({ settings: { ...createSettings(providerPort), ADMIN_KEY: adminKey } });

const isAtPanel = (page: Page) => expect(page.getByRole('heading', { name: 'Kinframe admin' })).toBeVisible();
const expectSignInPage = (page: Page) => expect(page.getByRole('heading', { name: 'Admin sign-in' })).toBeVisible();
async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(ownersPassword);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}
const openSecurity = async (page: Page) => {
  await page.getByRole('button', { name: 'Security' }).click();
  return page.getByRole('dialog', { name: 'Security' });
};

test('the owner sets up the second factor, signs in with it, and signs another browser out', async ({
  page,
  browser,
  expectProblem,
}) => {
  expectProblem(/40[13].*\/api\/admin\//); // the responses to wrong codes and to an ended session
  await signInAsOwner(page);
  const dialog = await openSecurity(page);
  await expect(dialog.getByText('This browser')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Set up' }).click();
  await expect(dialog.getByLabel('Admin password', { exact: true })).toBeFocused();
  await dialog.getByLabel('Admin password', { exact: true }).fill('not-the-password');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('That is not your current password. Please try again.')).toBeVisible();
  await dialog.getByLabel('Admin password', { exact: true }).fill(ownersPassword);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expectAccessible(page);
  const secret = (await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent())!.replaceAll(' ', '');
  await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill('12345');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByText('Please enter the six digits your app shows, or a recovery code')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill(generateTotpCode(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page);
  const recoveryCodes = await dialog.getByRole('listitem').allTextContents();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const savedCodesDialog = page.getByRole('dialog', { name: 'Have you saved the codes?' });
  await expectAccessible(page);
  await savedCodesDialog.getByRole('button', { name: 'Show them' }).click();
  await expect(dialog.getByRole('listitem')).toHaveText(recoveryCodes);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('recovery-codes.txt');
  await dialog.getByRole('button', { name: 'I saved them' }).click();
  await expect(dialog.getByText('You have 10 recovery codes left.')).toBeVisible();
  await expectAccessible(page);

  const context = await browser.newContext({ baseURL: shopOrigin() });
  const otherTab = await context.newPage();
  await otherTab.goto('/admin-login');
  await enterPassword(otherTab);
  await expect(otherTab.getByRole('textbox', { name: 'Code', exact: true })).toBeFocused();
  await expectAccessible(otherTab);
  await otherTab.getByRole('textbox', { name: 'Code', exact: true }).fill('000000');
  await otherTab.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(otherTab.getByRole('alert').filter({ hasText: 'That code is wrong' }).first()).toBeVisible();
  await otherTab.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect(otherTab.getByLabel('Recovery code')).toBeFocused();
  await otherTab.getByLabel('Recovery code').fill(recoveryCodes[0]!);
  await otherTab.keyboard.press('Enter');
  await isAtPanel(otherTab);

  // The open page updates without a reload.
  await expect(dialog.getByText('You have 9 recovery codes left.')).toBeVisible();
  await expect(dialog.getByText(/by password and recovery code$/)).toBeVisible();
  await dialog.getByRole('button', { name: /^Sign out (?!everywhere)/ }).click();
  await expect(dialog.getByText(/by password and recovery code$/)).toHaveCount(0);
  await expectSignInPage(otherTab); // the open page updates without a reload
  await expect(otherTab.getByText('Your session ended. Please sign in again.')).toBeVisible();
  await context.close();

  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expectSignInPage(page);
  await enterPassword(page);
  await page
    .getByRole('textbox', { name: 'Code', exact: true })
    .fill(generateTotpCode(secret, new Date(Date.now() + 30_000))); // a phone whose clock is ahead
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await isAtPanel(page);
  await openSecurity(page);
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByLabel('Admin password', { exact: true }).fill(ownersPassword);
  await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill(recoveryCodes[1]!);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await expect(dialog.getByRole('button', { name: 'Set up' })).toBeVisible();
});

test('the owner signs in with an account at an identity provider; other accounts are refused', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/503.*\/api\/admin\/auth\/replit/);
  await page.goto('/admin-login');
  await page.getByRole('button', { name: 'Sign in as the owner' }).click();
  // The provider is not running yet.
  await expect(page.getByText('Failed to authenticate. Please try again.').first()).toBeVisible();

  const provider = await openProvider(`${shopOrigin()}/api/admin/auth/replit/callback`, { port: providerPort });
  await signInThroughProvider(page, 'somebody-verified');
  await expectSignInPage(page);
  await expect(
    page.getByText('Access denied. Only the Replit owner can access the admin panel.').first(),
  ).toBeVisible();
  await expect(page).toHaveURL(`${shopOrigin()}/admin-login`);
  await expectAccessible(page);

  await context.clearCookies();
  await signInThroughProvider(page, ownersSubject);
  await isAtPanel(page);
  const dialog = await openSecurity(page);
  await expect(dialog.getByText(/through your sign-in provider$/)).toBeVisible();
  await provider.close();
});

test('the admin key in an address opens the panel, and no other request contains it', async ({ page }) => {
  const requestLines: string[] = [];
  page.on('request', (request) => requestLines.push(`${request.url()} ${request.headers()['referer'] ?? ''}`));
  await page.goto(`/admin?tab=users&admin_key=${adminKey}`);
  await isAtPanel(page);
  await expect(page).toHaveURL(`${shopOrigin()}/admin?tab=users`);
  const dialog = await openSecurity(page);
  await expect(dialog.getByText(/by the admin key$/).first()).toBeVisible();
  expect(requestLines.filter((it) => it.includes(adminKey))).toHaveLength(1);
});

test('signing in leads to the requested page, and removes the notification about the wrong password', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/401.*\/api\/admin\//);
  await page.goto('/admin?tab=users');
  await expectSignInPage(page);
  await page.getByLabel('Password', { exact: true }).fill('not-the-password');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Login Failed', { exact: true })).toBeVisible();
  await enterPassword(page);
  await isAtPanel(page);
  await expect(page).toHaveURL(`${shopOrigin()}/admin?tab=users`);
  await expect(page.getByText('Login Failed', { exact: true })).toHaveCount(0, { timeout: 1000 });

  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expectSignInPage(page);
  await expect(page.getByText('Your session ended.')).toHaveCount(0);
  await enterPassword(page);
  await isAtPanel(page);
  await expect(page).toHaveURL(`${shopOrigin()}/admin`);
});

test('the panel allows neither text as HTML nor workers of other sites, and opens the shop by a page load', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/Trusted/); // the test causes violations of Trusted Types on purpose
  await signInAsOwner(page);
  const refusals = await page.evaluate(() =>
    [
      () => (document.createElement('p').innerHTML = '<img src=x>'),
      () => new Worker('https://other.example/worker.js'),
      () => new DOMParser().parseFromString('<p>text</p>', 'text/html'),
    ].map((act) => {
      try {
        act();
        return 'allowed';
      } catch (error) {
        return (error as Error).name;
      }
    }),
  );
  expect(refusals).toEqual(['TypeError', 'TypeError', 'TypeError']);
  await page.evaluate(() => (document.documentElement.dataset['first'] = 'yes'));
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page).toHaveURL(`${shopOrigin()}/`);
  await expect(page.locator('html')).not.toHaveAttribute('data-first');
});
