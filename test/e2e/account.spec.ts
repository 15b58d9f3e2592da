import type { Page } from '@playwright/test';
import { ownFrame } from './buying.ts';
import { expect, expectAccessible, linkIn, realPhotos, test } from './fixtures.ts';

const toast = (page: Page, title: string) => page.getByText(title, { exact: true }).first();
const part = (page: Page, title: string) =>
  page
    .locator('div')
    .filter({ has: page.getByRole('heading', { name: title, level: 2 }) })
    .last();

/** A device that knows its person, as the browser sees it. */
async function givePasskeys(page: Page) {
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether whoever is asked touches the device. */
    setPresence: (enabled: boolean) =>
      device.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
}

test('whoever does not know their password is mailed a link without typing who they are, and finds back', async ({
  page,
  context,
  baseURL,
}) => {
  const email = await ownFrame(context, baseURL!);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('link', { name: 'You do not know it?' }).click();
  await expect(page.getByRole('link', { name: 'Back to your account' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Email', exact: true })).toHaveValue(email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeFocused();
  await page.getByRole('link', { name: 'Back to your account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account', level: 1 })).toBeVisible();
});

test('the account, from the first passkey to deleting everything @phone-only', async ({
  page,
  context,
  baseURL,
  expectProblem,
}) => {
  expectProblem(/status of (400|403)/); // a link that is used up, a page open longer than the sign-in is fresh
  const email = await ownFrame(context, baseURL!);

  await test.step('a photo to lose, and the way to the account', async () => {
    await page.goto('/upload');
    const album = page.locator('input[type=file][multiple]');
    await expect(album).toBeEnabled(); // once the page is awake
    await album.setInputFiles((await realPhotos()).slice(0, 1));
    await expect(page.getByText('1 of 20 photos').first()).toBeVisible({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Account of Anna' }).click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await expect(page.getByRole('heading', { name: 'Your account', level: 1 })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a name and an e-mail', async () => {
    await page.getByRole('button', { name: 'Change name' }).click();
    await page.getByLabel('First name').fill('Annika');
    await page.getByRole('button', { name: 'Save Name' }).click();
    await expect(page.getByText('Annika Keller').first()).toBeVisible();
    await page.getByRole('button', { name: 'Change email' }).click();
    const newEmail = `new-${email}`;
    await expect(page.getByLabel('New email')).toBeFocused();
    await page.getByLabel('New email').fill(newEmail);
    await page.getByRole('button', { name: 'Send Link' }).click();
    await expect(page.getByText(`${newEmail} waits to be confirmed`)).toBeVisible();
    const link = await linkIn(newEmail, /http\S+\/auth\/change-email\?token=\S+/);
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm New Address' }).click();
    await expect(page.getByText('Your account goes by this address now.')).toBeVisible();
    await page.goto(link); // it is used up
    await page.getByRole('button', { name: 'Confirm New Address' }).click();
    await expect(page.getByRole('heading', { name: 'That link is over' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Confirm New Address' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Go to Your Account' }).click();
    await expect(page.getByText(newEmail).first()).toBeVisible();
  });

  await test.step('a passkey, and in with it, among what the browser fills in', async () => {
    const device = await givePasskeys(page);
    await page.getByRole('button', { name: 'Add a Passkey' }).click();
    await expect(page.getByText('My passkey', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Rename My passkey' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Blue phone');
    await page.getByRole('dialog').getByRole('button', { name: 'Save Name' }).click();
    await expect(page.getByText('Blue phone', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Sign Out Everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign Out Everywhere' }).click();
    // The device answers what the sign-in page offers by itself.
    await expect(page).toHaveURL(/\/upload\?frameId=/, { timeout: 60_000 });
    await device.setPresence(false);
    await page.goto('/account');
    await expect(page.getByText('Blue phone', { exact: true })).toBeVisible();
    await expect(page.getByText(/, used /)).toBeVisible();
  });

  await test.step('out, and in by a mailed link that a scanner may open first', async () => {
    await context.clearCookies();
    await page.goto('about:blank'); // or only the part after # would be new
    await page.goto('/account#photos');
    await expect(page).toHaveURL(/\/auth\?returnTo=%2Faccount/);
    await expect(toast(page, 'Authentication Required')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Email').fill(`new-${email}`);
    await page.getByRole('link', { name: 'Mail Me a Sign-In Link' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in without a password' })).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(`new-${email}`); // typed once
    await page.getByRole('button', { name: 'Send Sign-In Link' }).click();
    await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeFocused();
    const link = await linkIn(`new-${email}`, /http\S+\/auth\/link\?token=\S+/);
    expect((await context.request.get(link)).status()).toBe(200);
    await page.goto(link);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page).toHaveURL(/\/account#photos$/); // where they wanted to go
    await expect(page.locator('#photos')).toBeInViewport();
  });

  await test.step('the passkey goes, once it is known who asks', async () => {
    const refusal = { success: false, error: 'Please enter your password to go on.', code: 'password-needed' };
    await page.route('**/api/account/passkeys/*', (it) => it.fulfill({ status: 403, json: refusal }), { times: 1 });
    await page.getByRole('button', { name: 'Remove Blue phone' }).click();
    await page.getByRole('button', { name: 'Remove Passkey' }).click();
    const proof = page.getByRole('dialog', { name: 'Is it you?' });
    await expectAccessible(page);
    await proof.getByLabel('Password', { exact: true }).fill('Sunflower-Field-7');
    await proof.getByRole('button', { name: 'Go On' }).click();
    await expect(toast(page, 'Passkey Removed')).toBeVisible();
    await expect(page.getByText('Blue phone', { exact: true })).toHaveCount(0);
  });

  await test.step('my data, and then nothing of it is left', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download My Data' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('my-data.zip');
    await part(page, 'Your photos and videos').getByRole('button', { name: 'Delete Everything Now' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Not delivered yet: Kinframe 1.')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Delete Everything' }).click();
    await expect(page).toHaveURL(/\/account\/erased\//);
    await expect(page.getByText('1 photo, 0 videos').first()).toBeVisible();
    await expect(page.getByText(/^Erased on .*the originals, every copy made of them, and the videos/)).toBeVisible();
    await expectAccessible(page);
    await page.goto('/upload');
    await expect(page.getByText('0 of 20 photos').first()).toBeVisible();
  });

  await test.step('the account itself', async () => {
    await page.goto('/account');
    await page.getByRole('button', { name: 'Delete My Account' }).click();
    await expect(page.getByRole('dialog').getByText('You have paid for what is not done yet:')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete My Account' }).click();
    await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeFocused();
    await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeInViewport();
    await expectAccessible(page);
    await page.goto('/account');
    await expect(page).toHaveURL(/\/auth\?returnTo=/);
    await page.goto('/your-photos');
    await expect(page.getByRole('heading', { name: 'Who can see what' })).toBeVisible();
    await expectAccessible(page);
  });
});
