import { expect, test } from 'vitest';
import type { AdminLabel } from '#contract/owner/labels.ts';
import { currentLabelOf, isLabelUnfinished, labelText, rateDaysText } from './label-text.ts';

test('describes a label and the days of a rate', () => {
  expect(labelText({ carrier: 'USPS', service: 'Ground Advantage', amount: 825 })).toBe('USPS Ground Advantage, $8.25');
  expect(rateDaysText({ days: 1 })).toBe('About 1 day in the mail');
  expect(rateDaysText({ days: null })).toBe('The carrier doesn’t say how long it takes');
});

test('a label is unfinished until it has a PDF, and the bought label is the current one', () => {
  expect(isLabelUnfinished({ state: 'buying', pdfUrl: null })).toBe(true);
  expect(isLabelUnfinished({ state: 'bought', pdfUrl: null })).toBe(true);
  expect(isLabelUnfinished({ state: 'bought', pdfUrl: '/labels/1' })).toBe(false);
  expect(isLabelUnfinished({ state: 'voided', pdfUrl: null })).toBe(false);
  const labels = [
    { id: 'a', state: 'voiding' },
    { id: 'b', state: 'bought' },
  ] as AdminLabel[];
  expect(currentLabelOf(labels)?.id).toBe('b');
  expect(currentLabelOf([])).toBeUndefined();
});
