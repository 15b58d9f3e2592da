import { expect, test } from 'vitest';
import { dayAfter, toShopDay } from '#contract/calendar.ts';
import { issueCode } from '#shop/gift-cards/codes.ts';
import { sendMail } from '#shop/mail/mail.ts';
import { describeOnEachEngine, describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { buyGiftCardCode, buyGiftCard, readGiftCards, startGiftCard, verifyGiftCard } from '#test/gift-cards.ts';
import { pay, runPaymentCancelJobs, runPaymentSettlement, sendPaymentWebhook } from '#test/paying.ts';
import { readTextOfPdf } from '#test/pdf-text.ts';
import { countRows, readQueuedMails, readAllTables, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { refundPayment } from '../payments/automatic-refunds.ts';
import { settleIntentById } from '../payments/settle.ts';
import { syncRefunds } from '../refunds/refunds.ts';
import { sendDueGiftCards } from './place-gift-card.ts';

const recipientFields = { recipientEmail: 'mei@example.com', message: 'For the lake photos' };
const sendDueCards = (it: TestShop) =>
  sendDueGiftCards(it.shop, {
    signal: new AbortController().signal,
    onError: (error) => {
      throw error;
    },
  });
async function signInOwner(it: TestShop) {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  return admin;
}
/** Sends all queued emails of a kind and returns the texts. */
async function sendMails(it: TestShop, kind: string): Promise<string[]> {
  const texts: string[] = [];
  const mailer = { send: async ({ text }: { text: string }) => void texts.push(text) };
  const mails = (await readAllTables(it.shop.db))['mails'] as { id: string; event: string }[];
  for (const { id } of mails.filter(({ event }) => event.startsWith(kind)))
    await sendMail({ ...it.shop, mailer: mailer as never, from: 'shop@example.com', shop: it.shop.readEmailShop }, id);
  return texts;
}
const findGiftCardCode = (text: string) => /([0-9A-Z]{4}-){3}[0-9A-Z]{4}/.exec(text)![0];
const refundPayments = async (it: TestShop) => {
  for (const { data } of await readWaitingJobs(it.shop.db, 'refund-payment'))
    await refundPayment(it.shop, data['paymentId'] as string);
};
const readPaymentStates = async (it: TestShop) =>
  ((await readAllTables(it.shop.db))['payments'] as { state: string }[]).map((row) => row.state).toSorted();

describeOnEachEngine((fresh) => {
  test('a paid gift card is emailed today, with a code that only the email contains', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const { token } = await buyGiftCard(browser, recipientFields);
    expect(await readGiftCards(testShop)).toMatchObject([
      { state: 'active', balance_cents: 5_000, recipient_name: 'Mei' },
    ]);
    expect(await countRows(testShop.shop.db, 'gift_card_codes')).toBe(0);
    expect(await countRows(testShop.shop.db, 'orders')).toBe(0);
    const [text] = await sendMails(testShop, 'gift-card:');
    const code = findGiftCardCode(text!);
    expect(text).toContain('For the lake photos');
    expect(JSON.stringify(await readAllTables(testShop.shop.db))).not.toContain(code.replaceAll('-', ''));
    expect((await testShop.browser().post('/api/gift-cards/balance', { code })).json).toMatchObject({ balance: 5_000 });
    expect((await browser.post('/api/gift-cards/bought', { token })).json).toMatchObject({
      state: 'active',
      recipientName: 'Mei',
      isSent: true,
    });
    expect(await sendMails(testShop, 'gift-card-receipt:')).toMatchObject([expect.stringContaining('$50.00')]);
    expect((await readQueuedMails(testShop.shop.db, 'owner-gift-card:'))[0]!.content).toMatchObject({
      amountCents: 5_000,
    });
    // The buyer cannot print a card that belongs to its recipient.
    expect((await browser.post('/api/gift-cards/print', { token })).status).toBe(404);
  });

  test('a gift card for a later day is emailed once, on that day', async () => {
    const testShop = await openTestShop(fresh);
    const today = toShopDay(testShop.clock.now());
    await buyGiftCard(testShop.browser(), { ...recipientFields, deliverOn: dayAfter(today, 3) });
    await sendDueCards(testShop);
    expect(await readQueuedMails(testShop.shop.db, 'gift-card:')).toEqual([]);
    testShop.clock.advance(3 * 86_400_000);
    await Promise.all([sendDueCards(testShop), sendDueCards(testShop)]);
    await sendDueCards(testShop);
    expect(await readQueuedMails(testShop.shop.db, 'gift-card:')).toMatchObject([{ to: 'mei@example.com' }]);
  });

  test('a gift card for a Kinframe has the frame’s price, whatever amount the browser sends', async () => {
    const testShop = await openTestShop(fresh);
    const { totalAmount } = await buyGiftCard(testShop.browser(), { isForFrame: true, amountCents: 2_500 });
    expect(totalAmount).toBe(19_900);
  });

  test('an unused gift card is voided and refunded once; its codes stop working', async () => {
    const testShop = await openTestShop(fresh);
    const { id, code } = await buyGiftCardCode(testShop, 5_000);
    const admin = await signInOwner(testShop);
    expect((await admin.get('/api/admin/gift-cards/owed')).json).toEqual({ owedAmount: 5_000, cards: 1 });
    const voidGiftCardAsOwner = () =>
      admin.post(`/api/admin/gift-cards/${id}/void`, { reason: 'Bought twice', refund: true });
    const responses = [await voidGiftCardAsOwner(), await voidGiftCardAsOwner()];
    expect(responses.map((answer) => answer.status)).toEqual([200, 409]);
    await refundPayments(testShop);
    expect(await readPaymentStates(testShop)).toEqual(['refunded']);
    expect(await readQueuedMails(testShop.shop.db, 'gift-card-given-back:')).toMatchObject([
      { content: { amountCents: 5_000 } },
    ]);
    expect((await testShop.browser().post('/api/gift-cards/balance', { code })).json.code).toBe('gift-card-unknown');
    expect((await admin.get('/api/admin/gift-cards/owed')).json).toEqual({ owedAmount: 0, cards: 0 });
  });

  test('emailing a gift card again ends the earlier codes and uses the new address', async () => {
    const testShop = await openTestShop(fresh);
    const { id, code } = await buyGiftCardCode(testShop, 5_000);
    const admin = await signInOwner(testShop);
    const response = await admin.post(`/api/admin/gift-cards/${id}/resend`, { recipientEmail: 'new@example.com' });
    expect(response.json, response.text).toMatchObject({ recipientEmail: 'new@example.com' });
    expect((await testShop.browser().post('/api/gift-cards/balance', { code })).json.code).toBe('gift-card-unknown');
    expect(await readQueuedMails(testShop.shop.db, 'gift-card:')).toMatchObject([{ to: 'new@example.com' }]);
    const [text] = await sendMails(testShop, 'gift-card:');
    const replacedCode = findGiftCardCode(text!);
    expect((await testShop.browser().post('/api/gift-cards/balance', { code: replacedCode })).json).toMatchObject({
      balance: 5_000,
    });
    const [row] = (await admin.get('/api/admin/lists/gift-cards?q=new@example.com')).json.rows;
    expect(row).toMatchObject({ lastFour: replacedCode.slice(-4), balance: 5_000, state: 'active' });
  });
});

describeOnFastestEngine((fresh) => {
  test('refuses amounts and days outside the limits, and charges nothing', async () => {
    const testShop = await openTestShop(fresh);
    const startPurchase = (changed: Record<string, unknown>) =>
      testShop.browser().post('/api/gift-cards/payment-intent', {
        isForFrame: false,
        amountCents: 5_000,
        recipientName: 'Mei',
        senderName: 'Ben',
        buyerEmail: 'ben@example.com',
        ...changed,
      });
    for (const amountCents of [2_499, 50_001, 0, -5_000, 25.5, undefined])
      expect((await startPurchase({ amountCents })).status, String(amountCents)).toBe(400);
    const today = toShopDay(testShop.clock.now());
    for (const deliverOn of [dayAfter(today, -1), dayAfter(today, 366), '2026-02-30'])
      expect((await startPurchase({ ...recipientFields, deliverOn })).status, deliverOn).toBe(400);
    expect(await readGiftCards(testShop)).toEqual([]);
    expect((await startPurchase({ amountCents: 2_500 })).status).toBe(200);
    expect((await startPurchase({ amountCents: 50_000 })).status).toBe(200);
  });

  test('a gift card whose purchase was refunded at the payment provider is void', async () => {
    const testShop = await openTestShop(fresh);
    const { paymentIntentId: intentId } = await buyGiftCard(testShop.browser());
    await testShop.shop.provider.refund({ intentId, amountCents: 2_000, reason: 'duplicate' }, 'a-part');
    await syncRefunds(testShop.shop, intentId);
    expect(await readGiftCards(testShop)).toMatchObject([{ state: 'active' }]);
    await testShop.shop.provider.refund({ intentId, amountCents: 3_000, reason: 'duplicate' }, 'the-rest');
    await syncRefunds(testShop.shop, intentId);
    expect(await readGiftCards(testShop)).toMatchObject([{ state: 'void' }]);
    expect(await readPaymentStates(testShop)).toEqual(['refunded']);
  });

  test('each print is a PDF with a code of its own, and all codes open the same card', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const { token } = await buyGiftCard(browser, { message: 'Happy birthday' });
    const codes: string[] = [];
    for (let print = 0; print < 2; print++) {
      const { json } = await browser.post('/api/gift-cards/print', { token });
      const text = readTextOfPdf(Buffer.from(json.pdf, 'base64'));
      expect(text).toContain('Happy birthday');
      codes.push(findGiftCardCode(text));
    }
    expect(new Set(codes).size).toBe(2);
    for (const code of codes)
      expect((await testShop.browser().post('/api/gift-cards/balance', { code })).json).toMatchObject({
        balance: 5_000,
      });
  });

  test('limits guesses of codes for each IP address', async () => {
    const testShop = await openTestShop(fresh, { env: { RATE_LIMITS: 'on' } });
    const guessCode = () => testShop.browser().post('/api/gift-cards/balance', { code: 'AAAA-BBBB-CCCC-DDDD' });
    for (let count = 0; count < 10; count++) expect((await guessCode()).json.code).toBe('gift-card-unknown');
    expect((await guessCode()).status).toBe(429);
  });

  test('an email whose sending fails after the code was created is sent again with another code', async () => {
    const testShop = await openTestShop(fresh);
    await buyGiftCard(testShop.browser(), recipientFields);
    const { id } = (await readGiftCards(testShop))[0]!;
    const lostCode = (await issueCode(testShop.shop.db, testShop.clock, id))!;
    const [text] = await sendMails(testShop, 'gift-card:');
    for (const code of [lostCode, findGiftCardCode(text!)])
      expect((await testShop.browser().post('/api/gift-cards/balance', { code })).json).toMatchObject({
        balance: 5_000,
      });
  });
});

