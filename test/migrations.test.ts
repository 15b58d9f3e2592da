import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase, type Database } from '#adapters/database/database.ts';
import { pgliteCompatibilityOptions } from '#adapters/database/pglite/durable-pglite.ts';
import { createEmbeddedDatabase } from '#adapters/database/pglite/embedded.ts';
import { createDirectoryStorage } from '#adapters/storage/directory.ts';
import { checkAuditChain } from '#shop/audit/chain.ts';
import { executeOneStatement } from './database.ts';
import {
  insertRowsOfMigration0001,
  createMigrationsUpTo,
  storeFilesOfMigration0001,
  rowsOfMigration0001,
} from './migrations.ts';
import { annasPassword, confirmIntentWithCard, fetchFrames } from './people.ts';
import { readAllTables } from './rows.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { adminPassword, openTestShop } from './shop.ts';

type Rows = Record<string, Record<string, unknown>[]>;
async function openEmbedded(): Promise<Database> {
  const pglite = await PGlite.create(pgliteCompatibilityOptions);
  const databaseBefore = await createEmbeddedDatabase(pglite, {
    migrationsFolder: createMigrationsUpTo('0001_checkout'),
    withJobs: false,
  });
  await insertRowsOfMigration0001(databaseBefore.db);
  const dump = await pglite.dumpDataDir('none');
  await databaseBefore.close();
  const reopenedDatabase = await PGlite.create({ loadDataDir: dump, ...pgliteCompatibilityOptions });
  return createEmbeddedDatabase(reopenedDatabase, { migrationsFolder, pollSeconds: 1 });
}

async function openPostgres(): Promise<Database> {
  const adminUrl = inject('postgresUrl')!;
  const name = `old_${crypto.randomUUID().replaceAll('-', '')}`;
  await executeOneStatement(adminUrl, `create database ${name}`);
  onTestFinished(() => executeOneStatement(adminUrl, `drop database ${name} with (force)`));
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const databaseAddress = { url: url.href, dataDir: '' };
  const databaseBefore = await openDatabase({
    ...databaseAddress,
    migrationsFolder: createMigrationsUpTo('0001_checkout'),
    withJobs: false,
  });
  await insertRowsOfMigration0001(databaseBefore.db);
  await databaseBefore.close();
  return openDatabase({ ...databaseAddress, migrationsFolder, pollSeconds: 1, onError: () => {} });
}

/** Stores the files that the rows of the 0001 shop name, with arbitrary content. */
async function listItsFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-old-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const storage = createDirectoryStorage(folder);
  await storeFilesOfMigration0001(storage);
  return storage;
}

describe.each([
  ['embedded', openEmbedded],
  ['postgres', openPostgres],
] as const)('migrations on the engine %s', (engine, open) => {
  test.skipIf(engine === 'postgres' && !inject('postgresUrl'))(
    'keep all data of a shop: orders, refunds, photos, videos, codes, and an unpaid cart',
    async () => {
      const database = await open();
      const testShop = await openTestShop(async () => database, { storage: await listItsFiles() });
      const rows = (await readAllTables(testShop.shop.db)) as Rows;
      for (const table of [
        'customers',
        'frames',
        'uploads',
        'videos',
        'orders',
        'payments',
        'refunds',
        'mails',
        'audit_trail',
      ])
        expect(rows[table]?.length, table).toBe(rowsOfMigration0001[table]!.length);
      expect(await checkAuditChain(testShop.shop.db)).toMatchObject({
        rows: rowsOfMigration0001['audit_trail']!.length,
        breaks: [],
      });

      const anna = testShop.browser();
      expect((await anna.post('/api/auth/login', { email: 'anna@example.com', password: annasPassword })).status).toBe(
        200,
      );
      expect(await fetchFrames(anna)).toMatchObject([
        { usedPhotos: 2, uploadFinalized: true, uploads: [{ isProcessed: true }, { isProcessed: true }] },
        { usedPhotos: 1, remainingPhotos: 29, uploadFinalized: false },
      ]);

      const admin = testShop.browser();
      await admin.post('/api/admin/auth/password', { password: adminPassword });
      const readOrders = async () => (await admin.get('/api/admin/orders')).json;
      const [bens, annas] = await readOrders();
      expect(bens).toMatchObject({
        customerEmail: 'ben@example.com',
        refundedAmount: 999,
        refunds: [{ amount: 999, state: 'succeeded', photosWithdrawn: 10 }],
      });
      expect(annas).toMatchObject({ customerEmail: 'anna@example.com', quantity: 2 });
      expect((await admin.get('/api/admin/stats')).json).toMatchObject({ totalOrders: 2, totalUploads: 3 });
      expect((await admin.get('/api/admin/promotion-uses')).json).toEqual([{ code: 'GIFT10', used: 1 }]);
      const remainingAmount = (await admin.get(`/api/admin/orders/${bens.id}/refunds`)).json.remainingAmount as number;
      expect(remainingAmount).toBe(bens.totalAmount - 999);
      const refundResponse = await admin.post(`/api/admin/orders/${bens.id}/refunds`, { reason: 'All of it' });
      expect(refundResponse.json, refundResponse.text).toMatchObject({ refundedAmount: bens.totalAmount });

      const intent = rowsOfMigration0001['sandbox_objects']!.map(
        (it) => it['body'] as { id: string; status: string; client_secret?: string },
      ).find((it) => it.id.startsWith('pi_') && it.status === 'requires_payment_method')!;
      const carla = testShop.browser();
      await confirmIntentWithCard(carla, intent.id, intent.client_secret!);
      expect((await carla.post('/api/verify-payment', { paymentIntentId: intent.id })).json).toMatchObject({
        success: true,
      });
      expect((await readOrders())[0]).toMatchObject({ customerEmail: 'carla@example.com' });
      await database.close();
    },
  );
});
