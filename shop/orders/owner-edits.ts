import type { DeliveryTimes } from '#contract/catalog.ts';
import type { OrderStatus } from '#contract/orders.ts';
import { Refusal } from '#contract/refusals.ts';
import { trackingUrl } from '#contract/tracking.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import { queueMail } from '../mail/mail.ts';
import { refuseOverwriting } from '../notes.ts';
import { estimateArrival } from './delivery-estimate.ts';
import { recipientNameOf } from './gifts.ts';
import { changeOrder, lockOrder, recordOrderEvent, type Order } from './orders.ts';

interface EditScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  deliveryTimes: () => Promise<DeliveryTimes>;
}
type MailScope = Pick<EditScope, 'clock' | 'jobs'> & { deliveryTimes: DeliveryTimes };

/** Whether any part of an order is shipped in a parcel. */
export const isShippable = (order: Order) => order.shippingAddress !== null;

/**
 * Sets status and notes; any status is allowed. The customer is emailed the first time an order with a parcel becomes
 * shipped, unless `tellCustomer` is false.
 */
export async function editOrder(
  { db, clock, jobs, ...rest }: EditScope,
  orderId: string,
  change: {
    status?: OrderStatus | undefined;
    notes?: string | undefined;
    notesBefore?: string | undefined;
    tellCustomer?: boolean | undefined;
  },
  parcelWords: AuditAuthor = {},
): Promise<Order> {
  const deliveryTimes = await rest.deliveryTimes();
  return db.transaction(async (tx) => {
    const orderBefore = await lockExistingOrder(tx, orderId);
    const { status = orderBefore.status, notes = orderBefore.notes, notesBefore, tellCustomer = true } = change;
    refuseOverwriting(orderBefore.notes, notes, notesBefore);
    if (orderBefore.canceledAt !== null && status !== orderBefore.status) throw new Refusal('order-canceled');
    const isFirstShipment = status === 'shipped' && orderBefore.shippedAt === null && isShippable(orderBefore);
    const changedOrder = await changeOrder(tx, clock, orderId, {
      status,
      notes,
      ...(isFirstShipment && { shippedAt: clock.now() }),
    });
    if (isFirstShipment) await recordShipped(tx, { clock, jobs, deliveryTimes }, changedOrder, { tellCustomer });
    else if (status !== orderBefore.status)
      await recordOrderEvent(tx, clock, orderId, 'status', `Status set to ${status}.`);
    await recordAuditEntry(tx, clock, {
      act: 'edit-order',
      subjectId: orderId,
      before: { status: orderBefore.status, notes: orderBefore.notes },
      after: { status, notes, ...(isFirstShipment && !tellCustomer && { tellCustomer }) },
      ...parcelWords,
    });
    return changedOrder;
  });
}

interface Shipment {
  carrier?: string | undefined;
  trackingNumber?: string | undefined;
  tellCustomer?: boolean | undefined;
  tellAgain: boolean;
  /** A repeated request with the same key sends one email. */
  key?: string | undefined;
  /** Refuses an order that has shipped with another package. If it has shipped with this one, nothing changes. */
  isFirst?: boolean | undefined;
}

/**
 * Sets an order to shipped, or corrects the data of its parcel. The customer is emailed the first time, unless
 * `tellCustomer` is false. Later changes are emailed only if `tellAgain` is set.
 */
