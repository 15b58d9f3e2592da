import { dayOf, hourOf } from '#contract/calendar.ts';
import { backUpAway, newestAway } from '../backup/back-up-away.ts';
import type { Shop } from '../shop.ts';
import type { Jobs } from './telling.ts';

/** From three in the shop's time zone, when the fewest are awake; a shop that was down then makes up for it later. */
const fromHour = 3;

/** Of several workers those whose settings name a place make backups; the others must not take their jobs. */
export async function backupJobs(jobs: Jobs, shop: Shop): Promise<void> {
  if (!shop.config.backup) return;
  await jobs.work('back-up', (_, { signal }) => backUpTonight(shop, signal));
  await jobs.schedule('back-up', '35 * * * *');
}

/** The job of each hour: today's backup, once, where the settings name a place for it. */
export async function backUpTonight(
  shop: Pick<Shop, 'config' | 'clock' | 'db' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const { config, clock, log } = shop;
  const now = clock.now();
  if (!config.backup || hourOf(now) < fromHour) return;
  const newest = await newestAway(config);
  if (newest && dayOf(newest) === dayOf(now)) return;
  const { name, sizeBytes, files, missing, removed } = await backUpAway(shop, signal);
  log.info({ name, sizeBytes, files, missing: missing.count, removed }, 'shop backed up');
}
