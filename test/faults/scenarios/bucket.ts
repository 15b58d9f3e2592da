import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, vi } from 'vitest';
import { sweepFiles } from '#shop/files/sweep.ts';
import { namedFiles } from '#server/named-files.ts';
import { createS3Storage, type S3Settings } from '#adapters/storage/s3.ts';
import { startS3Server } from '#adapters/storage/s3-server.ts';
import { Customers } from '../customers.ts';
import { startTamperingProxy, type ConnectionFault } from '../tampering-proxy.ts';
import { createTemporaryFolder, ShopInstallation } from '../installation.ts';
import { repeatUntilStopped, RequestRecorder, type Scenario } from '../scenario.ts';
import { findMissingItems, namesWithDeleted, readStoredState } from '../stored-state.ts';

const connectionFaults: ConnectionFault[] = ['silence', 'error', 'slow', 'unsaid', 'twice', 'lie'];

/** The file store fails in all ways of `connectionFaults`. For example, it reports files as stored that it has not stored. */
export const bucketFaultScenario: Scenario = {
  name: 'bucket',
  engines: ['embedded', 'postgres'],
  async run({ engine, random }) {
    const server = await startS3Server();
    onTestFinished(() => server.stop());
    const faultCounts: Partial<Record<ConnectionFault, number>> = {};
    const state: { isWell: boolean; isAlways?: ConnectionFault | undefined } = { isWell: true };
    const endpoint = await startTamperingProxy(
      server.settings.endpoint,
      ({ method }) => {
        const connectionFault =
          state.isAlways ?? (!state.isWell && random.below(3) === 0 ? random.oneOf(connectionFaults) : undefined);
        if (!connectionFault || (connectionFault === 'lie' && method !== 'PUT')) return undefined;
        faultCounts[connectionFault] = (faultCounts[connectionFault] ?? 0) + 1;
        return connectionFault;
      },
      () => 500 + random.below(3_000),
    );
    const installation = await ShopInstallation.open(engine, {
      settings: settingsOfShop({ ...server.settings, endpoint }),
    });
    const requestRecorder = new RequestRecorder();
    const customers = await Customers.prepare(installation.browser, requestRecorder);
    const { buy, lookAround, uploadAndTidyUp } = customers;
    await lookAround();
    for (const frameId of customers.frames.slice(0, 3)) await customers.orderFilm(frameId);
    state.isWell = false;
    const stopActivity = repeatUntilStopped([
      buy,
      lookAround,
      uploadAndTidyUp,
      uploadAndTidyUp,
      uploadAndTidyUp,
      uploadAndTidyUp,
    ]);
    await sleep(30_000);
    for (const faultKind of ['error', 'silence'] as const) {
      state.isAlways = faultKind;
      await sleep(6_000);
      state.isAlways = undefined;
      await sleep(2_000);
    }
    await stopActivity();
    state.isWell = true;
    await customers.filmsMade();
    const storage = createS3Storage(server.settings, createTemporaryFolder());
    const storedState = await installation.pollUntilComplete(
      (db) => readStoredState(db, storage),
      (stored) => findMissingItems(requestRecorder, stored),
    );
    expect(await installation.shop.end('SIGTERM')).toBe(0);
    const figures = Object.entries(faultCounts).map(([mischief, times]) => `${times} × ${mischief}`);
    return requestRecorder.createResult(
      `the bucket failed (${figures.join(', ')})`,
      namesWithDeleted(requestRecorder, storedState.names),
    );
  },
};

const timesFull = 4;

/**
 * The bucket accepts no more files for a while. For a shop this is the same as a full disk, but it can be tested on any
 * machine.
 */
