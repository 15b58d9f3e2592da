import { toShopDay, toShopHour } from '#contract/calendar.ts';
import { makeNightlyBackup, readNewestNightlyBackupTime } from '../backup/nightly-backup.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

/**
 * Backups are made from 3 a.m. in the shop's time zone, when there are few visitors. A shop that was down at this hour
 * makes the backup later in the day.
 */
const fromHour = 3;

/** Only workers with BACKUP_TO make backups. Workers without BACKUP_TO must not take these jobs from the queue. */
export async function registerBackupJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  if (!shop.config.backup) return;
  await jobs.startWorkers('back-up', (_, { signal }) => makeTodaysBackupIfDue(shop, signal));
  await jobs.schedule('back-up', '35 * * * *');
}

/** The hourly job: makes today's backup once, if BACKUP_TO is set. */
export async function makeTodaysBackupIfDue(
  shop: Pick<Shop, 'config' | 'clock' | 'db' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const { config, clock, log } = shop;
  const now = clock.now();
  if (!config.backup || toShopHour(now) < fromHour) return;
  const newestBackupTime = await readNewestNightlyBackupTime(config);
  if (newestBackupTime && toShopDay(newestBackupTime) === toShopDay(now)) return;
  const { name, sizeBytes, files, missing, removed } = await makeNightlyBackup(shop, signal);
  log.info({ name, sizeBytes, files, missing: missing.count, removed }, 'shop backed up');
}
