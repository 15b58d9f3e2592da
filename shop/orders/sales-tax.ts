import { gte, sql } from 'drizzle-orm';
import { findRegionName } from '#contract/addresses.ts';
import type { Db } from '../ports/database.ts';
import { orders, type Order } from './orders.sql.ts';

/** The sales and the sales tax of one state or province in one month, for a tax return. Amounts in integer cents. */
export interface SalesTaxOfPlace {
  /** The month of payment in the shop's calendar: 2026-12. */
  month: string;
  /** The name of the state or province, or of a country without any. Null if the shop does not know it. */
  place: string | null;
  orders: number;
  /** After discounts, before tax and refunds. */
  salesCents: number;
  taxCents: number;
  /** The part of `salesCents` that was refunded, also if that was in a later month. */
  refundedSalesCents: number;
  refundedTaxCents: number;
}

/**
 * The sales tax of all orders that were paid since a moment: latest month first, then by place. An order belongs to the
 * place whose tax it paid. If no tax was calculated, it belongs to the place that it ships to.
 */
export async function readSalesTaxSince(db: Db, since: Date): Promise<SalesTaxOfPlace[]> {
  const { createdAt, shippingAddress, taxJurisdiction, taxCents, totalCents, refundedCents } = orders;
  const sumOf = (cents: ReturnType<typeof sql>) => sql<number>`sum(${cents})`.mapWith(Number);
  const refundedTax = sql`${taxCents} - kept_tax_cents(${taxCents}, ${totalCents}, ${refundedCents})`;
  const foundRows = await db
    .select({
      month: sql<string>`to_char(shop_day(${createdAt}), 'YYYY-MM')`,
      jurisdiction: taxJurisdiction,
      country: sql<string | null>`${shippingAddress} ->> 'country'`,
      state: sql<string | null>`${shippingAddress} ->> 'state'`,
      orders: sql<number>`count(*)`.mapWith(Number),
      salesCents: sumOf(sql`${totalCents} - ${taxCents}`),
      taxCents: sumOf(sql`${taxCents}`),
      refundedSalesCents: sumOf(sql`${refundedCents} - (${refundedTax})`),
      refundedTaxCents: sumOf(refundedTax),
    })
    .from(orders)
    .where(gte(createdAt, since))
    .groupBy(sql`1, 2, 3, 4`);
  const rowsByMonthAndPlace = new Map<string, SalesTaxOfPlace>();
  for (const { jurisdiction, country, state, ...sums } of foundRows) {
    const taxPlace = findTaxPlace(jurisdiction, country, state);
    const key = `${sums.month} ${taxPlace}`;
    const amountsBefore = rowsByMonthAndPlace.get(key);
    rowsByMonthAndPlace.set(key, amountsBefore ? addAmounts(amountsBefore, sums) : { ...sums, place: taxPlace });
  }
  return [...rowsByMonthAndPlace.values()].toSorted(
    (one, other) =>
      other.month.localeCompare(one.month) || (one.place ?? '\uffff').localeCompare(other.place ?? '\uffff'),
  );
}

const findTaxPlace = (
  jurisdiction: string | null,
  country: string | null | undefined,
  state: string | null | undefined,
) => jurisdiction ?? (country && state ? findRegionName(country, state) : null);
/** The state or province that an order belongs to for its sales tax. Null if the shop does not know it. */
export const salesTaxPlaceOf = ({ taxJurisdiction, shippingAddress }: Order): string | null =>
  findTaxPlace(taxJurisdiction, shippingAddress?.country, shippingAddress?.state);

const addAmounts = (row: SalesTaxOfPlace, more: Omit<SalesTaxOfPlace, 'place'>): SalesTaxOfPlace => ({
  ...row,
  orders: row.orders + more.orders,
  salesCents: row.salesCents + more.salesCents,
  taxCents: row.taxCents + more.taxCents,
  refundedSalesCents: row.refundedSalesCents + more.refundedSalesCents,
  refundedTaxCents: row.refundedTaxCents + more.refundedTaxCents,
});
