import { mailWaiters } from '#shop/stock/waiters.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

export async function registerStockJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  await jobs.startWorkers('mail-frames-back', () => mailWaiters(shop));
  await jobs.schedule('mail-frames-back', '*/5 * * * *');
}
