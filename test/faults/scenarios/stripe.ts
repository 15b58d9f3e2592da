import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Db } from '#shop/ports/database.ts';
import { startTamperingProxy, type ConnectionFault } from '../tampering-proxy.ts';
import { ShopInstallation } from '../installation.ts';
import { ExternalProvider, sendWebhook } from '../external-provider.ts';
import { createVisitorBrowsers } from '../running-shop.ts';
import { repeatUntilStopped, RequestRecorder, type Scenario } from '../scenario.ts';
import { createGuestBuyers } from '../guest-buyers.ts';

const connectionFaults: ConnectionFault[] = ['silence', 'error', 'slow', 'unsaid', 'twice'];

/** The payment provider fails in all ways of `connectionFaults`, and sends webhooks twice and out of order. */
export const stripeFaultScenario: Scenario = {
  name: 'stripe',
  engines: ['embedded', 'postgres'],
  async run({ engine, random }) {
    const provider = await ExternalProvider.open(engine);
    const state = { isDown: false, isWell: false };
    const faultCounts: Partial<Record<ConnectionFault | 'down', number>> = {};
    const origin = await startTamperingProxy(
      provider.origin,
      () => {
        if (state.isWell) return undefined;
        const connectionFault = state.isDown
          ? 'silence'
          : random.below(2) === 0
            ? random.oneOf(connectionFaults)
            : undefined;
        if (connectionFault) faultCounts[connectionFault] = (faultCounts[connectionFault] ?? 0) + 1;
        return connectionFault;
      },
      () => 500 + random.below(4_000),
    );
    const installation = await ShopInstallation.open(engine, {
      settings: {
        ...provider.settingsOfShop(origin),
        RATE_LIMITS: 'on',
        TRUST_PROXY: '127.0.0.1',
      },
    });
    const requestRecorder = new RequestRecorder();
    const visitorBrowsers = createVisitorBrowsers(installation.shop.origin, provider.origin);
    const buy = createGuestBuyers(visitorBrowsers.browser, requestRecorder);
    const stopActivity = repeatUntilStopped(
      Array.from({ length: 6 }, () => buy),
      50,
    );
    for (let time = 0; time < 3; time++) {
      await sleep(10_000);
      state.isDown = true;
      await sleep(5_000);
      state.isDown = false;
    }
    await stopActivity();
    state.isWell = true;

    const events = await provider.listEventsAfter();
    const shuffledEvents = random.shuffled([...events, ...events]);
    for (const event of shuffledEvents) expect(await sendWebhook(installation.shop, event)).toBe(200);
    const orders = await installation.pollUntilComplete(readOrderRows, (there) => [
      ...requestRecorder.findMissing(there),
    ]);
    expect(new Set(orders).size).toBe(orders.length);
    const chargedIntents = await provider.listChargedIntents();
    expect(orders.toSorted()).toEqual(chargedIntents.map((it) => `paid:${it}`).toSorted());
    const figures = Object.entries(faultCounts).map(([mischief, times]) => `${times} × ${mischief}`);
    return requestRecorder.createResult(
      `Stripe failed (${figures.join(', ')}), and sent ${shuffledEvents.length} webhooks, each twice and in random order`,
      orders,
    );
  },
};

const readOrderRows = async (db: Db) =>
  (await db.execute<{ name: string }>(sql`select 'paid:' || stripe_payment_intent_id as name from orders`)).rows.map(
    (it) => it.name,
  );
