import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { builtInAbout } from '#contract/built-in-about.ts';
import { builtInFeatures, builtInHero } from '#contract/built-in-content.ts';
import type { Content } from '#contract/content.ts';
import { describeOnFastestEngine, describeOnEachEngine } from '#test/database.ts';
import { anna, buyAndVerify } from '#test/people.ts';
import { readAllTables, readQueuedMails } from '#test/rows.ts';
import { openShop } from '#server/shop.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

async function signInOwner(it: TestShop) {
  const browser = it.browser();
  await browser.post('/api/admin/auth/password', { password: adminPassword });
  return browser;
}
const promo: Content<'promos'>[number] = {
  id: 1,
  message: 'Ten percent off',
  startDate: '2020-01-01',
  endDate: '2099-12-31',
  discountCode: 'Gift10',
  discountPercent: 10,
  usageCap: 3,
};
const files = ['hero', 'features', 'steps', 'site', 'frame', 'promos', 'faqs'] as const;

describeOnEachEngine((fresh) => {
  test('publishes what the owner saves, and keeps the previous content in the audit trail', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await signInOwner(testShop);
    expect((await browser.get('/api/admin/content/hero.json')).json).toEqual(builtInHero);
    const editedHero = { ...builtInHero, title: 'Look,', titleHighlight: 'it waves.' };
    const savedResponse = await browser.put('/api/admin/content/hero.json', editedHero);
    expect([savedResponse.status, savedResponse.json]).toEqual([200, editedHero]);
    expect((await testShop.browser().get('/data/hero.json')).json).toEqual(editedHero);
    const auditTrail = (await readAllTables(testShop.shop.db))['audit_trail'] as {
      act: string;
      before: unknown;
      after: unknown;
    }[];
    expect(auditTrail.find((it) => it.act === 'edit-content')).toMatchObject({
      before: builtInHero,
      after: editedHero,
    });
  });
});

