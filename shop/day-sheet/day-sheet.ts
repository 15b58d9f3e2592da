import { eq } from 'drizzle-orm';
import { dayLineText, lastBackupText, newOrdersText } from '#contract/day-sheet-lines.ts';
import { toShopDay, toShopHour } from '#contract/calendar.ts';
import type { DayLine, DaySheet } from '#contract/owner/day-sheet.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Storage } from '../ports/storage.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { isBackupOverdue } from '../backups/backups.ts';
import { queueMail } from '../mail/mail.ts';
import { countUnsentMails } from '../mail/resend.ts';
import { countFramesToConnect } from '../frames/frames-list.ts';
import { countGiftsToSend } from '../orders/gifts.ts';
import { countOrdersSince, countPackagesToShip } from '../orders/to-ship.ts';
import { readPaymentProblems } from '../payments/payments.ts';
import { countProductionTasks } from '../production/production-list.ts';
import { readDisputesToAnswer } from '../refunds/disputes.ts';
import { readFramesLeft } from '../stock/stock.ts';
import { countReturns } from '../returns/owner-returns.ts';
import { countWaitingReviews } from '../reviews/reviews-list.ts';
import { countOpenTickets } from '../support/tickets.ts';
import { daySheetWishes } from './day-sheet.sql.ts';

interface Scope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  storage: Storage;
}

/** Mails are normally sent at once. A mail that is not sent after this time is reported to the owner. */
const unsentAfterMs = 3_600_000;
/**
 * A waiting job is reported after this time. The time is longer than the slowest job takes, so if a job waits longer,
 * no worker processes it. Renders and backups are left out, because they may wait for each other.
 */
const stuckAfterSeconds = 15 * 60;
/**
 * Jobs that the lines about waiting and failed jobs leave out. Renders may wait for hours behind other renders, and
 * another line reports late videos. Previews and free videos wait for renders. Failed videos have their own line, and a
 * failed preview or free video does not matter.
 */
const videoJobNames = ['render-video', 'give-up-video', 'make-preview', 'make-trial'] as const;
/** Orders of the last day count as new. Customers are promised that their frame is connected within one day. */
const dayMs = 24 * 3_600_000;
const leastFreeBytes = 5e9;
const leastFreePart = 0.1;

/**
 * The tasks that need the owner now, the most urgent first. Reads only indexes and small tables, so that it is fast in
 * a large shop.
 */
export async function readDaySheet({ db, clock, jobs, storage }: Scope): Promise<Omit<DaySheet, 'isMailed'>> {
  const now = clock.now();
  const timeMsAgo = (ms: number) => new Date(now.getTime() - ms);
  const [
    disputes,
    problems,
    production,
    gifts,
    toConnect,
    toShip,
    newOrders,
    tickets,
    returns,
    returned,
    reviews,
    mails,
    queues,
    room,
    backup,
    stock,
  ] = await Promise.all([
    readDisputesToAnswer(db),
    readPaymentProblems(db),
    countProductionTasks(db, now),
    countGiftsToSend(db, toShopDay(now)),
    countFramesToConnect(db),
    countPackagesToShip(db),
    countOrdersSince(db, timeMsAgo(dayMs)),
    countOpenTickets(db),
    countReturns(db, 'requested'),
    countReturns(db, 'received'),
    countWaitingReviews(db),
    countUnsentMails(db, timeMsAgo(unsentAfterMs)),
    jobs.readBacklog(db, {
      longerThanSeconds: stuckAfterSeconds,
      waitingExcept: [...videoJobNames, 'back-up'],
      failedExcept: [...videoJobNames, 'send-mail', 'push-sale'],
    }),
    storage.readFreeSpace?.(),
    isBackupOverdue(db, now),
    readFramesLeft(db),
  ]);
  const lines: (DayLine | false | undefined)[] = [
    ...disputes.map((it): DayLine => ({
      kind: 'dispute',
      orderId: it.order?.id ?? null,
      orderNumber: it.order?.orderNumber ?? null,
      paymentIntentId: it.intentId,
      amount: it.amountCents,
      respondBy: it.respondBy?.toISOString() ?? null,
    })),
    problems.length > 0 && { kind: 'payment-problems', count: problems.length },
    queues.waitingSince && { kind: 'queue-stands', since: queues.waitingSince.toISOString() },
    room && isDiskAlmostFull(room) && { kind: 'disk-full', ...room },
    production.late && { kind: 'late', count: production.late.count, since: production.late.since.toISOString() },
    gifts && { kind: 'gifts-to-send', ...gifts },
    toConnect && {
      kind: 'frames-to-connect',
      count: toConnect.count,
      since: toConnect.since.toISOString(),
      isLate: toConnect.since < timeMsAgo(dayMs),
    },
    stock !== null && stock < 0 && { kind: 'oversold', count: -stock },
    stock === 0 && { kind: 'sold-out' },
    production.failed > 0 && { kind: 'videos-failed', count: production.failed },
    mails && { kind: 'mails-unsent', count: mails.count, since: mails.since.toISOString(), orderId: mails.orderId },
    production.toReview > 0 && { kind: 'videos-to-check', count: production.toReview },
    toShip && { kind: 'packages-to-ship', count: toShip.count, since: toShip.since.toISOString() },
    backup.isOverdue && { kind: 'backup-overdue', lastAt: backup.last?.takenAt.toISOString() ?? null },
    tickets && { kind: 'tickets', count: tickets.count, since: tickets.since.toISOString() },
    returns && { kind: 'returns', count: returns.count, since: returns.since.toISOString() },
    returned && { kind: 'returns-received', count: returned.count, since: returned.since.toISOString() },
    reviews && { kind: 'reviews', count: reviews.count, since: reviews.since.toISOString() },
    queues.failed.length > 0 && {
      kind: 'jobs-failed',
      count: queues.failed.reduce((sum, it) => sum + it.count, 0),
      names: queues.failed.map((it) => it.name),
    },
  ];
  return {
    lines: lines.filter((it) => it !== false && it !== undefined),
    newOrders,
    ...(backup.last && !backup.isOverdue && { lastBackupAt: backup.last.takenAt.toISOString() }),
  };
}

