/** Card payments through Stripe's own SDK: at Stripe, or at another server that implements Stripe's API. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Stripe } from 'stripe';
import * as z from 'zod';
import { countries, findRegionName } from '#contract/addresses.ts';
import {
  PaymentProviderError,
  type BalanceTransaction,
  type CardPayments,
  type Dispute,
  type PaymentEvent,
  type PaymentIntent,
  type PaymentRequest,
  type PaymentStatus,
  type Refund,
  type TaxCalculation,
  type TaxRequest,
} from '#shop/ports/card-payments.ts';
import type { Clock } from '#shop/ports/clock.ts';

const TIMEOUT_MS = 10_000;
const NETWORK_RETRIES = 2;
const WEBHOOK_TOLERANCE_SECONDS = 300;
/** Requests and responses use this API version, whatever the account's default is. The SDK's types enforce it. */
const API_VERSION = '2026-10-28.endive';

export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

/**
 * `fetch` rejects with this error if the shop itself failed, not the provider. The caller then gets the error's cause.
 */
export class OwnDatabaseOutage extends Error {
  override name = 'OwnDatabaseOutage';
}

export interface StripeSettings {
  secretKey: string;
  publishableKey?: string | undefined;
  webhookSecret: string;
  /**
   * URL of another server that implements Stripe's API, with or without a path: `http://127.0.0.1:3000/sandbox/stripe`.
   */
  apiBase?: string | undefined;
  fetch?: FetchFunction | undefined;
  clock?: Clock | undefined;
}

