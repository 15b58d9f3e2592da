import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startS3Server } from '#adapters/storage/s3-server.ts';
import { paintGarden } from '../test/photos/garden.ts';
import { startPostgres } from '../test/postgres.ts';
import { readCpuSeconds, readCpuSecondsOfEndedChildren } from './measure.ts';
import { startShop, type ShopProcess } from './shop-process.ts';
import { buyFrame } from './uploads.ts';

export interface WorkerRates {
  /** Videos per minute, by the number of workers. */
  filmsPerMinute: Record<number, number>;
  /** Cores in use by one worker. Two workers can at most use all cores. */
  coresOfOne: number;
}
const videoCount = 12;

/** How much faster two workers render a frame's videos than one, with one PostgreSQL and one bucket. */
export async function compareWorkers(): Promise<WorkerRates> {
  const cluster = await startPostgres({ durable: true });
  if (!cluster) throw new Error('Several workers share a PostgreSQL, and none is installed.');
  const s3Server = await startS3Server();
  const client = new pg.Client({ connectionString: cluster.url });
  const countRenderedVideos = async () => {
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::int from videos where state in ('rendered', 'approved')",
    );
    return rows[0]!.count;
  };
  try {
    await client.connect();
    const createSettings = (role: string) => ({
      ROLE: role,
      DATABASE_URL: cluster.url,
      S3_BUCKET: s3Server.settings.bucket,
      S3_ENDPOINT: s3Server.settings.endpoint,
      S3_REGION: s3Server.settings.region,
      S3_ACCESS_KEY_ID: s3Server.settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3Server.settings.secretAccessKey,
    });
    const web = await startShop(createSettings('web'));
    const workers: ShopProcess[] = [];
    try {
      const filmsPerMinute: Record<number, number> = {};
      let coresOfOne = 0;
      for (const count of [1, 2]) {
        const customer = await buyFrame(web.origin, { email: `customer${count}@example.com` });
        for (let at = 0; at < videoCount; at++) await customer.upload(createPhoto(count, at), at);
        workers.push(await startShop(createSettings('worker')));
        const startedAt = performance.now();
        const cpuBefore = sumCpuSecondsOfProcesses(workers);
        await customer.finalize();
        while ((await countRenderedVideos()) < count * videoCount) await wait(50);
        const seconds = (performance.now() - startedAt) / 1000;
        filmsPerMinute[count] = (60 * videoCount) / seconds;
        if (count === 1) coresOfOne = (sumCpuSecondsOfProcesses(workers) - cpuBefore) / seconds;
      }
      return { filmsPerMinute, coresOfOne };
    } finally {
      for (const shop of [...workers, web]) await shop.close();
    }
  } finally {
    await client.end();
    await s3Server.stop();
    await cluster.stop();
  }
}

/** Every photo is different, because a frame refuses the same photo twice. */
const createPhoto = (count: number, at: number): Buffer =>
  paintGarden(2400 + 16 * at, 1500 + 16 * count).toBuffer('image/jpeg', 90);

const sumCpuSecondsOfProcesses = (shops: ShopProcess[]) =>
  shops.reduce((total, { pid }) => total + readCpuSeconds(pid) + readCpuSecondsOfEndedChildren(pid), 0);
