import { forgetMailboxSlots, forgetTrialSlots } from '#shop/trials/slots.ts';
import { forgetTriedFilms } from '#shop/analytics/tried-films.ts';
import { forgetCartReminders, forgetCartReminderStops } from '#shop/checkout/cart-reminder-figures.ts';
import { lifetimes, limits } from '#contract/limits.ts';
import { forgetSessions } from '#shop/accounts/sessions.ts';
import { forgetCollectLinks, deleteNamesWithoutPhotos } from '#shop/collect-links/collect-links.ts';
import { forgetKnownBrowsers } from '#shop/accounts/known-browsers.ts';
import { forgetSignInFailures, forgetTries } from '#shop/accounts/tries.ts';
import { forgetPageViews } from '#shop/analytics/analytics.ts';
import type { Forget } from '#shop/forget.ts';
import { forgetOldOrders } from '#shop/retention/old-orders.ts';
import { forgetMailContent } from '#shop/mail/mail.ts';
import { forgetPaymentEvents, forgetUnpaid } from '#shop/payments/payments.ts';
import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import { forgetPromotionHolds } from '#shop/promotions/promotions.ts';
import { forgetSlowPhotos } from '#shop/photos/slow-photos.ts';
import { forgetWaiters } from '#shop/stock/waiters.ts';
import { forgetTickets } from '#shop/support/support.ts';
import { forgetTokens } from '#shop/tokens/tokens.ts';
import { forgetProofsOfWork } from '../http/common/proof-of-work.ts';
import { forgetRateCounters } from '../http/common/rate-limit.ts';
import { purposes } from '../purposes.ts';
import type { Shop } from '../shop.ts';
import type { Jobs } from './observed-jobs.ts';

type Age = { months: number } | { days: number } | { minutes: number };

/** The data that this job deletes, and the age at which it is deleted (docs/decisions/0066-retention.md). */
const retentionRules: { what: string; for: Age; forget: Forget }[] = [
  { what: 'personal data in old orders', for: { months: lifetimes.orderYears * 12 }, forget: forgetOldOrders },
  { what: 'page views', for: { months: 13 }, forget: forgetPageViews },
  { what: 'counts of free films', for: { months: 13 }, forget: forgetTriedFilms },
  { what: 'hashes of mailboxes that got a free video', for: { minutes: 60 }, forget: forgetMailboxSlots },
  { what: 'hashes of networks that tried', for: { days: 1 }, forget: forgetTrialSlots },
  { what: 'texts of emails', for: { months: lifetimes.mailContentMonths }, forget: forgetMailContent },
  { what: 'addresses that wait for frames', for: { months: lifetimes.stockWaiterMonths }, forget: forgetWaiters },
  { what: 'tickets', for: { months: lifetimes.supportRequestMonths }, forget: forgetTickets },
  { what: 'unpaid carts and payments', for: { days: lifetimes.abandonedCartDays }, forget: forgetUnpaid(purposes) },
  { what: 'counts of cart reminders', for: { months: 13 }, forget: forgetCartReminders },
  { what: 'stops of cart reminders after an erasure', for: { days: 0 }, forget: forgetCartReminderStops },
  { what: 'events of the payment provider', for: { days: 90 }, forget: forgetPaymentEvents },
  {
    what: 'expired collect links and their contributors',
    for: { days: lifetimes.contributorNameDays },
    forget: forgetCollectLinks,
  },
  {
    what: 'contributors without a photo',
    for: { minutes: lifetimes.idleNameHours * 60 },
    forget: deleteNamesWithoutPhotos,
  },
  { what: 'expired tokens of links', for: { days: 30 }, forget: forgetTokens },
  { what: 'expired sessions', for: { minutes: 0 }, forget: forgetSessions },
  { what: 'expired reservations of promo code uses', for: { days: 1 }, forget: forgetPromotionHolds },
  { what: 'failed sign-ins of the previous release', for: { minutes: 15 }, forget: forgetSignInFailures },
  { what: 'counted sign-in attempts', for: { days: 1 }, forget: forgetTries },
  {
    what: 'known browsers that have not signed in',
    for: { days: lifetimes.knownBrowserDays },
    forget: forgetKnownBrowsers,
  },
  {
    what: 'counts of photos that took too long',
    for: { minutes: limits.slowPhotosSeconds / 60 },
    forget: forgetSlowPhotos,
  },
  { what: 'expired proofs of work', for: { minutes: 60 }, forget: forgetProofsOfWork },
  // The database's clock decides when the window of a counter ends. Clocks differ by less than an hour, so no counter
  // is deleted early.
  { what: 'expired counters of the rate limits', for: { minutes: 60 }, forget: forgetRateCounters },
];
/** The most rows that one statement deletes, so that other queries do not wait for it long. */
const batchSize = 1000;

/** Delete all data that is old enough, in batches, until none is left or the job is stopped. */
export async function forgetOld({ db, clock }: { db: Db; clock: Clock }, signal?: AbortSignal): Promise<void> {
  for (const { for: age, forget } of retentionRules) {
    const before = momentBefore(clock.now(), age);
    for (;;) {
      if (signal?.aborted) return;
      if ((await forget(db, before, batchSize, clock)) < batchSize) break;
    }
  }
}

function momentBefore(now: Date, age: Age): Date {
  if ('minutes' in age) return new Date(now.getTime() - age.minutes * 60_000);
  if ('days' in age) return new Date(now.getTime() - age.days * 86_400_000);
  const before = new Date(now);
  before.setUTCMonth(before.getUTCMonth() - age.months);
  return before;
}

export async function retentionJobs(jobs: Jobs, shop: Shop): Promise<void> {
  await jobs.work('forget-old', (_, { signal }) => forgetOld(shop, signal));
  await jobs.schedule('forget-old', '41 * * * *');
}
