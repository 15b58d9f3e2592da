import { eq, sql } from 'drizzle-orm';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { recordAct } from '../audit/audit.ts';
import { forgetUnsentMails } from '../mail/mail.ts';
import { cartReminderWishes } from './cart-reminders.sql.ts';

const owner = 'owner';
type Scope = { db: Db; clock: Clock };

/** `since`: carts that were left before are not reminded of. Their buyers may have read no notice about it. */
interface Wish {
  isOn: boolean;
  since: Date;
}

/** Whether the reminders are on. They are, until the owner turns them off. */
export const areCartRemindersOn = async (db: Db): Promise<boolean> => (await wishIn(db))?.isOn ?? true;

/** The owner's wish. The first call stores that reminders are on from now. */
export async function readWish({ db, clock }: Scope): Promise<Wish> {
  const wish = await wishIn(db);
  if (wish) return wish;
  await db.insert(cartReminderWishes).values({ id: owner, isOn: true, updatedAt: clock.now() }).onConflictDoNothing();
  return (await wishIn(db))!;
}

/** Reads the wish and locks it, so that the owner's change waits until the email is queued. */
export const lockWish = (tx: Db) => wishIn(tx, true);

async function wishIn(db: Db, isLocked = false): Promise<Wish | undefined> {
  const query = db.select().from(cartReminderWishes).where(eq(cartReminderWishes.id, owner));
  const [wish] = await (isLocked ? query.for('share') : query);
  return wish && { isOn: wish.isOn, since: wish.updatedAt };
}

/**
 * Turns the reminders on or off. Emails that were not sent yet are not sent any more. If reminders are turned on again,
 * only carts that are left from now on are reminded of.
 */
export async function wishCartReminders(
  { db, clock }: Scope,
  isOn: boolean,
  by: { requestId?: string } = {},
): Promise<void> {
  const wish = { isOn, updatedAt: clock.now() };
  await db.transaction(async (tx) => {
    await tx
      .insert(cartReminderWishes)
      .values({ id: owner, ...wish })
      .onConflictDoUpdate({
        target: cartReminderWishes.id,
        set: wish,
        setWhere: sql`${cartReminderWishes.isOn} <> ${isOn}`,
      });
    if (!isOn) await forgetUnsentMails(tx, 'cart-reminder:');
    await recordAct(tx, clock, { act: 'wish-cart-reminders', subjectId: owner, after: { isOn }, ...by });
  });
}
