import { eq, sql } from 'drizzle-orm';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { deleteUnsentMailContent } from '../mail/mail.ts';
import { cartReminderSettings } from './cart-reminders.sql.ts';

const ownerId = 'owner';
type Scope = { db: Db; clock: Clock };

/** `since`: carts that were left before are not reminded of. Their buyers may have read no notice about it. */
interface Setting {
  isOn: boolean;
  since: Date;
}

/** Whether the reminders are on. They are, until the owner turns them off. */
export const areCartRemindersOn = async (db: Db): Promise<boolean> => (await readSetting(db))?.isOn ?? true;

/** The owner's setting. The first call stores that reminders are on from now. */
export async function readCartReminderSetting({ db, clock }: Scope): Promise<Setting> {
  const setting = await readSetting(db);
  if (setting) return setting;
  await db
    .insert(cartReminderSettings)
    .values({ id: ownerId, isOn: true, updatedAt: clock.now() })
    .onConflictDoNothing();
  return (await readSetting(db))!;
}

/** Reads the setting and locks it, so that the owner's change waits until the email is queued. */
export const lockCartReminderSetting = (tx: Db) => readSetting(tx, true);

async function readSetting(db: Db, isLocked = false): Promise<Setting | undefined> {
  const query = db.select().from(cartReminderSettings).where(eq(cartReminderSettings.id, ownerId));
  const [setting] = await (isLocked ? query.for('share') : query);
  return setting && { isOn: setting.isOn, since: setting.updatedAt };
}

/**
 * Turns the reminders on or off. Emails that were not sent yet are not sent anymore. If reminders are turned on again,
 * only carts that are left from now on are reminded of.
 */
export async function setCartReminders({ db, clock }: Scope, isOn: boolean, by: AuditAuthor = {}): Promise<void> {
  const setting = { isOn, updatedAt: clock.now() };
  await db.transaction(async (tx) => {
    await tx
      .insert(cartReminderSettings)
      .values({ id: ownerId, ...setting })
      .onConflictDoUpdate({
        target: cartReminderSettings.id,
        set: setting,
        setWhere: sql`${cartReminderSettings.isOn} <> ${isOn}`,
      });
    if (!isOn) await deleteUnsentMailContent(tx, 'cart-reminder:');
    await recordAuditEntry(tx, clock, { act: 'set-cart-reminders', subjectId: ownerId, after: { isOn }, ...by });
  });
}
