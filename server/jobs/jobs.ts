import { availableParallelism } from 'node:os';
import { mailPasswordReset } from '#shop/accounts/accounts.ts';
import { sweepSessions } from '#shop/accounts/sessions.ts';
import { sweepTokens } from '#shop/accounts/tokens.ts';
import { sendMail } from '#shop/mail/mail.ts';
import { refundPayment, settle, settleOpenPayments } from '#shop/payments/settle.ts';
import { sweepFiles } from '#shop/photos/sweep.ts';
import { renderVideo } from '#shop/production/render.ts';
import { sweepRateCounters } from '../http/rate-limit.ts';
import type { Shop } from '../shop.ts';

/** Take jobs of every queue in this process, and let the cluster enqueue what the clock asks for. */
export async function startJobs(shop: Shop): Promise<void> {
  const { db, clock, config, log } = shop;
  const { jobs } = shop.database;
  const mail = { ...shop, from: config.mailFrom, shop: shop.letterShop };

  await jobs.work('send-mail', ({ mailId }) => sendMail(mail, mailId), { atOnce: 2 });
  await jobs.work('mail-password-reset', ({ email }) => mailPasswordReset(shop, email));
  await jobs.work(
    'render-video',
    (video, attempt) => renderVideo({ ...shop, autoApprove: config.autoApprove }, video, attempt),
    {
      atOnce: Math.max(1, availableParallelism() - 1),
    },
  );
  await jobs.work('settle-payment', async ({ intentId }) => void (await settle(shop, intentId)));
  await jobs.work('refund-payment', ({ paymentId }) => refundPayment(shop, paymentId));
  await jobs.work('settle-open-payments', () =>
    settleOpenPayments(shop, (error) => log.error({ err: error }, 'an open payment could not be settled')),
  );
  await jobs.work('sweep-files', async () => {
    await Promise.all([sweepSessions(db, clock), sweepTokens(db), sweepRateCounters(db)]);
    const swept = await sweepFiles(shop);
    if (swept > 0) log.info({ swept }, 'stored files without a row removed');
  });
  await jobs.schedule('settle-open-payments', '*/3 * * * *');
  await jobs.schedule('sweep-files', '17 * * * *');
}

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
