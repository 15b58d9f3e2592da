/** Card payments through Stripe's own SDK: at Stripe, or at any origin that speaks Stripe's API. */
import { Stripe } from 'stripe';
import { countries, regionName } from '#contract/addresses.ts';
import {
  PaymentProviderError,
  type CardPayments,
  type Clock,
  type Dispute,
  type PaymentEvent,
  type PaymentIntent,
  type PaymentRequest,
  type PaymentStatus,
  type Refund,
  type TaxCalculation,
  type TaxRequest,
} from '#shop/ports.ts';

const TIMEOUT_MS = 10_000;
const NETWORK_RETRIES = 2;
const WEBHOOK_TOLERANCE_SECONDS = 300;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface StripeSettings {
  secretKey: string;
  publishableKey?: string | undefined;
  webhookSecret: string;
  /** Another origin speaking Stripe's API, with or without a path: `http://127.0.0.1:3000/sandbox/stripe`. */
  apiBase?: string | undefined;
  fetch?: Fetch | undefined;
  clock?: Clock | undefined;
}

export function createStripePayments(settings: StripeSettings): CardPayments {
  // A blank secret would make every webhook look forged; say so at start instead.
  if (settings.webhookSecret.trim() === '') throw new Error('the webhook secret of card payments is empty');
  const stripe = connect(settings);
  const clock = settings.clock ?? { now: () => new Date() };

  return {
    kind: 'stripe',
    publishableKey: settings.publishableKey,
    livemode: /^[sr]k_live_/.test(settings.secretKey),

    async calculateTax(request) {
      return asking('calculate tax', async () => {
        try {
          return taxOf(request, await stripe.tax.calculations.create(taxParams(request)));
        } catch (error) {
          if (!isUnknownPlace(error)) throw error;
          return undefined;
        }
      });
    },

    async createCustomer({ name, email }, idempotencyKey) {
      return asking(
        'create a customer',
        async () => (await stripe.customers.create({ name, email }, { idempotencyKey })).id,
      );
    },

    async createIntent(request, idempotencyKey) {
      return asking('create a payment intent', async () =>
        intentOf(await stripe.paymentIntents.create(intentParams(request), { idempotencyKey })),
      );
    },

    async getIntent(intentId) {
      // The id may come from a visitor's address bar: what is not an intent's id is not asked for at all.
      if (!isIntentId(intentId)) return undefined;
      try {
        return await asking('read a payment intent', async () =>
          intentOf(await stripe.paymentIntents.retrieve(intentId)),
        );
      } catch (error) {
        if (error instanceof PaymentProviderError && error.reason === 'not-found') return undefined;
        throw error;
      }
    },

    async payerOf(chargeId) {
      return asking('read a charge', async () => {
        const charge = await stripe.charges.retrieve(chargeId);
        const { name, email } = charge.billing_details;
        const { brand, last4 } = charge.payment_method_details?.card ?? {};
        return {
          ...(name !== null && { name }),
          ...(email !== null && { email }),
          ...(brand && last4 && { card: { brand, last4 } }),
        };
      });
    },

    async cancelIntent(intentId) {
      if (!isIntentId(intentId))
        throw new PaymentProviderError('not-found', 'cancel a payment intent: not an intent id');
      return asking('cancel a payment intent', async () => {
        try {
          return intentOf(await stripe.paymentIntents.cancel(intentId, { cancellation_reason: 'abandoned' }));
        } catch (error) {
          if (!isUnexpectedState(error)) throw error;
          return intentOf(await stripe.paymentIntents.retrieve(intentId));
        }
      });
    },

    async refund(request, idempotencyKey) {
      return asking('refund a payment', async () => {
        const params = {
          payment_intent: request.intentId,
          amount: request.amountCents,
          ...reasonParam(request.reason),
          ...(request.metadata && { metadata: request.metadata }),
        };
        return refundOf(await stripe.refunds.create(params, { idempotencyKey }), request.intentId);
      });
    },

    async refundsOf(intentId) {
      return asking('read the refunds of a payment', async () => {
        const listed = stripe.refunds.list({ payment_intent: intentId, limit: 100 });
        return (await listed.autoPagingToArray({ limit: 1000 })).map((it) => refundOf(it, intentId));
      });
    },

    async disputesOf(intentId) {
      return asking('read the disputes of a payment', async () => {
        const listed = stripe.disputes.list({ payment_intent: intentId, limit: 100 });
        return (await listed.autoPagingToArray({ limit: 1000 })).map((it) => disputeOf(it, intentId));
      });
    },

    readWebhook(rawBody, signature) {
      const event = verifiedEvent(stripe, rawBody, signature, settings.webhookSecret, clock);
      return event && eventOf(event);
    },

    async check() {
      await asking('read the balance', () => stripe.balance.retrieve());
    },
  };
}

