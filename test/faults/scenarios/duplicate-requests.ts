import { expect, onTestFinished } from 'vitest';
import { createS3Storage } from '#adapters/storage/s3.ts';
import type { Storage } from '#shop/ports/storage.ts';
import { fetchFrames, createPhotoForm, createSmallPhoto } from '../../people.ts';
import type { ShopResponse, Browser } from '../../shop.ts';
import { createFreshBucket } from '../../stores.ts';
import { Customers } from '../customers.ts';
import { createTemporaryFolder, ShopInstallation } from '../installation.ts';
import { createNetworkBrowser, RunningShop } from '../running-shop.ts';
import { RequestRecorder, type Scenario } from '../scenario.ts';
import { findMissingItems, namesWithDeleted, readStoredState } from '../stored-state.ts';

const rounds = 12;

/**
 * Requests are sent twice at the same moment, but must have only one effect. They go to two shops on one database and
 * one bucket, or, with the embedded database, twice to the same shop.
 */
export const duplicateRequestsScenario: Scenario = {
  name: 'two-of-everything',
  engines: ['embedded', 'postgres'],
  async run({ engine }) {
    const { installation, storage, other } = engine === 'postgres' ? await startTwoShops() : await startOneShop();
    const requestRecorder = new RequestRecorder();
    const customers = await Customers.prepare(installation.browser, requestRecorder);
    /** Sends the request to both addresses at the same time, with the same cookies and content. */
    const sendTwice = async (browser: Browser, sendAndCheck: (browser: Browser) => Promise<ShopResponse>) => {
      const secondBrowser = createNetworkBrowser(other);
      for (const [name, value] of browser.cookies) secondBrowser.cookies.set(name, value);
      const responses = await Promise.all([
        requestRecorder.sendAndCheck(sendAndCheck(browser)),
        requestRecorder.sendAndCheck(sendAndCheck(secondBrowser)),
      ]);
      return responses.filter((it) => it !== undefined);
    };
    for (let round = 0; round < rounds; round++) {
      const charge = (await customers.beginOrder())!;
      expect(await customers.charge(charge)).toBe(true);
      const { paymentIntentId } = charge;
      const settledResponses = await sendTwice(charge.browser, (it) =>
        it.post('/api/verify-payment', { paymentIntentId }),
      );
      expect(settledResponses.map((it) => it.json.success)).toEqual([true, true]);

      const frameId = customers.frames[round]!;
      const form = createPhotoForm(frameId, await createSmallPhoto());
      form.append('key', crypto.randomUUID());
      requestRecorder.tried += 1;
      const sentResponses = await sendTwice(customers.anna, (it) => it.post('/api/upload', form));
      expect(new Set(sentResponses.map((it) => it.json.id)).size).toBe(1);
      requestRecorder.acknowledged.add(`photo:${sentResponses[0]!.json.id}`);

      requestRecorder.tried += 1;
      const finalizedResponses = await sendTwice(customers.anna, (it) =>
        it.post('/api/uploads/finalize', { deviceId: frameId }),
      );
      expect(finalizedResponses.length).toBeGreaterThan(0);
      requestRecorder.acknowledged.add(`film:${sentResponses[0]!.json.id}`);

      const orderId = await customers.findOrderOf(charge);
      const key = crypto.randomUUID();
      requestRecorder.tried += 1;
      const refundResponses = await sendTwice(customers.owner, (it) =>
        it.post(`/api/admin/orders/${orderId}/refunds`, { reason: 'It came too late', key }),
      );
      expect(refundResponses.length).toBeGreaterThan(0);
      requestRecorder.acknowledged.add(`refund:${key}`);
    }
    // Two people fill the last places of a frame at the same time. Exactly the free places must be filled.
    const { deviceId, remainingPhotos } = (await fetchFrames(customers.anna)).at(-1)!;
    const photos = await Promise.all(Array.from({ length: remainingPhotos }, createSmallPhoto));
    const uploadResponses = await Promise.all(
      photos.map((photo) =>
        sendTwice(customers.anna, (it) => it.post('/api/upload', createPhotoForm(deviceId, photo))),
      ),
    );
    expect(uploadResponses.flat()).toHaveLength(remainingPhotos);
    for (const { json } of uploadResponses.flat()) requestRecorder.acknowledged.add(`photo:${json.id}`);
    requestRecorder.tried += 2 * remainingPhotos;

    await customers.filmsMade();
    const storedState = await installation.pollUntilComplete(
      (db) => readStoredState(db, storage),
      (stored) => findMissingItems(requestRecorder, stored),
    );
    return requestRecorder.createResult(
      `every request of ${rounds} purchases sent ${engine === 'postgres' ? 'to two processes' : 'twice'} at the same moment, and twice as many photos as free places`,
      namesWithDeleted(requestRecorder, storedState.names),
    );
  },
};

/** `other` is the address for the second request. */
interface TwoServers {
  installation: ShopInstallation;
  storage: Storage;
  other: string;
}

async function startOneShop(): Promise<TwoServers> {
  const installation = await ShopInstallation.open('embedded');
  return { installation, storage: installation.files, other: installation.shop.origin };
}

async function startTwoShops(): Promise<TwoServers> {
  const bucketSettings = await createFreshBucket();
  const installation = await ShopInstallation.open('postgres', { settings: bucketSettings });
  const otherShop = await RunningShop.start(createTemporaryFolder(), {
    ...bucketSettings,
    DATABASE_URL: installation.databaseUrl!,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  });
  onTestFinished(() => void otherShop.end('SIGKILL'));
  await otherShop.waitUntilReady();
  const storage = createS3Storage(
    {
      bucket: bucketSettings.S3_BUCKET,
      endpoint: bucketSettings.S3_ENDPOINT,
      region: bucketSettings.S3_REGION,
      accessKeyId: bucketSettings.S3_ACCESS_KEY_ID,
      secretAccessKey: bucketSettings.S3_SECRET_ACCESS_KEY,
    },
    createTemporaryFolder(),
  );
  return { installation, storage, other: otherShop.origin };
}
