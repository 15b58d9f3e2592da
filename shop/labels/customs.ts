import { desc, isNotNull } from 'drizzle-orm';
import { formatDollars } from '#contract/catalog.ts';
import { areFramesTooHeavy, type CustomsLimits, type LabelCustomsBody } from '#contract/label-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import type { LabelCustoms, LabelParcel } from '../ports/label-service.ts';
import type { Order } from '../orders/orders.ts';
import { labels } from './labels.sql.ts';

type PricedOrder = Pick<Order, 'quantity' | 'lines' | 'subtotalCents' | 'discountCents'>;

/** Whether the package of an order crosses a border. */
export const needsCustoms = ({ shippingAddress }: Pick<Order, 'shippingAddress'>): boolean =>
  shippingAddress?.country === 'CA';

/**
 * The frames of an order, and what the customer paid for each, without tax. The discount is shared by all lines, and the
 * result is rounded down: a customs form must not declare more than was paid. It must not declare nothing either.
 */
export function customsLimitsOf({ quantity, lines, subtotalCents, discountCents }: PricedOrder): CustomsLimits {
  const framesCents = lines[0]!.amountCents; // the first line is the frames, the other one extra packages
  const paidCents = (framesCents * (subtotalCents - discountCents)) / subtotalCents;
  return { quantity, paidCents: Math.max(1, Math.floor(paidCents / quantity)) };
}

/** The customs form that the owner certified, for this order's package. Refuses a form that cannot be true. */
export function createCustomsForm(
  order: PricedOrder,
  parcel: LabelParcel,
  form: LabelCustomsBody | undefined,
): LabelCustoms {
  if (!form) throw new Refusal('label-customs-missing');
  const { quantity, paidCents } = customsLimitsOf(order);
  const { description, valueCents, weight, hsTariffNumber, originCountry, signer } = form;
  if (valueCents > paidCents) throw new Refusal('label-customs-value', { paid: formatDollars(paidCents) });
  if (areFramesTooHeavy(parcel.weight, weight, quantity)) throw new Refusal('label-customs-weight');
  return { description, quantity, valueCents, weight, hsTariffNumber, originCountry, signer };
}

/** The customs form of the last package to Canada; undefined if there is none. */
export async function readLastCustoms(db: Db): Promise<LabelCustoms | undefined> {
  const [last] = await db
    .select({ customs: labels.customs })
    .from(labels)
    .where(isNotNull(labels.customs))
    .orderBy(desc(labels.createdAt))
    .limit(1);
  return last?.customs ?? undefined;
}
