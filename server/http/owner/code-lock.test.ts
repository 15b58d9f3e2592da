import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { generateTotpCode } from '#test/one-time-code.ts';
import { readQueuedMails } from '#test/rows.ts';
import { adminPassword, type Browser, openTestShop, type TestShop } from '#test/shop.ts';

const halfMinuteMs = 30_000;
const hourMs = 3_600_000;
const passwordBody = { password: adminPassword };
const secondFactorPath = '/api/admin/second-factor';
const enterPassword = (browser: Browser) => browser.post('/api/admin/auth/password', passwordBody);
const enterCode = (browser: Browser, code: string) => browser.post('/api/admin/auth/code', { code });
const toStatusAndCode = ({ status, json }: { status: number; json: { code?: string } }) => [status, json.code];
const readWarnings = async (it: TestShop) =>
  (await readQueuedMails(it.shop.db, 'owner-codes-locked:')).map(({ to, content }) => [
    to,
    content.isWholeDay ? 'in-a-day' : 'in-a-row',
  ]);

async function withSecondFactor(it: TestShop) {
  const ownersBrowser = it.browser();
  await enterPassword(ownersBrowser);
  const { secret } = (await ownersBrowser.post(secondFactorPath, passwordBody)).json as { secret: string };
  const createNextCode = () => {
    it.clock.advance(halfMinuteMs);
    return generateTotpCode(secret, it.clock.now());
  };
  const { recoveryCodes } = (await ownersBrowser.post(`${secondFactorPath}/confirm`, { code: createNextCode() })).json;
  return { desk: ownersBrowser, nextCode: createNextCode, recoveryCodes: recoveryCodes as string[] };
}
/** A wrong code: the probability that it is the current code is negligible. */
const wrongCode = '000000';
async function enterWrongCodes(browser: Browser, count: number) {
  const statusesAndCodes = [];
  for (let i = 0; i < count; i++) statusesAndCodes.push(toStatusAndCode(await enterCode(browser, wrongCode)));
  return statusesAndCodes;
}
const wrongCodeAnswer = [403, 'code-wrong'];
const repeatItem = (count: number, one: unknown) => Array.from({ length: count }, () => one);

describeOnFastestEngine((fresh) => {
  test('after 5 wrong codes in a row, checks no code until the password is entered again', async () => {
    const testShop = await openTestShop(fresh);
    const { nextCode: createNextCode, recoveryCodes } = await withSecondFactor(testShop);
    const browser = testShop.browser();
    const waitingBrowser = testShop.browser();
    await enterPassword(waitingBrowser);
    await enterPassword(browser);
    expect(await enterWrongCodes(browser, 5)).toEqual([...repeatItem(4, wrongCodeAnswer), [403, 'code-locked']]);
    const stepOfSpy = vi.spyOn(testShop.shop.codes, 'stepOf').mockClear(); // all test shops share `codes`
    for (const attemptBrowser of [browser, waitingBrowser]) {
      expect(toStatusAndCode(await enterCode(attemptBrowser, createNextCode()))).toEqual([403, 'admin-password-first']);
      expect(toStatusAndCode(await enterCode(attemptBrowser, recoveryCodes[0]!))).toEqual([
        403,
        'admin-password-first',
      ]);
    }
    expect(stepOfSpy).not.toHaveBeenCalled();
    await enterPassword(browser);
    expect((await enterCode(browser, createNextCode())).json.success).toBe(true);
    await enterPassword(waitingBrowser);
    expect(await enterWrongCodes(waitingBrowser, 4)).toEqual(repeatItem(4, wrongCodeAnswer)); // the correct code has reset the count
  });

  test('emails the owner once about each lock', async () => {
    const testShop = await openTestShop(fresh);
    const { nextCode: createNextCode } = await withSecondFactor(testShop);
    const browser = testShop.browser();
    await enterPassword(browser);
    await enterWrongCodes(browser, 4);
    expect(await readWarnings(testShop)).toEqual([]);
    await enterWrongCodes(browser, 3);
    expect(await readWarnings(testShop)).toEqual([['support@kinframe.example', 'in-a-row']]);
    await enterPassword(browser);
    await enterCode(browser, createNextCode());
    expect(await readWarnings(testShop)).toHaveLength(1);
  });

  test('after 20 wrong codes in a day, checks no code of the phone, but still accepts a recovery code', async () => {
    const testShop = await openTestShop(fresh);
    const { nextCode: createNextCode, recoveryCodes } = await withSecondFactor(testShop);
    const stepOfSpy = vi.spyOn(testShop.shop.codes, 'stepOf').mockClear(); // all test shops share `codes`
    for (let i = 0; i < 4; i++) {
      const guessingBrowser = testShop.browser({ address: `198.51.100.${i}` });
      await enterPassword(guessingBrowser);
      await enterWrongCodes(guessingBrowser, 5);
    }
    expect(stepOfSpy).toHaveBeenCalledTimes(20);
    expect((await readWarnings(testShop)).map(([, why]) => why)).toEqual([
      'in-a-row',
      'in-a-row',
      'in-a-row',
      'in-a-day',
    ]);
    const owner = testShop.browser();
    await enterPassword(owner);
    const refusedResponse = await enterCode(owner, createNextCode());
    expect(toStatusAndCode(refusedResponse)).toEqual([429, 'codes-used-up']);
    expect(Number(refusedResponse.headers['retry-after'])).toBeGreaterThan(23 * 3600);
    expect(stepOfSpy).toHaveBeenCalledTimes(20);
    expect((await enterCode(owner, recoveryCodes[0]!)).json.success).toBe(true);
    testShop.clock.advance(25 * hourMs);
    await enterPassword(owner);
    expect((await enterCode(owner, createNextCode())).json.success).toBe(true);
  });

  test('wrong codes that a signed-in owner enters as a proof count toward the same limit', async () => {
    const testShop = await openTestShop(fresh);
    const { desk, nextCode: createNextCode } = await withSecondFactor(testShop);
    const turnFactorOff = (code: string) => desk.post(`${secondFactorPath}/off`, { ...passwordBody, code });
    for (let i = 0; i < 4; i++) expect(toStatusAndCode(await turnFactorOff(wrongCode))).toEqual(wrongCodeAnswer);
    expect(toStatusAndCode(await turnFactorOff(wrongCode))).toEqual([403, 'code-locked']);
    expect(toStatusAndCode(await turnFactorOff(createNextCode()))).toEqual([403, 'code-locked']);
    await enterPassword(desk);
    await enterCode(desk, createNextCode());
    expect((await turnFactorOff(createNextCode())).status).toBe(200);
  });

  test('checks at most 5 wrong codes per secret when the owner switches the second factor on', async () => {
    const testShop = await openTestShop(fresh);
    const ownersBrowser = testShop.browser();
    await enterPassword(ownersBrowser);
    const { secret } = (await ownersBrowser.post(secondFactorPath, passwordBody)).json;
    const confirmCode = (code: string) => ownersBrowser.post(`${secondFactorPath}/confirm`, { code });
    for (let i = 0; i < 5; i++) expect(toStatusAndCode(await confirmCode(wrongCode))).toEqual(wrongCodeAnswer);
    expect(toStatusAndCode(await confirmCode(generateTotpCode(secret, testShop.clock.now())))).toEqual([
      409,
      'second-factor-not-begun',
    ]);
    const newSecret = (await ownersBrowser.post(secondFactorPath, passwordBody)).json.secret;
    expect((await confirmCode(generateTotpCode(newSecret, testShop.clock.now()))).status).toBe(200);
  });
});

