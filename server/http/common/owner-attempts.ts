import type { FastifyRequest } from 'fastify';
import { maxAttemptsPerAccount } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { findKnownBrowserId, listKnownBrowserIds, ownerId } from '#shop/accounts/known-browsers.ts';
import { isPasswordCorrect } from '#shop/accounts/passwords.ts';
import {
  countAttempt,
  deleteAttemptsOf,
  deleteAttemptsOfKind,
  countConsecutiveFailures,
  unlockAttempts,
  removeAttempt,
  type AttemptResult,
} from '#shop/accounts/attempts.ts';
import { recordAuditEntry } from '#shop/audit/audit.ts';
import { queueMail } from '#shop/mail/mail.ts';
import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import { isPhoneCode, spendCode } from '#shop/second-factor/second-factor.ts';
import { revokeTokens } from '#shop/tokens/tokens.ts';
import type { Shop } from '../../shop.ts';
import type { CookieJar } from './cookies.ts';
import { describeDevice } from './device-text.ts';

// Passwords and codes of the owner and of staff are counted before they are checked (docs/decisions/0097-tries.md).

/**
 * The names of the counters of a person. Passwords of staff are counted by email address, so that an address without a
 * member is counted, too.
 */
const getAttemptCounterNames = (account: string) => {
  const counterName = (kind: string) => (account === ownerId ? `owner-${kind}` : `staff-${kind}:${account}`);
  return {
    code: counterName('code'),
    firstCode: counterName('first-code'),
    recoveryCode: counterName('recovery-code'),
  };
};
const passwordTriesOf = (email: string | undefined) =>
  email === undefined ? 'owner-password' : `staff-password:${email}`;

/** A person of the panel whose password is checked. */
interface PanelPersonWithPassword {
  /** Undefined for the owner. */
  email?: string;
  /** The id of a member of the staff. Undefined for the owner, and if no member has this email address. */
  staffId?: string | undefined;
  /** Undefined if there is no password. The check then takes as long as with one. */
  passwordHash: string | undefined;
}

/** A person of the panel whose code is checked, and where to write about too many wrong codes. */
interface PanelPersonWithCode {
  id: string;
  email: string;
}

/**
 * Checks the password of the owner or of a member of the staff. The number of wrong passwords is limited for all IP
 * addresses together. A browser in which the person has signed in before has its own limit, so that a stranger cannot
 * lock the person out.
 */
export async function checkOwnersPassword(
  { db, clock, jar }: Pick<Shop, 'db' | 'clock'> & { jar: CookieJar },
  request: FastifyRequest,
  { email, staffId, passwordHash }: PanelPersonWithPassword,
  password: string,
): Promise<boolean> {
  const account = email === undefined ? ownerId : staffId && { staffId };
  const knownBrowserId = account && (await findKnownBrowserId(db, account, jar.read(request, 'admin-browser')));
  const attemptsOfHolder = passwordTriesOf(email);
  const attemptKey = knownBrowserId === undefined ? attemptsOfHolder : `${attemptsOfHolder}:${knownBrowserId}`;
  const attempt = await countAttempt(db, clock, attemptKey, maxAttemptsPerAccount.password);
  if (attempt.state === 'later') throw new Refusal('admin-sign-in-slowed', attempt);
  const isCorrect = attempt.state === 'counted' && (await isPasswordCorrect(password, passwordHash));
  if (isCorrect) await removeAttempt(db, attemptKey, attempt);
  return isCorrect;
}

/**
 * Checks a code of a person's second factor and marks it as used. Returns its kind, or undefined if it is wrong. Codes
 * of the phone have one limit for all IP addresses and browsers. Recovery codes have a separate limit per IP address:
 * they are too long to guess, and they let the owner in when the limit of the phone's codes is reached.
 *
 * @param onSpent runs in the transaction that uses up a correct code. If it throws, the code stays unused.
 */
export async function spendOwnersCode(
  shop: Shop,
  request: FastifyRequest,
  holder: PanelPersonWithCode,
  code: string,
  onSpent?: (tx: Db) => Promise<void>,
): Promise<'code' | 'recovery-code' | undefined> {
  const { db, clock } = shop;
  const isAuthenticatorCode = isPhoneCode(code);
  const attemptsOfHolder = getAttemptCounterNames(holder.id);
  const attemptKey = isAuthenticatorCode
    ? attemptsOfHolder.code
    : { kind: attemptsOfHolder.recoveryCode, each: request.ip };
  const attempt = await countAttempt(
    db,
    clock,
    attemptKey,
    isAuthenticatorCode ? maxAttemptsPerAccount.code : maxAttemptsPerAccount.recoveryCode,
  );
  if (attempt.state === 'locked') throw new Refusal('code-locked');
  if (attempt.state === 'later')
    throw new Refusal(isAuthenticatorCode ? 'codes-used-up' : 'recovery-codes-slowed', attempt);
  // Use one transaction, so that only one of several concurrent requests with the same correct code succeeds and clears
  // the count.
  const spentCode = await db.transaction(async (tx) => {
    const foundCode = await spendCode(tx, shop, holder.id, code);
    if (foundCode) {
      await removeAttempt(tx, attemptKey, attempt);
      await onSpent?.(tx);
    }
    return foundCode;
  });
  if (!spentCode && isAuthenticatorCode) await lockCodes(shop, request, holder, attempt);
  return spentCode;
}

