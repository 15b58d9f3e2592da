import { and, eq, ne, or, sql } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import { hashToken, createToken, spendToken } from '../tokens/tokens.ts';
import { customers, knownBrowsers, sessions } from './accounts.sql.ts';
import { lockCustomer } from './lock-customer.ts';

/** The value of `account` for the owner of the shop. For anyone else it is the id of the customer or the member. */
export const ownerId = 'owner';

/**
 * Store after a sign-in that this browser is known to the account. The browser's cookie gets a new value at each
 * sign-in, so that a planted or copied cookie becomes invalid. Returns the new value.
 *
 * @param brought the value of the cookie before the sign-in
 * @param sessionToken the token of the new session
 * @param onNew called if the account was used in another browser before, but never in this one
 */
export async function rememberBrowser(
  db: Db,
  clock: Clock,
  {
    account,
    isStaff = false,
    presentedToken,
    sessionToken,
    onNew,
  }: {
    account: string;
    isStaff?: boolean;
    presentedToken: string | undefined;
    sessionToken: string;
    onNew: (tx: Db, browserId: string) => Promise<void>;
  },
): Promise<string> {
  const token = createToken();
  const tokenHash = hashToken(token);
  const sessionHash = hashToken(sessionToken);
  return db.transaction(async (tx) => {
    // Another sign-up with the same unproven address may have replaced the account since the session began. Then there
    // is no account to store the browser for.
    const isCustomer = account !== ownerId && !isStaff;
    if (isCustomer && !(await lockCustomer(tx, account))) return token;
    if (presentedToken !== undefined)
      await tx
        .update(knownBrowsers)
        .set({ tokenHash })
        .where(eq(knownBrowsers.tokenHash, hashToken(presentedToken)));
    const freshBrowser = {
      tokenHash,
      account,
      customerId: isCustomer ? account : null,
      staffId: isStaff ? account : null,
      lastSignInAt: clock.now(),
    };
    const id = newId();
    const [known] = await tx
      .insert(knownBrowsers)
      .values({ id, ...freshBrowser })
      .onConflictDoUpdate({
        target: [knownBrowsers.tokenHash, knownBrowsers.account],
        set: { lastSignInAt: freshBrowser.lastSignInAt },
      })
      .returning({ id: knownBrowsers.id });
    const isFirstHere = known!.id === id;
    if (isFirstHere && (await wasSignedInElsewhere(tx, account, { browserId: id, sessionHash }))) await onNew(tx, id);
    await tx.update(sessions).set({ browserId: known!.id }).where(eq(sessions.tokenHash, sessionHash));
    return token;
  });
}

async function wasSignedInElsewhere(tx: Db, account: string, own: { browserId: string; sessionHash: string }) {
  const isSessionOfAccount =
    account === ownerId
      ? eq(sessions.kind, 'admin')
      : or(eq(sessions.customerId, account), eq(sessions.staffId, account));
  const { rows } = await tx.execute<{ was: boolean }>(sql`select
    exists (select from ${knownBrowsers} where ${and(eq(knownBrowsers.account, account), ne(knownBrowsers.id, own.browserId))})
    or exists (select from ${sessions} where ${and(isSessionOfAccount, ne(sessions.tokenHash, own.sessionHash))}) as was`);
  return rows[0]!.was;
}

/** The id of the browser with this cookie, if it is known to the account, else undefined. */
export async function findKnownBrowserId(
  db: Db,
  account: { email: string } | { staffId: string } | typeof ownerId,
  token: string | undefined,
): Promise<string | undefined> {
  if (token === undefined) return undefined;
  const isThisBrowser = eq(knownBrowsers.tokenHash, hashToken(token));
  const knownBrowserRows = db.select({ id: knownBrowsers.id }).from(knownBrowsers);
  const [known] =
    account === ownerId || 'staffId' in account
      ? await knownBrowserRows.where(
          and(isThisBrowser, eq(knownBrowsers.account, account === ownerId ? account : account.staffId)),
        )
      : await knownBrowserRows
          .innerJoin(customers, eq(customers.id, knownBrowsers.customerId))
          .where(and(isThisBrowser, eq(customers.email, account.email)));
  return known?.id;
}

/** The ids of all browsers that are known to an account. */
export async function listKnownBrowserIds(db: Db, account: string): Promise<string[]> {
  const knownBrowserRows = await db
    .select({ id: knownBrowsers.id })
    .from(knownBrowsers)
    .where(eq(knownBrowsers.account, account));
  return knownBrowserRows.map(({ id }) => id);
}

/**
 * End all sessions of a browser and delete it from the known browsers, after a click on the link in the mail about a
 * new sign-in. Returns whether it was an account of a customer or of the panel.
 */
export async function endSessionsByMailedLink(db: Db, clock: Clock, token: string): Promise<'customer' | 'owner'> {
  return db.transaction(async (tx) => {
    const browserId = await spendToken(tx, clock, 'end-sign-in', token);
    if (browserId === undefined) throw new Refusal('end-sign-in-link-invalid');
    const endedRows = await tx
      .delete(sessions)
      .where(eq(sessions.browserId, browserId))
      .returning({ kind: sessions.kind });
    const [known] = await tx
      .delete(knownBrowsers)
      .where(eq(knownBrowsers.id, browserId))
      .returning({ customerId: knownBrowsers.customerId });
    const isPanelBrowser = known ? known.customerId === null : endedRows.some(({ kind }) => kind !== 'customer');
    return isPanelBrowser ? 'owner' : 'customer';
  });
}

/** Delete all known browsers of an account. */
export const deleteKnownBrowsersOf = (tx: Db, account: string) =>
  tx.delete(knownBrowsers).where(eq(knownBrowsers.account, account));

export const deleteOldKnownBrowsers = deleteOldRows(knownBrowsers, knownBrowsers.id, knownBrowsers.lastSignInAt);
