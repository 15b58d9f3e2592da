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
  const [token] = await issueTokens(tx, clock, [request]);
  return token!;
}

/** Several tokens in one step, in the order asked for. */
export async function issueTokens(tx: Db, clock: Clock, requests: TokenRequest[]): Promise<string[]> {
  const issued = requests.map((request) => ({ ...request, token: newToken() }));
  const rows = issued.map(({ token, purpose, subjectId, seconds }) => ({
    tokenHash: hashOf(token),
    purpose,
    subjectId,
    createdAt: clock.now(),
    // Issued and expired by the database's clock: all processes agree on it.
    expiresAt: sql`now() + make_interval(secs => ${seconds})`,
  }));
  await tx.insert(tokens).values(rows);
  return issued.map((it) => it.token);
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

/** Reset links of an account that were mailed in the last hour, which is how long they live. */
export const countResetTokens = (tx: Db, customerId: string): Promise<number> =>
  tx.$count(
    tokens,
    and(eq(tokens.purpose, 'password-reset'), eq(tokens.subjectId, customerId), gt(tokens.expiresAt, sql`now()`)),
  );

/** Expired tokens tell nothing any more. */
export const sweepTokens = (db: Db) => db.delete(tokens).where(lt(tokens.expiresAt, sql`now() - interval '30 days'`));
