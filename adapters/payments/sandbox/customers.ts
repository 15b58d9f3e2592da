import type { Stripe } from 'stripe';
import { emit } from './events.ts';
import { newId } from './ids.ts';
import type { CreateCustomer } from './parameters.ts';
import { fullAddress, mergeMetadata } from './parts.ts';
import { insertObject, seconds, type OperationContext } from './store.ts';

export async function createCustomer(work: OperationContext, params: CreateCustomer): Promise<Stripe.Customer> {
  const customer = {
    id: newId('cus'),
    object: 'customer',
    address: params.address ? fullAddress(params.address) : null,
    balance: 0,
    created: seconds(work.now),
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
  await emit(work, 'customer.created', customer);
  return customer;
}
