import { Refusal } from '#contract/refusals.ts';
import { readFramesOfOrders, isOrderWaitingFor } from '../frames/frames.ts';
import { queueMails, type NewMail } from '../mail/mail.ts';
import {
  isFullyRefunded,
  lockOrdersForShare,
  recordRemindersEnded,
  readOrdersPlaced,
  type Order,
} from '../orders/orders.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { readToken } from '../tokens/tokens.ts';

const dayMs = 86_400_000;
/** An open order gets a reminder this many days after the payment. The latest reminder comes first. */
const reminderDays = [7, 3, 1];
/** After this many days no reminder is sent, even if the shop was down before. */
const givenUpAfterDays = 30;
const pageSize = 200;

interface RemindScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  /** Builds an absolute address from a path. */
  link: (path: string) => string;
}

/**
 * Runs every hour. Reminds buyers with open frames 1, 3 and 7 days after the payment, once each. If several reminders
 * are due because the shop was down, only the latest one is sent.
 */
export async function remindOfPhotos(scope: RemindScope): Promise<void> {
  const { db, clock, jobs } = scope;
  const now = clock.now().getTime();
  const span = {
    from: new Date(now - givenUpAfterDays * dayMs),
    to: new Date(now - Math.min(...reminderDays) * dayMs),
  };
  let last: Order | undefined;
  do {
    const page = await readOrdersPlaced(db, { ...span, after: last, limit: pageSize });
    const ids = page.map((it) => it.id);
    await db.transaction(async (tx) => {
      const orders = await lockOrdersForShare(tx, ids);
      await queueMails(tx, { jobs, clock }, await createReminders(tx, scope, orders));
    });
    last = page.length === pageSize ? page.at(-1) : undefined;
  } while (last);
}

async function createReminders(tx: Db, { clock, link }: RemindScope, orders: Order[]): Promise<NewMail[]> {
  const frames = await readFramesOfOrders(
    tx,
    orders.map((it) => it.id),
  );
  return orders.flatMap((order) => {
    const openFrames = frames.filter((it) => it.orderId === order.id && isOrderWaitingFor(it));
    if (openFrames.length === 0 || isFullyRefunded(order) || order.remindersEndedAt !== null) return [];
    const days = (clock.now().getTime() - order.createdAt.getTime()) / dayMs;
    const dueReminderDay = reminderDays.find((mark) => mark <= days);
    if (dueReminderDay === undefined) return [];
    const uploadUrl = link('/upload');
    return {
      event: `photo-reminder:${order.id}:${dueReminderDay}`,
      to: order.email,
      orderId: order.id,
      content: {
        kind: 'photo-reminder',
        firstName: order.firstName,
        frameNames: openFrames.map((it) => it.name),
        daysOpen: dueReminderDay,
        ...(dueReminderDay < Math.max(...reminderDays) && {
          unsubscribeUrl: { link: 'unsubscribe' as const, subjectId: order.id },
        }),
        // A guest has no account to sign in to yet.
        uploadUrl:
          order.customerId === null
            ? { link: 'complete-registration', subjectId: order.id, otherwise: uploadUrl }
            : uploadUrl,
      },
    };
  });
}

/**
 * Ends the remaining reminders of an order. Each unsubscribe token of the order is valid for that. Repeated calls are
 * allowed.
 */
export async function endReminders({ db, clock }: Pick<RemindScope, 'db' | 'clock'>, token: string): Promise<void> {
  const foundToken = await readToken(db, 'unsubscribe', token);
  if (!foundToken) throw new Refusal('unsubscribe-link-invalid');
  await recordRemindersEnded(db, clock, foundToken.subjectId);
}
