import { expect } from 'vitest';
import { anna, confirmIntentWithCard } from '../people.ts';
import { annasCart } from '../paying.ts';
import type { Browser } from '../shop.ts';
import type { RequestRecorder } from './scenario.ts';

/** New guests who buy. By default, every third one never returns from paying. */
export function createGuestBuyers(
  browser: () => Browser,
  requestRecorder: RequestRecorder,
  { isLeaving = (index: number) => index % 3 === 0 } = {},
): () => Promise<void> {
  let count = 0;
  return async () => {
    count += 1;
    const index = count;
    const buyer = browser();
    const customerDetails = { ...anna, email: `buyer-${index}@example.com` };
    const startResponse = await requestRecorder.sendAndCheck(
      buyer.post('/api/create-payment-intent', { ...annasCart, customerDetails }),
    );
    if (!startResponse) return;
    const { paymentIntentId, clientSecret } = startResponse.json;
    requestRecorder.tried += 1;
    expect((await confirmIntentWithCard(buyer, paymentIntentId, clientSecret)).json.status).toBe('succeeded');
    requestRecorder.acknowledged.add(`paid:${paymentIntentId}`);
    if (!isLeaving(index)) await requestRecorder.sendAndCheck(buyer.post('/api/verify-payment', { paymentIntentId }));
  };
}
