import { createHash, createHmac, randomBytes } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNotNull, isNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { forgetRows } from '../forget.ts';
import { tokens, type TokenPurpose } from './tokens.sql.ts';

/** 256 random bits, as text for cookies and links. */
export const newToken = () => randomBytes(32).toString('base64url');
/** What is stored of a token. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

/** What a token is to open, and for how long. */
export interface TokenRequest {
  purpose: TokenPurpose;
  subjectId: string;
  seconds: number;
}

/** Make a link's token for one purpose. Answers the token: only its hash is kept. */
export const issueToken = (tx: Db, clock: Clock, request: TokenRequest): Promise<string> =>
  keepToken(tx, clock, newToken(), request);

/**
 * The same token for the same holder's secret, purpose and subject, however often and wherever it is asked for. Its end
 * is counted from the first time; revoked, it stays so.
 */
export const issueSameToken = (tx: Db, clock: Clock, secret: string, request: TokenRequest): Promise<string> => {
  const derived = createHmac('sha256', secret).update(`${request.purpose}:${request.subjectId}`).digest('base64url');
  return keepToken(tx, clock, derived, request);
};

async function keepToken(tx: Db, clock: Clock, token: string, { purpose, subjectId, seconds }: TokenRequest) {
  await tx
    .insert(tokens)
    .values({
      tokenHash: hashOf(token),
      purpose,
      subjectId,
      createdAt: clock.now(),
      // Issued and expired by the database's clock: all processes agree on it.
      expiresAt: sql`now() + make_interval(secs => ${seconds})`,
    })
    .onConflictDoNothing();
  return token;
}

/**
 * Tokens of several links in one statement, which asks for `isWanted` first: what that locks is held until they are
 * stored. Undefined where it does not hold, and then there are none.
 */
export async function issueTokensWhile(
  db: Db,
  clock: Clock,
  requests: TokenRequest[],
  isWanted: SQL,
): Promise<string[] | undefined> {
  const issued = requests.map(() => newToken());
  const { rows } = await db.execute(sql`
    insert into tokens (token_hash, purpose, subject_id, created_at, expires_at)
    select hash, purpose, subject_id, ${sql.param(clock.now(), tokens.createdAt)}, now() + make_interval(secs => seconds)
    from unnest(
      ${sql.param(issued.map(hashOf))}::text[],
      ${sql.param(requests.map((it) => it.purpose))}::text[],
      ${sql.param(requests.map((it) => it.subjectId))}::text[],
      ${sql.param(requests.map((it) => it.seconds))}::float8[]
    ) as wanted (hash, purpose, subject_id, seconds)
    where ${isWanted}
    returning token_hash`);
  return rows.length === requests.length ? issued : undefined;
}

/** The one token that opens this subject for its purpose: earlier ones do so no more, and of two at once the later. */
export async function issueOnlyToken(tx: Db, clock: Clock, request: TokenRequest): Promise<string> {
  await endEarlierTokens(tx, clock, request);
  return issueToken(tx, clock, request);
}

/** What was issued for this does so no more; who issues another at the same moment waits. */
export async function endEarlierTokens(tx: Db, clock: Clock, request: TokenRequest): Promise<void> {
  const { purpose, subjectId } = request;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${purpose}:${subjectId}`}, 0))`);
  await revokeTokens(tx, clock, purpose, subjectId);
}

const isLiving = () => and(gt(tokens.expiresAt, sql`now()`), isNull(tokens.usedAt), isNull(tokens.revokedAt));
const isUsable = (purposes: TokenPurpose[], token: string) =>
  and(eq(tokens.tokenHash, hashOf(token)), inArray(tokens.purpose, purposes), isLiving());

/** Whom or what a token opens, and for which of these purposes; undefined when it is unknown, used, revoked or too old. */
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

export interface LivingToken {
  /** Its hash: opens nothing. */
  id: string;
  createdAt: Date;
  expiresAt: Date;
}
/** The links that open a subject for this purpose now, oldest first. */
export const livingTokens = (db: Db, purpose: TokenPurpose, subjectId: string): Promise<LivingToken[]> =>
  db
    .select({ id: tokens.tokenHash, createdAt: tokens.createdAt, expiresAt: tokens.expiresAt })
    .from(tokens)
    .where(and(eq(tokens.purpose, purpose), eq(tokens.subjectId, subjectId), isLiving()))
    .orderBy(tokens.createdAt, tokens.tokenHash);

/** Whether one of these tokens opens a subject, as a condition of the query that looks the subject up. */
export const isTokenFor = (purposes: TokenPurpose[], offered: string[], subjectId: SQLWrapper): SQL =>
  or(
    ...offered.map(
      (token) =>
        sql`exists (select from ${tokens} where ${and(isUsable(purposes, token), eq(tokens.subjectId, subjectId))})`,
    ),
  ) ?? sql`false`;

/**
 * Hold a token that lets its holder change what it opens until the transaction ends: ending or closing it waits so long.
 * False: it does not, or no longer.
 */
export async function holdToken(tx: Db, purpose: TokenPurpose, token: string): Promise<boolean> {
  const held = await tx
    .select({ id: tokens.tokenHash })
    .from(tokens)
    .where(and(isUsable([purpose], token), isNull(tokens.closedAt)))
    .for('share');
  return held.length > 0;
}

/** Hold all tokens of a purpose that open a subject, in one sequence for everyone who ends or closes several. */
export async function holdTokens(tx: Db, purpose: TokenPurpose, subjectId: string): Promise<void> {
  const own = tx
    .select({ id: tokens.tokenHash })
    .from(tokens)
    .where(and(eq(tokens.purpose, purpose), eq(tokens.subjectId, subjectId), isNull(tokens.revokedAt)));
  await own.orderBy(asc(tokens.tokenHash)).for('update');
}

/** From now on this subject's tokens only show it; new ones are as open as any. False where `token` was not open. */
export async function closeTokens(
  tx: Db,
  clock: Clock,
  { purpose, subjectId, token }: { purpose: TokenPurpose; subjectId: string; token: string },
): Promise<boolean> {
  await holdTokens(tx, purpose, subjectId);
  const closed = await tx
    .update(tokens)
    .set({ closedAt: clock.now() })
    .where(and(eq(tokens.purpose, purpose), eq(tokens.subjectId, subjectId), isNull(tokens.closedAt), isLiving()))
    .returning({ id: tokens.tokenHash });
  return closed.some(({ id }) => id === hashOf(token));
}

/** What a token opened that was used up, as long as it would have lived: its page still knows what came of it. */
export async function readSpentToken(db: Db, purpose: TokenPurpose, token: string): Promise<string | undefined> {
  const [spent] = await db
    .select({ subjectId: tokens.subjectId })
    .from(tokens)
    .where(
      and(
        eq(tokens.tokenHash, hashOf(token)),
        eq(tokens.purpose, purpose),
        isNotNull(tokens.usedAt),
        gt(tokens.expiresAt, sql`now()`),
      ),
    );
  return spent?.subjectId;
}

/** Use a token up: of two who come at once, one gets its subject. */
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

/** No earlier token of this purpose opens this subject any more; with an `id`, that one alone. Answers their ids. */
export async function revokeTokens(
  tx: Db,
  clock: Clock,
  purpose: TokenPurpose,
  subjectId: string,
  id?: string,
): Promise<string[]> {
  const revoked = await tx
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
  return revoked.map((it) => it.id);
}

/** Expired tokens tell nothing any more. */
export const forgetTokens = forgetRows(tokens, tokens.tokenHash, tokens.expiresAt);
