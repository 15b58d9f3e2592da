import { requestReviews } from '#shop/reviews/request-reviews.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

export async function registerReviewJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  await jobs.startWorkers('ask-for-reviews', () => requestReviews(shop));
  // 15:17 UTC is morning in the shop's time zone, so no one gets this mail at night.
  await jobs.schedule('ask-for-reviews', '17 15 * * *');
}
