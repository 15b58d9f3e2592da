import { and, desc, eq, gt, isNull, ne, sql, type SQL } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import type { OwnerSignInMethod } from '#contract/owner/security.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { customers, sessions, type Customer } from './accounts.sql.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import { hashToken, newToken } from '../tokens/tokens.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const idleMs = { customer: lifetimes.customerSessionIdleDays * day, admin: lifetimes.adminSessionIdleMinutes * minute };
const wholeMs = { customer: lifetimes.customerSessionDays * day, admin: lifetimes.adminSessionHours * 60 * minute };
/** `lastSeenAt` is written at most this often, so that most requests only read the session. */
const touchMs = { customer: 60 * minute, admin: minute };

export type SessionKind = 'customer' | 'admin';

/**
 * Start a session with a new token, never one that the browser sent. Returns the cookie's value and max age in seconds.
 */
export async function beginSession(
  tx: Db,
  clock: Clock,
  who:
    | { kind: 'customer'; customerId: string; passkeyId?: string | null }
    | { kind: 'admin'; way: OwnerSignInMethod; device: string | null },
): Promise<{ token: string; maxAgeSeconds: number }> {
  const token = newToken();
  const now = clock.now();
  await tx.insert(sessions).values({
    tokenHash: hashToken(token),
    ...who,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + wholeMs[who.kind]),
  });
  return { token, maxAgeSeconds: wholeMs[who.kind] / 1000 };
}

const isAlive = (clock: Clock, kind: SessionKind, token: string) =>
  and(
    eq(sessions.tokenHash, hashToken(token)),
    eq(sessions.kind, kind),
    gt(sessions.expiresAt, clock.now()),
    gt(sessions.lastSeenAt, new Date(clock.now().getTime() - idleMs[kind])),
  );

const touch = (db: Db, clock: Clock, kind: SessionKind, token: string, lastSeenAt: Date) =>
  clock.now().getTime() - lastSeenAt.getTime() > touchMs[kind]
    ? db
        .update(sessions)
        .set({ lastSeenAt: clock.now() })
        .where(eq(sessions.tokenHash, hashToken(token)))
    : undefined;

