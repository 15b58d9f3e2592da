import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';

/** An email about an order, as the owner sees it. */
export const AdminMail = z
  .object({
    id: z.string(),
    /** The kind of email as a text: Receipt, Videos ready. */
    name: z.string(),
    to: z.string(),
    queuedAt: z.iso.datetime(),
    sentAt: z.iso.datetime().nullable(),
    /**
     * waiting: will be sent soon; failing: the mail server refused it, and the shop retries; failed: the shop has given
     * up.
     */
    state: z.enum(['sent', 'waiting', 'failing', 'failed']),
    /** The mail server's last error, without addresses. */
    problem: z.string().nullable(),
    nextTryAt: z.iso.datetime().nullable(),
    /** The reason why the email cannot be sent again. Null if it can be sent again. */
    notAgain: z.string().nullable(),
  })
  .meta({ id: 'AdminMail' });
export type AdminMail = z.infer<typeof AdminMail>;

export const ownerMails = {
  'GET /api/admin/mails': {
    summary: 'List the emails of an order, newest first',
    who: 'admin',
    area: 'orders',
    query: z.object({ orderId: z.string().max(64) }),
    response: z.array(AdminMail),
  },
  'POST /api/admin/mails/:id/resend': {
    summary: 'Send an email of an order again with new links, unless it is already being sent',
    who: 'admin',
    area: 'support',
    params: z.object({ id: z.string().max(64) }),
    response: AdminMail,
    refusals: ['not-found', 'mail-not-resendable'],
    rate: 'resend-mail',
  },
} satisfies Operations;
