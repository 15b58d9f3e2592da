import { and, eq, isNull, sql } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Clock, Db, Jobs } from '../ports.ts';
import { newId } from '../columns.ts';
import { countLastHour, queueMail } from '../mail/mail.ts';
import { giveGuestOrdersOf } from '../orders/orders.ts';
import { customers, type Customer } from './accounts.sql.ts';
import { hashPassword, passwordFits, refuseCommonPassword } from './passwords.ts';
import { beginSession, endSession, endSessionsOf } from './sessions.ts';
import { failSignIn, forgiveSignIn, signInDelay } from './sign-in-delay.ts';
import { revokeTokens, spendToken } from './tokens.ts';

export type { Customer } from './accounts.sql.ts';
export type Session = { token: string; maxAgeSeconds: number };

export interface AccountsScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
}

export async function customerById(db: Db, id: string): Promise<Customer | undefined> {
  const [customer] = await db.select().from(customers).where(eq(customers.id, id));
  return customer;
}
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
  { db, clock, jobs }: AccountsScope,
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
  await endSessionsOf(tx, claimed.id);
  return claimed;
}

export async function mailConfirmation(
  tx: Db,
  { clock, jobs }: Omit<AccountsScope, 'db'>,
  customer: Customer,
  { again }: { again?: string } = {},
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
        confirmUrl: { link: 'confirm-email', subjectId: customer.id },
      },
    },
  );
}

const confirmationEvent = ({ id }: Customer) => `email-confirmation:${id}`;

/** Mail the link anew to somebody who is signed in. False where the mailbox is known to be theirs already. */
export async function mailConfirmationAgain({ db, clock, jobs }: AccountsScope, customer: Customer): Promise<boolean> {
  if (customer.emailConfirmedAt !== null) return false;
  await db.transaction(async (tx) => {
    if ((await countLastHour(tx, clock, confirmationEvent(customer))) >= mailsAnHour)
      throw new Refusal('too-many-requests');
    await mailConfirmation(tx, { clock, jobs }, customer, { again: `:${newId()}` });
  });
  return true;
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
  await wait(await signInDelay(db, clock, tried));
  const account = await accountOf(db, form.email);
  if (!(await passwordFits(form.password, account?.passwordHash)) || !account) {
    await failSignIn(db, clock, tried);
    throw new Refusal('wrong-credentials');
  }
  await forgiveSignIn(db, tried);
  return { customer: account, session: await beginSession(db, clock, { kind: 'customer', customerId: account.id }) };
}

export const signOut = (db: Db, token: string) => endSession(db, token);

/** Nobody's mailbox is flooded by strangers who ask for them. */
const mailsAnHour = 3;

/** The job behind "forgot password": mails a link if there is such an account, and takes its time unseen. */
export async function mailPasswordReset({ db, clock, jobs }: AccountsScope, email: string): Promise<void> {
  const account = await accountOf(db, email);
  if (!account) return;
  await db.transaction(async (tx) => {
    if ((await countLastHour(tx, clock, `password-reset:${account.id}:`)) >= mailsAnHour) return;
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `password-reset:${account.id}:${newId()}`,
        to: account.email,
        content: {
          kind: 'password-reset',
          firstName: account.firstName,
          resetUrl: { link: 'reset-password', subjectId: account.id },
        },
      },
    );
  });
}

/** A new password by mailed link: every session ends, and the mailbox is known to be theirs. */
export async function resetPassword(
  { db, clock }: { db: Db; clock: Clock },
  { token, password }: { token: string; password: string },
): Promise<void> {
  await refuseCommonPassword(password);
  const passwordHash = await hashPassword(password);
  await db.transaction(async (tx) => {
    const customerId = await spendToken(tx, clock, 'password-reset', token);
    if (customerId === undefined) throw new Refusal('reset-link-invalid');
    await tx.update(customers).set({ passwordHash }).where(eq(customers.id, customerId));
    await revokeTokens(tx, clock, 'password-reset', customerId);
    await endSessionsOf(tx, customerId);
    await confirmMailbox(tx, clock, customerId);
  });
}

export async function confirmEmail({ db, clock }: { db: Db; clock: Clock }, token: string): Promise<void> {
  await db.transaction(async (tx) => {
    const customerId = await spendToken(tx, clock, 'email-confirmation', token);
    if (customerId === undefined) throw new Refusal('confirmation-link-invalid');
    await confirmMailbox(tx, clock, customerId);
  });
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

export async function countCustomers(db: Db): Promise<number> {
  const [row] = await db.select({ count: sql<number>`count(*)`.mapWith(Number) }).from(customers);
  return row!.count;
}
