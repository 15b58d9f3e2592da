import { and, asc, eq, gte, lt, sql } from 'drizzle-orm';
import { dayAfter, endOfDay } from '#contract/calendar.ts';
import type { Db } from '../ports/database.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import type { DaySpan } from '../tallies/spans.ts';
import { hashToken } from '../tokens/tokens.ts';
import { carts } from './checkout.sql.ts';
import { cartReminders, cartReminderStops } from './cart-reminders.sql.ts';

/** The carts that were first reminded of on these days, the emails about them, and what came of them until now. */
export async function readCartReminderFigures(db: Db, { from, to }: DaySpan) {
  const [counts] = await db
    .select({
      reminded: sql`count(*)`.mapWith(Number),
      emails: sql`count(*) + count(${cartReminders.secondSentAt})`.mapWith(Number),
      opened: sql`count(${cartReminders.openedAt})`.mapWith(Number),
      bought: sql`count(${cartReminders.boughtAt})`.mapWith(Number),
    })
    .from(cartReminders)
    .where(
      and(gte(cartReminders.firstSentAt, endOfDay(dayAfter(from, -1))), lt(cartReminders.firstSentAt, endOfDay(to))),
    );
  return counts!;
}

/** What is stored about reminders to an email address, for the copy of a customer's data. */
export async function readCartRemindersOfEmail(db: Db, email: string) {
  const emailHash = hashToken(email);
  const [stop] = await db
    .select({ at: cartReminderStops.stoppedAt })
    .from(cartReminderStops)
    .where(eq(cartReminderStops.emailHash, emailHash));
  const reminders = await db
    .select({
      lines: carts.lines,
      totalCents: carts.totalCents,
      leftAt: cartReminders.leftAt,
      firstSentAt: cartReminders.firstSentAt,
      secondSentAt: cartReminders.secondSentAt,
      openedAt: cartReminders.openedAt,
      boughtAt: cartReminders.boughtAt,
    })
    .from(cartReminders)
    .innerJoin(carts, eq(carts.id, cartReminders.cartId))
    .where(eq(cartReminders.emailHash, emailHash))
    .orderBy(asc(cartReminders.firstSentAt));
  return { unsubscribedAt: stop?.at ?? null, reminders };
}

export const deleteOldCartReminders = deleteOldRows(cartReminders, cartReminders.id, cartReminders.firstSentAt);
/** An unsubscription has no end, so it stays. */
export const deleteOldCartReminderStops = deleteOldRows(
  cartReminderStops,
  cartReminderStops.emailHash,
  cartReminderStops.endsAt,
);
