import { expect, test } from 'vitest';
import { describeOnEachEngine } from '#test/database.ts';
import { TestClock } from '#test/shop.ts';
import type { Db } from '../ports/database.ts';
import { editContent, subscribeToContent, readContent, cacheContent, writeContent } from './content.ts';

/** Content news that never notifies its listeners. */
const silentListener = { onChange: () => {} };

describeOnEachEngine((fresh) => {
  test('returns changed content after one minute even if the notification of the change is lost', async () => {
    const { db } = await fresh();
    const clock = new TestClock();
    const readCached = cacheContent(db, clock, silentListener);
    const site = await readCached('site');
    await writeContent(db, clock, 'site', { ...site, name: 'Changed' });
    clock.advance(59_000);
    expect((await readCached('site')).name).toBe(site.name);
    clock.advance(1_000);
    expect((await readCached('site')).name).toBe('Changed');
  });

  test('returns the owner’s edit in this process at once, before the database notifies', async () => {
    const { db } = await fresh();
    const clock = new TestClock();
    const contentNews = await subscribeToContent(async () => {});
    const readCached = cacheContent(db, clock, contentNews);
    const site = await readCached('site');
    await editContent({ db, clock, contentNews }, 'site', { change: () => ({ ...site, name: 'Changed' }) }, {});
    expect((await readCached('site')).name).toBe('Changed');
  });

  test('returns cached content while the database is not available, and new content afterwards', async () => {
    const { db } = await fresh();
    const clock = new TestClock();
    let isAway = false;
    const unreliableDb = new Proxy(db, {
      get: (it, name: keyof Db) => {
        if (isAway) throw new Error('the database is away');
        return it[name];
      },
    });
    const readCached = cacheContent(unreliableDb, clock, silentListener);
    const site = await readCached('site');
    isAway = true;
    clock.advance(61_000);
    expect((await readCached('site')).name).toBe(site.name);
    await expect(readCached('faqs')).rejects.toThrow('away');
    isAway = false;
    await writeContent(db, clock, 'site', { ...site, name: 'Changed' });
    clock.advance(61_000);
    expect((await readCached('site')).name).toBe('Changed');
    expect(await readCached('faqs')).toEqual(await readContent(db, 'faqs'));
  });
});
