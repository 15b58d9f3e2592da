import { eraseOverdue, finishErasure, mailErasureWarnings } from '#shop/retention/erasure.ts';
import { namedFiles } from '../named-files.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

export async function registerErasureJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  await jobs.startWorkers('finish-erasure', ({ erasureId }) =>
    finishErasure({ ...shop, words: namedFiles }, erasureId),
  );
  await jobs.startWorkers('erase-photos', async () => {
    await mailErasureWarnings(shop);
    await eraseOverdue(shop);
  });
  await jobs.schedule('erase-photos', '51 * * * *');
}
