import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { StoreOfOtherShop, shopIdFileKey } from '#shop/files/claim.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyFramesAsAnna, uploadTo } from '#test/people.ts';
import { openTestShop } from '#test/shop.ts';
import { describeOnEachStore } from '#test/stores.ts';
import { checkFiles } from './files-report.ts';

describeOnFastestEngine((fresh) => {
  describeOnEachStore((freshStore) => {
    test('the doctor reports trashed files, missing files and a stopped sweep', async () => {
      const testShop = await openTestShop(fresh, { env: await freshStore() });
      const { storage, db } = testShop.shop;
      expect(await checkFiles(testShop.shop)).toBe('0 named files looked for: all there\n       trash: empty');
      const { browser, frames } = await buyFramesAsAnna(testShop);
      for (let i = 0; i < 2; i++) await uploadTo(browser, frames[0]!.deviceId);
      await storage.put('trash/display/old.jpg', Buffer.alloc(250_000), 'image/jpeg');
      expect(await checkFiles(testShop.shop)).toMatch(
        /^6 named files looked for: all there\n +trash: 1 files?, 0\.3 MB, the oldest since 20\d\d-.*Z, each erased after 7 days$/,
      );
      const { rows } = await db.execute<{ key: string }>(sql`select display_key as key from uploads limit 1`);
      await storage.delete(rows[0]!.key);
      await expect(checkFiles(testShop.shop)).rejects.toThrow(
        `6 named files looked for: 1 missing, such as ${rows[0]!.key}`,
      );
      await db.execute(sql`update file_store set sweep_stopped_at = now()`);
      await expect(checkFiles(testShop.shop)).rejects.toThrow(/not swept since 20\d\d-.*SWEEP_LIMIT=off/);
    });

    test('the doctor reports the file store of another shop, and writes no shop id into a new store', async () => {
      const testShop = await openTestShop(fresh, { env: await freshStore() });
      const { storage } = testShop.shop;
      await storage.delete(shopIdFileKey);
      expect(await checkFiles(testShop.shop)).toContain('new: the first start marks it');
      expect(await storage.stat(shopIdFileKey)).toBeUndefined();
      await storage.put(shopIdFileKey, Buffer.from('another'), 'text/plain');
      await expect(checkFiles(testShop.shop)).rejects.toThrow(StoreOfOtherShop);
    });
  });
});
