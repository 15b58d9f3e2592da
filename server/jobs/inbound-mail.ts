import { receiveMail } from '#shop/correspondence/inbound-mail.ts';
import { createMailboxFromConfig } from '../adapters.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

/** Reads the mailbox every minute, in one process at a time. Without a mailbox in the settings, the job does nothing. */
export async function registerInboundMailJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  const { inboundMail } = shop.config;
  if (inboundMail?.imapUrl === undefined) return;
  const mailbox = (await createMailboxFromConfig(shop.config))!;
  const scope = { ...shop, inboundAddress: inboundMail.address };
  await jobs.startWorkers('read-mailbox', (_, { signal }) =>
    mailbox.readUnread(
      {
        workFolder: shop.workFolder,
        signal,
        onError: (error) => shop.log.warn({ err: error }, 'an email could not be read; it stays unread'),
      },
      async (mail) => {
        const outcome = await receiveMail(scope, mail);
        shop.log.info({ outcome }, 'email read');
        if (outcome === 'joined' || outcome === 'new-ticket') shop.live.publish('tickets');
        return outcome;
      },
    ),
  );
  await jobs.schedule('read-mailbox', '* * * * *');
}
