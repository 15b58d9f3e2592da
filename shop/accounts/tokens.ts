import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Clock, Db } from '../ports.ts';
import { tokens, type TokenPurpose } from './accounts.sql.ts';

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
export async function issueToken(tx: Db, clock: Clock, request: TokenRequest): Promise<string> {
  const { purpose, subjectId, seconds } = request;
  const token = newToken();
  await tx.insert(tokens).values({
    tokenHash: hashOf(token),
    purpose,
    subjectId,
    createdAt: clock.now(),
    // Issued and expired by the database's clock: all processes agree on it.
    expiresAt: sql`now() + make_interval(secs => ${seconds})`,
  });
  return token;
}

/** The one token that opens this subject for its purpose: earlier ones do so no more, and of two at once the later. */
export async function issueOnlyToken(tx: Db, clock: Clock, request: TokenRequest): Promise<string> {
  const { purpose, subjectId } = request;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${purpose}:${subjectId}`}, 0))`);
  await revokeTokens(tx, clock, purpose, subjectId);
  return issueToken(tx, clock, request);
}

const isUsable = (purpose: TokenPurpose, token: string) =>
  and(
    eq(tokens.tokenHash, hashOf(token)),
    eq(tokens.purpose, purpose),
    gt(tokens.expiresAt, sql`now()`),
    isNull(tokens.usedAt),
    isNull(tokens.revokedAt),
  );

/** Whom or what a token opens; undefined when it is unknown, used, revoked or too old. */
export async function readToken(
  db: Db,
  purpose: TokenPurpose,
  token: string,
): Promise<{ subjectId: string; expiresAt: Date } | undefined> {
  const [found] = await db
    .select({ subjectId: tokens.subjectId, expiresAt: tokens.expiresAt })
    .from(tokens)
    .where(isUsable(purpose, token));
  return found;
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
    .where(isUsable(purpose, token))
    .returning({ subjectId: tokens.subjectId });
  return spent?.subjectId;
}

/** No earlier token of this purpose opens this subject any more. */
export async function revokeTokens(tx: Db, clock: Clock, purpose: TokenPurpose, subjectId: string): Promise<void> {
  await tx
    .update(tokens)
    .set({ revokedAt: clock.now() })
    .where(and(eq(tokens.purpose, purpose), eq(tokens.subjectId, subjectId), isNull(tokens.revokedAt)));
}

/** Expired tokens tell nothing any more. */
export const sweepTokens = (db: Db) => db.delete(tokens).where(lt(tokens.expiresAt, sql`now() - interval '30 days'`));
