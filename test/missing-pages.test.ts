import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { build } from '../scripts/build.ts';
import { createMigratedDataFolder } from './database.ts';
import { RunningShop } from './faults/running-shop.ts';

beforeAll(() => build(), 600_000);

test('a page that does not exist, or no longer exists, is not logged as an error', async () => {
  const dataDir = createMigratedDataFolder(mkdtempSync(join(tmpdir(), 'kinframe-missing-')));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const shop = await RunningShop.start(dataDir);
  onTestFinished(() => void shop.end('SIGKILL'));
  await shop.waitUntilReady();
  for (const path of ['/delivery/no-link', '/nowhere']) expect((await shop.browser().get(path)).status, path).toBe(404);
  expect(await shop.end('SIGTERM')).toBe(0);
  const levels = shop.output.split('\n').flatMap((line) => /"level":(\d+)/.exec(line)?.[1] ?? []);
  expect(levels.length).toBeGreaterThan(0);
  expect(
    levels.filter((it) => Number(it) > 30),
    shop.output,
  ).toEqual([]);
});
