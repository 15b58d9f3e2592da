import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import type { Email, Mailer } from '#shop/ports/mailer.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { deleteOldData } from '#server/jobs/retention.ts';
import {
  describeOnFastestEngine,
  describeOnEachEngine,
  describeOnPostgres,
  waitUntilStatementWaits,
} from '#test/database.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { anna, buyFramesAsAnna, annasPassword, buyAndVerify, uploadTo } from '#test/people.ts';
import { countRows, readAllTables, readQueuedMails, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';
import { mailPasswordReset } from '../accounts/accounts.ts';
import { settleIntentById } from '../payments/settle.ts';
import { approveVideo } from '../production/production.ts';
import { markVideoFailed, renderVideo } from '../production/render.ts';
import {
  deleteMailContentAboutOrders,
  deleteMailContentNaming,
  deleteMailContentOfPerson,
  deleteSignInMailContent,
  sendMail,
} from './mail.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

async function signInAdmin(it: TestShop): Promise<Browser> {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  return admin;
}
const fetchOrderMails = async (admin: Browser, orderId: string) =>
  (await admin.get(`/api/admin/mails?orderId=${orderId}`)).json;
const readOnlyOrder = async (it: TestShop) => ((await readAllTables(it.shop.db))['orders'] as { id: string }[])[0]!.id;
const createMailScope = (it: TestShop, mailer = it.shop.mailer) => ({
  ...it.shop,
  mailer,
  from: it.shop.config.mailFrom,
  shop: it.shop.readEmailShop,
});

/** A fake mail server that refuses an email if `state.refuses` returns true for it. */
function createUnreliableMailer() {
  const acceptedEmails: Email[] = [];
  const mailerState = { refuses: (_: Email) => true };
  const mailer: Mailer = {
    kind: 'smtp',
    async send(message) {
      if (mailerState.refuses(message)) throw new Error('the mail server did not take it: 451 come back later');
      acceptedEmails.push(message);
    },
    check: async () => {},
  };
  return { mailer, taken: acceptedEmails, state: mailerState };
}

describeOnFastestEngine((fresh) => {
  test('queues one email per event, even if the event happens again, and each queued email can be sent', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const [payment] = (await readAllTables(testShop.shop.db))['payments'] as { intent_id: string }[];
    await settleIntentById(testShop.shop, payment!.intent_id);
    await mailPasswordReset(testShop.shop, anna.email);
    const { deviceId } = frames[0]!;
    for (let i = 0; i < 2; i++) await uploadTo(browser, deviceId);
    for (let i = 0; i < 2; i++) await browser.post('/api/uploads/finalize', { deviceId });
    const videos = (await readAllTables(testShop.shop.db))['videos'] as { id: string }[];
    const attempt = { signal: new AbortController().signal, isLastTry: false };
    for (let i = 0; i < 2; i++) await markVideoFailed(testShop.shop, { videoId: videos[0]!.id, take: 1 });
    await testShop.shop.db.execute(sql`update videos set state = 'queued'`);
    for (const { id } of videos) {
      await renderVideo({ ...testShop.shop, autoApproves: async () => false }, { videoId: id, take: 1 }, attempt);
      await approveVideo(testShop.shop, id);
      await approveVideo(testShop.shop, id).catch(() => {});
    }
    const question = {
      name: 'Anna Keller',
      email: anna.email,
      subject: 'Wi-Fi',
      message: 'Which networks does it find?',
      smsConsent: false,
    };
    expect((await browser.post('/api/support-tickets', question)).status).toBe(200);

    const emails = await waitAndReadEmails(testShop);
    expect(emails.map((mail) => mail.content.kind as string).toSorted()).toEqual([
      'email-confirmation',
      'finalized',
      'owner-failed-job',
      'owner-sale',
      'owner-ticket',
      'password-reset',
      'receipt',
      'ticket-received',
      'videos-ready',
    ]);
    const orderId = await readOnlyOrder(testShop);
    const { rows } = await testShop.shop.db.execute(
      sql`select event from mails where order_id = ${orderId} order by event`,
    );
    expect(rows.map((row) => String(row['event']).split(':')[0])).toEqual([
      'failed-video',
      'finalized',
      'owner-sale',
      'receipt',
      'videos-ready',
    ]);
  });

  test('a retry after a crash sends a mail with the same id, and the links of both mails work', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    const { rows } = await testShop.shop.db.execute<{ id: string }>(
      sql`select id from mails where event like 'receipt:%'`,
    );
    const { mailer, taken, state } = createUnreliableMailer();
    state.refuses = () => false;
    const crashingMailer = {
      ...mailer,
      send: async (message: Email) => mailer.send(message).then(() => Promise.reject(new Error('power cut'))),
    };
    await expect(sendMail(createMailScope(testShop, crashingMailer), rows[0]!.id)).rejects.toThrow('power cut');
    await sendMail(createMailScope(testShop, mailer), rows[0]!.id);
    await sendMail(createMailScope(testShop, mailer), rows[0]!.id); // sends nothing: the mail is already sent
    expect(taken.map((message) => message.id)).toEqual([rows[0]!.id, rows[0]!.id]);
    expect(taken[0]).toMatchObject({ replyTo: (await testShop.shop.readEmailShop()).supportEmail });
    const sessions = taken.map((message) => /session=([\w-]+)/.exec(message.text)![1]!);
    expect(new Set(sessions).size).toBe(2);
    for (const session of sessions)
      expect((await testShop.browser().get(`/api/order-summary?session=${session}`)).json.orders).toHaveLength(1);
  });

  test('the videos-ready mail contains only posters that exist when the mail is sent', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    for (let i = 0; i < 4; i++) await uploadTo(browser, deviceId);
    await browser.post('/api/uploads/finalize', { deviceId });
    const attempt = { signal: new AbortController().signal, isLastTry: false };
    const videos = (await readAllTables(testShop.shop.db))['videos'] as { id: string }[];
    for (const { id } of videos) {
      await renderVideo({ ...testShop.shop, autoApproves: async () => false }, { videoId: id, take: 1 }, attempt);
      await approveVideo(testShop.shop, id);
    }
    const { mailer, taken, state } = createUnreliableMailer();
    state.refuses = () => false;
    const failToSendReceipt = async () => {
      await testShop.shop.db.execute(sql`update mails set sent_at = null where event like 'videos-ready:%'`);
      const { rows } = await testShop.shop.db.execute<{ id: string }>(
        sql`select id from mails where event like 'videos-ready:%'`,
      );
      await sendMail(createMailScope(testShop, mailer), rows[0]!.id);
      return (taken.at(-1)!.pictures ?? []).map((picture) => picture.name);
    };
    expect(await failToSendReceipt()).toEqual(['mark.png', 'poster-1.jpg', 'poster-2.jpg', 'poster-3.jpg']);
    // The mail leaves out videos that are being made again, and a poster whose file is missing.
    await testShop.shop.db.execute(sql`update videos set state = 'queued' where id <> ${videos[0]!.id}`);
    expect(await failToSendReceipt()).toEqual(['mark.png', 'poster-1.jpg']);
    const { rows } = await testShop.shop.db.execute<{ key: string }>(
      sql`select poster_key as key from videos where id = ${videos[0]!.id}`,
    );
    await testShop.shop.storage.delete(rows[0]!.key);
    expect(await failToSendReceipt()).toEqual(['mark.png']);
  });

  test('deletes the content of a mail after 13 months, but keeps its row with the time when it was sent', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    await waitAndReadEmails(testShop);
    testShop.clock.advance(390 * dayMs);
    await deleteOldData(testShop.shop);
    expect((await readQueuedMails(testShop.shop.db, 'receipt:'))[0]!.content.kind).toBe('receipt');
    testShop.clock.advance(10 * dayMs);
    await deleteOldData(testShop.shop);
    expect(await readQueuedMails(testShop.shop.db, 'receipt:')).toMatchObject([{ to: anna.email, content: null }]);
    const admin = await signInAdmin(testShop);
    const [mail] = await fetchOrderMails(admin, await readOnlyOrder(testShop));
    expect(mail).toMatchObject({
      state: 'sent',
      name: 'An old email',
      notAgain: expect.stringContaining('can’t be sent again'),
    });
    expect((await admin.post(`/api/admin/mails/${mail.id}/resend`)).json.code).toBe('mail-not-resendable');
  });

  test('resending a receipt queues an email with new links, and is recorded in the history and the audit trail', async () => {
    const testShop = await openTestShop(fresh);
    const buyer = testShop.browser();
    await buyAndVerify(buyer);
    const admin = await signInAdmin(testShop);
    const orderId = await readOnlyOrder(testShop);
    const mailsBefore = await fetchOrderMails(admin, orderId);
    expect(mailsBefore.map((mail: { name: string; state: string }) => `${mail.name} ${mail.state}`).toSorted()).toEqual(
      ['Receipt waiting', 'To you: sale waiting'],
    );
    const receipt = mailsBefore.find((mail: { name: string }) => mail.name === 'Receipt');
    const resendMail = (browser = admin, id = receipt.id) => browser.post(`/api/admin/mails/${id}/resend`);
    expect((await resendMail()).json.id).toBe(receipt.id); // no second mail, because the first one is not sent yet
    const [first] = await waitAndReadEmails(testShop, 'receipt:');
    // The buyer registers in between. The new mail must then not contain the link to finish the registration.
    await buyer.post('/api/complete-registration', { password: annasPassword });
    const repeatedResponse = await resendMail();
    expect(repeatedResponse.json, repeatedResponse.text).toMatchObject({
      to: anna.email,
      name: 'Receipt',
      state: 'waiting',
    });
    expect(repeatedResponse.json.id).not.toBe(receipt.id);
    const emails = await waitAndReadEmails(testShop, 'receipt:');
    expect(emails.map((mail) => mail.event)).toEqual([`receipt:${orderId}`, `receipt:${orderId}:again:1`]);
    expect(emails[1]!.content).toMatchObject({ orderNumber: first!.content.orderNumber, totalCents: 19_900 });
    expect(emails[1]!.content.finishRegistrationUrl).toBeUndefined();
    const session = new URL(emails[1]!.content.orderUrl).searchParams.get('session');
    expect(emails[0]!.content.orderUrl).not.toContain(session);
    expect((await testShop.browser().get(`/api/order-summary?session=${session}`)).json.orders).toHaveLength(1);

    expect((await resendMail()).json.id).toBe(repeatedResponse.json.id); // a second click shortly after returns the same mail
    testShop.clock.advance(minuteMs);
    expect((await resendMail(admin, repeatedResponse.json.id)).json.id).not.toBe(repeatedResponse.json.id); // a resent mail can be resent
    expect((await waitAndReadEmails(testShop, 'receipt:')).map((mail) => mail.event)).toHaveLength(3);
    const { audit_trail, order_events } = await readAllTables(testShop.shop.db);
    const resendEntries = (audit_trail as { act: string; subject_id: string }[]).filter(
      (act) => act.act === 'resend-mail',
    );
    expect(resendEntries).toMatchObject([{ subject_id: orderId }, { subject_id: orderId }]);
    expect((order_events as { kind: string; words: string }[]).filter((event) => event.kind === 'mail')).toMatchObject([
      { words: 'Sent again: receipt.' },
      { words: 'Sent again: receipt.' },
    ]);

    testShop.clock.advance(minuteMs);
    // The old address may belong to someone else by now, so the resent mail must not go there.
    await testShop.shop.db.execute(sql`update orders set email = 'new@example.com'`);
    expect((await resendMail()).json).toMatchObject({ to: 'new@example.com' });

    expect((await resendMail(testShop.browser())).status).toBe(401);
    expect((await testShop.browser().get(`/api/admin/mails?orderId=${orderId}`)).status).toBe(401);
    expect((await resendMail(admin, 'no-such-mail')).status).toBe(404);
  });

  test('refuses to resend mails whose links give access to the recipient’s account', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    await mailPasswordReset(testShop.shop, anna.email);
    const admin = await signInAdmin(testShop);
    const { rows } = await testShop.shop.db.execute<{ id: string }>(
      sql`select id from mails where event like 'password-reset:%' or event like 'email-confirmation:%'`,
    );
    expect(rows).toHaveLength(2);
    for (const { id } of rows)
      expect((await admin.post(`/api/admin/mails/${id}/resend`)).json.code).toBe('mail-not-resendable');
  });

  test('refuses to resend a mail whose delivery link has expired', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    await uploadTo(browser, frames[0]!.deviceId);
    await browser.post('/api/uploads/finalize', { deviceId: frames[0]!.deviceId });
    const [video] = (await readAllTables(testShop.shop.db))['videos'] as { id: string }[];
    const attempt = { signal: new AbortController().signal, isLastTry: false };
    await renderVideo({ ...testShop.shop, autoApproves: async () => true }, { videoId: video!.id, take: 1 }, attempt);
    const [ready] = await waitAndReadEmails(testShop, 'videos-ready:');
    const { rows } = await testShop.shop.db.execute<{ id: string }>(
      sql`select id from mails where event like 'videos-ready:%'`,
    );
    testShop.clock.advance(80 * dayMs);
    expect((await (await signInAdmin(testShop)).post(`/api/admin/mails/${rows[0]!.id}/resend`)).status).toBe(200);
    const [, again] = await waitAndReadEmails(testShop, 'videos-ready:');
    // A late resend does not extend the link's expiry.
    expect(again!.content.expiresAt).toBe(ready!.content.expiresAt);
    expect(again!.content.deliveryUrl).not.toBe(ready!.content.deliveryUrl);
    testShop.clock.advance(11 * dayMs);
    const lateResponse = await (await signInAdmin(testShop)).post(`/api/admin/mails/${rows[0]!.id}/resend`);
    expect([lateResponse.status, lateResponse.json.code]).toEqual([409, 'mail-not-resendable']);
  });

  test('emails the confirmation link again, at most three times per hour, until the address is confirmed', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    const requestConfirmationAgain = () => browser.post('/api/auth/resend-confirmation');
    expect((await testShop.browser().post('/api/auth/resend-confirmation')).status).toBe(401);
    expect((await requestConfirmationAgain()).json.message).toContain(anna.email);
    expect((await requestConfirmationAgain()).status).toBe(200);
    expect((await requestConfirmationAgain()).json.code).toBe('too-many-requests');
    testShop.clock.advance(61 * minuteMs);
    expect((await requestConfirmationAgain()).status).toBe(200);
    const emails = await waitAndReadEmails(testShop, 'email-confirmation:');
    const tokens = emails.map((mail) => new URL(mail.content.confirmUrl).searchParams.get('token'));
    expect(new Set(tokens).size).toBe(4);
    expect((await browser.post('/api/auth/confirm-email', { token: tokens[0] })).status).toBe(200);
    expect((await requestConfirmationAgain()).json.message).toBe('Your email address is already confirmed.');
    expect(await readQueuedMails(testShop.shop.db, 'email-confirmation:')).toHaveLength(4);
  });
});

