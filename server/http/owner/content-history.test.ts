import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { builtInAbout } from '#contract/built-in-about.ts';
import { builtInHero } from '#contract/built-in-content.ts';
import type { Content } from '#contract/content.ts';
import { contentFileSections, maxHistoryVersions } from '#contract/owner/content.ts';
import { contentFileKey } from '#shop/content/content-files.ts';
import { trashKeyFor } from '#shop/files/files.ts';
import { describeOnFastestEngine, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { createFileForm } from '#test/owners-video.ts';
import { createSmallPhoto } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import { adminPassword, openTestShop, type Browser, type TestShop } from '#test/shop.ts';

interface Version {
  id: string;
  at: string | null;
  value: { title: string };
  isNow: boolean;
  gone: string[];
}
async function openSignedInShop(fresh: Parameters<typeof openTestShop>[0]) {
  const testShop = await openTestShop(fresh);
  const owner = testShop.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  return { it: testShop, owner };
}
const readHistoryOf = async (owner: Browser, section: string) => {
  const response = await owner.get(`/api/admin/content-history?section=${encodeURIComponent(section)}`);
  expect(response.status, response.text).toBe(200);
  return response.json as { now: unknown; version: string; versions: Version[] };
};
/** Saves one minute after the previous change. */
async function saveAfterAMinute({ clock }: TestShop, owner: Browser, path: string, body: unknown) {
  clock.advance(60_000);
  const response = await owner.put(path, body);
  expect(response.status, response.text).toBe(200);
}
const heroPath = '/api/admin/content/hero.json';
const heroWithTitle = (title: string) => ({ ...builtInHero, title });

describeOnEachEngine((fresh) => {
  test('lists the last versions, newest first, and at the end the content before the first save', async () => {
    const { it, owner } = await openSignedInShop(fresh);
    expect(await readHistoryOf(owner, 'hero')).toMatchObject({ now: builtInHero, versions: [] });
    for (const title of ['First', 'Second', 'First']) await saveAfterAMinute(it, owner, heroPath, heroWithTitle(title));
    await saveAfterAMinute(
      it,
      owner,
      '/api/admin/content/site.json',
      (await owner.get('/api/admin/content/site.json')).json,
    );
    const { now, version, versions } = await readHistoryOf(owner, 'hero');
    expect([now, version]).toEqual([
      heroWithTitle('First'),
      (await owner.get('/api/admin/content-versions')).json.versions.hero,
    ]);
    expect(versions.map(({ value, isNow }) => [value.title, isNow])).toEqual([
      ['First', true],
      ['Second', false],
      ['First', true],
      [builtInHero.title, false],
    ]);
    const times = versions.map(({ at }) => at);
    expect(times.at(-1)).toBeNull();
    const [last, before, first] = times.slice(0, 3).map((at) => Date.parse(at!));
    expect(last! - before!).toBeGreaterThanOrEqual(60_000);
    expect(before! - first!).toBeGreaterThanOrEqual(60_000);
  });

  test('a restore saves the old content as a new version, and the owner and visitors see it unchanged', async () => {
    const { it, owner } = await openSignedInShop(fresh);
    const { json: faqs } = await owner.get('/api/admin/content/faqs.json');
    await saveAfterAMinute(it, owner, '/api/admin/content/faqs.json', [{ question: 'Only one?', answer: 'Only one.' }]);
    const { version, versions } = await readHistoryOf(owner, 'faqs');
    await saveAfterAMinute(it, owner, `/api/admin/content/faqs.json?version=${version}`, versions.at(-1)!.value);
    expect((await owner.get('/api/admin/content/faqs.json')).json).toEqual(faqs);
    expect((await it.browser().get('/data/faqs.json')).json).toEqual(faqs);
    const historyAfter = await readHistoryOf(owner, 'faqs');
    expect(historyAfter.versions.map(({ isNow }) => isNow)).toEqual([true, false, true]);
    const { audit_trail: trail } = await readAllTables(it.shop.db);
    const contentEntries = (trail as { act: string; before: unknown; after: unknown }[]).filter(
      ({ act }) => act === 'edit-content',
    );
    expect(contentEntries).toHaveLength(2);
    expect(contentEntries).toContainEqual(
      expect.objectContaining({ before: [{ question: 'Only one?', answer: 'Only one.' }], after: faqs }),
    );
  });

  test('each section of the about page has its own list of versions', async () => {
    const { it, owner } = await openSignedInShop(fresh);
    const contentPart = (section: string, title: string) => ({
      ...builtInAbout.find((each) => each.section === section)!,
      title,
    });
    for (const [section, title] of [
      ['hero', 'Who we are'],
      ['team', 'The two of us'],
      ['hero', 'Who we were'],
    ] as const)
      await saveAfterAMinute(it, owner, `/api/admin/about-content/${section}`, contentPart(section, title));
    const readTitles = async (section: string) =>
      (await readHistoryOf(owner, section)).versions.map(({ value, isNow }) => [value.title, isNow]);
    const builtInTitleOf = (section: string) => builtInAbout.find((each) => each.section === section)!.title;
    expect(await readTitles('about/hero')).toEqual([
      ['Who we were', true],
      ['Who we are', false],
      [builtInTitleOf('hero'), false],
    ]);
    expect(await readTitles('about/team')).toEqual([
      ['The two of us', true],
      [builtInTitleOf('team'), false],
    ]);
    expect(await readTitles('about/cta')).toEqual([]);
    const { versions, version } = await readHistoryOf(owner, 'about/hero');
    await saveAfterAMinute(it, owner, `/api/admin/about-content/hero?version=${version}`, versions[1]!.value);
    const { json: page } = await it.browser().get('/api/about-content');
    const publishedSections = new Map((page as Content<'about'>).map((each) => [each.section, each]));
    expect([publishedSections.get('hero'), publishedSections.get('team')?.title]).toEqual([
      contentPart('hero', 'Who we are'),
      'The two of us',
    ]);
  });
});

describeOnFastestEngine((fresh) => {
  test('lists a limited number of versions, and leaves out the first content if the list is full', async () => {
    const { it, owner } = await openSignedInShop(fresh);
    for (let count = 1; count <= maxHistoryVersions; count++)
      await saveAfterAMinute(it, owner, heroPath, heroWithTitle(`Number ${count}`));
    const { versions } = await readHistoryOf(owner, 'hero');
    expect(versions).toHaveLength(maxHistoryVersions);
    expect([versions[0]!.value.title, versions.at(-1)!.value.title]).toEqual([
      `Number ${maxHistoryVersions}`,
      'Number 1',
    ]);
  });

  test('refuses to restore a version that violates today’s rules with a message, and changes nothing', async () => {
    const { it, owner } = await openSignedInShop(fresh);
    const promoWithId = (id: number) => ({
      id,
      message: 'Ten percent off',
      startDate: '2020-01-01',
      endDate: '2099-12-31',
      discountCode: 'Gift10',
      discountPercent: 10,
    });
    await saveAfterAMinute(it, owner, '/api/admin/content/promos.json', [promoWithId(1)]);
    // Versions of older releases: in one, two promotions have the same code. In the other, a promotion has different
    // fields.
    const insertVersion = (id: string, after: unknown) =>
      it.shop.db.execute(sql`insert into audit_trail (id, act, subject_id, before, after, at)
        values (${id}, 'edit-content', 'promos', '[]'::jsonb, ${JSON.stringify(after)}::jsonb, now() - interval '1 day')`);
    await insertVersion('twice', [promoWithId(1), promoWithId(2)]);
    await insertVersion('other', { none: 'of this' });
    const { versions, version } = await readHistoryOf(owner, 'promos');
    const valuesById = new Map(versions.map((each) => [each.id, each.value]));
    expect([valuesById.get('twice'), valuesById.get('other')]).toEqual([[promoWithId(1), promoWithId(2)], null]);
    const tablesBefore = await readAllTables(it.shop.db);
    const response = await owner.put(`/api/admin/content/promos.json?version=${version}`, valuesById.get('twice'));
    expect([response.status, response.json.message, response.json.fields]).toEqual([
      400,
      'Another promotion already uses this code',
      { '1.discountCode': 'Another promotion already uses this code' },
    ]);
    const tablesAfter = await readAllTables(it.shop.db);
    expect([tablesAfter['content'], tablesAfter['audit_trail']]).toEqual([
      tablesBefore['content'],
      tablesBefore['audit_trail'],
    ]);
  });

  test('fills in the default of a field that was added after a version was saved', async () => {
    const { it, owner } = await openSignedInShop(fresh);
    const olderHero = { ...heroWithTitle('Older'), subtitle: undefined };
    await it.shop.db.execute(sql`insert into audit_trail (id, act, subject_id, before, after, at)
      values ('older', 'edit-content', 'hero', ${JSON.stringify(olderHero)}::jsonb, ${JSON.stringify(olderHero)}::jsonb, now())`);
    const { versions, version } = await readHistoryOf(owner, 'hero');
    expect(versions[0]!.value).toEqual(heroWithTitle('Older'));
    await saveAfterAMinute(it, owner, `${heroPath}?version=${version}`, versions[0]!.value);
    expect((await it.browser().get('/data/hero.json')).json).toEqual(heroWithTitle('Older'));
  });

  test('lists the erased pictures of a version, but not a picture in the trash, which can be restored', async () => {
    const { it, owner } = await openSignedInShop(fresh);
    const uploadPicture = async () =>
      (await owner.post('/api/admin/gallery/upload', createFileForm(await createSmallPhoto()))).json as {
        filename: string;
        url: string;
      };
    const [kept, binned, erased] = [await uploadPicture(), await uploadPicture(), await uploadPicture()];
    const items = [kept, binned, erased].map(({ url }, at) => ({
      id: at + 1,
      title: `Picture ${at + 1}`,
      caption: '',
      beforeImage: url,
    }));
    await saveAfterAMinute(it, owner, '/api/admin/gallery', items);
    await saveAfterAMinute(it, owner, '/api/admin/gallery', items.slice(0, 1));
    await it.shop.storage.move(contentFileKey(binned.filename), trashKeyFor(contentFileKey(binned.filename)));
    await it.shop.storage.delete(contentFileKey(erased.filename));
    const { versions } = await readHistoryOf(owner, 'gallery');
    expect(versions.map(({ gone }) => gone)).toEqual([[], [erased.url], []]);
  });

  test('refuses everyone except the owner, and sections that have no history', async () => {
    const { it, owner } = await openSignedInShop(fresh);
    for (const section of [...contentFileSections, 'gallery', 'about/team']) {
      const path = `/api/admin/content-history?section=${section}`;
      expect((await it.browser().get(path)).status).toBe(401);
      expect((await owner.get(path)).status).toBe(200);
    }
    for (const section of ['products', 'about', 'about/none', '']) {
      const response = await owner.get(`/api/admin/content-history?section=${section}`);
      expect([response.status, response.json.message]).toEqual([400, 'There is no history with this name.']);
    }
  });
});

describeOnPostgres((fresh) => {
  test('refuses one of a concurrent save and restore, and returns the other’s content with the refusal', async () => {
    const { it, owner } = await openSignedInShop(fresh);
    await saveAfterAMinute(it, owner, heroPath, heroWithTitle('Yesterday'));
    await saveAfterAMinute(it, owner, heroPath, heroWithTitle('Today'));
    const { versions, version } = await readHistoryOf(owner, 'hero');
    const [restored, saved] = await Promise.all(
      [versions[1]!.value, heroWithTitle('Tomorrow')].map((body) => owner.put(`${heroPath}?version=${version}`, body)),
    );
    const [good, refused] = restored!.status === 200 ? [restored!, saved!] : [saved!, restored!];
    expect([good.status, refused.status, refused.json.code]).toEqual([200, 409, 'content-changed']);
    expect(refused.json.details.theirs).toEqual(good.json);
    expect((await owner.get(heroPath)).json).toEqual(good.json);
    expect((await readHistoryOf(owner, 'hero')).versions).toHaveLength(4);
  });
});
