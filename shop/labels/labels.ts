import { createHash } from 'node:crypto';
import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { formatDollars } from '#contract/catalog.ts';
import type { LabelCustomsBody, LabelState } from '#contract/label-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import {
  LabelServiceError,
  type LabelAddress,
  type LabelParcel,
  type LabelRate,
  type LabelService,
  type LabelShipment,
} from '../ports/label-service.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import { recipientNameOf, recipientPhoneOf } from '../orders/gifts.ts';
import { changeOrder, lockOrder, findOrderById, recordOrderEvent, type Order } from '../orders/orders.ts';
import { createCustomsForm, needsCustoms } from './customs.ts';
import { labels, type Label } from './labels.sql.ts';

export type { Label } from './labels.sql.ts';

export interface LabelScope {
  db: Db;
  clock: Clock;
  /** Undefined: the settings name no label service. */
  labels: LabelService | undefined;
  /** Undefined: the settings have no complete address of the sender. */
  labelSender: LabelAddress | undefined;
}

/** The states of a label that has a price to pay. A label whose refund was requested does not count. */
const paidStates: LabelState[] = ['bought', 'void-refused'];
/** An order has at most one label in these states (a unique index). */
const currentStates: ReadonlySet<LabelState> = new Set(['buying', 'bought']);

type ReadyOrder = Order & { shippingAddress: NonNullable<Order['shippingAddress']> };

/** Why no label can be bought for an order; undefined if one can be. */
export function labelRefusalOf(order: Order, sender: LabelAddress | undefined, own: readonly Label[]) {
  if (order.shippingAddress === null || order.shippingAddress.line1 === '') return 'nothing-to-ship' as const;
  if (order.canceledAt !== null) return 'order-canceled' as const;
  if (own.some((it) => currentStates.has(it.state))) return 'label-exists' as const;
  if (order.shippingAddress.country !== 'US' && !needsCustoms(order)) return 'label-country' as const;
  return sender === undefined ? ('label-sender-missing' as const) : undefined;
}

function refuseUnready(
  order: Order,
  sender: LabelAddress | undefined,
  own: readonly Label[] = [],
): asserts order is ReadyOrder {
  const refusal = labelRefusalOf(order, sender, own);
  if (refusal) throw new Refusal(refusal);
}

/** The labels of an order, newest first. Prices that were not bought are left out. */
export const readLabelsOfOrder = (db: Db, orderId: string): Promise<Label[]> =>
  db
    .select()
    .from(labels)
    .where(and(eq(labels.orderId, orderId), sql`${labels.state} <> 'quoted'`))
    .orderBy(desc(labels.createdAt), desc(labels.id));

/** The package for which prices were read last; undefined if there is none. */
export async function readLastLabelParcel(db: Db): Promise<LabelParcel | undefined> {
  const [last] = await db.select({ parcel: labels.parcel }).from(labels).orderBy(desc(labels.createdAt)).limit(1);
  return last?.parcel;
}

export async function labelById(db: Db, id: string): Promise<Label | undefined> {
  const [found] = await db.select().from(labels).where(eq(labels.id, id));
  return found;
}

/**
 * The recipient's name and address as text, hashed. If it differs from the order's address, the label is out of date.
 */
export const addressHashOf = (order: Order): string =>
  createHash('sha256')
    .update(JSON.stringify([recipientNameOf(order), addressLinesOf(order.shippingAddress)]))
    .digest('hex');
const addressLinesOf = (it: Order['shippingAddress']) =>
  it && [it.line1, it.line2 ?? '', it.city, it.state, it.postalCode, it.country];

/** The recipient, with no email. A gift has only the recipient's phone number, never the giver's. */
const toRecipientAddress = (order: ReadyOrder): LabelAddress => {
  const { line1, line2, city, state, postalCode, country } = order.shippingAddress;
  return {
    name: recipientNameOf(order),
    street1: line1,
    street2: line2,
    city,
    state,
    zip: postalCode,
    country,
    phone: recipientPhoneOf(order) ?? undefined,
  };
};

/**
 * Reads the prices for an order's package. Nothing is bought: the returned label can be bought with one of its rates. For
 * a package to Canada, the service also gets the customs form that the owner certified.
 */
