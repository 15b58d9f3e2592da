import { expect } from 'vitest';
import { anna, confirmIntentWithCard } from '../people.ts';
import { annasCart } from '../paying.ts';
import type { Browser } from '../shop.ts';
import type { Ledger } from './scenario.ts';

/** New guests who buy. By default, every third one never returns from paying. */
export function createGuestBuyers(
  browser: () => Browser,
  ledger: Ledger,
  { isLeaving = (index: number) => index % 3 === 0 } = {},
): () => Promise<void> {
  let count = 0;
  return async () => {
    count += 1;
    const index = count;
    const buyer = browser();
    const customerDetails = { ...anna, email: `buyer-${index}@example.com` };
    const startResponse = await ledger.sendAndCheck(
      buyer.post('/api/create-payment-intent', { ...annasCart, customerDetails }),
    );
    if (!startResponse) return;
    const { paymentIntentId, clientSecret } = startResponse.json;
    ledger.tried += 1;
    expect((await confirmIntentWithCard(buyer, paymentIntentId, clientSecret)).json.status).toBe('succeeded');
    ledger.acknowledged.add(`paid:${paymentIntentId}`);
    if (!isLeaving(index)) await ledger.sendAndCheck(buyer.post('/api/verify-payment', { paymentIntentId }));
  };
}
