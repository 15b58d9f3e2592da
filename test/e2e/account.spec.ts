import type { Page } from '@playwright/test';
import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, waitForEmailedLink, drawRealPhotos, test } from './fixtures.ts';

const findToast = (page: Page, title: string) => page.getByText(title, { exact: true }).first();
const findSection = (page: Page, title: string) =>
  page
    .locator('div')
    .filter({ has: page.getByRole('heading', { name: title, level: 2 }) })
    .last();

/** Adds a virtual authenticator that verifies its user. */
async function addVirtualAuthenticator(page: Page) {
  const devToolsSession = await page.context().newCDPSession(page);
  await devToolsSession.send('WebAuthn.enable');
  const { authenticatorId } = await devToolsSession.send('WebAuthn.addVirtualAuthenticator', {
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
    /** Sets whether the user touches the device when it asks for that. */
    setPresence: (enabled: boolean) =>
      devToolsSession.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
  };
}

test('a signed-in customer can request a password reset without typing the email, and go back', async ({
  page,
  context,
  baseURL,
}) => {
  const email = await createFrameOwner(context, baseURL!);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('link', { name: 'Forgot it?' }).click();
  await expect(page.getByRole('link', { name: 'Back to your account' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Email', exact: true })).toHaveValue(email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeFocused();
  await page.getByRole('link', { name: 'Back to your account' }).click();
  await expect(page.getByRole('heading', { name: 'Your account', level: 1 })).toBeVisible();
});

test('a customer uses every part of the account page, from a passkey to deleting the account @phone-only', async ({
  page,
  context,
  baseURL,
  expectProblem,
}) => {
  // The responses to an emailed link that was already used, and to a sign-in that is not recent.
  expectProblem(/status of (400|403)/);
  const email = await createFrameOwner(context, baseURL!);

  await test.step('the customer uploads a photo and opens the account page', async () => {
    await page.goto('/upload');
    const photoInput = page.locator('input[type=file][multiple]');
    await expect(photoInput).toBeEnabled(); // once the page is hydrated
    await photoInput.setInputFiles((await drawRealPhotos()).slice(0, 1));
    await expect(page.getByText('1 of 20 photos').first()).toBeVisible({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Account of Anna' }).click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await expect(page.getByRole('heading', { name: 'Your account', level: 1 })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the customer changes the name and the email', async () => {
    await page.getByRole('button', { name: 'Change name' }).click();
    await page.getByLabel('First name').fill('Annika');
    await page.getByRole('button', { name: 'Save name' }).click();
    await expect(page.getByText('Annika Keller').first()).toBeVisible();
    await page.getByRole('button', { name: 'Change email' }).click();
    const newEmail = `new-${email}`;
    await expect(page.getByLabel('New email')).toBeFocused();
    await page.getByLabel('New email').fill(newEmail);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByText(`Please confirm ${newEmail}`)).toBeVisible();
    const changeEmailLink = await waitForEmailedLink(newEmail, /http\S+\/auth\/change-email\?token=\S+/);
    await page.goto(changeEmailLink);
    await page.getByRole('button', { name: 'Confirm new email' }).click();
    await expect(page.getByText('Your account now uses this email address.')).toBeVisible();
    await page.goto(changeEmailLink); // the link was already used
    await expect(page.getByRole('heading', { name: 'That link doesn’t work anymore' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Confirm new email' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Go to your account' }).click();
    await expect(page.getByText(newEmail).first()).toBeVisible();
  });

  await test.step('the customer adds a passkey and signs in with it through autofill', async () => {
    const device = await addVirtualAuthenticator(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.getByText('My passkey', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Rename My passkey' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Blue phone');
    await page.getByRole('dialog').getByRole('button', { name: 'Save name' }).click();
    await expect(page.getByText('Blue phone', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    // The device answers the passkey request that the sign-in page starts automatically.
    await expect(page).toHaveURL(/\/upload\?frameId=/, { timeout: 60_000 });
    await device.setPresence(false);
    await page.goto('/account');
    await expect(page.getByText('Blue phone', { exact: true })).toBeVisible();
    await expect(page.getByText(/, used /)).toBeVisible();
  });

  await test.step('the customer signs out, and signs in by a mailed link that a scanner opened first', async () => {
    await context.clearCookies();
    await page.goto('about:blank'); // without this, only the hash of the address would change, and the page would not reload
    await page.goto('/account#photos');
    await expect(page).toHaveURL(/\/auth\?returnTo=%2Faccount/);
    await expect(findToast(page, 'Authentication Required')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Email', { exact: true }).fill(`new-${email}`);
    await page.getByRole('link', { name: 'Email me a sign-in link' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in without a password' })).toBeVisible();
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(`new-${email}`); // the email that was typed on the sign-in page
    await page.getByRole('button', { name: 'Send sign-in link' }).click();
    await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeFocused();
    const emailedLink = await waitForEmailedLink(`new-${email}`, /http\S+\/auth\/link\?token=\S+/);
    expect((await context.request.get(emailedLink)).status()).toBe(200);
    await page.goto(emailedLink);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page).toHaveURL(/\/account#photos$/); // the page that the customer wanted to open
    await expect(page.locator('#photos')).toBeInViewport();
  });

  await test.step('the passkey is removed after the password is entered again', async () => {
    const refusal = { success: false, error: 'Please enter your password to continue.', code: 'password-needed' };
    await page.route('**/api/account/passkeys/*', (it) => it.fulfill({ status: 403, json: refusal }), { times: 1 });
    await page.getByRole('button', { name: 'Remove Blue phone' }).click();
    await page.getByRole('button', { name: 'Remove passkey' }).click();
    const identityDialog = page.getByRole('dialog', { name: 'Is it you?' });
    await expectAccessible(page);
    await identityDialog.getByLabel('Password', { exact: true }).fill('Sunflower-Field-7');
    await identityDialog.getByRole('button', { name: 'Continue' }).click();
    await expect(findToast(page, 'Passkey removed')).toBeVisible();
    await expect(page.getByText('Blue phone', { exact: true })).toHaveCount(0);
  });

  await test.step('the customer downloads all data, then deletes all photos and videos', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download my data' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('my-data.zip');
    await findSection(page, 'Your photos and videos').getByRole('button', { name: 'Delete everything now' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('Not delivered yet: Kinframe 1.')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Delete everything' }).click();
    await expect(page).toHaveURL(/\/account\/erased\//);
    await expect(page.getByText('1 photo, 0 videos').first()).toBeVisible();
    await expect(page.getByText(/^Deleted on .*the originals, all copies and the videos/)).toBeVisible();
    await expectAccessible(page);
    await page.goto('/upload');
    await expect(page.getByText('0 of 20 photos').first()).toBeVisible();
  });

  await test.step('the customer deletes the account', async () => {
    await page.goto('/account');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await expect(page.getByRole('dialog').getByText('You paid for something we haven’t finished yet:')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click();
    await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeFocused();
    await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeInViewport();
    await expectAccessible(page);
    await page.goto('/account');
    await expect(page).toHaveURL(/\/auth\?returnTo=/);
    await page.goto('/your-photos');
    await expect(page.getByRole('heading', { name: 'Who can see your photos' })).toBeVisible();
    await expectAccessible(page);
  });
});