describeOnPostgres((fresh) => {
  test('checks at most 5 of 400 concurrent wrong codes, and then also refuses the correct code', async () => {
    const testShop = await openTestShop(fresh);
    const { nextCode: createNextCode } = await withSecondFactor(testShop);
    const browsers = Array.from({ length: 8 }, (_, index) => testShop.browser({ address: `2001:db8:${index}::1` }));
    for (const browser of browsers) await enterPassword(browser);
    const stepOfSpy = vi.spyOn(testShop.shop.codes, 'stepOf').mockClear(); // all test shops share `codes`
    const responses = await Promise.all(Array.from({ length: 400 }, (_, i) => enterCode(browsers[i % 8]!, wrongCode)));
    expect(stepOfSpy.mock.calls.length).toBeLessThanOrEqual(5);
    expect(responses.filter(({ status }) => status === 200)).toEqual([]);
    expect(await readWarnings(testShop)).toHaveLength(1);
    for (const browser of browsers) expect((await enterCode(browser, createNextCode())).status).toBe(403);
    await enterPassword(browsers[0]!);
    expect((await enterCode(browsers[0]!, createNextCode())).json.success).toBe(true);
    const { rows } = await testShop.shop.db.execute(
      sql`select count(*)::int as count from sessions where kind = 'admin'`,
    );
    expect(rows).toEqual([{ count: 2 }]); // the session that switched the factor on, and the new one
  });

  test('checks at most 10 of 400 concurrent wrong passwords of the owner, also from 400 addresses', async () => {
    const testShop = await openTestShop(fresh);
    const ownersBrowser = testShop.browser();
    await enterPassword(ownersBrowser);
    const guessPassword = (index: number) =>
      testShop
        .browser({ address: `2001:db8:${index.toString(16)}::1` })
        .post('/api/admin/auth/password', { password: 'no' });
    const responses = await Promise.all(Array.from({ length: 400 }, (_, index) => guessPassword(index)));
    expect(responses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10);
    expect(new Set(responses.map(({ json }) => json.code))).toEqual(
      new Set(['wrong-admin-password', 'admin-sign-in-slowed']),
    );
    expect((await enterPassword(ownersBrowser)).json.success).toBe(true); // a known browser has its own limit
    const otherBrowser = testShop.browser();
    const slowedResponse = await enterPassword(otherBrowser);
    expect(toStatusAndCode(slowedResponse)).toEqual([429, 'admin-sign-in-slowed']);
    testShop.clock.advance(Number(slowedResponse.headers['retry-after']) * 1000);
    expect((await enterPassword(otherBrowser)).json.success).toBe(true);
  });
});
