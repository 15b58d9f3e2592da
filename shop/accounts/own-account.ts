import { eq, sql } from 'drizzle-orm';
import { maxAttemptsPerAccount } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { countMailsOfLastHour, queueMail } from '../mail/mail.ts';
import { assignGuestOrdersOf, changeEmailOfOrders } from '../orders/orders.ts';
import { hashToken, createToken, readToken, spendToken } from '../tokens/tokens.ts';
import {
  findCustomerByEmail,
  endSessionsAndLinks,
  lockAccount,
  maxMailsPerHour,
  type AccountsScope,
  type Session,
} from './accounts.ts';
import { customers, emailChanges, type Customer } from './accounts.sql.ts';
import { hashPassword, isPasswordCorrect, refuseCommonPassword } from './passwords.ts';
import {
  mergeUnprovenAccount,
  endOtherSessionsAndLinks,
  lockWholeAccounts,
  lockEmailAddress,
  markEmailProven,
  type ReplacingScope,
} from './proven-email.ts';
import { beginSession, lockBrowserSession, isRecentlyAuthenticated, recordReauthentication } from './sessions.ts';
import { countAttempt, removeAttempt } from './attempts.ts';

/** The customer who makes a request about their own account. */
export interface Requester {
  customer: Customer;
  /** The session's cookie. */
  sid: string;
}
export interface ProofScope {
  db: Db;
  clock: Clock;
}

/** Refuses if the session's user has neither signed in recently nor entered the password again. */
export async function refuseWithoutRecentProof({ db, clock }: ProofScope, { sid }: Requester): Promise<void> {
  if (!(await isRecentlyAuthenticated(db, clock, sid))) throw new Refusal('password-needed');
}

/** Check the password that a signed-in customer has entered again, and store the time in the session. */
export async function reauthenticate(scope: ProofScope, requester: Requester, password: string): Promise<void> {
  await checkPassword(scope, requester, password);
  await recordReauthentication(scope.db, scope.clock, requester.sid);
}

/**
 * Check a customer's password. Wrong passwords are limited per session, so that wrong passwords in one session do not
 * block another session.
 */
async function checkPassword({ db, clock }: ProofScope, { customer, sid }: Requester, password: string) {
  const attemptKey = `proof:${hashToken(sid)}`;
  const attempt = await countAttempt(db, clock, attemptKey, maxAttemptsPerAccount.proof);
  if (attempt.state === 'later') throw new Refusal('proof-slowed', attempt);
  if (attempt.state === 'locked' || !(await isPasswordCorrect(password, customer.passwordHash)))
    throw new Refusal('password-wrong');
  await removeAttempt(db, attemptKey, attempt);
}

export async function renameCustomer(
  db: Db,
  id: string,
  name: { firstName: string; lastName: string },
): Promise<Customer> {
  const { firstName, lastName } = name;
  const [renamed] = await db.update(customers).set({ firstName, lastName }).where(eq(customers.id, id)).returning();
  if (!renamed) throw new Refusal('sign-in-needed');
  return renamed;
}

/** Replace the current password. Ends every session and pending link (`endSessionsAndLinks`). Returns a new session. */
export async function changePassword(
  scope: ProofScope & AccountsScope,
  requester: Requester,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<Session> {
  const { db, clock, jobs } = scope;
  const { id, email, firstName, passwordHash: before } = requester.customer;
  await checkPassword(scope, requester, currentPassword);
  await refuseCommonPassword(password, email);
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    // Of two simultaneous password changes, the second fails, because the current password is then another one.
    const changedRows = await tx
      .update(customers)
      .set({ passwordHash })
      .where(sql`${customers.id} = ${id} and ${customers.passwordHash} = ${before}`)
      .returning({ id: customers.id });
    if (changedRows.length === 0) throw new Refusal('password-wrong');
    await endSessionsAndLinks(tx, clock, id);
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `password-changed:${id}:${newId()}`,
        to: email,
        content: {
          kind: 'account-news',
          firstName,
          what: 'password-changed',
          happenedAt: clock.now().toISOString(),
          accountUrl: scope.link('/account'),
        },
      },
    );
    return beginSession(tx, clock, { kind: 'customer', customerId: id });
  });
}

/** The email address that the customer has requested but not confirmed yet; null if there is none. */
export async function readNewEmail(db: Db, customerId: string): Promise<string | null> {
  const [change] = await db.select().from(emailChanges).where(eq(emailChanges.customerId, customerId));
  return change?.email ?? null;
}