export async function quoteLabel(
  { db, clock, ...scope }: LabelScope,
  orderId: string,
  { customs: form, ...parcel }: LabelParcel & { customs?: LabelCustomsBody | undefined },
  by: AuditAuthor = {},
): Promise<{ label: Label; warnings: string[] }> {
  const service = requireLabelService(scope);
  const order = await findOrderById(db, orderId);
  if (!order) throw new Refusal('not-found');
  refuseUnready(order, scope.labelSender, await readLabelsOfOrder(db, orderId));
  const customs = needsCustoms(order) ? createCustomsForm(order, parcel, form) : undefined;
  const quote = await service
    .quote(scope.labelSender!, toRecipientAddress(order), parcel, customs)
    .catch(rethrowRefusal);
  if (quote.rates.length === 0) throw new Refusal('label-no-rates', { reason: quote.warnings.join('; ') });
  const label = await db.transaction(async (tx) => {
    const now = clock.now();
    const [row] = await tx
      .insert(labels)
      .values({
        id: newId(),
        orderId,
        state: 'quoted',
        shipmentId: quote.shipmentId,
        addressHash: addressHashOf(order),
        parcel,
        customs: customs ?? null,
        rates: quote.rates,
        createdAt: now,
        updatedAt: now,
      })
      .returning();
    await recordAuditEntry(tx, clock, { act: 'quote-label', subjectId: orderId, after: { parcel, customs }, ...by });
    return row!;
  });
  return { label, warnings: quote.warnings };
}

/**
 * Buys a label at one of its rates. The row gets the state `buying` before the service is asked, and the service sells
 * one label for a shipment, so that a repeated call, a second tab or a lost response never buys two. A call that finds
 * the purchase begun returns the label as it is.
 */
export async function buyLabel(
  scope: LabelScope,
  id: string,
  { rateId }: { rateId: string },
  by: AuditAuthor = {},
): Promise<Label> {
  const service = requireLabelService(scope);
  const { label, isBegun } = await beginPurchase(scope, id, rateId, by);
  return isBegun ? finishPurchase(scope, service, label) : label;
}

async function beginPurchase(
  { db, clock, labelSender }: LabelScope,
  id: string,
  rateId: string,
  by: AuditAuthor,
): Promise<{ label: Label; isBegun: boolean }> {
  return changeLockedLabel(db, id, async (tx, before, order) => {
    if (before.state !== 'quoted') {
      if (before.rateId === rateId && before.state !== 'failed') return { label: before, isBegun: false };
      throw new Refusal(before.state === 'failed' ? 'label-outdated' : 'label-exists');
    }
    refuseUnready(order, labelSender, await readLabelsOfOrder(tx, order.id));
    const rate = before.rates.find((it) => it.id === rateId);
    if (!rate || before.addressHash !== addressHashOf(order)) throw new Refusal('label-outdated');
    const label = await changeLabel(tx, clock, before, {
      state: 'buying',
      rateId,
      carrier: rate.carrier,
      service: rate.service,
      priceCents: rate.amountCents,
      buyingAt: clock.now(),
    });
    await recordAuditEntry(tx, clock, {
      act: 'buy-label',
      subjectId: id,
      after: { orderId: order.id, ...pickRateFacts(rate) },
      ...by,
    });
    return { label, isBegun: true };
  });
}

async function finishPurchase(scope: LabelScope, service: LabelService, label: Label): Promise<Label> {
  try {
    const shipment = await service.buy(label.shipmentId, label.rateId!);
    if (shipment.label) return await recordPurchase(scope, label.id, shipment);
  } catch (error) {
    if (!(error instanceof LabelServiceError)) throw error;
    if (error.failure !== 'unsure') {
      await recordFailure(scope, label.id, error.message);
      return rethrowRefusal(error);
    }
  }
  // The label may have been bought. If the service cannot say so now, the job asks again.
  const foundShipment = await service.find(label.shipmentId).catch(() => undefined);
  if (!foundShipment?.label) throw new Refusal('label-unsure');
  return recordPurchase(scope, label.id, foundShipment);
}