export function createStripePayments(settings: StripeSettings): CardPayments {
  // With a blank secret every webhook would look forged, so fail at start.
  if (settings.webhookSecret.trim() === '') throw new Error('the webhook secret of card payments is empty');
  const stripe = connectStripe(settings);
  const clock = settings.clock ?? { now: () => new Date() };
  let accountIdPromise: Promise<string | null> | undefined;

  /** Changes an intent. Returns the current intent, even if its status does not allow the change. */
  async function changeIntent(what: string, intentId: string, call: () => Promise<Stripe.PaymentIntent>) {
    if (!isIntentId(intentId)) throw new PaymentProviderError('not-found', `${what}: not an intent id`);
    return callProvider(what, undefined, async () => {
      try {
        return convertIntent(await call());
      } catch (error) {
        if (!isUnexpectedState(error)) throw error;
        return convertIntent(await stripe.paymentIntents.retrieve(intentId));
      }
    });
  }

  return {
    kind: 'stripe',
    publishableKey: settings.publishableKey,
    livemode: /^[sr]k_live_/.test(settings.secretKey),

    readAccountId({ deadline } = {}) {
      // Reads the account, and reads it again after a failure. A key may lack the permission to read the account;
      // payments must work without it.
      accountIdPromise ??= callProvider('read the account', undefined, async () =>
        stripe.accounts.retrieve(null).then(requireId, (error: unknown) => {
          if (error instanceof Stripe.errors.StripePermissionError) return null;
          throw error;
        }),
      ).catch(() => {
        accountIdPromise = undefined;
        return null;
      });
      const accountRequest = accountIdPromise;
      return callProvider('read the account', deadline, () => accountRequest).catch(() => null);
    },

    async calculateTax(request, { deadline } = {}) {
      return callProvider('calculate tax', deadline, async () => {
        try {
          return convertTax(request, await stripe.tax.calculations.create(createTaxParams(request)));
        } catch (error) {
          if (!isUnknownLocation(error)) throw error;
          return undefined;
        }
      });
    },

    async createCustomer({ name, email }, idempotencyKey, { deadline } = {}) {
      return callProvider('create a customer', deadline, async () =>
        requireId(await stripe.customers.create({ name, email }, { idempotencyKey })),
      );
    },

    async createIntent(request, idempotencyKey, { deadline } = {}) {
      return callProvider('create a payment intent', deadline, async () => {
        const intent = convertIntent(
          await stripe.paymentIntents.create(createIntentParams(request), { idempotencyKey }),
        );
        if (intent.clientSecret === '')
          throw createUnreadableResponseError('a payment intent without its client secret');
        return intent;
      });
    },

    async getIntent(intentId) {
      // The id may come from the browser's address bar, so a value that cannot be an intent id is not sent to Stripe.
      if (!isIntentId(intentId)) return undefined;
      return callUnlessMissing('read a payment intent', async () =>
        convertIntent(await stripe.paymentIntents.retrieve(intentId)),
      );
    },

    async getCheckoutSession(sessionId) {
      if (!isSessionId(sessionId)) return undefined;
      return callUnlessMissing('read a checkout session', async () => {
        const session = await stripe.checkout.sessions.retrieve(sessionId);
        const intentId = getRelatedId(session.payment_intent);
        return { id: requireId(session), ...(intentId !== undefined && { intentId }) };
      });
    },

    async readFeeCents(intentId) {
      if (!isIntentId(intentId)) return undefined;
      return callUnlessMissing('read the fee of a payment', async () =>
        readFee(await stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge.balance_transaction'] })),
      );
    },

    async *listBalanceTransactions({ from, until }) {
      const createdRange = { gte: toUnixSeconds(from), lt: toUnixSeconds(until) };
      for (let after: string | undefined; ;) {
        const page = await callProvider('read the balance', undefined, () =>
          stripe.balanceTransactions.list({
            created: createdRange,
            limit: 100,
            expand: ['data.source'],
            ...(after !== undefined && { starting_after: after }),
          }),
        );
        if (!Array.isArray(page.data)) throw createUnreadableResponseError('a list without its entries');
        yield page.data.map(balanceTransactionOf);
        after = page.data.at(-1)?.id;
        if (!page.has_more || after === undefined) return;
      }
    },

    async readPayer(chargeId) {
      return callProvider('read a charge', undefined, async () => {
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

    captureIntent: (intentId) =>
      changeIntent('capture a payment intent', intentId, () => stripe.paymentIntents.capture(intentId)),

    cancelIntent: (intentId) =>
      changeIntent('cancel a payment intent', intentId, () =>
        stripe.paymentIntents.cancel(intentId, { cancellation_reason: 'abandoned' }),
      ),

    async refund(request, idempotencyKey) {
      return callProvider('refund a payment', undefined, async () => {
        const params = {
          payment_intent: request.intentId,
          amount: request.amountCents,
          ...createReasonParam(request.reason),
          ...(request.metadata && { metadata: request.metadata }),
        };
        return convertRefund(await stripe.refunds.create(params, { idempotencyKey }), request.intentId);
      });
    },

    async listRefundsOf(intentId) {
      return callProvider('read the refunds of a payment', undefined, async () => {
        const listedObjects = stripe.refunds.list({ payment_intent: intentId, limit: 100 });
        return (await listAll(listedObjects)).map((it) => convertRefund(it, intentId));
      });
    },

    async listDisputesOf(intentId) {
      return callProvider('read the disputes of a payment', undefined, async () => {
        const listedObjects = stripe.disputes.list({ payment_intent: intentId, limit: 100 });
        return (await listAll(listedObjects)).map((it) => convertDispute(it, intentId));
      });
    },

    async listFraudWarningsOf(intentId) {
      return callProvider('read the fraud warnings of a payment', undefined, async () => {
        const listedObjects = stripe.radar.earlyFraudWarnings.list({ payment_intent: intentId, limit: 100 });
        return (await listAll(listedObjects)).map((it) => ({ id: requireId(it), fraudType: it.fraud_type }));
      });
    },

    readWebhook(rawBody, signature) {
      return isSigned(stripe, rawBody, signature, settings.webhookSecret, clock) ? parseEvent(rawBody) : 'forged';
    },

    async check() {
      await callProvider('read the balance', undefined, () => stripe.balance.retrieve());
    },
  };
}

function connectStripe({ secretKey, apiBase, fetch = globalThis.fetch }: StripeSettings): Stripe {
  const checkedFetch = createCheckedFetch(apiBase === undefined ? fetch : createFetchWithBase(apiBase, fetch));
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(checkedFetch as typeof globalThis.fetch),
  });
}

/** The SDK supports hosts and ports but no path prefix, so this replaces the origin of its URLs with `apiBase`. */
function createFetchWithBase(apiBase: string, fetch: FetchFunction): FetchFunction {
  const base = apiBase.replace(/\/+$/, '');
  return (url, init) => {
    const { pathname, search } = new URL(url);
    return fetch(`${base}${pathname}${search}`, init);
  };
}

/** The deadline of the current call. It is passed to `fetch` this way because the SDK accepts no abort signal. */
const deadlines = new AsyncLocalStorage<AbortSignal>();

/**
 * Wraps `fetch` so that any response without Stripe's format becomes a provider error. A proxy between the shop and
 * Stripe may respond with its own page, an empty body or half a response, and the SDK would treat an error status
 * without an `error` object as a success.
 */
function createCheckedFetch(fetch: FetchFunction): FetchFunction {
  return async (url, init) => {
    const deadline = deadlines.getStore();
    const signal = deadline && init.signal ? AbortSignal.any([init.signal, deadline]) : init.signal;
    const response = await fetch(url, { ...init, redirect: 'manual', ...(signal && { signal }) });
    const { status, headers } = response;
    const text = await response.text();
    if (isStripeResponse(text, response.ok)) return new Response(text, { status, headers });
    const shapeError = { type: 'api_error', message: 'An answer that is not in the shape of this API' };
    return Response.json({ error: shapeError }, { status: status === 429 ? 429 : 502, headers });
  };
}

function isStripeResponse(text: string, isSuccess: boolean): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) && (isSuccess || ('error' in body && isObject(body.error)));
  } catch {
    return false;
  }
}
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listAll = <T extends { id: string }>(listedObjects: Stripe.ApiListPromise<T>): Promise<T[]> =>
  listedObjects.autoPagingToArray({ limit: 1000 }).catch((cause: unknown) => {
    throw cause instanceof Stripe.errors.StripeError
      ? cause
      : createUnreadableResponseError('a list without its entries');
  });