describeOnPostgres((fresh) => {
  test('makes one gift card and one of each email when browser, webhook and sweep settle at once', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const startedPurchase = await startGiftCard(browser, recipientFields);
    await pay(browser, startedPurchase);
    testShop.clock.advance(61_000);
    await Promise.all([
      verifyGiftCard(browser, startedPurchase.paymentIntentId),
      settleIntentById(testShop.shop, startedPurchase.paymentIntentId),
      sendPaymentWebhook(testShop, startedPurchase.paymentIntentId),
      runPaymentSettlement(testShop),
      verifyGiftCard(browser, startedPurchase.paymentIntentId),
    ]);
    expect(await readGiftCards(testShop)).toMatchObject([{ state: 'active', balance_cents: 5_000 }]);
    for (const kind of ['gift-card:', 'gift-card-receipt:', 'owner-gift-card:'])
      expect(await readQueuedMails(testShop.shop.db, kind), kind).toHaveLength(1);
  });

  test('two payments of one purchase that settle at once buy one card, and the other is refunded', async () => {
    const testShop = await openTestShop(fresh);
    const browser = testShop.browser();
    const firstCard = await startGiftCard(browser);
    const secondCard = await startGiftCard(browser, { replaces: firstCard.token, amountCents: 10_000 });
    await pay(browser, firstCard);
    await pay(browser, secondCard);
    await Promise.all([
      runPaymentCancelJobs(testShop),
      settleIntentById(testShop.shop, firstCard.paymentIntentId),
      settleIntentById(testShop.shop, secondCard.paymentIntentId),
    ]);
    expect((await readGiftCards(testShop)).map((card) => card.state).toSorted()).toEqual(['active', 'unpaid']);
    await refundPayments(testShop);
    expect(await readPaymentStates(testShop)).toEqual(['refunded', 'settled']);
    expect(await readQueuedMails(testShop.shop.db, 'gift-card-given-back:')).toHaveLength(1);
  });

  test('if a gift card is spent and refunded at the same time, only one of the two succeeds', async () => {
    const testShop = await openTestShop(fresh);
    const admin = await signInOwner(testShop);
    for (let round = 0; round < 4; round++) {
      const { id, code } = await buyGiftCardCode(testShop, 50_000);
      const browser = testShop.browser();
      const { json } = await browser.post('/api/create-payment-intent', {
        productId: 'byof',
        quantity: 1,
        extraPackages: 0,
        customerDetails: { firstName: 'Mei', lastName: 'Lin', email: 'mei@example.com' },
        giftCards: [code],
      });
      const [spent, voided] = await Promise.all([
        browser.post('/api/pay-with-gift-cards', { paymentIntentId: json.paymentIntentId }),
        admin.post(`/api/admin/gift-cards/${id}/void`, { reason: 'Bought twice', refund: true }),
      ]);
      expect(
        [spent.json.success === true, voided.status === 200].filter(Boolean),
        spent.text + voided.text,
      ).toHaveLength(1);
    }
  });
});
