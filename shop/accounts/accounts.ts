import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { maxAttemptsPerAccount } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { newId } from '../columns.ts';
import { countMailsOfLastHour, countMailsOfLastHourTo, type NewMail, queueMail } from '../mail/mail.ts';
import { createQueryByValues } from '../rows-among.ts';
import { customers, emailChanges, type Customer } from './accounts.sql.ts';
import { hashPassword, isPasswordCorrect, refuseCommonPassword } from './passwords.ts';
import { createUnprovenAccount } from './proven-email.ts';
import { beginSession, endSession, endSessionsOf } from './sessions.ts';
import { findKnownBrowserId, deleteKnownBrowsersOf } from './known-browsers.ts';
import { countAttempt, removeAttempt } from './attempts.ts';
import { revokeTokens } from '../tokens/tokens.ts';

export type { Customer } from './accounts.sql.ts';
export type Session = { token: string; maxAgeSeconds: number };

export interface AccountsScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  /** Builds an absolute address from a path. */
  link: (path: string) => string;
}
type MailingScope = Omit<AccountsScope, 'link'>;

export async function findCustomerById(db: Db, id: string): Promise<Customer | undefined> {
  const [customer] = await db.select().from(customers).where(eq(customers.id, id));
  return customer;
}
/**
 * Lock a customer's row until the transaction ends. Transactions that check a limit of the account then run one after
 * another, so that together they cannot exceed it.
 */
export async function lockAccount(tx: Db, id: string): Promise<Customer | undefined> {
  const [customer] = await tx.select().from(customers).where(eq(customers.id, id)).for('no key update');
  return customer;
}
export const customersByIds = createQueryByValues(customers.id, (db, isAmong) =>
  db.select().from(customers).where(isAmong),
);
/**
 * Store the id of the customer record at the payment provider, unless the account already has one. Null deletes an id
 * that the provider no longer knows.
 */
export async function rememberProviderCustomer(tx: Db, id: string, providerCustomerId: string | null): Promise<void> {
  const isNew = providerCustomerId === null ? undefined : isNull(customers.stripeCustomerId);
  await tx
    .update(customers)
    .set({ stripeCustomerId: providerCustomerId })
    .where(and(eq(customers.id, id), isNew));
}
export async function findCustomerByEmail(db: Db, email: string): Promise<Customer | undefined> {
  const [customer] = await db.select().from(customers).where(eq(customers.email, email));
  return customer;
}

/**
 * Create an account and sign in. Until the customer proves the email address, the account does not reserve the address
 * and gets no guest orders with it.
 */
export async function registerCustomer(
  { db, clock, jobs }: MailingScope,
  form: { firstName: string; lastName: string; email: string; password: string },
): Promise<{ customer: Customer; session: Session }> {
  await refuseCommonPassword(form.password, form.email);
  const { password, ...account } = form;
  const passwordHash = await hashPassword(password);
  try {
    return await db.transaction(async (tx) => {
      const customer = await createUnprovenAccount(tx, { clock }, { ...account, passwordHash });
      if (!(await mailConfirmation(tx, { clock, jobs }, customer))) throw new Refusal('too-many-requests');
      return { customer, session: await beginSession(tx, clock, { kind: 'customer', customerId: customer.id }) };
    });
  } catch (error) {
    if (error instanceof Refusal && error.code === 'email-unconfirmed')
      await db.transaction((tx) => jobs.enqueue(tx, 'mail-password-reset', { email: form.email }));
    throw error;
  }
}

/**
 * End an account's sessions, known browsers, sign-in and reset links, and cancel a requested email change. The
 * passkeys, confirmation links and upload links stay valid. Used when a new password is set by a signed-in customer, or
 * by a reset link to a proven address.
 */
export async function endSessionsAndLinks(tx: Db, clock: Clock, id: string): Promise<void> {
  await endSessionsOf(tx, id);
  for (const purpose of ['password-reset', 'sign-in', 'new-passkey'] as const)
    await revokeTokens(tx, clock, purpose, id);
  await tx.delete(emailChanges).where(eq(emailChanges.customerId, id));
  await deleteKnownBrowsersOf(tx, id);
}

/**
 * Mail the link with which the customer proves the email address. Returns false, without a mail, if `maxMailsPerHour`
 * of these mails went to the address in the last hour.
 */
export async function mailConfirmation(
  tx: Db,
  { clock, jobs }: Pick<AccountsScope, 'clock' | 'jobs'>,
  customer: Customer,
  { again, orderNumber }: { again?: string; orderNumber?: string } = {},
): Promise<boolean> {
  if ((await countMailsOfLastHourTo(tx, clock, customer.email, 'email-confirmation:')) >= maxMailsPerHour) return false;
  await queueMail(
    tx,
    { jobs, clock },
    {
      event: nameConfirmationEvent(customer) + (again ?? ''),
      to: customer.email,
      content: {
        kind: 'email-confirmation',
        firstName: customer.firstName,
        orderNumber,
        confirmUrl: { link: 'confirm-email', subjectId: customer.id },
      },
    },
  );
  return true;
}

const nameConfirmationEvent = ({ id }: Customer) => `email-confirmation:${id}`;

/** Mail the confirmation link again to a signed-in customer. Returns false if the address is already proven. */
export async function mailConfirmationAgain({ db, clock, jobs }: MailingScope, { id }: Customer): Promise<boolean> {
  return db.transaction(async (tx) => {
    const customer = await lockAccount(tx, id);
    if (!customer) throw new Refusal('sign-in-needed');
    if (customer.emailProvenAt !== null) return false;
    if (!(await mailConfirmation(tx, { clock, jobs }, customer, { again: `:${newId()}` })))
      throw new Refusal('too-many-requests');
    return true;
  });
}

