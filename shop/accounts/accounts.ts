import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { newId } from '../columns.ts';
import { countLastHour, type NewMail, queueMail } from '../mail/mail.ts';
import { giveGuestOrdersOf } from '../orders/orders.ts';
import { preparedAmong } from '../prepared.ts';
import { customers, emailChanges, passkeys, type Customer } from './accounts.sql.ts';
import { hashPassword, passwordFits, refuseCommonPassword } from './passwords.ts';
import { beginSession, endSession, endSessionsOf } from './sessions.ts';
import { countSignIn, forgiveSignIn } from './sign-in-delay.ts';
import { readToken, revokeTokens, spendToken } from '../tokens/tokens.ts';

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

export async function customerById(db: Db, id: string): Promise<Customer | undefined> {
  const [customer] = await db.select().from(customers).where(eq(customers.id, id));
  return customer;
}
/** The same, who stays a customer until the transaction ends. */
export async function holdCustomer(tx: Db, id: string): Promise<Customer | undefined> {
  const [customer] = await tx.select().from(customers).where(eq(customers.id, id)).for('key share');
  return customer;
}
/** The same, whom nobody else changes until then: of several who count what they may still do, one is first. */
export async function holdAccount(tx: Db, id: string): Promise<Customer | undefined> {
  const [customer] = await tx.select().from(customers).where(eq(customers.id, id)).for('no key update');
  return customer;
}
export const customersByIds = preparedAmong(customers.id, (db, isAmong) => db.select().from(customers).where(isAmong));
/** Keep who this account is at the payment provider; null: the provider no longer knows. */
export async function rememberProviderCustomer(tx: Db, id: string, providerCustomerId: string | null): Promise<void> {
  const isNew = providerCustomerId === null ? undefined : isNull(customers.stripeCustomerId);
  await tx
    .update(customers)
    .set({ stripeCustomerId: providerCustomerId })
    .where(and(eq(customers.id, id), isNew));
}
export async function accountOf(db: Db, email: string): Promise<Customer | undefined> {
  const [customer] = await db.select().from(customers).where(eq(customers.email, email));
  return customer;
}

/** A new account, signed in. Guest orders of the e-mail wait for the mailed confirmation. */
export async function register(
  { db, clock, jobs }: MailingScope,
  form: { firstName: string; lastName: string; email: string; password: string },
): Promise<{ customer: Customer; session: Session }> {
  await refuseCommonPassword(form.password, form.email);
  const passwordHash = await hashPassword(form.password);
  return db.transaction(async (tx) => {
    const customer = await insertCustomer(tx, clock, { ...form, passwordHash });
    await mailConfirmation(tx, { clock, jobs }, customer);
    return { customer, session: await beginSession(tx, clock, { kind: 'customer', customerId: customer.id }) };
  });
}

/** One account an e-mail: of two who register at once, one is refused. */
export async function insertCustomer(
  tx: Db,
  clock: Clock,
  account: { firstName: string; lastName: string; email: string; passwordHash: string; emailConfirmedAt?: Date },
): Promise<Customer> {
  const { firstName, lastName, email, passwordHash, emailConfirmedAt } = account;
  const [customer] = await tx
    .insert(customers)
    .values({ id: newId(), email, firstName, lastName, passwordHash, emailConfirmedAt, createdAt: clock.now() })
    .onConflictDoNothing({ target: customers.email })
    .returning();
  if (!customer) throw new Refusal('email-taken');
  return customer;
}

/**
 * The account of a mailbox whose holder has just proved it. One that was opened under this e-mail and never confirmed
 * becomes theirs: another password, another name, nobody signed in.
 */
export async function claimAccount(
  tx: Db,
  clock: Clock,
  account: { firstName: string; lastName: string; email: string; passwordHash: string },
): Promise<Customer> {
  const { firstName, lastName, email, passwordHash } = account;
  const [claimed] = await tx
    .update(customers)
    .set({ firstName, lastName, passwordHash })
    .where(and(eq(customers.email, email), isNull(customers.emailConfirmedAt)))
    .returning();
  if (!claimed) return insertCustomer(tx, clock, account);
  await shutOthersOut(tx, clock, claimed);
  return claimed;
}

