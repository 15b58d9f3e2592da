import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { newId } from '../columns.ts';
import { deleteSignInMailContent, queueMail } from '../mail/mail.ts';
import {
  assignGuestOrdersOf,
  hasOrders,
  lockOrdersOf,
  readNewestGuestName,
  reassignOrdersOf,
} from '../orders/orders.ts';
import { lockTokens, revokeTokens } from '../tokens/tokens.ts';
import { customers, emailChanges, passkeys, type Customer } from './accounts.sql.ts';
import { deleteKnownBrowsersOf } from './known-browsers.ts';
import { endOtherSessionsOf, endSessionsOf, type CustomerSession } from './sessions.ts';

/**
 * This module decides which account an email address belongs to (docs/decisions/0098-proven-email.md). In short: an
 * address is proven by a click on the page of a mailed link, in a browser that is signed in to the account or that sets
 * a new password. Until then the account does not reserve the address. If someone proves the address in another
 * browser, they get an account with a new id, so that nothing that refers to the old id opens the new account.
 */
export interface ReplacingScope {
  clock: Clock;
  jobs: Jobs;
  /** Moves the rows of higher-level modules from one account to another, in the same transaction. */
  onAccountReplaced: (tx: Db, from: string, to: string) => Promise<void>;
}
interface NewAccount {
  firstName: string;
  lastName: string;
  email: string;
  passwordHash: string;
}

/**
 * Lock accounts until the transaction ends, in the same order as the deletion of an account: upload links, orders, the
 * account. Two transactions that lock the same accounts then cannot deadlock. Deleted accounts are missing from the
 * map.
 */
export async function lockWholeAccounts(tx: Db, ids: string[]): Promise<Map<string, Customer>> {
  const sortedIds = [...new Set(ids)].toSorted();
  for (const id of sortedIds) await lockTokens(tx, 'upload-link', id);
  for (const id of sortedIds) await lockOrdersOf(tx, id);
  const lockedRows = await tx
    .select()
    .from(customers)
    .where(inArray(customers.id, sortedIds))
    .orderBy(asc(customers.id))
    .for('update');
  return new Map(lockedRows.map((it) => [it.id, it]));
}

/**
 * Locks the unproven account with this email address, like `lockWholeAccounts`. Returns undefined if there is none.
 * Refuses an address that is proven.
 */
async function lockUnprovenAccount(tx: Db, email: string): Promise<Customer | undefined> {
  for (;;) {
    const [found] = await tx.select().from(customers).where(eq(customers.email, email));
    if (!found) return undefined;
    if (found.emailProvenAt !== null) throw new Refusal('email-taken');
    const lockedCustomer = (await lockWholeAccounts(tx, [found.id])).get(found.id);
    // The account was replaced, proven or moved to another address in the meantime: look again.
    if (lockedCustomer?.email === email && lockedCustomer.emailProvenAt === null) return lockedCustomer;
  }
}

/**
 * Create an account whose email address is not proven yet: at sign-up, or in the browser that paid. It replaces an
 * unproven account without orders. If the unproven account has orders, the creation is refused: only a person who
 * proves the address may get these orders.
 */
export async function createUnprovenAccount(
  tx: Db,
  { clock }: Pick<ReplacingScope, 'clock'>,
  account: NewAccount,
): Promise<Customer> {
  for (;;) {
    const unprovenAccount = await lockUnprovenAccount(tx, account.email);
    if (unprovenAccount) {
      if (await hasOrders(tx, unprovenAccount.id)) throw new Refusal('email-unconfirmed');
      await deleteReplacedAccount(tx, unprovenAccount);
    }
    const customer = await insertCustomer(tx, clock, account);
    if (customer) return customer;
  }
}

/**
 * Create the proven account of a person who reads this mailbox and has just set a password. An unproven account of the
 * address is deleted with its sessions, passkeys and links. Its orders under this address move to the new account.
 */
