import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { anyEngine, eachEngine, onPostgres } from '#test/database.ts';
import { sentLetters } from '#test/letters.ts';
import { anna, annaOwns, annasPassword, buy } from '#test/people.ts';
import { countOf, everyRow, queuedMails, waitingJobs } from '#test/rows.ts';
import { openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { accountOf, mailPasswordReset, signIn } from './accounts.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const ben = { firstName: 'Ben', lastName: 'Ode', email: 'ben@example.com', password: 'Kite-over-sea-4' };
const signInAs = (browser: Browser, { email, password }: { email: string; password: string }) =>
  browser.post('/api/auth/login', { email, password });
const isSignedIn = async (browser: Browser) => (await browser.get('/api/auth/user')).status === 200;
const ordersSeenBy = async (browser: Browser) => (await browser.get('/api/order-summary')).json.orders.length as number;
const tokenIn = (url: string) => new URL(url).searchParams.get('token')!;
async function tokenOfMail(it: TestShop, kind: string, field: string, which = -1): Promise<string> {
  return tokenIn((await sentLetters(it, `${kind}:`)).at(which)!.content[field]);
}
const registered = async (it: TestShop, person = ben) => {
  const browser = it.browser();
  const answer = await browser.post('/api/auth/register', person);
  expect(answer.status, answer.text).toBe(200);
  return browser;
};

eachEngine((fresh) => {
  test('signing up signs in, mails a confirmation, and is one account an e-mail however it is typed', async () => {
    const it = await openTestShop(fresh);
    const browser = await registered(it, { ...ben, firstName: '  Ben ', email: '  BEN@Example.com ' });
    expect((await browser.get('/api/auth/user')).json).toMatchObject({
      email: 'ben@example.com',
      firstName: 'Ben',
      emailConfirmed: false,
    });
    expect(await queuedMails(it.shop.db)).toMatchObject([
      { to: 'ben@example.com', content: { kind: 'email-confirmation' } },
    ]);
    for (const email of ['ben@example.com', 'Ben@EXAMPLE.com', ' ben@example.com']) {
      const again = await it.browser().post('/api/auth/register', { ...ben, email });
      expect([again.status, again.json.code]).toEqual([409, 'email-taken']);
    }
    expect((await signInAs(it.browser(), { ...ben, email: ' Ben@Example.COM ' })).status).toBe(200);
    expect(await countOf(it.shop.db, 'customers')).toBe(1);
  });

  test('guest orders of an e-mail join its account when the mailed link is opened, and not before', async () => {
    const it = await openTestShop(fresh);
    await buy(it.browser());
    const browser = await registered(it, { ...ben, email: anna.email });
    expect(await ordersSeenBy(browser)).toBe(0);
    // One bought after that says so by mail: the first letter may be long lost.
    await buy(it.browser());
    expect((await queuedMails(it.shop.db, 'email-confirmation:')).map((mail) => mail.to)).toEqual([
      anna.email,
      anna.email,
    ]);
    expect(await ordersSeenBy(browser)).toBe(0);
    expect((await browser.get('/api/customer/frames')).json.frameInfo).toMatchObject({
      hasOrders: false,
      hasFrames: false,
    });
    const token = await tokenOfMail(it, 'email-confirmation', 'confirmUrl');
    expect((await it.browser().post('/api/auth/confirm-email', { token: `${token}x` })).json.code).toBe(
      'confirmation-link-invalid',
    );
    expect((await it.browser().post('/api/auth/confirm-email', { token })).status).toBe(200); // on the phone, signed in nowhere
    expect(await ordersSeenBy(browser)).toBe(2);
    expect((await browser.get('/api/auth/user')).json.emailConfirmed).toBe(true);
    expect((await it.browser().post('/api/auth/confirm-email', { token })).json.code).toBe('confirmation-link-invalid');
    // From now on the mailbox is known, so the next guest purchase is theirs at once; nobody is signed in by it.
    const guest = it.browser();
    expect((await buy(guest)).verified.json).toMatchObject({ success: true, needsRegistration: false });
    expect(await isSignedIn(guest)).toBe(false);
    expect(await ordersSeenBy(browser)).toBe(3);
  });
});

anyEngine((fresh) => {
  test('a wrong password and an unknown e-mail are the same no', async () => {
    const it = await openTestShop(fresh);
    await registered(it);
    const wrong = await signInAs(it.browser(), { ...ben, password: 'not-his-password' });
    const unknown = await signInAs(it.browser(), { email: 'nobody@example.com', password: 'not-his-password' });
    const without = ({ json: { requestId: _, ...rest } }: { json: Record<string, unknown> }) => rest;
    expect(wrong.status).toBe(401);
    expect(without(wrong)).toEqual(without(unknown));
    expect(wrong.json.message).toBe('Invalid email or password.');
    expect(Object.keys(wrong.headers).toSorted()).toEqual(Object.keys(unknown.headers).toSorted());
  });

  test('every sign-in begins a new session, ends the one the browser brought, and signing out ends it for good', async () => {
    const it = await openTestShop(fresh);
    const browser = await registered(it);
    const ids = [browser.cookies.get('sid')!];
    for (let i = 0; i < 2; i++) {
      await signInAs(browser, ben);
      ids.push(browser.cookies.get('sid')!);
    }
    expect(new Set(ids).size).toBe(3);
    const holder = (sid: string) => {
      const thief = it.browser();
      thief.cookies.set('sid', sid);
      return thief;
    };
    expect(await Promise.all(ids.map((sid) => isSignedIn(holder(sid))))).toEqual([false, false, true]);
    const before = browser.cookies.get('sid')!;
    await browser.post('/api/auth/register', { ...ben, email: 'bens-other@example.com' });
    expect([await isSignedIn(holder(before)), await isSignedIn(browser)]).toEqual([false, true]);
    await signInAs(browser, ben);
    ids[2] = browser.cookies.get('sid')!;
    const planted = it.browser();
    planted.cookies.set('sid', 'chosen-by-an-attacker');
    await signInAs(planted, ben);
    expect(planted.cookies.get('sid')).toMatch(/^[\w-]{43}$/);
    expect((await browser.post('/api/auth/logout')).status).toBe(200);
    expect(browser.cookies.has('sid')).toBe(false);
    expect(await isSignedIn(holder(ids[2]))).toBe(false);
    expect(await isSignedIn(planted)).toBe(true); // another browser stays
    expect((await it.browser().post('/api/auth/logout')).status).toBe(200); // signed in nowhere
  });

  test('a session ends after 7 idle days, and after 30 however busy', async () => {
    const it = await openTestShop(fresh);
    const idle = await registered(it);
    it.clock.advance(6.9 * day);
    expect(await isSignedIn(idle)).toBe(true);
    it.clock.advance(6.9 * day);
    expect(await isSignedIn(idle)).toBe(true); // the visit counted
    it.clock.advance(7 * day + minute);
    expect(await isSignedIn(idle)).toBe(false);
    const busy = it.browser();
    await signInAs(busy, ben);
    for (let i = 0; i < 29; i++) {
      it.clock.advance(day);
      expect(await isSignedIn(busy)).toBe(true);
    }
    it.clock.advance(day + minute);
    expect(await isSignedIn(busy)).toBe(false);
  });

  test('a deleted customer is signed in nowhere', async () => {
    const it = await openTestShop(fresh);
    const browser = await registered(it);
    await it.shop.db.execute(sql`delete from customers where email = ${ben.email}`);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await countOf(it.shop.db, 'sessions')).toBe(0);
  });

  test('no token and no password lies in the database as it is', async () => {
    const it = await openTestShop(fresh);
    const { browser, session } = await annaOwns(it);
    await buy(it.browser(), { customerDetails: { ...anna, email: ben.email } });
    await mailPasswordReset(it.shop, anna.email);
    const waiting = JSON.stringify(await everyRow(it.shop.db));
    const letters = await sentLetters(it);
    const mailed = [...JSON.stringify(letters).matchAll(/(?:token|session)=([\w-]+)/g)].map((it2) => it2[1]!);
    expect(mailed).toHaveLength(5); // both orders' pages, one registration, a confirmation, a reset
    const kept = waiting + JSON.stringify(await everyRow(it.shop.db));
    const cookies = [browser.cookies.get('sid')!, browser.cookies.get('checkout')!];
    for (const secret of [session, annasPassword, ...cookies, ...mailed]) {
      expect(secret.length).toBeGreaterThan(10);
      expect(kept).not.toContain(secret);
    }
    expect(kept).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  });

  test('a forgotten password: the same answer for everyone, the newest link works once, for an hour, and ends every session', async () => {
    const it = await openTestShop(fresh);
    const { db } = it.shop;
    const browser = await registered(it);
    const ask = (email: string) => it.browser().post('/api/auth/forgot-password', { email });
    const [known, unknown] = [await ask(' BEN@example.com'), await ask('nobody@example.com')];
    expect(known.text).toBe(unknown.text);
    expect(known.json.message).toBe('If an account exists, a password reset link has been sent to your email.');
    const jobs = await waitingJobs(db, 'mail-password-reset');
    expect(jobs.map((job) => job.data['email'])).toEqual(['ben@example.com', 'nobody@example.com']);
    for (const job of [...jobs, jobs[0]!]) await mailPasswordReset(it.shop, job.data['email'] as string);

    const mails = await sentLetters(it, 'password-reset:');
    expect(mails.map((mail) => mail.to)).toEqual(['ben@example.com', 'ben@example.com']);
    const [older, newest] = mails.map((mail) => tokenIn(mail.content.resetUrl));
    expect(mails[0]!.content.resetUrl).toMatch(/^http:\/\/localhost:3999\/auth\/reset-password\?token=/);
    const reset = (token: string, password: string) =>
      it.browser().post('/api/auth/reset-password', { token, password });
    expect((await reset(older!, 'Another-field-9')).json.code).toBe('reset-link-invalid');
    for (const first of ['password', ben.email, 'bbbbbbbb'])
      expect((await reset(newest!, first)).json.code).toBe('common-password'); // and the link still works
    await db.execute(sql`update tokens set expires_at = now() + interval '1 second' where purpose = 'password-reset'`);
    expect((await reset(newest!, 'Another-field-9')).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await reset(newest!, 'A-third-one-5')).json.code).toBe('reset-link-invalid');
    expect((await signInAs(it.browser(), ben)).status).toBe(401);
    const back = it.browser();
    expect((await signInAs(back, { ...ben, password: 'Another-field-9' })).status).toBe(200);
    expect((await back.get('/api/auth/user')).json.emailConfirmed).toBe(true); // whoever read the mail owns the box
  });

  test('a reset link is dead after its hour, and opens nothing but a reset', async () => {
    const it = await openTestShop(fresh);
    await registered(it);
    await mailPasswordReset(it.shop, ben.email);
    const token = await tokenOfMail(it, 'password-reset', 'resetUrl');
    const { rows } = await it.shop.db.execute(
      sql`select extract(epoch from expires_at - now()) as left from tokens where purpose = 'password-reset'`,
    );
    expect(Math.round(Number(rows[0]!['left']) / 60)).toBe(60);
    expect((await it.browser().post('/api/auth/confirm-email', { token })).status).toBe(400);
    expect((await it.browser().get(`/api/registration/context?token=${token}`)).status).toBe(404);
    expect((await it.browser().get(`/api/user?session=${token}`)).text).toBe('null');
    const confirmation = await tokenOfMail(it, 'email-confirmation', 'confirmUrl');
    const reset = (it2: string) =>
      it.browser().post('/api/auth/reset-password', { token: it2, password: 'Another-field-9' });
    expect((await reset(confirmation)).json.code).toBe('reset-link-invalid');
    await it.shop.db.execute(sql`update tokens set expires_at = now() where purpose = 'password-reset'`);
    expect((await reset(token)).json.code).toBe('reset-link-invalid');
  });

  test('nobody’s mailbox is flooded: three reset mails an hour', async () => {
    const it = await openTestShop(fresh);
    await registered(it);
    for (let i = 0; i < 5; i++) await mailPasswordReset(it.shop, ben.email);
    expect(await queuedMails(it.shop.db, 'password-reset:')).toHaveLength(3);
    const newest = await tokenOfMail(it, 'password-reset', 'resetUrl');
    expect(
      (await it.browser().post('/api/auth/reset-password', { token: newest, password: 'Another-field-9' })).status,
    ).toBe(200);
  });

  test('of many tries at once each waits its own time, and the right password among them still gets in', async () => {
    const it = await openTestShop(fresh);
    await registered(it);
    const { db, clock } = it.shop;
    const tries = async (count: number, form: { password: string; address: (place: number) => string }) => {
      const waits: number[] = [];
      const wait = async (ms: number) => void waits.push(ms);
      const one = (place: number) =>
        signIn({ db, clock, wait }, { email: ben.email, password: form.password, address: form.address(place) });
      const done = await Promise.allSettled(Array.from({ length: count }, (_, place) => one(place)));
      return {
        waits: waits.toSorted((a, b) => a - b),
        signedIn: done.filter((it2) => it2.status === 'fulfilled').length,
      };
    };
    const growing = [0, 0, 0, 0, 250, 500, 1000, 2000, 4000, ...Array<number>(11).fill(8000)];
    const wrong = await tries(20, { password: 'wrong', address: (place) => `192.0.2.${place}` }); // one account
    expect(wrong).toEqual({ waits: growing, signedIn: 0 });
    const right = await tries(1, { password: ben.password, address: () => '198.51.100.1' });
    expect(right).toEqual({ waits: [8000], signedIn: 1 }); // the longest there is: nobody is shut out
    expect(await tries(20, { password: 'wrong', address: () => '203.0.113.5' })).toEqual(wrong); // forgiven, from the start
  });

  test('failed sign-ins make the next ones wait longer, by account and by address, and a good one is forgiven', async () => {
    const it = await openTestShop(fresh);
    await registered(it);
    const { db, clock } = it.shop;
    const waits: number[] = [];
    const wait = async (ms: number) => void waits.push(ms);
    const tryIn = async (password: string, { email = ben.email, address = '192.0.2.1' } = {}) => {
      const done = await signIn({ db, clock, wait }, { email, password, address }).catch(() => undefined);
      return [waits.at(-1), done !== undefined];
    };
    const answers = [];
    for (let i = 0; i < 12; i++) answers.push(await tryIn('wrong'));
    expect(answers.map(([ms]) => ms)).toEqual([0, 0, 0, 0, 250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(await tryIn('wrong', { address: '192.0.2.2' })).toEqual([8000, false]); // the account, from elsewhere
    expect(await tryIn('wrong', { email: 'other@example.com' })).toEqual([8000, false]); // the address, for another account
    expect(await tryIn('wrong', { email: 'third@example.com', address: '192.0.2.3' })).toEqual([0, false]); // neither
    expect(await tryIn(ben.password)).toEqual([8000, true]); // slower, never locked
    expect(await tryIn(ben.password)).toEqual([0, true]);
    for (let i = 0; i < 6; i++) await tryIn('wrong');
    clock.now = it.clock.now;
    it.clock.advance(16 * minute);
    expect(await tryIn('wrong')).toEqual([0, false]);
    expect(await tryIn('wrong')).toEqual([0, false]); // and counted from the start
  });

  test('the first passwords a stranger would try are refused', async () => {
    const it = await openTestShop(fresh);
    const tryPassword = async (password: string) =>
      (await it.browser().post('/api/auth/register', { ...ben, password })).json.code as string | undefined;
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
    expect(await countOf(it.shop.db, 'customers')).toBe(0);
    expect(await tryPassword('Cafe\u0301-au-lait')).toBeUndefined();
    expect((await signInAs(it.browser(), { ...ben, password: 'Caf\u00e9-au-lait' })).status).toBe(200); // another keyboard, the same password
  });

  test('finishing registration is for the browser that paid, or the link in the receipt', async () => {
    const it = await openTestShop(fresh);
    const buyer = it.browser();
    await buy(buyer);
    const other = it.browser();
    await buy(other, { customerDetails: { ...anna, email: ben.email } });
    const strangers = [it.browser(), it.browser()];
    strangers[1]!.cookies.set('checkout', 'x'.repeat(43));
    for (const stranger of strangers) {
      for (const query of ['', '?token=', '?token=wrong'])
        expect((await stranger.get(`/api/registration/context${query}`)).json).toMatchObject({
          code: 'registration-expired',
          message: 'Registration session not found or expired',
        });
      expect((await stranger.post('/api/complete-registration', { password: annasPassword })).status).toBe(404);
      expect(
        (await stranger.post('/api/complete-registration', { password: annasPassword, token: 'wrong' })).status,
      ).toBe(404);
    }
    expect((await buyer.get('/api/registration/context')).json.customer).toEqual({
      firstName: 'Anna',
      lastName: 'Keller',
      email: anna.email,
    });
    expect((await other.get('/api/registration/context')).json.customer.email).toBe(ben.email); // each their own
    expect(await countOf(it.shop.db, 'customers')).toBe(0);
    expect((await buyer.post('/api/complete-registration', { password: 'Kinframe1' })).json.code).toBe(
      'common-password',
    );
    const receipts = await sentLetters(it, 'receipt:');
    const token = tokenIn(receipts.find((mail) => mail.to === anna.email)!.content.finishRegistrationUrl);
    const done = await buyer.post('/api/complete-registration', { password: annasPassword });
    expect(done.json).toMatchObject({ success: true, customer: { email: anna.email, emailConfirmed: false } });
    expect(await ordersSeenBy(buyer)).toBe(1);
    // Done is done: neither the cookie nor the mailed link opens it a second time.
    for (const [proof, browser] of [
      ['', buyer],
      [`?token=${token}`, it.browser()],
    ] as const)
      expect((await browser.get(`/api/registration/context${proof}`)).json).toMatchObject({
        code: 'registration-done',
        message: 'Your account is ready. Please sign in.',
      });
    expect((await it.browser().post('/api/complete-registration', { password: annasPassword, token })).json.code).toBe(
      'registration-done',
    );
  });

  test('the mailed link finishes registration on any machine, once, and proves the mailbox', async () => {
    const it = await openTestShop(fresh);
    await buy(it.browser());
    await buy(it.browser()); // bought twice, on two machines
    const token = await tokenOfMail(it, 'receipt', 'finishRegistrationUrl', 0);
    const browser = it.browser();
    expect((await browser.get(`/api/registration/context?token=${token}`)).json.customer.email).toBe(anna.email);
    const done = await browser.post('/api/complete-registration', { password: annasPassword, token });
    expect(done.json, done.text).toMatchObject({ success: true, customer: { emailConfirmed: true } });
    expect(await ordersSeenBy(browser)).toBe(2);
    // The receipt is opened again: its link is used up, and still knows what came of it.
    expect((await it.browser().get(`/api/registration/context?token=${token}`)).json.code).toBe('registration-done');
    expect((await it.browser().post('/api/complete-registration', { password: annasPassword, token })).json.code).toBe(
      'registration-done',
    );
  });

  test('someone who opened an account under a buyer’s e-mail gets nothing, and loses it to the receipt’s link', async () => {
    const it = await openTestShop(fresh);
    const squatter = await registered(it, { ...ben, email: anna.email });
    const buyer = it.browser();
    const { verified } = await buy(buyer);
    expect(verified.json).toMatchObject({ success: true, needsRegistration: false });
    expect(await ordersSeenBy(squatter)).toBe(0);
    // Having paid proves no mailbox: the browser alone cannot take the account.
    expect((await buyer.post('/api/complete-registration', { password: annasPassword })).json.code).toBe('email-taken');
    expect(await isSignedIn(squatter)).toBe(true);
    expect((await sentLetters(it, 'receipt:')).at(-1)!.content.isAccountUnconfirmed).toBe(true); // and says so
    const token = await tokenOfMail(it, 'receipt', 'finishRegistrationUrl');
    const done = await buyer.post('/api/complete-registration', { password: annasPassword, token });
    expect(done.json, done.text).toMatchObject({
      success: true,
      customer: { firstName: 'Anna', emailConfirmed: true },
    });
    expect(await isSignedIn(squatter)).toBe(false);
    expect((await signInAs(it.browser(), { ...ben, email: anna.email })).status).toBe(401);
    expect(await ordersSeenBy(buyer)).toBe(1);
    expect((await accountOf(it.shop.db, anna.email))!.lastName).toBe('Keller');
    expect(await countOf(it.shop.db, 'customers')).toBe(1);
  });

  test('a confirmed account is taken over by no receipt', async () => {
    const it = await openTestShop(fresh);
    await buy(it.browser());
    const receipt = await tokenOfMail(it, 'receipt', 'finishRegistrationUrl');
    const owner = await registered(it, { ...ben, email: anna.email });
    await owner.post('/api/auth/confirm-email', { token: await tokenOfMail(it, 'email-confirmation', 'confirmUrl') });
    expect(
      (await it.browser().post('/api/complete-registration', { password: annasPassword, token: receipt })).json.code,
    ).toBe('registration-done');
    expect((await signInAs(it.browser(), { ...ben, email: anna.email })).status).toBe(200);
    await buy(it.browser());
    expect((await sentLetters(it, 'receipt:')).at(-1)!.content.finishRegistrationUrl).toBeUndefined();
  });

  test('a signed-in buyer’s order is theirs, whatever e-mail it names', async () => {
    const it = await openTestShop(fresh);
    const { browser } = await annaOwns(it);
    await buy(browser, { customerDetails: { ...anna, email: 'gift@example.com' } });
    expect(await ordersSeenBy(browser)).toBe(2);
    expect((await browser.get('/api/auth/user')).json).toMatchObject({ email: anna.email });
  });

  test('an order-access token reads its own order, and opens nothing else', async () => {
    const it = await openTestShop(fresh);
    const { browser, session, frames } = await annaOwns(it);
    await buy(browser);
    const holder = it.browser();
    expect((await holder.get(`/api/order-summary?session=${session}`)).json.orders).toHaveLength(1);
    expect((await holder.get(`/api/user?session=${session}`)).json).toMatchObject({
      firstName: 'Anna',
      photoLimit: 20,
    });
    expect((await holder.get(`/api/uploads?session=${session}`)).json).toEqual([]);
    for (const path of ['/api/auth/user', '/api/frame-photo-limits', '/api/customer/frames'])
      expect((await holder.get(`${path}?session=${session}`)).status).toBe(401);
    expect(
      (await holder.post(`/api/uploads/finalize?session=${session}`, { deviceId: frames[0]!.deviceId })).status,
    ).toBe(401);
    holder.cookies.set('sid', session);
    expect(await isSignedIn(holder)).toBe(false);
    await it.shop.db.execute(sql`update tokens set expires_at = now() where purpose = 'order-access'`);
    expect((await holder.get(`/api/user?session=${session}`)).text).toBe('null');
  });
});

onPostgres((fresh) => {
  test('of many who register one e-mail at once, one does', async () => {
    const it = await openTestShop(fresh);
    const answers = await Promise.all(Array.from({ length: 5 }, () => it.browser().post('/api/auth/register', ben)));
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
    expect(await countOf(it.shop.db, 'sessions')).toBe(1);
    expect(await queuedMails(it.shop.db)).toHaveLength(1);
  });

  test('who signs in with the old password in the moment of its reset is not signed in after it', async () => {
    const it = await openTestShop(fresh);
    await registered(it);
    await mailPasswordReset(it.shop, ben.email);
    const token = await tokenOfMail(it, 'password-reset', 'resetUrl');
    await it.shop.db.execute(
      sql`create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return new; end $$`,
    );
    await it.shop.db.execute(sql`create trigger slow before insert on sessions for each row execute function slow()`);
    const thief = it.browser();
    const { email, password } = ben;
    const signingIn = thief.post('/api/auth/login', { email, password });
    await vi.waitFor(async () => {
      const { rows } = await it.shop.db.execute(
        sql`select from pg_stat_activity where query like 'insert into "sessions"%' and state = 'active'`,
      );
      expect(rows.length).toBeGreaterThan(0);
    });
    expect((await it.browser().post('/api/auth/reset-password', { token, password: 'Another-field-9' })).status).toBe(
      200,
    );
    await signingIn;
    expect(await isSignedIn(thief)).toBe(false);
  });

  test('one reset link resets once, and one finished registration makes one account, however many come at once', async () => {
    const it = await openTestShop(fresh);
    await registered(it);
    await mailPasswordReset(it.shop, ben.email);
    const token = await tokenOfMail(it, 'password-reset', 'resetUrl');
    const resets = await Promise.all(
      ['A', 'B', 'C', 'D'].map((it2) =>
        it.browser().post('/api/auth/reset-password', { token, password: `Field-of-${it2}-9` }),
      ),
    );
    expect(resets.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400]);
    const buyer = it.browser();
    await buy(buyer);
    const finish = await tokenOfMail(it, 'receipt', 'finishRegistrationUrl');
    const browsers = Array.from({ length: 4 }, (_, place) => {
      const browser = it.browser();
      if (place % 2 === 0) browser.cookies.set('checkout', buyer.cookies.get('checkout')!);
      return browser.post('/api/complete-registration', {
        password: annasPassword,
        ...(place % 2 === 1 && { token: finish }),
      });
    });
    const statuses = (await Promise.all(browsers)).map((answer) => answer.status);
    expect(statuses.filter((it2) => it2 === 200)).toHaveLength(1);
    expect(statuses.every((it2) => it2 < 500)).toBe(true);
    expect(await countOf(it.shop.db, 'customers')).toBe(2);
  });
});
