import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Storage } from '#shop/ports/storage.ts';
import { namedFiles } from '#server/named-files.ts';
import { describeOnPostgres } from '#test/database.ts';
import { buyFramesAsAnna, uploadTo } from '#test/people.ts';
import { countRows, readAllTables } from '#test/rows.ts';
import { openTestShop, type TestShop } from '#test/shop.ts';
import { describeOnEachEngineAndStore, createFreshBucket } from '#test/stores.ts';
import { claimStore, StoreOfOtherShop, shopIdFileKey, restoreMarkerFileKey } from './claim.ts';
import { sweepFiles } from './sweep.ts';

async function listAllKeys(storage: Storage): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key, sizeBytes } of storage.list('')) keys.push(`${key} ${sizeBytes}`);
  return keys.toSorted();
}
async function uploadPhotoOfAnna(it: TestShop) {
  const { browser, frames } = await buyFramesAsAnna(it);
  const response = await uploadTo(browser, frames[0]!.deviceId);
  expect(response.status, response.text).toBe(200);
  return { browser, url: response.json.url as string };
}
const sweep = (it: TestShop) =>
  sweepFiles({ ...it.shop, clock: it.clock, fileSources: namedFiles, isLimited: true, notifyOwner: async () => {} });

describeOnEachEngineAndStore((fresh, freshStore) => {
  test('a new shop writes its id into its file store once, and accepts the store at every later start', async () => {
    const env = await freshStore();
    const database = await fresh();
    const testShop = await openTestShop(async () => database, { env });
    expect(await listAllKeys(testShop.shop.storage)).toEqual([`${shopIdFileKey} 36`]);
    const markedTables = await readAllTables(testShop.shop.db);
    const secondShop = await openTestShop(async () => database, { env });
    expect((await readAllTables(secondShop.shop.db))['file_store']).toEqual(markedTables['file_store']);
    expect(markedTables['file_store']).toHaveLength(1);
    expect(await listAllKeys(testShop.shop.storage)).toEqual([`${shopIdFileKey} 36`]);
  });

  test('a shop writes its id into a store that has the shop’s files but no id, and keeps the files', async () => {
    const env = await freshStore();
    const database = await fresh();
    const shopBefore = await openTestShop(async () => database, { env });
    const { browser, url } = await uploadPhotoOfAnna(shopBefore);
    await shopBefore.shop.storage.delete(shopIdFileKey);
    await database.db.execute(sql`delete from file_store`);
    const files = await listAllKeys(shopBefore.shop.storage);

    const testShop = await openTestShop(async () => database, { env });
    expect(await listAllKeys(testShop.shop.storage)).toEqual([...files, `${shopIdFileKey} 36`].toSorted());
    testShop.clock.advance(2 * 3_600_000);
    expect(await sweep(testShop)).toMatchObject({ files: 3, orphans: 0, trashed: 0 });
    expect((await browser.get(url)).status).toBe(200);
  });

  test('a start with another shop’s store fails with StoreOfOtherShop and changes nothing', async () => {
    const env = await freshStore();
    const myShop = await openTestShop(fresh, { env });
    await uploadPhotoOfAnna(myShop);
    const files = await listAllKeys(myShop.shop.storage);
    const otherDatabase = await fresh();
    const openPromise = openTestShop(async () => otherDatabase, { env });
    await expect(openPromise).rejects.toThrow(StoreOfOtherShop);
    await expect(openPromise).rejects.toThrow(
      /belongs to another shop's database: to shop [0-9a-f-]{36}, and this is shop [0-9a-f-]{36}\. Nothing was changed\. Check DATABASE_URL and (S3_BUCKET|DATA_DIR)\./,
    );
    expect(await listAllKeys(myShop.shop.storage)).toEqual(files);
    myShop.clock.advance(2 * 3_600_000);
    expect(await sweep(myShop)).toMatchObject({ orphans: 0 });
  });

  test('does not sweep a store that has another shop’s id', async () => {
    const testShop = await openTestShop(fresh, { env: await freshStore() });
    await uploadPhotoOfAnna(testShop);
    const { storage, db } = testShop.shop;
    await storage.put('originals/nobodys.jpg', Buffer.from('x'), 'image/jpeg');
    await storage.put(shopIdFileKey, Buffer.from('another-shop\n'), 'text/plain');
    const [files, rows] = [await listAllKeys(storage), await readAllTables(db)];
    testShop.clock.advance(30 * 86_400_000);
    await expect(sweep(testShop)).rejects.toThrow(StoreOfOtherShop);
    expect([await listAllKeys(storage), await readAllTables(db)]).toEqual([files, rows]);
  });

  test('a start with an empty database and a store with files fails, even if the store has no id', async () => {
    const env = await freshStore();
    const shopWithFiles = await openTestShop(fresh, { env });
    await uploadPhotoOfAnna(shopWithFiles);
    await shopWithFiles.shop.storage.delete(shopIdFileKey);
    const files = await listAllKeys(shopWithFiles.shop.storage);
    await expect(openTestShop(fresh, { env })).rejects.toThrow('it holds files, and this one names none');
    expect(await listAllKeys(shopWithFiles.shop.storage)).toEqual(files);
  });

  test('a start fails while a backup is being restored into the store, even before the first file', async () => {
    const env = await freshStore();
    const { shop } = await openTestShop(fresh, { env });
    await shop.storage.delete(shopIdFileKey);
    await shop.storage.put(restoreMarkerFileKey, Buffer.from('some-shop 2026-05-01'), 'text/plain');
    const files = await listAllKeys(shop.storage);
    await expect(openTestShop(fresh, { env })).rejects.toThrow('holds part of a backup');
    expect(await listAllKeys(shop.storage)).toEqual(files);
  });

  test('does not start with files in the database and an empty store, until the owner writes the shop’s id into the store', async () => {
    const database = await fresh();
    await uploadPhotoOfAnna(await openTestShop(async () => database, { env: await freshStore() }));
    const emptyStore = await freshStore();
    const refusal = await openTestShop(async () => database, { env: emptyStore }).then(
      () => 'opened',
      (error: Error) => error.message,
    );
    expect(refusal).toMatch(/is not the one of this shop's database, whose files are not in it/);
    const strangersShop = await openTestShop(fresh, { env: emptyStore }); // this succeeds, because the refusal changed nothing
    const [, shopId] = /a file shop-id\.txt that holds (\S+) into/.exec(refusal)!;
    await strangersShop.shop.storage.put(shopIdFileKey, Buffer.from(`${shopId}\n`), 'text/plain');
    await openTestShop(async () => database, { env: emptyStore });
  });

  test('the shop starts even if the file storage does not respond', async () => {
    const unavailableStore = new Proxy({} as Storage, {
      get: () => () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
    });
    const testShop = await openTestShop(fresh, { env: await freshStore(), storage: unavailableStore });
    expect((await testShop.browser().get('/data/faqs.json')).status).toBe(200);
    await expect(sweep(testShop)).rejects.toThrow('connect');
  });
});

describeOnPostgres((fresh) => {
  test('processes that start at the same time with a new database and bucket agree on one id', async () => {
    const env = await createFreshBucket();
    const database = await fresh();
    const testShop = await openTestShop(async () => database, { env });
    for (let round = 0; round < 10; round += 1) {
      await testShop.shop.db.execute(sql`delete from file_store`);
      await testShop.shop.storage.delete(shopIdFileKey);
      const claimShopStore = () => claimStore({ ...testShop.shop, fileSources: namedFiles });
      await Promise.all(Array.from({ length: 5 }, claimShopStore));
      expect(await countRows(testShop.shop.db, 'file_store')).toBe(1);
      await claimShopStore();
    }
  });
});
