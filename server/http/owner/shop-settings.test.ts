import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { builtInSettings } from '#contract/built-in-settings.ts';
import { fakeAnimator } from '#test/fake-animator.ts';
import { describeOnEachEngine, describeOnFastestEngine } from '#test/database.ts';
import { buyAndVerify, buyFramesAsAnna, uploadTo } from '#test/people.ts';
import { readQueuedMails, readAllTables } from '#test/rows.ts';
import { emptyPhotoAnalyzer } from '#test/photo-analysis.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';
import { openShop } from '#server/shop.ts';
import { makePreview } from '#shop/production/previews.ts';
import { renderVideo } from '#shop/production/render.ts';

const path = '/api/admin/content/settings.json';
async function signInOwner(it: TestShop) {
  const owner = it.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const saveSettings = (change: object) => owner.put(path, { ...builtInSettings, ...change });
  return { owner, save: saveSettings };
}
const readVideoRows = async (it: TestShop) =>
  (await readAllTables(it.shop.db))['videos'] as { id: string; state: string; take: number }[];
/** Anna's finalized frame with one video, rendered by the shop's own rules. */
async function renderOne(it: TestShop) {
  const { browser, frames } = await buyFramesAsAnna(it);
  const { deviceId } = frames[0]!;
  await uploadTo(browser, deviceId);
  await browser.post('/api/uploads/finalize', { deviceId });
  const [video] = await readVideoRows(it);
  const jobAttempt = { signal: new AbortController().signal, isLastTry: false };
  await renderVideo(it.shop, { videoId: video!.id, take: video!.take }, jobAttempt);
  return (await readVideoRows(it))[0]!.state;
}

describeOnEachEngine((fresh) => {
  test('saved settings apply at once, in every process, and are in the audit trail', async () => {
    const testShop = await openTestShop(fresh);
    const shopOverrides = { animator: fakeAnimator, seeing: emptyPhotoAnalyzer, database: testShop.shop.database };
    const otherShop = await openShop(testShop.shop.config, testShop.shop.log, shopOverrides);
    const { owner, save } = await signInOwner(testShop);
    expect((await owner.get(path)).json).toEqual(builtInSettings);
    expect(await otherShop.hasTrials(otherShop.db)).toBe(true);
    const savedSettings = {
      frameCostDollars: 62.5,
      shippingCostDollars: 9,
      trials: 'off',
      proof: 'before',
      customerRedos: 0,
    };
    expect((await save(savedSettings)).status).toBe(200);
    expect((await testShop.browser().get('/data/trial.json')).json).toEqual({ isOffered: false });
    expect(await testShop.shop.costs(testShop.shop.db)).toEqual({ frameCents: 6250, parcelCents: 900 });
    await vi.waitFor(async () => expect(await otherShop.hasTrials(otherShop.db)).toBe(false), { timeout: 10_000 });
    expect(await otherShop.proofRules(otherShop.db)).toEqual({ when: 'before', redos: 0 });
    expect(await otherShop.costs(otherShop.db)).toEqual({ frameCents: 6250, parcelCents: 900 });
    const auditTrail = (await readAllTables(testShop.shop.db))['audit_trail'] as object[];
    expect(auditTrail).toContainEqual(
      expect.objectContaining({
        act: 'edit-content',
        subject_id: 'settings',
        before: builtInSettings,
        after: { ...builtInSettings, ...savedSettings },
      }),
    );
  });

  test('a proof that the owner turns on in the panel starts when the videos of a frame are made', async () => {
    const testShop = await openTestShop(fresh);
    const { save } = await signInOwner(testShop);
    await save({ proof: 'before' });
    expect(await renderOne(testShop)).toBe('rendered');
    expect(await readQueuedMails(testShop.shop.db, 'proof-ready:')).toMatchObject([
      { content: { redosPossible: true } },
    ]);
  });
});

