import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openDatabase } from '#adapters/database/database.ts';
import { createDirectoryStorage } from '#adapters/storage/directory.ts';
import { contentOf, endOf, padStore, typed } from '../../backups.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { begunFolder, createDatabase } from '../../database.ts';
import { annaOwns, uploadTo } from '../../people.ts';
import { fillAs0001, migrationsUpTo, putFilesAs0001, shopAt0001 } from '../../migrations.ts';
import { everyRow } from '../../rows.ts';
import type { TestShop } from '../../shop.ts';
import { freshFolder, Place } from '../place.ts';
import { RunningShop } from '../running-shop.ts';
import type { Engine, Random, Scenario, Seen } from '../scenario.ts';

const kills = 8;

/** What a shop of an older release has must be there after its update was killed, and the update goes on. */
export const killMigrating: Scenario = {
  name: 'kill-migrating',
  engines: ['embedded', 'postgres'],
  async run({ engine, random }) {
    const old = freshFolder();
    if (engine === 'embedded') await makeOld({ dataDir: old });
    const rows = Object.entries(shopAt0001).filter(([table]) => table !== 'sandbox_idempotency');
    let [tried, present] = [0, 0];
    for (let kill = 0; kill < kills; kill++) {
      const dataDir = freshFolder();
      const settings: Record<string, string> = {};
      if (engine === 'embedded') cpSync(old, dataDir, { recursive: true });
      else {
        settings['DATABASE_URL'] = (await createDatabase({ isEmpty: true })).href;
        await makeOld({ dataDir: '', url: settings['DATABASE_URL'] });
      }
      await putFilesAs0001(createDirectoryStorage(join(dataDir, 'files')));
      const killed = await RunningShop.start(dataDir, settings);
      await sleep(300 + random.below(2_500));
      await killed.end('SIGKILL');
      const again = await (await RunningShop.start(dataDir, settings)).ready();
      expect(await again.end('SIGTERM'), again.output).toBe(0);
      const database = await openDatabase({
        url: settings['DATABASE_URL'],
        dataDir,
        migrationsFolder,
        withJobs: false,
      });
      const there = await everyRow(database.db);
      await database.close();
      for (const [table, before] of rows) {
        tried += before.length;
        const ids = new Set((there[table] as { id?: unknown }[] | undefined)?.map((it) => it.id));
        present += before.filter((it) => ids.has(it['id'])).length;
      }
    }
    return same(`${kills} shops of the first release killed amid their update and started again`, tried, present);
  },
};
async function makeOld(at: { dataDir: string; url?: string }): Promise<void> {
  const database = await openDatabase({ ...at, migrationsFolder: migrationsUpTo('0001_checkout'), withJobs: false });
  await fillAs0001(database.db);
  await database.close();
}

/** A backup that was killed has no name, or is whole; a restore that was killed goes on. In the end the one is as the other. */
export const killKeeping: Scenario = {
  name: 'kill-keeping',
  engines: ['embedded', 'postgres'],
  async run({ engine, random }) {
    const settings = await usedShop(engine);
    const before = await contentOf(settings);
    const file = join(freshFolder(), 'shop.backup');
    for (let kill = 0; kill < kills; kill++) {
      const attempt = `${file}-${kill}`;
      await killedWithin(random, typed('backup', [attempt], settings));
      const there = { DATA_DIR: freshFolder() };
      const again = await endOf(typed('restore', [attempt], there));
      if (existsSync(attempt)) expect(await contentOf(there), again.words).toEqual(before);
      else expect(again.words, 'a backup that was killed is taken for one').toContain(`There is no file ${attempt}`);
    }
    const made = await endOf(typed('backup', [file], settings));
    expect(made.code, made.words).toBe(0);
    let present = 0;
    for (let kill = 0; kill < kills; kill++) {
      const there = await emptyPlace(engine);
      await killedWithin(random, typed('restore', [file], there));
      const again = await endOf(typed('restore', [file], there));
      if (again.code !== 0) expect(again.words).toMatch(/is not empty/); // the first was quicker
      const after = await contentOf(there);
      present += Object.keys(before.files).filter((key) => after.files[key] === before.files[key]).length;
      present += Object.entries(before.rows).filter(
        ([table, rows]) => JSON.stringify(after.rows[table]) === JSON.stringify(rows),
      ).length;
    }
    const tried = kills * (Object.keys(before.files).length + Object.keys(before.rows).length);
    return same(
      `${kills} backups killed, then ${kills} restores, each typed again: files and tables compared`,
      tried,
      present,
    );
  },
};

const same = (done: string, tried: number, present: number): Seen => ({
  done,
  tried,
  acknowledged: tried,
  present,
  lost: tried - present,
  words: [],
});

async function killedWithin(random: Random, command: ReturnType<typeof typed>) {
  const end = endOf(command);
  await sleep(300 + random.below(3_000));
  command.kill('SIGKILL');
  return end;
}

async function emptyPlace(engine: Engine): Promise<Record<string, string>> {
  if (engine === 'embedded') return { DATA_DIR: begunFolder(freshFolder()) };
  return { DATA_DIR: freshFolder(), DATABASE_URL: (await createDatabase({ isEmpty: true })).href };
}

/** Closed, with a customer, photos and many other files. */
async function usedShop(engine: Engine): Promise<Record<string, string>> {
  const place = await Place.open(engine);
  const { browser, frames } = await annaOwns({ browser: place.browser } as unknown as TestShop);
  for (let i = 0; i < 5; i++) await uploadTo(browser, frames[0]!.deviceId);
  expect(await place.shop.end('SIGTERM')).toBe(0);
  const settings = {
    DATA_DIR: place.dataDir,
    ...(place.databaseUrl !== undefined && { DATABASE_URL: place.databaseUrl }),
  };
  await padStore(settings);
  return settings;
}
