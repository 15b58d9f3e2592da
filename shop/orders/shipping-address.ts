import type { ShippingAddress } from '#contract/orders.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import { queueMail } from '../mail/mail.ts';
import { recipientNameOf } from './gifts.ts';
import { changeOrder, lockOrder, recordOrderEvent, type Order } from './orders.ts';

const addressFields = ['line1', 'line2', 'city', 'state', 'postalCode', 'country'] as const;

/**
 * Changes the shipping address of an order that has not shipped yet. The history and the audit trail record that the
 * address changed, but not the new address, because they are stored longer than the buyer's data. If the address is the
 * same as before, this changes nothing and sends nothing.
 *
 * @returns the order, and whether its address changed
 */
export async function changeShippingAddress(
  { db, clock, jobs }: { db: Db; clock: Clock; jobs: Jobs },
  orderId: string,
  { address, tellCustomer }: { address: ShippingAddress; tellCustomer: boolean },
  by: AuditAuthor = {},
): Promise<{ order: Order; isChanged: boolean }> {
  return db.transaction(async (tx) => {
    const orderBefore = await lockOrder(tx, orderId);
    if (!orderBefore) throw new Refusal('not-found');
    const oldAddress = orderBefore.shippingAddress;
    if (!oldAddress) throw new Refusal('nothing-to-ship');
    if (orderBefore.canceledAt) throw new Refusal('order-canceled');
    if (orderBefore.shippedAt) throw new Refusal('already-shipped');
    const changedAddressFields = addressFields.filter((it) => (oldAddress[it] ?? '') !== (address[it] ?? ''));
    if (changedAddressFields.length === 0) return { order: orderBefore, isChanged: false };
    const order = await changeOrder(tx, clock, orderId, { shippingAddress: address });
    await recordOrderEvent(tx, clock, orderId, 'address', 'Shipping address changed.');
    await recordAuditEntry(tx, clock, {
      act: 'change-shipping-address',
      subjectId: orderId,
      after: { changed: changedAddressFields, tellCustomer },
      ...by,
    });
    if (tellCustomer && order.email)
      await queueMail(
        tx,
        { clock, jobs },
        {
          event: `address-changed:${orderId}:${newId()}`,
          to: order.email,
          orderId,
          content: {
            kind: 'address-changed',
            firstName: order.firstName,
            orderNumber: order.orderNumber,
            shippingAddress: { name: recipientNameOf(order), ...address },
            orderUrl: { link: 'order', subjectId: orderId },
          },
        },
      );
    return { order, isChanged: true };
  });
}
