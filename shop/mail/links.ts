import { sql, type SQL } from 'drizzle-orm';
import { giftCardLinkDays } from '#contract/gift-card-forms.ts';
import { lifetimes, limits } from '#contract/limits.ts';
import { endEarlierTokens, issueTokensWhile, type TokenRequest } from '../tokens/tokens.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';

/**
 * Finds the order that a link opens. The caller passes this function in, because the mail module must not import the
 * orders module.
 */
export type FindLinkedOrder = (
  db: Db,
  id: string,
) => Promise<{ orderNumber: string; customerId: string | null } | undefined>;
type LinkedOrder = () => ReturnType<FindLinkedOrder>;

interface LinkRule {
  purpose: TokenRequest['purpose'];
  days: number;
  path: (token: string, order: LinkedOrder) => string | Promise<string>;
  /** Keeps the token for this many days after the link expires, so that its page can say that the link has expired. */
  knownDays?: number;
  /** A new link revokes the earlier links with the same purpose and subject. */
  isOnlyOne?: boolean;
  /** Whether the link is still useful. Called when the mail is sent, which may be long after it was queued. */
  isOfUse?: (order: LinkedOrder) => Promise<boolean>;
}

/** The links in mails that give access with a token: their lifetime and their page. */
const linkRules = {
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
  delivery: {
    purpose: 'delivery',
    // The videos of a gift are kept from its shipping day. `until` ends the link when they are erased.
    days: limits.giftShipDays + lifetimes.deliveryDays + 1,
    path: (token) => `/delivery/${token}`,
  },
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
  'trial-film': {
    purpose: 'trial-view',
    days: lifetimes.trialHours / 24,
    path: (token) => `/film/${token}`,
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
  /** Signs out the new browser that a mail about a new sign-in reports. */
  'end-sign-in': {
    purpose: 'end-sign-in',
    days: lifetimes.endSignInDays,
    path: (token) => `/auth/end-sign-in?token=${token}`,
  },
  /** Opens the page where an invited person accepts. */
  'staff-invitation': {
    purpose: 'staff-invitation',
    days: lifetimes.staffInvitationDays,
    path: (token) => `/admin-invitation?token=${token}`,
    isOnlyOne: true,
  },
  unsubscribe: {
    purpose: 'unsubscribe',
    days: lifetimes.unsubscribeDays,
    path: (token) => `/unsubscribe?token=${token}`,
  },
  'gift-card': { purpose: 'gift-card', days: giftCardLinkDays, path: (token) => `/gift-cards/${token}` },
  cart: { purpose: 'cart', days: lifetimes.cartLinkDays, path: (token) => `/cart/${token}` },
  'payment-link': { purpose: 'payment-link', days: lifetimes.phoneOrderDays, path: (token) => `/cart/${token}` },
  'cart-unsubscribe': {
    purpose: 'cart-unsubscribe',
    days: lifetimes.unsubscribeDays,
    path: (token) => `/unsubscribe?token=${token}&of=cart`,
  },
  'confirm-email': {
    purpose: 'email-confirmation',
    days: lifetimes.emailConfirmationDays,
    path: (token) => `/auth/confirm-email?token=${token}`,
  },
} as const satisfies Record<string, LinkRule>;

/** A link in a mail that is not sent yet. Its token is created when the mail is sent. */
export interface MailLink {
  link: keyof typeof linkRules;
  /**
   * The id of an order, frame, customer, collect link, trial, email change, known browser, cart reminder, member of the
   * staff, gift card or order by phone, depending on the link.
   */
  subjectId: string;
  /** ISO 8601. The link expires at this time at the latest. */
  until?: string;
  /** The address to use if the link is no longer useful. Without it, the mail then contains no link. */
  otherwise?: string;
}

const isMailLink = (value: unknown): value is MailLink =>
  typeof value === 'object' && value !== null && 'link' in value && 'subjectId' in value;

/** The earliest `until` of a mail's links; undefined if no link has one. */
export const findEarliestLinkExpiry = (content: object): Date | undefined => {
  const linkEnds = Object.values(content).flatMap((it) => (isMailLink(it) && it.until ? Date.parse(it.until) : []));
  return linkEnds.length > 0 ? new Date(Math.min(...linkEnds)) : undefined;
};

/**
 * Returns the mail's content with addresses in place of its links, and `expiresAt`, the time when the first link
 * expires. The tokens are stored before this resolves, so that no mail is sent with an invalid link. If the mail is no
 * longer `isWanted`, stores no tokens and returns undefined. The condition `isWanted` locks the mail's row until the
 * tokens are stored.
 */
export async function writeLinks<Content extends object>(
  { db, clock, link, orderById }: { db: Db; clock: Clock; link: (path: string) => string; orderById: FindLinkedOrder },
  content: Content,
  isWanted: SQL,
) {
  const linkFields = Object.entries(content).filter((field): field is [string, MailLink] => isMailLink(field[1]));
  if (linkFields.length === 0) return content;
  const writeLinksInto = async (tx: Db) => {
    const addresses: Record<string, string | undefined> = {};
    const wantedLinks: { field: string; rule: LinkRule; order: LinkedOrder; end: number; request: TokenRequest }[] = [];
    for (const [field, { link: kind, subjectId, until, otherwise }] of linkFields) {
      const rule: LinkRule = linkRules[kind];
      const findOrder = () => orderById(tx, subjectId);
      if (rule.isOfUse && !(await rule.isOfUse(findOrder))) {
        addresses[field] = otherwise;
        continue;
      }
      const now = clock.now().getTime();
      const expiryMs = Math.min(now + rule.days * 86_400_000, until ? Date.parse(until) : Infinity);
      const seconds = Math.max(0, (expiryMs - now) / 1000) + (rule.knownDays ?? 0) * 86_400;
      wantedLinks.push({
        field,
        rule,
        order: findOrder,
        end: expiryMs,
        request: { purpose: rule.purpose, subjectId, seconds },
      });
    }
    if (wantedLinks.length === 0) return { ...content, ...addresses };
    const linksWithSingleToken = wantedLinks.filter((it) => it.rule.isOnlyOne);
    // Lock the mail before the tokens, in the same sequence as the code that deletes mails' content, to avoid
    // deadlocks.
    if (linksWithSingleToken.length > 0 && (await tx.execute(sql`select where ${isWanted}`)).rows.length === 0)
      return undefined;
    for (const { request } of linksWithSingleToken) await endEarlierTokens(tx, clock, request);
    const requests = wantedLinks.map((it) => it.request);
    const tokens = await issueTokensWhile(tx, clock, requests, isWanted);
    if (!tokens) return undefined;
    for (const [at, { field, rule, order }] of wantedLinks.entries())
      addresses[field] = link(await rule.path(tokens[at]!, order));
    const expiresAt = new Date(Math.min(...wantedLinks.map((it) => it.end))).toISOString();
    return { ...content, ...addresses, expiresAt };
  };
  // Without earlier tokens to revoke there is only one statement, which needs no transaction.
  return linkFields.some(([, it]) => (linkRules[it.link] as LinkRule).isOnlyOne)
    ? db.transaction(writeLinksInto)
    : writeLinksInto(db);
}