/** Records that a label was bought, and its price in the order's margin. Does nothing if that is already known. */
export const recordPurchase = ({ db, clock }: LabelScope, id: string, shipment: LabelShipment): Promise<Label> =>
  changeLockedLabel(db, id, async (tx, before, order) => {
    const boughtLabel = shipment.label;
    if (before.state !== 'buying' || !boughtLabel) return before;
    const labelAfter = await changeLabel(tx, clock, before, {
      state: 'bought',
      carrier: boughtLabel.carrier,
      service: boughtLabel.service,
      priceCents: boughtLabel.amountCents,
      trackingNumber: boughtLabel.trackingNumber,
      trackerId: boughtLabel.trackerId ?? null,
      boughtAt: clock.now(),
    });
    await updateLabelCents(tx, clock, order.id);
    await recordOrderEvent(tx, clock, order.id, 'label', `Label bought: ${labelText(labelAfter)}.`);
    return labelAfter;
  });

/** Records that a purchase came to nothing. Does nothing if the label was bought in the meantime. */
export const recordFailure = ({ db, clock }: LabelScope, id: string, problem: string): Promise<Label> =>
  changeLockedLabel(db, id, async (tx, before) =>
    before.state === 'buying' ? changeLabel(tx, clock, before, { state: 'failed', problem }) : before,
  );

/**
 * Voids a label: its price no longer counts, and the service is asked for the refund. The carrier may decide days
 * later. If the service does not respond, the job asks again.
 */
export async function voidLabel(scope: LabelScope, id: string, by: AuditAuthor = {}): Promise<Label> {
  const { db, clock } = scope;
  const service = requireLabelService(scope);
  const { label, isBegun } = await changeLockedLabel(db, id, async (tx, before, order) => {
    if (before.state === 'voiding' || before.state === 'voided') return { label: before, isBegun: false };
    if (!paidStates.includes(before.state)) throw new Refusal('label-changed');
    const voidingFields = { state: 'voiding', voidingAt: clock.now(), problem: null, checkedAt: null } as const;
    const label = await changeLabel(tx, clock, before, voidingFields);
    await updateLabelCents(tx, clock, order.id);
    await recordOrderEvent(tx, clock, order.id, 'label', `Refund of the label requested: ${labelText(label)}.`);
    await recordAuditEntry(tx, clock, {
      act: 'void-label',
      subjectId: id,
      before: { state: before.state },
      after: { orderId: order.id, trackingNumber: label.trackingNumber },
      ...by,
    });
    return { label, isBegun: true };
  });
  if (!isBegun) return label;
  const labelAfter = await requestLabelRefund(scope, service, label);
  if (labelAfter.state === 'void-refused')
    throw new Refusal('label-void-refused', { reason: labelAfter.problem ?? '' });
  return labelAfter;
}

/** Requests the refund of a label from the service. A repeated request is harmless. */
export async function requestLabelRefund(scope: LabelScope, service: LabelService, label: Label): Promise<Label> {
  try {
    return await recordRefund(scope, label.id, await service.refund(label.shipmentId));
  } catch (error) {
    if (!(error instanceof LabelServiceError)) throw error;
    if (error.failure === 'unsure' || error.failure === 'busy') return label;
    // An earlier request whose response was lost may be the reason of the refusal.
    const foundShipment = await service.find(label.shipmentId).catch(() => undefined);
    if (foundShipment && foundShipment.refund !== 'none') return recordRefund(scope, label.id, foundShipment);
    return recordRefund(scope, label.id, { refund: 'refused' }, error.message);
  }
}

/** Records what became of the refund of a label. A refused refund makes the price count again. */
export const recordRefund = (
  { db, clock }: LabelScope,
  id: string,
  { refund }: Pick<LabelShipment, 'refund'>,
  problem = 'The carrier did not accept the refund',
): Promise<Label> =>
  changeLockedLabel(db, id, async (tx, before, order) => {
    if (before.state !== 'voiding') return before;
    if (refund === 'refunded') {
      // The PDFs of a voided label must not be printed again. The sweep of unreferenced files deletes them.
      const erasedPdfFields = { pdfKey: null, customsPdfKey: null, erasedAt: clock.now() };
      const labelAfter = await changeLabel(tx, clock, before, { state: 'voided', ...erasedPdfFields });
      await recordOrderEvent(tx, clock, order.id, 'label', `Label refunded: ${labelText(labelAfter)}.`);
      return labelAfter;
    }
    if (refund !== 'refused') return changeLabel(tx, clock, before, { checkedAt: clock.now() });
    const labelAfter = await changeLabel(tx, clock, before, { state: 'void-refused', problem });
    await updateLabelCents(tx, clock, order.id);
    await recordOrderEvent(tx, clock, order.id, 'label', `Label not refunded: ${labelText(labelAfter)}. ${problem}.`);
    return labelAfter;
  });

