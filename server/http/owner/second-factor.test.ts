import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { generateTotpCode } from '#test/one-time-code.ts';
import { countRows, readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, Browser, openTestShop, type TestShop } from '#test/shop.ts';

const halfMinuteMs = 30_000;
const adminKey = 'a-key-of-at-least-thirty-two-characters';
const passwordBody = { password: adminPassword };
const secondFactorPath = '/api/admin/second-factor';
const enterPassword = (browser: Browser) => browser.post('/api/admin/auth/password', passwordBody);
const enterCode = (browser: Browser, code: string) => browser.post('/api/admin/auth/code', { code });
const readPanelStatus = async (browser: Browser) => (await browser.get('/api/admin/stats')).status;
const toStatusAndCode = ({ status, json }: Awaited<ReturnType<typeof enterPassword>>) => [status, json.code];
const readSecondFactor = async (browser: Browser) => (await browser.get('/api/admin/security')).json.secondFactor;
const readActs = async ({ shop }: TestShop) => {
  const { audit_trail: trail } = await readAllTables(shop.db);
  return (trail as { act: string; after: unknown; at: string }[])
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ act, after }) => (after === null ? act : `${act} ${JSON.stringify(after)}`));
};

/** The owner's browser, in a shop with the second factor switched on. */
async function withSecondFactor(it: TestShop) {
  const ownersBrowser = it.browser();
  await enterPassword(ownersBrowser);
  const { secret } = (await ownersBrowser.post(secondFactorPath, passwordBody)).json as { secret: string };
  /** Advances the clock by half a minute and returns the code of that time, which is unused. */
  const createNextCode = () => {
    it.clock.advance(halfMinuteMs);
    return generateTotpCode(secret, it.clock.now());
  };
  const confirmedResponse = await ownersBrowser.post(`${secondFactorPath}/confirm`, { code: createNextCode() });
  return {
    desk: ownersBrowser,
    secret,
    nextCode: createNextCode,
    recoveryCodes: confirmedResponse.json.recoveryCodes as string[],
  };
}

