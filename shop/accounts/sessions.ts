import { and, desc, eq, gt, isNull, ne, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { lifetimes } from '#contract/limits.ts';
import type { OwnerSignInMethod } from '#contract/owner/security.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { customers, sessions, type Customer } from './accounts.sql.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import { hashToken, createToken } from '../tokens/tokens.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const panelIdleMs = lifetimes.adminSessionIdleMinutes * minuteMs;
const panelWholeMs = lifetimes.adminSessionHours * 60 * minuteMs;
const idleMs = { customer: lifetimes.customerSessionIdleDays * dayMs, admin: panelIdleMs, staff: panelIdleMs };
const wholeMs = { customer: lifetimes.customerSessionDays * dayMs, admin: panelWholeMs, staff: panelWholeMs };
/** `lastSeenAt` is written at most this often, so that most requests only read the session. */
const extendIntervalMs = { customer: 60 * minuteMs, admin: minuteMs, staff: minuteMs };

export type SessionKind = 'customer' | 'admin' | 'staff';

/**
 * Start a session with a new token, never one that the browser sent. Returns the cookie's value and max age in seconds.
 */
export async function beginSession(
  tx: Db,
  clock: Clock,
  who:
    | { kind: 'customer'; customerId: string; passkeyId?: string | null }
    | { kind: 'admin'; way: OwnerSignInMethod; device: string | null }
    | { kind: 'staff'; staffId: string; way: OwnerSignInMethod; device: string | null },
): Promise<{ token: string; maxAgeSeconds: number }> {
  const token = createToken();
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

const isLiveSession = (clock: Clock, kind: SessionKind, token: string) =>
  and(
    eq(sessions.tokenHash, hashToken(token)),
    eq(sessions.kind, kind),
    gt(sessions.expiresAt, clock.now()),
    gt(sessions.lastSeenAt, new Date(clock.now().getTime() - idleMs[kind])),
    isNull(sessions.endedBecause),
  );

const extendSession = (db: Db, clock: Clock, kind: SessionKind, token: string, lastSeenAt: Date) =>
  clock.now().getTime() - lastSeenAt.getTime() > extendIntervalMs[kind]
    ? db
        .update(sessions)
        .set({ lastSeenAt: clock.now() })
        .where(eq(sessions.tokenHash, hashToken(token)))
    : undefined;

/** The customer of a session cookie, if the session has not expired. */
export async function findCustomerOfSession(db: Db, clock: Clock, token: string): Promise<Customer | undefined> {
  const [found] = await db
    .select({ customer: customers, lastSeenAt: sessions.lastSeenAt })
    .from(sessions)
    .innerJoin(customers, eq(customers.id, sessions.customerId))
    .where(isLiveSession(clock, 'customer', token));
  if (found) await extendSession(db, clock, 'customer', token, found.lastSeenAt);
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
  const [session] = token === undefined ? [] : await selectCustomerSession(db, clock, customerId, token);
  return session;
}
/** Like `findBrowserSession`. Also locks the session, so that it does not end before the transaction does. */
export async function lockBrowserSession(
  tx: Db,
  clock: Clock,
  customerId: string,
  token: string | undefined,
): Promise<CustomerSession | undefined> {
  const [session] = token === undefined ? [] : await selectCustomerSession(tx, clock, customerId, token).for('share');
  return session;
}
const selectCustomerSession = (db: Db, clock: Clock, customerId: string, token: string) =>
  db
    .select({ tokenHash: sessions.tokenHash, passkeyId: sessions.passkeyId })
    .from(sessions)
    .where(and(isLiveSession(clock, 'customer', token), eq(sessions.customerId, customerId)));

/** A session of the panel: of the owner, or of a member of the staff. */
interface PanelSession {
  /** Null for the owner. */
  staffId: string | null;
  /**
   * When the person last proved their identity: at sign-in or by a later step-up. Null if the session was started by
   * the admin key only.
   */
  provedAt: Date | null;
}

/**
 * The panel's session of a cookie, if it has not expired or ended.
 *
 * @param isUse false: the request does not show that the person is active, so it does not extend the session
 */
export async function findPanelSession(
  db: Db,
  clock: Clock,
  token: string,
  { isUse = true }: { isUse?: boolean } = {},
): Promise<PanelSession | undefined> {
  const [found] = await db.select().from(sessions).where(isPanelSession(clock, token));
  if (!found) return undefined;
  if (isUse) await extendSession(db, clock, found.kind, token, found.lastSeenAt);
  return {
    staffId: found.staffId,
    provedAt: found.provedAt ?? (found.way === 'key' ? null : found.createdAt),
  };
}

const isPanelSession = (clock: Clock, token: string) =>
  or(isLiveSession(clock, 'admin', token), isLiveSession(clock, 'staff', token));

/** Why the owner ended this session of a member, if they did, so that the open panel can say it. */
export async function readReasonOfEnd(
  db: Db,
  clock: Clock,
  token: string,
): Promise<'removed' | 'role-changed' | undefined> {
  const [found] = await db
    .select({ endedBecause: sessions.endedBecause })
    .from(sessions)
    .where(and(eq(sessions.tokenHash, hashToken(token)), gt(sessions.expiresAt, clock.now())));
  return found?.endedBecause ?? undefined;
}

/** Ends all sessions of a member. Their open panels then say why. */
export const endSessionsOfMember = (tx: Db, staffId: string, because: 'removed' | 'role-changed') =>
  tx
    .update(sessions)
    .set({ endedBecause: because })
    .where(and(eq(sessions.staffId, staffId), isNull(sessions.endedBecause)));

/** How long a proof of identity remains valid, in milliseconds. Zero or negative: it has expired. */
export const proofMsLeft = (clock: Clock, { provedAt }: { provedAt: Date | null }): number =>
  provedAt === null ? 0 : provedAt.getTime() + lifetimes.freshSignInMinutes * minuteMs - clock.now().getTime();

/**
 * SQL that is true if the cookie belongs to a valid session. A query of private rows contains it, so that no second
 * query is needed for the permission. It does not update `lastSeenAt`.
 */
export const customerSessionCondition = (clock: Clock, token: string, customerId: SQL): SQL =>
  sql`exists (select from ${sessions} where ${and(isLiveSession(clock, 'customer', token), eq(sessions.customerId, customerId))})`;
/** Like `customerSessionCondition`, for the owner, and for a member of the staff of whom `mayMember` is true. */
export const panelSessionCondition = (clock: Clock, token: string, mayMember: (staffId: SQLWrapper) => SQL): SQL =>
  sql`exists (select from ${sessions} where ${or(
    isLiveSession(clock, 'admin', token),
    and(isLiveSession(clock, 'staff', token), mayMember(sessions.staffId)),
  )})`;

/** A customer's active sessions, the last seen first. */
export const readSessionsOf = (db: Db, clock: Clock, customerId: string) =>
  selectLivingSessions(db, clock, 'customer', eq(sessions.customerId, customerId));
/** The active sessions of the owner (`staffId` null) or of a member, the last seen first. */
export const readPanelSessions = (db: Db, clock: Clock, staffId: string | null) =>
  selectLivingSessions(db, clock, staffId === null ? 'admin' : 'staff', isOfPanel(staffId));

const isOfPanel = (staffId: string | null) =>
  staffId === null
    ? and(isNull(sessions.customerId), eq(sessions.kind, 'admin'))
    : and(eq(sessions.staffId, staffId), isNull(sessions.endedBecause));
const selectLivingSessions = (db: Db, clock: Clock, kind: SessionKind, isTheirs: SQL | undefined) =>
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
export const recordDeviceName = (db: Db, token: string, device: string | null) =>
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
  const freshSince = new Date(clock.now().getTime() - lifetimes.freshSignInMinutes * minuteMs);
  const [fresh] = await db
    .select({ id: sessions.tokenHash })
    .from(sessions)
    .where(
      and(
        isLiveSession(clock, 'customer', token),
        sql`coalesce(${sessions.provedAt}, ${sessions.createdAt}) > ${freshSince.toISOString()}::timestamptz`,
      ),
    );
  return fresh !== undefined;
}

/** End one of the customer's sessions. Returns false if there is none with this id. */
export async function endSessionOf(db: Db, customerId: string, id: string): Promise<boolean> {
  const endedRows = await db
    .delete(sessions)
    .where(and(eq(sessions.tokenHash, id), eq(sessions.customerId, customerId)))
    .returning({ id: sessions.tokenHash });
  return endedRows.length > 0;
}

/** End one of the sessions of the owner or of a member. Returns false if there is none with this id. */
export async function endPanelSession(tx: Db, staffId: string | null, id: string): Promise<boolean> {
  const endedRows = await tx
    .delete(sessions)
    .where(and(eq(sessions.tokenHash, id), isOfPanel(staffId)))
    .returning({ id: sessions.tokenHash });
  return endedRows.length > 0;
}

/**
 * End all sessions of the owner or of a member except the one with this token, if given. Returns how many ended.
 */
export async function endOtherPanelSessions(
  tx: Db,
  staffId: string | null,
  token: string | undefined,
): Promise<number> {
  const isAnother = token === undefined ? undefined : ne(sessions.tokenHash, hashToken(token));
  const endedRows = await tx
    .delete(sessions)
    .where(and(isOfPanel(staffId), isAnother))
    .returning({ id: sessions.tokenHash });
  return endedRows.length;
}

export const endSession = (db: Db, token: string) =>
  db.delete(sessions).where(eq(sessions.tokenHash, hashToken(token)));
export const endSessionsOf = (tx: Db, customerId: string) =>
  tx.delete(sessions).where(eq(sessions.customerId, customerId));
export const endOtherSessionsOf = (tx: Db, customerId: string, tokenHash: string) =>
  tx.delete(sessions).where(and(eq(sessions.customerId, customerId), ne(sessions.tokenHash, tokenHash)));
export const deleteExpiredSessions = deleteOldRows(sessions, sessions.tokenHash, sessions.expiresAt);
