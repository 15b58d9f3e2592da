import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { Refusal } from '#contract/refusals.ts';
import { describeOnFastestEngine, describeOnEachEngine } from '#test/database.ts';
import { openTestShop, type TestShop } from '#test/shop.ts';
import { storeFilesThenRow } from './files.ts';

const key = 'display/new.jpg';
async function storeFileThenRow<T>(it: TestShop, name: () => Promise<T>, isNamed?: (named: T) => boolean) {
  const path = join(it.shop.workFolder, 'new.jpg');
  await writeFile(path, 'a picture');
  const files = [{ key, path, contentType: 'image/jpeg' }];
  const result = await storeFilesThenRow(it.shop.storage, files, name, isNamed && { isNamed }).catch(
    (error: unknown) => error,
  );
  return { result, isThere: (await it.shop.storage.stat(key)) !== undefined };
}
const createErrorWithCode = (code: string) =>
  Object.assign(new Error('Failed query'), { cause: Object.assign(new Error(), { code }) });

describeOnEachEngine((fresh) => {
  test('deletes the files if the database rejects a statement', async () => {
    const testShop = await openTestShop(fresh);
    for (const refusedCall of [
      sql`insert into file_store values (true, 'a second row')`,
      sql`select 1 / 0`,
      sql`nonsense`,
    ]) {
      const nameFile = () => testShop.shop.db.transaction((tx) => tx.execute(refusedCall));
      expect(await storeFileThenRow(testShop, nameFile)).toMatchObject({ result: expect.any(Error), isThere: false });
    }
  });

  test('deletes the files if the database rejects the commit', async () => {
    const testShop = await openTestShop(fresh);
    await testShop.shop.db.execute(sql`create table once (id int unique deferrable initially deferred)`);
    const nameFile = () => testShop.shop.db.transaction((tx) => tx.execute(sql`insert into once values (1), (1)`));
    expect(await storeFileThenRow(testShop, nameFile)).toMatchObject({ result: expect.any(Error), isThere: false });
  });
});

describeOnFastestEngine((fresh) => {
  test('deletes the files after a refusal or if no row names them, and keeps files that a row names', async () => {
    const testShop = await openTestShop(fresh);
    const rejectWithRefusal = () => Promise.reject(new Refusal('photo-limit-reached'));
    expect(await storeFileThenRow(testShop, rejectWithRefusal)).toMatchObject({
      result: { code: 'photo-limit-reached' },
      isThere: false,
    });
    expect(
      await storeFileThenRow(
        testShop,
        async () => 'twin',
        () => false,
      ),
    ).toEqual({ result: 'twin', isThere: false });
    expect(await storeFileThenRow(testShop, async () => 'row')).toEqual({ result: 'row', isThere: true });
  });

  test.each([
    ['a connection that died', new Error('Connection terminated unexpectedly')],
    ['a reset', createErrorWithCode('ECONNRESET')],
    ['a server that shuts down', createErrorWithCode('57P01')],
    ['a server that crashed', createErrorWithCode('57P02')],
    ['a commit in doubt', createErrorWithCode('08007')],
    ['a statement in doubt', createErrorWithCode('40003')],
    ['a bug after the commit', new TypeError('undefined is not a function')],
  ])('keeps the stored file after %s, because a row may name it', async (_, error) => {
    const testShop = await openTestShop(fresh);
    expect(await storeFileThenRow(testShop, () => Promise.reject(error))).toEqual({ result: error, isThere: true });
  });
});
