import type { FastifyRequest } from 'fastify';
import { maxAttemptsPerAccount } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { findKnownBrowserId, listKnownBrowserIds, ownerAccountKey } from '#shop/accounts/known-browsers.ts';
import { isPasswordCorrect } from '#shop/accounts/passwords.ts';
import {
  countAttempt,
  deleteAttemptsOf,
  deleteAttemptsOfKind,
  consecutiveFailuresOf,
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
import { deviceText } from './device-text.ts';

// Passwords and codes of the owner are counted before they are checked (docs/decisions/0097-tries.md).

const passwordTries = 'owner-password';
const codeTries = 'owner-code';
const firstCodeTries = 'owner-first-code';
const recoveryCodeTries = 'owner-recovery-code';

/**
 * Checks the owner's password. The number of wrong passwords is limited for all IP addresses together. A browser in
 * which the owner has signed in before has its own limit, so that a stranger cannot lock the owner out.
 */
export async function checkOwnersPassword(
  { db, clock, adminPasswordHash, jar }: Pick<Shop, 'db' | 'clock' | 'adminPasswordHash'> & { jar: CookieJar },
  request: FastifyRequest,
  password: string,
): Promise<boolean> {
  const known = await findKnownBrowserId(db, ownerAccountKey, jar.read(request, 'admin-browser'));
  const whose = known === undefined ? passwordTries : `${passwordTries}:${known}`;
  const tried = await countAttempt(db, clock, whose, maxAttemptsPerAccount.password);
  if (tried.state === 'later') throw new Refusal('admin-sign-in-slowed', tried);
  const fits = tried.state === 'counted' && (await isPasswordCorrect(password, adminPasswordHash));
  if (fits) await removeAttempt(db, whose, tried);
  return fits;
}

/**
 * Checks a code of the second factor and marks it as used. Returns its kind, or undefined if it is wrong. Codes of the
 * phone have one limit for all IP addresses and browsers. Recovery codes have a separate limit per IP address: they are
 * too long to guess, and they let the owner in when the limit of the phone's codes is reached.
 *
 * @param onSpent runs in the transaction that uses up a correct code. If it throws, the code stays unused.
 */
export async function spendOwnersCode(
  shop: Shop,
  request: FastifyRequest,
  code: string,
  onSpent?: (tx: Db) => Promise<void>,
): Promise<'code' | 'recovery-code' | undefined> {
  const { db, clock } = shop;
  const isPhones = isPhoneCode(code);
  const whose = isPhones ? codeTries : { kind: recoveryCodeTries, each: request.ip };
  const tried = await countAttempt(
    db,
    clock,
    whose,
    isPhones ? maxAttemptsPerAccount.code : maxAttemptsPerAccount.recoveryCode,
  );
  if (tried.state === 'locked') throw new Refusal('code-locked');
  if (tried.state === 'later') throw new Refusal(isPhones ? 'codes-used-up' : 'recovery-codes-slowed', tried);
  // Use one transaction, so that only one of several concurrent requests with the same correct code succeeds and clears
  // the count.
  const spent = await db.transaction(async (tx) => {
    const found = await spendCode(tx, shop, code);
    if (found) {
      await removeAttempt(tx, whose, tried);
      await onSpent?.(tx);
    }
    return found;
  });
  if (!spent && isPhones) await lockCodes(shop, request, tried);
  return spent;
}

/**
 * If the limit of wrong codes is reached, records it and mails the owner. At the limit of wrong codes in a row, also
 * requires the password again.
 */
async function lockCodes(shop: Shop, request: FastifyRequest, { inRow, today }: AttemptResult & { state: 'counted' }) {
  const { db, clock } = shop;
  const isLastOfRow = inRow >= maxAttemptsPerAccount.code.inRow;
  const isLastOfDay = today >= maxAttemptsPerAccount.code.aDay;
  if (!isLastOfRow && !isLastOfDay) return;
  const to = await shop.ownerEmail();
  const device = deviceText(request.headers['user-agent']) ?? 'Not known';
  const isLocked = await db.transaction(async (tx) => {
    const isRow = isLastOfRow && (await consecutiveFailuresOf(tx, codeTries)) >= maxAttemptsPerAccount.code.inRow;
    if (!isRow && !isLastOfDay) return false; // a correct code arrived at the same time and reset the count
    if (isRow) await revokeTokens(tx, clock, 'admin-code', ownerAccountKey);
    await recordAuditEntry(tx, clock, {
      act: 'admin-codes-locked',
      after: { why: isLastOfDay ? 'in-a-day' : 'in-a-row' },
      requestId: request.id,
    });
    await queueMail(tx, shop, {
      event: `owner-codes-locked:${request.id}`,
      to,
      content: {
        kind: 'owner-codes-locked',
        isWholeDay: isLastOfDay,
        happenedAt: clock.now().toISOString(),
        device,
        adminUrl: shop.link('/admin'),
      },
    });
    return isRow;
  });
  if (isLocked) throw new Refusal('code-locked');
}

/** Called when the owner has entered the password again. From then on, codes are checked again. */
export const unlockOwnerCodes = (db: Db) => unlockAttempts(db, codeTries);

/** Resets the count of wrong first codes, for a new secret. A first code shows that the phone has the secret. */
export const resetFirstCodeAttempts = (db: Db) => deleteAttemptsOf(db, firstCodeTries);

/**
 * Runs `verb`, which checks the first code of a new secret and switches the second factor on. Counts only wrong codes.
 */
export async function checkFirstCode<T>({ db, clock }: Pick<Shop, 'db' | 'clock'>, verb: () => Promise<T>): Promise<T> {
  const tried = await countAttempt(db, clock, firstCodeTries, maxAttemptsPerAccount.firstCode);
  if (tried.state !== 'counted') throw new Refusal('second-factor-not-begun');
  try {
    const done = await verb();
    await removeAttempt(db, firstCodeTries, tried);
    return done;
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'code-wrong')) await removeAttempt(db, firstCodeTries, tried);
    throw error;
  }
}

/**
 * Clears the counts of wrong passwords, codes from the phone and recovery codes. Only `npm run unlock` uses it, which
 * needs access to the machine.
 */
export async function unlockOwner(db: Db, clock: Clock): Promise<void> {
  await db.transaction(async (tx) => {
    const known = (await listKnownBrowserIds(tx, ownerAccountKey)).map((id) => `${passwordTries}:${id}`);
    for (const whose of [passwordTries, codeTries, firstCodeTries, ...known]) await deleteAttemptsOf(tx, whose);
    await deleteAttemptsOfKind(tx, recoveryCodeTries);
    await recordAuditEntry(tx, clock, { act: 'owner-unlocked' });
  });
}
