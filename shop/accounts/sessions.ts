import { and, eq, gt, lt } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import type { Clock, Db } from '../ports.ts';
import { customers, sessions, type Customer } from './accounts.sql.ts';
import { hashOf, newToken } from './tokens.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const idleMs = { customer: lifetimes.customerSessionIdleDays * day, admin: lifetimes.adminSessionIdleMinutes * minute };
const wholeMs = { customer: lifetimes.customerSessionDays * day, admin: lifetimes.adminSessionHours * 60 * minute };
/** A visit is written down at most this often: reading a session costs no write. */
const touchMs = { customer: 60 * minute, admin: minute };

export type SessionKind = 'customer' | 'admin';

/** Begin a session under a new token, never one the browser brought. Answers the cookie's value and its age in seconds. */
export async function beginSession(
  tx: Db,
  clock: Clock,
  who: { kind: 'customer'; customerId: string } | { kind: 'admin' },
): Promise<{ token: string; maxAgeSeconds: number }> {
  const token = newToken();
  const now = clock.now();
  await tx.insert(sessions).values({
    tokenHash: hashOf(token),
    kind: who.kind,
    customerId: who.kind === 'customer' ? who.customerId : null,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + wholeMs[who.kind]),
  });
  return { token, maxAgeSeconds: wholeMs[who.kind] / 1000 };
}

const isAlive = (clock: Clock, kind: SessionKind, token: string) =>
  and(
    eq(sessions.tokenHash, hashOf(token)),
    eq(sessions.kind, kind),
    gt(sessions.expiresAt, clock.now()),
    gt(sessions.lastSeenAt, new Date(clock.now().getTime() - idleMs[kind])),
  );

const touch = (db: Db, clock: Clock, kind: SessionKind, token: string, lastSeenAt: Date) =>
  clock.now().getTime() - lastSeenAt.getTime() > touchMs[kind]
    ? db
        .update(sessions)
        .set({ lastSeenAt: clock.now() })
        .where(eq(sessions.tokenHash, hashOf(token)))
    : undefined;

/** The customer a session cookie stands for, while neither idle nor old. */
export async function customerOfSession(db: Db, clock: Clock, token: string): Promise<Customer | undefined> {
  const [found] = await db
    .select({ customer: customers, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .innerJoin(customers, eq(customers.id, sessions.customerId))
    .where(isAlive(clock, 'customer', token));
  if (found) await touch(db, clock, 'customer', token, found.lastSeenAt);
  return found?.customer;
}

export async function isAdminSession(db: Db, clock: Clock, token: string): Promise<boolean> {
  const [found] = await db
    .select()
    .from(sessions)
    .where(isAlive(clock, 'admin', token));
  if (found) await touch(db, clock, 'admin', token, found.lastSeenAt);
  return found !== undefined;
}

export const endSession = (db: Db, token: string) => db.delete(sessions).where(eq(sessions.tokenHash, hashOf(token)));
export const endSessionsOf = (tx: Db, customerId: string) =>
  tx.delete(sessions).where(eq(sessions.customerId, customerId));
export const sweepSessions = (db: Db, clock: Clock) => db.delete(sessions).where(lt(sessions.expiresAt, clock.now()));
