import type { output } from 'zod/mini';
import { Refusal } from '#contract/refusals.ts';
import type { MessageBody } from '#contract/support-forms.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { lockOrder, recordOrderEvent } from '../orders/orders.ts';
import { openTicketByOwner } from '../support/tickets.ts';
import { findPersonById } from './people.ts';

interface Scope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  link: (path: string) => string;
}
type Message = output<typeof MessageBody>;
/** Mails the customer of an order. The order's history names the ticket. Returns the ticket's id. */
export const writeAboutOrder = (scope: Scope, orderId: string, message: Message, by: AuditAuthor): Promise<string> =>
  scope.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw new Refusal('not-found');
    const { id, ticketNumber, isNew } = await openTicketByOwner(tx, scope, {
      ...message,
      subjectId: orderId,
      name: `${order.firstName} ${order.lastName}`.trim(),
      email: order.email,
      order,
    });
    if (isNew) {
      await recordOrderEvent(tx, scope.clock, orderId, 'mail', `Email to the customer: ticket ${ticketNumber}.`);
      await recordMessage(tx, scope, orderId, id, by);
    }
    return id;
  });

/** Mails a customer. Returns the ticket's id. */
export const writeToCustomer = (scope: Scope, personId: string, message: Message, by: AuditAuthor): Promise<string> =>
  scope.db.transaction(async (tx) => {
    const person = await findPersonById(tx, personId);
    if (!person) throw new Refusal('not-found');
    const { id, isNew } = await openTicketByOwner(tx, scope, {
      ...message,
      subjectId: personId,
      name: `${person.firstName} ${person.lastName}`.trim(),
      email: person.email,
    });
    if (isNew) await recordMessage(tx, scope, personId, id, by);
    return id;
  });

/** The audit trail must not contain the text, because it is deleted with the ticket. */
const recordMessage = (tx: Db, { clock }: Scope, subjectId: string, ticketId: string, by: AuditAuthor) =>
  recordAuditEntry(tx, clock, { act: 'write-to-customer', subjectId, after: { ticket: ticketId }, ...by });
