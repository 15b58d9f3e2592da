import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { EmailOf } from '#contract/emails.ts';
import { createFakeAuthenticator } from '#test/authenticator.ts';
import { describeOnEachEngine, describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { generateTotpCode } from '#test/one-time-code.ts';
import { countRows, readAllTables } from '#test/rows.ts';
import { openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import {
  acceptWithPasskey,
  acceptWithPassword,
  inviteMember,
  signInAsOwner,
  signInAsStaff,
  staffPassword,
  readInvitationToken,
} from '#test/staff.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const toStatusAndCode = ({ status, json }: { status: number; json: { code: string } }) => [status, json.code];
const invalidInvitationRefusal = [410, 'staff-invitation-invalid'];
const readSession = async (browser: Browser) => (await browser.get('/api/admin/session')).json;
const readAuditTrail = async (it: TestShop) =>
  ((await readAllTables(it.shop.db))['audit_trail'] as Record<string, unknown>[]).toSorted(
    (a, b) => Number(a['place']) - Number(b['place']),
  );

describeOnFastestEngine((fresh) => {
  test('an invited person accepts with a passkey, works with their role, and signs in again with the passkey', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const { token } = await inviteMember(testShop, owner, {
      role: 'support',
      name: 'Sam Ortiz',
      email: 'Sam@Example.com',
    });
    const sentInvitation = (await waitAndReadEmails(testShop, 'staff-invitation')).at(-1)!;
    expect(sentInvitation.to).toBe('sam@example.com');
    const message = (await waitAndReadEmails(testShop, 'owner-staff-invited')).at(-1)!
      .content as EmailOf<'owner-second-step'>;
    expect(message.name).toBe('Sam Ortiz, Support');
    const pageResponse = await testShop.browser().get(`/api/staff-invitation?token=${token}`);
    expect(pageResponse.json).toMatchObject({ name: 'Sam Ortiz', email: 'sam@example.com', role: 'support' });

    const { browser, answer, device } = await acceptWithPasskey(testShop, token);
    expect(answer.status, answer.text).toBe(200);
    expect(await readSession(browser)).toEqual({
      isAuthenticated: true,
      admin: { username: 'Sam Ortiz', role: 'support', isStaff: true },
    });
    expect((await browser.get('/api/admin/lists/support-tickets')).status).toBe(200);

    const repeatedBrowser = testShop.browser();
    const options = (await repeatedBrowser.post('/api/admin/auth/passkey/options')).json;
    expect((await repeatedBrowser.post('/api/admin/auth/passkey', { answer: device.sign(options) })).status).toBe(200);
    expect(await readSession(repeatedBrowser)).toMatchObject({ admin: { username: 'Sam Ortiz' } });
    // The mail about a new browser goes to Sam, not to the owner.
    expect((await waitAndReadEmails(testShop, 'owner-new-sign-in')).at(-1)!.to).toBe('sam@example.com');
  });

  test('an invited person accepts with a password and a code, and always signs in with both', async () => {
    const testShop = await openTestShop(fresh, { env: { ADMIN_SECOND_FACTOR: 'off' } });
    const owner = await signInAsOwner(testShop);
    const { token, email } = await inviteMember(testShop, owner);
    const commonPasswordResponse = await testShop
      .browser()
      .post('/api/staff-invitation/accept', { token, password: 'Password1', code: '000000' });
    expect(toStatusAndCode(commonPasswordResponse)).toEqual([400, 'common-password']);
    const { answer, secret } = await acceptWithPassword(testShop, token);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.recoveryCodes).toHaveLength(10);

    const browser = testShop.browser();
    const wrongResponse = await browser.post('/api/admin/auth/staff/password', { email, password: 'wrong' });
    expect(toStatusAndCode(wrongResponse)).toEqual([401, 'wrong-staff-password']);
    const passwordResponse = await browser.post('/api/admin/auth/staff/password', { email, password: staffPassword });
    expect(passwordResponse.json).toMatchObject({ success: false, codeNeeded: true });
    expect(await readSession(browser)).toEqual({ isAuthenticated: false });
    expect(toStatusAndCode(await browser.post('/api/admin/auth/code', { code: '000000' }))).toEqual([
      403,
      'admin-password-first',
    ]);
    expect(toStatusAndCode(await browser.post('/api/admin/auth/staff/code', { code: '000000' }))).toEqual([
      403,
      'code-wrong',
    ]);
    testShop.clock.advance(30_000);
    const code = generateTotpCode(secret, testShop.clock.now());
    expect((await browser.post('/api/admin/auth/staff/code', { code })).status).toBe(200);
    expect((await browser.get('/api/admin/lists/orders')).status).toBe(200);
    // A recovery code of staff does not open the owner's panel, and works once for staff.
    const [recovery] = answer.json.recoveryCodes;
    const otherBrowser = testShop.browser();
    await otherBrowser.post('/api/admin/auth/staff/password', { email, password: staffPassword });
    const codeResponse = await otherBrowser.post('/api/admin/auth/staff/code', { code: recovery });
    expect(codeResponse.json).toMatchObject({ success: true, recoveryCodesLeft: 9 });
    await otherBrowser.post('/api/admin/auth/staff/password', { email, password: staffPassword });
    expect(toStatusAndCode(await otherBrowser.post('/api/admin/auth/staff/code', { code: recovery }))).toEqual([
      403,
      'code-wrong',
    ]);
  });

  test('wrong passwords of staff are limited for known and unknown email addresses', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const { token, email } = await inviteMember(testShop, owner);
    const { browser: known } = await acceptWithPassword(testShop, token);
    const stranger = testShop.browser();
    for (const address of [email, 'unknown@example.com']) {
      const form = { email: address, password: 'a guess' };
      for (let i = 0; i < 10; i++)
        expect((await stranger.post('/api/admin/auth/staff/password', form)).status).toBe(401);
      expect(toStatusAndCode(await stranger.post('/api/admin/auth/staff/password', form))).toEqual([
        429,
        'admin-sign-in-slowed',
      ]);
    }
    // A browser in which the person has signed in before has its own limit.
    const signInResponse = await known.post('/api/admin/auth/staff/password', { email, password: staffPassword });
    expect(signInResponse.json).toMatchObject({ codeNeeded: true });
    // The owner's own sign-in has its own limit.
    expect((await signInAsOwner(testShop)).cookies.has('admin-sid')).toBe(true);
  });

  test('after five wrong codes in a row, a person of the staff must enter the password again and is emailed', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const { token, email } = await inviteMember(testShop, owner);
    const { secret } = await acceptWithPassword(testShop, token);
    const browser = testShop.browser();
    await browser.post('/api/admin/auth/staff/password', { email, password: staffPassword });
    const sendWrongCode = () => browser.post('/api/admin/auth/staff/code', { code: '000000' });
    for (let i = 0; i < 4; i++) expect(toStatusAndCode(await sendWrongCode())).toEqual([403, 'code-wrong']);
    expect(toStatusAndCode(await sendWrongCode())).toEqual([403, 'code-locked']);
    testShop.clock.advance(30_000);
    const code = generateTotpCode(secret, testShop.clock.now());
    expect((await browser.post('/api/admin/auth/staff/code', { code })).status).toBe(403);
    expect((await waitAndReadEmails(testShop, 'owner-codes-locked')).at(-1)!.to).toBe(email);
  });

  test('an invitation works once, not after 7 days, not after a newer one, and not after it was withdrawn', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const usedInvitation = await inviteMember(testShop, owner, { role: 'support' });
    expect((await acceptWithPasskey(testShop, usedInvitation.token)).answer.status).toBe(200);
    expect(
      toStatusAndCode(await testShop.browser().get(`/api/staff-invitation?token=${usedInvitation.token}`)),
    ).toEqual(invalidInvitationRefusal);
    const device = createFakeAuthenticator();
    const lateResponse = await testShop
      .browser()
      .post('/api/staff-invitation/accept', { token: usedInvitation.token, answer: device.make({ challenge: 'x' }) });
    expect(toStatusAndCode(lateResponse)).toEqual(invalidInvitationRefusal);
    expect(toStatusAndCode(await owner.post(`/api/admin/staff/${usedInvitation.id}/invitation`))).toEqual([
      409,
      'staff-already-active',
    ]);

    const renewedInvitation = await inviteMember(testShop, owner, { role: 'content' });
    expect((await owner.post(`/api/admin/staff/${renewedInvitation.id}/invitation`)).status).toBe(200);
    expect(
      toStatusAndCode(await testShop.browser().get(`/api/staff-invitation?token=${renewedInvitation.token}`)),
    ).toEqual(invalidInvitationRefusal);
    expect(
      (await acceptWithPasskey(testShop, await readInvitationToken(testShop, renewedInvitation.id))).answer.status,
    ).toBe(200);

    const withdrawnInvitation = await inviteMember(testShop, owner, { role: 'fulfillment' });
    expect((await owner.delete(`/api/admin/staff/${withdrawnInvitation.id}`)).status).toBe(200);
    expect(
      toStatusAndCode(await testShop.browser().get(`/api/staff-invitation?token=${withdrawnInvitation.token}`)),
    ).toEqual(invalidInvitationRefusal);
    expect(toStatusAndCode(await owner.post(`/api/admin/staff/${withdrawnInvitation.id}/invitation`))).toEqual([
      404,
      'not-found',
    ]);

    const expiredInvitation = await inviteMember(testShop, owner, { role: 'all-but-money' });
    await testShop.shop.db.execute(sql`update tokens set expires_at = now() - interval '1 second'
      where purpose = 'staff-invitation' and subject_id = ${expiredInvitation.id}`);
    expect(
      toStatusAndCode(await testShop.browser().get(`/api/staff-invitation?token=${expiredInvitation.token}`)),
    ).toEqual(invalidInvitationRefusal);
    const [token] = (await readAllTables(testShop.shop.db))['tokens']!.filter(
      (row) =>
        (row as { subject_id: string }).subject_id === usedInvitation.id &&
        (row as { purpose: string }).purpose === 'staff-invitation',
    ) as { created_at: string; expires_at: string }[];
    expect(Math.round((Date.parse(token!.expires_at) - Date.parse(token!.created_at)) / dayMs)).toBe(7);
  });

  test('an email address can be invited again only after the person was removed', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const firstInvitation = await inviteMember(testShop, owner, { email: 'sam@example.com' });
    const sameInvitation = { name: 'Sam', email: 'SAM@example.com', role: 'content' };
    expect(toStatusAndCode(await owner.post('/api/admin/staff', sameInvitation))).toEqual([409, 'staff-email-taken']);
    await owner.delete(`/api/admin/staff/${firstInvitation.id}`);
    expect((await owner.post('/api/admin/staff', sameInvitation)).status).toBe(200);
    const { members } = (await owner.get('/api/admin/staff')).json;
    expect(members.map((it: { state: string }) => it.state)).toEqual(['removed', 'invited']);
  });

  test('a removed person’s open panel gets an error message at its next call, and all their keys are deleted', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const { token, id, email } = await inviteMember(testShop, owner, { role: 'support' });
    const { browser } = await acceptWithPassword(testShop, token);
    expect((await browser.get('/api/admin/lists/orders')).status).toBe(200);
    expect((await owner.delete(`/api/admin/staff/${id}`)).status).toBe(200);
    const nextResponse = await browser.get('/api/admin/lists/orders');
    expect(toStatusAndCode(nextResponse)).toEqual([401, 'staff-removed']);
    expect(nextResponse.json.message).toContain('no longer have access');
    expect(await readSession(browser)).toEqual({ isAuthenticated: false, ended: 'removed' });
    expect((await browser.get('/uploads/anything.jpg')).status).toBe(404);
    expect((await browser.post('/api/admin/auth/staff/password', { email, password: staffPassword })).status).toBe(401);
    for (const table of ['second_factors', 'recovery_codes', 'staff_passkeys'])
      expect([table, await countRows(testShop.shop.db, table)]).toEqual([table, 0]);
    expect(toStatusAndCode(await owner.delete(`/api/admin/staff/${id}`))).toEqual([404, 'not-found']);
  });

  test('a new role ends the person’s sessions, and the next sign-in has the new role', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const { id, browser, device } = await signInAsStaff(testShop, 'support');
    await owner.put(`/api/admin/staff/${id}`, { name: 'Samuel', role: 'support' });
    expect(await readSession(browser)).toMatchObject({ admin: { username: 'Samuel' } });
    expect((await owner.put(`/api/admin/staff/${id}`, { name: 'Samuel', role: 'content' })).status).toBe(200);
    expect(toStatusAndCode(await browser.get('/api/admin/lists/orders'))).toEqual([401, 'staff-role-changed']);
    expect(await readSession(browser)).toEqual({ isAuthenticated: false, ended: 'role-changed' });
    const options = (await browser.post('/api/admin/auth/passkey/options')).json;
    await browser.post('/api/admin/auth/passkey', { answer: device.sign(options) });
    expect(await readSession(browser)).toMatchObject({ admin: { role: 'content' } });
    expect(toStatusAndCode(await browser.get('/api/admin/lists/orders'))).toEqual([403, 'role-needed']);
  });

  test('staff with the role of an owner cannot change or remove their own access', async () => {
    const testShop = await openTestShop(fresh);
    const { id, browser } = await signInAsStaff(testShop, 'owner');
    expect(toStatusAndCode(await browser.delete(`/api/admin/staff/${id}`))).toEqual([409, 'own-access']);
    expect(toStatusAndCode(await browser.put(`/api/admin/staff/${id}`, { name: 'Sam', role: 'content' }))).toEqual([
      409,
      'own-access',
    ]);
    // No one on the list is the owner of the settings, so that sign-in always stays.
    const { members } = (await browser.get('/api/admin/staff')).json;
    expect(members.map((it: { id: string }) => it.id)).toEqual([id]);
    expect((await signInAsOwner(testShop)).cookies.has('admin-sid')).toBe(true);
  });

  test('staff see and change only their own sign-in', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const sam = await signInAsStaff(testShop, 'support');
    const kim = await signInAsStaff(testShop, 'content');
    const security = (await sam.browser.get('/api/admin/security')).json;
    expect(security).toMatchObject({ hasPassword: false, secondFactor: { isRequired: true, since: null } });
    expect(security.sessions).toHaveLength(1);
    expect(security.passkeys.map((it: { id: string }) => it.id)).toEqual([sam.device.id]);
    const [kimsSession] = (await kim.browser.get('/api/admin/security')).json.sessions;
    const [ownersSession] = (await owner.get('/api/admin/security')).json.sessions;
    for (const othersSession of [kimsSession, ownersSession])
      expect((await sam.browser.delete(`/api/admin/sessions/${othersSession.id}`)).status).toBe(404);
    expect((await sam.browser.delete(`/api/admin/passkeys/${kim.device.id}`)).status).toBe(404);
    // The only passkey of a person without a password stays.
    expect(toStatusAndCode(await sam.browser.delete(`/api/admin/passkeys/${sam.device.id}`))).toEqual([
      409,
      'last-way-in',
    ]);
    expect((await sam.browser.post('/api/admin/sessions/end-others')).status).toBe(200);
    expect((await owner.get('/api/admin/security')).status).toBe(200);
    expect((await kim.browser.get('/api/admin/security')).status).toBe(200);
  });

  test('staff prove their identity with their own proofs, never with those of another person', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const { token } = await inviteMember(testShop, owner, { role: 'support' });
    const { browser, secret } = await acceptWithPassword(testShop, token);
    const kim = await signInAsStaff(testShop, 'content');
    testShop.clock.advance(11 * minuteMs);
    const exportPath = '/api/admin/lists/support-tickets.csv';
    expect(toStatusAndCode(await browser.get(exportPath))).toEqual([403, 'step-up-needed']);
    expect((await browser.get('/api/admin/step-up')).json).toEqual({ isProved: false, proofs: ['password', 'code'] });
    expect((await browser.post('/api/admin/step-up', { password: 'correct-horse-battery' })).status).toBe(403);
    const options = (await browser.post('/api/admin/auth/passkey/options')).json;
    const otherResponse = await browser.post('/api/admin/step-up', { answer: kim.device.sign(options) });
    expect(toStatusAndCode(otherResponse)).toEqual([403, 'passkey-wrong']);
    expect(
      (await browser.post('/api/admin/step-up', { code: generateTotpCode(secret, testShop.clock.now()) })).status,
    ).toBe(200);
    expect((await browser.get(exportPath)).status).toBe(200);
    const wrongProof = { password: staffPassword, code: '000000' };
    expect(toStatusAndCode(await browser.post('/api/admin/second-factor/off', wrongProof))).toEqual([
      409,
      'second-step-required',
    ]);
  });

  test('inviting a person and changing a role need a recent proof of identity, and removing a person needs none', async () => {
    const testShop = await openTestShop(fresh, { env: { ADMIN_KEY: 'a-key-of-at-least-thirty-two-characters' } });
    const owner = await signInAsOwner(testShop);
    const { id } = await inviteMember(testShop, owner);
    testShop.clock.advance(11 * minuteMs);
    const form = { name: 'Kim', email: 'kim@example.com', role: 'content' };
    expect(toStatusAndCode(await owner.post('/api/admin/staff', form))).toEqual([403, 'step-up-needed']);
    const adminKeyHeaders = { 'x-admin-key': 'a-key-of-at-least-thirty-two-characters' };
    expect(toStatusAndCode(await testShop.browser().post('/api/admin/staff', form, adminKeyHeaders))).toEqual([
      403,
      'step-up-needed',
    ]);
    expect(toStatusAndCode(await owner.put(`/api/admin/staff/${id}`, { name: 'A', role: 'owner' }))).toEqual([
      403,
      'step-up-needed',
    ]);
    expect((await owner.delete(`/api/admin/staff/${id}`)).status).toBe(200);
  });

  test('the audit trail names the person with the role at that time, also after a removal, and filters by person', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const { id, browser } = await signInAsStaff(testShop, 'content');
    const hero = (await browser.get('/api/admin/content/hero.json')).json;
    expect((await browser.put('/api/admin/content/hero.json', { ...hero, title: 'Hello' })).status).toBe(200);
    await owner.put(`/api/admin/staff/${id}`, { name: 'Another Name', role: 'support' });
    await owner.delete(`/api/admin/staff/${id}`);
    const allEntries = (await owner.get('/api/admin/lists/audit')).json.rows;
    expect(allEntries[0]).toMatchObject({
      act: 'remove-staff',
      subjectId: id,
      who: { id: 'owner', name: 'Owner', role: 'owner' },
    });
    const entriesOfPerson = (await owner.get(`/api/admin/lists/audit?person=${id}`)).json.rows;
    expect(entriesOfPerson.map((row: { act: string }) => row.act)).toEqual([
      'edit-content',
      'admin-sign-in',
      'accept-invitation',
    ]);
    for (const { who } of entriesOfPerson) expect(who).toEqual({ id, name: 'Sam content', role: 'content' });
    const ownersEntries = (await owner.get('/api/admin/lists/audit?person=owner')).json.rows;
    expect(ownersEntries.every(({ who }: { who: { id: string } }) => who.id === 'owner')).toBe(true);
    expect(ownersEntries.length + entriesOfPerson.length).toBe(allEntries.length);
    const firstAuditPage = (await owner.get('/api/admin/lists/audit?limit=1')).json;
    const nextPage = (
      await owner.get(`/api/admin/lists/audit?limit=1&after=${encodeURIComponent(firstAuditPage.next)}`)
    ).json;
    expect(nextPage.rows[0].id).toBe(allEntries[1].id);
  });

  test('an IP address that may not open the panel cannot accept an invitation', async () => {
    const testShop = await openTestShop(fresh, { env: { ADMIN_ALLOWED_IPS: '127.0.0.1' } });
    const owner = await signInAsOwner(testShop);
    const { token } = await inviteMember(testShop, owner);
    const outsideBrowser = testShop.browser({ address: '198.51.100.7' });
    expect(toStatusAndCode(await outsideBrowser.get(`/api/staff-invitation?token=${token}`))).toEqual([
      403,
      'address-not-allowed',
    ]);
    const { answer } = await acceptWithPassword(testShop, token, testShop.browser({ address: '198.51.100.7' })).catch(
      () => ({
        answer: undefined,
      }),
    );
    expect(answer?.status ?? 403).toBe(403);
    expect((await acceptWithPasskey(testShop, token)).answer.status).toBe(200);
  });

  test('a failed sign-in of staff is recorded as an event about the person, not as something the person did', async () => {
    const testShop = await openTestShop(fresh);
    const { id, email } = await signInAsStaff(testShop, 'support');
    await testShop.browser().post('/api/admin/auth/staff/password', { email, password: 'a guess' });
    const failedEntry = (await readAuditTrail(testShop)).find(({ act }) => act === 'admin-sign-in-failed');
    expect(failedEntry).toMatchObject({ subject_id: id, person_id: null });
  });
});

