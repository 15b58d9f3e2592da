import { createHash, createHmac, randomBytes } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNotNull, isNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import { tokens, type TokenPurpose } from './tokens.sql.ts';

export type { TokenPurpose } from './tokens.sql.ts';

/** 256 random bits, as text for cookies and links. */
export const createToken = () => randomBytes(32).toString('base64url');
/** The SHA-256 of a token. Only this is stored. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** The object that a token opens, and the token's lifetime in seconds. */
export interface TokenRequest {
  purpose: TokenPurpose;
  subjectId: string;
  seconds: number;
}

/** Creates a token for one purpose. Returns the token; only its hash is stored. */
export const issueToken = (tx: Db, clock: Clock, request: TokenRequest): Promise<string> =>
  storeToken(tx, clock, createToken(), request);

/**
 * Creates a token for an email address: 128 random bits in lower case, because mail servers may change the case of an
 * address and limit its length. Returns the token; only its hash is stored.
 */
export const issueAddressToken = (tx: Db, clock: Clock, request: TokenRequest): Promise<string> =>
  storeToken(tx, clock, randomBytes(16).toString('hex'), request);

/**
 * Returns a token that is always the same for the same secret, purpose and subject. Its lifetime starts at the first
 * call. If it was revoked, it stays revoked.
 */
export const issueSameToken = (tx: Db, clock: Clock, secret: string, request: TokenRequest): Promise<string> => {
  const derivedToken = createHmac('sha256', secret)
    .update(`${request.purpose}:${request.subjectId}`)
    .digest('base64url');
  return storeToken(tx, clock, derivedToken, request);
};

async function storeToken(tx: Db, clock: Clock, token: string, { purpose, subjectId, seconds }: TokenRequest) {
  await tx
    .insert(tokens)
    .values({
      tokenHash: hashToken(token),
      purpose,
      subjectId,
      createdAt: clock.now(),
      // Use the database's clock for issuing and expiry, so that all processes agree.
      expiresAt: sql`now() + make_interval(secs => ${seconds})`,
    })
    .onConflictDoNothing();
  return token;
}

/**
 * Creates the tokens of several links in one statement, if the condition `isWanted` is true. Rows that `isWanted` locks
 * stay locked until the tokens are stored. If `isWanted` is false, stores no tokens and returns undefined.
 */
export async function issueTokensWhile(
  db: Db,
  clock: Clock,
  requests: TokenRequest[],
  isWanted: SQL,
): Promise<string[] | undefined> {
  const issuedTokens = requests.map(() => createToken());
  const { rows } = await db.execute(sql`
    insert into tokens (token_hash, purpose, subject_id, created_at, expires_at)
    select hash, purpose, subject_id, ${sql.param(clock.now(), tokens.createdAt)}, now() + make_interval(secs => seconds)
    from unnest(
      ${sql.param(issuedTokens.map(hashToken))}::text[],
      ${sql.param(requests.map((it) => it.purpose))}::text[],
      ${sql.param(requests.map((it) => it.subjectId))}::text[],
      ${sql.param(requests.map((it) => it.seconds))}::float8[]
    ) as wanted (hash, purpose, subject_id, seconds)
    where ${isWanted}
    returning token_hash`);
  return rows.length === requests.length ? issuedTokens : undefined;
}

/**
 * Creates the only valid token of a subject and purpose. Revokes all earlier ones. Of simultaneous calls, only the last
 * token stays valid.
 */
export async function issueOnlyToken(tx: Db, clock: Clock, request: TokenRequest): Promise<string> {
  await endEarlierTokens(tx, clock, request);
  return issueToken(tx, clock, request);
}

/**
 * Revokes the earlier tokens of a subject and purpose. Takes a lock, so that simultaneous calls for the same subject
 * and purpose run one after another.
 */
export async function endEarlierTokens(tx: Db, clock: Clock, request: TokenRequest): Promise<void> {
  const { purpose, subjectId } = request;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${purpose}:${subjectId}`}, 0))`);
  await revokeTokens(tx, clock, purpose, subjectId);
}

const createValidTokenCondition = () =>
  and(gt(tokens.expiresAt, sql`now()`), isNull(tokens.usedAt), isNull(tokens.revokedAt));
const isUsable = (purposes: TokenPurpose[], token: string) =>
  and(eq(tokens.tokenHash, hashToken(token)), inArray(tokens.purpose, purposes), createValidTokenCondition());

/**
 * Returns the subject and the expiry of a token, if the token has one of these purposes. Returns undefined if the token
 * is unknown, used, revoked or expired.
 */
export async function readToken<P extends TokenPurpose>(
  db: Db,
  purpose: P | P[],
  token: string,
): Promise<{ purpose: P; subjectId: string; expiresAt: Date; closedAt: Date | null } | undefined> {
  const [found] = await db
    .select({
      purpose: tokens.purpose,
      subjectId: tokens.subjectId,
      expiresAt: tokens.expiresAt,
      closedAt: tokens.closedAt,
    })
    .from(tokens)
    .where(isUsable([purpose].flat(), token));
  return found && { ...found, purpose: found.purpose as P };
}

