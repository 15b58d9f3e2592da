import type { Page } from '@playwright/test';
import { generateTotpCode } from '../one-time-code.ts';
import { expect, expectAccessible, signInAsOwner, test, waitForEmailedLink } from './fixtures.ts';

const invitationLinkPattern = /http\S+\/admin-invitation\?token=\S+/;

const isAtPanel = (page: Page) => expect(page.getByRole('heading', { name: 'Kinframe admin' })).toBeVisible();
const readTabNames = (page: Page) => page.getByRole('tab').allTextContents();

async function inviteMember(owner: Page, { name, email, role }: { name: string; email: string; role: string }) {
  await owner.goto('/admin?tab=settings');
  await owner
    .getByRole('button', { name: /^Invite/ })
    .first()
    .click();
  const dialog = owner.getByRole('dialog', { name: 'Invite someone' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Role').selectOption({ label: role });
  await expectAccessible(owner);
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog).toBeHidden();
  await expect(owner.getByText('Invited', { exact: true })).toBeVisible();
  return waitForEmailedLink(email, invitationLinkPattern);
}

test('the owner invites a person, who accepts and works on a phone, and whose open panel says when the owner removes them', async ({
  page: owner,
  browser,
  baseURL,
  expectProblem,
}) => {
  test.setTimeout(240_000);
  expectProblem(/status of (401|403|410)/);
  await owner.setViewportSize({ width: 1440, height: 900 });
  await signInAsOwner(owner);
  await owner.goto('/admin?tab=settings');
  await expect(owner.getByText('You work alone so far')).toBeVisible();
  const url = await inviteMember(owner, { name: 'Sam Ortiz', email: 'sam@example.com', role: 'Support' });

  const phoneContext = await browser.newContext({ baseURL: baseURL!, viewport: { width: 390, height: 844 } });
  const staffPage = await phoneContext.newPage();
  await test.step('the invited person accepts with a password and a code', async () => {
    await staffPage.goto(url);
    await expect(staffPage.getByRole('heading', { name: 'Welcome, Sam Ortiz' })).toBeVisible();
    await expectAccessible(staffPage);
    await staffPage.getByRole('button', { name: 'Use a password and a code' }).click();
    await staffPage.getByLabel('New password', { exact: true }).fill('Kite-over-sea-5');
    await staffPage.getByLabel('Confirm password', { exact: true }).fill('Kite-over-sea-5');
    await staffPage.getByRole('button', { name: 'Continue' }).click();
    const key = await staffPage.locator('.font-mono').first().textContent();
    await expectAccessible(staffPage);
    await staffPage.getByLabel('Code', { exact: true }).fill('000000');
    await staffPage.getByRole('button', { name: 'Accept' }).click();
    await expect(staffPage.getByText('That code')).toBeVisible();
    await staffPage.getByLabel('Code', { exact: true }).fill(generateTotpCode(key!.replaceAll(' ', '')));
    await staffPage.getByRole('button', { name: 'Accept' }).click();
    await expect(staffPage.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
    await staffPage.getByRole('button', { name: 'I saved them' }).click();
    await isAtPanel(staffPage);
  });

  await test.step('the panel shows only what the role can use', async () => {
    await expect(staffPage.getByText('Sam Ortiz, Support')).toBeVisible();
    expect(await readTabNames(staffPage)).toEqual(['Customers', 'Orders & Uploads', 'Users', 'Support Tickets']);
    await expect(staffPage.getByText('Total revenue')).toHaveCount(0);
    await staffPage.goto('/admin?tab=settings');
    await expect(staffPage.getByText('It needs the role Everything but money or Owner.')).toBeVisible();
    await staffPage.getByRole('button', { name: 'Security' }).click();
    const dialog = staffPage.getByRole('dialog', { name: 'Security' });
    await expect(dialog.getByText('by password and code')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Turn off' })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await staffPage.getByRole('tab', { name: 'Support Tickets' }).click();
    await expectAccessible(staffPage);
  });

  await test.step('the owner sees who accepted and what they did, and removes them', async () => {
    await expect(owner.getByText('sam@example.com, since')).toBeVisible();
    await owner.getByLabel('Person').selectOption({ label: 'Sam Ortiz (sam@example.com)' });
    await expect(owner.getByText('Accepted the invitation')).toBeVisible();
    await expect(owner.getByText('Invited a person')).toHaveCount(0);
    await owner.getByText('Accepted the invitation').click();
    await expectAccessible(owner);
    await owner.getByRole('button', { name: 'Remove Sam Ortiz' }).click();
    await owner.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(owner.getByText('1 person was removed')).toBeVisible();
  });

  await test.step('the removed person’s open panel closes by itself and says why', async () => {
    await expect(staffPage).toHaveURL(/admin-login\?ended=removed/);
    await expect(staffPage.getByText('You no longer have access to this panel.')).toBeVisible();
    await expectAccessible(staffPage);
    await staffPage.goto(url);
    await expect(staffPage.getByRole('heading', { name: 'This invitation doesn’t work anymore' })).toBeVisible();
  });

  await test.step('a failed sign-in of staff shows an error message', async () => {
    await staffPage.goto('/admin-login');
    await staffPage.getByRole('button', { name: 'Sign in as staff' }).click();
    await staffPage.getByLabel('Email').fill('sam@example.com');
    await staffPage.getByLabel('Password', { exact: true }).fill('Kite-over-sea-5');
    await staffPage.getByRole('button', { name: 'Continue' }).click();
    await expect(staffPage.getByText('This email address and password don’t match.').first()).toBeVisible();
    await expectAccessible(staffPage);
  });

  await test.step('a person with the role Content gets no orders, and a new role ends the open panel', async () => {
    const nextInvitationUrl = await inviteMember(owner, { name: 'Kim Lee', email: 'kim@example.com', role: 'Content' });
    const client = await staffPage.context().newCDPSession(staffPage);
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
    await staffPage.goto(nextInvitationUrl);
    await staffPage.getByRole('button', { name: 'Accept with a passkey' }).click();
    await isAtPanel(staffPage);
    expect(await readTabNames(staffPage)).toEqual(['Gallery', 'Content', 'Analytics']);
    await staffPage.getByRole('tab', { name: 'Analytics' }).click();
    await expect(staffPage.getByRole('heading', { name: 'Page views' })).toBeVisible();
    await staffPage.getByRole('tab', { name: 'Content' }).click();
    await expect(staffPage.getByRole('heading', { name: 'Hero' }).first()).toBeVisible();
    await expect(staffPage.getByText('Promotions')).toHaveCount(0);
    await owner.getByRole('button', { name: 'Change Kim Lee' }).click();
    const dialog = owner.getByRole('dialog', { name: 'Change Kim Lee' });
    await dialog.getByLabel('Role').selectOption({ label: 'Fulfillment' });
    await expect(dialog.getByText('Kim Lee has to sign in again.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(staffPage.getByText('The owner changed your role. Please sign in again.')).toBeVisible();
    await staffPage.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await isAtPanel(staffPage);
    expect(await readTabNames(staffPage)).toEqual(['Orders & Uploads', 'Production', 'Content']);
  });
});
