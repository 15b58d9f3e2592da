import { and, desc, eq, gt, isNull, ne, sql, type SQL } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import type { OwnersWay } from '#contract/owner/security.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { customers, sessions, type Customer } from './accounts.sql.ts';
import { forgetRows } from '../forget.ts';
import { hashOf, newToken } from '../tokens/tokens.ts';

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
  who: { kind: 'customer'; customerId: string } | { kind: 'admin'; way: OwnersWay; device: string | null },
): Promise<{ token: string; maxAgeSeconds: number }> {
  const token = newToken();
  const now = clock.now();
  await tx.insert(sessions).values({
    tokenHash: hashOf(token),
    ...who,
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

/** As conditions of the query that looks up what is private, so that asking and allowing cost one. They keep no session awake. */
export const isCustomersSession = (clock: Clock, token: string, customerId: SQL): SQL =>
  sql`exists (select from ${sessions} where ${and(isAlive(clock, 'customer', token), eq(sessions.customerId, customerId))})`;
export const isOwnersSession = (clock: Clock, token: string): SQL =>
  sql`exists (select from ${sessions} where ${isAlive(clock, 'admin', token)})`;

/** A customer's sessions that are alive, the one last seen first. */
export const sessionsOf = (db: Db, clock: Clock, customerId: string) =>
  livingSessions(db, clock, 'customer', eq(sessions.customerId, customerId));
/** The owner's. */
export const ownersSessions = (db: Db, clock: Clock) => livingSessions(db, clock, 'admin', isOwners());

const isOwners = () => and(isNull(sessions.customerId), eq(sessions.kind, 'admin'));
const livingSessions = (db: Db, clock: Clock, kind: SessionKind, isTheirs: SQL | undefined) =>
  db
    .select()
    .from(sessions)
    .where(
      and(
        isTheirs,
        gt(sessions.expiresAt, clock.now()),
        gt(sessions.lastSeenAt, new Date(clock.now().getTime() - idleMs[kind])),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.createdAt));

/** What this session's browser calls itself. */
export const nameDevice = (db: Db, token: string, device: string | null) =>
  db
    .update(sessions)
    .set({ device })
    .where(eq(sessions.tokenHash, hashOf(token)));

/** The password was given again in this session. */
export const markProved = (db: Db, clock: Clock, token: string) =>
  db
    .update(sessions)
    .set({ provedAt: clock.now() })
    .where(eq(sessions.tokenHash, hashOf(token)));

/** Whether somebody signed in to this session just now, or gave their password: they need not prove themselves again. */
export async function isFreshSession(db: Db, clock: Clock, token: string): Promise<boolean> {
  const since = new Date(clock.now().getTime() - lifetimes.freshSignInMinutes * minute);
  const [fresh] = await db
    .select({ id: sessions.tokenHash })
    .from(sessions)
    .where(
      and(
        isAlive(clock, 'customer', token),
        sql`coalesce(${sessions.provedAt}, ${sessions.createdAt}) > ${since.toISOString()}::timestamptz`,
      ),
    );
  return fresh !== undefined;
}

/** One of the customer's own. False where there is none. */
export async function endSessionOf(db: Db, customerId: string, id: string): Promise<boolean> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.tokenHash, id), eq(sessions.customerId, customerId)))
    .returning({ id: sessions.tokenHash });
  return ended.length > 0;
}

/** One of the owner's. False where there is none. */
export async function endOwnersSession(tx: Db, id: string): Promise<boolean> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.tokenHash, id), isOwners()))
    .returning({ id: sessions.tokenHash });
  return ended.length > 0;
}

/** All of the owner's but the one with this token, if any. Answers how many. */
export async function endOtherOwnersSessions(tx: Db, token: string | undefined): Promise<number> {
  const isAnother = token === undefined ? undefined : ne(sessions.tokenHash, hashOf(token));
  const ended = await tx.delete(sessions).where(and(isOwners(), isAnother)).returning({ id: sessions.tokenHash });
  return ended.length;
}

export const endSession = (db: Db, token: string) => db.delete(sessions).where(eq(sessions.tokenHash, hashOf(token)));
export const endSessionsOf = (tx: Db, customerId: string) =>
  tx.delete(sessions).where(eq(sessions.customerId, customerId));
export const forgetSessions = forgetRows(sessions, sessions.tokenHash, sessions.expiresAt);