/**
 * Whoever else knew a way into the account has none any more: no session, no mailed link, no e-mail that waits to be
 * confirmed; and no passkey, where its mailbox was not known to be its holder's.
 */
export async function shutOthersOut(
  tx: Db,
  clock: Clock,
  { id, emailConfirmedAt }: Pick<Customer, 'id' | 'emailConfirmedAt'>,
): Promise<void> {
  await endSessionsOf(tx, id);
  for (const purpose of ['password-reset', 'sign-in', 'new-passkey'] as const)
    await revokeTokens(tx, clock, purpose, id);
  await tx.delete(emailChanges).where(eq(emailChanges.customerId, id));
  if (emailConfirmedAt === null) await tx.delete(passkeys).where(eq(passkeys.customerId, id));
}

export async function mailConfirmation(
  tx: Db,
  { clock, jobs }: Pick<AccountsScope, 'clock' | 'jobs'>,
  customer: Customer,
  { again, orderNumber }: { again?: string; orderNumber?: string } = {},
): Promise<void> {
  await queueMail(
    tx,
    { jobs, clock },
    {
      event: confirmationEvent(customer) + (again ?? ''),
      to: customer.email,
      content: {
        kind: 'email-confirmation',
        firstName: customer.firstName,
        orderNumber,
        confirmUrl: { link: 'confirm-email', subjectId: customer.id },
      },
    },
  );
}

const confirmationEvent = ({ id }: Customer) => `email-confirmation:${id}`;

/** Mail the link anew to somebody who is signed in. False where the mailbox is known to be theirs already. */
export async function mailConfirmationAgain({ db, clock, jobs }: MailingScope, { id }: Customer): Promise<boolean> {
  return db.transaction(async (tx) => {
    const customer = await holdAccount(tx, id);
    if (!customer) throw new Refusal('sign-in-needed');
    if (customer.emailConfirmedAt !== null) return false;
    if ((await countLastHour(tx, clock, confirmationEvent(customer))) >= mailsAnHour)
      throw new Refusal('too-many-requests');
    await mailConfirmation(tx, { clock, jobs }, customer, { again: `:${newId()}` });
    return true;
  });
}

/**
 * E-mail and password for a session. An unknown e-mail, a wrong password and an old one are the same no, in words and
 * in time; many failures make the answer slower, never impossible.
 */
export async function signIn(
  { db, clock, wait }: { db: Db; clock: Clock; wait: (ms: number) => Promise<void> },
  form: { email: string; password: string; address: string },
): Promise<{ customer: Customer; session: Session }> {
  const tried = [form.email, form.address];
  await wait(await countSignIn(db, clock, tried));
  const account = await accountOf(db, form.email);
  if (!(await passwordFits(form.password, account?.passwordHash)) || !account) throw new Refusal('wrong-credentials');
  const session = await db.transaction(async (tx) => {
    // A new password meanwhile has ended every session that the old one had begun.
    const stillFits = sql`${customers.id} = ${account.id} and ${customers.passwordHash} = ${account.passwordHash}`;
    const [present] = await tx.select({ id: customers.id }).from(customers).where(stillFits).for('share');
    if (!present) throw new Refusal('wrong-credentials');
    return beginSession(tx, clock, { kind: 'customer', customerId: account.id });
  });
  await forgiveSignIn(db, tried);
  return { customer: account, session };
}

export const signOut = (db: Db, token: string) => endSession(db, token);

/** Nobody's mailbox is flooded by strangers who ask for them. */
export const mailsAnHour = 3;

/** The job behind "forgot password". */
export const mailPasswordReset = (scope: MailingScope, email: string) =>
  mailToOwner(scope, email, 'password-reset', ({ id, firstName }) => ({
    kind: 'password-reset',
    firstName,
    resetUrl: { link: 'reset-password', subjectId: id },
  }));

