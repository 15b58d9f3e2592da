import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { PasskeyAnswer } from '#contract/account-forms.ts';
import { lifetimes } from '#contract/limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { StoredPasskey, Passkeys } from '../ports/passkeys.ts';
import { issueToken, spendToken, type TokenPurpose } from '../tokens/tokens.ts';

export interface CeremonyScope {
  clock: Clock;
  passkeys: Passkeys;
}
/** The use of a challenge: creating a passkey or signing in, and the account for which it is valid. */
export interface Ceremony {
  purpose: TokenPurpose & (`${string}passkey` | 'passkey');
  subjectId: string;
}
// A challenge is stored as a token: random, stored as a hash, used once, and short-lived.
const seconds = lifetimes.passkeyChallengeMinutes * 60;

export const createChallenge = (db: Db, clock: Clock, ceremony: Ceremony): Promise<string> =>
  issueToken(db, clock, { ...ceremony, seconds });

/**
 * Returns the passkey that a browser has created for a challenge of this ceremony. The challenge cannot be used again,
 * even if the browser's response is not valid.
 */
export async function readNewPasskey(db: Db, scope: CeremonyScope, ceremony: Ceremony, answer: PasskeyAnswer) {
  const challenge = await spendChallenge(db, scope, ceremony, answer);
  return challenge === undefined ? undefined : scope.passkeys.verifyNewPasskey(answer, challenge);
}

/**
 * Returns the stored passkey that has signed a challenge of this ceremony, and its new counter. Returns undefined if
 * the browser's response was repeated or modified, or if `find` does not know the passkey.
 */
export async function verifySignedChallenge<P extends StoredPasskey>(
  db: Db,
  scope: CeremonyScope,
  ceremony: Ceremony,
  answer: PasskeyAnswer,
  find: (id: string) => Promise<P | undefined>,
): Promise<{ passkey: P; counter: number } | undefined> {
  const challenge = await spendChallenge(db, scope, ceremony, answer);
  const passkey = challenge === undefined ? undefined : await find(answer.id);
  if (challenge === undefined || passkey === undefined) return undefined;
  const verification = await scope.passkeys.verifyPasskey(answer, challenge, passkey);
  return verification && { passkey, counter: verification.counter };
}

async function spendChallenge(db: Db, { clock, passkeys }: CeremonyScope, ceremony: Ceremony, answer: PasskeyAnswer) {
  const challenge = passkeys.challengeOf(answer);
  const subject = challenge === undefined ? undefined : await spendToken(db, clock, ceremony.purpose, challenge);
  return subject === ceremony.subjectId ? challenge : undefined;
}

/**
 * The condition under which a passkey's counter may be updated: it has increased. Most passkeys do not count and always
 * send 0, so 0 after 0 is accepted.
 */
export const counterIncreasedCondition = (counter: PgColumn, now: number): SQL =>
  sql`(${counter} < ${now} or (${counter} = 0 and ${now} = 0))`;
