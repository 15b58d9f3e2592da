import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createFakeAuthenticator } from '#test/authenticator.ts';
import { describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { pay, startPayment, requestVerification } from '#test/paying.ts';
import { anna, buyFramesAsAnna, annasPassword, buyAndVerify, fetchFrames, uploadTo } from '#test/people.ts';
import { countRows, readAllTables, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { findCustomerByEmail, mailPasswordReset } from './accounts.ts';
import { mailSignInLink } from './mailed-links.ts';

const strangersPassword = 'Kite-over-sea-4';
/** A stranger who signs up with Anna's address. */
const stranger = { firstName: 'Sly', lastName: 'Stranger', email: anna.email, password: strangersPassword };
const newPassword = 'Another-field-9';

const isSignedIn = async (browser: Browser) => (await browser.get('/api/auth/user')).status === 200;
const countOrdersSeenBy = async (browser: Browser) =>
  (await browser.get('/api/order-summary')).json.orders.length as number;
const readTokenFromUrl = (url: string) => new URL(url).searchParams.get('token')!;
const readEmailToken = async (it: TestShop, kind: string, field: string) =>
  readTokenFromUrl((await waitAndReadEmails(it, `${kind}:`)).at(-1)!.content[field]);
async function signUp(it: TestShop, person: object = stranger) {
  const browser = it.browser();
  const response = await browser.post('/api/auth/register', person);
  expect(response.status, response.text).toBe(200);
  return browser;
}
async function addPasskey(browser: Browser) {
  const authenticator = createFakeAuthenticator();
  const optionsResponse = await browser.post('/api/account/passkeys/options');
  const addedResponse = await browser.post('/api/account/passkeys', {
    name: 'Mine',
    answer: authenticator.make(optionsResponse.json),
  });
  expect(addedResponse.status, addedResponse.text).toBe(200);
  return authenticator;
}
async function signInByPassword(it: TestShop, password: string, email: string = anna.email) {
  const browser = it.browser();
  const { status } = await browser.post('/api/auth/login', { email, password });
  return { browser, status };
}
async function signInByPasskey(it: TestShop, key: ReturnType<typeof createFakeAuthenticator>) {
  const browser = it.browser();
  const signInOptions = (await it.browser().post('/api/auth/passkey/options')).json;
  return { browser, ...(await browser.post('/api/auth/passkey/login', { answer: key.sign(signInOptions) })) };
}
const finishRegistrationBy = (browser: Browser, token?: string) =>
  browser.post('/api/complete-registration', { password: annasPassword, ...(token !== undefined && { token }) });
const readRegistrationToken = (it: TestShop) => readEmailToken(it, 'receipt', 'finishRegistrationUrl');
const readConfirmationToken = (it: TestShop) => readEmailToken(it, 'email-confirmation', 'confirmUrl');

/** Every session, passkey and link that a stranger can prepare in an account under Anna's address. */
async function prepareWaysIn(it: TestShop) {
  const browser = await signUp(it);
  const confirmationToken = await readConfirmationToken(it);
  const authenticator = await addPasskey(browser);
  const secondBrowser = (await signInByPassword(it, strangersPassword)).browser;
  await browser.post('/api/account/email', { email: 'sly@example.com' });
  const emailChangeToken = await readEmailToken(it, 'email-change', 'confirmUrl');
  await mailPasswordReset(it.shop, anna.email);
  const resetToken = await readEmailToken(it, 'password-reset', 'resetUrl');
  await mailSignInLink(it.shop, anna.email);
  const signInToken = await readEmailToken(it, 'sign-in-link', 'signInUrl');
  return {
    browser,
    second: secondBrowser,
    key: authenticator,
    confirm: confirmationToken,
    change: emailChangeToken,
    reset: resetToken,
    link: signInToken,
  };
}
type WaysIn = Awaited<ReturnType<typeof prepareWaysIn>>;

/**
 * Checks that no session, password, passkey or link of the stranger works, in the stranger's browser or in a new one.
 */
async function expectAllShut(it: TestShop, ways: WaysIn) {
  expect(await isSignedIn(ways.browser)).toBe(false);
  expect(await isSignedIn(ways.second)).toBe(false);
  expect((await signInByPassword(it, strangersPassword)).status).toBe(401);
  expect((await signInByPasskey(it, ways.key)).status).toBe(401);
  for (const browser of [ways.browser, it.browser()])
    for (const [path, body] of [
      ['/api/auth/confirm-email', { token: ways.confirm }],
      ['/api/auth/confirm-email', { token: ways.confirm, password: newPassword }],
      ['/api/auth/change-email', { token: ways.change }],
      ['/api/auth/reset-password', { token: ways.reset, password: newPassword }],
      ['/api/auth/link/login', { token: ways.link }],
      ['/api/auth/link/login', { token: ways.link, password: newPassword }],
    ] as const) {
      const { status, text } = await browser.post(path, body);
      expect([path, status], text).toEqual([path, 400]);
      expect(await isSignedIn(browser)).toBe(false);
    }
}

describeOnEachEngine((fresh) => {
  test('a stranger’s account with a buyer’s email ends when the buyer registers through the link in the receipt', async () => {
    const testShop = await openTestShop(fresh);
    const waysIn = await prepareWaysIn(testShop);
    const mailCountBefore = (await readQueuedMails(testShop.shop.db)).length;
    const { verified } = await buyAndVerify(testShop.browser());
    expect(verified.json).toMatchObject({ success: true, needsRegistration: true });
    expect(await countOrdersSeenBy(waysIn.browser)).toBe(0);
    // Anna gets only the receipt: no confirmation of the stranger's account and no upload link.
    const mailsToAnna = (await readQueuedMails(testShop.shop.db))
      .slice(mailCountBefore)
      .filter((mail) => mail.to === anna.email);
    expect(mailsToAnna.map((mail) => mail.content.kind)).toEqual(['receipt']);
    const token = await readRegistrationToken(testShop);

    const buyer = testShop.browser();
    const finishResponse = await finishRegistrationBy(buyer, token);
    expect(finishResponse.json, finishResponse.text).toMatchObject({
      success: true,
      customer: { firstName: 'Anna', emailConfirmed: true },
    });
    expect(await countOrdersSeenBy(buyer)).toBe(1);
    await expectAllShut(testShop, waysIn);
    expect(await countRows(testShop.shop.db, 'customers')).toBe(1);
    expect((await findCustomerByEmail(testShop.shop.db, anna.email))!.lastName).toBe(anna.lastName);
    expect((await buyer.get('/api/account')).json).toMatchObject({ newEmail: null, passkeys: [] });
  });

  test('if a stranger signed up with a buyer’s email, the browser that paid for the guest order can take over the account and end the stranger’s access', async () => {
    const testShop = await openTestShop(fresh);
    const waysIn = await prepareWaysIn(testShop);
    const buyer = testShop.browser();
    await buyAndVerify(buyer);
    expect((await buyer.get('/api/registration/context')).json.customer.email).toBe(anna.email);
    const finishResponse = await finishRegistrationBy(buyer);
    expect(finishResponse.json, finishResponse.text).toMatchObject({
      success: true,
      customer: { firstName: 'Anna', emailConfirmed: false },
    });
    expect(await countOrdersSeenBy(buyer)).toBe(1);
    await expectAllShut(testShop, waysIn);
  });

  test('an earlier guest order joins an account only if the emailed link is used while signed in or with a new password', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    const waysIn = await prepareWaysIn(testShop);
    expect(await countOrdersSeenBy(waysIn.browser)).toBe(0);
    // A click in a browser that is signed out, or signed in to another account, changes nothing.
    const otherBrowser = await signUp(testShop, { ...stranger, email: 'other@example.com' });
    const rows = await readAccountRows(testShop);
    for (const browser of [testShop.browser(), otherBrowser]) {
      const openedResponse = await browser.get(
        `/api/auth/mailed-link?purpose=email-confirmation&token=${waysIn.confirm}`,
      );
      expect(openedResponse.json, openedResponse.text).toEqual({ email: anna.email, needs: 'password' });
      const clickedResponse = await browser.post('/api/auth/confirm-email', { token: waysIn.confirm });
      expect([clickedResponse.status, clickedResponse.json.code]).toEqual([409, 'new-password-needed']);
    }
    expect(await readAccountRows(testShop)).toEqual(rows);
    expect(await countOrdersSeenBy(waysIn.browser)).toBe(0);

    const ownersBrowser = testShop.browser();
    const commonPasswordResponse = await ownersBrowser.post('/api/auth/confirm-email', {
      token: waysIn.confirm,
      password: 'password',
    });
    expect(commonPasswordResponse.json.code).toBe('common-password');
    const setResponse = await ownersBrowser.post('/api/auth/confirm-email', {
      token: waysIn.confirm,
      password: newPassword,
    });
    expect(setResponse.json, setResponse.text).toMatchObject({ customer: { email: anna.email, emailConfirmed: true } });
    expect([await isSignedIn(ownersBrowser), await countOrdersSeenBy(ownersBrowser)]).toEqual([true, 1]);
    // The account has the buyer's name, not the name that the stranger entered.
    expect((await ownersBrowser.get('/api/auth/user')).json.firstName).toBe('Anna');
    await expectAllShut(testShop, waysIn);
    expect((await signInByPassword(testShop, newPassword)).status).toBe(200);
  });

  test('opening the confirmation link while signed in confirms the account and ends its other sessions, passkeys and links', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    const waysIn = await prepareWaysIn(testShop);
    const { browser } = await signInByPassword(testShop, strangersPassword);
    const keptPasskey = await addPasskey(browser);
    const openedResponse = await browser.get(
      `/api/auth/mailed-link?purpose=email-confirmation&token=${waysIn.confirm}`,
    );
    expect(openedResponse.json).toEqual({ email: anna.email, needs: 'click' });
    expect((await browser.get('/api/auth/user')).json.emailConfirmed).toBe(false);
    const clickedResponse = await browser.post('/api/auth/confirm-email', { token: waysIn.confirm });
    expect(clickedResponse.json, clickedResponse.text).toMatchObject({ customer: { emailConfirmed: true } });
    expect(await countOrdersSeenBy(browser)).toBe(1);
    expect([await isSignedIn(waysIn.browser), await isSignedIn(waysIn.second)]).toEqual([false, false]);
    expect((await signInByPasskey(testShop, waysIn.key)).status).toBe(401);
    // The password that this browser signed in with stays valid, and so does the passkey it created.
    expect((await signInByPassword(testShop, strangersPassword)).status).toBe(200);
    expect((await signInByPasskey(testShop, keptPasskey)).status).toBe(200);
    for (const [path, body] of [
      ['/api/auth/confirm-email', { token: waysIn.confirm }],
      ['/api/auth/change-email', { token: waysIn.change }],
      ['/api/auth/reset-password', { token: waysIn.reset, password: newPassword }],
      ['/api/auth/link/login', { token: waysIn.link }],
    ] as const)
      expect((await browser.post(path, body)).status, path).toBe(400);
  });

  test('a session started by passkey must set a password to prove the email; other passkeys end', async () => {
    const testShop = await openTestShop(fresh);
    const waysIn = await prepareWaysIn(testShop);
    const otherPasskey = await addPasskey(waysIn.browser);
    const { browser } = await signInByPasskey(testShop, waysIn.key);
    const clickedResponse = await browser.post('/api/auth/confirm-email', { token: waysIn.confirm });
    expect(clickedResponse.json.code).toBe('new-password-needed');
    const setResponse = await browser.post('/api/auth/confirm-email', { token: waysIn.confirm, password: newPassword });
    expect(setResponse.json, setResponse.text).toMatchObject({ customer: { emailConfirmed: true } });
    expect(await isSignedIn(browser)).toBe(true);
    expect((await signInByPassword(testShop, strangersPassword)).status).toBe(401);
    expect((await signInByPasskey(testShop, otherPasskey)).status).toBe(401);
    expect((await signInByPasskey(testShop, waysIn.key)).status).toBe(200);
  });

  test('a sign-in link for an unproven email requires a new password and ends all other access', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    const waysIn = await prepareWaysIn(testShop);
    const ownersBrowser = testShop.browser();
    const openedResponse = await ownersBrowser.get(`/api/auth/mailed-link?purpose=sign-in&token=${waysIn.link}`);
    expect(openedResponse.json).toEqual({ email: anna.email, needs: 'password' });
    const clickedResponse = await ownersBrowser.post('/api/auth/link/login', { token: waysIn.link });
    expect([clickedResponse.status, clickedResponse.json.code]).toEqual([409, 'new-password-needed']);
    expect(await isSignedIn(ownersBrowser)).toBe(false);
    const setResponse = await ownersBrowser.post('/api/auth/link/login', { token: waysIn.link, password: newPassword });
    expect(setResponse.json, setResponse.text).toMatchObject({ customer: { emailConfirmed: true } });
    expect([await isSignedIn(ownersBrowser), await countOrdersSeenBy(ownersBrowser)]).toEqual([true, 1]);
    await expectAllShut(testShop, waysIn);
    // The address is proven now: the next link needs only one click, in any browser, and ends no session.
    await mailSignInLink(testShop.shop, anna.email);
    const token = await readEmailToken(testShop, 'sign-in-link', 'signInUrl');
    const phoneBrowser = testShop.browser();
    expect((await phoneBrowser.get(`/api/auth/mailed-link?purpose=sign-in&token=${token}`)).json.needs).toBe('click');
    expect((await phoneBrowser.post('/api/auth/link/login', { token })).status).toBe(200);
    expect([await isSignedIn(phoneBrowser), await isSignedIn(ownersBrowser)]).toEqual([true, true]);
  });

  test('a password reset by email proves the address, adds its guest orders and ends all other access', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    const waysIn = await prepareWaysIn(testShop);
    const resetResponse = await testShop
      .browser()
      .post('/api/auth/reset-password', { token: waysIn.reset, password: newPassword });
    expect(resetResponse.status, resetResponse.text).toBe(200);
    await expectAllShut(testShop, waysIn);
    const { browser, status } = await signInByPassword(testShop, newPassword);
    expect([status, await countOrdersSeenBy(browser)]).toEqual([200, 1]);
  });

  test('an account changes to a buyer’s email only after a click in a browser that is signed in to the account', async () => {
    const testShop = await openTestShop(fresh);
    const strangersBrowser = await signUp(testShop, { ...stranger, email: 'sly@example.com' });
    await strangersBrowser.post('/api/auth/confirm-email', { token: await readConfirmationToken(testShop) });
    const requestedResponse = await strangersBrowser.post('/api/account/email', { email: anna.email });
    expect(requestedResponse.status, requestedResponse.text).toBe(200);
    const emailChangeToken = await readEmailToken(testShop, 'email-change', 'confirmUrl');
    // The buyer finds the mail and clicks while signed out, or signed in to another account.
    const carlasBrowser = await signUp(testShop, { ...stranger, email: 'carla@example.com' });
    for (const browser of [testShop.browser(), carlasBrowser]) {
      const openedResponse = await browser.get(`/api/auth/mailed-link?purpose=email-change&token=${emailChangeToken}`);
      expect(openedResponse.json, openedResponse.text).toEqual({ email: anna.email, needs: 'sign-in' });
      const clickedResponse = await browser.post('/api/auth/change-email', { token: emailChangeToken });
      expect([clickedResponse.status, clickedResponse.json.code]).toEqual([403, 'sign-in-to-account']);
    }
    expect((await strangersBrowser.get('/api/auth/user')).json.email).toBe('sly@example.com');
    await buyAndVerify(testShop.browser());
    expect(await countOrdersSeenBy(strangersBrowser)).toBe(0);
    const buyer = testShop.browser();
    expect((await finishRegistrationBy(buyer, await readRegistrationToken(testShop))).status).toBe(200);
    expect(await countOrdersSeenBy(buyer)).toBe(1);
    // The address has a proven account now, so no click can give it to another account.
    expect((await strangersBrowser.post('/api/auth/change-email', { token: emailChangeToken })).json.code).toBe(
      'email-taken',
    );
    expect(await countOrdersSeenBy(strangersBrowser)).toBe(0);
  });

  test('an email change adds the guest orders of the new email and ends all other access', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    await signUp(testShop, { ...stranger, email: 'new@example.com' }); // an unproven account does not reserve the address
    await buyAndVerify(testShop.browser(), { customerDetails: { ...anna, email: 'new@example.com' } });
    const otherBrowser = (await signInByPassword(testShop, annasPassword)).browser;
    const authenticator = await addPasskey(otherBrowser);
    await browser.post('/api/account/email', { email: 'new@example.com' });
    const emailChangeToken = await readEmailToken(testShop, 'email-change', 'confirmUrl');
    expect((await browser.get(`/api/auth/mailed-link?purpose=email-change&token=${emailChangeToken}`)).json).toEqual({
      email: 'new@example.com',
      needs: 'click',
    });
    const clickedResponse = await browser.post('/api/auth/change-email', { token: emailChangeToken });
    expect(clickedResponse.status, clickedResponse.text).toBe(200);
    expect([await isSignedIn(browser), await isSignedIn(otherBrowser)]).toEqual([true, false]);
    expect((await signInByPasskey(testShop, authenticator)).status).toBe(401);
    expect(await countOrdersSeenBy(browser)).toBe(2);
    expect((await signInByPassword(testShop, annasPassword, 'new@example.com')).status).toBe(200);
    expect((await signInByPassword(testShop, strangersPassword, 'new@example.com')).status).toBe(401);
  });

  test('a second sign-up replaces an unproven account with the same email if it has no orders', async () => {
    const testShop = await openTestShop(fresh);
    const waysIn = await prepareWaysIn(testShop);
    const annasBrowser = await signUp(testShop, { ...anna, password: annasPassword });
    expect((await annasBrowser.get('/api/auth/user')).json).toMatchObject({ firstName: 'Anna', emailConfirmed: false });
    await expectAllShut(testShop, waysIn);
    expect(
      (await annasBrowser.post('/api/auth/confirm-email', { token: await readConfirmationToken(testShop) })).status,
    ).toBe(200);
    // Anna has proven the address: another sign-up is refused, and a purchase needs no registration.
    const repeatedResponse = await testShop.browser().post('/api/auth/register', stranger);
    expect([repeatedResponse.status, repeatedResponse.json.code]).toEqual([409, 'email-taken']);
    expect(repeatedResponse.json.message).toBe('An account with this email already exists. Please sign in instead.');
    expect((await buyAndVerify(testShop.browser())).verified.json.needsRegistration).toBe(false);
    expect(await countOrdersSeenBy(annasBrowser)).toBe(1);
  });

  test('a sign-up does not replace an unproven account with orders; a reset link is emailed instead', async () => {
    const testShop = await openTestShop(fresh);
    const firstBrowser = await signUp(testShop, { ...anna, password: annasPassword });
    await buyAndVerify(firstBrowser);
    const repeatedResponse = await testShop.browser().post('/api/auth/register', stranger);
    expect([repeatedResponse.status, repeatedResponse.json.code]).toEqual([409, 'email-unconfirmed']);
    expect((await readWaitingJobs(testShop.shop.db, 'mail-password-reset')).map((job) => job.data['email'])).toEqual([
      anna.email,
    ]);
    const guest = testShop.browser();
    expect((await buyAndVerify(guest)).verified.json.needsRegistration).toBe(true);
    expect((await guest.get('/api/registration/context')).json.code).toBe('email-unconfirmed');
    expect((await finishRegistrationBy(guest)).json.code).toBe('email-unconfirmed');
    expect([await isSignedIn(firstBrowser), await countOrdersSeenBy(firstBrowser)]).toEqual([true, 1]);
    // The receipt's link proves the address. The new account then has both orders.
    expect((await guest.get(`/api/registration/context?token=${await readRegistrationToken(testShop)}`)).status).toBe(
      200,
    );
    expect((await finishRegistrationBy(guest, await readRegistrationToken(testShop))).status).toBe(200);
    expect(await countOrdersSeenBy(guest)).toBe(2);
    expect(await isSignedIn(firstBrowser)).toBe(false);
  });

  test('an unproven account can use its orders; the account that proves the email gets them', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await signUp(testShop, { ...anna, password: annasPassword });
    await buyAndVerify(browser);
    const [frame] = await fetchFrames(browser);
    expect((await uploadTo(browser, frame!.deviceId)).status).toBe(200);
    await testShop.shop.db.execute(sql`update customers set reupload_credits = 2`);
    const { id } = (await browser.get('/api/auth/user')).json;
    // After a password reset in another browser, everything is in an account with a new id.
    await mailPasswordReset(testShop.shop, anna.email);
    const token = await readEmailToken(testShop, 'password-reset', 'resetUrl');
    expect((await testShop.browser().post('/api/auth/reset-password', { token, password: newPassword })).status).toBe(
      200,
    );
    const phoneBrowser = (await signInByPassword(testShop, newPassword)).browser;
    expect(await countOrdersSeenBy(phoneBrowser)).toBe(1);
    expect((await fetchFrames(phoneBrowser))[0]).toMatchObject({ usedPhotos: 1 });
    expect((await phoneBrowser.get('/api/auth/user')).json.id).not.toBe(id);
    expect((await findCustomerByEmail(testShop.shop.db, anna.email))!.reuploadCredits).toBe(2);
    const { rows } = await testShop.shop.db.execute(sql`select account_id, order_count::int as count from people`);
    expect(rows).toEqual([{ account_id: expect.not.stringMatching(id), count: 1 }]);
  });

  test('when an account is replaced, its order with another email address is offered to that address by email', async () => {
    const testShop = await openTestShop(fresh);
    const browserWithMistypedEmail = await signUp(testShop, {
      ...anna,
      email: 'ana@example.com',
      password: annasPassword,
    });
    await buyAndVerify(browserWithMistypedEmail, { customerDetails: anna });
    await buyAndVerify(browserWithMistypedEmail, { customerDetails: { ...anna, email: 'ana@example.com' } });
    const [frame] = (await fetchFrames(browserWithMistypedEmail)).toReversed();
    expect((await uploadTo(browserWithMistypedEmail, frame!.deviceId)).status).toBe(200);
    const readersBrowser = testShop.browser(); // a person who owns ana@example.com and opens the mail about the account
    const token = await readConfirmationToken(testShop);
    expect((await readersBrowser.post('/api/auth/confirm-email', { token, password: newPassword })).status).toBe(200);
    expect(await countOrdersSeenBy(readersBrowser)).toBe(1);
    const emails = await waitAndReadEmails(testShop, 'finish-registration:');
    expect(emails.map((mail) => mail.to)).toEqual([anna.email]);
    const annasBrowser = testShop.browser();
    const finishResponse = await finishRegistrationBy(
      annasBrowser,
      readTokenFromUrl(emails[0]!.content.finishRegistrationUrl),
    );
    expect(finishResponse.json, finishResponse.text).toMatchObject({
      customer: { email: anna.email, emailConfirmed: true },
    });
    expect(await countOrdersSeenBy(annasBrowser)).toBe(1);
    const { rows } = await testShop.shop.db.execute(
      sql`select email, order_count::int as count from people order by email`,
    );
    expect(rows).toEqual([
      { email: 'ana@example.com', count: 1 },
      { email: anna.email, count: 1 },
    ]);
  });

  test('a payment becomes a guest order if an unproven account is replaced before the payment settles', async () => {
    const testShop = await openTestShop(fresh);
    const strangersBrowser = await signUp(testShop);
    const intent = await startPayment(strangersBrowser, { customerDetails: { ...anna, email: 'sly@example.com' } });
    await pay(strangersBrowser, intent);
    await mailPasswordReset(testShop.shop, anna.email);
    const token = await readEmailToken(testShop, 'password-reset', 'resetUrl');
    expect((await testShop.browser().post('/api/auth/reset-password', { token, password: newPassword })).status).toBe(
      200,
    );
    await requestVerification(strangersBrowser, intent.paymentIntentId);
    expect(await countOrdersSeenBy((await signInByPassword(testShop, newPassword)).browser)).toBe(0);
    const { rows } = await testShop.shop.db.execute(sql`select email, customer_id from orders`);
    expect(rows).toEqual([{ email: 'sly@example.com', customer_id: null }]);
    expect((await waitAndReadEmails(testShop, 'receipt:')).at(-1)!.content.finishRegistrationUrl).toBeDefined();
  });

  test('sends at most three confirmation emails per hour to an address with which strangers sign up', async () => {
    const testShop = await openTestShop(fresh);
    for (let i = 0; i < 3; i++) await signUp(testShop);
    const fourthResponse = await testShop.browser().post('/api/auth/register', stranger);
    expect(fourthResponse.json.code).toBe('too-many-requests');
    expect(await readQueuedMails(testShop.shop.db, 'email-confirmation:')).toHaveLength(3);
    // The limit does not block a buyer.
    const buyer = testShop.browser();
    await buyAndVerify(buyer);
    expect((await finishRegistrationBy(buyer)).status).toBe(200);
    expect(await readQueuedMails(testShop.shop.db, 'email-confirmation:')).toHaveLength(3);
  });
});

