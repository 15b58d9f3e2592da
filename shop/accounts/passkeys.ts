import { and, asc, eq, sql } from 'drizzle-orm';
import type { PasskeyAnswer } from '#contract/account-forms.ts';
import { lifetimes, limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Passkeys } from '../ports/passkeys.ts';
import { queueMail } from '../mail/mail.ts';
import { issueToken, spendToken } from '../tokens/tokens.ts';
import { type AccountsScope, type Session } from './accounts.ts';
import { customers, passkeys, type Customer, type Passkey } from './accounts.sql.ts';
import { beginSession } from './sessions.ts';

export type { Passkey } from './accounts.sql.ts';

interface PasskeyScope {
  db: Db;
  clock: Clock;
  passkeys: Passkeys;
}
// A challenge is a token like any other: random, kept as its hash, used once, soon over.
const seconds = lifetimes.passkeyChallengeMinutes * 60;
/** Whoever signs in is not known yet. */
const anyone = 'anyone';

/** Oldest first. */
export const passkeysOf = (db: Db, customerId: string): Promise<Passkey[]> =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.customerId, customerId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));

/** What the browser needs to make a passkey for this customer. */
export async function inviteNewPasskey(scope: PasskeyScope, customer: Customer): Promise<Record<string, unknown>> {
  const { db, clock } = scope;
  const known = await passkeysOf(db, customer.id);
  if (known.length >= limits.passkeysPerCustomer) throw new Refusal('too-many-passkeys');
  const { id, email, firstName, lastName } = customer;
  const challenge = await issueToken(db, clock, { purpose: 'new-passkey', subjectId: id, seconds });
  return scope.passkeys.inviteNew({ challenge, customer: { id, email, name: `${firstName} ${lastName}` }, known });
}

/** Keep the passkey that the browser has made; whoever it is added to hears of it. */
export async function addPasskey(
  scope: PasskeyScope & AccountsScope,
  customer: Customer,
  { name, answer }: { name: string; answer: PasskeyAnswer },
): Promise<Passkey> {
  const { db, clock, jobs } = scope;
  const challenge = scope.passkeys.challengeOf(answer);
  // Used up whatever comes of it.
  const subject = challenge === undefined ? undefined : await spendToken(db, clock, 'new-passkey', challenge);
  const made = subject === customer.id ? await scope.passkeys.readNew(answer, challenge!) : undefined;
  if (!made) throw new Refusal('passkey-not-added');
  return db.transaction(async (tx) => {
    const isAsker = sql`${customers.id} = ${customer.id} and ${customers.passwordHash} = ${customer.passwordHash}`;
    const [present] = await tx.select({ id: customers.id }).from(customers).where(isAsker).for('update');
    // Whoever has claimed the account or reset it meanwhile has shut the asker out.
    if (!present) throw new Refusal('passkey-not-added');
    if ((await passkeysOf(tx, customer.id)).length >= limits.passkeysPerCustomer)
      throw new Refusal('too-many-passkeys');
    const [added] = await tx
      .insert(passkeys)
      .values({ ...made, customerId: customer.id, name, createdAt: clock.now() })
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

const isTheirs = (customerId: string, id: string) => and(eq(passkeys.id, id), eq(passkeys.customerId, customerId));

export async function namePasskey(db: Db, customerId: string, id: string, name: string): Promise<Passkey> {
  const [named] = await db.update(passkeys).set({ name }).where(isTheirs(customerId, id)).returning();
  if (!named) throw new Refusal('not-found');
  return named;
}

export async function removePasskey(db: Db, customerId: string, id: string): Promise<void> {
  const removed = await db.delete(passkeys).where(isTheirs(customerId, id)).returning({ id: passkeys.id });
  if (removed.length === 0) throw new Refusal('not-found');
}

/** What the browser needs to sign in with a passkey. */
export async function invitePasskey({ db, clock, passkeys: port }: PasskeyScope): Promise<Record<string, unknown>> {
  return port.invite(await issueToken(db, clock, { purpose: 'passkey', subjectId: anyone, seconds }));
}

/** A signed challenge for a session. An answer sent twice, tampered with, or by a key we do not know is the same no. */
export async function signInByPasskey(
  { db, clock, passkeys: port }: PasskeyScope,
  answer: PasskeyAnswer,
): Promise<{ customer: Customer; session: Session }> {
  const challenge = port.challengeOf(answer);
  const isOurs = challenge !== undefined && (await spendToken(db, clock, 'passkey', challenge)) !== undefined;
  const [passkey] = isOurs ? await db.select().from(passkeys).where(eq(passkeys.id, answer.id)) : [];
  const checked = passkey && (await port.check(answer, challenge!, passkey));
  if (!checked) throw new Refusal('passkey-refused');
  return db.transaction(async (tx) => {
    // Before the passkey, as by whoever takes it away: nobody is signed in whom that was to shut out.
    const held = tx.select().from(customers).where(eq(customers.id, passkey.customerId));
    const [customer] = await held.for('share');
    // One that counts backwards, or that was removed meanwhile, signs nobody in; most do not count at all.
    const [used] = await tx
      .update(passkeys)
      .set({ counter: checked.counter, lastUsedAt: clock.now() })
      .where(
        and(
          eq(passkeys.id, passkey.id),
          sql`(${passkeys.counter} < ${checked.counter} or (${passkeys.counter} = 0 and ${checked.counter} = 0))`,
        ),
      )
      .returning({ id: passkeys.id });
    if (!used || !customer) throw new Refusal('passkey-refused');
    return { customer, session: await beginSession(tx, clock, { kind: 'customer', customerId: customer.id }) };
  });
}
