import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { lifetimes, proofOfWorkLimits } from '#contract/limits.ts';
import type { WorkChallenge } from '#contract/proof-of-work.ts';
import { proofOfWorkHeader } from '#contract/proof-of-work-header.ts';
import { createApp } from '#server/app.ts';
import { deleteOldData } from '#server/jobs/retention.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { anna, createPhotoForm, createSmallPhoto } from '#test/people.ts';
import { countRows, readAllTables } from '#test/rows.ts';
import { Browser, openTestShop, type TestShop } from '#test/shop.ts';

const limitedOptions = { env: { RATE_LIMITS: 'on' } };
const registrationFields = {
  firstName: 'Rose',
  lastName: 'Winter',
  password: 'Sunflower-Field-7',
  confirmPassword: 'Sunflower-Field-7',
};
const createPerson = () => ({ ...registrationFields, email: `rose-${crypto.randomUUID()}@example.com` });
const cart = { productId: 'kinframe', quantity: 1, extraPackages: 0 };
const paymentIntentRequest = { ...cart, customerDetails: anna };
const promoCodeRequest = { ...cart, promoCode: 'NO-SUCH-CODE' };

const register = (browser: Browser, proof?: string) =>
  browser.post('/api/auth/register', createPerson(), createProofHeaders(proof));
const createProofHeaders = (proof?: string): Record<string, string> =>
  proof === undefined ? {} : { [proofOfWorkHeader]: proof };

async function solveAndSend(
  challenge: WorkChallenge,
  change: (payload: { challenge: WorkChallenge; solution: object }) => void = () => {},
) {
  const payload = {
    challenge: structuredClone(challenge),
    solution: (await solveChallenge({ challenge, deriveKey }))!,
  };
  change(payload);
  return Buffer.from(JSON.stringify(payload)).toString('base64');
}

/** Brings an IP address to its quiet limit: its next call of this kind needs a proof. */
const useUpQuietLimit = async (
  { shop }: TestShop,
  browser: Browser,
  kind: keyof typeof proofOfWorkLimits = 'register',
) => {
  const callsByKind = {
    register,
    'payment-intent': (it: Browser) => it.post('/api/create-payment-intent', paymentIntentRequest),
    'promo-code': (it: Browser) => it.post('/api/check-promo-code', promoCodeRequest),
    trial: async (it: Browser) => it.post('/api/trial', createPhotoForm(undefined, await createSmallPhoto())),
  };
  expect((await callsByKind[kind](browser)).status).not.toBe(428);
  await shop.db.execute(
    sql`update rate_counters set count = ${proofOfWorkLimits[kind].max} where key like ${`quiet-${kind}:%`}`,
  );
};

const fetchChallenge = async (browser: Browser, kind = 'register'): Promise<WorkChallenge> => {
  const { status, json } = await browser.get(`/api/proof-of-work?kind=${kind}`);
  expect(status).toBe(200);
  return json;
};

