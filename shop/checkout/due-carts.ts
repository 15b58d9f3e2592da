import { sql } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import type { Db } from '../ports/database.ts';

const hourMs = 3_600_000;
/** How long after it was due an email is still sent, if the shop was down. */
const maxDelayHours = { first: 22, second: 48 };

/** A cart that is to be reminded of. */
export interface CartToRemind {
  cartId: string;
  checkoutId: string;
  email: string;
  leftAt: Date;
  /** The reminder that gets its second email. Null if the cart gets the first one. */
  reminderId: string | null;
}

interface DueQuery {
  now: Date;
  /** Carts that were left before are not reminded of. */
  since: Date;
  /** Only this buyer's cart. */
  email?: string;
  limit: number;
}

/** The SHA-256 of an email address in SQL. The same as `hashToken`. */
const hashOfEmail = sql`encode(sha256(convert_to(left_cart.email, 'UTF8')), 'hex')`;

/**
 * The newest cart of each buyer, if it is to be reminded of: it has the buyer's details, so the buyer went on to the
 * payment, and it was not paid. All conditions are read from the database, so the caller repeats this query after it
 * has locked the buyer's address.
 */
export async function findDueCarts(db: Db, { now, since, email, limit }: DueQuery): Promise<CartToRemind[]> {
  const timeMsAgo = (ms: number) => sql`${new Date(now.getTime() - ms).toISOString()}::timestamptz`;
  const { first, second } = lifetimes.cartReminderHours;
  const quietPeriodStart = timeMsAgo(lifetimes.cartReminderQuietDays * 24 * hourMs);
  const { rows } = await db.execute<{
    id: string;
    checkout_id: string;
    email: string;
    left_at: string | Date;
    reminder_id: string | null;
  }>(sql`
    with left_cart as (
      select distinct on (details ->> 'email') id, checkout_id, customer_id, details ->> 'email' as email, created_at
      from carts
      where details is not null and created_at >= ${timeMsAgo((second + maxDelayHours.second) * hourMs)}
        ${email === undefined ? sql`` : sql`and details ->> 'email' = ${email}`}
      order by details ->> 'email', created_at desc, id desc
    )
    select left_cart.id, left_cart.checkout_id, left_cart.email,
      coalesce(reminder.left_at, left_cart.created_at) as left_at, reminder.id as reminder_id
    from left_cart
    left join lateral (
      select id, left_at, second_sent_at, bought_at from cart_reminders
      where email_hash = ${hashOfEmail} and first_sent_at > ${quietPeriodStart}
      order by first_sent_at desc limit 1
    ) reminder on true
    where left_cart.created_at <= ${timeMsAgo(first * hourMs)}
      and coalesce(reminder.left_at, left_cart.created_at) >= ${since.toISOString()}::timestamptz
      and case when reminder.id is null
        then left_cart.created_at > ${timeMsAgo((first + maxDelayHours.first) * hourMs)}
        else reminder.second_sent_at is null and reminder.bought_at is null
          and reminder.left_at <= ${timeMsAgo(second * hourMs)}
          and reminder.left_at > ${timeMsAgo((second + maxDelayHours.second) * hourMs)}
        end
      -- The buyer went on to another cart in this checkout, perhaps with a corrected address.
      and not exists (select from carts later
        where later.checkout_id = left_cart.checkout_id and later.created_at > left_cart.created_at)
      -- The owner follows orders by phone, whose link is another one.
      and not exists (select from phone_orders where checkout_id = left_cart.checkout_id)
      -- The buyer has bought since, in this checkout or in any other.
      and not exists (select from orders where checkout_id = left_cart.checkout_id)
      and not exists (select from orders where email = left_cart.email and created_at > ${quietPeriodStart})
      and not exists (select from orders where customer_id = left_cart.customer_id and created_at > ${quietPeriodStart})
      -- Money has arrived for this checkout, and was or will be given back.
      and not exists (select from payments join carts paid on paid.id = payments.purpose_id
        where payments.purpose = 'order' and paid.checkout_id = left_cart.checkout_id
          and payments.state not in ('asking', 'open', 'cancelled'))
      and not exists (select from orders where email = left_cart.email and reminders_ended_at is not null)
      and not exists (select from cart_reminder_stops
        where email_hash = ${hashOfEmail} and (ends_at is null or ends_at > ${timeMsAgo(0)}))
      -- The buyer has deleted the account with which the cart was made.
      and (left_cart.customer_id is null or exists (select from customers where id = left_cart.customer_id))
    order by left_cart.created_at, left_cart.id
    limit ${limit}`);
  return rows.map((it) => ({
    cartId: it.id,
    checkoutId: it.checkout_id,
    email: it.email,
    leftAt: new Date(it.left_at),
    reminderId: it.reminder_id,
  }));
}

/** No earlier cart can be reminded of after this time. */
export const maxReminderAgeHours = lifetimes.cartReminderHours.second + maxDelayHours.second;