/** The rows that change when an email is proven: accounts, sessions, passkeys, links, orders and mails. */
async function readAccountRows(it: TestShop) {
  const rows = await readAllTables(it.shop.db);
  return ['customers', 'sessions', 'passkeys', 'email_changes', 'tokens', 'orders', 'mails'].map(
    (table) => rows[table],
  );
}

describeOnPostgres((fresh) => {
  const countSuccesses = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length;

  test('when several browsers prove one email at the same time, one succeeds, the others get no access', async () => {
    const testShop = await openTestShop(fresh);
    for (let round = 0; round < 6; round++) {
      const email = `anna-${round}@example.com`;
      await buyAndVerify(testShop.browser(), { customerDetails: { ...anna, email } });
      const strangersBrowser = await signUp(testShop, { ...stranger, email });
      await mailPasswordReset(testShop.shop, email);
      const emails = (await waitAndReadEmails(testShop)).filter((mail) => mail.to === email);
      const confirmationToken = readTokenFromUrl(
        emails.find((mail) => mail.content?.kind === 'email-confirmation')!.content.confirmUrl,
      );
      const resetToken = readTokenFromUrl(
        emails.find((mail) => mail.content?.kind === 'password-reset')!.content.resetUrl,
      );
      const ownersBrowser = testShop.browser();
      const responses = await Promise.all([
        strangersBrowser.post('/api/auth/confirm-email', { token: confirmationToken }),
        ownersBrowser.post('/api/auth/confirm-email', { token: confirmationToken, password: newPassword }),
        testShop.browser().post('/api/auth/reset-password', { token: resetToken, password: newPassword }),
      ]);
      expect(countSuccesses(responses), responses.map((it) => it.text).join('\n')).toBe(1);
      for (const { status } of responses) expect([200, 400]).toContain(status);
      const seenOrders = [
        await countOrdersSeenBy(strangersBrowser),
        await countOrdersSeenBy(ownersBrowser),
        await countOrdersSeenBy((await signInByPassword(testShop, newPassword, email)).browser),
      ];
      // Only the request that succeeded gets the order. The other browsers are not signed in to its account.
      expect(seenOrders).toEqual(
        [
          [1, 0, 0],
          [0, 1, 1],
          [0, 0, 1],
        ][responses.findIndex(({ status }) => status === 200)],
      );
    }
  });

  test('simultaneous confirmation and registration leave one account; only one browser sees its order', async () => {
    const testShop = await openTestShop(fresh);
    for (let round = 0; round < 6; round++) {
      const email = `anna-${round}@example.com`;
      const buyer = testShop.browser();
      await buyAndVerify(buyer, { customerDetails: { ...anna, email } });
      const strangersBrowser = await signUp(testShop, { ...stranger, email });
      const emails = (await waitAndReadEmails(testShop)).filter((mail) => mail.to === email);
      const confirmationToken = readTokenFromUrl(
        emails.find((mail) => mail.content?.kind === 'email-confirmation')!.content.confirmUrl,
      );
      const registrationToken = readTokenFromUrl(
        emails.find((mail) => mail.content?.kind === 'receipt')!.content.finishRegistrationUrl,
      );
      const browserFromMail = testShop.browser();
      const responses = await Promise.all([
        strangersBrowser.post('/api/auth/confirm-email', { token: confirmationToken }),
        finishRegistrationBy(buyer),
        finishRegistrationBy(browserFromMail, registrationToken),
      ]);
      for (const { status, text } of responses) expect([200, 400, 404, 409], text).toContain(status);
      const { rows } = await testShop.shop.db.execute(
        sql`select customers.id from orders join customers on customers.id = orders.customer_id where orders.email = ${email}`,
      );
      expect(rows).toHaveLength(1);
      expect(await testShop.shop.db.$count(sql`customers where email = ${email}`)).toBe(1);
      const seenOrders = await Promise.all([strangersBrowser, buyer, browserFromMail].map(countOrdersSeenBy));
      expect(
        seenOrders.reduce((sum, it) => sum + it, 0),
        seenOrders.join(),
      ).toBe(1);
    }
  });

  test('simultaneous sign-ups with one email leave one account and one session', async () => {
    const testShop = await openTestShop(fresh);
    const browsers = Array.from({ length: 5 }, () => testShop.browser());
    const responses = await Promise.all(browsers.map((browser) => browser.post('/api/auth/register', stranger)));
    for (const { status, text } of responses) expect([200, 429], text).toContain(status);
    expect(await countRows(testShop.shop.db, 'customers')).toBe(1);
    expect(await countRows(testShop.shop.db, 'sessions')).toBe(1);
    expect((await readQueuedMails(testShop.shop.db)).length).toBe(countSuccesses(responses));
  });

  test('a sign-up with the email of an unproven account waits while an order of the account is placed', async () => {
    const testShop = await openTestShop(fresh);
    for (let round = 0; round < 4; round++) {
      const email = `anna-${round}@example.com`;
      const firstBrowser = await signUp(testShop, { ...anna, email, password: annasPassword });
      const intent = await startPayment(firstBrowser, { customerDetails: { ...anna, email } });
      await pay(firstBrowser, intent);
      const [paid, second] = await Promise.all([
        requestVerification(firstBrowser, intent.paymentIntentId),
        testShop.browser().post('/api/auth/register', { ...stranger, email }),
      ]);
      expect(paid.status, paid.text).toBe(200);
      expect([200, 409]).toContain(second.status);
      const { rows } = await testShop.shop.db.execute(
        sql`select customer_id, exists (select from customers where id = customer_id) as "isThere" from orders where email = ${email}`,
      );
      // The order belongs to the account that paid, or to a guest if that account was replaced first.
      if (second.status === 409) expect(rows).toMatchObject([{ isThere: true }]);
      else expect(rows).toMatchObject([{ customer_id: null }]);
    }
  });
});
