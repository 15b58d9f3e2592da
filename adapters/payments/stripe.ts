/** Card payments through Stripe's own SDK: at Stripe, or at any origin that speaks Stripe's API. */
import { Stripe } from 'stripe';
import {
  PaymentProviderError,
  type CardPayments,
  type Clock,
  type PaymentEvent,
  type PaymentIntent,
  type PaymentRequest,
  type PaymentStatus,
  type Refund,
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
        const { name, email } = (await stripe.charges.retrieve(chargeId)).billing_details;
        return { ...(name !== null && { name }), ...(email !== null && { email }) };
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
        };
        return refundOf(await stripe.refunds.create(params, { idempotencyKey }), request.intentId);
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
    ...(request.receiptEmail !== undefined && { receipt_email: request.receiptEmail }),
    ...(request.shipping && { shipping: shippingParams(request.shipping) }),
  };
}

function shippingParams({ name, phone, address }: NonNullable<PaymentRequest['shipping']>) {
  return {
    name,
    ...(phone !== undefined && { phone }),
    address: {
      line1: address.line1,
      ...(address.line2 !== undefined && { line2: address.line2 }),
      city: address.city,
      state: address.state,
      postal_code: address.postalCode,
      country: address.country,
    },
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

const refundStatuses: readonly Refund['status'][] = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'];

function refundOf(refund: Stripe.Refund, intentId: string): Refund {
  return {
    id: refund.id,
    status: refundStatuses.find((known) => known === refund.status) ?? 'pending',
    amountCents: refund.amount,
    intentId: idOf(refund.payment_intent) ?? intentId,
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
  const isRefusal =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeCardError;
  // Lost connections, Stripe's own faults, rate limits and bad keys are all the same to the customer: not now.
  return isRefusal ? 'rejected' : 'unavailable';
}

const isUnexpectedState = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'payment_intent_unexpected_state';
