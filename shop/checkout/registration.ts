import { Refusal } from '#contract/refusals.ts';
import type { Db } from '../ports/database.ts';
import { findPaymentById } from '../payments/payments.ts';
import { assignGuestOrder, hasOrders, findOrderById, findOrderOfCheckout, type Order } from '../orders/orders.ts';
import {
  findCustomerByEmail,
  mailConfirmation,
  rememberProviderCustomer,
  type AccountsScope,
  type Customer,
  type Session,
} from '../accounts/accounts.ts';
import { hashPassword, refuseCommonPassword } from '../accounts/passwords.ts';
import { createProvenAccount, createUnprovenAccount, type ReplacingScope } from '../accounts/proven-email.ts';
import { beginSession } from '../accounts/sessions.ts';
import { readSpentToken, readToken, spendToken } from '../tokens/tokens.ts';

/**
 * Proof that a person may finish a guest order's registration: the checkout of the browser that paid, or the token of
 * the link in the receipt.
 */
export interface RegistrationProof {
  checkoutId?: string | undefined;
  token?: string | undefined;
}

/** Returns the guest order that a proof gives access to. Refuses an order that already belongs to an account. */
async function findOrderToRegister(db: Db, proof: RegistrationProof): Promise<Order> {
  const order = await findOrderOf(db, proof);
  if (!order || order.email === '') throw new Refusal('registration-expired');
  if (order.customerId !== null) throw new Refusal('registration-done');
  return order;
}

async function findOrderOf(db: Db, { checkoutId, token }: RegistrationProof): Promise<Order | undefined> {
  if (token === undefined) return checkoutId === undefined ? undefined : findOrderOfCheckout(db, checkoutId);
  const validToken = await readToken(db, 'finish-registration', token);
  const orderId = validToken?.subjectId ?? (await readSpentToken(db, 'finish-registration', token));
  return orderId === undefined ? undefined : findOrderById(db, orderId);
}

export async function readRegistrationContext(db: Db, proof: RegistrationProof) {
  const { firstName, lastName, email } = await findOrderToRegister(db, proof);
  const account = proof.token === undefined ? await findCustomerByEmail(db, email) : undefined;
  if (account && (await hasOrders(db, account.id))) throw new Refusal('email-unconfirmed');
  return { firstName, lastName, email };
}

/**
 * Creates an account with the buyer's password and the paid order, and signs in. The token of the mailed link also
 * proves the email address: an unproven account with that address is deleted, and its purchases move to the new
 * account. The checkout cookie proves only that this browser paid for the order. The new account then replaces an
 * unproven account without orders, and the registration is refused if any other account has the address.
 */
export async function completeRegistration(
  { db, clock, jobs, onAccountReplaced }: AccountsScope & ReplacingScope,
  { password, ...proof }: RegistrationProof & { password: string },
): Promise<{ customer: Customer; session: Session }> {
  const order = await findOrderToRegister(db, proof);
  await refuseCommonPassword(password, order.email);
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const { firstName, lastName, email } = order;
    const account = { firstName, lastName, email, passwordHash };
    const isEmailProven = proof.token !== undefined;
    const isStillGuests = async () => {
      if ((await findOrderById(tx, order.id))?.customerId !== null) throw new Refusal('registration-done');
    };
    const createdCustomer = isEmailProven
      ? await createProvenAccount(tx, { clock, jobs, onAccountReplaced }, account, isStillGuests)
      : await createUnprovenAccount(tx, { clock }, account);
    // Lock the account before the token and the guest order, in the same sequence as the deletion of an account.
    if (isEmailProven && (await spendToken(tx, clock, 'finish-registration', proof.token!)) === undefined)
      throw new Refusal('registration-expired');
    // `createProvenAccount` has already given the account all guest orders of the address, including this one.
    const isOrderAssigned = isEmailProven
      ? (await findOrderById(tx, order.id))?.customerId === createdCustomer.id
      : await assignGuestOrder(tx, order.id, createdCustomer.id);
    if (!isOrderAssigned) throw new Refusal('registration-done');
    const payment = await findPaymentById(tx, order.paymentId);
    if (payment?.providerCustomerId) await rememberProviderCustomer(tx, createdCustomer.id, payment.providerCustomerId);
    if (!isEmailProven) await mailConfirmation(tx, { clock, jobs }, createdCustomer, order);
    return {
      customer: createdCustomer,
      session: await beginSession(tx, clock, { kind: 'customer', customerId: createdCustomer.id }),
    };
  });
}

/**
 * Whether the buyer of this order must still set a password before they can upload. An unproven account does not count.
 */
export const needsRegistration = async (db: Db, order: Order): Promise<boolean> =>
  order.customerId === null &&
  order.email !== '' &&
  ((await findCustomerByEmail(db, order.email))?.emailProvenAt ?? null) === null;
