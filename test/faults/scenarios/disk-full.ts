import { execFileSync } from 'node:child_process';
import { statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { begunFolder } from '../../database.ts';
import { Customers } from '../customers.ts';
import { freshFolder, Place } from '../place.ts';
import { keepOn, Ledger, type Scenario } from '../scenario.ts';
import { missingOf, namesWithGone, whatIsThere } from '../what-is-there.ts';

const times = 4;

/** The disk with the shop's files, and with its database where that is embedded, is full to the last byte, and has room again. */
export const diskFull: Scenario = {
  name: 'disk-full',
  engines: ['embedded', 'postgres'],
  isPossible: () => process.getuid?.() === 0, // to have a small disk of its own
  async run({ engine, random }) {
    const disk = freshFolder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'none', disk]);
    onTestFinished(() => void execFileSync('umount', ['--lazy', disk]));
    if (engine === 'embedded') begunFolder(disk);
    const place = await Place.open(engine, { dataDir: disk });
    const ledger = new Ledger();
    const customers = await Customers.begin(place.browser, ledger);
    const { buy, lookAround, uploadAndTidyUp } = customers;
    await lookAround();
    const end = keepOn([buy, buy, lookAround, uploadAndTidyUp, uploadAndTidyUp]);
    const ballast = join(disk, 'ballast');
    for (let time = 0; time < times; time++) {
      await sleep(1_000 + random.below(2_000));
      const full = Date.now() + 5_000;
      for (let part = 0; Date.now() < full; part++) {
        fill(`${ballast}-${part}`, disk);
        await sleep(20);
      }
      execFileSync('sh', ['-c', `rm -f ${ballast}-*`]);
      await place.shop.ready();
      const before = ledger.acknowledged.size;
      await vi.waitFor(() => expect(ledger.acknowledged.size).toBeGreaterThan(before), { timeout: 60_000 });
    }
    await end();
    const held = await place.lookUntil(
      (db) => whatIsThere(db, place.files),
      (held) => missingOf(ledger, held),
    );
    expect(await place.shop.end('SIGTERM')).toBe(0);
    return ledger.seen(`the disk full for five seconds, ${times} times`, namesWithGone(ledger, held.names));
  },
};

/** All that is left of the disk; what does not fit has filled it. */
function fill(path: string, disk: string): void {
  const { bavail, bsize } = statfsSync(disk);
  if (bavail === 0) return;
  try {
    writeFileSync(path, Buffer.alloc(bavail * bsize));
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
  }
}