/**
 * If the limit of wrong codes is reached, records the lock and emails the owner. At the limit of wrong codes in a row,
 * also requires the password again.
 */
async function lockCodes(
  shop: Shop,
  request: FastifyRequest,
  { id, email }: PanelPersonWithCode,
  { inRow, today }: AttemptResult & { state: 'counted' },
) {
  const { db, clock } = shop;
  const isLastOfRow = inRow >= maxAttemptsPerAccount.code.inRow;
  const isLastOfDay = today >= maxAttemptsPerAccount.code.aDay;
  if (!isLastOfRow && !isLastOfDay) return;
  const device = describeDevice(request.headers['user-agent']) ?? 'Not known';
  const isLocked = await db.transaction(async (tx) => {
    const hasMaxConsecutiveFailures =
      isLastOfRow &&
      (await countConsecutiveFailures(tx, getAttemptCounterNames(id).code)) >= maxAttemptsPerAccount.code.inRow;
    if (!hasMaxConsecutiveFailures && !isLastOfDay) return false; // a correct code arrived at the same time and reset the count
    if (hasMaxConsecutiveFailures) await revokeTokens(tx, clock, codeStepOf(id), id);
    await recordAuditEntry(tx, clock, {
      act: 'admin-codes-locked',
      subjectId: id,
      after: { why: isLastOfDay ? 'in-a-day' : 'in-a-row' },
      requestId: request.id,
    });
    await queueMail(tx, shop, {
      event: `owner-codes-locked:${request.id}`,
      to: email,
      content: {
        kind: 'owner-codes-locked',
        isWholeDay: isLastOfDay,
        happenedAt: clock.now().toISOString(),
        device,
        adminUrl: shop.link('/admin'),
      },
    });
    return hasMaxConsecutiveFailures;
  });
  if (isLocked) throw new Refusal('code-locked');
}

/** The purpose of the token between the password and the code. */
const codeStepOf = (account: string) => (account === ownerId ? 'admin-code' : 'staff-code');

/** Called when the person has entered the password again. From then on, codes are checked again. */
export const unlockCodesOf = (db: Db, account: string) => unlockAttempts(db, getAttemptCounterNames(account).code);

/** Resets the count of wrong first codes, for a new secret. A first code shows that the phone has the secret. */
export const resetFirstCodeAttempts = (db: Db, account: string) =>
  deleteAttemptsOf(db, getAttemptCounterNames(account).firstCode);

/**
 * Runs `verb`, which checks the first code of a new secret and switches the second factor on. Counts only wrong codes.
 */
export async function checkFirstCode<T>(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  account: string,
  verb: () => Promise<T>,
): Promise<T> {
  const firstCodeTries = getAttemptCounterNames(account).firstCode;
  const attempt = await countAttempt(db, clock, firstCodeTries, maxAttemptsPerAccount.firstCode);
  if (attempt.state !== 'counted') throw new Refusal('second-factor-not-begun');
  try {
    const verbResult = await verb();
    await removeAttempt(db, firstCodeTries, attempt);
    return verbResult;
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'code-wrong')) await removeAttempt(db, firstCodeTries, attempt);
    throw error;
  }
}

/**
 * Clears the counts of wrong passwords, codes from the phone and recovery codes. Only `npm run unlock` uses it, which
 * needs access to the machine.
 */
export async function unlockOwner(db: Db, clock: Clock): Promise<void> {
  await db.transaction(async (tx) => {
    const passwordAttemptKey = passwordTriesOf(undefined);
    const { code, firstCode, recoveryCode } = getAttemptCounterNames(ownerId);
    const knownBrowserKeys = (await listKnownBrowserIds(tx, ownerId)).map((id) => `${passwordAttemptKey}:${id}`);
    for (const attemptKey of [passwordAttemptKey, code, firstCode, ...knownBrowserKeys])
      await deleteAttemptsOf(tx, attemptKey);
    await deleteAttemptsOfKind(tx, recoveryCode);
    await recordAuditEntry(tx, clock, { act: 'owner-unlocked' });
  });
}
