import { eq } from 'drizzle-orm';
import { Refusal, type PlainRefusalName } from '#contract/refusals.ts';
import type { MailedLinkRequirement } from '#contract/accounts.ts';
import type { Db } from '../ports/database.ts';
import { assignGuestOrdersOf } from '../orders/orders.ts';
import { readToken, spendToken } from '../tokens/tokens.ts';
import {
  findCustomerById,
  endSessionsAndLinks,
  mailToAccount,
  signInAttemptKey,
  type AccountsScope,
  type Session,
} from './accounts.ts';
import { customers, emailChanges, type Customer } from './accounts.sql.ts';
import { hashPassword, refuseCommonPassword } from './passwords.ts';
import {
  endOtherSessionsAndLinks,
  lockWholeAccounts,
  markEmailProven,
  proveEmailOfAccount,
  replaceUnprovenAccount,
  type ReplacingScope,
} from './proven-email.ts';
import { beginSession, lockBrowserSession, findBrowserSession } from './sessions.ts';
import { deleteAttemptsOf } from './attempts.ts';

/** The dependencies of the functions that handle clicks on the pages of mailed account links. */
interface LinkScope extends ReplacingScope {
  db: Db;
}
type AccountLink = 'email-confirmation' | 'sign-in' | 'password-reset';

/** A click on the button of the page that a mailed link opens. */
interface LinkClick {
  token: string;
  /** The browser's session cookie. */
  sid: string | undefined;
  /** The new password, if the page needs one. */
  password?: string | undefined;
}

/**
 * The email address of a mailed link, and the input that its page needs in this browser: only a click, a new password,
 * or a sign-in first. Changes nothing.
 */
export async function readMailedLink(
  { db, clock }: Pick<LinkScope, 'db' | 'clock'>,
  purpose: 'email-confirmation' | 'sign-in' | 'email-change',
  { token, sid }: Omit<LinkClick, 'password'>,
): Promise<{ email: string; needs: MailedLinkRequirement }> {
  const foundToken = await readToken(db, purpose, token);
  if (purpose === 'email-change') {
    const [change] = await db
      .select()
      .from(emailChanges)
      .where(eq(emailChanges.id, foundToken?.subjectId ?? ''));
    if (!change) throw new Refusal('email-change-link-invalid');
    const session = await findBrowserSession(db, clock, change.customerId, sid);
    return { email: change.email, needs: session ? 'click' : 'sign-in' };
  }
  const account = foundToken && (await findCustomerById(db, foundToken.subjectId));
  if (!account) throw new Refusal(refusalsByPurpose[purpose]);
  const { id, email, emailProvenAt } = account;
  const session = emailProvenAt === null ? await findBrowserSession(db, clock, id, sid) : undefined;
  const isClickEnough = emailProvenAt !== null || session?.passkeyId === null;
  return { email, needs: isClickEnough ? 'click' : 'password' };
}

const refusalsByPurpose = {
  'email-confirmation': 'confirmation-link-invalid',
  'sign-in': 'sign-in-link-invalid',
  'password-reset': 'reset-link-invalid',
} as const satisfies Record<AccountLink, PlainRefusalName>;

/** The job that emails a requested sign-in link. */
export const mailSignInLink = (scope: Omit<AccountsScope, 'link'>, email: string) =>
  mailToAccount(scope, email, 'sign-in-link', ({ id, firstName }) => ({
    kind: 'sign-in-link',
    firstName,
    signInUrl: { link: 'sign-in', subjectId: id },
  }));

/**
 * Handle a click on the page of the confirmation link. If a new account replaces the unproven one, it also signs in.
 */
export function confirmEmail(
  scope: LinkScope,
  click: LinkClick,
): Promise<{ customer: Customer | null; session?: Session | undefined }> {
  return useToken(scope, 'email-confirmation', click, async (tx, account, passwordHash) => {
    if (account.emailProvenAt !== null) return { customer: null };
    const { customer, isReplaced } = await proveEmail(tx, scope, account, { sid: click.sid, passwordHash });
    if (!isReplaced) return { customer };
    return { customer, session: await beginSession(tx, scope.clock, { kind: 'customer', customerId: customer.id }) };
  });
}

