import { sql, type SQL } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { lifetimes } from '#contract/limits.ts';
import { createFakeAuthenticator } from '#test/authenticator.ts';
import {
  runInterleaved,
  describeOnFastestEngine,
  describeOnEachEngine,
  describeOnPostgres,
  waitUntilStatementWaits,
} from '#test/database.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { anna, buyFramesAsAnna, annasPassword, buyAndVerify } from '#test/people.ts';
import { countRows, readAllTables, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { issueToken } from '../tokens/tokens.ts';
import { mailPasswordReset } from './accounts.ts';
import { mailSignInLink } from './mailed-links.ts';

const minuteMs = 60_000;
const ben = { firstName: 'Ben', lastName: 'Ode', email: 'ben@example.com', password: 'Kite-over-sea-4' };
const registerPerson = async (it: TestShop, person = ben) => {
  const browser = it.browser();
  const response = await browser.post('/api/auth/register', person, {
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/141.0 Safari/537.36',
  });
  expect(response.status, response.text).toBe(200);
  return browser;
};
const signIn = async (it: TestShop, { email, password }: { email: string; password: string }) => {
  const browser = it.browser();
  return { browser, answer: await browser.post('/api/auth/login', { email, password }) };
};
const isSignedIn = async (browser: Browser) => (await browser.get('/api/auth/user')).status === 200;
const readTokenFromUrl = (url: string) => new URL(url).searchParams.get('token')!;
const readEmailToken = async (it: TestShop, kind: string, field: string) =>
  readTokenFromUrl((await waitAndReadEmails(it, `${kind}:`)).at(-1)!.content[field]);
const makeSignInStale = (it: TestShop) => it.clock.advance(lifetimes.freshSignInMinutes * minuteMs + 1000);
const expireTokens = (it: TestShop) => it.shop.db.execute(sql`update tokens set expires_at = now()`);

async function requestSignInLink(it: TestShop, email = ben.email): Promise<string> {
  await mailSignInLink(it.shop, email);
  return readEmailToken(it, 'sign-in-link', 'signInUrl');
}
const openEmailLink = async (it: TestShop, token: string, password?: string) => {
  const browser = it.browser();
  return { browser, answer: await browser.post('/api/auth/link/login', { token, ...(password && { password }) }) };
};

describeOnEachEngine((fresh) => {
  test('changes the email after a click on the link that was emailed to the new address, and notifies the old address', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    const requestChange = (email: string) => browser.post('/api/account/email', { email });
    const prove = (password: string) => browser.post('/api/account/prove', { password });
    const readAccount = async () => (await browser.get('/api/account')).json;
    makeSignInStale(testShop);
    expect((await requestChange('new@example.com')).json.code).toBe('password-needed');
    expect((await prove('not-hers')).json.code).toBe('password-wrong');
    expect((await requestChange('new@example.com')).json.code).toBe('password-needed');
    expect((await prove(annasPassword)).status).toBe(200);
    expect((await requestChange('ANNA@example.com')).json.code).toBe('email-same');
    expect((await requestChange('no address')).json.fields).toHaveProperty('email');
    expect(await readQueuedMails(testShop.shop.db, 'email-change')).toEqual([]);
    expect((await requestChange('first@example.com')).status).toBe(200);
    const firstToken = await readEmailToken(testShop, 'email-change', 'confirmUrl');
    expect((await requestChange(' New@Example.com')).json.message).toContain('new@example.com');
    const token = await readEmailToken(testShop, 'email-change', 'confirmUrl');
    expect(await readAccount()).toMatchObject({ customer: { email: anna.email }, newEmail: 'new@example.com' });
    const strangersBrowser = testShop.browser();
    const openChangeLink = (with_: string) => strangersBrowser.post('/api/auth/change-email', { token: with_ });
    for (const wrongValue of [firstToken, `${token}x`, 'none', ''])
      expect((await openChangeLink(wrongValue)).json.code).toBe('email-change-link-invalid');
    expect((await openChangeLink(token)).json.code).toBe('sign-in-to-account');
    expect((await browser.post('/api/auth/change-email', { token })).status).toBe(200);
    expect((await browser.post('/api/auth/change-email', { token })).json.code).toBe('email-change-link-invalid');
    expect(await isSignedIn(strangersBrowser)).toBe(false);
    expect(await readAccount()).toMatchObject({
      customer: { email: 'new@example.com', emailConfirmed: true },
      newEmail: null,
    });
    expect((await waitAndReadEmails(testShop, 'email-changed:')).map((mail) => mail.to)).toEqual([anna.email]);
    const { rows } = await testShop.shop.db.execute(sql`select email from orders`);
    expect(rows).toEqual([{ email: 'new@example.com' }]);
    expect((await signIn(testShop, { email: anna.email, password: annasPassword })).answer.status).toBe(401);
    expect((await signIn(testShop, { email: 'new@example.com', password: annasPassword })).answer.status).toBe(200);
  });

  test('after an email change, no link that was sent to the old address works, even if the email is sent later', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await registerPerson(testShop);
    await browser.post('/api/account/email', { email: 'new@example.com' });
    const token = await readEmailToken(testShop, 'email-change', 'confirmUrl');
    await mailPasswordReset(testShop.shop, ben.email);
    await mailSignInLink(testShop.shop, ben.email);
    expect((await browser.post('/api/auth/change-email', { token })).status).toBe(200);
    for (const kind of ['password-reset:', 'sign-in-link:'])
      expect((await waitAndReadEmails(testShop, kind)).map((mail) => mail.content)).toEqual([undefined]);
    const livingTokensQuery = sql`select * from tokens where used_at is null and revoked_at is null`;
    expect((await testShop.shop.db.execute(livingTokensQuery)).rows).toEqual([]);
    await mailPasswordReset(testShop.shop, 'new@example.com');
    expect((await waitAndReadEmails(testShop, 'password-reset:')).at(-1)).toMatchObject({
      to: 'new@example.com',
      content: { kind: 'password-reset' },
    });
  });

  test('a sign-in link request reveals no account; only the newest link works, once, until it expires', async () => {
    const testShop = await openTestShop(fresh);
    const registeringBrowser = await registerPerson(testShop);
    const requestChange = (email: string) => testShop.browser().post('/api/auth/link', { email });
    expect((await requestChange(ben.email)).text).toBe((await requestChange('unknown@example.com')).text);
    expect((await readWaitingJobs(testShop.shop.db, 'mail-sign-in-link')).map((job) => job.data['email'])).toEqual([
      ben.email,
      'unknown@example.com',
    ]);
    await mailSignInLink(testShop.shop, 'unknown@example.com');
    expect(await readQueuedMails(testShop.shop.db, 'sign-in-link:')).toEqual([]);
    await registeringBrowser.post('/api/auth/confirm-email', {
      token: await readEmailToken(testShop, 'email-confirmation', 'confirmUrl'),
    });
    const olderToken = await requestSignInLink(testShop);
    const token = await requestSignInLink(testShop);
    for (const wrongValue of [olderToken, `${token.slice(0, -1)}?`, 'none', ''])
      expect((await openEmailLink(testShop, wrongValue)).answer.json.code, wrongValue).toBe('sign-in-link-invalid');
    const { browser, answer } = await openEmailLink(testShop, token);
    expect(answer.json).toMatchObject({ customer: { email: ben.email } });
    expect([await isSignedIn(browser), await isSignedIn(registeringBrowser)]).toEqual([true, true]);
    expect((await openEmailLink(testShop, token)).answer.json.code).toBe('sign-in-link-invalid');
    const lateLink = await requestSignInLink(testShop);
    const { rows } = await testShop.shop.db.execute(
      sql`select extract(epoch from max(expires_at) - now()) as left from tokens where purpose = 'sign-in'`,
    );
    expect(Number(rows[0]!['left'])).toBeLessThanOrEqual(lifetimes.signInLinkMinutes * 60);
    await expireTokens(testShop);
    expect((await openEmailLink(testShop, lateLink)).answer.json.code).toBe('sign-in-link-invalid');
    await mailSignInLink(testShop.shop, ben.email);
    expect(await readQueuedMails(testShop.shop.db, 'sign-in-link:')).toHaveLength(3); // no more than the limit per hour
    expect(JSON.stringify(await readAllTables(testShop.shop.db))).not.toContain(token);
  });
});

