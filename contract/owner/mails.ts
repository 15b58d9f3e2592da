import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';

/** A mail of an order, as the owner sees it. */
export const AdminMail = z
  .object({
    id: z.string(),
    /** In words: Receipt, Videos ready. */
    name: z.string(),
    to: z.string(),
    queuedAt: z.iso.datetime(),
    sentAt: z.iso.datetime().nullable(),
    /** waiting: about to leave; failing: refused so far and tried again; failed: given up. */
    state: z.enum(['sent', 'waiting', 'failing', 'failed']),
    /** What the mail server said last, without addresses. */
    problem: z.string().nullable(),
    nextTryAt: z.iso.datetime().nullable(),
    /** Why it cannot be sent again, in words; null when it can. */
    notAgain: z.string().nullable(),
  })
  .meta({ id: 'AdminMail' });
export type AdminMail = z.infer<typeof AdminMail>;

export const ownerMails = {
  'GET /api/admin/mails': {
    summary: 'The mails of an order, newest first',
    who: 'admin',
    query: z.object({ orderId: z.string().max(64) }),
    response: z.array(AdminMail),
  },
  'POST /api/admin/mails/:id/resend': {
    summary: 'Send a mail of an order again, with fresh links; one that is on its way already is not sent twice',
    who: 'admin',
    params: z.object({ id: z.string().max(64) }),
    response: AdminMail,
    refusals: ['not-found', 'mail-not-resendable'],
    rate: 'resend-mail',
  },
} satisfies Operations;