/** Handle a click on the page of a sign-in link. If the email address is not proven yet, the click also proves it. */
export function signInByLink(scope: LinkScope, click: LinkClick): Promise<{ customer: Customer; session: Session }> {
  return useToken(scope, 'sign-in', click, async (tx, account, passwordHash) => {
    const { clock } = scope;
    const sessionHolder = { kind: 'customer', customerId: account.id } as const;
    if (account.emailProvenAt !== null) {
      await assignGuestOrdersOf(tx, account.email, account.id);
      return { customer: account, session: await beginSession(tx, clock, sessionHolder) };
    }
    const passkeyId = (await lockBrowserSession(tx, clock, account.id, click.sid))?.passkeyId ?? null;
    const { customer, isReplaced } = await proveEmail(tx, scope, account, { sid: click.sid, passwordHash });
    const sessionBegin = isReplaced ? { ...sessionHolder, customerId: customer.id } : { ...sessionHolder, passkeyId };
    return { customer, session: await beginSession(tx, clock, sessionBegin) };
  });
}

/** Set a new password by a mailed link. This ends every session and proves the address. */
export async function resetPassword(scope: LinkScope, click: LinkClick & { password: string }): Promise<void> {
  const { clock } = scope;
  await useToken(scope, 'password-reset', click, async (tx, account, passwordHash) => {
    const { id, email } = account;
    // Delete the counted wrong passwords. Otherwise a stranger's tries would prevent the customer from signing in with
    // the new password.
    await deleteAttemptsOf(tx, signInAttemptKey(email));
    if (account.emailProvenAt !== null) {
      await tx.update(customers).set({ passwordHash: passwordHash! }).where(eq(customers.id, id));
      await endSessionsAndLinks(tx, clock, id);
    } else if (await lockBrowserSession(tx, clock, id, click.sid)) {
      await endOtherSessionsAndLinks(tx, clock, account, undefined);
      await markEmailProven(tx, clock, id, passwordHash);
    } else {
      await replaceUnprovenAccount(tx, scope, account, passwordHash!);
      return;
    }
    await assignGuestOrdersOf(tx, email, id);
  });
}

/**
 * Prove an account's email address. If this browser is signed in to the account, the account stays. Otherwise a new
 * account with the new password replaces it, because a stranger may have created the old one.
 */
async function proveEmail(
  tx: Db,
  scope: LinkScope,
  account: Customer,
  { sid, passwordHash }: { sid: string | undefined; passwordHash: string | undefined },
): Promise<{ customer: Customer; isReplaced: boolean }> {
  const session = await lockBrowserSession(tx, scope.clock, account.id, sid);
  if (passwordHash === undefined && session?.passkeyId !== null) throw new Refusal('new-password-needed');
  if (session) {
    const customer = await proveEmailOfAccount(tx, scope, account, { session, passwordHash });
    return { customer, isReplaced: false };
  }
  return { customer: await replaceUnprovenAccount(tx, scope, account, passwordHash!), isReplaced: true };
}

/**
 * Spend a link's token and do the link's action in one transaction. Locks the account before the token, like the code
 * that changes or deletes accounts, so that they cannot deadlock. A refusal rolls back, so the token stays valid.
 */
async function useToken<T>(
  { db, clock }: LinkScope,
  purpose: AccountLink,
  { token, password }: LinkClick,
  act: (tx: Db, account: Customer, passwordHash: string | undefined) => Promise<T>,
): Promise<T> {
  const createInvalidLinkRefusal = () => new Refusal(refusalsByPurpose[purpose]);
  const foundToken = await readToken(db, purpose, token);
  const foundCustomer = foundToken && (await findCustomerById(db, foundToken.subjectId));
  if (!foundCustomer) throw createInvalidLinkRefusal();
  if (password !== undefined) await refuseCommonPassword(password, foundCustomer.email);
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  return db.transaction(async (tx) => {
    const account = (await lockWholeAccounts(tx, [foundCustomer.id])).get(foundCustomer.id);
    if (!account || (await spendToken(tx, clock, purpose, token)) === undefined) throw createInvalidLinkRefusal();
    return act(tx, account, passwordHash);
  });
}
