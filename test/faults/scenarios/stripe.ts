import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { expect } from 'vitest';
import type { Db } from '#shop/ports/database.ts';
import { confirm } from '../../people.ts';
import { cart } from '../../paying.ts';
import { meddlingWith, type Mischief } from '../meddler.ts';
import { Place } from '../place.ts';
import { keepOn, Ledger, type Scenario } from '../scenario.ts';

const webhookSecret = 'whsec_of_the_faults';
const mischiefs: Mischief[] = ['silence', 'error', 'slow', 'unsaid', 'twice'];

/** The payment provider fails in every way it can, and tells of payments twice and in no order. */
export const stripe: Scenario = {
  name: 'stripe',
  engines: ['embedded', 'postgres'],
  async run({ engine, random }) {
    const provider = await Place.open(engine); // another shop's sandbox
    const state = { isDown: false, isWell: false };
    const done: Partial<Record<Mischief | 'down', number>> = {};
    const origin = await meddlingWith(
      provider.shop.origin,
      () => {
        if (state.isWell) return undefined;
        const mischief = state.isDown ? 'silence' : random.below(2) === 0 ? random.oneOf(mischiefs) : undefined;
        if (mischief) done[mischief] = (done[mischief] ?? 0) + 1;
        return mischief;
      },
      () => 500 + random.below(4_000),
    );
    const secretKey = secretKeyOf(provider);
    const place = await Place.open(engine, {
      settings: {
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_faults',
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        STRIPE_API_BASE: `${origin}/sandbox/stripe`,
        RATE_LIMITS: 'on',
        TRUST_PROXY: '127.0.0.1',
      },
    });
    const ledger = new Ledger();
    /** Every third never comes back from paying. */
    let buyers = 0;
    const buy = async () => {
      const isLeaving = buyers++ % 3 === 0;
      const browser = place.browser();
      const from = { 'x-forwarded-for': `198.51.100.${buyers % 250}` }; // who buys that often is not one person
      const begun = await ledger.ask(browser.post('/api/create-payment-intent', cart, from));
      if (!begun) return;
      const { paymentIntentId, clientSecret } = begun.json;
      ledger.tried += 1;
      expect((await confirm(provider.browser(), paymentIntentId, clientSecret)).json.status).toBe('succeeded');
      ledger.acknowledged.add(paymentIntentId);
      if (!isLeaving) await ledger.ask(browser.post('/api/verify-payment', { paymentIntentId }, from));
    };
    const end = keepOn(
      Array.from({ length: 6 }, () => buy),
      50,
    );
    for (let time = 0; time < 3; time++) {
      await sleep(10_000);
      state.isDown = true;
      await sleep(5_000);
      state.isDown = false;
    }
    await end();
    state.isWell = true;

    const events = await eventsOf(provider, secretKey);
    const told = random.shuffled([...events, ...events]);
    for (const event of told) expect(await tell(place, event)).toBe(200);
    const orders = await place.lookUntil(ordersOf, (there) => [...ledger.missing(there)]);
    expect(new Set(orders).size).toBe(orders.length);
    const { rows: charged } = await provider.look((db) =>
      db.execute<{ id: string }>(
        sql`select id from sandbox_objects where type = 'payment_intent' and body ->> 'status' = 'succeeded'`,
      ),
    );
    expect(orders.toSorted()).toEqual(charged.map((it) => it.id).toSorted());
    const figures = Object.entries(done).map(([mischief, times]) => `${times} × ${mischief}`);
    return ledger.seen(
      `Stripe failing (${figures.join(', ')}), ${told.length} webhooks told twice and in no order`,
      orders,
    );
  },
};

const ordersOf = async (db: Db) =>
  (await db.execute<{ id: string }>(sql`select stripe_payment_intent_id as id from orders`)).rows.map((it) => it.id);

/** As the sandbox makes it of its webhooks' secret. */
function secretKeyOf({ dataDir }: Place): string {
  const { sandboxWebhookSecret } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  return `sk_test_sandbox_${createHmac('sha256', sandboxWebhookSecret).update('payment sandbox secret key').digest('hex')}`;
}

interface Event {
  id: string;
}
async function eventsOf(provider: Place, secretKey: string): Promise<Event[]> {
  const events: Event[] = [];
  for (let after = ''; ;) {
    const answer = await fetch(`${provider.shop.origin}/sandbox/stripe/v1/events?limit=100${after}`, {
      headers: { authorization: `Bearer ${secretKey}` },
    });
    const { data, has_more: hasMore } = (await answer.json()) as { data: Event[]; has_more: boolean };
    events.push(...data);
    if (!hasMore) return events;
    after = `&starting_after=${data.at(-1)!.id}`;
  }
}

async function tell(place: Place, event: Event): Promise<number> {
  const payload = JSON.stringify(event);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret });
  const headers = { 'content-type': 'application/json', 'stripe-signature': header };
  return (await fetch(`${place.shop.origin}/api/webhooks/stripe`, { method: 'POST', headers, body: payload })).status;
}