/**
 * Request another email address. Nothing changes until the customer clicks on the page of the link that was emailed to
 * the new address. The response does not reveal whether the new address already has an account.
 */
export async function requestEmailChange(
  { db, clock, jobs }: AccountsScope,
  { id }: Customer,
  email: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const customer = await lockAccount(tx, id);
    if (!customer) throw new Refusal('sign-in-needed');
    if (email === customer.email) throw new Refusal('email-same');
    if ((await countMailsOfLastHour(tx, clock, `email-change:${customer.id}:`)) >= maxMailsPerHour)
      throw new Refusal('too-many-requests');
    const emailChange = { id: newId(), email, askedAt: clock.now() };
    await tx
      .insert(emailChanges)
      .values({ customerId: customer.id, ...emailChange })
      .onConflictDoUpdate({ target: emailChanges.customerId, set: emailChange });
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `email-change:${customer.id}:${emailChange.id}`,
        to: email,
        content: {
          kind: 'email-change',
          firstName: customer.firstName,
          confirmUrl: { link: 'change-email', subjectId: emailChange.id },
        },
      },
    );
  });
}

/**
 * Change the email address after a click on the page of the mailed link, in a browser that is signed in to this
 * account. The click proves the new address. The account and its orders get the new address. All mailed links of the
 * account end, and all sessions and passkeys except this browser's.
 *
 * @param sid the session cookie of the browser with the click
 */
export async function changeEmail(
  scope: AccountsScope & ReplacingScope,
  token: string,
  sid: string | undefined,
): Promise<Customer> {
  const { db, clock, jobs } = scope;
  return db.transaction(async (tx) => {
    const foundToken = await readToken(tx, 'email-change', token);
    const isChangeOfLink = eq(emailChanges.id, foundToken?.subjectId ?? '');
    const [emailChange] = await tx.select().from(emailChanges).where(isChangeOfLink);
    if (!emailChange) throw new Refusal('email-change-link-invalid');
    const otherCustomer = await findCustomerByEmail(tx, emailChange.email);
    const lockedAccounts = await lockWholeAccounts(tx, [
      emailChange.customerId,
      ...(otherCustomer ? [otherCustomer.id] : []),
    ]);
    const customerBefore = lockedAccounts.get(emailChange.customerId);
    if (!customerBefore) throw new Refusal('email-change-link-invalid');
    const session = await lockBrowserSession(tx, clock, customerBefore.id, sid);
    if (!session) throw new Refusal('sign-in-to-account');
    const isSpent = (await spendToken(tx, clock, 'email-change', token)) !== undefined;
    const [change] = isSpent ? await tx.delete(emailChanges).where(isChangeOfLink).returning() : [];
    if (!change) throw new Refusal('email-change-link-invalid');
    const { customerId, email } = change;
    await lockEmailAddress(tx, email);
    const otherAccount = otherCustomer && lockedAccounts.get(otherCustomer.id);
    if (otherAccount && otherAccount.email === email && otherAccount.id !== customerId) {
      if (otherAccount.emailProvenAt !== null) throw new Refusal('email-taken');
      await mergeUnprovenAccount(tx, scope, otherAccount, customerBefore);
    }
    await endOtherSessionsAndLinks(tx, clock, customerBefore, session);
    // If the old address was never proven, a stranger may have created the account and know its password.
    const isPasswordUnknown = customerBefore.emailProvenAt === null && session.passkeyId !== null;
    const passwordHash = isPasswordUnknown ? await hashPassword(createToken()) : customerBefore.passwordHash;
    await tx
      .update(customers)
      .set({ email, passwordHash })
      .where(eq(customers.id, customerId))
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? new Refusal('email-taken') : error;
      });
    const changedCustomer = await markEmailProven(tx, clock, customerId);
    await changeEmailOfOrders(tx, customerId, customerBefore.email, email);
    await assignGuestOrdersOf(tx, email, customerId);
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `email-changed:${customerId}:${change.id}`,
        to: customerBefore.email,
        content: {
          kind: 'email-changed',
          firstName: customerBefore.firstName,
          changedAt: clock.now().toISOString(),
          supportUrl: scope.link('/support'),
        },
      },
    );
    return changedCustomer;
  });
}

/**
 * Whether the update failed with a unique violation (SQL state 23505): a simultaneous registration has taken the
 * address.
 */
function isUniqueViolation(error: unknown): boolean {
  for (let it = error; it instanceof Error; it = it.cause) if ('code' in it && it.code === '23505') return true;
  return false;
}