describeOnFastestEngine((fresh) => {
  test('a change to a taken email is refused only after the click; expired links are refused too', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await registerPerson(testShop);
    const carlasBrowser = await registerPerson(testShop, { ...ben, email: 'carla@example.com' });
    await carlasBrowser.post('/api/auth/confirm-email', {
      token: await readEmailToken(testShop, 'email-confirmation', 'confirmUrl'),
    });
    const freeEmailResponse = await browser.post('/api/account/email', { email: 'free@example.com' });
    const takenResponse = await browser.post('/api/account/email', { email: 'carla@example.com' });
    expect(takenResponse.text.replace('carla', 'free')).toBe(freeEmailResponse.text);
    const token = await readEmailToken(testShop, 'email-change', 'confirmUrl');
    expect((await browser.post('/api/auth/change-email', { token })).json.code).toBe('email-taken');
    await expireTokens(testShop);
    expect((await browser.post('/api/auth/change-email', { token })).json.code).toBe('email-change-link-invalid');
    expect((await browser.post('/api/account/email', { email: 'third@example.com' })).status).toBe(200);
    expect((await browser.post('/api/account/email', { email: 'fourth@example.com' })).json.code).toBe(
      'too-many-requests',
    );
  });

  test('a stranger’s account with Ben’s unconfirmed email is closed when Ben signs in by an emailed link', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser(), { customerDetails: { ...anna, email: ben.email } });
    const strangersBrowser = await registerPerson(testShop); // with Ben's address, never confirmed
    const { browser, answer } = await openEmailLink(
      testShop,
      await requestSignInLink(testShop),
      'Another-kite-over-sea-9',
    );
    expect(answer.json).toMatchObject({ customer: { emailConfirmed: true } });
    expect([await isSignedIn(strangersBrowser), await isSignedIn(browser)]).toEqual([false, true]);
    expect((await signIn(testShop, ben)).answer.status).toBe(401);
    expect((await browser.get('/api/order-summary')).json.orders).toHaveLength(1);
  });

  test('a password reset by email ends a stranger’s sessions, passkeys and requested email change', async () => {
    const testShop = await openTestShop(fresh);
    const strangersBrowser = await registerPerson(testShop); // with Ben's address, never confirmed
    const strangersAuthenticator = createFakeAuthenticator();
    const optionsResponse = await strangersBrowser.post('/api/account/passkeys/options');
    expect(
      (
        await strangersBrowser.post('/api/account/passkeys', {
          name: 'Mine',
          answer: strangersAuthenticator.make(optionsResponse.json),
        })
      ).status,
    ).toBe(200);
    await strangersBrowser.post('/api/account/email', { email: 'stranger@example.com' });
    const othersToken = await readEmailToken(testShop, 'email-change', 'confirmUrl');

    await mailPasswordReset(testShop.shop, ben.email);
    const token = await readEmailToken(testShop, 'password-reset', 'resetUrl');
    const password = 'Another-kite-over-sea-9';
    expect((await testShop.browser().post('/api/auth/reset-password', { token, password })).status).toBe(200);
    expect(await isSignedIn(strangersBrowser)).toBe(false);
    const signInOptions = (await testShop.browser().post('/api/auth/passkey/options')).json;
    expect(
      (await testShop.browser().post('/api/auth/passkey/login', { answer: strangersAuthenticator.sign(signInOptions) }))
        .status,
    ).toBe(401);
    expect((await strangersBrowser.post('/api/auth/change-email', { token: othersToken })).json.code).toBe(
      'email-change-link-invalid',
    );

    // A stranger requests an email change in the browser that Ben left signed in. A new password cancels the change
    // too, but keeps the passkeys.
    const { browser } = await signIn(testShop, { email: ben.email, password });
    const ownAuthenticator = createFakeAuthenticator();
    const passkeyOptions = (await browser.post('/api/account/passkeys/options')).json;
    await browser.post('/api/account/passkeys', { name: 'Phone', answer: ownAuthenticator.make(passkeyOptions) });
    await browser.post('/api/account/email', { email: 'stranger@example.com' });
    const secondToken = await readEmailToken(testShop, 'email-change', 'confirmUrl');
    const changeForm = { currentPassword: password, password: 'A-third-kite-over-sea-2' };
    expect((await browser.put('/api/account/password', changeForm)).status).toBe(200);
    expect((await browser.post('/api/auth/change-email', { token: secondToken })).json.code).toBe(
      'email-change-link-invalid',
    );
    expect(await countRows(testShop.shop.db, 'passkeys')).toBe(1);
  });

  test('signs in once per passkey response; refuses modified, foreign, late and repeated responses', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await registerPerson(testShop);
    const requestOptions = async (by: Browser) => by.post('/api/account/passkeys/options');
    const phoneAuthenticator = createFakeAuthenticator();
    const optionsResponse = await requestOptions(browser);
    expect(optionsResponse.json).toMatchObject({
      rp: { id: 'localhost', name: 'Kinframe' },
      user: { name: ben.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const addPasskey = (by: Browser, answer: object, name = ' My phone ') =>
      by.post('/api/account/passkeys', { name, answer });
    const carlasBrowser = await registerPerson(testShop, { ...ben, email: 'carla@example.com' });
    expect((await addPasskey(carlasBrowser, phoneAuthenticator.make(optionsResponse.json))).json.code).toBe(
      'passkey-not-added',
    ); // the challenge was made for Ben, so Carla's passkey is refused
    for (const wrongValue of [
      createFakeAuthenticator({ origin: 'https://evil.example' }).make((await requestOptions(browser)).json),
      createFakeAuthenticator({ isPersonKnown: false }).make((await requestOptions(browser)).json),
      createFakeAuthenticator().sign((await requestOptions(browser)).json),
      createFakeAuthenticator().make({ challenge: 'made-up' }),
      createFakeAuthenticator().make(optionsResponse.json), // Carla's attempt has used up the challenge
    ])
      expect((await addPasskey(browser, wrongValue)).json.code).toBe('passkey-not-added');
    const passkeyResponse = phoneAuthenticator.make((await requestOptions(browser)).json);
    expect((await addPasskey(browser, passkeyResponse)).json).toMatchObject({
      id: phoneAuthenticator.id,
      name: 'My phone',
      lastUsedAt: null,
    });
    expect((await addPasskey(browser, passkeyResponse)).json.code).toBe('passkey-not-added');
    expect((await requestOptions(browser)).json.excludeCredentials).toMatchObject([{ id: phoneAuthenticator.id }]);
    expect((await readQueuedMails(testShop.shop.db, 'passkey-added:')).map((mail) => mail.to)).toEqual([ben.email]);

    const requestLoginOptions = async () => (await testShop.browser().post('/api/auth/passkey/options')).json;
    const signInWithAnswer = async (answer: object) => {
      const passkeyBrowser = testShop.browser();
      return { by: passkeyBrowser, answer: await passkeyBrowser.post('/api/auth/passkey/login', { answer }) };
    };
    const replayedAssertion = phoneAuthenticator.sign(await requestLoginOptions());
    const { by, answer } = await signInWithAnswer(replayedAssertion);
    expect(answer.json.customer, answer.text).toMatchObject({ email: ben.email });
    expect(await isSignedIn(by)).toBe(true);
    const validAssertion = phoneAuthenticator.sign(await requestLoginOptions());
    const lateAssertion = phoneAuthenticator.sign(await requestLoginOptions());
    await expireTokens(testShop);
    const assertion = phoneAuthenticator.sign(await requestLoginOptions());
    assertion.response.signature = validAssertion.response.signature;
    for (const [why, wrong] of Object.entries({
      twice: replayedAssertion,
      late: lateAssertion,
      tampered: assertion,
      unknown: createFakeAuthenticator().sign(await requestLoginOptions()),
      'another site': createFakeAuthenticator({ origin: 'https://evil.example' }).sign(await requestLoginOptions()),
      'made up': phoneAuthenticator.sign({ challenge: 'made-up' }),
      'a new passkey’s challenge': phoneAuthenticator.sign((await requestOptions(browser)).json),
      'no person': {
        ...createFakeAuthenticator({ isPersonKnown: false }).sign(await requestLoginOptions()),
        id: phoneAuthenticator.id,
      },
      nonsense: { ...validAssertion, response: { clientDataJSON: 'AAAA' } },
    }))
      expect((await signInWithAnswer(wrong)).answer.json.code, why).toBe('passkey-refused');
    phoneAuthenticator.forgetCount();
    expect(
      (await signInWithAnswer(phoneAuthenticator.sign(await requestLoginOptions()))).answer.json.code,
      'a copy',
    ).toBe('passkey-refused');

    expect((await carlasBrowser.delete(`/api/account/passkeys/${phoneAuthenticator.id}`)).json.code).toBe('not-found');
    makeSignInStale(testShop);
    expect((await requestOptions(browser)).json.code).toBe('password-needed');
    expect((await browser.post('/api/account/prove', { password: ben.password })).status).toBe(200);
    expect((await requestOptions(browser)).status).toBe(200);
    const rename = (who: Browser) => who.put(`/api/account/passkeys/${phoneAuthenticator.id}`, { name: 'Blue phone' });
    expect((await rename(carlasBrowser)).json.code).toBe('not-found');
    expect((await rename(browser)).json.name).toBe('Blue phone');
    expect(
      (await browser.put(`/api/account/passkeys/${phoneAuthenticator.id}`, { name: ' ' })).json.fields,
    ).toHaveProperty('name');
    const removePasskey = () => browser.delete(`/api/account/passkeys/${phoneAuthenticator.id}`);
    makeSignInStale(testShop);
    expect((await removePasskey()).json.code).toBe('password-needed');
    expect((await browser.get('/api/account')).json.passkeys).toMatchObject([{ name: 'Blue phone' }]);
    expect((await browser.post('/api/account/prove', { password: ben.password })).status).toBe(200);
    expect((await removePasskey()).status).toBe(200);
    for (let i = 0; i < 5; i++) phoneAuthenticator.sign({ challenge: '' }); // increases the phone's signature counter
    expect((await signInWithAnswer(phoneAuthenticator.sign(await requestLoginOptions()))).answer.json.code).toBe(
      'passkey-refused',
    );
  });

  test('a password change requires the current password, and signs out all other browsers', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await registerPerson(testShop);
    const { browser: other } = await signIn(testShop, ben);
    const changePassword = (currentPassword: string, password: string) =>
      browser.put('/api/account/password', { currentPassword, password });
    expect((await changePassword('not-his', 'Another-field-9')).json.code).toBe('password-wrong');
    expect((await changePassword(ben.password, 'password')).json.code).toBe('common-password');
    expect((await changePassword(ben.password, 'short')).json.fields).toHaveProperty('password');
    expect(await isSignedIn(other)).toBe(true);
    const link = await requestSignInLink(testShop);
    expect((await changePassword(ben.password, 'Another-field-9')).status).toBe(200);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    expect((await openEmailLink(testShop, link)).answer.json.code).toBe('sign-in-link-invalid');
    expect((await signIn(testShop, ben)).answer.status).toBe(401);
    expect((await waitAndReadEmails(testShop, 'password-changed:')).map((mail) => mail.to)).toEqual([ben.email]);
  });

  test('lists a customer’s own sessions with their devices, and ends one or all of them', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await registerPerson(testShop);
    const { browser: other } = await signIn(testShop, ben);
    const carlasBrowser = await registerPerson(testShop, { ...ben, email: 'carla@example.com' });
    const readSessions = async (by = browser) =>
      (await by.get('/api/account')).json.sessions as { id: string; device: string | null; isThis: boolean }[];
    const sessions = await readSessions();
    expect(sessions).toHaveLength(2);
    expect(sessions.find((it) => it.isThis)!.device).toBe('Chrome on Windows');
    const otherId = sessions.find((it) => !it.isThis)!.id;
    const impostorsBrowser = testShop.browser();
    impostorsBrowser.cookies.set('sid', otherId);
    expect(await isSignedIn(impostorsBrowser)).toBe(false); // the id is not a valid cookie
    expect((await carlasBrowser.delete(`/api/account/sessions/${otherId}`)).json.code).toBe('not-found');
    expect(await isSignedIn(other)).toBe(true);
    expect((await browser.delete(`/api/account/sessions/${otherId}`)).status).toBe(200);
    expect((await browser.delete(`/api/account/sessions/${otherId}`)).json.code).toBe('not-found');
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    await signIn(testShop, ben);
    expect((await browser.post('/api/account/sessions/logout')).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await countRows(testShop.shop.db, 'sessions')).toBe(1); // only Carla's session is left
    expect((await readSessions(carlasBrowser)).length).toBe(1);
    expect(
      (await carlasBrowser.put('/api/account/name', { firstName: ' Carla ', lastName: 'Ruiz' })).json,
    ).toMatchObject({
      firstName: 'Carla',
    });
    expect((await carlasBrowser.put('/api/account/name', { firstName: '  ', lastName: 'Ruiz' })).json.fields).toEqual({
      firstName: 'Please fill in all fields',
    });
  });
});