describeOnEachEngine((fresh) => {
  test('retries a failing mail for more than a day, then reports it to the owner, who can resend it', async () => {
    const { mailer, taken, state } = createUnreliableMailer();
    state.refuses = ({ to }) => to === anna.email;
    const testShop = await openTestShop(fresh, { mailer });
    await startJobs(testShop.shop);
    await buyAndVerify(testShop.browser());
    const admin = await signInAdmin(testShop);
    const orderId = await readOnlyOrder(testShop);
    const readReceipt = async () =>
      (await fetchOrderMails(admin, orderId)).findLast((mail: { name: string }) => mail.name === 'Receipt');
    const problem = 'the mail server did not take it: 451 come back later';
    await vi.waitFor(async () => expect(await readReceipt()).toMatchObject({ state: 'failing', problem }), {
      timeout: 20_000,
    });
    const { id, nextTryAt } = await readReceipt();
    expect(Date.parse(nextTryAt)).toBeGreaterThan(Date.now());
    expect((await admin.post(`/api/admin/mails/${id}/resend`)).json).toMatchObject({ id, state: 'failing' });

    const { rows } = await testShop.shop.db.execute<{
      retry_limit: number;
      retry_delay: number;
      retry_delay_max: number;
    }>(sql`select retry_limit, retry_delay, retry_delay_max from jobs.queue where name = 'send-mail'`);
    const { retry_limit, retry_delay, retry_delay_max } = rows[0]!;
    const delays = Array.from({ length: retry_limit }, (_, tries) =>
      Math.min(retry_delay * 2 ** tries, retry_delay_max),
    );
    expect(delays.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(86_400);

    await testShop.shop.db.execute(
      sql`update jobs.job set retry_count = retry_limit - 1, start_after = now() where name = 'send-mail' and state = 'retry'`,
    );
    await vi.waitFor(async () => expect(await readReceipt()).toMatchObject({ id, state: 'failed', problem }), {
      timeout: 20_000,
    });
    await vi.waitFor(() => expect(taken.map((message) => message.subject).join()).toContain('Receipt'), {
      timeout: 20_000,
    });

    state.refuses = () => false;
    const repeatedResponse = await admin.post(`/api/admin/mails/${id}/resend`);
    expect(repeatedResponse.json, repeatedResponse.text).toMatchObject({ state: 'waiting', to: anna.email });
    await vi.waitFor(
      async () => {
        const mails = await fetchOrderMails(admin, orderId);
        expect(mails.find((mail: { id: string }) => mail.id === repeatedResponse.json.id)).toMatchObject({
          state: 'sent',
        });
      },
      { timeout: 20_000 },
    );
    expect(taken.filter(({ to }) => to === anna.email)).toHaveLength(1);
    // A mail whose job is no longer in the queue counts as failed.
    await testShop.shop.db.execute(sql`delete from jobs.job where name = 'send-mail'`);
    expect((await fetchOrderMails(admin, orderId)).find((mail: { id: string }) => mail.id === id)).toMatchObject({
      state: 'failed',
      problem: null,
    });
  });
});

describeOnPostgres((fresh) => {
  test('finds all mails of a person with indexes, without a sequential scan', async () => {
    const { shop } = await openTestShop(fresh);
    await shop.db.execute(sql`insert into mails (id, event, "to", order_id, content, queued_at)
      select 'm' || n, 'password-reset:c' || n || ':1', n || '@example.com', 'o' || n,
        jsonb_build_object('kind', 'password-reset', 'customerEmail', n || '@example.com'), now()
      from generate_series(1, 20000) as n`);
    await shop.db.execute(sql`analyze mails`);
    const { rows } = await shop.db.transaction(async (tx) => {
      await deleteSignInMailContent(tx, '1@example.com');
      await deleteMailContentOfPerson(tx, '2@example.com');
      await deleteMailContentNaming(tx, ['c3', 'c4']);
      await deleteMailContentAboutOrders(tx, ['o5', 'o6']);
      return tx.execute(sql`select seq_scan::int from pg_stat_xact_user_tables where relname = 'mails'`);
    });
    expect(rows).toEqual([{ seq_scan: 0 }]);
    expect(await countRows(shop.db, 'mails')).toBe(20_000);
    const { rows: forgotten } = await shop.db.execute(sql`select id from mails where content is null order by id`);
    expect(forgotten.map((row) => row['id'])).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6']);
  });

  test('a mail whose content is deleted while its links are created is not sent and leaves no tokens', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    await buyAndVerify(testShop.browser());
    const mails = (await readAllTables(db))['mails'] as { id: string; event: string }[];
    const receipt = mails.find((mail) => mail.event.startsWith('receipt:'));
    const { mailer, taken, state } = createUnreliableMailer();
    state.refuses = () => false;
    const tokenCountBefore = await countRows(db, 'tokens');
    const sendingJob = await db.transaction(async (tx) => {
      await tx.execute(sql`update mails set content = null where id = ${receipt!.id}`);
      const sendResult = sendMail(createMailScope(testShop, mailer), receipt!.id);
      // The job has read the content and waits for the lock on the mail's row.
      await waitUntilStatementWaits(db, 'insert into tokens');
      return { sent: sendResult };
    });
    await sendingJob.sent;
    expect([taken.length, await countRows(db, 'tokens')]).toEqual([0, tokenCountBefore]);
  });

  test('the retention job skips an old mail that is locked, and deletes its content in the next run', async () => {
    const { shop, clock } = await openTestShop(fresh);
    const { db } = shop;
    await db.execute(sql`insert into mails (id, event, "to", content, queued_at)
      select 'm' || n, 'receipt:' || n, 'anna@example.com', '{}', now() - interval '14 months'
      from generate_series(1, 3) as n`);
    const readMailsWithContent = async () =>
      (await db.execute(sql`select id from mails where content is not null order by id`)).rows.map((row) => row['id']);
    await db.transaction(async (tx) => {
      await tx.execute(sql`select from mails where id = 'm2' for update`);
      await deleteOldData({ db, clock });
      expect(await readMailsWithContent()).toEqual(['m2']);
    });
    await deleteOldData({ db, clock });
    expect(await readMailsWithContent()).toEqual([]);
  });

  test('resends a mail only once when the owner clicks several times at once', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser());
    await waitAndReadEmails(testShop);
    const admin = await signInAdmin(testShop);
    const orderId = await readOnlyOrder(testShop);
    const receipt = (await fetchOrderMails(admin, orderId)).find((mail: { name: string }) => mail.name === 'Receipt');
    const jobCountBefore = (await readWaitingJobs(testShop.shop.db, 'send-mail')).length;
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => admin.post(`/api/admin/mails/${receipt.id}/resend`)),
    );
    expect(responses.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect(new Set(responses.map((answer) => answer.json.id)).size).toBe(1);
    expect(await readQueuedMails(testShop.shop.db, 'receipt:')).toHaveLength(2);
    expect(await readWaitingJobs(testShop.shop.db, 'send-mail')).toHaveLength(jobCountBefore + 1);
    expect(await countRows(testShop.shop.db, 'order_events')).toBe(2);
  });
});
