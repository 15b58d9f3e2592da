import { sql, type SQL } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import { endEarlierTokens, issueTokensWhile, type TokenRequest } from '../tokens/tokens.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';

/** What links tell of an order: orders stand above mail, so it is given how to look one up. */
export type FindLinkedOrder = (
  db: Db,
  id: string,
) => Promise<{ orderNumber: string; customerId: string | null } | undefined>;
type LinkedOrder = () => ReturnType<FindLinkedOrder>;

interface LinkRule {
  purpose: TokenRequest['purpose'];
  days: number;
  path: (token: string, order: LinkedOrder) => string | Promise<string>;
  /** So long after its end its page still knows it. */
  knownDays?: number;
  /** An earlier link of its kind opens nothing any more. */
  isOnlyOne?: boolean;
  /** Asked when the mail goes out; a mail may wait, or be sent again much later. */
  isOfUse?: (order: LinkedOrder) => Promise<boolean>;
}

/** The links of letters that open something by themselves: for how long, and at which page. */
const links = {
  'purchase-success': {
    purpose: 'order-access',
    days: lifetimes.orderAccessDays,
    path: (token) => `/purchase-success?session=${token}`,
  },
  order: {
    purpose: 'order-access',
    days: lifetimes.orderAccessDays,
    path: async (token, order) => `/orders/${(await order())!.orderNumber}?session=${token}`,
  },
  'complete-registration': {
    purpose: 'finish-registration',
    days: lifetimes.finishRegistrationDays,
    path: (token) => `/complete-registration?token=${token}`,
    isOfUse: async (order) => (await order())?.customerId === null,
  },
  delivery: { purpose: 'delivery', days: lifetimes.deliveryDays, path: (token) => `/delivery/${token}` },
  proof: { purpose: 'proof', days: lifetimes.proofLinkDays, path: (token) => `/proof/${token}` },
  review: { purpose: 'review', days: lifetimes.reviewLinkDays, path: (token) => `/review/${token}` },
  'customer-upload': {
    purpose: 'upload-link',
    days: lifetimes.uploadLinkDays,
    path: (token) => `/customer-upload?token=${token}`,
  },
  collect: {
    purpose: 'collect',
    days: lifetimes.collectLinkDays + 1,
    path: (token) => `/collect/${token}`,
    knownDays: lifetimes.collectEndedDays,
  },
  'reset-password': {
    purpose: 'password-reset',
    days: lifetimes.passwordResetHours / 24,
    path: (token) => `/auth/reset-password?token=${token}`,
    isOnlyOne: true,
  },
  'sign-in': {
    purpose: 'sign-in',
    days: lifetimes.signInLinkMinutes / 1440,
    path: (token) => `/auth/link?token=${token}`,
    isOnlyOne: true,
  },
  'change-email': {
    purpose: 'email-change',
    days: lifetimes.emailChangeHours / 24,
    path: (token) => `/auth/change-email?token=${token}`,
    isOnlyOne: true,
  },
  unsubscribe: {
    purpose: 'unsubscribe',
    days: lifetimes.unsubscribeDays,
    path: (token) => `/unsubscribe?token=${token}`,
  },
  'confirm-email': {
    purpose: 'email-confirmation',
    days: lifetimes.emailConfirmationDays,
    path: (token) => `/auth/confirm-email?token=${token}`,
  },
} as const satisfies Record<string, LinkRule>;

/** A link as a waiting letter holds it: what it is to open. Its token is made when the mail goes out. */
export interface MailLink {
  link: keyof typeof links;
  /** An order's, frame's or customer's id, by the link. */
  subjectId: string;
  /** ISO 8601; the link ends then, if not by itself before. */
  until?: string;
  /** The address to write where the link would be of no use any more; else it is left out. */
  otherwise?: string;
}

const isMailLink = (value: unknown): value is MailLink =>
  typeof value === 'object' && value !== null && 'link' in value && 'subjectId' in value;

/** When the first of a letter's links is over; undefined when none of them is bound to a day. */
export const endOf = (content: object): Date | undefined => {
  const ends = Object.values(content).flatMap((it) => (isMailLink(it) && it.until ? Date.parse(it.until) : []));
  return ends.length > 0 ? new Date(Math.min(...ends)) : undefined;
};

/**
 * The letter with addresses in place of its links, and `expiresAt`, the moment the first of them ends. Their tokens are
 * stored when this resolves, so no mail leaves with a link that opens nothing. Undefined, and there are no tokens, where
 * the mail is not `isWanted` any more, a condition that holds what it asks until they are stored.
 */
export async function writeLinks<Content extends object>(
  { db, clock, link, orderById }: { db: Db; clock: Clock; link: (path: string) => string; orderById: FindLinkedOrder },
  content: Content,
  isWanted: SQL,
) {
  const asked = Object.entries(content).filter((field): field is [string, MailLink] => isMailLink(field[1]));
  if (asked.length === 0) return content;
  const write = async (tx: Db) => {
    const addresses: Record<string, string | undefined> = {};
    const wanted: { field: string; rule: LinkRule; order: LinkedOrder; end: number; request: TokenRequest }[] = [];
    for (const [field, { link: kind, subjectId, until, otherwise }] of asked) {
      const rule: LinkRule = links[kind];
      const order = () => orderById(tx, subjectId);
      if (rule.isOfUse && !(await rule.isOfUse(order))) {
        addresses[field] = otherwise;
        continue;
      }
      const now = clock.now().getTime();
      const end = Math.min(now + rule.days * 86_400_000, until ? Date.parse(until) : Infinity);
      const seconds = Math.max(0, (end - now) / 1000) + (rule.knownDays ?? 0) * 86_400;
      wanted.push({ field, rule, order, end, request: { purpose: rule.purpose, subjectId, seconds } });
    }
    if (wanted.length === 0) return { ...content, ...addresses };
    const only = wanted.filter((it) => it.rule.isOnlyOne);
    // The mail before the tokens, as whoever forgets it does.
    if (only.length > 0 && (await tx.execute(sql`select where ${isWanted}`)).rows.length === 0) return undefined;
    for (const { request } of only) await endEarlierTokens(tx, clock, request);
    const requests = wanted.map((it) => it.request);
    const tokens = await issueTokensWhile(tx, clock, requests, isWanted);
    if (!tokens) return undefined;
    for (const [at, { field, rule, order }] of wanted.entries())
      addresses[field] = link(await rule.path(tokens[at]!, order));
    const expiresAt = new Date(Math.min(...wanted.map((it) => it.end))).toISOString();
    return { ...content, ...addresses, expiresAt };
  };
  // One statement needs no transaction around it.
  return asked.some(([, it]) => (links[it.link] as LinkRule).isOnlyOne) ? db.transaction(write) : write(db);
}
