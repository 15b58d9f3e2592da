/**
 * A small imitation of Stripe inside the shop, for the demo and the tests. Its state is in the shop's database, so it
 * survives restarts, and all processes share it. The shop calls it through Stripe's official SDK, as it calls Stripe.
 */
import { createHmac } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import { isDatabaseOutage } from '#adapters/database/outage.ts';
import type { CardPayments } from '#shop/ports/card-payments.ts';
import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import { createStripePayments, OwnDatabaseOutage, type FetchFunction } from '../stripe.ts';
import { handleRequest, isSandboxDown, settleDelayedPayments, type Sandbox } from './api.ts';
import { deliverDueWebhooks, type DeliverWebhook } from './deliveries.ts';
import { closeDispute, createDispute } from './disputes.ts';
import { createFraudWarning } from './fraud-warnings.ts';
import { deleteOldKeys } from './idempotency.ts';
import { listPayments, type SandboxPayment } from './overview.ts';
import { failRefund } from './refunds.ts';
import { createSandboxRoutes } from './routes.ts';
import type { OperationContext } from './store.ts';

/** Where the shop mounts the routes. The URL of the authentication page includes it. */
export const SANDBOX_PATH = '/sandbox/stripe';

/** How long a payment with the delayed test card is `processing`. */
const PROCESSING_SECONDS = 4;

export interface SandboxSettings {
  db: Db;
  clock: Clock;
  webhookSecret: string;
  /** The URL of the shop. */
  baseUrl: string;
  deliver: DeliverWebhook;
  /** Secret API key; derived from the webhook secret if not given. */
  secretKey?: string | undefined;
  processingSeconds?: number | undefined;
}

export interface SandboxPayments {
  payments: CardPayments;
  /** The HTTP routes. The shop mounts them at SANDBOX_PATH. */
  routes: FastifyPluginAsync;
  /** Settles due payments, delivers webhooks and deletes old idempotency keys. Call it about once a second. */
  runDueTasks(): Promise<void>;
  /** The secret key for programs that call the API over HTTP. */
  secretKey: string;
  /** Lists the payments, newest first. */
  listPayments(limit?: number): Promise<SandboxPayment[]>;
  /** Disputes a payment: the buyer's bank takes it back. Throws if it is not paid or already disputed. */
  dispute(intentId: string): Promise<void>;
  /**
   * Creates a fraud warning: the card's issuer reports the payment as likely fraud. Throws if it is not paid or already
   * reported.
   */
  warnOfFraud(intentId: string): Promise<void>;
  /** Closes a dispute with the bank's decision. */
  closeDispute(disputeId: string, status: 'won' | 'lost'): Promise<void>;
  /** Makes a refund fail because the card no longer accepts it. */
  failRefund(refundId: string): Promise<void>;
  /** Settles all payments that are still processing. */
  settleDelayedNow(): Promise<void>;
  /** Makes this process refuse all requests for this many seconds. 0 ends the outage. */
  switchOff(seconds: number): void;
  downUntil(): Date | undefined;
}

export function createSandboxPayments(settings: SandboxSettings): SandboxPayments {
  const { db, clock, webhookSecret, baseUrl, deliver } = settings;
  const secretKey = settings.secretKey ?? deriveSecretKeyFrom(webhookSecret);
  const rules = {
    shopOrigin: new URL(baseUrl).origin,
    authenticationUrl: new URL(`${SANDBOX_PATH}/authenticate`, baseUrl).href,
    processingSeconds: settings.processingSeconds ?? PROCESSING_SECONDS,
  };
  const sandbox: Sandbox = { db, clock, secretKey, rules };
  const stripePayments = createStripePayments({ secretKey, webhookSecret, clock, fetch: fetchInProcess(sandbox) });

  /** Runs a change that happens at the provider without an API request. */
  const runWithoutRequest = async (run: (work: OperationContext) => Promise<unknown>) => {
    const request = { id: null, idempotency_key: null };
    await db.transaction((tx) => run({ tx, now: clock.now(), request }));
  };

  return {
    payments: { ...stripePayments, kind: 'sandbox' },
    routes: createSandboxRoutes(sandbox),
    secretKey,
    async runDueTasks() {
      if (isSandboxDown(sandbox)) return;
      await settleDelayedPayments(sandbox);
      await deliverDueWebhooks({ db, clock, webhookSecret, deliver });
      await deleteOldKeys(db, clock.now());
    },
    listPayments: (limit = 50) => listPayments(db, limit),
    dispute: (intentId) => runWithoutRequest((work) => createDispute(work, intentId)),
    warnOfFraud: (intentId) => runWithoutRequest((work) => createFraudWarning(work, intentId)),
    closeDispute: (disputeId, status) => runWithoutRequest((work) => closeDispute(work, disputeId, status)),
    failRefund: (refundId) => runWithoutRequest((work) => failRefund(work, refundId)),
    settleDelayedNow: () => settleDelayedPayments(sandbox, 'all'),
    switchOff(seconds) {
      sandbox.downUntil = new Date(clock.now().getTime() + seconds * 1000);
    },
    downUntil: () => (isSandboxDown(sandbox) ? sandbox.downUntil : undefined),
  };
}

/**
 * Derives the secret key. It must not be guessable, because the operations that need it are reachable from the network.
 * It is the same in every process of a shop.
 */
export const deriveSecretKeyFrom = (webhookSecret: string) =>
  `sk_test_sandbox_${createHmac('sha256', webhookSecret).update('payment sandbox secret key').digest('hex')}`;

/**
 * Passes the SDK's requests to the sandbox without a network. If the sandbox fails internally, the request rejects as
 * if the connection were lost. If the database that the sandbox shares with the shop is unavailable or full, the
 * request rejects with OwnDatabaseOutage, so that the provider is not blamed.
 */
function fetchInProcess(sandbox: Sandbox): FetchFunction {
  return async (address, init) => {
    const { pathname, search } = new URL(address);
    const method = init.method ?? 'GET';
    const headers = new Headers(init.headers);
    const apiResponse = await handleRequest(sandbox, {
      method,
      path: pathname,
      form: method === 'GET' ? search.slice(1) : asText(init.body),
      authorization: headers.get('authorization') ?? undefined,
      idempotencyKey: headers.get('idempotency-key') ?? undefined,
    }).catch((cause: unknown) => {
      throw isDatabaseOutage(cause) ? new OwnDatabaseOutage('the database of the sandbox is away', { cause }) : cause;
    });
    return Response.json(apiResponse.body, { status: apiResponse.status, headers: apiResponse.headers });
  };
}

const asText = (body: RequestInit['body']) => (typeof body === 'string' ? body : '');
