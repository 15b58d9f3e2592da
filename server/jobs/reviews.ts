import { askForReviews } from '#shop/reviews/asking.ts';
import type { Shop } from '../shop.ts';
import type { Jobs } from './telling.ts';

export async function reviewJobs(jobs: Jobs, shop: Shop): Promise<void> {
  await jobs.work('ask-for-reviews', () => askForReviews(shop));
  // In the morning where the shop is: nobody is asked at night.
  await jobs.schedule('ask-for-reviews', '17 15 * * *');
}
