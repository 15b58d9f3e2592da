import { dayWords, shortMomentWords, weekdayWords } from './calendar.ts';
import { money } from './catalog.ts';
import { counted } from './count-words.ts';
import type { DayLine } from './owner/day-sheet.ts';

export interface SpokenLine {
  words: string;
  /** Why it matters, or since when. */
  detail?: string;
  /** Where it is done; absent where the panel can do nothing about it. */
  path?: string;
  /** bad: money or a promise is at stake; warn: it waits. */
  tone: 'bad' | 'warn';
}

/** How old the last backup is, where that is no news. */
export const lastBackupWords = (at: string) => `Last backup: ${shortMomentWords(at)}`;

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0)} GB`;

/** A line of the day sheet in words, the same in the panel and in the mail. */
export function dayLineWords(line: DayLine): SpokenLine {
  switch (line.kind) {
    case 'dispute':
      return { ...disputeWords(line), tone: 'bad' };
    case 'payment-problems':
      return {
        words: `${counted(line.count, 'payment')} without an order`,
        detail: 'Paid, and not given back',
        path: '/admin?tab=orders',
        tone: 'bad',
      };
    case 'late':
      return {
        words: `${counted(line.count, 'order')} later than promised`,
        detail: `Waiting since ${shortMomentWords(line.since)}`,
        path: '/admin?tab=production',
        tone: 'bad',
      };
    case 'gifts-to-send':
      return {
        words: `${counted(line.count, 'gift')} to send`,
        detail: `To leave on ${weekdayWords(line.since)}`,
        path: '/admin?tab=orders&filter=gifts',
        tone: 'bad',
      };
    case 'videos-failed':
      return {
        words: `${counted(line.count, 'video')} failed`,
        path: '/admin?tab=production&filter=failed',
        tone: 'bad',
      };
    case 'videos-to-check':
      return {
        words: `${counted(line.count, 'video')} to check`,
        path: '/admin?tab=production&filter=review',
        tone: 'warn',
      };
    case 'tickets':
      return {
        words: counted(line.count, 'open ticket'),
        detail: `Oldest from ${dayWords(line.since)}`,
        path: '/admin?tab=support&filter=open',
        tone: 'warn',
      };
    case 'reviews':
      return {
        words: `${counted(line.count, 'review')} to read`,
        detail: `Oldest from ${dayWords(line.since)}`,
        path: '/admin?tab=content&section=reviews&filter=waiting',
        tone: 'warn',
      };
    case 'mails-unsent':
      return {
        words: `${counted(line.count, 'mail')} could not be sent`,
        detail: `Oldest from ${shortMomentWords(line.since)}`,
        ...(line.orderId && { path: `/admin?tab=orders&order=${line.orderId}` }),
        tone: 'bad',
      };
    case 'jobs-failed':
      return {
        words: `${counted(line.count, 'background job')} failed this week`,
        detail: `The shop’s log says why: ${line.names.join(', ')}`,
        tone: 'warn',
      };
    case 'queue-stands':
      return {
        words: 'Background work stands still',
        detail: `Since ${shortMomentWords(line.since)}; is a worker process running?`,
        tone: 'bad',
      };
    case 'backup-overdue':
      return {
        words: line.lastAt ? `No backup since ${dayWords(line.lastAt)}` : 'This shop has never been backed up',
        detail: 'Orders and photos exist only once; whoever runs the server can change that',
        tone: 'warn',
      };
    case 'disk-full':
      return {
        words: `The disk is nearly full: ${gigabytes(line.freeBytes)} of ${gigabytes(line.totalBytes)} free`,
        detail: 'Without room no photo can be taken and no video made',
        tone: 'bad',
      };
  }
}

function disputeWords(line: Extract<DayLine, { kind: 'dispute' }>): Omit<SpokenLine, 'tone'> {
  const { orderId, orderNumber, paymentIntentId, respondBy } = line;
  const inTime = respondBy ? `by ${shortMomentWords(respondBy)}` : 'in time';
  const disputed = `A bank disputes ${money(line.amount)}`;
  return orderId === null
    ? {
        words: `${disputed} of a payment without an order`,
        detail: `Answer at the payment provider ${inTime}: ${paymentIntentId}`,
      }
    : {
        words: `${disputed} of order ${orderNumber}`,
        detail: `Answer at the payment provider ${inTime}`,
        path: `/admin?tab=orders&order=${orderId}`,
      };
}
