import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { listDescendants, isProcessAlive } from '#adapters/processes/process-table.ts';
import { createMigratedDataFolder } from '../../database.ts';
import { canMountSmallDisk, mountSmallDisk } from '../../small-disk.ts';
import { Customers } from '../customers.ts';
import { createTemporaryFolder, ShopInstallation } from '../installation.ts';
import { repeatUntilStopped, RequestRecorder, type Scenario } from '../scenario.ts';
import { findMissingItems, namesWithDeleted, readStoredState } from '../stored-state.ts';

const fullPeriodCount = 4;

/**
 * The disk with the shop's files, and with the embedded database, becomes completely full and then has space again. It
 * is a small disk or, if none can be mounted, a limit on the shop's file sizes.
 */
export const diskFull: Scenario = {
  name: 'disk-full',
  engines: ['embedded', 'postgres'],
  // The embedded database runs in the shop's process. For it a file size limit differs from a full disk, and it does
  // not recover.
  isPossible: (engine) => engine === 'postgres' || canMountSmallDisk(),
  async run({ engine, random }) {
    const smallDisk = canMountSmallDisk() ? await createDisk() : openLimitedRoom();
    if (engine === 'embedded') createMigratedDataFolder(smallDisk.folder);
    const installation = await ShopInstallation.open(engine, { dataDir: smallDisk.folder });
    const requestRecorder = new RequestRecorder();
    const customers = await Customers.prepare(installation.browser, requestRecorder);
    const { buy, lookAround, uploadAndTidyUp } = customers;
    await lookAround();
    const stopActivity = repeatUntilStopped([buy, buy, lookAround, uploadAndTidyUp, uploadAndTidyUp]);
    for (let time = 0; time < fullPeriodCount; time++) {
      await sleep(1_000 + random.below(2_000));
      for (const fullUntilMs = Date.now() + 5_000; Date.now() < fullUntilMs;) {
        smallDisk.take(installation);
        await sleep(20);
      }
      smallDisk.giveBack(installation);
      await installation.shop.waitUntilReady();
      const countBefore = requestRecorder.acknowledged.size;
      await vi.waitFor(() => expect(requestRecorder.acknowledged.size).toBeGreaterThan(countBefore), {
        timeout: 60_000,
      });
    }
    await stopActivity();
    expect(requestRecorder.words).toContainEqual(expect.stringContaining('We can’t store this file right now'));
    const storedState = await installation.pollUntilComplete(
      (db) => readStoredState(db, installation.files),
      (stored) => findMissingItems(requestRecorder, stored),
    );
    expect(await installation.shop.end('SIGTERM')).toBe(0);
    return requestRecorder.createResult(
      `${smallDisk.done} for five seconds, ${fullPeriodCount} times`,
      namesWithDeleted(requestRecorder, storedState.names),
    );
  },
};

interface LimitedSpace {
  folder: string;
  /** A description of the fault, for the report. */
  done: string;
  /** Takes all space that is free now. */
  take(installation: ShopInstallation): void;
  giveBack(installation: ShopInstallation): void;
}

async function createDisk(): Promise<LimitedSpace> {
  const folder = await mountSmallDisk(400);
  let partCount = 0;
  const ballastPath = (part: number) => join(folder, `ballast-${part}`);
  return {
    folder,
    done: 'the disk was full',
    take: () => fillDisk(ballastPath(partCount++), folder),
    giveBack() {
      for (; partCount > 0; partCount--) rmSync(ballastPath(partCount - 1), { force: true });
    },
  };
}

/** Leaves room for the existing files only: no file of the shop's processes may grow (Linux). */
function openLimitedRoom(): LimitedSpace {
  const limitProcess = (pid: number, bytes: string) => {
    try {
      execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { stdio: 'ignore' });
    } catch (error) {
      if (isProcessAlive(pid)) throw error;
    }
  };
  const limitAllProcesses = ({ shop }: ShopInstallation, bytes: string) => {
    for (const pid of [shop.child.pid!, ...listDescendants(shop.child.pid!)]) limitProcess(pid, bytes);
  };
  return {
    folder: createTemporaryFolder(),
    done: 'no file of the shop could grow (a small disk could not be mounted)',
    take: (installation) => limitAllProcesses(installation, '0'),
    giveBack: (installation) => limitAllProcesses(installation, 'unlimited'),
  };
}

/** Writes a file as large as the free space. If it does not fit, the disk is full. */
function fillDisk(path: string, disk: string): void {
  const { bavail, bsize } = statfsSync(disk);
  if (bavail === 0) return;
  try {
    writeFileSync(path, Buffer.alloc(bavail * bsize));
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
  }
}
