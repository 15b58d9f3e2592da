import { and, count, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { dayWords, endOfDay } from '#contract/calendar.ts';
import type { Gift } from '#contract/gift-forms.ts';
import { isShipDay, shipDays, signatureOf } from '#contract/gifts.ts';
import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { orders } from './orders.sql.ts';

interface Named {
  gift?: Gift | null | undefined;
  firstName: string;
  lastName: string;
}
/** Whose name stands on a parcel. */
export const addressee = ({ gift, firstName, lastName }: Named) => gift?.recipientName ?? `${firstName} ${lastName}`;

/** Whom a present is from, as its card is signed; null where it is none. */
export const giverOf = ({ gift = null, firstName, lastName }: Named): string | null =>
  gift && signatureOf({ gift, customerFirstName: firstName, customerLastName: lastName });

/** A present's days begin when it leaves: nobody can connect it before. Undefined where it may leave at once. */
export const presentKeptUntil = ({ gift }: Pick<Named, 'gift'>): Date | undefined =>
  gift?.shipOn ? new Date(endOfDay(gift.shipOn).getTime() + lifetimes.deliveryDays * 86_400_000) : undefined;

/** @throws Refusal of a day to ship that cannot be chosen */
export function refuseOtherShipDays(day: string | undefined, now: Date): void {
  if (day && !isShipDay(day, now)) throw new Refusal('gift-day-outside', { day: dayWords(shipDays(now).last) });
}

/** Presents that are still here. */
export const areHere = and(isNotNull(orders.gift), isNull(orders.shippedAt))!;

/** Those that may leave by a day, are not waiting for photos and were not given back; and the first of their days. */
export async function giftsToSend(db: Db, today: string): Promise<{ count: number; since: string } | undefined> {
  const shipOn = sql`${orders.gift} ->> 'shipOn'`;
  const [due] = await db
    .select({ count: count(), since: sql<string | null>`min(${shipOn})` })
    .from(orders)
    .where(
      and(areHere, sql`${shipOn} <= ${today}`, gt(orders.progress, 1), lt(orders.refundedCents, orders.totalCents)),
    );
  return due?.since ? { count: due.count, since: due.since } : undefined;
}
