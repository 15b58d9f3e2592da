import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { deleteMailContentNaming } from '../mail/mail.ts';
import { hashToken, readToken, revokeTokens } from '../tokens/tokens.ts';
import { cartReminders, cartReminderStops } from './cart-reminders.sql.ts';
import { carts } from './checkout.sql.ts';
import { maxReminderAgeHours } from './due-carts.ts';

/**
 * Locks email addresses (as SHA-256) until the transaction ends. Reminding, buying, unsubscribing and erasing lock the
 * address. So an email is either queued before a purchase, or not at all.
 */
export async function lockEmailHashes(tx: Db, hashes: string[]): Promise<void> {
  for (const hash of hashes.toSorted())
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`cart-reminder:${hash}`}, 0))`);
}

/**
 * Call it in the transaction that places an order. Ends the reminders to the order's address and to all addresses that
 * the buyer entered in this checkout: an unsent email is not sent anymore, and links no longer open the cart.
 */
export async function endRemindersOfBuyer(
  tx: Db,
  clock: Clock,
  { email, checkoutId }: { email: string; checkoutId: string },
): Promise<void> {
  const enteredEmails = await tx
    .selectDistinct({ email: sql<string | null>`${carts.details} ->> 'email'` })
    .from(carts)
    .where(eq(carts.checkoutId, checkoutId));
  const emails = new Set([email, ...enteredEmails.map((it) => it.email ?? '')].filter((it) => it !== ''));
  const hashes = [...emails].map(hashToken);
  await lockEmailHashes(tx, hashes);
  if (hashes.length === 0) return;
  const now = clock.now();
  const quietPeriodStart = new Date(now.getTime() - lifetimes.cartReminderQuietDays * 86_400_000);
  const endedRows = await tx
    .update(cartReminders)
    .set({ boughtAt: now })
    .where(
      and(
        inArray(cartReminders.emailHash, hashes),
        gt(cartReminders.firstSentAt, quietPeriodStart),
        isNull(cartReminders.boughtAt),
      ),
    )
    .returning({ id: cartReminders.id });
  await endLinks(
    tx,
    clock,
    endedRows.map((it) => it.id),
  );
}

/** Deletes the emails first: an email that is just being sent has then stored its tokens, so they are revoked too. */
async function endLinks(tx: Db, clock: Clock, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await deleteMailContentNaming(tx, ids);
  for (const id of ids) await revokeTokens(tx, clock, 'cart', id);
}

/**
 * Deletes what connects the reminders with a customer whose account is deleted, and ends their links. The address gets
 * no reminder of an earlier cart. `email` is undefined if it is not proven, because it may be someone else's.
 */
export async function eraseRemindersOf(
  tx: Db,
  clock: Clock,
  { customerId, email }: { customerId: string; email: string | undefined },
): Promise<void> {
  const hash = email === undefined ? undefined : hashToken(email);
  if (hash !== undefined) {
    await lockEmailHashes(tx, [hash]);
    const now = clock.now();
    await tx
      .insert(cartReminderStops)
      .values({ emailHash: hash, stoppedAt: now, endsAt: new Date(now.getTime() + maxReminderAgeHours * 3_600_000) })
      .onConflictDoNothing();
  }
  const ownCartIds = tx.select({ id: carts.id }).from(carts).where(eq(carts.customerId, customerId));
  const isReminderOfBuyer = sql`${cartReminders.cartId} in ${ownCartIds}`;
  const erasedReminders = await tx
    .update(cartReminders)
    .set({ emailHash: null })
    .where(hash === undefined ? isReminderOfBuyer : sql`(${cartReminders.emailHash} = ${hash} or ${isReminderOfBuyer})`)
    .returning({ id: cartReminders.id });
  await endLinks(
    tx,
    clock,
    erasedReminders.map((it) => it.id),
  );
  for (const { id } of erasedReminders) await revokeTokens(tx, clock, 'cart-unsubscribe', id);
}

/**
 * Stops all cart reminders to the address that a token from a reminder names. Repeated calls are allowed. Returns false
 * if it is not such a token.
 */
export async function stopCartReminders({ db, clock }: { db: Db; clock: Clock }, token: string): Promise<boolean> {
  const foundToken = await readToken(db, 'cart-unsubscribe', token);
  if (!foundToken) return false;
  return db.transaction(async (tx) => {
    const [reminder] = await tx.select().from(cartReminders).where(eq(cartReminders.id, foundToken.subjectId));
    if (!reminder?.emailHash) return false; // the address was erased in the meantime
    const { emailHash } = reminder;
    await lockEmailHashes(tx, [emailHash]);
    const stoppedFields = { stoppedAt: clock.now(), endsAt: null };
    await tx
      .insert(cartReminderStops)
      .values({ emailHash, ...stoppedFields })
      .onConflictDoUpdate({
        target: cartReminderStops.emailHash,
        set: stoppedFields,
        setWhere: sql`${cartReminderStops.endsAt} is not null`,
      });
    await deleteMailContentNaming(tx, [reminder.id]);
    return true;
  });
}
