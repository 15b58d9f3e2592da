import type { Stripe } from 'stripe';
import { recordStripeEvent } from './events.ts';
import { createId } from './ids.ts';
import type { CreateCustomer } from './parameters.ts';
import { toStripeAddress, mergeMetadata } from './stripe-fields.ts';
import { insertObject, toUnixSeconds, type OperationContext } from './store.ts';

export async function createCustomer(work: OperationContext, params: CreateCustomer): Promise<Stripe.Customer> {
  const customer = {
    id: createId('cus'),
    object: 'customer',
    address: params.address ? toStripeAddress(params.address) : null,
    balance: 0,
    created: toUnixSeconds(work.now),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: params.description ?? null,
    discount: null,
    email: params.email ?? null,
    invoice_prefix: null,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    name: params.name ?? null,
    phone: params.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  } satisfies Stripe.Customer;
  await insertObject(work, customer);
  await recordStripeEvent(work, 'customer.created', customer);
  return customer;
}
