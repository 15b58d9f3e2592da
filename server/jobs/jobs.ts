import { availableParallelism } from 'node:os';
import type { JobRunner } from '#adapters/database/database.ts';
import { Refusal } from '#contract/refusals.ts';
import { mailPasswordReset } from '#shop/accounts/accounts.ts';
import { sweepSessions } from '#shop/accounts/sessions.ts';
import { sweepSignInFailures } from '#shop/accounts/sign-in-delay.ts';
import { sweepTokens } from '#shop/accounts/tokens.ts';
import { sendMail, sweepMails } from '#shop/mail/mail.ts';
import { tellOfFailedMail } from '#shop/mail/resend.ts';
import { followDisputes } from '#shop/payments/disputes.ts';
import { askRefund, followRefunds, sweepRefunds } from '#shop/payments/refunds.ts';
import { refundPayment, settle, settleOpenPayments } from '#shop/payments/settle.ts';
import { remindOfPhotos } from '#shop/photos/reminders.ts';
import { sweepFiles } from '#shop/photos/sweep.ts';
import { giveUpVideo, renderVideo } from '#shop/production/render.ts';
import { sweepRateCounters } from '../http/rate-limit.ts';
import type { Shop } from '../shop.ts';
import { sweepWork } from '../work-folder.ts';

/** Take jobs of every queue in this process, and let the cluster enqueue what the clock asks for. */
export async function startJobs(shop: Shop): Promise<void> {
  const { db, clock, config, log } = shop;
  const jobs = telling(shop);
  const mail = { ...shop, from: config.mailFrom, shop: shop.letterShop };

  await jobs.work(
    'send-mail',
    ({ mailId }, { isLastTry }) =>
      sendMail(mail, mailId).catch(async (error: unknown) => {
        if (isLastTry) await tellOfFailedMail(shop, mailId, error);
        throw error;
      }),
    { atOnce: 2 },
  );
  await jobs.work('mail-password-reset', ({ email }) => mailPasswordReset(shop, email));
  await jobs.work(
    'render-video',
    (video, attempt) => renderVideo({ ...shop, autoApprove: config.autoApprove }, video, attempt),
    {
      atOnce: Math.max(1, availableParallelism() - 1),
    },
  );
  await jobs.work('give-up-video', (video) => giveUpVideo(shop, video));
  await jobs.work('settle-payment', ({ intentId }) => settleHeardOf(shop, intentId));
  await jobs.work('refund-payment', ({ paymentId }) => refundPayment(shop, paymentId));
  await jobs.work('ask-refund', ({ refundId }) => askRefund(shop, refundId));
  await jobs.work('follow-refunds', ({ intentId }) => followRefunds(shop, intentId));
  await jobs.work('follow-disputes', ({ intentId }) => followDisputes(shop, intentId));
  await jobs.work('settle-open-payments', async () => {
    await settleOpenPayments(shop, (error) => log.error({ err: error }, 'an open payment could not be settled'));
    await sweepRefunds(shop);
  });
  await jobs.work('remind-photos', () => remindOfPhotos(shop));
  await jobs.work('sweep-files', async () => {
    await Promise.all([
      sweepSessions(db, clock),
      sweepSignInFailures(db, clock),
      sweepTokens(db),
      sweepMails(db, clock),
      sweepRateCounters(db),
      sweepWork(shop.workFolder),
    ]);
    const swept = await sweepFiles(shop);
    if (swept > 0) log.info({ swept }, 'stored files without a row removed');
  });
  await jobs.schedule('settle-open-payments', '*/3 * * * *');
  await jobs.schedule('remind-photos', '43 * * * *');
  await jobs.schedule('sweep-files', '17 * * * *');
}

/** A job that fails is tried again by the queue; the log says that it failed, and why. */
function telling({ database, log }: Shop): Pick<JobRunner, 'work' | 'schedule'> {
  return {
    schedule: (name, cron) => database.jobs.schedule(name, cron),
    work: (name, handler, options) =>
      database.jobs.work(
        name,
        (data, attempt) =>
          handler(data, attempt).catch((error: unknown) => {
            log[attempt.isLastTry ? 'error' : 'warn'](
              { err: error, job: name, isLastTry: attempt.isLastTry },
              'a job failed',
            );
            throw error;
          }),
        options,
      ),
  };
}

/**
 * Told of by the provider. An intent that is not ours, from another program of the same account, is none of our business;
 * of one that does not match its cart the owner has been told, and asking again changes nothing.
 */
async function settleHeardOf(shop: Shop, intentId: string): Promise<void> {
  try {
    await settle(shop, intentId);
  } catch (error) {
    if (!(error instanceof Refusal && isFinal.has(error.code))) throw error;
    shop.log.warn({ intentId, code: error.code }, 'a webhook told of a payment that makes no order');
  }
}

const isFinal: ReadonlySet<string> = new Set(['payment-not-found', 'payment-mismatch']);

/** The embedded provider's own clockwork: delayed payments come through, webhooks are delivered. Answers how to stop it. */
export function startSandbox({ sandbox, log }: Shop): () => Promise<void> {
  if (!sandbox) return async () => {};
  let ticking: Promise<void> | undefined;
  const timer = setInterval(() => {
    ticking ??= sandbox
      .tick()
      .catch((error: unknown) => log.error({ err: error }, 'payment sandbox'))
      .finally(() => (ticking = undefined));
  }, 1000);
  return async () => {
    clearInterval(timer);
    await ticking;
  };
}
