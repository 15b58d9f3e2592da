import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { anna, buyFramesAsAnna, annasPassword, buyAndVerify } from '#test/people.ts';
import { countRows, readAllTables, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { findCustomerByEmail, mailPasswordReset } from './accounts.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const ben = { firstName: 'Ben', lastName: 'Ode', email: 'ben@example.com', password: 'Kite-over-sea-4' };
const signInAs = (browser: Browser, { email, password }: { email: string; password: string }) =>
  browser.post('/api/auth/login', { email, password });
const isSignedIn = async (browser: Browser) => (await browser.get('/api/auth/user')).status === 200;
const countOrdersSeenBy = async (browser: Browser) =>
  (await browser.get('/api/order-summary')).json.orders.length as number;
const readTokenFromUrl = (url: string) => new URL(url).searchParams.get('token')!;
async function readTokenOfMail(it: TestShop, kind: string, field: string, which = -1): Promise<string> {
  return readTokenFromUrl((await waitAndReadEmails(it, `${kind}:`)).at(which)!.content[field]);
}
const registerPerson = async (it: TestShop, person = ben) => {
  const browser = it.browser();
  const response = await browser.post('/api/auth/register', person);
  expect(response.status, response.text).toBe(200);
  return browser;
};

describeOnEachEngine((fresh) => {
  test('sign-up signs in and emails a confirmation link; an email that has an account is refused in any spelling', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await registerPerson(testShop, { ...ben, firstName: '  Ben ', email: '  BEN@Example.com ' });
    expect((await browser.get('/api/auth/user')).json).toMatchObject({
      email: 'ben@example.com',
      firstName: 'Ben',
      emailConfirmed: false,
    });
    expect(await readQueuedMails(testShop.shop.db)).toMatchObject([
      { to: 'ben@example.com', content: { kind: 'email-confirmation' } },
    ]);
    const token = await readTokenOfMail(testShop, 'email-confirmation', 'confirmUrl');
    expect((await browser.post('/api/auth/confirm-email', { token })).status).toBe(200);
    for (const email of ['ben@example.com', 'Ben@EXAMPLE.com', ' ben@example.com']) {
      const repeatedResponse = await testShop.browser().post('/api/auth/register', { ...ben, email });
      expect([repeatedResponse.status, repeatedResponse.json.code]).toEqual([409, 'email-taken']);
    }
    expect((await signInAs(testShop.browser(), { ...ben, email: ' Ben@Example.COM ' })).status).toBe(200);
    expect(await countRows(testShop.shop.db, 'customers')).toBe(1);
  });

  test('an account gets the guest orders of its email only after a click on the emailed link', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    const browser = await registerPerson(testShop, { ...ben, email: anna.email });
    expect(await countOrdersSeenBy(browser)).toBe(0);
    // A later guest purchase mails only the receipt.
    await buyAndVerify(testShop.browser());
    expect((await readQueuedMails(testShop.shop.db, 'email-confirmation:')).map((mail) => mail.to)).toEqual([
      anna.email,
    ]);
    expect(await countOrdersSeenBy(browser)).toBe(0);
    expect((await browser.get('/api/customer/frames')).json.frameInfo).toMatchObject({
      hasOrders: false,
      hasFrames: false,
    });
    const token = await readTokenOfMail(testShop, 'email-confirmation', 'confirmUrl');
    expect((await testShop.browser().post('/api/auth/confirm-email', { token: `${token}x` })).json.code).toBe(
      'confirmation-link-invalid',
    );
    expect((await browser.post('/api/auth/confirm-email', { token })).status).toBe(200);
    expect(await countOrdersSeenBy(browser)).toBe(2);
    expect((await browser.get('/api/auth/user')).json.emailConfirmed).toBe(true);
    expect((await testShop.browser().post('/api/auth/confirm-email', { token })).json.code).toBe(
      'confirmation-link-invalid',
    );
    // The address is proven now, so the next guest purchase joins the account at once. It signs no one in.
    const guest = testShop.browser();
    expect((await buyAndVerify(guest)).verified.json).toMatchObject({ success: true, needsRegistration: false });
    expect(await isSignedIn(guest)).toBe(false);
    expect(await countOrdersSeenBy(browser)).toBe(3);
  });
});

