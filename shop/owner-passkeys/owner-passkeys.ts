import { and, asc, eq, sql } from 'drizzle-orm';
import type { PasskeyAnswer } from '#contract/account-forms.ts';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import {
  counterIncreasedCondition,
  newChallenge,
  readNewPasskey,
  verifySignedChallenge,
  type CeremonyScope,
} from '../passkeys/passkeys.ts';
import { ownerPasskeys } from './owner-passkeys.sql.ts';

export type OwnerPasskey = typeof ownerPasskeys.$inferSelect;

const making = { purpose: 'new-owner-passkey', subjectId: 'owner' } as const;
const signing = { purpose: 'owner-passkey', subjectId: 'owner' } as const;

/** The owner's passkeys, oldest first. */
export const ownersPasskeys = (db: Db): Promise<OwnerPasskey[]> =>
  db.select().from(ownerPasskeys).orderBy(asc(ownerPasskeys.createdAt), asc(ownerPasskeys.id));

/** The options that the browser needs to create a passkey for the owner. */
export async function startOwnerPasskeyRegistration(
  tx: Db,
  scope: CeremonyScope,
  { email, name }: { email: string; name: string },
): Promise<Record<string, unknown>> {
  const known = await ownersPasskeys(tx);
  if (known.length >= limits.passkeysPerCustomer) throw new Refusal('too-many-passkeys');
  const challenge = await newChallenge(tx, scope.clock, making);
  return scope.passkeys.inviteNew({ challenge, holder: { id: 'owner', email, name }, known });
}

/**
 * Stores the passkey that the browser has created. Returns undefined if the browser's response is not valid, or if the
 * passkey is already stored.
 */
export async function addOwnersPasskey(
  tx: Db,
  scope: CeremonyScope,
  { name, answer }: { name: string; answer: PasskeyAnswer },
): Promise<OwnerPasskey | undefined> {
  const made = await readNewPasskey(tx, scope, making, answer);
  if (!made) return undefined;
  // Take a lock, so that simultaneous requests cannot exceed the limit.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('owner-passkeys', 0))`);
  if ((await ownersPasskeys(tx)).length >= limits.passkeysPerCustomer) throw new Refusal('too-many-passkeys');
  const [added] = await tx
    .insert(ownerPasskeys)
    .values({ ...made, name, createdAt: scope.clock.now() })
    .onConflictDoNothing()
    .returning();
  return added;
}

export async function nameOwnersPasskey(
  tx: Db,
  id: string,
  name: string,
): Promise<{ before: string; now: OwnerPasskey }> {
  const [before] = await tx.select().from(ownerPasskeys).where(eq(ownerPasskeys.id, id)).for('update');
  if (!before) throw new Refusal('not-found');
  await tx.update(ownerPasskeys).set({ name }).where(eq(ownerPasskeys.id, id));
  return { before: before.name, now: { ...before, name } };
}

/** Deletes a passkey, so that it can no longer sign in. */
export async function removeOwnersPasskey(tx: Db, id: string): Promise<OwnerPasskey> {
  const [removed] = await tx.delete(ownerPasskeys).where(eq(ownerPasskeys.id, id)).returning();
  if (!removed) throw new Refusal('not-found');
  return removed;
}

/** The options that the browser needs to sign with one of the owner's passkeys. */
export const startOwnerPasskeySignIn = async (db: Db, scope: CeremonyScope): Promise<Record<string, unknown>> =>
  scope.passkeys.invite(await newChallenge(db, scope.clock, signing));

/**
 * Returns the owner's passkey that has signed the challenge, and its new counter. Returns undefined if the browser's
 * response is not valid or the challenge was already used.
 */
export const readOwnersSignature = (db: Db, scope: CeremonyScope, answer: PasskeyAnswer) =>
  verifySignedChallenge(db, scope, signing, answer, async (id) => {
    const [known] = await db.select().from(ownerPasskeys).where(eq(ownerPasskeys.id, id));
    return known;
  });
type Signature = NonNullable<Awaited<ReturnType<typeof readOwnersSignature>>>;

/**
 * Stores the counter of a signature, in the transaction of the action that the signature authorizes. Returns false if
 * the counter goes backward or the passkey was removed in the meantime. The caller must then refuse the action.
 */
export async function countOwnersSignature(
  tx: Db,
  { clock }: CeremonyScope,
  { passkey, counter }: Signature,
): Promise<boolean> {
  const used = await tx
    .update(ownerPasskeys)
    .set({ counter, lastUsedAt: clock.now() })
    .where(and(eq(ownerPasskeys.id, passkey.id), counterIncreasedCondition(ownerPasskeys.counter, counter)))
    .returning({ id: ownerPasskeys.id });
  return used.length > 0;
}
