import { sweepArrivals } from '#shop/photos/arrivals.ts';
import { remindOfPhotos } from '#shop/photos/reminders.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

export async function registerPhotoJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  await jobs.startWorkers('remind-photos', () => remindOfPhotos(shop));
  await jobs.schedule('remind-photos', '43 * * * *');
  await jobs.startWorkers('sweep-arrivals', (_, { signal }) => sweepArrivals(shop, signal));
  await jobs.schedule('sweep-arrivals', '53 * * * *');
}
