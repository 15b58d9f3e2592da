import {
  PaymentProviderError,
  type PaymentIntent,
  type PaymentRequest,
  type RequestDeadline,
} from '../ports/card-payments.ts';
import { rememberProviderCustomer, type Customer } from '../accounts/accounts.ts';
import { recordPaymentIntent, findProviderCustomer, type Payment, type PaymentScope } from '../payments/payments.ts';

/** How long a buyer waits for the provider, in milliseconds, in total for all requests about one cart. */
export const providerTimeoutMs = 12_000;
type IntentScope = Pick<PaymentScope, 'db' | 'clock' | 'provider'> & RequestDeadline;

/** The payment and what the shop knows about its buyer. */
interface Purchase {
  payment: Payment;
  account: Customer | undefined;
  /** The guest's details, as they entered them. */
  guest?: { firstName: string; lastName: string; email: string } | undefined;
  /** The ids of all earlier carts of a guest's checkout. */
  earlierCartIds?: string[];
}

/** Creates the provider's intent for a frozen payment, under the buyer's customer record at the provider. */
export async function requestIntent(
  scope: IntentScope,
  purchase: Purchase,
  request: PaymentRequest,
): Promise<PaymentIntent> {
  const { db, clock, provider, deadline } = scope;
  const { payment, account } = purchase;
  const customerId = await findOrCreateProviderCustomer(scope, purchase);
  const createOrUpdateIntent = async (intent: PaymentIntent, providerCustomerId?: string) => {
    const account = await provider.readAccountId({ deadline });
    await recordPaymentIntent(db, clock, payment.id, { intentId: intent.id, account, providerCustomerId });
    return intent;
  };
  const { idempotencyKey } = payment;
  if (customerId === undefined)
    return createOrUpdateIntent(await provider.createIntent(request, idempotencyKey, { deadline }));
  try {
    return await createOrUpdateIntent(
      await provider.createIntent({ ...request, customerId }, idempotencyKey, { deadline }),
      customerId,
    );
  } catch (error) {
    if (!(error instanceof PaymentProviderError && error.reason === 'not-found')) throw error;
    // The owner deleted the buyer's customer record at the provider. This payment gets no customer record, and the next
    // payment creates a new one.
    if (account) await rememberProviderCustomer(db, account.id, null);
    return createOrUpdateIntent(
      await provider.createIntent(request, `${idempotencyKey}-without-customer`, { deadline }),
    );
  }
}

/**
 * Returns the buyer's id at the provider: from the account, or from an earlier payment of the guest's checkout.
 * Otherwise it creates a new customer.
 */
async function findOrCreateProviderCustomer(
  { db, provider, deadline }: IntentScope,
  { payment, account, guest, earlierCartIds = [] }: Purchase,
): Promise<string | undefined> {
  if (account?.stripeCustomerId) return account.stripeCustomerId;
  const buyer = account ?? guest;
  if (!buyer) return undefined;
  const knownProviderCustomer = account
    ? undefined
    : await findProviderCustomer(db, 'order', earlierCartIds, buyer.email);
  if (knownProviderCustomer !== undefined) return knownProviderCustomer;
  const name = `${buyer.firstName} ${buyer.lastName}`.trim();
  const key = account ? `customer-${account.id}` : `customer-${payment.id}`;
  const customerFields = { name, email: buyer.email };
  const createdCustomer = await provider.createCustomer(customerFields, key, { deadline }).catch((error: unknown) => {
    // The provider refuses the email address. The buyer can still pay without a customer record.
    if (error instanceof PaymentProviderError && error.reason === 'rejected') return undefined;
    throw error;
  });
  if (account && createdCustomer !== undefined) await rememberProviderCustomer(db, account.id, createdCustomer);
  return createdCustomer;
}