/** What anybody may ask for by an e-mail: mailed if there is such an account, and taking its time unseen. */
export async function mailToOwner(
  { db, clock, jobs }: MailingScope,
  email: string,
  event: string,
  contentFor: (account: Customer) => NewMail['content'],
): Promise<void> {
  const found = await accountOf(db, email);
  if (!found) return;
  await db.transaction(async (tx) => {
    const account = await holdAccount(tx, found.id);
    if (account?.email !== email) return;
    if ((await countLastHour(tx, clock, `${event}:${account.id}:`)) >= mailsAnHour) return;
    const mail = { event: `${event}:${account.id}:${newId()}`, to: account.email, content: contentFor(account) };
    await queueMail(tx, { jobs, clock }, mail);
  });
}

/** A new password by mailed link: every session ends, and the mailbox is known to be theirs. */
export async function resetPassword(
  { db, clock }: { db: Db; clock: Clock },
  { token, password }: { token: string; password: string },
): Promise<void> {
  const subject = await readToken(db, 'password-reset', token);
  const account = subject && (await customerById(db, subject.subjectId));
  if (!account) throw new Refusal('reset-link-invalid');
  await refuseCommonPassword(password, account.email);
  const passwordHash = await hashPassword(password);
  await db.transaction(async (tx) => {
    const before = await accountOpenedBy(tx, clock, 'password-reset', token);
    if (!before) throw new Refusal('reset-link-invalid');
    await tx.update(customers).set({ passwordHash }).where(eq(customers.id, before.id));
    await shutOthersOut(tx, clock, before);
    await confirmMailbox(tx, clock, before.id);
  });
}

export async function confirmEmail({ db, clock }: { db: Db; clock: Clock }, token: string): Promise<void> {
  await db.transaction(async (tx) => {
    const account = await accountOpenedBy(tx, clock, 'email-confirmation', token);
    if (!account) throw new Refusal('confirmation-link-invalid');
    await confirmMailbox(tx, clock, account.id);
  });
}

/**
 * Whose account a mailed token opens, which uses it up. The account is held before it, as by whoever changes or ends the
 * account; undefined where one of the two is no more.
 */
export async function accountOpenedBy(
  tx: Db,
  clock: Clock,
  purpose: 'password-reset' | 'email-confirmation' | 'sign-in',
  token: string,
): Promise<Customer | undefined> {
  const read = await readToken(tx, purpose, token);
  const account = read && (await holdAccount(tx, read.subjectId));
  return account && (await spendToken(tx, clock, purpose, token)) ? account : undefined;
}

/** The mailbox is theirs: guest orders of its e-mail, with frames and photos, join the account. */
export async function confirmMailbox(tx: Db, clock: Clock, customerId: string): Promise<Customer | undefined> {
  const [customer] = await tx
    .update(customers)
    .set({ emailConfirmedAt: sql`coalesce(${customers.emailConfirmedAt}, ${clock.now().toISOString()}::timestamptz)` })
    .where(eq(customers.id, customerId))
    .returning();
  if (customer) await giveGuestOrdersOf(tx, customer.email, customerId);
  return customer;
}

/**
 * The account is no more, with its sessions and passkeys. Of two at once, one is told that it is gone; an order that is
 * being placed for it is waited for.
 */
export async function endAccount(tx: Db, id: string): Promise<void> {
  const ended = await tx.delete(customers).where(eq(customers.id, id)).returning({ id: customers.id });
  if (ended.length === 0) throw new Refusal('sign-in-needed');
}

/** No link opens an account that has ended. To be called once its mails are forgotten, for one that is being written. */
export async function endWaysIn(tx: Db, clock: Clock, id: string): Promise<void> {
  for (const purpose of ['password-reset', 'email-confirmation', 'sign-in', 'new-passkey', 'upload-link'] as const)
    await revokeTokens(tx, clock, purpose, id);
}

/** Take one of the customer's reupload credits. */
export async function spendReuploadCredit(tx: Db, customerId: string): Promise<void> {
  const spent = await tx
    .update(customers)
    .set({ reuploadCredits: sql`${customers.reuploadCredits} - 1` })
    .where(and(eq(customers.id, customerId), gt(customers.reuploadCredits, 0)))
    .returning({ id: customers.id });
  if (spent.length === 0) throw new Refusal('no-credits-left');
}

/** Set how many reupload credits a customer has. Answers how many there were; undefined where there is no such customer. */
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
