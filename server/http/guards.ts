import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Refusal } from '#contract/refusals.ts';
import type { Customer } from '#shop/accounts/accounts.ts';
import { beginSession, customerOfSession, isAdminSession } from '#shop/accounts/sessions.ts';
import { recordAct } from '#shop/audit/audit.ts';
import type { Clock, Db } from '#shop/ports.ts';
import type { Config } from '../config.ts';
import type { CookieJar } from './cookies.ts';

/** Who a request is from, decided by exactly one thing: the session cookie, or the admin's cookie or key. */
export interface Guards {
  /** Undefined when nobody is signed in. */
  maybeCustomer(request: FastifyRequest): Promise<Customer | undefined>;
  /** Refuses when nobody is signed in. */
  customer(request: FastifyRequest): Promise<Customer>;
  isAdmin(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
  /** Refuses who is not the admin, or not at an allowed address. */
  admin(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Whether the admin may be at the request's address at all. */
  isAllowedAddress(request: FastifyRequest): boolean;
  refuseForeignAddress(request: FastifyRequest): void;
}

export function createGuards({
  db,
  clock,
  config,
  jar,
}: {
  db: Db;
  clock: Clock;
  config: Config;
  jar: CookieJar;
}): Guards {
  const isAllowed = addressFilter(config.adminAllowedIps);
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
    isAllowedAddress: ({ ip }) => isAllowed(ip),
    refuseForeignAddress(request) {
      if (!isAllowed(request.ip)) throw new Refusal('address-not-allowed');
    },
    async isAdmin(request, reply) {
      if (!isAllowed(request.ip)) return false;
      const token = jar.read(request, 'admin-sid');
      if (token !== undefined && (await isAdminSession(db, clock, token))) return true;
      if (isKey(request.headers['x-admin-key'])) return true;
      if (!isKey((request.query as { admin_key?: string }).admin_key)) return false;
      // Taken once: from here on the cookie speaks, and the key can leave the address bar.
      const session = await beginSession(db, clock, { kind: 'admin' });
      jar.set(reply, 'admin-sid', session.token, session.maxAgeSeconds);
      await recordAct(db, clock, { act: 'admin-sign-in', requestId: request.id });
      return true;
    },
    async admin(request, reply) {
      guards.refuseForeignAddress(request);
      if (!(await guards.isAdmin(request, reply))) throw new Refusal('admin-needed');
    },
  };
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
