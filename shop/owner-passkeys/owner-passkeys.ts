import { and, asc, eq, sql } from 'drizzle-orm';
import type { PasskeyAnswer } from '#contract/account-forms.ts';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import {
  counterIncreasedCondition,
  createChallenge,
  readNewPasskey,
  verifySignedChallenge,
  type CeremonyScope,
} from '../passkeys/passkeys.ts';
import { ownerPasskeys, staffPasskeys } from './owner-passkeys.sql.ts';

export type OwnerPasskey = typeof ownerPasskeys.$inferSelect;

/** Whose passkeys: `owner`, or the id of a member of the staff. */
type PanelAccountId = string;
const ownerId: PanelAccountId = 'owner';

const registrationPurposeOf = (account: PanelAccountId) =>
  ({ purpose: account === ownerId ? 'new-owner-passkey' : 'new-staff-passkey', subjectId: account }) as const;
/** Anyone may sign this challenge, because a device offers the passkey without knowing the person first. */
const signInCeremony = { purpose: 'owner-passkey', subjectId: ownerId } as const;

/** The table of an account and the condition for its rows. The table of staff has the columns of the owner's table. */
const findPasskeyTable = (account: PanelAccountId) =>
  account === ownerId
    ? { table: ownerPasskeys, isTheirs: undefined, whose: {} }
    : {
        // Drizzle types each table separately. Only the columns of `passkeyColumns` are used here.
        table: staffPasskeys as unknown as typeof ownerPasskeys,
        isTheirs: eq(staffPasskeys.staffId, account),
        whose: { staffId: account },
      };

/** The passkeys of an account, oldest first. */
export function readPasskeysOf(db: Db, account: PanelAccountId): Promise<OwnerPasskey[]> {
  const { table, isTheirs } = findPasskeyTable(account);
  return db.select().from(table).where(isTheirs).orderBy(asc(table.createdAt), asc(table.id));
}

/** The options that the browser needs to create a passkey for an account of the panel. */
export async function startOwnerPasskeyRegistration(
  tx: Db,
  scope: CeremonyScope,
  { account, email, name }: { account: PanelAccountId; email: string; name: string },
): Promise<Record<string, unknown>> {
  const knownPasskeys = await readPasskeysOf(tx, account);
  if (knownPasskeys.length >= limits.passkeysPerCustomer) throw new Refusal('too-many-passkeys');
  const challenge = await createChallenge(tx, scope.clock, registrationPurposeOf(account));
  return scope.passkeys.inviteNew({ challenge, holder: { id: account, email, name }, known: knownPasskeys });
}

/**
 * Stores the passkey that the browser has created. Returns undefined if the browser's response is not valid, or if the
 * passkey is already stored.
 */
export async function addOwnersPasskey(
  tx: Db,
  scope: CeremonyScope,
  account: PanelAccountId,
  { name, answer }: { name: string; answer: PasskeyAnswer },
): Promise<OwnerPasskey | undefined> {
  const newPasskey = await readNewPasskey(tx, scope, registrationPurposeOf(account), answer);
  if (!newPasskey) return undefined;
  await lockPasskeys(tx, account);
  if ((await readPasskeysOf(tx, account)).length >= limits.passkeysPerCustomer) throw new Refusal('too-many-passkeys');
  const { table, whose } = findPasskeyTable(account);
  const [added] = await tx
    .insert(table)
    .values({ ...newPasskey, name, createdAt: scope.clock.now(), ...whose })
    .onConflictDoNothing()
    .returning();
  return added;
}

/** Take this lock, so that simultaneous requests cannot exceed the limit or remove all passkeys. */
const lockPasskeys = (tx: Db, account: PanelAccountId) =>
  tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${account === ownerId ? 'owner-passkeys' : `staff-passkeys:${account}`}, 0))`,
  );

export async function nameOwnersPasskey(
  tx: Db,
  account: PanelAccountId,
  id: string,
  name: string,
): Promise<{ before: string; now: OwnerPasskey }> {
  const { table, isTheirs } = findPasskeyTable(account);
  const isThisPasskey = and(isTheirs, eq(table.id, id));
  const [before] = await tx.select().from(table).where(isThisPasskey).for('update');
  if (!before) throw new Refusal('not-found');
  await tx.update(table).set({ name }).where(isThisPasskey);
  return { before: before.name, now: { ...before, name } };
}

/**
 * Deletes a passkey, so that it can no longer sign in.
 *
 * @param mayBeLast false if the account has no other way to sign in: then the last passkey stays
 */
export async function removeOwnersPasskey(
  tx: Db,
  account: PanelAccountId,
  id: string,
  { mayBeLast }: { mayBeLast: boolean },
): Promise<OwnerPasskey> {
  await lockPasskeys(tx, account);
  const { table, isTheirs } = findPasskeyTable(account);
  const [removed] = await tx
    .delete(table)
    .where(and(isTheirs, eq(table.id, id)))
    .returning();
  if (!removed) throw new Refusal('not-found');
  if (!mayBeLast && (await readPasskeysOf(tx, account)).length === 0) throw new Refusal('last-way-in');
  return removed;
}

/** Deletes all passkeys of a member of the staff. */
export const deletePasskeysOfMember = (tx: Db, staffId: string) =>
  tx.delete(staffPasskeys).where(eq(staffPasskeys.staffId, staffId));

/** The options that the browser needs to sign with a passkey of the owner or of staff. */
export const startOwnerPasskeySignIn = async (db: Db, scope: CeremonyScope): Promise<Record<string, unknown>> =>
  scope.passkeys.invite(await createChallenge(db, scope.clock, signInCeremony));

/**
 * Returns the passkey that has signed the challenge, its account and its new counter. Returns undefined if the
 * browser's response is not valid or the challenge was already used.
 */
export const readOwnersSignature = (db: Db, scope: CeremonyScope, answer: PasskeyAnswer) =>
  verifySignedChallenge(db, scope, signInCeremony, answer, async (id) => {
    const [owners] = await db.select().from(ownerPasskeys).where(eq(ownerPasskeys.id, id));
    if (owners) return { ...owners, account: ownerId };
    const [staffs] = await db.select().from(staffPasskeys).where(eq(staffPasskeys.id, id));
    return staffs && { ...staffs, account: staffs.staffId };
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
  const { table, isTheirs } = findPasskeyTable(passkey.account);
  const usedRows = await tx
    .update(table)
    .set({ counter, lastUsedAt: clock.now() })
    .where(and(isTheirs, eq(table.id, passkey.id), counterIncreasedCondition(table.counter, counter)))
    .returning({ id: table.id });
  return usedRows.length > 0;
}