describeOnEachEngine((fresh) => {
  test('requires a code after the correct password, accepts each code once, and records every step', async () => {
    const testShop = await openTestShop(fresh, { env: { ADMIN_KEY: adminKey } });
    const { desk, nextCode: createNextCode, recoveryCodes } = await withSecondFactor(testShop);
    await testShop.shop.db.execute(sql`delete from sessions`);
    const passwordResponse = await enterPassword(desk);
    expect(passwordResponse.json).toEqual({
      success: false,
      codeNeeded: true,
      message: 'Please enter the code your app shows.',
    });
    expect(await readPanelStatus(desk)).toBe(401);
    expect(String(passwordResponse.headers['set-cookie'])).toMatch(
      /^admin-code=[\w-]{43}; Max-Age=300; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(toStatusAndCode(await enterCode(desk, '000000'))).toEqual([403, 'code-wrong']);
    expect(await readPanelStatus(desk)).toBe(401);
    const code = createNextCode();
    expect((await enterCode(desk, `${code.slice(0, 3)} ${code.slice(3)}`)).json).toEqual({
      success: true,
      message: 'Welcome back.',
    });
    expect(await readPanelStatus(desk)).toBe(200);
    expect((await desk.get('/api/admin/security')).json.sessions).toMatchObject([{ by: 'password-and-code' }]);

    const otherBrowser = testShop.browser();
    expect(toStatusAndCode(await enterCode(otherBrowser, createNextCode()))).toEqual([403, 'admin-password-first']); // refused, because the password was not entered first
    await enterPassword(otherBrowser);
    expect(toStatusAndCode(await enterCode(otherBrowser, code))).toEqual([403, 'code-wrong']); // refused, because the code was already used
    const [one, two] = recoveryCodes as [string, string];
    const recoveryResponse = await enterCode(otherBrowser, ` ${one.toUpperCase().replaceAll('-', ' ')} `);
    expect(recoveryResponse.json).toMatchObject({
      success: true,
      recoveryCodesLeft: 9,
      message: expect.stringContaining('9 are left'),
    });
    expect(toStatusAndCode(await enterCode(otherBrowser, two))).toEqual([403, 'admin-password-first']); // each password allows one sign-in
    const thirdBrowser = testShop.browser();
    await enterPassword(thirdBrowser);
    expect(toStatusAndCode(await enterCode(thirdBrowser, one))).toEqual([403, 'code-wrong']);
    await testShop.shop.db.execute(sql`update tokens set expires_at = now() where purpose = 'admin-code'`);
    expect(toStatusAndCode(await enterCode(thirdBrowser, createNextCode()))).toEqual([403, 'admin-password-first']);

    await testShop.browser().get(`/api/admin/session?admin_key=${adminKey}`);
    expect(await readActs(testShop)).toEqual([
      'admin-sign-in {"way":"password"}',
      'begin-second-factor',
      'second-factor-on',
      'admin-code-asked',
      'admin-sign-in-failed {"way":"password-and-code"}',
      'admin-sign-in {"way":"password-and-code"}',
      'admin-code-asked',
      'admin-sign-in-failed {"way":"password-and-code"}',
      'admin-sign-in {"way":"password-and-recovery-code"}',
      'admin-code-asked',
      'admin-sign-in-failed {"way":"password-and-code"}',
      'admin-sign-in {"way":"key"}',
    ]);
  });
});

describeOnFastestEngine((fresh) => {
  test('emails the owner about each change of the second factor, but not about failed changes', async () => {
    const testShop = await openTestShop(fresh);
    const { desk, nextCode: createNextCode, recoveryCodes } = await withSecondFactor(testShop);
    await desk.post(`${secondFactorPath}/recovery-codes`, { ...passwordBody, code: '000000' });
    await desk.post(`${secondFactorPath}/recovery-codes`, { ...passwordBody, code: createNextCode() });
    await desk.post(`${secondFactorPath}/off`, { ...passwordBody, code: recoveryCodes[0] });
    await desk.post(`${secondFactorPath}/off`, { ...passwordBody, code: createNextCode() });
    const mails = await readQueuedMails(testShop.shop.db, 'owner-second-step:');
    expect(mails.map(({ to, content }) => [to, content.what])).toEqual([
      ['support@kinframe.example', 'on'],
      ['support@kinframe.example', 'new-recovery-codes'],
      ['support@kinframe.example', 'off'],
    ]);
    expect(mails[0]!.content).toMatchObject({
      happenedAt: expect.any(String),
      adminUrl: expect.stringMatching(/\/admin$/),
    });
  });

  test('the second factor is on only after a correct code of the phone', async () => {
    const testShop = await openTestShop(fresh);
    const ownersBrowser = testShop.browser();
    await enterPassword(ownersBrowser);
    expect(await readSecondFactor(ownersBrowser)).toEqual({
      since: null,
      recoveryCodesLeft: 0,
      isAsked: true,
      isRequired: false,
    });
    expect(toStatusAndCode(await ownersBrowser.post(`${secondFactorPath}/confirm`, { code: '123456' }))).toEqual([
      409,
      'second-factor-not-begun',
    ]);
    expect(toStatusAndCode(await ownersBrowser.post(secondFactorPath, { password: 'not-the-password' }))).toEqual([
      403,
      'password-wrong',
    ]);
    const earlierSetup = (await ownersBrowser.post(secondFactorPath, passwordBody)).json;
    const { secret, address } = (await ownersBrowser.post(secondFactorPath, passwordBody)).json;
    expect(secret).not.toBe(earlierSetup.secret);
    expect(new URL(address).searchParams.get('secret')).toBe(secret);
    expect(new URL(address).searchParams.get('issuer')).toBe('Kinframe');
    expect((await enterPassword(testShop.browser())).json).toMatchObject({ success: true });

    for (const code of [
      generateTotpCode(earlierSetup.secret, testShop.clock.now()),
      generateTotpCode(secret, new Date(testShop.clock.now().getTime() - 120_000)),
    ])
      expect(toStatusAndCode(await ownersBrowser.post(`${secondFactorPath}/confirm`, { code }))).toEqual([
        403,
        'code-wrong',
      ]);
    expect((await enterPassword(testShop.browser())).json.success).toBe(true);
    const confirmResponse = await ownersBrowser.post(`${secondFactorPath}/confirm`, {
      code: generateTotpCode(secret, testShop.clock.now()),
    });
    expect(confirmResponse.status).toBe(200);
    expect(new Set(confirmResponse.json.recoveryCodes).size).toBe(10);
    for (const code of confirmResponse.json.recoveryCodes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect(await readSecondFactor(ownersBrowser)).toEqual({
      since: expect.stringMatching(/^\d{4}-/),
      recoveryCodesLeft: 10,
      isAsked: true,
      isRequired: false,
    });
    expect(toStatusAndCode(await ownersBrowser.post(secondFactorPath, passwordBody))).toEqual([
      409,
      'second-factor-on',
    ]);
    expect(
      toStatusAndCode(
        await ownersBrowser.post(`${secondFactorPath}/confirm`, {
          code: generateTotpCode(secret, testShop.clock.now()),
        }),
      ),
    ).toEqual([409, 'second-factor-on']);
    const storedRows = JSON.stringify(await readAllTables(testShop.shop.db));
    for (const code of confirmResponse.json.recoveryCodes as string[]) {
      expect(storedRows).not.toContain(code);
      expect(storedRows).not.toContain(code.replaceAll('-', ''));
    }
    expect(await readPanelStatus(ownersBrowser)).toBe(200); // earlier sessions stay open
  });

  test('switching the second factor off and getting new recovery codes require password and code', async () => {
    const testShop = await openTestShop(fresh);
    const { desk, nextCode: createNextCode, recoveryCodes } = await withSecondFactor(testShop);
    const protectedPaths = [`${secondFactorPath}/off`, `${secondFactorPath}/recovery-codes`];
    for (const protectedPath of protectedPaths) {
      expect(toStatusAndCode(await desk.post(protectedPath, passwordBody))).toEqual([403, 'code-wrong']);
      expect(toStatusAndCode(await desk.post(protectedPath, { ...passwordBody, code: '000000' }))).toEqual([
        403,
        'code-wrong',
      ]);
      expect(
        toStatusAndCode(await desk.post(protectedPath, { password: 'not-the-password', code: createNextCode() })),
      ).toEqual([403, 'password-wrong']);
    }
    expect(await readSecondFactor(desk)).toMatchObject({ since: expect.any(String), recoveryCodesLeft: 10 });
    const renewedResponse = await desk.post(protectedPaths[1]!, { ...passwordBody, code: recoveryCodes[0] });
    expect(renewedResponse.json.recoveryCodes).toHaveLength(10);
    expect(await readSecondFactor(desk)).toMatchObject({ recoveryCodesLeft: 10 });
    expect(toStatusAndCode(await desk.post(protectedPaths[0]!, { ...passwordBody, code: recoveryCodes[1] }))).toEqual([
      403,
      'code-wrong',
    ]);
    expect((await desk.post(protectedPaths[0]!, { ...passwordBody, code: createNextCode() })).status).toBe(200);
    expect(await readSecondFactor(desk)).toMatchObject({ since: null, recoveryCodesLeft: 0 });
    expect([
      await countRows(testShop.shop.db, 'second_factors'),
      await countRows(testShop.shop.db, 'recovery_codes'),
    ]).toEqual([0, 0]);
    expect((await enterPassword(testShop.browser())).json.success).toBe(true);
    for (const protectedPath of protectedPaths)
      expect(toStatusAndCode(await desk.post(protectedPath, { ...passwordBody, code: createNextCode() }))).toEqual([
        409,
        'second-factor-off',
      ]);
  });

  test('with ADMIN_SECOND_FACTOR=off, sign-in and switching the second factor off need only the password', async () => {
    const testShop = await openTestShop(fresh);
    await withSecondFactor(testShop);
    const appWithoutFactor = await createApp({
      ...testShop.shop,
      config: { ...testShop.shop.config, asksSecondFactor: false },
    });
    const owner = new Browser(appWithoutFactor, '127.0.0.1');
    expect((await enterPassword(owner)).json.success).toBe(true);
    expect(await readSecondFactor(owner)).toMatchObject({
      since: expect.any(String),
      isAsked: false,
      isRequired: false,
    });
    expect((await owner.post(`${secondFactorPath}/off`, passwordBody)).status).toBe(200);
    expect(await readSecondFactor(owner)).toMatchObject({ since: null });
    await appWithoutFactor.close();
  });
});

describeOnPostgres((fresh) => {
  test('accepts the same code only once when many browsers send it at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const { nextCode: createNextCode, recoveryCodes } = await withSecondFactor(testShop);
    for (const code of [createNextCode(), recoveryCodes[0]!]) {
      const browsers = Array.from({ length: 12 }, (_, place) => testShop.browser({ address: `198.51.100.${place}` }));
      for (const browser of browsers) await enterPassword(browser);
      const responses = await Promise.all(browsers.map((browser) => enterCode(browser, code)));
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        200,
        ...Array<number>(11).fill(403),
      ]);
      expect((await Promise.all(browsers.map(readPanelStatus))).filter((status) => status === 200)).toHaveLength(1);
    }
  });
});
