import { createHash, timingSafeEqual } from 'node:crypto';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { StepUp } from '#contract/operation.ts';
import { canUse, roleNamesFor, type PanelArea } from '#contract/owner/areas.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Customer } from '#shop/accounts/accounts.ts';
import { owner, type PanelPerson } from '#shop/audit/audit.ts';
import { findActiveMember, memberMayUse } from '#shop/staff/staff.ts';
import {
  findCustomerOfSession,
  customerSessionCondition,
  findPanelSession,
  panelSessionCondition,
  proofMsLeft,
  readReasonOfEnd,
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
import { rememberPerson } from './by.ts';
import { personOfMember } from './panel-people.ts';
import type { CookieJar } from './cookies.ts';
import { createOwnerSignIn, type OwnersScope } from './owner-sign-in.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The `stepUp` of an operation. Routes outside the contract can set it, too. */
    stepUp?: StepUp | undefined;
    /** The area of an operation. Without it, only the role `owner` may use a route that calls `guards.admin`. */
    area?: PanelArea | undefined;
  }
}

/**
 * Find out who sent a request. Only these identify a sender: the cookie of a session, the admin's key, and the token or
 * cookie of a link.
 */
export interface Guards {
  /** The signed-in customer. Undefined if no one is signed in. */
  findCustomer(request: FastifyRequest): Promise<Customer | undefined>;
  /** The signed-in customer. Refuses the request if no one is signed in. */
  requireCustomer(request: FastifyRequest): Promise<Customer>;
  /**
   * The upload link whose token is in the query or, if not there, in the cookie. Refuses an invalid token. Undefined if
   * the request has no token.
   *
   * @param token a token from a form, used instead of the query and the cookie
   */
  findUploadLink(request: FastifyRequest, token?: string): Promise<UploadLink | undefined>;
  /** Like `findUploadLink`, but refuses a request without a token. */
  requireUploadLink(request: FastifyRequest, token?: string): Promise<UploadLink>;
  /** The collect link with this token, and its frame. Refuses an unknown token. */
  requireCollectLink(token: string): Promise<CollectLinkWithOrder>;
  findContributor(request: FastifyRequest, collecting: CollectLinkWithOrder): Promise<Contributor | undefined>;
  /** The person who is signed in to the panel, at an allowed IP address. Undefined if there is none. */
  panelPerson(request: FastifyRequest, reply: FastifyReply): Promise<PanelPerson | undefined>;
  /** Whether the request comes from the panel and from a role that may use this area. */
  isAdmin(request: FastifyRequest, reply: FastifyReply, area: PanelArea): Promise<boolean>;
  /** Why the session of a member of the staff was ended, if it was. */
  findReasonOfEnd(request: FastifyRequest): Promise<'removed' | 'role-changed' | undefined>;
  /**
   * Refuses everyone except a person of the panel at an allowed IP address, whose role may use the `area` of the
   * matched route. A route without an area is the owner's. If the matched route sets `stepUp`, also refuses a person
   * without the proof of identity that `StepUp` describes.
   */
  requireAdmin(request: FastifyRequest, reply: FastifyReply, options?: { isUse?: boolean }): Promise<void>;
  /**
   * An SQL condition that is true if this customer sent the request. It is added to the query for the data, so that
   * check and data need only one query.
   */
  customerCondition(request: FastifyRequest, customerId: SQL): SQL;
  /** An SQL condition that is true if the request has the token of this customer's upload link. */
  uploadLinkCondition(request: FastifyRequest, customerId: SQL): SQL;
  /** An SQL condition that is true if this contributor sent the request. */
  contributorCondition(request: FastifyRequest, contributorId: SQLWrapper): SQL;
  /** An SQL condition that is true if a person of the panel sent the request whose role may use this area. */
  adminCondition(request: FastifyRequest, reply: FastifyReply, area: PanelArea): Promise<SQL>;
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
  const isAllowed = createAddressFilter(config.adminAllowedIps);
  const { admit, turnAway } = createOwnerSignIn({ ...scope, jar });
  const guards: Guards = {
    async findCustomer(request) {
      const token = jar.read(request, 'sid');
      return token === undefined ? undefined : findCustomerOfSession(db, clock, token);
    },
    async requireCustomer(request) {
      const requireCustomer = await guards.findCustomer(request);
      if (!requireCustomer) throw new Refusal('sign-in-needed');
      return requireCustomer;
    },
    async findUploadLink(request, token) {
      const linkToken = token ?? (request.query as { token?: unknown }).token ?? jar.read(request, 'upload-link');
      if (typeof linkToken !== 'string') return undefined;
      const link = await readUploadLink(db, linkToken);
      if (!link) throw new Refusal('link-expired');
      return link;
    },
    async requireUploadLink(request, token) {
      const link = await guards.findUploadLink(request, token);
      if (!link) throw new Refusal('link-missing');
      return link;
    },
    async requireCollectLink(token) {
      const openCollectLink = await readCollectLinkWithOrder(db, token);
      if (!openCollectLink) throw new Refusal('collect-link-invalid');
      return openCollectLink;
    },
    async findContributor(request, { link }) {
      const token = jar.readContributor(request, link.id);
      return token === undefined ? undefined : readContributor(db, link.id, token);
    },
    isAllowedAddress: ({ ip }) => isAllowed(ip),
    refuseForeignAddress(request) {
      if (!isAllowed(request.ip)) throw new Refusal('address-not-allowed');
    },
    panelPerson: async (request, reply) => (await identifyCaller(request, reply))?.person,
    isAdmin: async (request, reply, area) => {
      const caller = await identifyCaller(request, reply);
      return caller !== undefined && canUse(caller.person.role, area);
    },
    async findReasonOfEnd(request) {
      const token = jar.read(request, 'admin-sid');
      return token === undefined ? undefined : readReasonOfEnd(db, clock, token);
    },
    customerCondition(request, customerId) {
      const token = jar.read(request, 'sid');
      return token === undefined ? sql`false` : customerSessionCondition(clock, token, customerId);
    },
    uploadLinkCondition(request, customerId) {
      const token = jar.read(request, 'upload-link');
      return token === undefined ? sql`false` : tokenMatchCondition(['upload-link'], [token], customerId);
    },
    contributorCondition: (request, contributorId) =>
      tokenMatchCondition(['contributor'], jar.readContributors(request), contributorId),
    async adminCondition(request, reply, area) {
      if (!isAllowed(request.ip)) return sql`false`;
      if (await hasAdminKey(request, reply)) return sql`true`;
      const token = jar.read(request, 'admin-sid');
      return token === undefined
        ? sql`false`
        : panelSessionCondition(clock, token, (staffId) => memberMayUse(staffId, area));
    },
    async requireAdmin(request, reply, options) {
      const caller = await identifyCaller(request, reply, options);
      guards.refuseForeignAddress(request);
      if (!caller) throw await createRefusalOfVisitor(request);
      rememberPerson(request, caller.person);
      const { stepUp, area = 'security' } = request.routeOptions.config;
      if (!canUse(caller.person.role, area)) throw new Refusal('role-needed', { needed: roleNamesFor(area) });
      if (stepUp === undefined || stepUp === 'in-body' || proofMsLeft(clock, caller) > 0) return;
      // A script with the admin key in the header needs no second proof, because it cannot give one. No website can
      // make a browser send this header.
      if (stepUp === true && (caller.byKey || isAdminKey(readAdminKeys(request).inHeader))) return;
      throw new Refusal('step-up-needed');
    },
  };
  /** The refusal of a request without a session. It says if the owner has ended the session. */
  async function createRefusalOfVisitor(request: FastifyRequest): Promise<Refusal> {
    const reason = await guards.findReasonOfEnd(request);
    return new Refusal(reason === undefined ? 'admin-needed' : `staff-${reason}`);
  }
  /** Identifies a person of the panel by the session or, without a session, the owner by the admin key. */
  async function identifyCaller(
    request: FastifyRequest,
    reply: FastifyReply,
    options?: { isUse?: boolean },
  ): Promise<{ person: PanelPerson; provedAt: Date | null; byKey: boolean } | undefined> {
    if (!isAllowed(request.ip)) {
      await noteForeignKey(request, reply);
      return undefined;
    }
    const token = jar.read(request, 'admin-sid');
    const session = token === undefined ? undefined : await findPanelSession(db, clock, token, options);
    if (session) {
      // The role is read again for each request, so that a change applies at once.
      const member = session.staffId === null ? undefined : await findActiveMember(db, session.staffId);
      const person = session.staffId === null ? owner : member && personOfMember(member);
      return person && { person, provedAt: session.provedAt, byKey: false };
    }
    return (await hasAdminKey(request, reply)) ? { person: owner, provedAt: null, byKey: true } : undefined;
  }
  async function hasAdminKey(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { inHeader, inAddress } = readAdminKeys(request);
    if (isAdminKey(inHeader)) return true;
    if (!isAdminKey(inAddress)) {
      if (inHeader || inAddress) await noteWrongKey(request, reply);
      return false;
    }
    // Start a session in exchange for the key. Later requests use its cookie, so the key can be removed from the
    // address bar.
    await admit(request, reply, 'key');
    return true;
  }
  const readAdminKeys = (request: FastifyRequest) => ({
    inHeader: request.headers['x-admin-key'],
    inAddress: (request.query as { admin_key?: unknown }).admin_key,
  });
  const countedWrongKeyRequests = new WeakSet<FastifyRequest>();
  async function noteWrongKey(request: FastifyRequest, reply: FastifyReply, why?: string): Promise<void> {
    if (config.adminKey === undefined || countedWrongKeyRequests.has(request)) return;
    countedWrongKeyRequests.add(request);
    await countWrongKey(request, reply);
    await turnAway(request, 'key', why);
  }
  /**
   * Records every key, right or wrong, from an IP address that is not allowed. The rate limit stops the records of an
   * address with too many keys.
   */
  async function noteForeignKey(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { inHeader, inAddress } = readAdminKeys(request);
    if (!inHeader && !inAddress) return;
    await noteWrongKey(request, reply, 'address-not-allowed').catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
  }
  const sha256Of = (text: string) => createHash('sha256').update(text).digest();
  const isAdminKey = (offered: unknown) =>
    config.adminKey !== undefined &&
    typeof offered === 'string' &&
    timingSafeEqual(sha256Of(offered), sha256Of(config.adminKey));
  return guards;
}

/** Headers that a proxy adds to a request. */
export const proxyHeaderNames = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'] as const;
/**
 * True if a proxy has forwarded the request. Behind a proxy on this machine every request comes from loopback, so the
 * IP address alone does not prove that the sender is on this machine.
 */
export const isProxied = ({ headers }: FastifyRequest) => proxyHeaderNames.some((name) => headers[name] !== undefined);

/**
 * Returns a function that tests IP addresses against a list of addresses and CIDR ranges. An empty list allows every
 * address. An IPv4-mapped IPv6 address is tested as IPv4.
 */
export function createAddressFilter(list: string[]): (address: string) => boolean {
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
