import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { anyEngine, begunFolder } from '#test/database.ts';
import { everyRow } from '#test/rows.ts';
import { openTestShop } from '#test/shop.ts';
import { openSnapshotDoor } from './backup/snapshot-door.ts';
import { readConfig } from './config.ts';
import { unlockShop } from './unlock-shop.ts';

const signIn = '/api/admin/auth/password';

anyEngine((fresh) => {
  test('npm run unlock lets the owner sign in after too many wrong passwords, while the shop runs', async () => {
    const it = await openTestShop(fresh);
    const owner = it.browser();
    const password = 'correct-horse-battery';
    for (let i = 0; i < 10; i++) await owner.post(signIn, { password: 'a guess' });
    expect((await owner.post(signIn, { password })).status).toBe(429);
    onTestFinished(await openSnapshotDoor(it.shop));
    const held = begunFolder(it.shop.config.dataDir);
    const config = { ...it.shop.config, dataDir: held };
    // Lock the embedded database of this folder, as a running shop does.
    const { lockDirectory } = await import('#adapters/database/pglite/lock-directory.ts');
    onTestFinished(lockDirectory(held));
    expect(await unlockShop(config)).toEqual(['The owner can try passwords and codes again.']);
    expect((await owner.post(signIn, { password })).status).toBe(200);
    const { audit_trail: trail } = await everyRow(it.shop.db);
    expect(trail).toContainEqual(expect.objectContaining({ act: 'owner-unlocked' }));
  });
});

test('npm run unlock reports a DATA_DIR without a shop', async () => {
  const place = mkdtempSync(join(tmpdir(), 'kinframe-none-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  await expect(unlockShop(readConfig({ DATA_DIR: place }))).rejects.toThrow(/There is no shop in/);
});
