import { expect, test } from 'vitest';
import { builtInAbout } from '#contract/built-in-about.ts';
import { builtInHero } from '#contract/built-in-content.ts';
import type { Content } from '#contract/content.ts';
import { anyEngine, eachEngine } from '#test/database.ts';
import { anna } from '#test/people.ts';
import { everyRow } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';

async function owner(it: TestShop) {
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
const files = ['hero', 'features', 'steps', 'site', 'promos', 'faqs'] as const;

eachEngine((fresh) => {
  test('what the owner saves is what visitors read next, and what stood there is kept in the trail', async () => {
    const it = await openTestShop(fresh);
    const browser = await owner(it);
    expect((await browser.get('/api/admin/content/hero.json')).json).toEqual(builtInHero);
    const edited = { ...builtInHero, title: 'Look,', titleHighlight: 'it waves.' };
    const saved = await browser.put('/api/admin/content/hero.json', edited);
    expect([saved.status, saved.json]).toEqual([200, edited]);
    expect((await it.browser().get('/data/hero.json')).json).toEqual(edited);
    const trail = (await everyRow(it.shop.db))['audit_trail'] as { act: string; before: unknown; after: unknown }[];
    expect(trail.find((it2) => it2.act === 'edit-content')).toMatchObject({ before: builtInHero, after: edited });
  });
});

anyEngine((fresh) => {
  test('nobody else reads or edits it', async () => {
    const it = await openTestShop(fresh);
    const visitor = it.browser();
    const before = await everyRow(it.shop.db);
    for (const file of files) {
      const { json: built } = await (await owner(it)).get(`/api/admin/content/${file}.json`);
      expect((await visitor.get(`/api/admin/content/${file}.json`)).status).toBe(401);
      expect((await visitor.put(`/api/admin/content/${file}.json`, built)).status).toBe(401);
    }
    expect((await visitor.get('/api/admin/promotion-uses')).status).toBe(401);
    expect((await everyRow(it.shop.db))['content']).toEqual(before['content']);
  });

  test('a code is for sale as soon as it is saved, its uses are told, and the public never reads it', async () => {
    const it = await openTestShop(fresh);
    const browser = await owner(it);
    expect((await browser.put('/api/admin/content/promos.json', [promo])).json).toEqual([promo]);
    const cart = { productId: 'kinframe', quantity: 1, extraPackages: 0, customerDetails: anna, promoCode: 'gift10' };
    expect((await it.browser().post('/api/create-payment-intent', cart)).json).toMatchObject({ discountAmount: 1990 });
    expect((await browser.get('/api/admin/promotion-uses')).json).toEqual([{ code: 'GIFT10', used: 1 }]);
    expect((await it.browser().get('/data/promos.json')).text).not.toMatch(/gift10/i);
  });

  test.each([
    ['a last day before the first', { endDate: '2019-12-31' }, 'The last day is before the first.'],
    ['a code that takes nothing off', { discountPercent: undefined }, 'How many percent does the code take off?'],
    ['a percentage without a code', { discountCode: ' ' }, 'Which code takes them off?'],
    ['all of the price', { discountPercent: 100 }, 'A code can take off 99 percent at most'],
    ['nothing to announce', { message: ' ' }, 'Please enter what is announced'],
  ])('a promotion with %s is refused in words', async (_, spoilt, words) => {
    const it = await openTestShop(fresh);
    const browser = await owner(it);
    const answer = await browser.put('/api/admin/content/promos.json', [{ ...promo, ...spoilt }]);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(words);
    expect((await browser.get('/api/admin/content/promos.json')).text).not.toContain('Gift10');
  });

  test('two promotions with one code are refused, however it is written', async () => {
    const it = await openTestShop(fresh);
    const twice = [promo, { ...promo, id: 2, discountCode: ' GIFT10' }];
    const answer = await (await owner(it)).put('/api/admin/content/promos.json', twice);
    expect([answer.status, answer.json.fields]).toEqual([
      400,
      { '1.discountCode': 'Another promotion has this code already.' },
    ]);
  });

  test('sections of the about page are edited one by one, two at once included', async () => {
    const it = await openTestShop(fresh);
    const browser = await owner(it);
    const edit = (section: string, title: string) =>
      browser.put(`/api/admin/about-content/${section}`, {
        ...builtInAbout.find((it2) => it2.section === section),
        title,
      });
    await Promise.all(['hero', 'team', 'cta', 'story-1'].map((section) => edit(section, `New ${section}`)));
    const { json } = await it.browser().get('/api/about-content');
    const titles = Object.fromEntries((json as Content<'about'>).map((it2) => [it2.section, it2.title]));
    expect(titles).toMatchObject({ hero: 'New hero', team: 'New team', cta: 'New cta', 'story-1': 'New story-1' });
    expect(json).toHaveLength(builtInAbout.length);
    expect((await edit('values-9', 'No such section')).status).toBe(400);
  });
});