const toUnixSeconds = (moment: Date) => Math.floor(moment.getTime() / 1000);
const isSessionId = (id: string) => /^cs_[A-Za-z0-9_]{1,250}$/.test(id);
const isIntentId = (id: string) => /^pi_[A-Za-z0-9_]{1,250}$/.test(id);

// ---------------------------------------------------------------- requests

function createIntentParams(request: PaymentRequest): Stripe.PaymentIntentCreateParams {
  return {
    amount: request.amountCents,
    currency: request.currency,
    description: request.description,
    metadata: request.metadata,
    automatic_payment_methods: { enabled: true },
    ...(request.isCapturedLater && { capture_method: 'manual' as const }),
    // Stripe records the tax when the payment succeeds, and reverses it with every refund.
    ...(request.taxCalculationId !== undefined && {
      hooks: { inputs: { tax: { calculation: request.taxCalculationId } } },
    }),
    ...(request.customerId !== undefined && { customer: request.customerId }),
    ...(request.receiptEmail !== undefined && { receipt_email: request.receiptEmail }),
    ...(request.shipping && { shipping: createShippingParams(request.shipping) }),
  };
}

function createShippingParams({ name, phone, address }: NonNullable<PaymentRequest['shipping']>) {
  return {
    name,
    ...(phone !== undefined && { phone }),
    address: createAddressParams(address),
  };
}

function createAddressParams({ country, postalCode, ...lines }: TaxRequest['address']) {
  const { line1, line2, city, state } = lines;
  const givenAddress = { line1, line2, city, state, postal_code: postalCode };
  return { ...Object.fromEntries(Object.entries(givenAddress).filter(([, line]) => line !== undefined)), country };
}

/** Stripe's tax codes for the shop's products: physical goods, and services provided online. */
const taxCodes = { goods: 'txcd_99999999', service: 'txcd_10000000' };

function createTaxParams({ currency, lines, address, addressSource }: TaxRequest): Stripe.Tax.CalculationCreateParams {
  return {
    currency,
    line_items: lines.map(({ reference, kind, quantity, amountCents }) => ({
      amount: amountCents,
      quantity,
      reference,
      tax_behavior: 'exclusive',
      tax_code: taxCodes[kind],
    })),
    customer_details: { address: createAddressParams(address), address_source: addressSource },
  };
}

const stripeReasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

/** Stripe accepts three reasons. The owner's own text may contain customer data, so it stays in the order's history. */
function createReasonParam(reason: string | undefined) {
  if (reason === undefined) return {};
  return { reason: stripeReasons.find((known) => known === reason) ?? 'requested_by_customer' };
}

// ---------------------------------------------------------------- responses

const statuses: readonly PaymentStatus[] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
  'processing',
  'requires_capture',
  'canceled',
  'succeeded',
];

