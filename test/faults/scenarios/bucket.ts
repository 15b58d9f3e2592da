import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { createS3Storage } from '#adapters/storage/s3.ts';
import { startS3Server } from '#adapters/storage/s3-server.ts';
import { Customers } from '../customers.ts';
import { meddlingWith, type Mischief } from '../meddler.ts';
import { freshFolder, Place } from '../place.ts';
import { keepOn, Ledger, type Scenario } from '../scenario.ts';
import { missingOf, namesWithGone, whatIsThere } from '../what-is-there.ts';

const mischiefs: Mischief[] = ['silence', 'error', 'slow', 'unsaid', 'twice', 'lie'];

/** The store of files fails in every way it can, and says of files that it has them when it has not. */
export const bucket: Scenario = {
  name: 'bucket',
  engines: ['postgres'],
  async run({ random }) {
    const server = await startS3Server();
    onTestFinished(() => server.stop());
    const done: Partial<Record<Mischief, number>> = {};
    const state: { isWell: boolean; isAlways?: Mischief | undefined } = { isWell: true };
    const endpoint = await meddlingWith(
      server.settings.endpoint,
      ({ method }) => {
        const mischief =
          state.isAlways ?? (!state.isWell && random.below(3) === 0 ? random.oneOf(mischiefs) : undefined);
        if (!mischief || (mischief === 'lie' && method !== 'PUT')) return undefined;
        done[mischief] = (done[mischief] ?? 0) + 1;
        return mischief;
      },
      () => 500 + random.below(3_000),
    );
    const { bucket: name, region, accessKeyId, secretAccessKey } = server.settings;
    const place = await Place.open('postgres', {
      settings: {
        S3_BUCKET: name,
        S3_ENDPOINT: endpoint,
        S3_REGION: region,
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
      },
    });
    const ledger = new Ledger();
    const customers = await Customers.begin(place.browser, ledger);
    const { buy, lookAround, uploadAndTidyUp } = customers;
    await lookAround();
    for (const frame of customers.frames.slice(0, 3)) await customers.orderFilm(frame);
    state.isWell = false;
    const end = keepOn([buy, lookAround, uploadAndTidyUp, uploadAndTidyUp, uploadAndTidyUp, uploadAndTidyUp]);
    await sleep(30_000);
    for (const always of ['error', 'silence'] as const) {
      state.isAlways = always;
      await sleep(6_000);
      state.isAlways = undefined;
      await sleep(2_000);
    }
    await end();
    state.isWell = true;
    const storage = createS3Storage(server.settings, freshFolder());
    const held = await place.lookUntil(
      (db) => whatIsThere(db, storage),
      (held) => missingOf(ledger, held),
    );
    expect(await place.shop.end('SIGTERM')).toBe(0);
    const figures = Object.entries(done).map(([mischief, times]) => `${times} × ${mischief}`);
    return ledger.seen(`the bucket failing (${figures.join(', ')})`, namesWithGone(ledger, held.names));
  },
};
