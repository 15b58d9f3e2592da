import { deleteOldMailboxSlots, deleteOldTrialSlots } from '#shop/trials/slots.ts';
import { deleteOldTrialCounts } from '#shop/analytics/trial-counts.ts';
import { deleteOldCartReminders, deleteOldCartReminderStops } from '#shop/checkout/cart-reminder-figures.ts';
import { deleteOldCheckoutBrowsers } from '#shop/checkout/phone-order-erasure.ts';
import { deleteOldPhoneOrders } from '#shop/checkout/phone-orders.ts';
import { lifetimes, limits } from '#contract/limits.ts';
import { deleteExpiredSessions } from '#shop/accounts/sessions.ts';
import { deleteOldCollectLinks, deleteNamesWithoutPhotos } from '#shop/collect-links/collect-links.ts';
import { deleteOldKnownBrowsers } from '#shop/accounts/known-browsers.ts';
import { deleteOldSignInFailures, deleteOldAttempts } from '#shop/accounts/attempts.ts';
import { deleteOldPageViews } from '#shop/analytics/analytics.ts';
import type { DeleteOldRows } from '#shop/delete-old-rows.ts';
import { deleteOldGiftCardData } from '#shop/gift-cards/gift-cards.ts';
import { deleteBuyersOfOldOrders } from '#shop/retention/old-orders.ts';
import { deleteOldLabelFiles, deleteUnboughtLabels } from '#shop/labels/label-files.ts';
import { deleteOldMailContent } from '#shop/mail/mail.ts';
import { deleteOldPaymentEvents, deleteBuyerDataOfUnpaidPayments } from '#shop/payments/payments.ts';
import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import { deleteOldPromotionHolds } from '#shop/promotions/promotions.ts';
import { deleteOldSlowPhotos } from '#shop/photos/slow-photos.ts';
import { deleteOldReturnFiles } from '#shop/returns/return-files.ts';
import { deleteOldStockWaiters } from '#shop/stock/waiters.ts';
import { deleteOldTickets } from '#shop/support/support.ts';
import { deleteOldInboundMails, deleteOldUnsentFiles } from '#shop/support/ticket-messages.ts';
import { deleteExpiredTokens } from '#shop/tokens/tokens.ts';
import { deleteOldProofsOfWork } from '../http/common/proof-of-work.ts';
import { deleteOldRateCounters } from '../http/common/rate-limit.ts';
import { purposes } from '../purposes.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

type Age = { months: number } | { days: number } | { minutes: number };

