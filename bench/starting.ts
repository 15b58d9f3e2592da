import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '../test/postgres.ts';
import { sumCpuSecondsOfProcessTree, findMedian, readCurrentMegabytes } from './measure.ts';
import { startShop } from './shop-process.ts';

export interface StartMeasurement {
  /** CPU seconds of the shop and its children until it is ready. */
  cpuSeconds: number;
  /** Memory after `idleMs` without requests. */
  idleMegabytes: number;
}
/** Milliseconds to wait before memory is measured. By then, the memory used for starting is released. */
const idleMs = 20_000;
const startsPerEngine = 3;

/**
 * Measures how the shop starts on each engine: the first time, and with existing data. Later starts are the median of
 * three, as are the seconds until it is ready again after kill -9.
 */
export async function measureStarts(): Promise<Record<'PostgreSQL' | 'embedded', FirstAndLaterStarts>> {
  const cluster = await startPostgres({ durable: true });
  if (!cluster) throw new Error('Starts are measured on both engines, and no PostgreSQL is installed.');
  try {
    return {
      PostgreSQL: await measureFirstAndLaterStarts({ DATABASE_URL: cluster.url }),
      embedded: await measureFirstAndLaterStarts({}),
    };
  } finally {
    await cluster.stop();
  }
}

interface FirstAndLaterStarts {
  first: StartMeasurement;
  later: StartMeasurement;
  afterKillSeconds: number;
}
async function measureFirstAndLaterStarts(settings: Record<string, string>): Promise<FirstAndLaterStarts> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-bench-'));
  try {
    const measureOneStart = async (): Promise<StartMeasurement> => {
      const shop = await startShop({ ...settings, DATA_DIR: dataDir });
      const cpuSeconds = sumCpuSecondsOfProcessTree(shop.pid);
      await wait(idleMs);
      const idleMegabytes = readCurrentMegabytes(shop.pid);
      await shop.close();
      return { cpuSeconds, idleMegabytes };
    };
    const firstStart = await measureOneStart();
    const laterStarts: StartMeasurement[] = [];
    for (let at = 0; at < startsPerEngine; at++) laterStarts.push(await measureOneStart());
    const findMedianOfLater = (name: keyof StartMeasurement) => findMedian(laterStarts.map((it) => it[name]));
    const startsAfterKill: number[] = [];
    for (let at = 0; at < startsPerEngine; at++) {
      await (await startShop({ ...settings, DATA_DIR: dataDir })).kill();
      const startedAt = performance.now();
      const shop = await startShop({ ...settings, DATA_DIR: dataDir });
      startsAfterKill.push((performance.now() - startedAt) / 1000);
      await shop.close();
    }
    return {
      first: firstStart,
      later: { cpuSeconds: findMedianOfLater('cpuSeconds'), idleMegabytes: findMedianOfLater('idleMegabytes') },
      afterKillSeconds: findMedian(startsAfterKill),
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
