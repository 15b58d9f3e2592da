import { mailDaySheetOncePerDay } from '#shop/day-sheet/day-sheet.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

export async function registerDaySheetJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  await jobs.startWorkers('mail-day-sheet', () => mailDaySheetOncePerDay(shop));
  await jobs.schedule('mail-day-sheet', '5 * * * *');
}
