import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyAndDeliverAsAnna } from '#test/delivered.ts';
import { readAllTables } from '#test/rows.ts';
import { openTestShop } from '#test/shop.ts';
import { recordOrderEvent } from '../orders/orders.ts';

describeOnFastestEngine((fresh) => {
  test('the data download is one ZIP file of the announced length with all orders and original photos', async () => {
    const it = await openTestShop(fresh);
    const { browser } = await buyAndDeliverAsAnna(it);
    const { db, clock } = it.shop;
    const [order] = (await readAllTables(db))['orders'] as { id: string }[];
    for (const kind of ['note', 'dispute', 'fraud-warning', 'stock', 'mail'] as const)
      await recordOrderEvent(db, clock, order!.id, kind, `Only for the owner: ${kind}`);
    const answer = await browser.get('/api/account/my-data.zip');
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/zip']);
    expect(answer.bytes).toHaveLength(Number(answer.headers['content-length']));
    const [photo] = (await readAllTables(it.shop.db))['uploads'] as { original_key: string }[];
    const original = await buffer(await it.shop.storage.read(photo!.original_key));
    expect(answer.bytes.includes(original)).toBe(true);
    const text = answer.bytes.toString();
    for (const expected of ['my-data.html', '"orderNumber": "KF-', '"totalCents": 19900', 'Your data at Kinframe'])
      expect(text).toContain(expected);
    expect(text).toMatch(/photos\/KF-[\w-]+\/Kinframe-1-1\/01-photo\.jpg/);
    expect(text).toMatch(/videos\/KF-[\w-]+\/Kinframe-1-1\/01-photo\.mp4/);
    expect(text).not.toMatch(/argon2id|token_hash|stripe|only for the owner/i);
    expect((await it.browser().get('/api/account/my-data.zip')).json.code).toBe('sign-in-needed');
  });
});
