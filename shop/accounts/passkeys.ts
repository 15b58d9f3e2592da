import { and, asc, eq, sql } from 'drizzle-orm';
import type { PasskeyAnswer } from '#contract/account-forms.ts';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Passkeys } from '../ports/passkeys.ts';
import { queueMail } from '../mail/mail.ts';
import {
  counterIncreasedCondition,
  createChallenge,
  readNewPasskey,
  verifySignedChallenge,
} from '../passkeys/passkeys.ts';
import { hashToken } from '../tokens/tokens.ts';
import { type AccountsScope, type Session } from './accounts.ts';
import { customers, passkeys, type Customer, type Passkey } from './accounts.sql.ts';
import { beginSession } from './sessions.ts';

export type { Passkey } from './accounts.sql.ts';

interface PasskeyScope {
  db: Db;
  clock: Clock;
  passkeys: Passkeys;
}
/** The challenge of a sign-in. It belongs to no customer, because the customer is not known yet. */
const signInCeremony = { purpose: 'passkey', subjectId: 'anyone' } as const;
const createPasskeyToken = (customerId: string) => ({ purpose: 'new-passkey', subjectId: customerId }) as const;

/** A customer's passkeys, oldest first. */
export const readPasskeysOf = (db: Db, customerId: string): Promise<Passkey[]> =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.customerId, customerId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));

/** The options that the browser needs to create a passkey for this customer. */
export async function startPasskeyRegistration(
  scope: PasskeyScope,
  customer: Customer,
): Promise<Record<string, unknown>> {
  const { db, clock } = scope;
  const knownPasskeys = await readPasskeysOf(db, customer.id);
  if (knownPasskeys.length >= limits.passkeysPerCustomer) throw new Refusal('too-many-passkeys');
  const { id, email, firstName, lastName } = customer;
  const challenge = await createChallenge(db, clock, createPasskeyToken(id));
  return scope.passkeys.inviteNew({
    challenge,
    holder: { id, email, name: `${firstName} ${lastName}` },
    known: knownPasskeys,
  });
}

/** Store the passkey that the browser has created, and notify the customer by mail. */
export async function addPasskey(
  scope: PasskeyScope & AccountsScope,
  customer: Customer,
  { name, answer, sid }: { name: string; answer: PasskeyAnswer; sid: string },
): Promise<Passkey> {
  const { db, clock, jobs } = scope;
  const newPasskey = await readNewPasskey(db, scope, createPasskeyToken(customer.id), answer);
  if (!newPasskey) throw new Refusal('passkey-not-added');
  return db.transaction(async (tx) => {
    const isUnchangedAccount = sql`${customers.id} = ${customer.id} and ${customers.passwordHash} = ${customer.passwordHash}`;
    const [present] = await tx.select({ id: customers.id }).from(customers).where(isUnchangedAccount).for('update');
    // If the account was replaced or its password was changed in the meantime, this session has no access anymore.
    if (!present) throw new Refusal('passkey-not-added');
    if ((await readPasskeysOf(tx, customer.id)).length >= limits.passkeysPerCustomer)
      throw new Refusal('too-many-passkeys');
    const [added] = await tx
      .insert(passkeys)
      .values({ ...newPasskey, customerId: customer.id, name, sessionHash: hashToken(sid), createdAt: clock.now() })
      .onConflictDoNothing()
      .returning();
    if (!added) throw new Refusal('passkey-not-added');
    await queueMail(
      tx,
      { jobs, clock },
      {
        event: `passkey-added:${customer.id}:${added.id}`,
        to: customer.email,
        content: {
          kind: 'account-news',
          firstName: customer.firstName,
          what: 'passkey-added',
          passkeyName: name,
          happenedAt: clock.now().toISOString(),
          accountUrl: scope.link('/account'),
        },
      },
    );
    return added;
  });
}

const isPasskeyOfCustomer = (customerId: string, id: string) =>
  and(eq(passkeys.id, id), eq(passkeys.customerId, customerId));

export async function namePasskey(db: Db, customerId: string, id: string, name: string): Promise<Passkey> {
  const [named] = await db.update(passkeys).set({ name }).where(isPasskeyOfCustomer(customerId, id)).returning();
  if (!named) throw new Refusal('not-found');
  return named;
}

export async function removePasskey(db: Db, customerId: string, id: string): Promise<void> {
  const removedRows = await db
    .delete(passkeys)
    .where(isPasskeyOfCustomer(customerId, id))
    .returning({ id: passkeys.id });
  if (removedRows.length === 0) throw new Refusal('not-found');
}

/** The options that the browser needs to sign in with a passkey. */
export async function startPasskeySignIn({
  db,
  clock,
  passkeys: port,
}: PasskeyScope): Promise<Record<string, unknown>> {
  return port.invite(await createChallenge(db, clock, signInCeremony));
}

/**
 * Sign in with a signed challenge. Repeated responses, modified responses and responses of an unknown key get the same
 * refusal.
 */
export async function signInByPasskey(
  scope: PasskeyScope,
  answer: PasskeyAnswer,
): Promise<{ customer: Customer; session: Session }> {
  const { db, clock } = scope;
  const signedPasskey = await verifySignedChallenge(db, scope, signInCeremony, answer, async (id) => {
    const [known] = await db.select().from(passkeys).where(eq(passkeys.id, id));
    return known;
  });
  if (!signedPasskey) throw new Refusal('passkey-refused');
  const { passkey, counter } = signedPasskey;
  return db.transaction(async (tx) => {
    // Lock the account before the passkey, like the code that revokes passkeys. Otherwise a revoked passkey could still
    // sign in.
    const accountQuery = tx.select().from(customers).where(eq(customers.id, passkey.customerId));
    const [customer] = await accountQuery.for('share');
    // Refuse a passkey whose counter goes backwards, or that was removed in the meantime.
    const [used] = await tx
      .update(passkeys)
      .set({ counter, lastUsedAt: clock.now() })
      .where(and(eq(passkeys.id, passkey.id), counterIncreasedCondition(passkeys.counter, counter)))
      .returning({ id: passkeys.id });
    if (!used || !customer) throw new Refusal('passkey-refused');
    const sessionHolder = { kind: 'customer', customerId: customer.id, passkeyId: passkey.id } as const;
    return { customer, session: await beginSession(tx, clock, sessionHolder) };
  });
}
