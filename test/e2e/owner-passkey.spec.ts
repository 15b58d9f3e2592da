import type { Page } from '@playwright/test';
import { expect, expectAccessible, readMailsTo, signInAsOwner, test } from './fixtures.ts';
import { ownersPassword } from './own-shop.ts';

/** Adds a virtual authenticator that stores passkeys and confirms every request. */
async function addVirtualAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
const isAtPanel = (page: Page) => expect(page.getByRole('heading', { name: 'Kinframe admin' })).toBeVisible();

test('the owner adds a passkey, names it, signs in with it, and removes it @phone', async ({ page, expectProblem }) => {
  expectProblem(/40[13].*\/api\/admin\//);
  await addVirtualAuthenticator(page);
  await signInAsOwner(page);
  await page.getByRole('button', { name: 'Security' }).click();
  const dialog = page.getByRole('dialog', { name: 'Security' });
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(dialog.getByText('My passkey')).toBeVisible();
  await expect(dialog.getByText('Right now, the password alone is enough to sign in.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Rename My passkey' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Desk');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(dialog.getByText('Desk')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();

  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await isAtPanel(page);
  await page.getByRole('button', { name: 'Security' }).click();
  await expect(dialog.getByText(/, by passkey$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Remove Desk' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await expect(dialog.getByText('Desk')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('This passkey did not work.').first()).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(ownersPassword);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await isAtPanel(page);
  await expect
    .poll(async () => (await readMailsTo('support@kinframe.example')).map(({ subject }) => subject))
    .toEqual(expect.arrayContaining(['A passkey was added', 'A passkey was removed']));
});
