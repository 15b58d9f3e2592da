import { followLabels } from '#shop/labels/follow-labels.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

/** Without a label service, the job finds nothing to do. It runs then too, because all processes share one schedule. */
export async function registerLabelJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  await jobs.startWorkers('follow-labels', async (_data, { signal }) => {
    const onError = (error: unknown) => shop.log.warn({ err: error }, 'a shipping label could not be read');
    if ((await followLabels(shop, { signal, onError })) > 0) shop.live.publish('orders');
  });
  await jobs.schedule('follow-labels', '* * * * *');
}