describeOnFastestEngine((fresh) => {
  test('refuses a wrong password and an unknown email with the same response', async () => {
    const testShop = await openTestShop(fresh);
    await registerPerson(testShop);
    const wrongResponse = await signInAs(testShop.browser(), { ...ben, password: 'not-his-password' });
    const unknownEmailResponse = await signInAs(testShop.browser(), {
      email: 'unknown@example.com',
      password: 'not-his-password',
    });
    const removeRequestId = ({ json: { requestId: _, ...rest } }: { json: Record<string, unknown> }) => rest;
    expect(wrongResponse.status).toBe(401);
    expect(removeRequestId(wrongResponse)).toEqual(removeRequestId(unknownEmailResponse));
    expect(wrongResponse.json.message).toBe('Invalid email or password.');
    expect(Object.keys(wrongResponse.headers).toSorted()).toEqual(Object.keys(unknownEmailResponse.headers).toSorted());
  });

  test('a sign-in starts a new session and ends the browser’s earlier session; sign-out ends the session', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await registerPerson(testShop);
    const ids = [browser.cookies.get('sid')!];
    for (let i = 0; i < 2; i++) {
      await signInAs(browser, ben);
      ids.push(browser.cookies.get('sid')!);
    }
    expect(new Set(ids).size).toBe(3);
    const openBrowserWithSession = (sid: string) => {
      const thiefsBrowser = testShop.browser();
      thiefsBrowser.cookies.set('sid', sid);
      return thiefsBrowser;
    };
    expect(await Promise.all(ids.map((sid) => isSignedIn(openBrowserWithSession(sid))))).toEqual([false, false, true]);
    const sessionBefore = browser.cookies.get('sid')!;
    await browser.post('/api/auth/register', { ...ben, email: 'bens-other@example.com' });
    expect([await isSignedIn(openBrowserWithSession(sessionBefore)), await isSignedIn(browser)]).toEqual([false, true]);
    await signInAs(browser, ben);
    ids[2] = browser.cookies.get('sid')!;
    const browserWithPlantedCookie = testShop.browser();
    browserWithPlantedCookie.cookies.set('sid', 'chosen-by-an-attacker');
    await signInAs(browserWithPlantedCookie, ben);
    expect(browserWithPlantedCookie.cookies.get('sid')).toMatch(/^[\w-]{43}$/);
    expect((await browser.post('/api/auth/logout')).status).toBe(200);
    expect(browser.cookies.has('sid')).toBe(false);
    expect(await isSignedIn(openBrowserWithSession(ids[2]))).toBe(false);
    expect(await isSignedIn(browserWithPlantedCookie)).toBe(true); // the other browser stays signed in
    expect((await testShop.browser().post('/api/auth/logout')).status).toBe(200); // a browser without a session
  });

  test('a session ends after 7 days without a request, and after 30 days even with daily requests', async () => {
    const testShop = await openTestShop(fresh);
    const idleCustomer = await registerPerson(testShop);
    testShop.clock.advance(6.9 * dayMs);
    expect(await isSignedIn(idleCustomer)).toBe(true);
    testShop.clock.advance(6.9 * dayMs);
    expect(await isSignedIn(idleCustomer)).toBe(true); // the earlier visit extended the session
    testShop.clock.advance(7 * dayMs + minuteMs);
    expect(await isSignedIn(idleCustomer)).toBe(false);
    const busyBrowser = testShop.browser();
    await signInAs(busyBrowser, ben);
    for (let i = 0; i < 29; i++) {
      testShop.clock.advance(dayMs);
      expect(await isSignedIn(busyBrowser)).toBe(true);
    }
    testShop.clock.advance(dayMs + minuteMs);
    expect(await isSignedIn(busyBrowser)).toBe(false);
  });

  test('deleting a customer ends all their sessions', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await registerPerson(testShop);
    await testShop.shop.db.execute(sql`delete from customers where email = ${ben.email}`);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await countRows(testShop.shop.db, 'sessions')).toBe(0);
  });

  test('stores tokens and passwords only as hashes', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, session } = await buyFramesAsAnna(testShop);
    await buyAndVerify(testShop.browser(), { customerDetails: { ...anna, email: ben.email } });
    await mailPasswordReset(testShop.shop, anna.email);
    const tablesText = JSON.stringify(await readAllTables(testShop.shop.db));
    const emails = await waitAndReadEmails(testShop);
    const mailedTokens = [...JSON.stringify(emails).matchAll(/(?:token|session)=([\w-]+)/g)].map((it) => it[1]!);
    expect(mailedTokens).toHaveLength(5); // links: two order pages, one registration, one confirmation, one reset
    const storedText = tablesText + JSON.stringify(await readAllTables(testShop.shop.db));
    const cookies = [browser.cookies.get('sid')!, browser.cookies.get('checkout')!];
    for (const secret of [session, annasPassword, ...cookies, ...mailedTokens]) {
      expect(secret.length).toBeGreaterThan(10);
      expect(storedText).not.toContain(secret);
    }
    expect(storedText).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  });

  test('a reset request reveals no account; only the newest link works, once, and ends all sessions', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const browser = await registerPerson(testShop);
    const requestLink = (email: string) => testShop.browser().post('/api/auth/forgot-password', { email });
    const [known, unknown] = [await requestLink(' BEN@example.com'), await requestLink('unknown@example.com')];
    expect(known.text).toBe(unknown.text);
    expect(known.json.message).toBe('If an account exists, a password reset link has been sent to your email.');
    const jobs = await readWaitingJobs(db, 'mail-password-reset');
    expect(jobs.map((job) => job.data['email'])).toEqual(['ben@example.com', 'unknown@example.com']);
    for (const job of [...jobs, jobs[0]!]) await mailPasswordReset(testShop.shop, job.data['email'] as string);

    const mails = await waitAndReadEmails(testShop, 'password-reset:');
    expect(mails.map((mail) => mail.to)).toEqual(['ben@example.com', 'ben@example.com']);
    const [older, newest] = mails.map((mail) => readTokenFromUrl(mail.content.resetUrl));
    expect(mails[0]!.content.resetUrl).toMatch(/^http:\/\/localhost:3999\/auth\/reset-password\?token=/);
    const resetWithPassword = (token: string, password: string) =>
      testShop.browser().post('/api/auth/reset-password', { token, password });
    expect((await resetWithPassword(older!, 'Another-field-9')).json.code).toBe('reset-link-invalid');
    for (const weakPassword of ['password', ben.email, 'bbbbbbbb'])
      expect((await resetWithPassword(newest!, weakPassword)).json.code).toBe('common-password'); // a refusal does not use up the link
    await db.execute(sql`update tokens set expires_at = now() + interval '1 second' where purpose = 'password-reset'`);
    expect((await resetWithPassword(newest!, 'Another-field-9')).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await resetWithPassword(newest!, 'A-third-one-5')).json.code).toBe('reset-link-invalid');
    expect((await signInAs(testShop.browser(), ben)).status).toBe(401);
    const newBrowser = testShop.browser();
    expect((await signInAs(newBrowser, { ...ben, password: 'Another-field-9' })).status).toBe(200);
    expect((await newBrowser.get('/api/auth/user')).json.emailConfirmed).toBe(true); // the click proves the address
  });

  test('a reset link expires after one hour, and its token is refused for other purposes', async () => {
    const testShop = await openTestShop(fresh);
    await registerPerson(testShop);
    await mailPasswordReset(testShop.shop, ben.email);
    const token = await readTokenOfMail(testShop, 'password-reset', 'resetUrl');
    const { rows } = await testShop.shop.db.execute(
      sql`select extract(epoch from expires_at - now()) as left from tokens where purpose = 'password-reset'`,
    );
    expect(Math.round(Number(rows[0]!['left']) / 60)).toBe(60);
    expect((await testShop.browser().post('/api/auth/confirm-email', { token })).status).toBe(400);
    expect((await testShop.browser().get(`/api/registration/context?token=${token}`)).status).toBe(404);
    expect((await testShop.browser().get(`/api/user?session=${token}`)).text).toBe('null');
    const confirmationToken = await readTokenOfMail(testShop, 'email-confirmation', 'confirmUrl');
    const resetByToken = (it: string) =>
      testShop.browser().post('/api/auth/reset-password', { token: it, password: 'Another-field-9' });
    expect((await resetByToken(confirmationToken)).json.code).toBe('reset-link-invalid');
    await testShop.shop.db.execute(sql`update tokens set expires_at = now() where purpose = 'password-reset'`);
    expect((await resetByToken(token)).json.code).toBe('reset-link-invalid');
  });

  test('sends at most three emails with a reset link per hour', async () => {
    const testShop = await openTestShop(fresh);
    await registerPerson(testShop);
    for (let i = 0; i < 5; i++) await mailPasswordReset(testShop.shop, ben.email);
    expect(await readQueuedMails(testShop.shop.db, 'password-reset:')).toHaveLength(3);
    const newestToken = await readTokenOfMail(testShop, 'password-reset', 'resetUrl');
    expect(
      (await testShop.browser().post('/api/auth/reset-password', { token: newestToken, password: 'Another-field-9' }))
        .status,
    ).toBe(200);
  });

  test('checks at most 10 wrong passwords per account in 15 minutes, across all IP addresses', async () => {
    const testShop = await openTestShop(fresh);
    const knownBrowser = await registerPerson(testShop);
    const signInWrongly = async (index: number) => {
      const response = await signInAs(testShop.browser({ address: `2001:db8:${index}::1` }), {
        ...ben,
        password: 'wrong',
      });
      return [response.status, response.json.code];
    };
    for (let index = 0; index < 10; index++) expect(await signInWrongly(index)).toEqual([401, 'wrong-credentials']);
    expect(await signInWrongly(10)).toEqual([429, 'sign-in-slowed']);
    const otherAccountResponse = await signInAs(testShop.browser(), {
      email: 'unknown@example.com',
      password: 'wrong',
    });
    expect(otherAccountResponse.status).toBe(401); // the limit of Anna’s account does not apply to another account

    const otherBrowser = testShop.browser();
    const slowedResponse = await signInAs(otherBrowser, ben);
    expect([slowedResponse.status, slowedResponse.json.code]).toEqual([429, 'sign-in-slowed']);
    expect(slowedResponse.json.message).toBe(
      'Too many wrong passwords for this email. Please try again in 15 minutes, or let us email you a link to sign in.',
    );
    await knownBrowser.post('/api/auth/logout');
    expect((await signInAs(knownBrowser, ben)).status).toBe(200); // this browser has signed in as Ben before
    testShop.clock.advance(Number(slowedResponse.headers['retry-after']) * 1000);
    expect((await signInAs(otherBrowser, ben)).status).toBe(200); // slowed down, but not locked out
  });

  test('slows down sign-ins with an email that has no account exactly like sign-ins with an account', async () => {
    const testShop = await openTestShop(fresh);
    await registerPerson(testShop);
    const failTwelveSignIns = async (email: string) => {
      const statusesAndMessages = [];
      for (let i = 0; i < 12; i++) {
        const { status, json } = await signInAs(testShop.browser(), { email, password: 'wrong' });
        statusesAndMessages.push([status, json.message]);
      }
      return statusesAndMessages;
    };
    expect(await failTwelveSignIns('unknown@example.com')).toEqual(await failTwelveSignIns(ben.email));
  });

  test('a browser that has signed in before has its own limit of 10 tries in 15 minutes and 100 a day', async () => {
    const testShop = await openTestShop(fresh);
    const knownBrowser = await registerPerson(testShop);
    const sendWrongPasswords = async (browser: Browser, count: number) => {
      const statuses = [];
      for (let i = 0; i < count; i++) statuses.push((await signInAs(browser, { ...ben, password: 'wrong' })).status);
      return statuses;
    };
    expect(await sendWrongPasswords(knownBrowser, 11)).toEqual([...Array<number>(10).fill(401), 429]);
    expect(await sendWrongPasswords(testShop.browser(), 1)).toEqual([401]); // the limit of other browsers is not used up
    for (let i = 0; i < 9; i++) {
      testShop.clock.advance(16 * minuteMs);
      expect(await sendWrongPasswords(knownBrowser, 10)).toEqual(Array<number>(10).fill(401));
    }
    testShop.clock.advance(16 * minuteMs);
    const dailyLimitResponse = await signInAs(knownBrowser, ben);
    expect(dailyLimitResponse.status).toBe(429);
    expect(Number(dailyLimitResponse.headers['retry-after'])).toBeGreaterThan(21 * 3600);
    testShop.clock.advance(dayMs);
    expect((await signInAs(knownBrowser, ben)).status).toBe(200);
  });

  test('does not count correct passwords, and a browser known to one account is unknown to others', async () => {
    const testShop = await openTestShop(fresh);
    const knownBrowser = await registerPerson(testShop);
    for (let i = 0; i < 15; i++) expect((await signInAs(testShop.browser(), ben)).status).toBe(200);
    const otherBrowser = await registerPerson(testShop, { ...ben, email: 'eve@example.com' });
    for (let i = 0; i < 10; i++) await signInAs(testShop.browser(), { ...ben, password: 'wrong' });
    expect((await signInAs(otherBrowser, ben)).status).toBe(429);
    const browserWithPlantedCookie = testShop.browser();
    browserWithPlantedCookie.cookies.set('browser', 'x'.repeat(43));
    expect((await signInAs(browserWithPlantedCookie, ben)).status).toBe(429);
    expect((await signInAs(knownBrowser, ben)).status).toBe(200);
    expect(knownBrowser.cookies.get('browser')).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(await readAllTables(testShop.shop.db))).not.toContain(knownBrowser.cookies.get('browser'));
  });

  test('the cookie of a known browser is HttpOnly, and its value becomes invalid at the next sign-in', async () => {
    const testShop = await openTestShop(fresh);
    const knownBrowser = await registerPerson(testShop);
    const copiedBrowser = testShop.browser();
    copiedBrowser.cookies.set('browser', knownBrowser.cookies.get('browser')!);
    const response = await signInAs(knownBrowser, ben);
    expect(String(response.headers['set-cookie'])).toMatch(
      /browser=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax/,
    );
    for (let i = 0; i < 10; i++) await signInAs(testShop.browser(), { ...ben, password: 'wrong' });
    expect((await signInAs(copiedBrowser, ben)).status).toBe(429);
    expect((await signInAs(knownBrowser, ben)).status).toBe(200);
  });

  test('after too many wrong passwords, a password reset by email lets the customer sign in immediately', async () => {
    const testShop = await openTestShop(fresh);
    await registerPerson(testShop);
    for (let i = 0; i < 10; i++) await signInAs(testShop.browser(), { ...ben, password: 'wrong' });
    await mailPasswordReset(testShop.shop, ben.email);
    const token = await readTokenOfMail(testShop, 'password-reset', 'resetUrl');
    await testShop.browser().post('/api/auth/reset-password', { token, password: 'Another-field-9' });
    expect((await signInAs(testShop.browser(), { ...ben, password: 'Another-field-9' })).status).toBe(200);
  });

  test('each session has its own limit of 10 tries to enter the password again', async () => {
    const testShop = await openTestShop(fresh);
    const [home, stolen] = [await registerPerson(testShop), testShop.browser()];
    await signInAs(stolen, ben);
    const prove = async (browser: Browser, password: string) => {
      const { status, json } = await browser.post('/api/account/prove', { password });
      return [status, json.code];
    };
    for (let i = 0; i < 10; i++) expect(await prove(stolen, 'wrong')).toEqual([403, 'password-wrong']);
    expect(await prove(stolen, ben.password)).toEqual([429, 'proof-slowed']);
    expect((await prove(home, ben.password))[0]).toBe(200);
    testShop.clock.advance(16 * minuteMs);
    expect((await prove(stolen, ben.password))[0]).toBe(200);
  });

  test('returns common-password for passwords that attackers try first', async () => {
    const testShop = await openTestShop(fresh);
    const tryPassword = async (password: string) =>
      (await testShop.browser().post('/api/auth/register', { ...ben, password })).json.code as string | undefined;
    for (const password of [
      'password',
      'PassWord',
      '123456',
      'qwerty',
      'iloveyou',
      'kinframe',
      'Kinframe1!',
      'picture frame',
      'ben@example.com',
    ])
      expect([password, await tryPassword(password)]).toEqual([password, 'common-password']);
    expect(await countRows(testShop.shop.db, 'customers')).toBe(0);
    expect(await tryPassword('Cafe\u0301-au-lait')).toBeUndefined();
    // The same letters in another Unicode encoding.
    expect((await signInAs(testShop.browser(), { ...ben, password: 'Caf\u00e9-au-lait' })).status).toBe(200);
  });

  test('only the browser that paid or the link in the receipt can finish registration', async () => {
    const testShop = await openTestShop(fresh);
    const buyer = testShop.browser();
    await buyAndVerify(buyer);
    const otherBrowser = testShop.browser();
    await buyAndVerify(otherBrowser, { customerDetails: { ...anna, email: ben.email } });
    const strangersBrowsers = [testShop.browser(), testShop.browser()];
    strangersBrowsers[1]!.cookies.set('checkout', 'x'.repeat(43));
    for (const strangersBrowser of strangersBrowsers) {
      for (const query of ['', '?token=', '?token=wrong'])
        expect((await strangersBrowser.get(`/api/registration/context${query}`)).json).toMatchObject({
          code: 'registration-expired',
          message: 'Registration session not found or expired',
        });
      expect((await strangersBrowser.post('/api/complete-registration', { password: annasPassword })).status).toBe(404);
      expect(
        (await strangersBrowser.post('/api/complete-registration', { password: annasPassword, token: 'wrong' })).status,
      ).toBe(404);
    }
    expect((await buyer.get('/api/registration/context')).json.customer).toEqual({
      firstName: 'Anna',
      lastName: 'Keller',
      email: anna.email,
    });
    expect((await otherBrowser.get('/api/registration/context')).json.customer.email).toBe(ben.email); // each browser sees its own order
    expect(await countRows(testShop.shop.db, 'customers')).toBe(0);
    expect((await buyer.post('/api/complete-registration', { password: 'Kinframe1' })).json.code).toBe(
      'common-password',
    );
    const receipts = await waitAndReadEmails(testShop, 'receipt:');
    const token = readTokenFromUrl(receipts.find((mail) => mail.to === anna.email)!.content.finishRegistrationUrl);
    const finishedResponse = await buyer.post('/api/complete-registration', { password: annasPassword });
    expect(finishedResponse.json).toMatchObject({
      success: true,
      customer: { email: anna.email, emailConfirmed: false },
    });
    expect(await countOrdersSeenBy(buyer)).toBe(1);
    // After the registration, neither the checkout cookie nor the mailed link works again.
    for (const [proof, browser] of [
      ['', buyer],
      [`?token=${token}`, testShop.browser()],
    ] as const)
      expect((await browser.get(`/api/registration/context${proof}`)).json).toMatchObject({
        code: 'registration-done',
        message: 'Your account is ready. Please sign in.',
      });
    expect(
      (await testShop.browser().post('/api/complete-registration', { password: annasPassword, token })).json.code,
    ).toBe('registration-done');
  });

  test('the emailed link finishes registration once, in any browser, and proves the email', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    await buyAndVerify(testShop.browser()); // a second purchase, in another browser
    const token = await readTokenOfMail(testShop, 'receipt', 'finishRegistrationUrl', 0);
    const browser = testShop.browser();
    expect((await browser.get(`/api/registration/context?token=${token}`)).json.customer.email).toBe(anna.email);
    const finishedResponse = await browser.post('/api/complete-registration', { password: annasPassword, token });
    expect(finishedResponse.json, finishedResponse.text).toMatchObject({
      success: true,
      customer: { emailConfirmed: true },
    });
    expect(await countOrdersSeenBy(browser)).toBe(2);
    // The receipt's link is used up. It still returns that the registration is done.
    expect((await testShop.browser().get(`/api/registration/context?token=${token}`)).json.code).toBe(
      'registration-done',
    );
    expect(
      (await testShop.browser().post('/api/complete-registration', { password: annasPassword, token })).json.code,
    ).toBe('registration-done');
  });

  test('a stranger’s account with a buyer’s email gets no orders, and ends when the buyer registers', async () => {
    const testShop = await openTestShop(fresh);
    const squattersBrowser = await registerPerson(testShop, { ...ben, email: anna.email });
    const buyer = testShop.browser();
    const { verified } = await buyAndVerify(buyer);
    expect(verified.json).toMatchObject({ success: true, needsRegistration: true });
    expect(await countOrdersSeenBy(squattersBrowser)).toBe(0);
    const token = await readTokenOfMail(testShop, 'receipt', 'finishRegistrationUrl');
    const finishedResponse = await buyer.post('/api/complete-registration', { password: annasPassword, token });
    expect(finishedResponse.json, finishedResponse.text).toMatchObject({
      success: true,
      customer: { firstName: 'Anna', emailConfirmed: true },
    });
    expect(await isSignedIn(squattersBrowser)).toBe(false);
    expect((await signInAs(testShop.browser(), { ...ben, email: anna.email })).status).toBe(401);
    expect(await countOrdersSeenBy(buyer)).toBe(1);
    expect((await findCustomerByEmail(testShop.shop.db, anna.email))!.lastName).toBe('Keller');
    expect(await countRows(testShop.shop.db, 'customers')).toBe(1);
  });

  test('the registration link in a receipt cannot replace an account with a confirmed email', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    const registrationToken = await readTokenOfMail(testShop, 'receipt', 'finishRegistrationUrl');
    const ownersBrowser = await registerPerson(testShop, { ...ben, email: anna.email });
    await ownersBrowser.post('/api/auth/confirm-email', {
      token: await readTokenOfMail(testShop, 'email-confirmation', 'confirmUrl'),
    });
    expect(
      (
        await testShop
          .browser()
          .post('/api/complete-registration', { password: annasPassword, token: registrationToken })
      ).json.code,
    ).toBe('registration-done');
    expect((await signInAs(testShop.browser(), { ...ben, email: anna.email })).status).toBe(200);
    await buyAndVerify(testShop.browser());
    expect((await waitAndReadEmails(testShop, 'receipt:')).at(-1)!.content.finishRegistrationUrl).toBeUndefined();
  });

  test('an order of a signed-in buyer belongs to the buyer’s account, even if it has another email', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    await buyAndVerify(browser, { customerDetails: { ...anna, email: 'gift@example.com' } });
    expect(await countOrdersSeenBy(browser)).toBe(2);
    expect((await browser.get('/api/auth/user')).json).toMatchObject({ email: anna.email });
  });

  test('an order-access token gives access to one order only, and to no account', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, session, frames } = await buyFramesAsAnna(testShop);
    await buyAndVerify(browser);
    const browserWithToken = testShop.browser();
    expect((await browserWithToken.get(`/api/order-summary?session=${session}`)).json.orders).toHaveLength(1);
    expect((await browserWithToken.get(`/api/user?session=${session}`)).json).toMatchObject({
      firstName: 'Anna',
      photoLimit: 20,
    });
    expect((await browserWithToken.get(`/api/uploads?session=${session}`)).json).toEqual([]);
    for (const path of ['/api/auth/user', '/api/frame-photo-limits', '/api/customer/frames'])
      expect((await browserWithToken.get(`${path}?session=${session}`)).status).toBe(401);
    expect(
      (await browserWithToken.post(`/api/uploads/finalize?session=${session}`, { deviceId: frames[0]!.deviceId }))
        .status,
    ).toBe(401);
    browserWithToken.cookies.set('sid', session);
    expect(await isSignedIn(browserWithToken)).toBe(false);
    await testShop.shop.db.execute(sql`update tokens set expires_at = now() where purpose = 'order-access'`);
    expect((await browserWithToken.get(`/api/user?session=${session}`)).text).toBe('null');
  });
});

