import { expect } from 'vitest';
import { sendWebhook, type ProviderEvent } from '../faults/external-provider.ts';
import { repeatUntilStopped, type Random } from '../faults/scenario.ts';
import { runWithConcurrency } from './run-at-interval.ts';
import type { LoadTestShop } from './load-test-shop.ts';

/**
 * Sends the shop webhooks for the provider's events while they happen: each event twice, out of order, and half of the
 * due ones later. The returned function stops this, sends the remaining events, and returns the number of webhooks that
 * were sent.
 */
export function startSendingWebhooks({ provider, web }: LoadTestShop, random: Random): () => Promise<number> {
  let due: ProviderEvent[] = [];
  let newest: string | undefined;
  let sent = 0;
  const sendBatch = async (isLast: boolean) => {
    const newEvents = await provider.listEventsAfter(newest);
    newest = newEvents[0]?.id ?? newest;
    const shuffled = random.shuffled([...due, ...newEvents, ...newEvents]);
    const eventsToSend = shuffled.splice(0, isLast ? shuffled.length : Math.ceil(shuffled.length / 2));
    due = shuffled;
    await runWithConcurrency(4, eventsToSend, async (event) => expect(await sendWebhook(web.shop, event)).toBe(200));
    sent += eventsToSend.length;
  };
  const stopActivity = repeatUntilStopped([() => sendBatch(false)], 250);
  return async () => {
    await stopActivity();
    await sendBatch(true);
    return sent;
  };
}
