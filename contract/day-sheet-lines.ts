import { dayText, shortMomentText, weekdayText } from './calendar.ts';
import { formatDollars } from './catalog.ts';
import { countText } from './count-text.ts';
import type { DayLine } from './owner/day-sheet.ts';

export interface DayLineText {
  words: string;
  /** Why the line matters, or how long the task has been waiting. */
  detail?: string;
  /** The panel's page on which the owner can act. Absent if the panel offers no action. */
  path?: string;
  /** bad: money or a promise is at risk; warn: something is waiting. */
  tone: 'bad' | 'warn';
}

/** The time of the last backup as a text, for a backup that is not overdue. */
export const lastBackupText = (at: string) => `Last backup: ${shortMomentText(at)}`;

/** The number of new orders as a text, for at least one new order. */
export const newOrdersText = (orders: number) => `${countText(orders, 'new order')} in the last 24 hours`;

/** Packages to ship are counted up to this number. */
export const maxCountedPackages = 1000;

const formatGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0)} GB`;

/** The text of a day sheet line. The panel and the email use the same text. */
export function dayLineText(line: DayLine): DayLineText {
  switch (line.kind) {
    case 'dispute':
      return { ...disputeText(line), tone: 'bad' };
    case 'payment-problems':
      return {
        words: `${countText(line.count, 'payment')} without an order`,
        detail: 'Paid, but not refunded',
        path: '/admin?tab=orders',
        tone: 'bad',
      };
    case 'late':
      return {
        words: `${countText(line.count, 'order')} later than promised`,
        detail: `Waiting since ${shortMomentText(line.since)}`,
        path: '/admin?tab=production',
        tone: 'bad',
      };
    case 'gifts-to-send':
      return {
        words: `${countText(line.count, 'gift')} to send`,
        detail: `To ship on ${weekdayText(line.since)}`,
        path: '/admin?tab=orders&filter=gifts',
        tone: 'bad',
      };
    case 'frames-to-connect':
      return {
        words: `${countText(line.count, 'frame')} to connect`,
        detail: `${line.isLate ? 'Later than the 24 hours we promise: waiting' : 'Waiting'} since ${shortMomentText(line.since)}`,
        path: '/admin?tab=production&view=frames&filter=to-connect',
        tone: line.isLate ? 'bad' : 'warn',
      };
    case 'packages-to-ship':
      return {
        words: `${line.count < maxCountedPackages ? '' : 'At least '}${countText(line.count, 'package')} to ship`,
        detail: `Oldest order from ${dayText(line.since)}`,
        path: '/admin?tab=orders&filter=to-ship',
        tone: 'warn',
      };
    case 'oversold':
      return {
        words: `${line.count} more ${line.count === 1 ? 'frame' : 'frames'} sold than in stock`,
        detail: 'Get more frames, or cancel an order',
        path: '/admin?tab=content&section=stock',
        tone: 'bad',
      };
    case 'sold-out':
      return {
        words: 'The Kinframe is sold out',
        detail: 'Visitors can’t buy it until you change the stock',
        path: '/admin?tab=content&section=stock',
        tone: 'warn',
      };
    case 'videos-failed':
      return {
        words: `${countText(line.count, 'video')} failed`,
        path: '/admin?tab=production&filter=failed',
        tone: 'bad',
      };
    case 'videos-to-check':
      return {
        words: `${countText(line.count, 'video')} to check`,
        path: '/admin?tab=production&filter=review',
        tone: 'warn',
      };
    case 'tickets':
      return {
        words: countText(line.count, 'open ticket'),
        detail: `Oldest from ${dayText(line.since)}`,
        path: '/admin?tab=support&filter=open',
        tone: 'warn',
      };
    case 'returns':
      return {
        words: `${countText(line.count, 'return')} to answer`,
        detail: `Oldest from ${dayText(line.since)}`,
        path: '/admin?tab=orders&filter=returns',
        tone: 'warn',
      };
    case 'returns-received':
      return {
        words: `${countText(line.count, 'return')} to refund or replace`,
        detail: `Waiting since ${dayText(line.since)}. We promise refunds within 5-10 business days`,
        path: '/admin?tab=orders&filter=returns',
        tone: 'warn',
      };
    case 'reviews':
      return {
        words: `${countText(line.count, 'review')} to read`,
        detail: `Oldest from ${dayText(line.since)}`,
        path: '/admin?tab=content&section=reviews&filter=waiting',
        tone: 'warn',
      };
    case 'mails-unsent':
      return {
        words: `${countText(line.count, 'email')} couldn’t be sent`,
        detail: `Oldest from ${shortMomentText(line.since)}`,
        ...(line.orderId && { path: `/admin?tab=orders&order=${line.orderId}` }),
        tone: 'bad',
      };
    case 'jobs-failed':
      return {
        words: `${countText(line.count, 'background job')} failed this week`,
        detail: `The shop’s log says why: ${line.names.join(', ')}`,
        tone: 'warn',
      };
    case 'queue-stands':
      return {
        words: 'Background work has stopped',
        detail: `Since ${shortMomentText(line.since)}. Is a worker process running?`,
        tone: 'bad',
      };
    case 'backup-overdue':
      return {
        words: line.lastAt ? `No backup since ${dayText(line.lastAt)}` : 'This shop has never been backed up',
        detail:
          'There is only one copy of your orders and photos. Ask the person who runs the server to set up backups',
        tone: 'warn',
      };
    case 'disk-full':
      return {
        words: `The disk is nearly full: ${formatGigabytes(line.freeBytes)} of ${formatGigabytes(line.totalBytes)} free`,
        detail: 'When the disk is full, the shop can’t save photos or make videos',
        tone: 'bad',
      };
  }
}

function disputeText(line: Extract<DayLine, { kind: 'dispute' }>): Omit<DayLineText, 'tone'> {
  const { orderId, orderNumber, paymentIntentId, respondBy } = line;
  const deadlineText = respondBy ? `by ${shortMomentText(respondBy)}` : 'in time';
  const disputedAmountText = `A bank disputes ${formatDollars(line.amount)}`;
  return orderId === null
    ? {
        words: `${disputedAmountText} of a payment without an order`,
        detail: `Respond at the payment provider ${deadlineText}: ${paymentIntentId}`,
      }
    : {
        words: `${disputedAmountText} of order ${orderNumber}`,
        detail: `Respond at the payment provider ${deadlineText}`,
        path: `/admin?tab=orders&order=${orderId}`,
      };
}
