import type { ParsedMail } from '#shop/ports/inbound-mail.ts';

type Headers = readonly { key: string; value: string }[];

/** Returns the first value of a header, in lower case and trimmed; an empty text if it is missing. */
const findHeaderValue = (headers: Headers, name: string) =>
  headers
    .find(({ key }) => key === name)
    ?.value.trim()
    .toLowerCase() ?? '';
const hasHeader = (headers: Headers, ...names: string[]) => headers.some(({ key }) => names.includes(key));

/**
 * Whether a person wrote an email, from its headers: RFC 3834 (Auto-Submitted), RFC 2919 (List-Id), RFC 3464 (reports),
 * and the headers of common auto-responders.
 */
export function detectMailOrigin(headers: Headers, from: string | undefined): ParsedMail['origin'] {
  const autoSubmitted = findHeaderValue(headers, 'auto-submitted');
  if (autoSubmitted !== '' && !/^no\b/.test(autoSubmitted)) return 'automatic';
  if (hasHeader(headers, 'x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-response', 'x-loop'))
    return 'automatic';
  if (/\bauto[_-]?reply\b/.test(findHeaderValue(headers, 'precedence'))) return 'automatic';
  if (findHeaderValue(headers, 'content-type').startsWith('multipart/report')) return 'automatic';
  // Bounces have an empty return path, so that no one answers them.
  if (hasHeader(headers, 'return-path') && /^(<\s*>)?$/.test(findHeaderValue(headers, 'return-path')))
    return 'automatic';
  if (/^(mailer-daemon|postmaster)@/.test(from ?? '')) return 'automatic';
  if (/^(bulk|junk|list)\b/.test(findHeaderValue(headers, 'precedence'))) return 'list';
  if (hasHeader(headers, 'list-id', 'list-unsubscribe')) return 'list';
  return 'person';
}

/** Whether the sender asks not to get automatic replies. Exchange writes this header. */
export function refusesAutomaticReplies(headers: Headers): boolean {
  const suppressedResponses = findHeaderValue(headers, 'x-auto-response-suppress');
  return suppressedResponses !== '' && suppressedResponses !== 'none';
}

/** Headers with the address at which a mail server received the email. `to` and `cc` are parsed separately. */
const recipientHeaders = new Set([
  'delivered-to',
  'x-original-to',
  'envelope-to',
  'x-envelope-to',
  'x-forwarded-to',
  'apparently-to',
]);

/** The addresses in these headers, in lower case. */
export const listHeaderRecipients = (headers: Headers): string[] =>
  headers
    .filter(({ key }) => recipientHeaders.has(key))
    .flatMap(
      ({ value }) =>
        value
          .slice(0, 1000)
          .toLowerCase()
          .match(/[^\s<>,;"]+@[^\s<>,;"]+/g) ?? [],
    );
