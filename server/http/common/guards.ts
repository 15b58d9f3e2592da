import { createHash, timingSafeEqual } from 'node:crypto';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { StepUp } from '#contract/operation.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Customer } from '#shop/accounts/accounts.ts';
import {
  customerOfSession,
  customerSessionCondition,
  ownerSessionCondition,
  adminSession,
  proofMsLeft,
} from '#shop/accounts/sessions.ts';
import {
  readCollectLinkWithOrder,
  readContributor,
  type CollectLinkWithOrder,
  type Contributor,
} from '#shop/collect-links/collect-links.ts';
import { tokenMatchCondition } from '#shop/tokens/tokens.ts';
import { readUploadLink, type UploadLink } from '#shop/upload-links/upload-links.ts';
import type { Config } from '../../config.ts';
import type { CookieJar } from './cookies.ts';
import { createOwnerSignIn, type OwnersScope } from './owner-sign-in.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The `stepUp` of an operation. Routes outside the contract can set it, too. */
    stepUp?: StepUp | undefined;
  }
}

/**
 * Find out who sent a request. Only these identify a sender: the cookie of a session, the admin's key, and the token or
 * cookie of a link.
 */
export interface Guards {
  /** The signed-in customer. Undefined if no one is signed in. */
  maybeCustomer(request: FastifyRequest): Promise<Customer | undefined>;
  /** The signed-in customer. Refuses the request if no one is signed in. */
  customer(request: FastifyRequest): Promise<Customer>;
  /**
   * The upload link whose token is in the query or, if not there, in the cookie. Refuses an invalid token. Undefined if
   * the request has no token.
   *
   * @param token a token from a form, used instead of the query and the cookie
   */
  maybeUploadLink(request: FastifyRequest, token?: string): Promise<UploadLink | undefined>;
  /** Like `maybeUploadLink`, but refuses a request without a token. */
  uploadLink(request: FastifyRequest, token?: string): Promise<UploadLink>;
  /** The collect link with this token, and its frame. Refuses an unknown token. */
  collecting(token: string): Promise<CollectLinkWithOrder>;
  maybeContributor(request: FastifyRequest, collecting: CollectLinkWithOrder): Promise<Contributor | undefined>;
  isAdmin(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
  /**
   * Refuses everyone except the admin at an allowed IP address. If the matched route sets `stepUp`, also refuses an
   * admin without the proof of identity that `StepUp` describes.
   */
  admin(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /**
   * An SQL condition that is true if this customer sent the request. It is added to the query for the data, so that
   * check and data need only one query.
   */
  whereCustomer(request: FastifyRequest, customerId: SQL): SQL;
  /** An SQL condition that is true if the request has the token of this customer's upload link. */
  whereUploadLink(request: FastifyRequest, customerId: SQL): SQL;
  /** An SQL condition that is true if this contributor sent the request. */
  whereContributor(request: FastifyRequest, contributorId: SQLWrapper): SQL;
  /** An SQL condition that is true if the admin sent the request. */
  whereAdmin(request: FastifyRequest, reply: FastifyReply): Promise<SQL>;
  /** True if the admin may use the request's IP address. */
  isAllowedAddress(request: FastifyRequest): boolean;
  refuseForeignAddress(request: FastifyRequest): void;
}

export function createGuards({
  config,
  jar,
  countWrongKey,
  ...scope
}: OwnersScope & {
  config: Config;
  jar: CookieJar;
  /** Counts a wrong admin key. Refuses the request if its IP address has sent too many wrong keys. */
  countWrongKey: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}): Guards {
  const { db, clock } = scope;
  const isAllowed = addressFilter(config.adminAllowedIps);
  const { admit, turnAway } = createOwnerSignIn({ ...scope, jar });
  const guards: Guards = {
    async maybeCustomer(request) {
      const token = jar.read(request, 'sid');
      return token === undefined ? undefined : customerOfSession(db, clock, token);
    },
    async customer(request) {
      const customer = await guards.maybeCustomer(request);
      if (!customer) throw new Refusal('sign-in-needed');
      return customer;
    },
    async maybeUploadLink(request, token) {
      const linkToken = token ?? (request.query as { token?: unknown }).token ?? jar.read(request, 'upload-link');
      if (typeof linkToken !== 'string') return undefined;
      const link = await readUploadLink(db, linkToken);
      if (!link) throw new Refusal('link-expired');
      return link;
    },
    async uploadLink(request, token) {
      const link = await guards.maybeUploadLink(request, token);
      if (!link) throw new Refusal('link-missing');
      return link;
    },
    async collecting(token) {
      const collecting = await readCollectLinkWithOrder(db, token);
      if (!collecting) throw new Refusal('collect-link-invalid');
      return collecting;
    },
    async maybeContributor(request, { link }) {
      const token = jar.contributor(request, link.id);
      return token === undefined ? undefined : readContributor(db, link.id, token);
    },
    isAllowedAddress: ({ ip }) => isAllowed(ip),
    refuseForeignAddress(request) {
      if (!isAllowed(request.ip)) throw new Refusal('address-not-allowed');
    },
    isAdmin: async (request, reply) => (await ownerOf(request, reply)) !== undefined,
    whereCustomer(request, customerId) {
      const token = jar.read(request, 'sid');
      return token === undefined ? sql`false` : customerSessionCondition(clock, token, customerId);
    },
    whereUploadLink(request, customerId) {
      const token = jar.read(request, 'upload-link');
      return token === undefined ? sql`false` : tokenMatchCondition(['upload-link'], [token], customerId);
    },
    whereContributor: (request, contributorId) =>
      tokenMatchCondition(['contributor'], jar.contributors(request), contributorId),
    async whereAdmin(request, reply) {
      if (!isAllowed(request.ip)) return sql`false`;
      if (await hasKey(request, reply)) return sql`true`;
      const token = jar.read(request, 'admin-sid');
      return token === undefined ? sql`false` : ownerSessionCondition(clock, token);
    },
    async admin(request, reply) {
      const owner = await ownerOf(request, reply);
      guards.refuseForeignAddress(request);
      if (!owner) throw new Refusal('admin-needed');
      const { stepUp } = request.routeOptions.config;
      if (stepUp === undefined || stepUp === 'in-body' || proofMsLeft(clock, owner) > 0) return;
      // A script with the admin key in the header needs no second proof, because it cannot give one. No website can
      // make a browser send this header.
      if (stepUp === true && (owner.byKey || isKey(keysIn(request).inHeader))) return;
      throw new Refusal('step-up-needed');
    },
  };
  /** Identifies the owner by the session or, without a session, by the admin key. */
  async function ownerOf(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ provedAt: Date | null; byKey: boolean } | undefined> {
    if (!isAllowed(request.ip)) {
      await noteForeignKey(request, reply);
      return undefined;
    }
    const token = jar.read(request, 'admin-sid');
    const session = token === undefined ? undefined : await adminSession(db, clock, token);
    if (session) return { ...session, byKey: false };
    return (await hasKey(request, reply)) ? { provedAt: null, byKey: true } : undefined;
  }
  async function hasKey(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { inHeader, inAddress } = keysIn(request);
    if (isKey(inHeader)) return true;
    if (!isKey(inAddress)) {
      if (inHeader || inAddress) await noteWrongKey(request, reply);
      return false;
    }
    // Start a session in exchange for the key. Later requests use its cookie, so the key can be removed from the
    // address bar.
    await admit(request, reply, 'key');
    return true;
  }
  const keysIn = (request: FastifyRequest) => ({
    inHeader: request.headers['x-admin-key'],
    inAddress: (request.query as { admin_key?: unknown }).admin_key,
  });
  const noted = new WeakSet<FastifyRequest>();
  async function noteWrongKey(request: FastifyRequest, reply: FastifyReply, why?: string): Promise<void> {
    if (config.adminKey === undefined || noted.has(request)) return;
    noted.add(request);
    await countWrongKey(request, reply);
    await turnAway(request, 'key', why);
  }
  /**
   * Records every key, right or wrong, from an IP address that is not allowed. The rate limit stops the records of an
   * address with too many keys.
   */
  async function noteForeignKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { inHeader, inAddress } = keysIn(request);
    if (!inHeader && !inAddress) return;
    await noteWrongKey(request, reply, 'address-not-allowed').catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
  }
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const isKey = (offered: unknown) =>
    config.adminKey !== undefined &&
    typeof offered === 'string' &&
    timingSafeEqual(digest(offered), digest(config.adminKey));
  return guards;
}

/** Headers that a proxy adds to a request. */
export const proxyMarks = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'] as const;
/**
 * True if a proxy has forwarded the request. Behind a proxy on this machine every request comes from loopback, so the
 * IP address alone does not prove that the sender is on this machine.
 */
export const isProxied = ({ headers }: FastifyRequest) => proxyMarks.some((name) => headers[name] !== undefined);

/**
 * Returns a function that tests IP addresses against a list of addresses and CIDR ranges. An empty list allows every
 * address. An IPv4-mapped IPv6 address is tested as IPv4.
 */
export function addressFilter(list: string[]): (address: string) => boolean {
  const ranges = list.map((it) =>
    ipaddr.isValidCIDR(it)
      ? ipaddr.parseCIDR(it)
      : ([ipaddr.process(it), ipaddr.process(it).kind() === 'ipv4' ? 32 : 128] as const),
  );
  return (address) => {
    if (ranges.length === 0) return true;
    if (!ipaddr.isValid(address)) return false;
    const linkToken = ipaddr.process(address);
    return ranges.some(([range, bits]) => range.kind() === linkToken.kind() && linkToken.match(range, bits));
  };
}