function convertIntent(intent: Stripe.PaymentIntent): PaymentIntent {
  const id = requireId(intent);
  const status = statuses.find((known) => known === intent.status);
  if (!status) throw createUnreadableResponseError(`payment intent ${id} has a status this shop does not know`);
  if (![intent.amount, intent.amount_received].every(Number.isSafeInteger))
    throw createUnreadableResponseError(`payment intent ${id} has no amount`);
  const chargeId = getRelatedId(intent.latest_charge);
  return {
    id,
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

/**
 * Returns the fee in the payment's currency. For an account with another payout currency, Stripe gives the fee in that
 * currency and the exchange rate it used.
 */
function readFee({ latest_charge: charge, currency }: Stripe.PaymentIntent): number | undefined {
  const transaction = isObject(charge) ? charge.balance_transaction : null;
  if (!isObject(transaction)) return undefined;
  const { fee, currency: settled, exchange_rate: rate } = transaction;
  if (!Number.isSafeInteger(fee)) throw createUnreadableResponseError('a balance transaction without its fee');
  if (settled === currency) return fee;
  return rate ? Math.round(fee / rate) : undefined;
}

/** Stripe's reporting categories of the movements that the shop knows. */
const balanceKinds: Record<string, BalanceTransaction['kind']> = {
  charge: 'payment',
  refund: 'refund',
  refund_failure: 'refund-failed',
  dispute: 'dispute',
  dispute_reversal: 'dispute-returned',
  fee: 'service-fee',
  network_cost: 'service-fee',
  tax: 'service-fee',
  payout: 'payout',
  payout_reversal: 'payout',
};

function balanceTransactionOf(transaction: Stripe.BalanceTransaction): BalanceTransaction {
  const { amount, fee, currency, created, reporting_category: category } = transaction;
  const id = requireId(transaction);
  if (![amount, fee, created].every(Number.isSafeInteger))
    throw createUnreadableResponseError(`balance transaction ${id} has no amount`);
  const source = isObject(transaction.source) ? transaction.source : undefined;
  const intentId = source && 'payment_intent' in source ? getRelatedId(source.payment_intent) : undefined;
  return {
    id,
    kind: balanceKinds[category] ?? 'other',
    category,
    amountCents: amount,
    feeCents: fee,
    currency,
    createdAt: new Date(created * 1000),
    ...(intentId !== undefined && { intentId }),
    ...(source && { subjectId: source.id }),
  };
}

function convertTax({ lines }: TaxRequest, calculation: Stripe.Tax.Calculation): TaxCalculation {
  const id = requireId(calculation);
  const subtotalCents = lines.reduce((sum, line) => sum + line.amountCents, 0);
  const taxesAboveZero = calculation.tax_breakdown.filter((it) => it.amount > 0);
  // A single percentage exists only if every tax applies to all lines.
  const isEven = taxesAboveZero.every((it) => it.taxable_amount === subtotalCents);
  const percent = taxesAboveZero.reduce((sum, it) => sum + Number(it.tax_rate_details.percentage_decimal), 0);
  const details = (taxesAboveZero.find((it) => it.tax_rate_details.state) ?? taxesAboveZero[0])?.tax_rate_details;
  return {
    id,
    taxCents: calculation.tax_amount_exclusive,
    rate: isEven ? String(Number(percent.toFixed(4))) : null,
    jurisdiction: details?.country ? formatJurisdiction(details.country, details.state) : null,
  };
}

const formatJurisdiction = (country: string, state: string | null) =>
  state === null ? (countries.find((it) => it.code === country)?.name ?? country) : findRegionName(country, state);

const refundStatuses: readonly Refund['status'][] = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'];

function convertRefund(refund: Stripe.Refund, intentId: string): Refund {
  return {
    id: requireId(refund),
    status: refundStatuses.find((known) => known === refund.status) ?? 'pending',
    amountCents: refund.amount,
    intentId: getRelatedId(refund.payment_intent) ?? intentId,
    metadata: refund.metadata ?? {},
    ...(refund.failure_reason && { failureReason: refund.failure_reason }),
  };
}

function convertDispute(dispute: Stripe.Dispute, intentId: string): Dispute {
  const { due_by: dueBy } = dispute.evidence_details;
  return {
    id: requireId(dispute),
    intentId: getRelatedId(dispute.payment_intent) ?? intentId,
    amountCents: dispute.amount,
    reason: dispute.reason,
    status: dispute.status,
    ...(dueBy && { respondBy: new Date(dueBy * 1000) }),
  };
}

const RelatedObject = z.union([z.string(), z.object({ id: z.string() }), z.null()]).optional();
const Event = z.object({
  id: z.string().regex(/^[\w-]{1,255}$/),
  type: z.string().regex(/^[\w.]{1,255}$/),
  livemode: z.boolean(),
  data: z.object({
    object: z.object({ object: z.string(), id: z.string().optional(), payment_intent: RelatedObject }),
  }),
});

function parseEvent(rawBody: Buffer): PaymentEvent | 'unreadable' {
  const parseResult = Event.safeParse(parseJsonIfValid(rawBody));
  if (!parseResult.success) return 'unreadable';
  const { id, type, livemode, data } = parseResult.data;
  // Charges, refunds, disputes and fraud warnings have their payment intent in the same field.
  const intentId = data.object.object === 'payment_intent' ? data.object.id : getRelatedId(data.object.payment_intent);
  if (intentId !== undefined && !isIntentId(intentId)) return 'unreadable';
  return { id, type, livemode, ...(intentId !== undefined && { intentId }) };
}

function parseJsonIfValid(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Returns the object's id. Throws if there is none, because it is then unknown whether anything was created. */
function requireId({ id }: { id: string | null }): string {
  if (typeof id !== 'string' || id === '') throw createUnreadableResponseError('an answer without its id');
  return id;
}
const createUnreadableResponseError = (what: string) => new PaymentProviderError('unavailable', what);

/** Returns the id of a related object, which Stripe returns as its id, or as the whole object if it was expanded. */
function getRelatedId(related: string | { id: string } | null | undefined): string | undefined {
  return typeof related === 'string' ? related : related?.id;
}

function isSigned(stripe: Stripe, rawBody: Buffer, signature: string, secret: string, clock: Clock): boolean {
  const receivedAt = clock.now().getTime();
  const tolerance = WEBHOOK_TOLERANCE_SECONDS;
  try {
    const { signature: signatures } = stripe.webhooks;
    return signatures?.verifyHeader(rawBody, signature, secret, tolerance, undefined, receivedAt) === true;
  } catch {
    // Any error means that the signature is not valid: the SDK throws plain errors for some malformed headers.
    return false;
  }
}

// ---------------------------------------------------------------- errors

async function callProvider<T>(what: string, deadline: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
  if (deadline?.aborted) throw createTimeoutError(what);
  try {
    return deadline
      ? await deadlines.run(deadline, () => Promise.race([call(), createDeadlineError(deadline, what)]))
      : await call();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { detail } = error;
    throw detail instanceof OwnDatabaseOutage ? detail.cause : convertStripeError(what, error);
  }
}

/** Returns undefined if the provider does not know the object. */
const callUnlessMissing = <T>(what: string, call: () => Promise<T>): Promise<T | undefined> =>
  callProvider(what, undefined, call).catch((error: unknown) => {
    if (error instanceof PaymentProviderError && error.reason === 'not-found') return undefined;
    throw error;
  });

/** Rejects at the deadline without waiting for the SDK's next retry. */
const createDeadlineError = (deadline: AbortSignal, what: string) =>
  new Promise<never>((_, reject) => {
    deadline.addEventListener('abort', () => reject(createTimeoutError(what)), { once: true });
  });
const createTimeoutError = (what: string) => new PaymentProviderError('unavailable', `${what}: no answer in time`);

/**
 * Converts Stripe's error. Stripe's messages may contain customer data (an email, an address), so the shop's message
 * has only the codes and the request id.
 */
function convertStripeError(what: string, error: Stripe.errors.StripeError): PaymentProviderError {
  const errorFacts = [explainKeyError(error), error.type, error.code, error.param, error.requestId].filter(
    (it) => it !== undefined,
  );
  const cause = error instanceof Stripe.errors.StripeConnectionError ? { cause: error.detail ?? error } : undefined;
  return new PaymentProviderError(classifyStripeError(error), `${what}: ${errorFacts.join(' ')}`, cause);
}

/** Text for problems with the secret key, which an operator can fix. */
function explainKeyError(error: Stripe.errors.StripeError): string | undefined {
  if (error instanceof Stripe.errors.StripeAuthenticationError) return 'the secret key is refused,';
  if (error instanceof Stripe.errors.StripePermissionError) return 'the secret key may not do this,';
  return undefined;
}

function classifyStripeError(error: Stripe.errors.StripeError): PaymentProviderError['reason'] {
  if (error.code === 'resource_missing') return 'not-found';
  // A 404 for the whole URL means a wrong STRIPE_API_BASE, not a missing object.
  if (error.statusCode === 404) return 'unavailable';
  // Another process is sending the same request now, so there is no response yet.
  if (error.code === 'idempotency_key_in_use') return 'unavailable';
  const isRefusal =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeCardError;
  // Lost connections, Stripe's own errors, rate limits and bad keys all mean the same for the customer: try again
  // later.
  return isRefusal ? 'rejected' : 'unavailable';
}

const isUnexpectedState = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'payment_intent_unexpected_state';

const isUnknownLocation = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'customer_tax_location_invalid';
