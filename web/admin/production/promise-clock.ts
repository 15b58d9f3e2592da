import { countText } from '#contract/count-text.ts';
import { deliveryHours } from '#contract/limits.ts';

const hourMs = 3_600_000;

export interface PromisedTimeStatus {
  /** good: within 24 hours. warn: within the promised time. bad: late. */
  tone: 'good' | 'warn' | 'bad';
  words: string;
}

/** Compares the time since finalizing a frame with the promised 24-72 hours. */
export function compareWithPromisedTime({
  finalizedAt,
  videosReadyAt,
  now,
}: {
  finalizedAt: string;
  videosReadyAt: string | null;
  now: number;
}): PromisedTimeStatus {
  const endTime = videosReadyAt === null ? now : Date.parse(videosReadyAt);
  const elapsedHours = Math.max(0, endTime - Date.parse(finalizedAt)) / hourMs;
  const isLate = elapsedHours > deliveryHours.to;
  if (videosReadyAt !== null)
    return { tone: isLate ? 'bad' : 'good', words: `Delivered after ${spanText(elapsedHours)}` };
  const hoursLate = elapsedHours - deliveryHours.to;
  if (isLate)
    return hoursLate < 1 / 60
      ? { tone: 'warn', words: 'Due now' }
      : { tone: 'bad', words: `${spanText(hoursLate)} late` };
  const timeLeftText = spanText(deliveryHours.to - elapsedHours);
  return {
    tone: elapsedHours < deliveryHours.from ? 'good' : 'warn',
    words: `${spanText(elapsedHours)} since finalizing, ${timeLeftText} left`,
  };
}

/** A duration as text: `35 min`, `18 hours`, `2 days 3 hours`, `61 days`. */
function spanText(hours: number): string {
  if (hours < 1) return `${Math.floor(hours * 60)} min`;
  const wholeHours = Math.floor(hours);
  if (wholeHours < 48) return countText(wholeHours, 'hour');
  const days = Math.floor(wholeHours / 24);
  const hoursOfDay = days < 7 ? wholeHours % 24 : 0;
  return hoursOfDay === 0 ? countText(days, 'day') : `${countText(days, 'day')} ${countText(hoursOfDay, 'hour')}`;
}