/**
 * Records that the carrier has delivered the package of a label. Calls may be repeated and out of order, so the first
 * one counts. The order's status does not change: `shipped` is its last one. Returns false if no label has this
 * tracker.
 */
export async function recordDelivery(
  { db, clock }: Pick<LabelScope, 'db' | 'clock'>,
  { trackerId, deliveredAt }: { trackerId: string; deliveredAt: Date },
): Promise<boolean> {
  const [found] = await db.select({ id: labels.id }).from(labels).where(eq(labels.trackerId, trackerId));
  if (!found) return false;
  await changeLockedLabel(db, found.id, async (tx, before, order) => {
    if (before.deliveredAt !== null || before.state === 'voided') return;
    const now = clock.now();
    // The carrier's clock may be ahead of the shop's.
    const deliveryTime = deliveredAt > now ? now : deliveredAt;
    await changeLabel(tx, clock, before, { deliveredAt: deliveryTime });
    const isOtherPackage =
      order.trackingNumber !== null &&
      normalizeTrackingNumber(order.trackingNumber) !== normalizeTrackingNumber(before.trackingNumber);
    if (isOtherPackage || order.deliveredAt !== null) return;
    await changeOrder(tx, clock, order.id, { deliveredAt: deliveryTime });
    await recordOrderEvent(tx, clock, order.id, 'delivered', 'Your package was delivered.');
  });
  return true;
}
const normalizeTrackingNumber = (trackingNumber: string | null) =>
  (trackingNumber ?? '').replace(/[\s-]/g, '').toUpperCase();

/** Locks the order of a label, then the label, and changes them in one transaction. */
export async function changeLockedLabel<T>(
  db: Db,
  id: string,
  change: (tx: Db, label: Label, order: Order) => Promise<T>,
): Promise<T> {
  const foundLabel = await labelById(db, id);
  if (!foundLabel) throw new Refusal('not-found');
  return db.transaction(async (tx) => {
    const order = (await lockOrder(tx, foundLabel.orderId))!;
    const [label] = await tx.select().from(labels).where(eq(labels.id, id)).for('update');
    if (!label) throw new Refusal('not-found');
    return change(tx, label, order);
  });
}

async function changeLabel(tx: Db, clock: Clock, { id }: Label, change: Partial<Label>): Promise<Label> {
  const [after] = await tx
    .update(labels)
    .set({ ...change, updatedAt: clock.now() })
    .where(eq(labels.id, id))
    .returning();
  return after!;
}

/** Writes the sum of the paid labels into the order, from which the margin is calculated. */
async function updateLabelCents(tx: Db, clock: Clock, orderId: string): Promise<void> {
  const [paid] = await tx
    .select({ cents: sql<number | null>`sum(${labels.priceCents})::int` })
    .from(labels)
    .where(and(eq(labels.orderId, orderId), inArray(labels.state, paidStates)));
  await changeOrder(tx, clock, orderId, { labelCents: paid?.cents ?? null });
}

const pickRateFacts = ({ carrier, service, amountCents }: LabelRate) => ({ carrier, service, amountCents });
const labelText = ({ carrier, service, priceCents }: Label) =>
  `${carrier} ${service}, ${formatDollars(priceCents ?? 0)}`;

function requireLabelService({ labels: service }: Pick<LabelScope, 'labels'>): LabelService {
  if (!service) throw new Refusal('not-found');
  return service;
}

/** Turns an error of the service before a purchase into a refusal. */
function rethrowRefusal(error: unknown): never {
  if (!(error instanceof LabelServiceError)) throw error;
  const reason = error.message;
  switch (error.failure) {
    case 'no-money':
      throw new Refusal('label-no-money', { reason });
    case 'refused':
      throw new Refusal('label-refused', { reason });
    default:
      throw new Refusal('label-service-busy');
  }
}
