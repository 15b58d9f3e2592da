/**
 * A small Stripe inside the shop, for the demo and the tests. Its state is in the shop's database, so it survives
 * restarts and is shared by all processes; the shop reaches it through the official SDK, as it reaches Stripe.
 */
import { createHmac } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import { isOutage } from '#adapters/database/outage.ts';
import type { CardPayments } from '#shop/ports/card-payments.ts';
import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import { createStripePayments, OwnOutage, type Fetch } from '../stripe.ts';
import { answer, isDown, settleDue, type Sandbox } from './api.ts';
import { deliverDue, type Deliver } from './deliveries.ts';
import { closeDispute, createDispute } from './disputes.ts';
import { createFraudWarning } from './fraud-warnings.ts';
import { forgetOldKeys } from './idempotency.ts';
import { listPayments, type SandboxPayment } from './overview.ts';
import { failRefund } from './refunds.ts';
import { sandboxRoutes } from './routes.ts';
import type { Work } from './store.ts';

/** Where the shop mounts the routes; the authentication page's address is made with it. */
export const SANDBOX_PATH = '/sandbox/stripe';

/** How long a payment with the delayed test card is `processing`. */
const PROCESSING_SECONDS = 4;

export interface SandboxSettings {
  db: Db;
  clock: Clock;
  webhookSecret: string;
  /** The shop's own origin. */
  baseUrl: string;
  deliver: Deliver;
  /** Key of the secret calls; derived from the webhook secret when not given. */
  secretKey?: string | undefined;
  processingSeconds?: number | undefined;
}

export interface SandboxPayments {
  payments: CardPayments;
  /** Mount at SANDBOX_PATH. */
  routes: FastifyPluginAsync;
  /** Settle what is due, deliver webhooks, forget old idempotency keys; call it every second or so. */
  tick(): Promise<void>;
  /** The key with which programs make secret calls over HTTP. */
  secretKey: string;
  /** Newest first. */
  listPayments(limit?: number): Promise<SandboxPayment[]>;
  /** The buyer's bank takes the payment back; throws when it is not paid or disputed already. */
  dispute(intentId: string): Promise<void>;
  /** The card's issuer reports the payment as likely fraud; throws when it is not paid or reported already. */
  warnOfFraud(intentId: string): Promise<void>;
  /** The bank decides a dispute. */
  closeDispute(disputeId: string, status: 'won' | 'lost'): Promise<void>;
  /** A refund comes back from a card that takes it no longer. */
  failRefund(refundId: string): Promise<void>;
  /** Payments that are still processing come through now. */
  settleDelayedNow(): Promise<void>;
  /** Answer nobody for so long, in this process; 0 ends it. */
  takeDown(seconds: number): void;
  downUntil(): Date | undefined;
}

export function createSandboxPayments(settings: SandboxSettings): SandboxPayments {
  const { db, clock, webhookSecret, baseUrl, deliver } = settings;
  const secretKey = settings.secretKey ?? secretKeyFrom(webhookSecret);
  const rules = {
    shopOrigin: new URL(baseUrl).origin,
    authenticationUrl: new URL(`${SANDBOX_PATH}/authenticate`, baseUrl).href,
    processingSeconds: settings.processingSeconds ?? PROCESSING_SECONDS,
  };
  const sandbox: Sandbox = { db, clock, secretKey, rules };
  const overSdk = createStripePayments({ secretKey, webhookSecret, clock, fetch: fetchInProcess(sandbox) });

  /** What happens at the provider without anybody's call. */
  const byItself = async (run: (work: Work) => Promise<unknown>) => {
    const request = { id: null, idempotency_key: null };
    await db.transaction((tx) => run({ tx, now: clock.now(), request }));
  };

  return {
    payments: { ...overSdk, kind: 'sandbox' },
    routes: sandboxRoutes(sandbox),
    secretKey,
    async tick() {
      if (isDown(sandbox)) return;
      await settleDue(sandbox);
      await deliverDue({ db, clock, webhookSecret, deliver });
      await forgetOldKeys(db, clock.now());
    },
    listPayments: (limit = 50) => listPayments(db, limit),
    dispute: (intentId) => byItself((work) => createDispute(work, intentId)),
    warnOfFraud: (intentId) => byItself((work) => createFraudWarning(work, intentId)),
    closeDispute: (disputeId, status) => byItself((work) => closeDispute(work, disputeId, status)),
    failRefund: (refundId) => byItself((work) => failRefund(work, refundId)),
    settleDelayedNow: () => settleDue(sandbox, 'all'),
    takeDown(seconds) {
      sandbox.downUntil = new Date(clock.now().getTime() + seconds * 1000);
    },
    downUntil: () => (isDown(sandbox) ? sandbox.downUntil : undefined),
  };
}

/** Unguessable, because the secret calls are open to the network, and the same in every process of one shop. */
export const secretKeyFrom = (webhookSecret: string) =>
  `sk_test_sandbox_${createHmac('sha256', webhookSecret).update('payment sandbox secret key').digest('hex')}`;

/**
 * Carries the SDK's calls to the sandbox without a network. A fault of the sandbox rejects, as a lost connection does; but
 * its database is the shop's, and where that is away or has no room, no provider is to blame.
 */
function fetchInProcess(sandbox: Sandbox): Fetch {
  return async (address, init) => {
    const { pathname, search } = new URL(address);
    const method = init.method ?? 'GET';
    const headers = new Headers(init.headers);
    const given = await answer(sandbox, {
      method,
      path: pathname,
      form: method === 'GET' ? search.slice(1) : asText(init.body),
      authorization: headers.get('authorization') ?? undefined,
      idempotencyKey: headers.get('idempotency-key') ?? undefined,
    }).catch((cause: unknown) => {
      throw isOutage(cause) ? new OwnOutage('the database of the sandbox is away', { cause }) : cause;
    });
    return Response.json(given.body, { status: given.status, headers: given.headers });
  };
}

const asText = (body: RequestInit['body']) => (typeof body === 'string' ? body : '');
