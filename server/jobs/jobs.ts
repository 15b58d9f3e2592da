import type { Shop } from '../shop.ts';
import { backupJobs } from './backups.ts';
import { daySheetJobs } from './day-sheet.ts';
import { fileJobs } from './files.ts';
import { giftCardJobs } from './gift-cards.ts';
import { erasureJobs } from './erasure.ts';
import { inboundMailJobs } from './inbound-mail.ts';
import { labelJobs } from './labels.ts';
import { mailJobs } from './mail.ts';
import { paymentJobs } from './payments.ts';
import { photoJobs } from './photos.ts';
import { productionJobs } from './production.ts';
import { pushJobs } from './push.ts';
import { retentionJobs } from './retention.ts';
import { reviewJobs } from './reviews.ts';
import { stockJobs } from './stock.ts';
import { tallyJobs } from './tallies.ts';
import { observedJobs } from './observed-jobs.ts';
import { trialJobs } from './trials.ts';

/**
 * Start the workers of every job queue in this process, and schedule the recurring jobs, which run once for all
 * processes.
 */
export async function startJobs(shop: Shop): Promise<void> {
  const jobs = observedJobs(shop);
  await mailJobs(jobs, shop);
  await inboundMailJobs(jobs, shop);
  await pushJobs(jobs, shop);
  await productionJobs(jobs, shop);
  await trialJobs(jobs, shop);
  await paymentJobs(jobs, shop);
  await labelJobs(jobs, shop);
  await photoJobs(jobs, shop);
  await reviewJobs(jobs, shop);
  await stockJobs(jobs, shop);
  await giftCardJobs(jobs, shop);
  await fileJobs(jobs, shop);
  await erasureJobs(jobs, shop);
  await retentionJobs(jobs, shop);
  await tallyJobs(jobs, shop);
  await daySheetJobs(jobs, shop);
  await backupJobs(jobs, shop);
}
