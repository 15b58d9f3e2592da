import type { Shop } from '../shop.ts';
import { registerBackupJobs } from './backups.ts';
import { registerDaySheetJobs } from './day-sheet.ts';
import { registerFileJobs } from './files.ts';
import { registerGiftCardJobs } from './gift-cards.ts';
import { registerErasureJobs } from './erasure.ts';
import { registerInboundMailJobs } from './inbound-mail.ts';
import { registerLabelJobs } from './labels.ts';
import { registerMailJobs } from './mail.ts';
import { registerPaymentJobs } from './payments.ts';
import { registerPhotoJobs } from './photos.ts';
import { registerProductionJobs } from './production.ts';
import { registerPushJobs } from './push.ts';
import { registerRetentionJobs } from './retention.ts';
import { registerReviewJobs } from './reviews.ts';
import { registerStockJobs } from './stock.ts';
import { registerTallyJobs } from './tallies.ts';
import { createObservedJobRegistrar } from './observed-jobs.ts';
import { registerTrialJobs } from './trials.ts';

/**
 * Start the workers of every job queue in this process, and schedule the recurring jobs, which run once for all
 * processes.
 */
export async function startJobs(shop: Shop): Promise<void> {
  const jobs = createObservedJobRegistrar(shop);
  await registerMailJobs(jobs, shop);
  await registerInboundMailJobs(jobs, shop);
  await registerPushJobs(jobs, shop);
  await registerProductionJobs(jobs, shop);
  await registerTrialJobs(jobs, shop);
  await registerPaymentJobs(jobs, shop);
  await registerLabelJobs(jobs, shop);
  await registerPhotoJobs(jobs, shop);
  await registerReviewJobs(jobs, shop);
  await registerStockJobs(jobs, shop);
  await registerGiftCardJobs(jobs, shop);
  await registerFileJobs(jobs, shop);
  await registerErasureJobs(jobs, shop);
  await registerRetentionJobs(jobs, shop);
  await registerTallyJobs(jobs, shop);
  await registerDaySheetJobs(jobs, shop);
  await registerBackupJobs(jobs, shop);
}
