import { eq, sql } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { countLastHour, forgetWaysIn, queueMail } from '../mail/mail.ts';
import { holdOrdersOf, moveOrdersTo } from '../orders/orders.ts';
import { holdTokens, readToken, revokeTokens, spendToken } from '../tokens/tokens.ts';
import {
  confirmMailbox,
  holdAccount,
  mailsAnHour,
  shutOthersOut,
  type AccountsScope,
  type Session,
} from './accounts.ts';
import { customers, emailChanges, type Customer } from './accounts.sql.ts';
import { hashPassword, passwordFits, refuseCommonPassword } from './passwords.ts';
import { beginSession, isFreshSession, markProved } from './sessions.ts';
import { countSignIn, forgiveSignIn } from './sign-in-delay.ts';

/** Who acts on their own account, and from where. */
export interface Asker {
  customer: Customer;
  /** The session's cookie. */
  sid: string;
  /** The address the request came from. */
  address: string;
}
export interface ProofScope {
  db: Db;
  clock: Clock;
  wait: (ms: number) => Promise<void>;
}

/** Refuses somebody at an open browser who has neither signed in just now nor given the password again. */
export async function refuseUnproved({ db, clock }: ProofScope, { sid }: Asker): Promise<void> {
  if (!(await isFreshSession(db, clock, sid))) throw new Refusal('password-needed');
}

/** The password once more. A wrong one is answered ever more slowly, as at the sign-in. */
export async function proveAgain(scope: ProofScope, asker: Asker, password: string): Promise<void> {
  await checkPassword(scope, asker, password);
  await markProved(scope.db, scope.clock, asker.sid);
}

async function checkPassword({ db, clock, wait }: ProofScope, { customer, address }: Asker, password: string) {
  const tried = [customer.email, address];
  await wait(await countSignIn(db, clock, tried));
  if (!(await passwordFits(password, customer.passwordHash))) throw new Refusal('password-wrong');
  await forgiveSignIn(db, tried);
}

export async function rename(db: Db, id: string, name: { firstName: string; lastName: string }): Promise<Customer> {
  const { firstName, lastName } = name;
  const [renamed] = await db.update(customers).set({ firstName, lastName }).where(eq(customers.id, id)).returning();
  if (!renamed) throw new Refusal('sign-in-needed');
  return renamed;
}

/** A new password for the present one: every session ends but the new one this answers, and mailed ways in are shut. */
export async function changePassword(
  scope: ProofScope & AccountsScope,
  asker: Asker,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<Session> {
  const { db, clock, jobs } = scope;
  const { id, email, firstName, passwordHash: before } = asker.customer;
  await checkPassword(scope, asker, currentPassword);
  await refuseCommonPassword(password, email);
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    // Of two who change it at once, the second no longer knows the present one.
    const changed = await tx
      .update(customers)
      .set({ passwordHash })
      .where(sql`${customers.id} = ${id} and ${customers.passwordHash} = ${before}`)
      .returning({ id: customers.id });
    if (changed.length === 0) throw new Refusal('password-wrong');
    await shutOthersOut(tx, clock, { id, emailConfirmedAt: asker.customer.emailConfirmedAt ?? clock.now() });
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

/** The e-mail that waits to be confirmed. */
export async function newEmailOf(db: Db, customerId: string): Promise<string | null> {
  const [change] = await db.select().from(emailChanges).where(eq(emailChanges.customerId, customerId));
  return change?.email ?? null;
}

/**
 * Ask for another e-mail. Nothing changes until the link is opened that goes to it, and what is answered does not tell
 * whether somebody has an account there.
 */
export async function askForEmail({ db, clock, jobs }: AccountsScope, { id }: Customer, email: string): Promise<void> {
  await db.transaction(async (tx) => {
    const customer = await holdAccount(tx, id);
    if (!customer) throw new Refusal('sign-in-needed');
    if (email === customer.email) throw new Refusal('email-same');
    if ((await countLastHour(tx, clock, `email-change:${customer.id}:`)) >= mailsAnHour)
      throw new Refusal('too-many-requests');
    const change = { id: newId(), email, askedAt: clock.now() };
    await tx
      .insert(emailChanges)
      .values({ customerId: customer.id, ...change })
      .onConflictDoUpdate({ target: emailChanges.customerId, set: change });
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `email-change:${customer.id}:${change.id}`,
        to: email,
        content: {
          kind: 'email-change',
          firstName: customer.firstName,
          confirmUrl: { link: 'change-email', subjectId: change.id },
        },
      },
    );
  });
}

/** The new mailbox is theirs: the account and its orders go by it, and nothing mailed to the old one opens the account. */
export async function changeEmail(scope: AccountsScope, token: string): Promise<Customer> {
  const { db, clock, jobs } = scope;
  return db.transaction(async (tx) => {
    const read = await readToken(tx, 'email-change', token);
    const ofLink = eq(emailChanges.id, read?.subjectId ?? '');
    const [asked] = await tx.select().from(emailChanges).where(ofLink);
    // In the order in which an account is deleted: who adds to its frames, its orders, itself, what hangs on it.
    if (asked) await holdTokens(tx, 'upload-link', asked.customerId);
    if (asked) await holdOrdersOf(tx, asked.customerId);
    const [before] = asked
      ? await tx.select().from(customers).where(eq(customers.id, asked.customerId)).for('update')
      : [];
    const isSpent = before && (await spendToken(tx, clock, 'email-change', token)) !== undefined;
    const [change] = isSpent ? await tx.delete(emailChanges).where(ofLink).returning() : [];
    if (!change || !before) throw new Refusal('email-change-link-invalid');
    const { customerId, email } = change;
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`email:${email}`}, 0))`);
    const [taken] = await tx.select({ id: customers.id }).from(customers).where(eq(customers.email, email));
    if (taken) throw new Refusal('email-taken');
    await tx
      .update(customers)
      .set({ email, emailConfirmedAt: clock.now() })
      .where(eq(customers.id, customerId))
      .catch((error: unknown) => {
        throw isTaken(error) ? new Refusal('email-taken') : error;
      });
    await moveOrdersTo(tx, customerId, before.email, email);
    await forgetWaysIn(tx, before.email);
    for (const purpose of ['password-reset', 'sign-in', 'email-confirmation', 'upload-link'] as const)
      await revokeTokens(tx, clock, purpose, customerId);
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `email-changed:${customerId}:${change.id}`,
        to: before.email,
        content: {
          kind: 'email-changed',
          firstName: before.firstName,
          changedAt: clock.now().toISOString(),
          supportUrl: scope.link('/support'),
        },
      },
    );
    return (await confirmMailbox(tx, clock, customerId))!;
  });
}

/** Somebody registered with it in the same instant. */
function isTaken(error: unknown): boolean {
  for (let it = error; it instanceof Error; it = it.cause) if ('code' in it && it.code === '23505') return true;
  return false;
}
