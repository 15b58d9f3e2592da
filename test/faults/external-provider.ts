import { sql } from 'drizzle-orm';
import { Stripe } from 'stripe';
import { deriveSecretKeyFrom } from '#adapters/payments/sandbox/sandbox.ts';
import { readSecrets } from '#server/secrets.ts';
import { ShopInstallation } from './installation.ts';
import type { RunningShop } from './running-shop.ts';
import type { Engine } from './scenario.ts';

const webhookSecret = 'whsec_of_the_faults';

export interface ProviderEvent {
  id: string;
}

/**
 * Replaces Stripe with the payment sandbox of another shop in a separate process. Tests send the webhooks themselves.
 */
export class ExternalProvider {
  readonly #place: ShopInstallation;
  readonly #secretKey: string;

  static async open(engine: Engine): Promise<ExternalProvider> {
    return new ExternalProvider(
      await ShopInstallation.open(engine, { settings: { ROLE: engine === 'postgres' ? 'web' : 'all' } }),
    );
  }
  private constructor(place: ShopInstallation) {
    this.#place = place;
    this.#secretKey = deriveSecretKeyFrom(readSecrets(place.dataDir).sandboxWebhookSecret);
  }
  get origin(): string {
    return this.#place.shop.origin;
  }

  /** @param origin of the proxy between shop and provider */
  settingsOfShop(origin = this.origin): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: this.#secretKey,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_faults',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: `${origin}/sandbox/stripe`,
    };
  }

  /** Returns the payments that were charged. */
  async listChargedIntents(): Promise<string[]> {
    const { rows } = await this.#place.readDatabase((db) =>
      db.execute<{ id: string }>(
        sql`select id from sandbox_objects where type = 'payment_intent' and body ->> 'status' = 'succeeded'`,
      ),
    );
    return rows.map((it) => it.id);
  }

  /** Returns the events that are newer than the known one, newest first. */
  async listEventsAfter(known?: string): Promise<ProviderEvent[]> {
    const listEventsAfter: ProviderEvent[] = [];
    for (let after = ''; ;) {
      const response = await fetch(`${this.origin}/sandbox/stripe/v1/events?limit=100${after}`, {
        headers: { authorization: `Bearer ${this.#secretKey}` },
      });
      const { data, has_more: hasMore } = (await response.json()) as { data: ProviderEvent[]; has_more: boolean };
      const knownIndex = data.findIndex((it) => it.id === known);
      listEventsAfter.push(...(knownIndex < 0 ? data : data.slice(0, knownIndex)));
      if (!hasMore || knownIndex >= 0) return listEventsAfter;
      after = `&starting_after=${data.at(-1)!.id}`;
    }
  }
}

/** Sends the shop a webhook, signed now or at another time. Returns its status. */
export async function sendWebhook({ origin }: RunningShop, event: ProviderEvent, at = Date.now()): Promise<number> {
  const payload = JSON.stringify(event);
  const timestamp = Math.floor(at / 1000);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret, timestamp });
  const headers = { 'content-type': 'application/json', 'stripe-signature': header };
  return (await fetch(`${origin}/api/webhooks/stripe`, { method: 'POST', headers, body: payload })).status;
}