describeOnFastestEngine((fresh) => {
  test('approves a finished video automatically only while the owner has chosen it', async () => {
    const testShop = await openTestShop(fresh);
    const { save } = await signInOwner(testShop);
    await save({ autoApprove: 'on' });
    expect(await renderOne(testShop)).toBe('approved');
    const disabledShop = await openTestShop(fresh);
    expect(await renderOne(disabledShop)).toBe('rendered');
  });

  test('after the owner turns previews off, a waiting preview is not made and new photos get none', async () => {
    const testShop = await openTestShop(fresh);
    const { save } = await signInOwner(testShop);
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId, orderId } = frames[0]!;
    await uploadTo(browser, deviceId);
    const countWaitingPreviews = async () =>
      (await testShop.shop.db.execute(sql`select from jobs.job where name = 'make-preview' and state < 'active'`)).rows
        .length;
    expect(await countWaitingPreviews()).toBe(1);
    await save({ previews: 'off' });
    await makePreview(testShop.shop, { orderId }, { signal: new AbortController().signal, isLastTry: true });
    expect((await readAllTables(testShop.shop.db))['previews']).toEqual([]);
    await testShop.shop.db.execute(sql`delete from jobs.job where name = 'make-preview'`);
    await uploadTo(browser, deviceId);
    expect(await countWaitingPreviews()).toBe(0);
    expect((await browser.get('/api/frame-photo-limits')).json.hasPreviews).toBe(false);
  });

  test('an environment variable wins over the saved setting, and the panel gets its value', async () => {
    const env = { AUTO_APPROVE: 'off', PROOF: 'after', CUSTOMER_REDOS: '7', PREVIEWS: 'off', FRAME_COST: '50' };
    const testShop = await openTestShop(fresh, { env });
    const { owner, save } = await signInOwner(testShop);
    await save({ autoApprove: 'on', proof: 'off', customerRedos: 1, frameCostDollars: 1, shippingCostDollars: 2 });
    const { db } = testShop.shop;
    expect(await testShop.shop.autoApproves(db)).toBe(false);
    expect(await testShop.shop.hasPreviews(db)).toBe(false);
    expect(await testShop.shop.proofRules(db)).toEqual({ when: 'after', redos: 7 });
    expect(await testShop.shop.costs(db)).toEqual({ frameCents: 5000, parcelCents: 200 });
    expect((await owner.get('/api/admin/shop-settings')).json).toEqual({
      setByServer: { autoApprove: 'off', proof: 'after', customerRedos: 7, previews: 'off', frameCostDollars: 50 },
      canPreview: true,
    });
  });

  test('an empty environment variable leaves the setting to the owner', async () => {
    const testShop = await openTestShop(fresh, { env: { AUTO_APPROVE: '', FRAME_COST: '' } });
    const { owner, save } = await signInOwner(testShop);
    await save({ autoApprove: 'on' });
    expect(await testShop.shop.autoApproves(testShop.shop.db)).toBe(true);
    expect((await owner.get('/api/admin/shop-settings')).json.setByServer).toEqual({});
  });

  test('costs that the owner enters are in the margins of the panel', async () => {
    const testShop = await openTestShop(fresh);
    const { owner, save } = await signInOwner(testShop);
    await buyAndVerify(testShop.browser());
    const [order] = (await owner.get('/api/admin/lists/orders')).json.rows;
    const readMargin = async () => (await owner.get(`/api/admin/orders/${order.id}/margin`)).json;
    expect(await readMargin()).toMatchObject({ frameCost: null, parcelCost: null });
    await save({ frameCostDollars: 62.55, shippingCostDollars: 0 });
    expect(await readMargin()).toMatchObject({ frameCost: 6255, parcelCost: 0 });
    expect((await owner.get('/api/analytics/margins')).json.months[0]).toMatchObject({ frameCost: 6255 });
  });

  test('with a hosted animator there are no previews and no free videos, whatever is saved', async () => {
    const testShop = await openTestShop(fresh, { standIn: { ...fakeAnimator, id: 'other' } });
    const { owner } = await signInOwner(testShop);
    expect((await owner.get('/api/admin/shop-settings')).json.canPreview).toBe(false);
    expect(await testShop.shop.hasPreviews(testShop.shop.db)).toBe(false);
    expect((await testShop.browser().get('/data/trial.json')).json).toEqual({ isOffered: false });
  });

  test('refuses the second of two saves from the same version', async () => {
    const testShop = await openTestShop(fresh);
    const { owner } = await signInOwner(testShop);
    const { versions } = (await owner.get('/api/admin/content-versions')).json;
    const saveFromVersion = (customerRedos: number) =>
      owner.put(`${path}?version=${versions.settings}`, { ...builtInSettings, customerRedos });
    expect((await saveFromVersion(1)).status).toBe(200);
    const secondResponse = await saveFromVersion(2);
    expect([secondResponse.status, secondResponse.json.code]).toEqual([409, 'content-changed']);
    expect(secondResponse.json.details).toMatchObject({ yours: { customerRedos: 2 }, theirs: { customerRedos: 1 } });
    expect((await owner.get(path)).json.customerRedos).toBe(1);
  });

  test.each([
    [{ frameCostDollars: -1 }, { frameCostDollars: 'Please enter 0 or more' }],
    [{ frameCostDollars: 1.005 }, { frameCostDollars: 'Please enter at most two digits after the point' }],
    [{ shippingCostDollars: 1e7 }, { shippingCostDollars: 'Please enter less than 10 million dollars' }],
    [{ shippingCostDollars: 'nine' }, { shippingCostDollars: 'Please enter an amount in dollars, like 62.50' }],
    [{ customerRedos: 100 }, { customerRedos: 'Please enter a number from 0 to 99' }],
    [{ customerRedos: 1.5 }, { customerRedos: 'Please enter a whole number' }],
    [{ proof: 'later' }, { proof: 'Please choose one' }],
    [{ autoApprove: true }, { autoApprove: 'Please choose one' }],
  ])('refuses %j with an error at the field', async (wrong, fields) => {
    const testShop = await openTestShop(fresh);
    const { owner, save } = await signInOwner(testShop);
    const refusedResponse = await save(wrong);
    expect([refusedResponse.status, refusedResponse.json.fields]).toEqual([400, fields]);
    expect((await owner.get(path)).json).toEqual(builtInSettings);
  });

  test('only the owner can read the settings', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    for (const privatePath of [path, '/api/admin/shop-settings'])
      expect((await visitor.get(privatePath)).status, privatePath).toBe(401);
    expect((await visitor.get('/data/settings.json')).status).toBe(404);
  });
});
