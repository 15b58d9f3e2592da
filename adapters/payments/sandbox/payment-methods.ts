import type { Stripe } from 'stripe';
import type { SandboxCard } from './cards.ts';
import { createId } from './ids.ts';
import type { BillingInput } from './parameters.ts';
import { toStripeAddress } from './stripe-fields.ts';
import { insertObject, toUnixSeconds, type OperationContext } from './store.ts';

/** Stores the card that a buyer gave for one intent, without its full number. */
export async function createPaymentMethod(
  work: OperationContext,
  intent: Stripe.PaymentIntent,
  card: SandboxCard,
  billing: BillingInput | undefined,
): Promise<Stripe.PaymentMethod> {
  const method = {
    id: createId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: toStripeAddress(billing?.address),
      email: billing?.email ?? null,
      name: billing?.name ?? null,
      phone: billing?.phone ?? null,
      tax_id: null,
    },
    card: {
      brand: card.brand,
      checks: {
        address_line1_check: billing?.address?.line1 ? 'pass' : null,
        address_postal_code_check: billing?.address?.postal_code ? 'pass' : null,
        cvc_check: checkCvc(card),
      },
      country: 'US',
      display_brand: card.brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      fingerprint: null,
      funding: 'credit',
      generated_from: null,
      last4: card.last4,
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: toUnixSeconds(work.now),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  } satisfies Stripe.PaymentMethod;
  await insertObject(work, method, intent.id);
  return method;
}

function checkCvc({ behavior, isCvcGiven }: SandboxCard): 'pass' | 'fail' | null {
  if (behavior.kind === 'declines' && behavior.decline.code === 'incorrect_cvc') return 'fail';
  return isCvcGiven ? 'pass' : null;
}
