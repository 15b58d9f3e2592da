import { mailDaySheet } from '#shop/day-sheet/day-sheet.ts';
import type { Shop } from '../shop.ts';
import type { Jobs } from './observed-jobs.ts';

export async function daySheetJobs(jobs: Jobs, shop: Shop): Promise<void> {
  await jobs.work('mail-day-sheet', () => mailDaySheet(shop));
  await jobs.schedule('mail-day-sheet', '5 * * * *');
}
