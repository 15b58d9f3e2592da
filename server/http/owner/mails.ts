import type { AdminMail } from '#contract/owner/mails.ts';
import { emailNames } from '#contract/email-names.ts';
import { refusals } from '#contract/refusals.ts';
import { doWithAuditEntry } from '#shop/audit/audit.ts';
import { isResendable, readMailsOfOrder, type FollowedMail } from '#shop/mail/resend.ts';
import { resendOrderMail } from '#shop/orders/resend.ts';
import type { Db } from '#shop/ports/database.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';

/** The owner's calls for the mails of an order. */
export function registerOwnerMailRoutes({ app, shop }: HttpScope): void {
  const { clock } = shop;

  mountOperation(app, 'GET /api/admin/mails', async ({ query }) =>
    (await readMailsOfOrder(shop, query.orderId)).map((it) => mailView(it, clock.now())),
  );

  mountOperation(app, 'POST /api/admin/mails/:id/resend', async ({ params, request }) => {
    const resendMailIn = (tx: Db) => resendOrderMail({ ...shop, db: tx }, params.id);
    const resentMail = await doWithAuditEntry(shop, resendMailIn, ({ isNew, mail: { orderId, event } }) =>
      isNew ? { act: 'resend-mail', subjectId: orderId!, after: { event }, ...getAuditAuthor(request) } : undefined,
    );
    return mailView(resentMail, clock.now());
  });
}

const mailView = ({ mail, state, problem, nextTryAt }: FollowedMail, now: Date): AdminMail => ({
  id: mail.id,
  name: mail.content ? emailNames[mail.content.kind] : 'An old email',
  to: mail.to,
  queuedAt: mail.queuedAt.toISOString(),
  sentAt: mail.sentAt?.toISOString() ?? null,
  state,
  problem: problem ?? null,
  nextTryAt: nextTryAt?.toISOString() ?? null,
  notAgain: isResendable(mail, now) ? null : refusals['mail-not-resendable'].words,
});
