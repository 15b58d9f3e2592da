import { mergeDayTallies } from '#shop/tallies/day-tallies.ts';
import { mergeTallies } from '#shop/tallies/tallies.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

export async function registerTallyJobs(jobs: JobRegistrar, { db }: Shop): Promise<void> {
  await jobs.startWorkers('fold-tallies', async () => {
    await mergeTallies(db);
    await mergeDayTallies(db);
  });
  await jobs.schedule('fold-tallies', '* * * * *');
}