describeOnFastestEngine((fresh) => {
  test('accepts calls without a proof of work up to a limit, then refuses them and changes nothing', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    const browser = testShop.browser({ address: '192.0.2.1' });
    for (let i = 0; i < proofOfWorkLimits.register.max; i += 1) expect((await register(browser)).status).toBe(200);
    const tablesBefore = await readAllTables(testShop.shop.db);
    const { status, json } = await register(browser);
    expect(status).toBe(428);
    expect(json).toMatchObject({
      code: 'proof-of-work-needed',
      message: expect.stringMatching(/^Many requests came from your network/),
    });
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
    expect((await register(testShop.browser({ address: '192.0.2.2' }))).status).toBe(200); // another IP address has its own limit
    // A call with an invalid form needs no proof.
    expect((await browser.post('/api/auth/register', {})).status).toBe(400);

    const proof = await solveAndSend(json.details.challenge);
    await testShop.shop.db.execute(sql`delete from rate_counters where key like 'register:%'`);
    expect((await register(browser, proof)).status).toBe(200);
    expect(await countRows(testShop.shop.db, 'customers')).toBe(proofOfWorkLimits.register.max + 2);
  });

  test.each([
    ['payment-intent', '/api/create-payment-intent', paymentIntentRequest, 200],
    ['promo-code', '/api/check-promo-code', promoCodeRequest, 400],
  ] as const)(
    'beyond the limit of %s, accepts requests with a correct proof, also from another address of the same network',
    async (kind, url, body, answered) => {
      const testShop = await openTestShop(fresh, limitedOptions);
      const browser = testShop.browser({ address: '2001:db8::1' });
      await useUpQuietLimit(testShop, browser, kind);
      const browserInSameNetwork = testShop.browser({ address: '2001:db8::2' }); // another address of the same network
      expect((await browserInSameNetwork.post(url, body)).json.code).toBe('proof-of-work-needed');
      const proof = await solveAndSend(await fetchChallenge(browser, kind));
      expect((await browserInSameNetwork.post(url, body, createProofHeaders(proof))).status).toBe(answered);
    },
  );

  test('refuses a used, expired, changed or foreign proof, and returns a new challenge', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    const otherShop = await openTestShop(fresh, limitedOptions);
    const browser = testShop.browser({ address: '192.0.2.1' });
    await useUpQuietLimit(testShop, browser);
    await testShop.shop.db.execute(sql`delete from rate_counters where key like 'register:%'`);
    const challenge = await fetchChallenge(browser);
    const usedProof = await solveAndSend(challenge);
    expect((await register(browser, usedProof)).status).toBe(200);

    const unusedProof = await solveAndSend(await fetchChallenge(browser));
    const wrongProofs: Record<string, string> = {
      'used before': usedProof,
      'of another call': await solveAndSend(await fetchChallenge(browser, 'promo-code')),
      'of another network': await solveAndSend(await fetchChallenge(testShop.browser({ address: '192.0.2.2' }))),
      'of another shop': await solveAndSend(await fetchChallenge(otherShop.browser({ address: '192.0.2.1' }))),
      'made easier': await solveAndSend(challenge, (it) => (it.challenge.parameters.cost = 1)),
      'made to last': await solveAndSend(challenge, (it) => (it.challenge.parameters.expiresAt += 3600)),
      'with a nonce of its own': await solveAndSend(
        challenge,
        (it) => (it.challenge.parameters.nonce = '00'.repeat(16)),
      ),
      'not worked out': await solveAndSend(
        await fetchChallenge(browser),
        (it) => (it.solution = { counter: 1, derivedKey: it.challenge.parameters.keyPrefix }),
      ),
      unsigned: await solveAndSend(challenge, (it) => (it.challenge.signature = '')),
      empty: '',
      'no JSON': 'x'.repeat(50),
      long: Buffer.from(JSON.stringify({ challenge, solution: {}, more: 'x'.repeat(10_000) })).toString('base64'),
      null: Buffer.from('null').toString('base64'),
    };
    const tablesBefore = await readAllTables(testShop.shop.db);
    const testRefusal = async (what: string, proof: string) => {
      await testShop.shop.db.execute(sql`delete from rate_counters where key like 'register:%'`);
      const { status, json } = await register(browser, proof);
      expect([status, json.code], what).toEqual([428, 'proof-of-work-refused']);
      expect(json.message).toMatch(/^Your browser check has expired/);
      expect(json.details.challenge.signature).not.toBe(challenge.signature);
    };
    for (const [what, proof] of Object.entries(wrongProofs)) await testRefusal(what, proof);
    testShop.clock.advance(lifetimes.proofOfWorkMinutes * 60_000);
    await testRefusal('expired', unusedProof);
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
  });

  test('accepts only one of two concurrent calls with the same proof, even when two processes receive them', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    const secondApp = await createApp(testShop.shop);
    const browsers = [testShop.browser({ address: '192.0.2.1' }), new Browser(secondApp, '192.0.2.1')];
    await useUpQuietLimit(testShop, browsers[0]!);
    const proof = await solveAndSend(await fetchChallenge(browsers[0]!));
    const responses = await Promise.all(browsers.map((browser) => register(browser, proof)));
    expect(responses.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 428]);
    await secondApp.close();
  });

  test('accepts calls without a proof of work if RATE_LIMITS is off', async () => {
    const testShop = await openTestShop(fresh);
    for (let i = 0; i <= proofOfWorkLimits.register.max; i += 1)
      expect((await register(testShop.browser())).status).toBe(200);
  });

  test('deletes used proofs after they expire', async () => {
    const testShop = await openTestShop(fresh, limitedOptions);
    const browser = testShop.browser();
    await useUpQuietLimit(testShop, browser);
    expect((await register(browser, await solveAndSend(await fetchChallenge(browser)))).status).toBe(200);
    await deleteOldData(testShop.shop);
    expect(await countRows(testShop.shop.db, 'proofs_of_work')).toBe(1);
    testShop.clock.advance((lifetimes.proofOfWorkMinutes + 61) * 60_000);
    await deleteOldData(testShop.shop);
    expect(await countRows(testShop.shop.db, 'proofs_of_work')).toBe(0);
  });
});
