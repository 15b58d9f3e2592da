import { randomBytes } from 'node:crypto';
import { and, count, eq, isNotNull, isNull, lt, or } from 'drizzle-orm';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { OneTimeCodes } from '../ports/one-time-codes.ts';
import { hashToken } from '../tokens/tokens.ts';
import { recoveryCodes, secondFactors } from './second-factor.sql.ts';

interface Scope {
  clock: Clock;
  codes: OneTimeCodes;
}
/** `owner`, or the id of a member of the staff. */
type PanelAccountId = string;
const ownerId: PanelAccountId = 'owner';
const isFactorOnFor = (account: PanelAccountId) =>
  and(eq(secondFactors.owner, account), isNotNull(secondFactors.confirmedAt));

/**
 * The time since which the second factor of an account is on, and the number of recovery codes that are left; undefined
 * if it is off.
 */
export async function readSecondFactor(
  db: Db,
  account: PanelAccountId,
): Promise<{ since: Date; recoveryCodesLeft: number } | undefined> {
  const [found] = await db
    .select({ since: secondFactors.confirmedAt, recoveryCodesLeft: count(recoveryCodes.codeHash) })
    .from(secondFactors)
    .leftJoin(recoveryCodes, and(eq(recoveryCodes.owner, secondFactors.owner), isNull(recoveryCodes.usedAt)))
    .where(isFactorOnFor(account))
    .groupBy(secondFactors.owner);
  return found && { since: found.since!, recoveryCodesLeft: found.recoveryCodesLeft };
}

/**
 * Creates a secret for the phone. It replaces an unconfirmed secret. Sign-in does not require a code until the new
 * secret is confirmed.
 */
export async function beginSecondFactor(tx: Db, { clock, codes }: Scope, account: PanelAccountId): Promise<string> {
  const freshSecret = { secret: codes.newSecret(), createdAt: clock.now() };
  const startedRows = await tx
    .insert(secondFactors)
    .values({ owner: account, ...freshSecret })
    .onConflictDoUpdate({ target: secondFactors.owner, set: freshSecret, setWhere: isNull(secondFactors.confirmedAt) })
    .returning({ owner: secondFactors.owner });
  if (startedRows.length === 0) throw new Refusal('second-factor-on');
  return freshSecret.secret;
}

/** Turns the second factor on after a first correct code. Returns the recovery codes, which cannot be read again. */
export async function confirmSecondFactor(
  tx: Db,
  { clock, codes }: Scope,
  account: PanelAccountId,
  code: string,
): Promise<string[]> {
  const [begun] = await tx.select().from(secondFactors).where(eq(secondFactors.owner, account)).for('update');
  if (!begun) throw new Refusal('second-factor-not-begun');
  if (begun.confirmedAt) throw new Refusal('second-factor-on');
  const lastStep = codes.stepOf(begun.secret, code, clock.now());
  if (lastStep === undefined) throw new Refusal('code-wrong');
  await tx.update(secondFactors).set({ confirmedAt: clock.now(), lastStep }).where(eq(secondFactors.owner, account));
  return makeRecoveryCodes(tx, clock, account);
}

/** Whether this is a code of the phone: six digits. Any other code is treated as a recovery code. */
export const isPhoneCode = (code: string) => /^\d{6}$/.test(code);

/** Uses up a code of the phone or a recovery code. Of simultaneous requests with the same code, only one succeeds. */
export async function spendCode(
  tx: Db,
  { clock, codes }: Scope,
  account: PanelAccountId,
  code: string,
): Promise<'code' | 'recovery-code' | undefined> {
  if (!isPhoneCode(code)) return spendRecoveryCode(tx, clock, account, code);
  const [factor] = await tx.select({ secret: secondFactors.secret }).from(secondFactors).where(isFactorOnFor(account));
  const step = factor && codes.stepOf(factor.secret, code, clock.now());
  if (step === undefined) return undefined;
  const spentRows = await tx
    .update(secondFactors)
    .set({ lastStep: step })
    .where(
      and(
        isFactorOnFor(account),
        eq(secondFactors.secret, factor!.secret),
        or(isNull(secondFactors.lastStep), lt(secondFactors.lastStep, step)),
      ),
    )
    .returning({ owner: secondFactors.owner });
  return spentRows.length > 0 ? 'code' : undefined;
}

async function spendRecoveryCode(tx: Db, clock: Clock, account: PanelAccountId, code: string) {
  const spentRows = await tx
    .update(recoveryCodes)
    .set({ usedAt: clock.now() })
    .where(
      and(
        eq(recoveryCodes.owner, account),
        eq(recoveryCodes.codeHash, hashRecoveryCode(account, code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ codeHash: recoveryCodes.codeHash });
  return spentRows.length > 0 ? ('recovery-code' as const) : undefined;
}

/** Creates new recovery codes. The old ones become invalid. */
export async function renewRecoveryCodes(tx: Db, clock: Clock, account: PanelAccountId): Promise<string[]> {
  const [factor] = await tx
    .select({ owner: secondFactors.owner })
    .from(secondFactors)
    .where(isFactorOnFor(account))
    .for('update');
  if (!factor) throw new Refusal('second-factor-off');
  return makeRecoveryCodes(tx, clock, account);
}

/** Turns the second factor off. Sign-in then requires only the password. */
export async function switchOffSecondFactor(tx: Db, account: PanelAccountId): Promise<void> {
  const deletedRows = await tx
    .delete(secondFactors)
    .where(isFactorOnFor(account))
    .returning({ owner: secondFactors.owner });
  if (deletedRows.length === 0) throw new Refusal('second-factor-off');
}

async function makeRecoveryCodes(tx: Db, clock: Clock, account: PanelAccountId): Promise<string[]> {
  const newCodes = Array.from({ length: limits.recoveryCodes }, createRecoveryCode);
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.owner, account));
  await tx
    .insert(recoveryCodes)
    .values(
      newCodes.map((code) => ({ codeHash: hashRecoveryCode(account, code), owner: account, createdAt: clock.now() })),
    );
  return newCodes.map((code) => code.match(/.{4}/g)!.join('-'));
}

/**
 * The hash of a recovery code. A code of staff is hashed with its account, so that the previous release, which knows
 * only the owner, cannot accept it as the owner's.
 */
const hashRecoveryCode = (account: PanelAccountId, code: string) =>
  hashToken(account === ownerId ? code : `${account}:${code}`);

/** Deletes the second factor of an account, on or not, with its recovery codes. */
export const deleteSecondFactor = (tx: Db, account: PanelAccountId) =>
  tx.delete(secondFactors).where(eq(secondFactors.owner, account));

/** The characters of a recovery code: letters and digits that are not easily confused. 16 of them are 80 bits. */
const recoveryCodeCharacters = 'abcdefghijklmnopqrstuvwxyz234567';
const createRecoveryCode = () => Array.from(randomBytes(16), (byte) => recoveryCodeCharacters[byte & 31]).join('');
