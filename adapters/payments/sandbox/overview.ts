/** A short list of the sandbox's payments, for the demo's payments page. */
import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import type { Db } from '#shop/ports/database.ts';
import { sandboxObjects } from './sandbox.sql.ts';

export interface SandboxPayment {
  intentId: string;
  status: string;
  amountCents: number;
  refundedCents: number;
  isDisputed: boolean;
  description: string | null;
  receiptEmail: string | null;
  /** Brand and last four digits of the last card that the buyer tried. */
  card: { brand: string; last4: string } | undefined;
  /** Why the last attempt failed, as shown to the buyer. */
  lastError: string | undefined;
  createdAt: Date;
}

/** Lists the payments, newest first. */
export async function listPayments(db: Db, limit: number): Promise<SandboxPayment[]> {
  const rows = await db
    .select({ body: sandboxObjects.body, createdAt: sandboxObjects.createdAt })
    .from(sandboxObjects)
    .where(eq(sandboxObjects.type, 'payment_intent'))
    .orderBy(desc(sandboxObjects.position))
    .limit(limit);
  const intents = rows.map((row) => ({ intent: row.body as Stripe.PaymentIntent, createdAt: row.createdAt }));
  const charges = await readLatestCharges(
    db,
    intents.map(({ intent }) => intent),
  );

  return intents.map(({ intent, createdAt }) => {
    const charge = typeof intent.latest_charge === 'string' ? charges.get(intent.latest_charge) : undefined;
    const card = charge?.payment_method_details?.card;
    return {
      intentId: intent.id,
      status: intent.status,
      amountCents: intent.amount,
      refundedCents: charge?.amount_refunded ?? 0,
      isDisputed: charge?.disputed ?? false,
      description: intent.description,
      receiptEmail: intent.receipt_email,
      card: card?.brand && card.last4 ? { brand: card.brand, last4: card.last4 } : undefined,
      lastError: intent.last_payment_error?.message,
      createdAt,
    };
  });
}

async function readLatestCharges(db: Db, intents: Stripe.PaymentIntent[]): Promise<Map<string, Stripe.Charge>> {
  const ids = intents.flatMap(({ latest_charge: id }) => (typeof id === 'string' ? [id] : []));
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: sandboxObjects.id, body: sandboxObjects.body })
    .from(sandboxObjects)
    .where(and(inArray(sandboxObjects.id, ids), eq(sandboxObjects.type, 'charge')));
  return new Map(rows.map((row) => [row.id, row.body as Stripe.Charge]));
}