function connect({ secretKey, apiBase, fetch }: StripeSettings): Stripe {
  const through = apiBase === undefined ? fetch : fetchFrom(apiBase, fetch ?? globalThis.fetch);
  return new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
    ...(through && { httpClient: Stripe.createFetchHttpClient(through as typeof globalThis.fetch) }),
  });
}

/** The SDK knows hosts and ports but no path prefix, so its addresses are moved to `apiBase` on their way out. */
function fetchFrom(apiBase: string, fetch: Fetch): Fetch {
  const base = apiBase.replace(/\/+$/, '');
  return (url, init) => {
    const { pathname, search } = new URL(url);
    return fetch(`${base}${pathname}${search}`, init);
  };
}

const isIntentId = (id: string) => /^pi_[A-Za-z0-9_]{1,250}$/.test(id);

// ---------------------------------------------------------------- what we ask

function intentParams(request: PaymentRequest): Stripe.PaymentIntentCreateParams {
  return {
    amount: request.amountCents,
    currency: request.currency,
    description: request.description,
    metadata: request.metadata,
    automatic_payment_methods: { enabled: true },
    // Stripe records the tax when the payment comes through, and takes it back with every refund.
    ...(request.taxCalculationId !== undefined && {
      hooks: { inputs: { tax: { calculation: request.taxCalculationId } } },
    }),
    ...(request.customerId !== undefined && { customer: request.customerId }),
    ...(request.receiptEmail !== undefined && { receipt_email: request.receiptEmail }),
    ...(request.shipping && { shipping: shippingParams(request.shipping) }),
  };
}

function shippingParams({ name, phone, address }: NonNullable<PaymentRequest['shipping']>) {
  return {
    name,
    ...(phone !== undefined && { phone }),
    address: addressParams(address),
  };
}

function addressParams({ country, postalCode, ...lines }: TaxRequest['address']) {
  const { line1, line2, city, state } = lines;
  const given = { line1, line2, city, state, postal_code: postalCode };
  return { ...Object.fromEntries(Object.entries(given).filter(([, line]) => line !== undefined)), country };
}

/** Stripe's codes for what is sold: things one can touch, and services rendered over the net. */
const taxCodes = { goods: 'txcd_99999999', service: 'txcd_10000000' };

function taxParams({ currency, lines, address, addressSource }: TaxRequest): Stripe.Tax.CalculationCreateParams {
  return {
    currency,
    line_items: lines.map(({ reference, kind, quantity, amountCents }) => ({
      amount: amountCents,
      quantity,
      reference,
      tax_behavior: 'exclusive',
      tax_code: taxCodes[kind],
    })),
    customer_details: { address: addressParams(address), address_source: addressSource },
  };
}

const stripeReasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

/** Stripe takes three reasons. The owner's own words may speak of the customer and stay in the order's history. */
function reasonParam(reason: string | undefined) {
  if (reason === undefined) return {};
  return { reason: stripeReasons.find((known) => known === reason) ?? 'requested_by_customer' };
}

// ---------------------------------------------------------------- what we are told

const statuses: readonly PaymentStatus[] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'processing',
  'requires_capture',
  'canceled',
  'succeeded',
];

function intentOf(intent: Stripe.PaymentIntent): PaymentIntent {
  const status = statuses.find((known) => known === intent.status);
  if (!status) throw new Error(`payment intent ${intent.id} has a status this shop does not know: ${intent.status}`);
  const chargeId = idOf(intent.latest_charge);
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    status,
    amountCents: intent.amount,
    amountReceivedCents: intent.amount_received,
    currency: intent.currency,
    metadata: intent.metadata,
    livemode: intent.livemode,
    ...(chargeId !== undefined && { chargeId }),
  };
}

