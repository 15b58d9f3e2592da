import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { paymentById } from '../payments/payments.ts';
import { giveGuestOrder, orderById, orderOfCheckout, type Order } from '../orders/orders.ts';
import {
  accountOf,
  claimAccount,
  confirmMailbox,
  insertCustomer,
  mailConfirmation,
  rememberProviderCustomer,
  type AccountsScope,
  type Customer,
  type Session,
} from '../accounts/accounts.ts';
import { hashPassword, refuseCommonPassword } from '../accounts/passwords.ts';
import { beginSession } from '../accounts/sessions.ts';
import { readSpentToken, readToken, spendToken } from '../tokens/tokens.ts';

/** What lets someone finish a guest order's registration: the browser that paid, or the link in the receipt. */
export interface RegistrationProof {
  checkoutId?: string | undefined;
  token?: string | undefined;
}

/** The guest order a proof opens. One that is somebody's by now says so. */
async function orderToRegister(db: Db, proof: RegistrationProof): Promise<Order> {
  const order = await orderOf(db, proof);
  if (!order || order.email === '') throw new Refusal('registration-expired');
  if (order.customerId !== null) throw new Refusal('registration-done');
  return order;
}

async function orderOf(db: Db, { checkoutId, token }: RegistrationProof): Promise<Order | undefined> {
  if (token === undefined) return checkoutId === undefined ? undefined : orderOfCheckout(db, checkoutId);
  const living = await readToken(db, 'finish-registration', token);
  const orderId = living?.subjectId ?? (await readSpentToken(db, 'finish-registration', token));
  return orderId === undefined ? undefined : orderById(db, orderId);
}

export async function registrationContext(db: Db, proof: RegistrationProof) {
  const { firstName, lastName, email } = await orderToRegister(db, proof);
  return { firstName, lastName, email };
}

/**
 * The buyer's password makes the account, signed in, with the paid order in it. The mailed link also proves the mailbox,
 * so it takes over an account that someone opened under this e-mail and never confirmed; the checkout cookie proves only
 * this one order, and an account that is there already is refused.
 */
export async function completeRegistration(
  { db, clock, jobs }: AccountsScope,
  { password, ...proof }: RegistrationProof & { password: string },
): Promise<{ customer: Customer; session: Session }> {
  const order = await orderToRegister(db, proof);
  await refuseCommonPassword(password, order.email);
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const { firstName, lastName, email } = order;
    const account = { firstName, lastName, email, passwordHash };
    const isMailboxKnown =
      proof.token !== undefined && (await spendToken(tx, clock, 'finish-registration', proof.token)) !== undefined;
    if (proof.token !== undefined && !isMailboxKnown) throw new Refusal('registration-expired');
    const made = isMailboxKnown ? await claimAccount(tx, clock, account) : await insertCustomer(tx, clock, account);
    if (!(await giveGuestOrder(tx, order.id, made.id))) throw new Refusal('registration-done');
    const payment = await paymentById(tx, order.paymentId);
    if (payment?.providerCustomerId) await rememberProviderCustomer(tx, made.id, payment.providerCustomerId);
    const confirmed = isMailboxKnown ? await confirmMailbox(tx, clock, made.id) : undefined;
    if (!confirmed) await mailConfirmation(tx, { clock, jobs }, made, order);
    return {
      customer: confirmed ?? made,
      session: await beginSession(tx, clock, { kind: 'customer', customerId: made.id }),
    };
  });
}

/** Whether the buyer of this order still has to set a password before they can upload. */
export const needsRegistration = async (db: Db, order: Order): Promise<boolean> =>
  order.customerId === null && order.email !== '' && (await accountOf(db, order.email)) === undefined;