export const bucketFull: Scenario = {
  name: 'bucket-full',
  engines: ['embedded', 'postgres'],
  async run({ engine, random }) {
    const server = await startS3Server();
    onTestFinished(() => server.stop());
    let refusedCount = 0;
    let isFull = false;
    const endpoint = await startTamperingProxy(server.settings.endpoint, ({ method }) => {
      if (!isFull || method !== 'PUT') return undefined;
      refusedCount += 1;
      return 'full';
    });
    const installation = await ShopInstallation.open(engine, {
      settings: settingsOfShop({ ...server.settings, endpoint }),
    });
    const requestRecorder = new RequestRecorder();
    const { buy, lookAround, uploadAndTidyUp } = await Customers.prepare(installation.browser, requestRecorder);
    await lookAround();
    const stopActivity = repeatUntilStopped([buy, lookAround, uploadAndTidyUp, uploadAndTidyUp]);
    for (let time = 0; time < timesFull; time++) {
      await sleep(1_000 + random.below(2_000));
      isFull = true;
      const listAcknowledgedOrders = () =>
        [...requestRecorder.acknowledged].filter((it) => it.startsWith('paid:')).length;
      const ordersBefore = listAcknowledgedOrders();
      await sleep(5_000);
      // The shop still sells while the bucket is full.
      await vi.waitFor(() => expect(listAcknowledgedOrders()).toBeGreaterThan(ordersBefore), { timeout: 60_000 });
      isFull = false;
      const successCount = requestRecorder.yeses;
      await vi.waitFor(() => expect(requestRecorder.yeses).toBeGreaterThan(successCount), { timeout: 60_000 });
    }
    await stopActivity();
    expect(refusedCount).toBeGreaterThan(0);
    expect(requestRecorder.words).toContainEqual(expect.stringContaining('We can’t store this file right now'));
    const storage = createS3Storage(server.settings, createTemporaryFolder());
    const storedState = await installation.pollUntilComplete(
      (db) => readStoredState(db, storage),
      (stored) => findMissingItems(requestRecorder, stored),
    );
    expect(await installation.shop.end('SIGTERM')).toBe(0);
    return requestRecorder.createResult(
      `the bucket was full for five seconds, ${timesFull} times, and refused ${refusedCount} files`,
      namesWithDeleted(requestRecorder, storedState.names),
    );
  },
};

const dayMs = 24 * 3_600_000;

/** The bucket's listings lose pages, while the sweep of orphans runs repeatedly. */
export const bucketListing: Scenario = {
  name: 'bucket-listing',
  engines: ['embedded', 'postgres'],
  async run({ engine, random }) {
    const server = await startS3Server();
    onTestFinished(() => server.stop());
    let lost = 0;
    let isWell = false;
    const endpoint = await startTamperingProxy(server.settings.endpoint, ({ method, url }) => {
      const isListing = method === 'GET' && url!.includes('list-type=2');
      if (isWell || !isListing || random.below(2) === 0) return undefined;
      lost += 1;
      return 'lie'; // an empty response, as if the listing ended here
    });
    const settings = { ...server.settings, endpoint };
    const installation = await ShopInstallation.open(engine, { settings: settingsOfShop(settings) });
    const storage = createS3Storage(settings, createTemporaryFolder());
    const requestRecorder = new RequestRecorder();
    const customers = await Customers.prepare(installation.browser, requestRecorder);
    for (let i = 0; i < 20; i++) await customers.upload();
    const orphans = Array.from({ length: 10 }, () => `display/${crypto.randomUUID()}.jpg`);
    for (const key of orphans) await storage.put(key, Buffer.from(key), 'image/jpeg');
    // With this clock, every file is old enough for the sweep to remove it, including the files in the trash.
    const clock = { now: () => new Date(Date.now() + 8 * dayMs) };
    const sweep = () =>
      installation.readDatabase((db) =>
        sweepFiles({ db, storage, fileSources: namedFiles, clock, isLimited: true, notifyOwner: async () => {} }),
      );
    const sweepCount = 20;
    for (let i = 0; i < sweepCount; i++) {
      await sweep();
      await customers.upload(); // not in parallel: with this clock, a file without a row yet counts as old
    }
    isWell = true;
    for (let i = 0; i < 2; i++) await sweep(); // the first sweep moves orphans to the trash, the second deletes them
    for (const key of orphans) expect([key, await storage.stat(key)]).toEqual([key, undefined]);
    const storedState = await installation.pollUntilComplete(
      (db) => readStoredState(db, storage),
      (stored) => findMissingItems(requestRecorder, stored),
    );
    return requestRecorder.createResult(
      `${sweepCount} sweeps for files without a row, while ${lost} pages of the bucket’s listings were lost`,
      storedState.names,
    );
  },
};

const settingsOfShop = (it: S3Settings): Record<string, string> => ({
  S3_BUCKET: it.bucket,
  S3_ENDPOINT: it.endpoint!,
  S3_REGION: it.region,
  S3_ACCESS_KEY_ID: it.accessKeyId,
  S3_SECRET_ACCESS_KEY: it.secretAccessKey,
});
