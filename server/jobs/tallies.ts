import { foldDayTallies } from '#shop/tallies/day-tallies.ts';
import { foldTallies } from '#shop/tallies/tallies.ts';
import type { Shop } from '../shop.ts';
import type { Jobs } from './observed-jobs.ts';

export async function tallyJobs(jobs: Jobs, { db }: Shop): Promise<void> {
  await jobs.work('fold-tallies', async () => {
    await foldTallies(db);
    await foldDayTallies(db);
  });
  await jobs.schedule('fold-tallies', '* * * * *');
}
