import { eq } from 'drizzle-orm';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newToken } from '../tokens/tokens.ts';
import {
  accountOpenedBy,
  confirmMailbox,
  mailToOwner,
  shutOthersOut,
  type AccountsScope,
  type Session,
} from './accounts.ts';
import { customers, type Customer } from './accounts.sql.ts';
import { hashPassword } from './passwords.ts';
import { beginSession } from './sessions.ts';

/** The job behind "mail me a link". */
export const mailSignInLink = (scope: AccountsScope, email: string) =>
  mailToOwner(scope, email, 'sign-in-link', ({ id, firstName }) => ({
    kind: 'sign-in-link',
    firstName,
    signInUrl: { link: 'sign-in', subjectId: id },
  }));

/**
 * A mailed token for a session, once: it also proves the mailbox. Whoever opened the account under this e-mail and never
 * confirmed it knew its password, so that no longer opens it, and nobody else is signed in.
 */
export async function signInByLink(
  { db, clock }: { db: Db; clock: Clock },
  token: string,
): Promise<{ customer: Customer; session: Session; passwordEnded: boolean }> {
  return db.transaction(async (tx) => {
    const account = await accountOpenedBy(tx, clock, 'sign-in', token);
    if (!account) throw new Refusal('sign-in-link-invalid');
    const passwordEnded = account.emailConfirmedAt === null;
    if (passwordEnded) {
      const passwordHash = await hashPassword(newToken());
      await tx.update(customers).set({ passwordHash }).where(eq(customers.id, account.id));
      await shutOthersOut(tx, clock, account);
    }
    const customer = (await confirmMailbox(tx, clock, account.id))!;
    const session = await beginSession(tx, clock, { kind: 'customer', customerId: customer.id });
    return { customer, session, passwordEnded };
  });
}
