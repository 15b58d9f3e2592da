import { expect, test } from 'vitest';
import { splitQuote } from './split-quote.ts';

test.each([
  [
    'Gmail',
    'Yes, it works now!\n\nOn Mon, Nov 30, 2026 at 9:12 AM Kinframe <hello@kinframe.example>\nwrote:\n\n> Hello Anna,\n> did it help?',
  ],
  ['German', 'Yes, it works now!\n\nAm 30.11.26 um 09:12 schrieb Kinframe:\n> Hallo'],
  [
    'Outlook',
    'Yes, it works now!\n\n________________________________\nFrom: Kinframe <hello@kinframe.example>\nSent: Monday\nTo: Anna\nSubject: Our answer\n\nHello Anna',
  ],
  ['a separator', 'Yes, it works now!\n\n-----Original Message-----\nFrom: Kinframe\n\nHello Anna'],
  ['quote marks alone', 'Yes, it works now!\n\n> Hello Anna,\n>\n> did it help?\n'],
])('separates the new text from the quoted text of %s', (_, text) => {
  const { words, quoted } = splitQuote(text);
  expect(words.replace(/\s*_{10,}$/, '')).toBe('Yes, it works now!');
  expect(quoted).not.toBe('');
  expect(`${words}\n${quoted}`.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
});

test.each([
  ['answers between quoted lines', 'On Monday, Kinframe wrote:\n> Did it help?\nYes.\n> And the second frame?\nNo.'],
  [
    'an answer below the quoted text',
    'Hi!\n\nOn Monday, Kinframe <a@b.example> wrote:\n> Did it help?\n\nYes, thank you.',
  ],
  ['a text without a quote', 'On Monday we tried it again.\nFrom: the attic\nIt works.'],
  ['a text that is only a quote', '> Did it help?'],
])('does not split %s', (_, text) => {
  expect(splitQuote(text)).toEqual({ words: text, quoted: '' });
});

test('splits a long text without spaces quickly', () => {
  const startedAt = performance.now();
  splitQuote(`On ${'a'.repeat(50_000)}\n`.repeat(20));
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
