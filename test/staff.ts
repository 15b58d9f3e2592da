import { expect } from 'vitest';
import type { Role } from '#contract/owner/areas.ts';
import type { EmailOf } from '#contract/emails.ts';
import { addInvitedMember } from '#shop/staff/staff.ts';
import { issueToken } from '#shop/tokens/tokens.ts';
import { createFakeAuthenticator } from './authenticator.ts';
import { waitAndReadEmails } from './sent-emails.ts';
import { generateTotpCode } from './one-time-code.ts';
import { adminPassword, type Browser, type TestShop } from './shop.ts';

export const staffPassword = 'Kite-over-sea-5';

export async function signInAsOwner(it: TestShop): Promise<Browser> {
  const owner = it.browser();
  expect((await owner.post('/api/admin/auth/password', { password: adminPassword })).status).toBe(200);
  return owner;
}

/** The owner invites a person. Returns the person's id and the token of the emailed link. */
export async function inviteMember(
  it: TestShop,
  owner: Browser,
  { role = 'support', email = `${role}@example.com`, name = `Sam ${role}` }: Partial<InvitedMember> = {},
): Promise<{ id: string; token: string; email: string }> {
  const inviteResponse = await owner.post('/api/admin/staff', { name, email, role });
  expect(inviteResponse.status, inviteResponse.text).toBe(200);
  const { id } = inviteResponse.json.members.findLast((it: { email: string }) => it.email === email.toLowerCase());
  return { id, email, token: await readInvitationToken(it, id) };
}
interface InvitedMember {
  role: Role;
  email: string;
  name: string;
}

/** The token of the last link that was emailed to this person. */
export async function readInvitationToken(it: TestShop, id: string): Promise<string> {
  const { inviteUrl } = (await waitAndReadEmails(it, `staff-invitation:${id}`)).at(-1)!
    .content as EmailOf<'staff-invitation'>;
  return new URL(inviteUrl).searchParams.get('token')!;
}

/** Accepts an invitation with a passkey. Returns the signed-in browser, the answer, and the device. */
export async function acceptWithPasskey(it: TestShop, token: string, browser = it.browser()) {
  const device = createFakeAuthenticator();
  const options = (await browser.post('/api/staff-invitation/passkey-options', { token })).json;
  const response = await browser.post('/api/staff-invitation/accept', { token, answer: device.make(options) });
  return { browser, answer: response, device };
}

/** Accepts an invitation with a password and a code. Returns the signed-in browser, the answer, and the secret. */
export async function acceptWithPassword(it: TestShop, token: string, browser = it.browser()) {
  const { secret } = (await browser.post('/api/staff-invitation/second-factor', { token })).json;
  const code = generateTotpCode(secret, it.clock.now());
  const response = await browser.post('/api/staff-invitation/accept', { token, password: staffPassword, code });
  return { browser, answer: response, secret: secret as string };
}

/** A person of this role, signed in with a passkey. Sends no email. */
export async function signInAsStaff(it: TestShop, role: Role) {
  const { db } = it.shop;
  const { id, email } = await addInvitedMember(db, it.clock, {
    role,
    email: `${role}@example.com`,
    name: `Sam ${role}`,
  });
  const token = await issueToken(db, it.clock, { purpose: 'staff-invitation', subjectId: id, seconds: 3600 });
  const { browser, answer, device } = await acceptWithPasskey(it, token);
  expect(answer.status, answer.text).toBe(200);
  return { id, email, browser, device };
}