describeOnPostgres((fresh) => {
  /**
   * Locks all orders, starts Anna's email change, and runs `goOn` while her request waits for the lock. Returns the
   * response to her request.
   */
  const changeEmailDuring = async (it: TestShop, goOn: SQL) => {
    const { browser } = await buyFramesAsAnna(it);
    await browser.post('/api/account/email', { email: 'new@example.com' });
    const token = await readEmailToken(it, 'email-change', 'confirmUrl');
    const { moved } = await it.shop.db.transaction(async (tx) => {
      await tx.execute(sql`select from orders for no key update`);
      const movedResponsePromise = browser.post('/api/auth/change-email', { token });
      await waitUntilStatementWaits(it.shop.db, '"orders"');
      await tx.execute(goOn);
      return { moved: movedResponsePromise };
    });
    return moved;
  };

  test('an email change waits for a refund in progress before it locks the account’s rows', async () => {
    const testShop = await openTestShop(fresh);
    expect((await changeEmailDuring(testShop, sql`update orders set refunded_cents = 100`)).status).toBe(200);
    const { rows } = await testShop.shop.db.execute(sql`select email, spent_cents::int as spent from people`);
    expect(rows).toEqual([{ email: 'new@example.com', spent: 19800 }]);
  });

  test('an email change waits for the deletion of its account, and is then refused', async () => {
    const testShop = await openTestShop(fresh);
    const { json } = await changeEmailDuring(testShop, sql`delete from email_changes`); // as the deletion of an account does
    expect(json.code).toBe('email-change-link-invalid');
  });

  test.each([
    ['email-confirmation', '/api/auth/confirm-email', 'confirmation-link-invalid'],
    ['password-reset', '/api/auth/reset-password', 'reset-link-invalid'],
    ['sign-in', '/api/auth/link/login', 'sign-in-link-invalid'],
  ] as const)(
    'a click on a %s link waits for the deletion of its account before it locks any row',
    async (purpose, path, no) => {
      const testShop = await openTestShop(fresh);
      const browser = await registerPerson(testShop);
      const { id } = (await browser.get('/api/auth/user')).json;
      const token = await issueToken(testShop.shop.db, testShop.clock, { purpose, subjectId: id, seconds: 60 });
      const revokeStatements: [SQL, SQL] = [
        sql`select from customers for update`,
        sql`update tokens set revoked_at = now()`,
      ];
      const linkResponse = await runInterleaved(testShop.shop.db, revokeStatements, 'customers', () =>
        testShop.browser().post(path, { token, password: annasPassword }),
      );
      expect(linkResponse.json.code).toBe(no);
    },
  );

  test('a sign-in by passkey waits for the deletion of its account, and is then refused', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await registerPerson(testShop);
    const phoneAuthenticator = createFakeAuthenticator();
    const passkeyResponse = phoneAuthenticator.make((await browser.post('/api/account/passkeys/options')).json);
    expect((await browser.post('/api/account/passkeys', { name: 'Phone', answer: passkeyResponse })).status).toBe(200);
    const passkeyAssertion = phoneAuthenticator.sign((await testShop.browser().post('/api/auth/passkey/options')).json);
    const deleteStatements: [SQL, SQL] = [sql`select from customers for update`, sql`delete from passkeys`];
    const signInResponse = await runInterleaved(testShop.shop.db, deleteStatements, 'customers|sessions', () =>
      testShop.browser().post('/api/auth/passkey/login', { answer: passkeyAssertion }),
    );
    expect(signInResponse.json.code).toBe('passkey-refused');
  });

  test('a job that sends an email waits for its deletion before the job revokes the links of earlier emails', async () => {
    const testShop = await openTestShop(fresh);
    await registerPerson(testShop);
    await mailPasswordReset(testShop.shop, ben.email);
    await waitAndReadEmails(testShop);
    await mailPasswordReset(testShop.shop, ben.email);
    const revokeStatements: [SQL, SQL] = [sql`select from mails for update`, sql`update tokens set revoked_at = now()`];
    const emails = await runInterleaved(testShop.shop.db, revokeStatements, '"mails"', () =>
      waitAndReadEmails(testShop, 'password-reset:'),
    );
    expect(emails).toHaveLength(2);
  });

  test('simultaneous requests queue at most three mails of each kind per hour', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await registerPerson(testShop);
    const emailRequests = Array.from({ length: 10 }, (_, at) => [
      browser.post('/api/account/email', { email: `new-${at}@example.com` }),
      browser.post('/api/auth/resend-confirmation'),
      mailPasswordReset(testShop.shop, ben.email),
    ]);
    const responses = await Promise.all(emailRequests.flat());
    for (const answer of responses) if (answer) expect([200, 429]).toContain(answer.status);
    for (const kind of ['email-change', 'email-confirmation', 'password-reset'])
      expect(await readQueuedMails(testShop.shop.db, `${kind}:`)).toHaveLength(3);
  });

  test('only one of eight simultaneous uses of a link, passkey response or new email succeeds', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await registerPerson(testShop);
    await browser.post('/api/auth/confirm-email', {
      token: await readEmailToken(testShop, 'email-confirmation', 'confirmUrl'),
    });
    const runEightTimes = <T>(act: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, act));
    const countSuccesses = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length;
    const token = await requestSignInLink(testShop);
    expect(
      countSuccesses((await runEightTimes(() => openEmailLink(testShop, token))).map(({ answer }) => answer)),
    ).toBe(1);
    const phoneAuthenticator = createFakeAuthenticator();
    const passkeyResponse = phoneAuthenticator.make((await browser.post('/api/account/passkeys/options')).json);
    expect(
      countSuccesses(
        await runEightTimes(() => browser.post('/api/account/passkeys', { name: 'Phone', answer: passkeyResponse })),
      ),
    ).toBe(1);
    const passkeyAssertion = phoneAuthenticator.sign((await testShop.browser().post('/api/auth/passkey/options')).json);
    expect(
      countSuccesses(
        await runEightTimes(() => testShop.browser().post('/api/auth/passkey/login', { answer: passkeyAssertion })),
      ),
    ).toBe(1);

    const carlasBrowser = await registerPerson(testShop, { ...ben, email: 'carla@example.com' });
    for (const signedInBrowser of [browser, carlasBrowser])
      await signedInBrowser.post('/api/account/email', { email: 'one@example.com' });
    const tokens = (await waitAndReadEmails(testShop, 'email-change:')).map((mail) =>
      readTokenFromUrl(mail.content.confirmUrl),
    );
    const clicks = [browser, carlasBrowser, browser, carlasBrowser].flatMap((by) =>
      tokens.map((it) => ({ by, token: it })),
    );
    const changeResponses = await Promise.all(
      clicks.map(({ by, token: it }) => by.post('/api/auth/change-email', { token: it })),
    );
    expect(countSuccesses(changeResponses)).toBe(1);
    const { rows } = await testShop.shop.db.execute(sql`select email from customers order by email`);
    expect(rows.map((row) => row['email'])).toContain('one@example.com');
    const deletionResponses = await runEightTimes(() => browser.post('/api/account/delete'));
    expect(countSuccesses(deletionResponses)).toBe(1);
    for (const { status } of deletionResponses) expect([200, 401]).toContain(status);
  });
});