describeOnPostgres((fresh) => {
  test('exactly one of ten simultaneous acceptances of an invitation succeeds', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const { token, id } = await inviteMember(testShop, owner);
    const acceptResponses = await Promise.all(Array.from({ length: 10 }, () => acceptWithPasskey(testShop, token)));
    const statuses = acceptResponses.map(({ answer }) => answer.status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 410)]);
    expect(await countRows(testShop.shop.db, 'staff_passkeys')).toBe(1);
    const winner = acceptResponses.find(({ answer }) => answer.status === 200)!;
    expect(await readSession(winner.browser)).toMatchObject({ isAuthenticated: true });
    for (const { browser } of acceptResponses.filter((it) => it !== winner))
      expect(await readSession(browser)).toMatchObject({ isAuthenticated: false });
    expect(
      (await readAuditTrail(testShop)).filter(({ act, subject_id: of }) => act === 'accept-invitation' && of === id),
    ).toHaveLength(1);
  });

  test('a sign-in during the removal of the person leaves no session that works', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const sam = await signInAsStaff(testShop, 'support');
    const browsers = Array.from({ length: 6 }, () => testShop.browser());
    const signIn = async (browser: Browser) => {
      const options = (await browser.post('/api/admin/auth/passkey/options')).json;
      return browser.post('/api/admin/auth/passkey', { answer: sam.device.sign(options) });
    };
    const [removed] = await Promise.all([owner.delete(`/api/admin/staff/${sam.id}`), ...browsers.map(signIn)]);
    expect(removed.status).toBe(200);
    for (const browser of [sam.browser, ...browsers])
      expect((await browser.get('/api/admin/lists/orders')).status).toBe(401);
  });

  test('creates one invitation when two owners invite the same email address at once', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const form = { name: 'Kim', email: 'kim@example.com', role: 'content' };
    const responses = await Promise.all([1, 2, 3].map(() => owner.post('/api/admin/staff', form)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(await countRows(testShop.shop.db, 'staff')).toBe(1);
  });
});

describeOnEachEngine((fresh) => {
  test('the database refuses a staff session without a member, and a removed member with a password', async () => {
    const { db } = await fresh();
    const now = new Date().toISOString();
    const brokenRows = [
      sql`insert into sessions (token_hash, kind, created_at, last_seen_at, expires_at) values ('a', 'staff', ${now}, ${now}, ${now})`,
      sql`insert into staff (id, email, name, role, state, invited_at) values ('a', 'A@example.com', 'A', 'support', 'invited', ${now})`,
      sql`insert into staff (id, email, name, role, state, invited_at, removed_at, password_hash)
        values ('a', 'a@example.com', 'A', 'support', 'removed', ${now}, ${now}, 'x')`,
    ];
    for (const brokenRow of brokenRows) await expect(db.execute(brokenRow)).rejects.toThrow();
  });
});
