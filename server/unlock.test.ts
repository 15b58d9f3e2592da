import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { describeOnFastestEngine, createMigratedDataFolder } from '#test/database.ts';
import { countRows, readAllTables } from '#test/rows.ts';
import { openTestShop } from '#test/shop.ts';
import { openSnapshotSocket } from './backup/snapshot-socket.ts';
import { readConfig } from './config.ts';
import { spendOwnersCode } from './http/common/owner-attempts.ts';
import { unlockShop } from './unlock-shop.ts';

const signInPath = '/api/admin/auth/password';

describeOnFastestEngine((fresh) => {
  test('npm run unlock lets the owner sign in after too many wrong passwords, while the shop runs', async () => {
    const testShop = await openTestShop(fresh);
    const owner = testShop.browser();
    const password = 'correct-horse-battery';
    for (let i = 0; i < 10; i++) await owner.post(signInPath, { password: 'a guess' });
    const ownersAccount = { id: 'owner', email: 'owner@example.com' };
    // Wrong recovery codes are counted for each IP address.
    for (const ip of ['192.0.2.1', '2001:db8::1'])
      for (let i = 0; i < 5; i++)
        await spendOwnersCode(testShop.shop, { ip } as FastifyRequest, ownersAccount, 'aaaa-bbbb-cccc-dddd');
    expect(await countRows(testShop.shop.db, 'tries')).toBe(3);
    expect((await owner.post(signInPath, { password })).status).toBe(429);
    onTestFinished(await openSnapshotSocket(testShop.shop));
    const lockedFolder = createMigratedDataFolder(testShop.shop.config.dataDir);
    const config = { ...testShop.shop.config, dataDir: lockedFolder };
    // Lock the embedded database of this folder, as a running shop does.
    const { lockDirectory } = await import('#adapters/database/pglite/lock-directory.ts');
    onTestFinished(lockDirectory(lockedFolder));
    expect(await unlockShop(config)).toEqual(['The owner can try passwords and codes again.']);
    expect(await countRows(testShop.shop.db, 'tries')).toBe(0);
    expect((await owner.post(signInPath, { password })).status).toBe(200);
    const { audit_trail: trail } = await readAllTables(testShop.shop.db);
    expect(trail).toContainEqual(expect.objectContaining({ act: 'owner-unlocked' }));
  });
});

test('npm run unlock reports a DATA_DIR without a shop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-none-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await expect(unlockShop(readConfig({ DATA_DIR: folder }))).rejects.toThrow(/There is no shop in/);
});
