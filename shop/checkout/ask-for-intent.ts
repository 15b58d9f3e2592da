import {
  PaymentProviderError,
  type PaymentIntent,
  type PaymentRequest,
  type WithDeadline,
} from '../ports/card-payments.ts';
import { rememberProviderCustomer, type Customer } from '../accounts/accounts.ts';
import { openPayment, providerCustomerOf, type Payment, type PaymentScope } from '../payments/payments.ts';

/** As long as a buyer waits for the provider, in all that is asked of it for one cart. */
export const providerMs = 12_000;
type AskingScope = Pick<PaymentScope, 'db' | 'clock' | 'provider'> & WithDeadline;

/** What is known of who pays for what. */
interface Purchase {
  payment: Payment;
  account: Customer | undefined;
  /** A guest, as they told. */
  guest?: { firstName: string; lastName: string; email: string } | undefined;
  /** Carts a guest's checkout has asked to be paid for before. */
  earlierCarts?: string[];
}

/** The provider's intent for a frozen payment, under the buyer's name there. */
export async function askForIntent(
  scope: AskingScope,
  purchase: Purchase,
  request: PaymentRequest,
): Promise<PaymentIntent> {
  const { db, clock, provider, deadline } = scope;
  const { payment, account } = purchase;
  const customerId = await providerCustomer(scope, purchase);
  const open = async (intent: PaymentIntent, providerCustomerId?: string) => {
    const account = await provider.account({ deadline });
    await openPayment(db, clock, payment.id, { intentId: intent.id, account, providerCustomerId });
    return intent;
  };
  const { idempotencyKey } = payment;
  if (customerId === undefined) return open(await provider.createIntent(request, idempotencyKey, { deadline }));
  try {
    return await open(
      await provider.createIntent({ ...request, customerId }, idempotencyKey, { deadline }),
      customerId,
    );
  } catch (error) {
    if (!(error instanceof PaymentProviderError && error.reason === 'not-found')) throw error;
    // Deleted at the provider, by the owner's hand: the buyer pays all the same, and is made anew next time.
    if (account) await rememberProviderCustomer(db, account.id, null);
    return open(await provider.createIntent(request, `${idempotencyKey}-without-customer`, { deadline }));
  }
}

/** Who the buyer is at the provider: as the account knows, or a guest's checkout, else made now. */
async function providerCustomer(
  { db, provider, deadline }: AskingScope,
  { payment, account, guest, earlierCarts = [] }: Purchase,
): Promise<string | undefined> {
  if (account?.stripeCustomerId) return account.stripeCustomerId;
  const buyer = account ?? guest;
  if (!buyer) return undefined;
  const known = account ? undefined : await providerCustomerOf(db, 'order', earlierCarts, buyer.email);
  if (known !== undefined) return known;
  const name = `${buyer.firstName} ${buyer.lastName}`.trim();
  const key = account ? `customer-${account.id}` : `customer-${payment.id}`;
  const asked = { name, email: buyer.email };
  const made = await provider.createCustomer(asked, key, { deadline }).catch((error: unknown) => {
    // A mailbox the provider has its doubts about: the buyer can pay without being a customer there.
    if (error instanceof PaymentProviderError && error.reason === 'rejected') return undefined;
    throw error;
  });
  if (account && made !== undefined) await rememberProviderCustomer(db, account.id, made);
  return made;
}
