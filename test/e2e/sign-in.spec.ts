import type { Page } from '@playwright/test';
import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, waitForEmailedLink, test } from './fixtures.ts';

const findField = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const password = 'Sunflower-Field-7';

async function signIn(page: Page, email: string, secret: string) {
  await findField(page, 'Email').fill(email);
  await findField(page, 'Password').fill(secret);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}
async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Account of / }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page.getByText('Logged Out', { exact: true }).first()).toBeVisible();
}

test('a guest buyer signs up, finds the order after confirming the email, and resets the password @phone-only', async ({
  page,
  browser,
  baseURL,
  expectProblem,
}) => {
  expectProblem(/status of (400|401|409)/); // the responses to a taken email, a wrong password and a used link
  const buyerContext = await browser.newContext();
  const email = await createFrameOwner(buyerContext, baseURL!, {}, { registers: false });

  await test.step('errors of the sign-up form are shown at their fields', async () => {
    await page.goto('/auth');
    await expect(page.getByText('Bought without an account? Open the link in your receipt')).toBeVisible();
    await page.getByRole('tab', { name: 'Sign Up' }).click();
    await expect(findField(page, 'First name')).toBeVisible();
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByText('Please fill in all fields').first()).toBeVisible();
    await findField(page, 'First name').fill('Rose');
    await findField(page, 'Last name').fill('Winter');
    await findField(page, 'Email').fill(email);
    await findField(page, 'Password').fill('short');
    await findField(page, 'Confirm password').fill('other');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByText('Password must be at least 6 characters long')).toBeVisible();
    await expectAccessible(page);
    await findField(page, 'Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByText('Passwords do not match')).toBeVisible();
  });

  await test.step('after signing up there is no order yet, and the page says why', async () => {
    await findField(page, 'Confirm password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByText('No Purchases Found').first()).toBeVisible(); // also as a notification
    await expect(page.getByText(`If you bought with ${email}, open the link we emailed you`).first()).toBeVisible();
    await expect(page).toHaveURL(/:\d+\/(\?select-product=true)?$/);
  });

  await test.step('after the email address is confirmed, the account shows the guest order', async () => {
    await page.goto(await waitForEmailedLink(email, /http\S+\/auth\/confirm-email\?token=\S+/));
    await expect(page.getByText('Your email address is confirmed.')).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Confirm my email' }).click();
    await expect(page.getByText('Your email address is confirmed.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Continue to my photos' }).click();
    await expect(page.getByText('0 of 20 photos').first()).toBeVisible();
  });

  await test.step('an existing address cannot sign up again, and a wrong password reveals nothing', async () => {
    await signOut(page);
    await page.goto('/auth?tab=sign-up');
    for (const [name, value] of [
      ['First name', 'Rose'],
      ['Last name', 'Winter'],
      ['Email', email],
      ['Password', password],
      ['Confirm password', password],
    ] as const)
      await findField(page, name).fill(value);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByText('Registration Failed').first()).toBeVisible();
    await page.getByRole('button', { name: 'Sign in to your account' }).click();
    await signIn(page, email, 'not-the-password');
    await expect(page.getByText('Login Failed').first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a mailed link sets a new password, but only once', async () => {
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // Wait for the new page first, because the sign-in page has the same email field.
    await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
    await expect(findField(page, 'Email')).toHaveValue(email); // the address is still as typed before
    await findField(page, 'Email').fill('');
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await expect(page.getByText('Please enter your email address')).toBeVisible();
    await findField(page, 'Email').fill(email);
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible();
    await expect(page.getByText(`If an account with the email ${email} exists`)).toBeVisible();
    await expectAccessible(page);
    const passwordResetLink = await waitForEmailedLink(email, /http\S+\/auth\/reset-password\?token=\S+/);
    const resetPassword = async (secret: string) => {
      await page.goto(passwordResetLink);
      await findField(page, 'New password').fill(secret);
      await findField(page, 'Confirm new password').fill(secret);
      await page.getByRole('button', { name: 'Reset password' }).click();
    };
    await resetPassword('Kite-over-sea-4');
    await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();
    await expectAccessible(page);
    await resetPassword('Wide-river-path-1');
    await expect(page.getByRole('heading', { name: 'Invalid reset link' })).toBeVisible();
    await page.goto('/auth/reset-password');
    await expect(page.getByRole('heading', { name: 'Invalid reset link' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('signing in leads to the requested page', async () => {
    await page.goto('/orders');
    await expect(page).toHaveURL(/\/auth\?returnTo=%2Forders/);
    await signIn(page, email, password); // the old password no longer works
    await expect(page.getByText('Login Failed').first()).toBeVisible();
    await signIn(page, email, 'Kite-over-sea-4');
    await expect(page).toHaveURL(/\/orders$/);
    await expect(page.getByRole('link', { name: /KF-/ }).first()).toBeVisible();
  });

  await test.step('while signed out, an order’s mailed link asks to sign in and then opens the order', async () => {
    const orderUrl = (await page.getByRole('link', { name: /KF-/ }).first().getAttribute('href'))!;
    await page.context().clearCookies();
    await page.goto(orderUrl);
    await expect(page.getByText('Sign in to see your order')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click();
    await signIn(page, email, 'Kite-over-sea-4');
    await expect(page).toHaveURL(new RegExp(`${orderUrl}$`));
    await expect(page.getByText('Payment received. Waiting for your photos.')).toBeVisible();
  });
});
