import { formatDollars } from '#contract/catalog.ts';
import { countText } from '#contract/count-text.ts';
import type { LabelState } from '#contract/label-forms.ts';
import type { AdminLabel, LabelRate } from '#contract/owner/labels.ts';

export const labelStateBadges: Record<LabelState, { label: string; tone: 'neutral' | 'good' | 'warn' }> = {
  quoted: { label: 'Not bought', tone: 'neutral' },
  buying: { label: 'Being bought', tone: 'warn' },
  bought: { label: 'Bought', tone: 'good' },
  failed: { label: 'Not bought', tone: 'neutral' },
  voiding: { label: 'Waiting for the refund', tone: 'neutral' },
  voided: { label: 'Refunded', tone: 'neutral' },
  'void-refused': { label: 'Not refunded', tone: 'warn' },
};

/** USPS Ground Advantage, $8.25 */
export const labelText = ({ carrier, service, amount }: Pick<AdminLabel, 'carrier' | 'service' | 'amount'>): string =>
  `${carrier ?? 'Label'} ${service ?? ''}, ${formatDollars(amount ?? 0)}`;

/** How long a package takes. */
export const rateDaysText = ({ days }: Pick<LabelRate, 'days'>): string =>
  days === null ? 'The carrier doesn’t say how long it takes' : `About ${countText(days, 'day')} in the mail`;

/** Whether a label's state or PDF changes soon without anything that the owner does. */
export const isLabelUnfinished = ({ state, pdfUrl }: Pick<AdminLabel, 'state' | 'pdfUrl'>): boolean =>
  state === 'buying' || (state === 'bought' && pdfUrl === null);

/** The label that the package gets; undefined if there is none. */
export const currentLabelOf = (labels: readonly AdminLabel[] = []): AdminLabel | undefined =>
  labels.find((it) => it.state === 'bought');
