import { isWebAddress } from './words.ts';

/** What people write in several lines; everything else is one line. */
const manyLined = new Set(['message', 'answer', 'reason', 'error']);

/**
 * The content with its strings made fit for a letter: no control characters, no marks that turn the reading direction,
 * no line breaks where one line is meant (the subject above all). Throws for a link that is no web address.
 */
export function tidy<T>(content: T): T {
  return tidied('', content) as T;
}

function tidied(name: string, value: unknown): unknown {
  if (typeof value === 'string') return tidyText(name, value);
  if (Array.isArray(value)) return value.map((item) => tidied(name, item));
  if (value === null || typeof value !== 'object') return value ?? undefined;
  return Object.fromEntries(Object.entries(value).map(([name, value]) => [name, tidied(name, value)]));
}

function tidyText(name: string, text: string): string {
  if (name.endsWith('Url')) {
    if (!isWebAddress(text)) throw new TypeError(`a letter's ${name} is no web address`);
    return text;
  }
  const visible = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (mark) => (/[\n\t]/.test(mark) ? mark : ' '));
  return manyLined.has(name) ? visible.trim() : visible.replaceAll(/\s+/g, ' ').trim();
}