describeOnFastestEngine((fresh) => {
  const fetchVersions = async (browser: Browser) =>
    (await browser.get('/api/admin/content-versions')).json as {
      versions: Record<string, string>;
      unreadable: string[];
    };

  test('refuses the second of two conflicting saves, returns both versions, and overwrites nothing', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await signInOwner(testShop);
    const { versions } = await fetchVersions(browser);
    const saveHero = (title: string, version: string) =>
      browser.put(`/api/admin/content/hero.json?version=${version}`, { ...builtInHero, title });
    const [first, second] = [await saveHero('First', versions['hero']!), await saveHero('Second', versions['hero']!)];
    expect(first.status).toBe(200);
    expect([second.status, second.json.code]).toEqual([409, 'content-changed']);
    expect(second.json.details).toMatchObject({ yours: { title: 'Second' }, theirs: { title: 'First' } });
    expect((await browser.get('/data/hero.json')).json.title).toBe('First');
    expect((await saveHero('First', versions['hero']!)).status).toBe(200); // a repeated save, as after a lost response
    expect((await saveHero('Second', second.json.details.version)).status).toBe(200); // the owner chose this version
    expect((await browser.get('/data/hero.json')).json.title).toBe('Second');
  });

  test('saves of different sections of the about page do not conflict', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await signInOwner(testShop);
    const { versions } = await fetchVersions(browser);
    const saveAboutSection = (part: string, title: string) =>
      browser.put(`/api/admin/about-content/${part}?version=${versions[`about/${part}`]}`, {
        ...builtInAbout.find((it) => it.section === part),
        title,
      });
    expect((await saveAboutSection('hero', 'A')).status).toBe(200);
    expect((await saveAboutSection('team', 'B')).status).toBe(200);
    const secondResponse = await saveAboutSection('hero', 'C');
    expect([secondResponse.status, secondResponse.json.details.theirs.title]).toEqual([409, 'A']);
  });

  test('replaces unreadable content with the built-in section, and emails the owner once', async () => {
    const testShop = await openTestShop(fresh);
    const { db } = testShop.shop;
    const storeInvalidSection = (section: string, value: unknown) =>
      db.execute(sql`insert into content (section, value, updated_at) values (${section}, ${JSON.stringify(value)}::jsonb, now())
        on conflict (section) do update set value = excluded.value, updated_at = now()`);
    await storeInvalidSection('features', { not: 'a list' });
    await storeInvalidSection('promos', [{ message: 'Half price', startDate: 'tomorrow' }]);
    const visitor = testShop.browser();
    expect((await visitor.get('/data/features.json')).json).toEqual(builtInFeatures);
    expect((await visitor.get('/data/promos.json')).json).toEqual([]); // the built-in section has no promotions
    await vi.waitFor(async () => expect(await readQueuedMails(db, 'owner-content-unreadable:')).toHaveLength(2), {
      timeout: 30_000,
    });
    const reopenedShop = await openShop(testShop.shop.config, testShop.shop.log, { database: testShop.shop.database });
    await reopenedShop.readContent('features');
    expect((await fetchVersions(await signInOwner(testShop))).unreadable.toSorted()).toEqual(['features', 'promos']);
    expect(await readQueuedMails(db, 'owner-content-unreadable:')).toHaveLength(2);

    const mendedFeatures = [{ ...builtInFeatures[0]!, title: 'Mended' }];
    expect((await (await signInOwner(testShop)).put('/api/admin/content/features.json', mendedFeatures)).status).toBe(
      200,
    );
    await vi.waitFor(async () => expect((await visitor.get('/data/features.json')).json).toEqual(mendedFeatures), {
      timeout: 30_000,
    });
  });

  test('fills in the default of a field that was added after the section was saved', async () => {
    const testShop = await openTestShop(fresh);
    const olderHero = { ...builtInHero, title: 'Ours', subtitle: undefined };
    const saveSection = (section: string, value: unknown) =>
      testShop.shop.db.execute(
        sql`insert into content (section, value, updated_at) values (${section}, ${JSON.stringify(value)}::jsonb, now())`,
      );
    await saveSection('hero', olderHero);
    await saveSection('features', [{ title: 'Without a description' }]);
    expect((await testShop.browser().get('/data/hero.json')).json).toEqual({ ...builtInHero, title: 'Ours' });
    expect((await testShop.browser().get('/data/features.json')).json).toEqual([
      { title: 'Without a description', description: '' },
    ]);
    expect(await readQueuedMails(testShop.shop.db, 'owner-content-unreadable:')).toEqual([]);
  });

  test('the product has the facts that the owner entered, and built-in facts are marked as examples', async () => {
    const testShop = await openTestShop(fresh);
    const readProduct = async () =>
      (await testShop.browser().get('/data/products.json')).json[0] as Content<'products'>[number];
    const findWeightSpecs = ({ specs }: Content<'products'>[number]) => specs.filter(({ label }) => label === 'Weight');
    const productBefore = await readProduct();
    expect(findWeightSpecs(productBefore)).toEqual([{ label: 'Weight', value: '2.4 pounds (example)' }]);
    expect(productBefore.included).toMatch(/^The frame with its stand, .+ \(example\)$/);
    const productFacts = { size: '10 x 7 inches', weight: '', storage: '', videoLength: '', box: 'A frame' };
    await (await signInOwner(testShop)).put('/api/admin/content/frame.json', productFacts);
    const productAfter = await readProduct();
    expect([productAfter.specs[0], findWeightSpecs(productAfter), productAfter.included]).toEqual([
      { label: 'Size', value: '10 x 7 inches' },
      [],
      'A frame',
    ]);
    await (await signInOwner(testShop)).put('/api/admin/content/frame.json', { ...productFacts, box: '' });
    expect((await readProduct()).included).toMatch(/^The frame with its stand, [^(]+\.$/);
  });

  test('refuses everyone except the owner to read and edit content', async () => {
    const testShop = await openTestShop(fresh);
    const visitor = testShop.browser();
    const tablesBefore = await readAllTables(testShop.shop.db);
    for (const file of files) {
      const { json: built } = await (await signInOwner(testShop)).get(`/api/admin/content/${file}.json`);
      expect((await visitor.get(`/api/admin/content/${file}.json`)).status).toBe(401);
      expect((await visitor.put(`/api/admin/content/${file}.json`, built)).status).toBe(401);
    }
    expect((await visitor.get('/api/admin/promotion-uses')).status).toBe(401);
    expect((await readAllTables(testShop.shop.db))['content']).toEqual(tablesBefore['content']);
  });

  test('a promo code works as soon as it is saved, its uses are counted, and the public cannot read it', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await signInOwner(testShop);
    expect((await browser.put('/api/admin/content/promos.json', [promo])).json).toEqual([promo]);
    const cart = { productId: 'kinframe', quantity: 1, extraPackages: 0, customerDetails: anna, promoCode: 'gift10' };
    expect((await testShop.browser().post('/api/create-payment-intent', cart)).json).toMatchObject({
      discountAmount: 1990,
    });
    expect((await browser.get('/api/admin/promotion-uses')).json).toEqual([]);
    await buyAndVerify(testShop.browser(), { promoCode: 'gift10', customerDetails: anna });
    expect((await browser.get('/api/admin/promotion-uses')).json).toEqual([{ code: 'GIFT10', used: 1 }]);
    expect((await testShop.browser().get('/data/promos.json')).text).not.toMatch(/gift10/i);
  });

  test('publishes a promo code only if the owner adds it to the banner', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await signInOwner(testShop);
    const secret = { ...promo, id: 2, discountCode: 'SECRET7' };
    expect((await browser.put('/api/admin/content/promos.json', [{ ...promo, banner: 'code' }, secret])).status).toBe(
      200,
    );
    const { json, text } = await testShop.browser().get('/data/promos.json');
    expect(json[0]).toMatchObject({ banner: 'code', discountCode: promo.discountCode, discountPercent: 10 });
    expect(text).not.toContain('SECRET7');
  });

  test.each([
    ['a last day before the first', { endDate: '2019-12-31' }, 'The last day is before the first'],
    ['a code that takes nothing off', { discountPercent: undefined }, 'How much does the code take off, in percent?'],
    ['a percentage without a code', { discountCode: ' ' }, 'Which code gives this discount?'],
    ['all of the price', { discountPercent: 100 }, 'A code can take off at most 99 percent'],
    ['nothing to announce', { message: ' ' }, 'Please enter what is announced'],
  ])('refuses a promotion with %s, with an error message', async (_, spoilt, words) => {
    const testShop = await openTestShop(fresh);
    const browser = await signInOwner(testShop);
    const response = await browser.put('/api/admin/content/promos.json', [{ ...promo, ...spoilt }]);
    expect(response.status).toBe(400);
    expect(response.text).toContain(words);
    expect((await browser.get('/api/admin/content/promos.json')).text).not.toContain('Gift10');
  });

  test('refuses two promotions with the same code, in any spelling', async () => {
    const testShop = await openTestShop(fresh);
    const promosWithSameCode = [promo, { ...promo, id: 2, discountCode: ' GIFT10' }];
    const response = await (await signInOwner(testShop)).put('/api/admin/content/promos.json', promosWithSameCode);
    expect([response.status, response.json.fields]).toEqual([
      400,
      { '1.discountCode': 'Another promotion already uses this code' },
    ]);
  });

  test('saves each section of the about page separately, also at the same time', async () => {
    const testShop = await openTestShop(fresh);
    const browser = await signInOwner(testShop);
    const editTitle = (section: string, title: string) =>
      browser.put(`/api/admin/about-content/${section}`, {
        ...builtInAbout.find((it) => it.section === section),
        title,
      });
    await Promise.all(['hero', 'team', 'cta', 'story-1'].map((section) => editTitle(section, `New ${section}`)));
    const { json } = await testShop.browser().get('/api/about-content');
    const titles = Object.fromEntries((json as Content<'about'>).map((it) => [it.section, it.title]));
    expect(titles).toMatchObject({ hero: 'New hero', team: 'New team', cta: 'New cta', 'story-1': 'New story-1' });
    expect(json).toHaveLength(builtInAbout.length);
    expect((await editTitle('values-9', 'No such section')).status).toBe(400);
  });
});
