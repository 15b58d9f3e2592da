import { mailWaiters } from '#shop/stock/waiters.ts';
import type { Shop } from '../shop.ts';
import type { Jobs } from './observed-jobs.ts';

export async function stockJobs(jobs: Jobs, shop: Shop): Promise<void> {
  await jobs.work('mail-frames-back', () => mailWaiters(shop));
  await jobs.schedule('mail-frames-back', '*/5 * * * *');
}