function taxOf({ lines }: TaxRequest, calculation: Stripe.Tax.Calculation): TaxCalculation {
  if (calculation.id === null) throw new Error('a tax calculation came without an id');
  const subtotalCents = lines.reduce((sum, line) => sum + line.amountCents, 0);
  const imposed = calculation.tax_breakdown.filter((it) => it.amount > 0);
  // One percentage can be told where everything bought is taxed alike.
  const isEven = imposed.every((it) => it.taxable_amount === subtotalCents);
  const percent = imposed.reduce((sum, it) => sum + Number(it.tax_rate_details.percentage_decimal), 0);
  const details = (imposed.find((it) => it.tax_rate_details.state) ?? imposed[0])?.tax_rate_details;
  return {
    id: calculation.id,
    taxCents: calculation.tax_amount_exclusive,
    rate: isEven ? String(Number(percent.toFixed(4))) : null,
    jurisdiction: details?.country ? jurisdictionOf(details.country, details.state) : null,
  };
}

const jurisdictionOf = (country: string, state: string | null) =>
  state === null ? (countries.find((it) => it.code === country)?.name ?? country) : regionName(country, state);

const refundStatuses: readonly Refund['status'][] = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'];

function refundOf(refund: Stripe.Refund, intentId: string): Refund {
  return {
    id: refund.id,
    status: refundStatuses.find((known) => known === refund.status) ?? 'pending',
    amountCents: refund.amount,
    intentId: idOf(refund.payment_intent) ?? intentId,
    metadata: refund.metadata ?? {},
    ...(refund.failure_reason && { failureReason: refund.failure_reason }),
  };
}

function disputeOf(dispute: Stripe.Dispute, intentId: string): Dispute {
  const { due_by: dueBy } = dispute.evidence_details;
  return {
    id: dispute.id,
    intentId: idOf(dispute.payment_intent) ?? intentId,
    amountCents: dispute.amount,
    reason: dispute.reason,
    status: dispute.status,
    ...(dueBy && { respondBy: new Date(dueBy * 1000) }),
  };
}

function eventOf(event: Stripe.Event): PaymentEvent {
  const subject = event.data.object as {
    object?: string;
    id?: string;
    payment_intent?: string | { id: string } | null;
  };
  // Charges, refunds, disputes and reviews all name their payment intent in the same field.
  const intentId = subject.object === 'payment_intent' ? subject.id : idOf(subject.payment_intent);
  return { id: event.id, type: event.type, livemode: event.livemode, ...(intentId !== undefined && { intentId }) };
}

/** Stripe shows a related object as its id, or whole where that was asked for. */
function idOf(related: string | { id: string } | null | undefined): string | undefined {
  return typeof related === 'string' ? related : related?.id;
}

function verifiedEvent(stripe: Stripe, rawBody: Buffer, signature: string, secret: string, clock: Clock) {
  try {
    const receivedAt = clock.now().getTime();
    return stripe.webhooks.constructEvent(rawBody, signature, secret, WEBHOOK_TOLERANCE_SECONDS, undefined, receivedAt);
  } catch {
    // Whatever is wrong with it, it is not a webhook of ours: the SDK throws plain errors for some malformed headers.
    return undefined;
  }
}

// ---------------------------------------------------------------- what goes wrong

async function asking<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) throw providerError(what, error);
    throw error;
  }
}

/** Stripe's messages may repeat what was sent (an e-mail, an address), so ours name the code and the request instead. */
function providerError(what: string, error: Stripe.errors.StripeError): PaymentProviderError {
  const facts = [error.type, error.code, error.param, error.requestId].filter((fact) => fact !== undefined);
  const cause = error instanceof Stripe.errors.StripeConnectionError ? { cause: error.detail ?? error } : undefined;
  return new PaymentProviderError(reasonOf(error), `${what}: ${facts.join(' ')}`, cause);
}

function reasonOf(error: Stripe.errors.StripeError): PaymentProviderError['reason'] {
  if (error.statusCode === 404 || error.code === 'resource_missing') return 'not-found';
  // The same call is being carried out by another process right now: its answer is still to come.
  if (error.code === 'idempotency_key_in_use') return 'unavailable';
  const isRefusal =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeCardError;
  // Lost connections, Stripe's own faults, rate limits and bad keys are all the same to the customer: not now.
  return isRefusal ? 'rejected' : 'unavailable';
}

const isUnexpectedState = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'payment_intent_unexpected_state';

const isUnknownPlace = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'customer_tax_location_invalid';