export async function shipOrder(
  { db, clock, jobs, ...rest }: EditScope,
  orderId: string,
  shipment: Shipment,
  parcelWords: AuditAuthor = {},
): Promise<Order> {
  const deliveryTimes = await rest.deliveryTimes();
  return db.transaction(async (tx) => {
    const orderBefore = await lockExistingOrder(tx, orderId);
    if (!isShippable(orderBefore)) throw new Refusal('nothing-to-ship');
    if (orderBefore.canceledAt !== null) throw new Refusal('order-canceled');
    const trackingFields = {
      trackingCarrier: shipment.carrier || null,
      trackingNumber: shipment.trackingNumber || null,
    };
    if (shipment.isFirst && orderBefore.shippedAt !== null) {
      if (isOtherParcel(orderBefore, trackingFields)) throw new Refusal('package-sent');
      return orderBefore;
    }
    const changedOrder = await changeOrder(tx, clock, orderId, {
      status: 'shipped',
      shippedAt: orderBefore.shippedAt ?? clock.now(),
      ...trackingFields,
      // A corrected tracking number belongs to another package, which the carrier has not delivered yet.
      ...(orderBefore.shippedAt !== null &&
        orderBefore.trackingNumber !== trackingFields.trackingNumber && { deliveredAt: null }),
    });
    const scope = { clock, jobs, deliveryTimes };
    const { tellCustomer = true } = shipment;
    const isFirst = orderBefore.shippedAt === null;
    if (isFirst) await recordShipped(tx, scope, changedOrder, { tellCustomer });
    else if (shipment.tellAgain) await mailShipped(tx, scope, changedOrder, `:${shipment.key ?? newId()}`);
    if (!isFirst && isOtherParcel(orderBefore, changedOrder))
      await recordOrderEvent(tx, clock, orderId, 'shipped', `Package corrected: ${parcelText(changedOrder)}.`);
    await recordAuditEntry(tx, clock, {
      act: 'ship-order',
      subjectId: orderId,
      before: pickShipmentFields(orderBefore),
      after: {
        ...pickShipmentFields(changedOrder),
        tellAgain: shipment.tellAgain,
        ...(isFirst && !tellCustomer && { tellCustomer }),
      },
      ...parcelWords,
    });
    return changedOrder;
  });
}

async function lockExistingOrder(tx: Db, orderId: string): Promise<Order> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw new Refusal('not-found');
  return order;
}

const pickShipmentFields = ({ status, trackingCarrier, trackingNumber }: Order) => ({
  status,
  trackingCarrier,
  trackingNumber,
});
type TrackingFields = Pick<Order, 'trackingCarrier' | 'trackingNumber'>;
const isOtherParcel = (a: TrackingFields, b: TrackingFields) =>
  a.trackingCarrier !== b.trackingCarrier || a.trackingNumber !== b.trackingNumber;
const parcelText = ({ trackingCarrier, trackingNumber }: Order) =>
  [trackingCarrier, trackingNumber].filter(Boolean).join(', ') || 'no tracking';

async function recordShipped(
  tx: Db,
  scope: MailScope,
  order: Order,
  { tellCustomer }: { tellCustomer: boolean },
): Promise<void> {
  const parcelSuffix = order.trackingCarrier || order.trackingNumber ? ` with ${parcelText(order)}` : '';
  await recordOrderEvent(tx, scope.clock, order.id, 'shipped', `Shipped${parcelSuffix}.`);
  if (tellCustomer) await mailShipped(tx, scope, order);
}

async function mailShipped(tx: Db, scope: MailScope, order: Order, again = ''): Promise<void> {
  const { trackingCarrier: carrier, trackingNumber: number, shippingAddress: address } = order;
  await queueMail(tx, scope, {
    event: `shipped:${order.id}${again}`,
    to: order.email,
    orderId: order.id,
    content: {
      kind: 'shipped',
      firstName: order.firstName,
      orderNumber: order.orderNumber,
      frameCount: order.quantity,
      shippingAddress: address ? { name: recipientNameOf(order), ...address } : undefined,
      gift: order.gift ?? undefined,
      tracking: carrier && number ? { carrier, number, url: trackingUrl(carrier, number) } : undefined,
      estimatedDelivery: order.shippedAt ? estimateArrival(scope.deliveryTimes, order.shippedAt) : undefined,
      orderUrl: { link: 'order', subjectId: order.id },
    },
  });
}
