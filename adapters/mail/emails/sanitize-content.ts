import { isWebAddress } from './email-text.ts';

/** Fields that may have several lines. All other fields have one line. */
const multilineProperties = new Set(['message', 'answer', 'reason', 'error']);

/**
 * Cleans the strings of an email's content. Removes control characters, marks that change the reading direction, and
 * line breaks in fields with one line (such as the subject). Throws for a link that is not a web address.
 */
export function sanitizeContent<T>(content: T): T {
  return sanitizeValue('', content) as T;
}

function sanitizeValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return tidyText(name, value);
  if (Array.isArray(value)) return value.map((item) => sanitizeValue(name, item));
  if (value === null || typeof value !== 'object') return value ?? undefined;
  return Object.fromEntries(Object.entries(value).map(([name, value]) => [name, sanitizeValue(name, value)]));
}

function tidyText(name: string, text: string): string {
  if (name.endsWith('Url')) {
    if (!isWebAddress(text)) throw new TypeError(`an email's ${name} is no web address`);
    return text;
  }
  const visibleText = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, (mark) => (/[\n\t]/.test(mark) ? mark : ' '));
  return multilineProperties.has(name) ? visibleText.trim() : visibleText.replaceAll(/\s+/g, ' ').trim();
}
