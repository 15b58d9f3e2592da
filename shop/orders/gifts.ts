import { and, count, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { dayText, endOfDay } from '#contract/calendar.ts';
import type { Gift } from '#contract/gift-forms.ts';
import { isGiftShippingDay, giftShippingDayRange, giftCardSignature } from '#contract/gifts.ts';
import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { toInternationalPhone } from '../phone-number.ts';
import { type Order, orders } from './orders.sql.ts';

interface GiftAndBuyer {
  gift?: Gift | null | undefined;
  firstName: string;
  lastName: string;
}
/** The name on the parcel. */
export const recipientNameOf = ({ gift, firstName, lastName }: GiftAndBuyer) =>
  gift?.recipientName ?? `${firstName} ${lastName}`;

/** The phone number for the carrier, in E.164. For a gift, it is the recipient's and never the giver's. */
export const recipientPhoneOf = ({ gift, phoneE164 }: Pick<Order, 'gift' | 'phoneE164'>): string | null =>
  gift ? toInternationalPhone(gift.recipientPhone) : phoneE164;

/** The giver's name as it is signed on the gift's card; null if the order is not a gift. */
export const findGiverName = ({ gift = null, firstName, lastName }: GiftAndBuyer): string | null =>
  gift && giftCardSignature({ gift, customerFirstName: firstName, customerLastName: lastName });

/**
 * The earliest day on which the retention of a gift's videos may end. The delivery period of a gift begins on its
 * shipping day, because no one can connect the frame before. Undefined if the gift may ship at once.
 */
export const computeGiftRetentionEnd = ({ gift }: Pick<GiftAndBuyer, 'gift'>): Date | undefined =>
  gift?.shipOn ? new Date(endOfDay(gift.shipOn).getTime() + lifetimes.deliveryDays * 86_400_000) : undefined;

/** @throws Refusal if the day to ship cannot be chosen */
export function refuseOtherShipDays(day: string | undefined, now: Date): void {
  if (day && !isGiftShippingDay(day, now))
    throw new Refusal('gift-day-outside', { day: dayText(giftShippingDayRange(now).last) });
}

/** The condition for gifts that have not shipped yet and are not canceled. */
export const unshippedGiftCondition = and(isNotNull(orders.gift), isNull(orders.shippedAt), isNull(orders.canceledAt))!;

/**
 * Returns the number of gifts that may ship by `today`, and the earliest of their shipping days. Gifts that wait for
 * photos or are fully refunded do not count. Returns undefined if there are none.
 */
export async function countGiftsToSend(db: Db, today: string): Promise<{ count: number; since: string } | undefined> {
  const shipOn = sql`${orders.gift} ->> 'shipOn'`;
  const [due] = await db
    .select({ count: count(), since: sql<string | null>`min(${shipOn})` })
    .from(orders)
    .where(
      and(
        unshippedGiftCondition,
        sql`${shipOn} <= ${today}`,
        gt(orders.progress, 1),
        lt(orders.refundedCents, orders.totalCents),
      ),
    );
  return due?.since ? { count: due.count, since: due.since } : undefined;
}
