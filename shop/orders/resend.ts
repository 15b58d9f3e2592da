import { isToOwner, emailNames } from '#contract/email-names.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { resendMail, type FollowedMail } from '../mail/resend.ts';
import { lockOrderForShare, recordOrderEvent } from './orders.ts';

/** Sends an order's email again. If it goes to the customer, the order's history records it. */
export const resendOrderMail = (
  { db, clock, jobs }: { db: Db; clock: Clock; jobs: Jobs },
  mailId: string,
): Promise<FollowedMail & { isNew: boolean }> =>
  db.transaction(async (tx) => {
    const readCustomersAddress = async (id: string) => (await lockOrderForShare(tx, id))?.email ?? '';
    const resentMail = await resendMail(tx, { clock, jobs }, mailId, readCustomersAddress);
    const { orderId, content } = resentMail.mail;
    if (resentMail.isNew && orderId !== null && content && !isToOwner(content.kind))
      await recordOrderEvent(tx, clock, orderId, 'mail', `Sent again: ${emailNames[content.kind].toLowerCase()}.`);
    return resentMail;
  });
