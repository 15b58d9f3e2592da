import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { syncFolder } from './durable-file.ts';

test('calls during a running sync share the next sync, even when the running sync fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-sync-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const syncs: PromiseWithResolvers<void>[] = [];
  const handle = await open(folder);
  const sync = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync').mockImplementation(() => {
    syncs.push(Promise.withResolvers());
    return syncs.at(-1)!.promise;
  });
  onTestFinished(() => sync.mockRestore());
  await handle.close();

  const endedSyncs: string[] = [];
  const requestFile = (name: string) =>
    void syncFolder(folder).then(
      () => endedSyncs.push(name),
      () => endedSyncs.push(`${name} failed`),
    );
  requestFile('first');
  await expect.poll(() => syncs.length).toBe(1);
  requestFile('second');
  requestFile('third');
  syncs[0]!.reject(new Error('the disk is away'));
  await expect.poll(() => syncs.length).toBe(2);
  expect(endedSyncs).toEqual(['first failed']);
  requestFile('fourth');
  syncs[1]!.resolve();
  await expect.poll(() => syncs.length).toBe(3);
  expect(endedSyncs).toEqual(['first failed', 'second', 'third']);
  syncs[2]!.resolve();
  await expect.poll(() => endedSyncs).toEqual(['first failed', 'second', 'third', 'fourth']);
  requestFile('fifth'); // no sync is running anymore
  await expect.poll(() => syncs.length).toBe(4);
  syncs[3]!.resolve();
  await expect.poll(() => endedSyncs.at(-1)).toBe('fifth');
});
