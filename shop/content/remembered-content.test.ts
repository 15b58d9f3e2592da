import { expect, test } from 'vitest';
import { eachEngine } from '#test/database.ts';
import { TestClock } from '#test/shop.ts';
import type { Db } from '../ports/database.ts';
import { editContent, hearOfContent, readContent, rememberContent, writeContent } from './content.ts';

/** Nobody brings news. */
const deaf = { onChange: () => {} };

eachEngine((fresh) => {
  test('a change whose news is lost is seen a minute later', async () => {
    const { db } = await fresh();
    const clock = new TestClock();
    const remembered = rememberContent(db, clock, deaf);
    const site = await remembered('site');
    await writeContent(db, clock, 'site', { ...site, name: 'Changed' });
    clock.advance(59_000);
    expect((await remembered('site')).name).toBe(site.name);
    clock.advance(1_000);
    expect((await remembered('site')).name).toBe('Changed');
  });

  test('what the owner saved is what this process answers next, before the news of it come', async () => {
    const { db } = await fresh();
    const clock = new TestClock();
    const contentNews = await hearOfContent(async () => {});
    const remembered = rememberContent(db, clock, contentNews);
    const site = await remembered('site');
    await editContent({ db, clock, contentNews }, 'site', { change: () => ({ ...site, name: 'Changed' }) }, 'request');
    expect((await remembered('site')).name).toBe('Changed');
  });

  test('what was remembered is still answered while the database cannot be asked, and no longer', async () => {
    const { db } = await fresh();
    const clock = new TestClock();
    let isAway = false;
    const flaky = new Proxy(db, {
      get: (it, name: keyof Db) => {
        if (isAway) throw new Error('the database is away');
        return it[name];
      },
    });
    const remembered = rememberContent(flaky, clock, deaf);
    const site = await remembered('site');
    isAway = true;
    clock.advance(61_000);
    expect((await remembered('site')).name).toBe(site.name);
    await expect(remembered('faqs')).rejects.toThrow('away');
    isAway = false;
    await writeContent(db, clock, 'site', { ...site, name: 'Changed' });
    clock.advance(61_000);
    expect((await remembered('site')).name).toBe('Changed');
    expect(await remembered('faqs')).toEqual(await readContent(db, 'faqs'));
  });
});
