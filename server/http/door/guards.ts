import { createHash, timingSafeEqual } from 'node:crypto';
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Refusal } from '#contract/refusals.ts';
import type { Customer } from '#shop/accounts/accounts.ts';
import { customerOfSession, isAdminSession, isCustomersSession, isOwnersSession } from '#shop/accounts/sessions.ts';
import {
  readCollecting,
  readContributor,
  type Collecting,
  type Contributor,
} from '#shop/collect-links/collect-links.ts';
import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import { isTokenFor } from '#shop/tokens/tokens.ts';
import { readUploadLink, type UploadLink } from '#shop/upload-links/upload-links.ts';
import type { Config } from '../../config.ts';
import type { CookieJar } from './cookies.ts';
import { ownersDoor } from './owners-door.ts';

/** Who a request is from, decided by exactly one thing: a session's cookie, the admin's key, or a link's token or cookie. */
export interface Guards {
  /** Undefined when nobody is signed in. */
  maybeCustomer(request: FastifyRequest): Promise<Customer | undefined>;
  /** Refuses when nobody is signed in. */
  customer(request: FastifyRequest): Promise<Customer>;
  /**
   * The upload link that is offered: in the query, else by the cookie that it was exchanged for. Refuses one that opens
   * nothing; undefined where there is none.
   *
   * @param token in place of the query's, of a form
   */
  maybeUploadLink(request: FastifyRequest, token?: string): Promise<UploadLink | undefined>;
  /** Refuses where there is none, too. */
  uploadLink(request: FastifyRequest, token?: string): Promise<UploadLink>;
  /** What a collect link's token opens. Refuses one that is unknown. */
  collecting(token: string): Promise<Collecting>;
  maybeContributor(request: FastifyRequest, collecting: Collecting): Promise<Contributor | undefined>;
  isAdmin(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
  /** Refuses who is not the admin, or not at an allowed address. */
  admin(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** That it is this customer who asks, as a condition of the query that looks up what is theirs: both cost one. */
  whereCustomer(request: FastifyRequest, customerId: SQL): SQL;
  /** That it is the holder of an upload link of this customer's. */
  whereUploadLink(request: FastifyRequest, customerId: SQL): SQL;
  /** That it is who brought it through a collect link. */
  whereContributor(request: FastifyRequest, contributorId: SQLWrapper): SQL;
  /** That it is the admin, in the same way. */
  whereAdmin(request: FastifyRequest, reply: FastifyReply): Promise<SQL>;
  /** Whether the admin may be at the request's address at all. */
  isAllowedAddress(request: FastifyRequest): boolean;
  refuseForeignAddress(request: FastifyRequest): void;
}

export function createGuards({
  db,
  clock,
  config,
  jar,
  countWrongKey,
}: {
  db: Db;
  clock: Clock;
  config: Config;
  jar: CookieJar;
  /** Refuses an address with too many of them. */
  countWrongKey: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}): Guards {
  const isAllowed = addressFilter(config.adminAllowedIps);
  const { admit, turnAway } = ownersDoor({ db, clock, jar });
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
      const asked = token ?? (request.query as { token?: unknown }).token ?? jar.read(request, 'upload-link');
      if (typeof asked !== 'string') return undefined;
      const link = await readUploadLink(db, asked);
      if (!link) throw new Refusal('link-expired');
      return link;
    },
    async uploadLink(request, token) {
      const link = await guards.maybeUploadLink(request, token);
      if (!link) throw new Refusal('link-missing');
      return link;
    },
    async collecting(token) {
      const collecting = await readCollecting(db, token);
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
    async isAdmin(request, reply) {
      if (!isAllowed(request.ip)) {
        await noteForeignKey(request, reply);
        return false;
      }
      const token = jar.read(request, 'admin-sid');
      if (token !== undefined && (await isAdminSession(db, clock, token))) return true;
      return hasKey(request, reply);
    },
    whereCustomer(request, customerId) {
      const token = jar.read(request, 'sid');
      return token === undefined ? sql`false` : isCustomersSession(clock, token, customerId);
    },
    whereUploadLink(request, customerId) {
      const token = jar.read(request, 'upload-link');
      return token === undefined ? sql`false` : isTokenFor(['upload-link'], [token], customerId);
    },
    whereContributor: (request, contributorId) => isTokenFor(['contributor'], jar.contributors(request), contributorId),
    async whereAdmin(request, reply) {
      if (!isAllowed(request.ip)) return sql`false`;
      if (await hasKey(request, reply)) return sql`true`;
      const token = jar.read(request, 'admin-sid');
      return token === undefined ? sql`false` : isOwnersSession(clock, token);
    },
    async admin(request, reply) {
      const isOwner = await guards.isAdmin(request, reply);
      guards.refuseForeignAddress(request);
      if (!isOwner) throw new Refusal('admin-needed');
    },
  };
  async function hasKey(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const { inHeader, inAddress } = keysIn(request);
    if (isKey(inHeader)) return true;
    if (!isKey(inAddress)) {
      if (inHeader || inAddress) await noteWrongKey(request, reply);
      return false;
    }
    // Taken once: from here on the cookie speaks, and the key can leave the address bar.
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
  /** Right or wrong: who brings it may not be there. The first ones of an address are written down. */
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

/** What a proxy writes on a request it brings. */
export const proxyMarks = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'] as const;
/** Through a proxy on this machine everyone comes from loopback; a marked request is someone else's. */
export const isProxied = ({ headers }: FastifyRequest) => proxyMarks.some((name) => headers[name] !== undefined);

/** Addresses and CIDR ranges; an empty list lets everyone in. IPv4 in IPv6's clothes counts as IPv4. */
export function addressFilter(list: string[]): (address: string) => boolean {
  const ranges = list.map((it) =>
    ipaddr.isValidCIDR(it)
      ? ipaddr.parseCIDR(it)
      : ([ipaddr.process(it), ipaddr.process(it).kind() === 'ipv4' ? 32 : 128] as const),
  );
  return (address) => {
    if (ranges.length === 0) return true;
    if (!ipaddr.isValid(address)) return false;
    const asked = ipaddr.process(address);
    return ranges.some(([range, bits]) => range.kind() === asked.kind() && asked.match(range, bits));
  };
}