export async function createProvenAccount(
  tx: Db,
  scope: ReplacingScope,
  account: NewAccount,
  /** Throws if the order can no longer be registered. Called after the unproven account is locked. */
  check: () => Promise<void> = async () => {},
): Promise<Customer> {
  for (;;) {
    const unprovenAccount = await lockUnprovenAccount(tx, account.email);
    await check();
    if (unprovenAccount) await deleteReplacedAccount(tx, unprovenAccount);
    const customer = await insertCustomer(tx, scope.clock, {
      ...account,
      emailProvenAt: scope.clock.now(),
      reuploadCredits: unprovenAccount?.reuploadCredits ?? 0,
    });
    if (!customer) continue; // another transaction created an account at the same time
    if (unprovenAccount) await moveBelongings(tx, scope, unprovenAccount, customer);
    await lockEmailAddress(tx, customer.email);
    await assignGuestOrdersOf(tx, customer.email, customer.id);
    return customer;
  }
}

/**
 * Lock an email address that this transaction proves, before its guest orders are queried. The code that places an
 * order takes the lock in shared mode before it looks for the account. So the later transaction sees the changes of the
 * earlier one, and no order is missed.
 */
export const lockEmailAddress = (tx: Db, email: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`email:${email}`}, 0))`);

/** The id of the proven account of an address. Waits for a transaction that is proving the address. */
export async function lockAndFindProvenAccountId(tx: Db, email: string): Promise<string | undefined> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtextextended(${`email:${email}`}, 0))`);
  const [account] = await tx
    .select({ id: customers.id })
    .from(customers)
    .where(and(eq(customers.email, email), isNotNull(customers.emailProvenAt)));
  return account?.id;
}

/**
 * Replace the unproven account that a mailed link names by a proven account, like `createProvenAccount`. The caller has
 * locked the unproven account.
 */
export async function replaceUnprovenAccount(
  tx: Db,
  scope: ReplacingScope,
  before: Customer,
  passwordHash: string,
): Promise<Customer> {
  const { email, firstName, lastName } = before;
  // A stranger may have entered the account's name. Prefer the name that a buyer with this address entered.
  const name = (await readNewestGuestName(tx, email)) ?? { firstName, lastName };
  return createProvenAccount(tx, scope, { ...name, email, passwordHash });
}

/**
 * Delete an unproven account. Its reupload credits and the orders under its address move to another account, which then
 * gets the address. The caller has locked both accounts.
 */
export async function mergeUnprovenAccount(
  tx: Db,
  scope: ReplacingScope,
  before: Customer,
  by: Customer,
): Promise<void> {
  await deleteReplacedAccount(tx, before);
  await moveBelongings(tx, scope, before, { id: by.id, email: before.email });
  await tx
    .update(customers)
    .set({ reuploadCredits: sql`${customers.reuploadCredits} + ${before.reuploadCredits}` })
    .where(eq(customers.id, by.id));
}

/**
 * Delete an account that is replaced. The database also deletes its sessions, passkeys and requested email change.
 * Mailed links that name the account become invalid.
 */
async function deleteReplacedAccount(tx: Db, { id, email }: Customer): Promise<void> {
  await deleteSignInMailContent(tx, email);
  await tx.delete(customers).where(eq(customers.id, id));
}

/**
 * Move the orders of a replaced account. Orders under the proven address go to the account that proved it. An order
 * under another address goes to the proven account of that address. If there is none, a mail to that address offers to
 * register for the order.
 */
async function moveBelongings(
  tx: Db,
  { clock, jobs, onAccountReplaced }: ReplacingScope,
  before: Customer,
  to: Pick<Customer, 'id' | 'email'>,
): Promise<void> {
  await onAccountReplaced(tx, before.id, to.id);
  const releasedOrders = await reassignOrdersOf(tx, before.id, to);
  for (const email of new Set(releasedOrders.map((it) => it.email))) {
    const [owner] = await tx
      .select({ id: customers.id, emailProvenAt: customers.emailProvenAt })
      .from(customers)
      .where(eq(customers.email, email))
      .for('key share');
    if (owner && owner.emailProvenAt !== null) await assignGuestOrdersOf(tx, email, owner.id);
    else
      for (const order of releasedOrders)
        if (order.email === email && order.frameId === null)
          await queueMail(
            tx,
            { jobs, clock },
            {
              event: `finish-registration:${order.id}:${newId()}`,
              to: email,
              orderId: order.id,
              content: {
                kind: 'finish-registration',
                firstName: order.firstName,
                orderNumber: order.orderNumber,
                finishRegistrationUrl: { link: 'complete-registration', subjectId: order.id },
              },
            },
          );
  }
}

