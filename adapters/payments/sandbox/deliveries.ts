/** Webhook deliveries to the shop. They stay in the database until the shop accepts them. */
import { asc, eq, lte, sql } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { createFairQueue } from '../../processes/fair-queue.ts';
import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import { sandboxDeliveries, sandboxObjects } from './sandbox.sql.ts';
import { toUnixSeconds } from './store.ts';

/** Sends one webhook to the shop; returns the shop's HTTP status. */
export type DeliverWebhook = (rawBody: string, headers: Record<string, string>) => Promise<number>;

export interface WebhookSender {
  db: Db;
  clock: Clock;
  webhookSecret: string;
  deliver: DeliverWebhook;
}

const DELIVERIES_PER_BATCH = 20;
/**
 * Number of concurrent deliveries, never two of the same payment. It is small, so that deliveries do not use all of the
 * shop's connections.
 */
const MAX_CONCURRENT_DELIVERIES = 4;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 3600_000;
/** The retries then take about half a day. */
const MOST_ATTEMPTS = 20;

export async function deliverDueWebhooks(postman: WebhookSender): Promise<void> {
  for (;;) {
    const claimedDeliveries = await claimDeliveries(postman.db, postman.clock.now());
    const runInTurn = createFairQueue(MAX_CONCURRENT_DELIVERIES);
    await Promise.all(
      claimedDeliveries.map((delivery) => runInTurn(getPaymentKey(delivery), () => deliverEvent(postman, delivery))),
    );
    if (claimedDeliveries.length < DELIVERIES_PER_BATCH) return;
  }
}

interface Delivery {
  eventId: string;
  body: unknown;
}

/**
 * Returns the key by which deliveries stay in order: the payment's id. An event without a payment is delivered
 * independently.
 */
function getPaymentKey({ eventId, body }: Delivery): string {
  const { object } = (body as Stripe.Event).data as {
    object: { id: string; object: string; payment_intent?: unknown };
  };
  if (object.object === 'payment_intent') return object.id;
  return typeof object.payment_intent === 'string' ? object.payment_intent : eventId;
}

/**
 * Claims the deliveries that are due by postponing their next attempt. Until then, no other process takes them. If this
 * process dies, they become due again.
 */
async function claimDeliveries(db: Db, now: Date): Promise<Delivery[]> {
  return db.transaction(async (tx) => {
    const dueDeliveries = await tx
      .select({ eventId: sandboxDeliveries.eventId, attempts: sandboxDeliveries.attempts, body: sandboxObjects.body })
      .from(sandboxDeliveries)
      .innerJoin(sandboxObjects, eq(sandboxObjects.id, sandboxDeliveries.eventId))
      .where(lte(sandboxDeliveries.dueAt, now))
      .orderBy(asc(sandboxDeliveries.dueAt), asc(sandboxObjects.position))
      .limit(DELIVERIES_PER_BATCH)
      .for('update', { of: sandboxDeliveries, skipLocked: true });
    for (const { eventId, attempts } of dueDeliveries) {
      await tx
        .update(sandboxDeliveries)
        .set({ attempts: attempts + 1, dueAt: computeNextAttempt(now, attempts + 1) })
        .where(eq(sandboxDeliveries.eventId, eventId));
    }
    return dueDeliveries;
  });
}

function computeNextAttempt(now: Date, attempts: number): Date | null {
  if (attempts >= MOST_ATTEMPTS) return null;
  return new Date(now.getTime() + Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS));
}

async function deliverEvent(
  { db, clock, webhookSecret, deliver }: WebhookSender,
  { eventId, body }: Delivery,
): Promise<void> {
  const payload = JSON.stringify(body);
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: webhookSecret,
    timestamp: toUnixSeconds(clock.now()),
  });
  // If the shop does not respond, this is no error: the delivery stays due.
  const status = await deliver(payload, {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': signature,
    'user-agent': 'Stripe/1.0 (Kinframe payment sandbox)',
  }).catch(() => null);

  if (status === null || status < 200 || status > 299) {
    await db.update(sandboxDeliveries).set({ lastStatus: status }).where(eq(sandboxDeliveries.eventId, eventId));
    return;
  }
  await db.transaction(async (tx) => {
    await tx
      .update(sandboxDeliveries)
      .set({ lastStatus: status, deliveredAt: clock.now(), dueAt: null })
      .where(eq(sandboxDeliveries.eventId, eventId));
    await tx
      .update(sandboxObjects)
      .set({ body: sql`jsonb_set(${sandboxObjects.body}, '{pending_webhooks}', '0')` })
      .where(eq(sandboxObjects.id, eventId));
  });
}
