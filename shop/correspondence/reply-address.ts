import { lifetimes } from '#contract/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { issueAddressToken } from '../tokens/tokens.ts';

/** A token as `issueAddressToken` writes it. */
const tokenPattern = /^[0-9a-f]{32}$/;

const monthSeconds = 31 * 86_400;

/**
 * Creates an address at which answers join a ticket: `support+TOKEN@example.com` for `support@example.com`. It works
 * for as long as the ticket is kept.
 */
export async function createReplyAddress(
  { db, clock }: { db: Db; clock: Clock },
  base: string,
  ticketId: string,
): Promise<string> {
  const seconds = lifetimes.supportRequestMonths * monthSeconds;
  const token = await issueAddressToken(db, clock, { purpose: 'ticket-reply', subjectId: ticketId, seconds });
  const atSignIndex = base.lastIndexOf('@');
  return `${base.slice(0, atSignIndex)}+${token}${base.slice(atSignIndex)}`;
}

/** The token in the first of these addresses that is a reply address of `base`. */
export function replyTokenIn(base: string, addresses: string[]): string | undefined {
  const atSignIndex = base.lastIndexOf('@');
  const addressPrefix = `${base.slice(0, atSignIndex)}+`.toLowerCase();
  const addressSuffix = base.slice(atSignIndex).toLowerCase();
  for (const address of addresses.map((it) => it.trim().toLowerCase())) {
    if (!address.startsWith(addressPrefix) || !address.endsWith(addressSuffix)) continue;
    const token = address.slice(addressPrefix.length, -addressSuffix.length);
    if (tokenPattern.test(token)) return token;
  }
  return undefined;
}