/** The customer of a session cookie, if the session has not expired. */
export async function customerOfSession(db: Db, clock: Clock, token: string): Promise<Customer | undefined> {
  const [found] = await db
    .select({ customer: customers, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .innerJoin(customers, eq(customers.id, sessions.customerId))
    .where(isAlive(clock, 'customer', token));
  if (found) await touch(db, clock, 'customer', token, found.lastSeenAt);
  return found?.customer;
}

/** The values of a customer's session that are needed to change the account. */
export interface CustomerSession {
  tokenHash: string;
  /** The passkey that started the session; null if a password or a mailed link started it. */
  passkeyId: string | null;
}
/** The session of this browser's cookie, if it belongs to this customer and has not expired. */
export async function findBrowserSession(
  db: Db,
  clock: Clock,
  customerId: string,
  token: string | undefined,
): Promise<CustomerSession | undefined> {
  const [session] = token === undefined ? [] : await sessionOf(db, clock, customerId, token);
  return session;
}
/** Like `findBrowserSession`. Also locks the session, so that it does not end before the transaction does. */
export async function lockBrowserSession(
  tx: Db,
  clock: Clock,
  customerId: string,
  token: string | undefined,
): Promise<CustomerSession | undefined> {
  const [session] = token === undefined ? [] : await sessionOf(tx, clock, customerId, token).for('share');
  return session;
}
const sessionOf = (db: Db, clock: Clock, customerId: string, token: string) =>
  db
    .select({ tokenHash: sessions.tokenHash, passkeyId: sessions.passkeyId })
    .from(sessions)
    .where(and(isAlive(clock, 'customer', token), eq(sessions.customerId, customerId)));

/**
 * The owner's session, if it has not expired. `provedAt` is when the owner last proved their identity: at sign-in or by
 * a later step-up. It is null if the session was started by the admin key only.
 */
export async function adminSession(
  db: Db,
  clock: Clock,
  token: string,
): Promise<{ provedAt: Date | null } | undefined> {
  const [found] = await db
    .select()
    .from(sessions)
    .where(isAlive(clock, 'admin', token));
  if (!found) return undefined;
  await touch(db, clock, 'admin', token, found.lastSeenAt);
  return { provedAt: found.provedAt ?? (found.way === 'key' ? null : found.createdAt) };
}

/** How long a proof of identity remains valid, in milliseconds. Zero or negative: it has expired. */
export const proofMsLeft = (clock: Clock, { provedAt }: { provedAt: Date | null }): number =>
  provedAt === null ? 0 : provedAt.getTime() + lifetimes.freshSignInMinutes * minute - clock.now().getTime();

/**
 * SQL that is true if the cookie belongs to a valid session. A query of private rows contains it, so that no second
 * query is needed for the permission. It does not update `lastSeenAt`.
 */
export const customerSessionCondition = (clock: Clock, token: string, customerId: SQL): SQL =>
  sql`exists (select from ${sessions} where ${and(isAlive(clock, 'customer', token), eq(sessions.customerId, customerId))})`;
export const ownerSessionCondition = (clock: Clock, token: string): SQL =>
  sql`exists (select from ${sessions} where ${isAlive(clock, 'admin', token)})`;

/** A customer's active sessions, the last seen first. */
export const sessionsOf = (db: Db, clock: Clock, customerId: string) =>
  livingSessions(db, clock, 'customer', eq(sessions.customerId, customerId));
/** The owner's active sessions, the last seen first. */
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

/** Store the name of this session's browser. */
export const nameDevice = (db: Db, token: string, device: string | null) =>
  db
    .update(sessions)
    .set({ device })
    .where(eq(sessions.tokenHash, hashToken(token)));

/** Store that the password was entered again in this session. */
export const recordReauthentication = (db: Db, clock: Clock, token: string) =>
  db
    .update(sessions)
    .set({ provedAt: clock.now() })
    .where(eq(sessions.tokenHash, hashToken(token)));

/** Whether the session's user signed in or entered the password recently and need not enter it again. */
export async function isRecentlyAuthenticated(db: Db, clock: Clock, token: string): Promise<boolean> {
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

/** End one of the customer's sessions. Returns false if there is none with this id. */
export async function endSessionOf(db: Db, customerId: string, id: string): Promise<boolean> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.tokenHash, id), eq(sessions.customerId, customerId)))
    .returning({ id: sessions.tokenHash });
  return ended.length > 0;
}

/** End one of the owner's sessions. Returns false if there is none with this id. */
export async function endOwnersSession(tx: Db, id: string): Promise<boolean> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.tokenHash, id), isOwners()))
    .returning({ id: sessions.tokenHash });
  return ended.length > 0;
}

/** End all of the owner's sessions except the one with this token, if given. Returns how many ended. */
export async function endOtherOwnersSessions(tx: Db, token: string | undefined): Promise<number> {
  const isAnother = token === undefined ? undefined : ne(sessions.tokenHash, hashToken(token));
  const ended = await tx.delete(sessions).where(and(isOwners(), isAnother)).returning({ id: sessions.tokenHash });
  return ended.length;
}

export const endSession = (db: Db, token: string) =>
  db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)));
export const endSessionsOf = (tx: Db, customerId: string) =>
  tx.delete(sessions).where(eq(sessions.customerId, customerId));
export const endOtherSessionsOf = (tx: Db, customerId: string, tokenHash: string) =>
  tx.delete(sessions).where(and(eq(sessions.customerId, customerId), ne(sessions.tokenHash, tokenHash)));
export const deleteExpiredSessions = deleteOldRows(sessions, sessions.tokenHash, sessions.expiresAt);