describeOnPostgres((fresh) => {
  test('checks at most 10 of 400 simultaneous wrong passwords for one account from 400 networks', async () => {
    const testShop = await openTestShop(fresh);
    await registerPerson(testShop);
    const guessPassword = (index: number) =>
      signInAs(testShop.browser({ address: `2001:db8:${index.toString(16)}::1` }), { ...ben, password: 'wrong' });
    const responses = await Promise.all(Array.from({ length: 400 }, (_, index) => guessPassword(index)));
    expect(responses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10);
    // On a busy machine, some requests fail because the database has no free connection.
    for (const { json } of responses) expect(json.code).toMatch(/^(wrong-credentials|sign-in-slowed|unavailable)$/);
    expect((await signInAs(testShop.browser(), ben)).status).toBe(429);
  });

  test('a sign-in with the old password during a reset does not leave a session', async () => {
    const testShop = await openTestShop(fresh);
    await registerPerson(testShop);
    await mailPasswordReset(testShop.shop, ben.email);
    const token = await readTokenOfMail(testShop, 'password-reset', 'resetUrl');
    await testShop.shop.db.execute(
      sql`create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return new; end $$`,
    );
    await testShop.shop.db.execute(
      sql`create trigger slow before insert on sessions for each row execute function slow()`,
    );
    const thiefsBrowser = testShop.browser();
    const { email, password } = ben;
    const signInPromise = thiefsBrowser.post('/api/auth/login', { email, password });
    await vi.waitFor(
      async () => {
        const { rows } = await testShop.shop.db.execute(
          sql`select from pg_stat_activity where query like 'insert into "sessions"%' and state = 'active'`,
        );
        expect(rows.length).toBeGreaterThan(0);
      },
      { timeout: 30_000 },
    );
    expect(
      (await testShop.browser().post('/api/auth/reset-password', { token, password: 'Another-field-9' })).status,
    ).toBe(200);
    await signInPromise;
    expect(await isSignedIn(thiefsBrowser)).toBe(false);
  });

  test('only one of several simultaneous uses of a reset link, or of an order’s registration, succeeds', async () => {
    const testShop = await openTestShop(fresh);
    await registerPerson(testShop);
    await mailPasswordReset(testShop.shop, ben.email);
    const token = await readTokenOfMail(testShop, 'password-reset', 'resetUrl');
    const resetResponses = await Promise.all(
      ['A', 'B', 'C', 'D'].map((it) =>
        testShop.browser().post('/api/auth/reset-password', { token, password: `Field-of-${it}-9` }),
      ),
    );
    expect(resetResponses.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400]);
    const buyer = testShop.browser();
    await buyAndVerify(buyer);
    const registrationToken = await readTokenOfMail(testShop, 'receipt', 'finishRegistrationUrl');
    const browsers = Array.from({ length: 4 }, (_, index) => {
      const browser = testShop.browser();
      if (index % 2 === 0) browser.cookies.set('checkout', buyer.cookies.get('checkout')!);
      return browser.post('/api/complete-registration', {
        password: annasPassword,
        ...(index % 2 === 1 && { token: registrationToken }),
      });
    });
    const statuses = (await Promise.all(browsers)).map((answer) => answer.status);
    expect(statuses.filter((it) => it === 200)).toHaveLength(1);
    expect(statuses.every((it) => it < 500)).toBe(true);
    expect(await countRows(testShop.shop.db, 'customers')).toBe(2);
  });
});