/** The data that this job deletes, and the age at which it is deleted (docs/decisions/0066-retention.md). */
const retentionRules: { what: string; for: Age; deleteOld: DeleteOldRows }[] = [
  {
    what: 'personal data in old orders',
    for: { months: lifetimes.orderYears * 12 },
    deleteOld: deleteBuyersOfOldOrders,
  },
  {
    what: 'personal data in old gift cards',
    for: { months: lifetimes.orderYears * 12 },
    deleteOld: deleteOldGiftCardData,
  },
  { what: 'page views', for: { months: lifetimes.pageViewMonths }, deleteOld: deleteOldPageViews },
  { what: 'counts of free films', for: { months: 13 }, deleteOld: deleteOldTrialCounts },
  { what: 'hashes of email addresses that got a free video', for: { minutes: 60 }, deleteOld: deleteOldMailboxSlots },
  { what: 'hashes of networks that made a free video', for: { days: 1 }, deleteOld: deleteOldTrialSlots },
  { what: 'texts of emails', for: { months: lifetimes.mailContentMonths }, deleteOld: deleteOldMailContent },
  {
    what: 'addresses that wait for frames',
    for: { months: lifetimes.stockWaiterMonths },
    deleteOld: deleteOldStockWaiters,
  },
  {
    what: 'photos and labels of returns',
    for: { days: lifetimes.returnFilesDays },
    deleteOld: deleteOldReturnFiles,
  },
  { what: 'shipping labels', for: { days: lifetimes.labelFilesDays }, deleteOld: deleteOldLabelFiles },
  { what: 'prices of shipping labels', for: { days: 1 }, deleteOld: deleteUnboughtLabels },
  {
    what: 'files of answers that were not sent',
    for: { days: lifetimes.unsentFileDays },
    deleteOld: deleteOldUnsentFiles,
  },
  { what: 'tickets', for: { months: lifetimes.supportRequestMonths }, deleteOld: deleteOldTickets },
  {
    what: 'hashes of emails that the shop read',
    for: { days: lifetimes.inboundMailDays },
    deleteOld: deleteOldInboundMails,
  },
  {
    what: 'unpaid carts and payments',
    for: { days: lifetimes.abandonedCartDays },
    deleteOld: deleteBuyerDataOfUnpaidPayments(purposes),
  },
  {
    what: 'orders by phone whose link has ended',
    for: { days: lifetimes.phoneOrderKeptDays },
    deleteOld: deleteOldPhoneOrders,
  },
  { what: 'browsers that opened a payment link', for: { days: 2 }, deleteOld: deleteOldCheckoutBrowsers },
  { what: 'counts of cart reminders', for: { months: 13 }, deleteOld: deleteOldCartReminders },
  { what: 'stops of cart reminders after an erasure', for: { days: 0 }, deleteOld: deleteOldCartReminderStops },
  { what: 'events of the payment provider', for: { days: 90 }, deleteOld: deleteOldPaymentEvents },
  {
    what: 'expired collect links and their contributors',
    for: { days: lifetimes.contributorNameDays },
    deleteOld: deleteOldCollectLinks,
  },
  {
    what: 'contributors without a photo',
    for: { minutes: lifetimes.idleNameHours * 60 },
    deleteOld: deleteNamesWithoutPhotos,
  },
  { what: 'expired tokens of links', for: { days: 30 }, deleteOld: deleteExpiredTokens },
  { what: 'expired sessions', for: { minutes: 0 }, deleteOld: deleteExpiredSessions },
  { what: 'expired reservations of promo code uses', for: { days: 1 }, deleteOld: deleteOldPromotionHolds },
  { what: 'failed sign-ins of the previous release', for: { minutes: 15 }, deleteOld: deleteOldSignInFailures },
  { what: 'counted sign-in attempts', for: { days: 1 }, deleteOld: deleteOldAttempts },
  {
    what: 'known browsers that have not signed in',
    for: { days: lifetimes.knownBrowserDays },
    deleteOld: deleteOldKnownBrowsers,
  },
  {
    what: 'counts of photos that took too long',
    for: { minutes: limits.slowPhotosSeconds / 60 },
    deleteOld: deleteOldSlowPhotos,
  },
  { what: 'expired proofs of work', for: { minutes: 60 }, deleteOld: deleteOldProofsOfWork },
  // The database's clock decides when the window of a counter ends. Clocks differ by less than an hour, so no counter
  // is deleted early.
  { what: 'expired counters of the rate limits', for: { minutes: 60 }, deleteOld: deleteOldRateCounters },
];
/** The most rows that one statement deletes, so that other queries do not wait for it long. */
const batchSize = 1000;

/** Delete all data that is old enough, in batches, until none is left or the job is stopped. */
export async function deleteOldData({ db, clock }: { db: Db; clock: Clock }, signal?: AbortSignal): Promise<void> {
  for (const { for: age, deleteOld } of retentionRules) {
    const endOfAge = subtractAge(clock.now(), age);
    for (;;) {
      if (signal?.aborted) return;
      if ((await deleteOld(db, endOfAge, batchSize, clock)) < batchSize) break;
    }
  }
}

function subtractAge(now: Date, age: Age): Date {
  if ('minutes' in age) return new Date(now.getTime() - age.minutes * 60_000);
  if ('days' in age) return new Date(now.getTime() - age.days * 86_400_000);
  const momentBeforeNow = new Date(now);
  momentBeforeNow.setUTCMonth(momentBeforeNow.getUTCMonth() - age.months);
  return momentBeforeNow;
}

export async function registerRetentionJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  await jobs.startWorkers('forget-old', (_, { signal }) => deleteOldData(shop, signal));
  await jobs.schedule('forget-old', '41 * * * *');
}