const isDiskAlmostFull = ({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }) =>
  freeBytes < Math.min(leastFreeBytes, totalBytes * leastFreePart);

const ownerId = 'owner';

export async function isDaySheetMailed(db: Db): Promise<boolean> {
  const [wish] = await db.select().from(daySheetWishes).where(eq(daySheetWishes.id, ownerId));
  return wish?.isMailed ?? false;
}

/** Turn the daily mail of the sheet on or off. */
export async function setDaySheetMailed(
  { db, clock }: Pick<Scope, 'db' | 'clock'>,
  isMailed: boolean,
  by: AuditAuthor = {},
): Promise<void> {
  const mailSetting = { isMailed, updatedAt: clock.now() };
  await db.transaction(async (tx) => {
    await tx
      .insert(daySheetWishes)
      .values({ id: ownerId, ...mailSetting })
      .onConflictDoUpdate({ target: daySheetWishes.id, set: mailSetting });
    await recordAuditEntry(tx, clock, { act: 'wish-day-sheet', subjectId: ownerId, after: { isMailed }, ...by });
  });
}

/** The mail is sent from 7 a.m. in the shop's time zone. If the shop was down then, it is sent later, until noon. */
const mailHours = { from: 7, before: 12 };

/** The hourly job: mail today's sheet, once, if the owner wants it. */
export async function mailDaySheetOncePerDay(
  scope: Scope & { link: (path: string) => string; ownerEmail: () => Promise<string> },
): Promise<void> {
  const { db, clock, link } = scope;
  const now = clock.now();
  const hour = toShopHour(now);
  if (hour < mailHours.from || hour >= mailHours.before || !(await isDaySheetMailed(db))) return;
  const sheet = await readDaySheet(scope);
  const lines = sheet.lines.map((line) => {
    const { words, detail, path } = dayLineText(line);
    return { words, detail, ...(path && { url: link(path) }) };
  });
  const lastBackupSentence = sheet.lastBackupAt && lastBackupText(sheet.lastBackupAt);
  const newOrdersSentence = sheet.newOrders > 0 ? newOrdersText(sheet.newOrders) : undefined;
  const mailAddress = await scope.ownerEmail();
  await db.transaction((tx) =>
    queueMail(tx, scope, {
      event: `owner-day-sheet:${toShopDay(now)}`,
      to: mailAddress,
      content: {
        kind: 'owner-day-sheet',
        writtenAt: now.toISOString(),
        lines,
        newOrders: newOrdersSentence,
        lastBackup: lastBackupSentence,
        adminUrl: link('/admin'),
      },
    }),
  );
}