/**
 * Sign in with an email address and a password. An unknown email address, a wrong password and an old password get the
 * same refusal and take the same time. Wrong passwords for one email address are limited across all IP addresses. A
 * browser in which someone has signed in to the account before has its own limit, so that strangers cannot lock the
 * customer out.
 */
export async function signIn(
  { db, clock }: { db: Db; clock: Clock },
  form: { email: string; password: string; browser: string | undefined },
): Promise<{ customer: Customer; session: Session }> {
  const knownBrowserId = await findKnownBrowserId(db, { email: form.email }, form.browser);
  const attemptKey = knownBrowserId === undefined ? signInAttemptKey(form.email) : `sign-in-browser:${knownBrowserId}`;
  const attempt = await countAttempt(db, clock, attemptKey, maxAttemptsPerAccount.password);
  if (attempt.state === 'later') throw new Refusal('sign-in-slowed', attempt);
  if (attempt.state === 'locked') throw new Refusal('wrong-credentials');
  const account = await findCustomerByEmail(db, form.email);
  if (!(await isPasswordCorrect(form.password, account?.passwordHash)) || !account)
    throw new Refusal('wrong-credentials');
  const session = await db.transaction(async (tx) => {
    // The password may have been changed since it was checked. The change ended all sessions, so the old password must
    // not start a new one.
    const isPasswordUnchanged = sql`${customers.id} = ${account.id} and ${customers.passwordHash} = ${account.passwordHash}`;
    const [present] = await tx.select({ id: customers.id }).from(customers).where(isPasswordUnchanged).for('share');
    if (!present) throw new Refusal('wrong-credentials');
    return beginSession(tx, clock, { kind: 'customer', customerId: account.id });
  });
  await removeAttempt(db, attemptKey, attempt);
  return { customer: account, session };
}

/**
 * The key that counts tries in browsers that are not known to the account. Email addresses without an account are
 * counted too. Otherwise the limit would reveal which addresses have an account.
 */
export const signInAttemptKey = (email: string) => `sign-in:${email}`;

export const signOut = (db: Db, token: string) => endSession(db, token);

/**
 * How many mails of one kind an account can get per hour on request. Without a limit, strangers could flood a mailbox.
 */
export const maxMailsPerHour = 3;

/** The job that emails a reset link after a "forgot password" request. */
export const mailPasswordReset = (scope: MailingScope, email: string) =>
  mailToAccount(scope, email, 'password-reset', ({ id, firstName }) => ({
    kind: 'password-reset',
    firstName,
    resetUrl: { link: 'reset-password', subjectId: id },
  }));

/**
 * Queue a mail that can be requested without signing in, if the email address has an account. Runs in a job, so that
 * the response time does not reveal whether the account exists.
 */
export async function mailToAccount(
  { db, clock, jobs }: MailingScope,
  email: string,
  event: string,
  contentFor: (account: Customer) => NewMail['content'],
): Promise<void> {
  const foundCustomer = await findCustomerByEmail(db, email);
  if (!foundCustomer) return;
  await db.transaction(async (tx) => {
    const account = await lockAccount(tx, foundCustomer.id);
    if (account?.email !== email) return;
    if ((await countMailsOfLastHour(tx, clock, `${event}:${account.id}:`)) >= maxMailsPerHour) return;
    const mail = { event: `${event}:${account.id}:${newId()}`, to: account.email, content: contentFor(account) };
    await queueMail(tx, { jobs, clock }, mail);
  });
}

/**
 * Delete an account with its sessions and passkeys. Of two simultaneous deletions, the second throws `sign-in-needed`.
 * The deletion waits for a transaction that places an order of the account.
 */
export async function endAccount(tx: Db, id: string): Promise<void> {
  const endedRows = await tx.delete(customers).where(eq(customers.id, id)).returning({ id: customers.id });
  if (endedRows.length === 0) throw new Refusal('sign-in-needed');
}

/**
 * Revoke all mailed links of a deleted account. Call it after its mails are deleted, because a mail that is just being
 * sent may still add tokens.
 */
export async function revokeAccountLinks(tx: Db, clock: Clock, id: string): Promise<void> {
  for (const purpose of ['password-reset', 'email-confirmation', 'sign-in', 'new-passkey', 'upload-link'] as const)
    await revokeTokens(tx, clock, purpose, id);
}

/** Spend one of the customer's reupload credits. Refuses with `no-credits-left` if there is none. */
export async function spendReuploadCredit(tx: Db, customerId: string): Promise<void> {
  const spentRows = await tx
    .update(customers)
    .set({ reuploadCredits: sql`${customers.reuploadCredits} - 1` })
    .where(and(eq(customers.id, customerId), gt(customers.reuploadCredits, 0)))
    .returning({ id: customers.id });
  if (spentRows.length === 0) throw new Refusal('no-credits-left');
}

/** Set a customer's reupload credits. Returns the previous number, or undefined if there is no such customer. */
export async function setReuploadCredits(tx: Db, customerId: string, credits: number): Promise<number | undefined> {
  const [before] = await tx
    .select({ credits: customers.reuploadCredits })
    .from(customers)
    .where(eq(customers.id, customerId))
    .for('no key update');
  if (!before) return undefined;
  await tx.update(customers).set({ reuploadCredits: credits }).where(eq(customers.id, customerId));
  return before.credits;
}
