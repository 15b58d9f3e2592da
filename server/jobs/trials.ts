import { eraseTrials } from '#shop/trials/erase.ts';
import { makeTrialVideo } from '#shop/trials/make-trial-video.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

export async function registerTrialJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  await jobs.startWorkers('make-trial', (_, attempt) => makeTrialVideo(shop, attempt));
  // This schedule also continues the queue of trials if an earlier job was lost.
  await jobs.schedule('make-trial', '*/5 * * * *');
  await jobs.startWorkers('erase-trials', (_, { signal }) => eraseTrials(shop, signal));
  await jobs.schedule('erase-trials', '*/10 * * * *');
}