/**
 * Prove the address of an account in a browser that is signed in to it. The account stays. All its other sessions,
 * passkeys and links end. The caller has locked the account.
 *
 * @param passwordHash a new password; required if a passkey started the session, because the old password may be a
 * stranger's
 */
export async function proveEmailOfAccount(
  tx: Db,
  { clock }: Pick<ReplacingScope, 'clock'>,
  account: Customer,
  { session, passwordHash }: { session: CustomerSession; passwordHash?: string | undefined },
): Promise<Customer> {
  await endOtherSessionsAndLinks(tx, clock, account, session);
  const provenCustomer = await markEmailProven(tx, clock, account.id, passwordHash);
  await assignGuestOrdersOf(tx, provenCustomer.email, provenCustomer.id);
  return provenCustomer;
}

/** Marks the account's email address as proven. */
export async function markEmailProven(tx: Db, clock: Clock, id: string, passwordHash?: string): Promise<Customer> {
  const now = clock.now();
  const [proven] = await tx
    .update(customers)
    .set({ emailProvenAt: now, emailConfirmedAt: now, ...(passwordHash !== undefined && { passwordHash }) })
    .where(eq(customers.id, id))
    .returning();
  return proven!;
}

/** End all mailed links of an account, and all sessions and passkeys except the given session and its passkeys. */
export async function endOtherSessionsAndLinks(
  tx: Db,
  clock: Clock,
  { id, email }: Pick<Customer, 'id' | 'email'>,
  session: CustomerSession | undefined,
): Promise<void> {
  await endMailedLinks(tx, clock, { id, email });
  if (session === undefined) {
    await endSessionsOf(tx, id);
    await deleteKnownBrowsersOf(tx, id);
    await tx.delete(passkeys).where(eq(passkeys.customerId, id));
    return;
  }
  await endOtherSessionsOf(tx, id, session.tokenHash);
  const isOwnPasskey = sql`(${passkeys.sessionHash} = ${session.tokenHash} or ${passkeys.id} = ${session.passkeyId})`;
  await tx.delete(passkeys).where(sql`${passkeys.customerId} = ${id} and ${isOwnPasskey} is not true`);
}

/** Revoke all mailed links of the account. Deletes waiting mails first, because they would create new tokens. */
async function endMailedLinks(tx: Db, clock: Clock, { id, email }: Pick<Customer, 'id' | 'email'>): Promise<void> {
  await deleteSignInMailContent(tx, email);
  for (const purpose of ['password-reset', 'sign-in', 'new-passkey', 'email-confirmation', 'upload-link'] as const)
    await revokeTokens(tx, clock, purpose, id);
  await tx.delete(emailChanges).where(eq(emailChanges.customerId, id));
}

/** Insert an account. Returns undefined if the address already has one, even one created at the same time. */
export async function insertCustomer(
  tx: Db,
  clock: Clock,
  account: NewAccount & { emailProvenAt?: Date; reuploadCredits?: number },
): Promise<Customer | undefined> {
  const { firstName, lastName, email, passwordHash, emailProvenAt = null, reuploadCredits = 0 } = account;
  const [customer] = await tx
    .insert(customers)
    .values({
      id: newId(),
      email,
      firstName,
      lastName,
      passwordHash,
      emailProvenAt,
      emailConfirmedAt: emailProvenAt,
      reuploadCredits,
      createdAt: clock.now(),
    })
    .onConflictDoNothing({ target: customers.email })
    .returning();
  return customer;
}