export interface ValidToken {
  /** The token's hash. It cannot be used as a token. */
  id: string;
  createdAt: Date;
  expiresAt: Date;
}
/** The valid tokens of a subject and purpose, oldest first. */
export const findValidTokens = (db: Db, purpose: TokenPurpose, subjectId: string): Promise<ValidToken[]> =>
  db
    .select({ id: tokens.tokenHash, createdAt: tokens.createdAt, expiresAt: tokens.expiresAt })
    .from(tokens)
    .where(and(eq(tokens.purpose, purpose), eq(tokens.subjectId, subjectId), createValidTokenCondition()))
    .orderBy(tokens.createdAt, tokens.tokenHash);

/** The condition that one of these tokens opens a subject, as SQL for the query that reads the subject. */
export const tokenMatchCondition = (purposes: TokenPurpose[], offered: string[], subjectId: SQLWrapper): SQL =>
  or(
    ...offered.map(
      (token) =>
        sql`exists (select from ${tokens} where ${and(isUsable(purposes, token), eq(tokens.subjectId, subjectId))})`,
    ),
  ) ?? sql`false`;

/**
 * Locks a token that allows changes, until the transaction ends. Transactions that revoke or close the token wait.
 * Returns false if the token is not valid or allows only reading.
 */
export async function lockToken(tx: Db, purpose: TokenPurpose, token: string): Promise<boolean> {
  const lockedRows = await tx
    .select({ id: tokens.tokenHash })
    .from(tokens)
    .where(and(isUsable([purpose], token), isNull(tokens.closedAt)))
    .for('share');
  return lockedRows.length > 0;
}

/**
 * Locks all tokens of a subject and purpose, in ascending order of their hashes, so that two such transactions cannot
 * deadlock.
 */
export async function lockTokens(tx: Db, purpose: TokenPurpose, subjectId: string): Promise<void> {
  const ownRows = tx
    .select({ id: tokens.tokenHash })
    .from(tokens)
    .where(and(eq(tokens.purpose, purpose), eq(tokens.subjectId, subjectId), isNull(tokens.revokedAt)));
  await ownRows.orderBy(asc(tokens.tokenHash)).for('update');
}

/**
 * Closes all tokens of a subject and purpose, so that they only allow reading. Tokens that are created later are not
 * affected. Returns false if `token` was not open before.
 */
export async function makeTokensReadOnly(
  tx: Db,
  clock: Clock,
  { purpose, subjectId, token }: { purpose: TokenPurpose; subjectId: string; token: string },
): Promise<boolean> {
  await lockTokens(tx, purpose, subjectId);
  const closedRows = await tx
    .update(tokens)
    .set({ closedAt: clock.now() })
    .where(
      and(
        eq(tokens.purpose, purpose),
        eq(tokens.subjectId, subjectId),
        isNull(tokens.closedAt),
        createValidTokenCondition(),
      ),
    )
    .returning({ id: tokens.tokenHash });
  return closedRows.some(({ id }) => id === hashToken(token));
}

/** The subject of a used token, until the token expires. A page can then still show what the token was used for. */
export async function readSpentToken(db: Db, purpose: TokenPurpose, token: string): Promise<string | undefined> {
  const [spent] = await db
    .select({ subjectId: tokens.subjectId })
    .from(tokens)
    .where(
      and(
        eq(tokens.tokenHash, hashToken(token)),
        eq(tokens.purpose, purpose),
        isNotNull(tokens.usedAt),
        gt(tokens.expiresAt, sql`now()`),
      ),
    );
  return spent?.subjectId;
}

/** Uses up a token. Returns its subject. Of simultaneous calls, only one succeeds; the others get undefined. */
export async function spendToken(
  tx: Db,
  clock: Clock,
  purpose: TokenPurpose,
  token: string,
): Promise<string | undefined> {
  const [spent] = await tx
    .update(tokens)
    .set({ usedAt: clock.now() })
    .where(isUsable([purpose], token))
    .returning({ subjectId: tokens.subjectId });
  return spent?.subjectId;
}

/**
 * Revokes all tokens of a subject and purpose, or only the one with this `id`. Returns the ids of the revoked tokens.
 */
export async function revokeTokens(
  tx: Db,
  clock: Clock,
  purpose: TokenPurpose,
  subjectId: string,
  id?: string,
): Promise<string[]> {
  const revokedTokens = await tx
    .update(tokens)
    .set({ revokedAt: clock.now() })
    .where(
      and(
        eq(tokens.purpose, purpose),
        eq(tokens.subjectId, subjectId),
        isNull(tokens.revokedAt),
        id === undefined ? undefined : eq(tokens.tokenHash, id),
      ),
    )
    .returning({ id: tokens.tokenHash });
  return revokedTokens.map((it) => it.id);
}

/** Deletes expired tokens. */
export const deleteExpiredTokens = deleteOldRows(tokens, tokens.tokenHash, tokens.expiresAt);
