import { mailPasswordReset } from '#shop/accounts/accounts.ts';
import { mailSignInLink } from '#shop/accounts/mailed-links.ts';
import { createReplyAddress } from '#shop/correspondence/reply-address.ts';
import { sendMail } from '#shop/mail/mail.ts';
import { notifyOfFailedMail } from '#shop/mail/resend.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

export async function registerMailJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  const { inboundMail } = shop.config;
  const replyAddressOf = inboundMail && ((ticketId: string) => createReplyAddress(shop, inboundMail.address, ticketId));
  const mailScope = { ...shop, from: shop.config.mailFrom, shop: shop.readEmailShop, replyAddressOf };
  await jobs.startWorkers(
    'send-mail',
    ({ mailId }, { isLastTry }) =>
      sendMail(mailScope, mailId).catch(async (error: unknown) => {
        if (isLastTry) await notifyOfFailedMail(shop, mailId, error);
        throw error;
      }),
    { concurrency: 2, together: 10 },
  );
  await jobs.startWorkers('mail-sign-in-link', ({ email }) => mailSignInLink(shop, email));
  await jobs.startWorkers('mail-password-reset', ({ email }) => mailPasswordReset(shop, email));
}
