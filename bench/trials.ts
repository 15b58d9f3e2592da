import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '#contract/limits.ts';
import { startShop } from './shop-process.ts';
import { buyFrame } from './whole-orders.ts';

/** The 95th percentile of the time of one purchase, in milliseconds. */
export interface PurchaseTimes {
  withoutTrialsMs: number;
  withTrialsMs: number;
}
const waitingTrialCount = 10;
const purchaseCount = 60;
/** Purchases before the measurement, so that compiled code and caches are warm. */
const warmUpPurchaseCount = 20;
/** A purchase begins this often, as from buyers who are not in a hurry. */
const pauseMs = 150;

/**
 * Buys frames from a shop that `npm start` runs, one purchase after the other: first while it has nothing else to do,
 * then while ten visitors wait for their trial videos. Throws if the trials are finished before the purchases.
 */
export async function comparePurchases(): Promise<PurchaseTimes> {
  const shop = await startShop({ TRUST_PROXY: '127.0.0.1' }); // each visitor has their own IP address
  try {
    let number = 0;
    const timePurchases = async (count: number) => {
      const times: number[] = [];
      for (let i = 0; i < count; i++) {
        const startedAt = performance.now();
        await buyFrame(shop.origin, shop.origin, number++);
        times.push(performance.now() - startedAt);
        await wait(pauseMs);
      }
      return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
    };
    await timePurchases(warmUpPurchaseCount);
    await wait(3000); // wait until the emails of these purchases are sent
    const withoutTrialsMs = await timePurchases(purchaseCount);
    await wait(3000);
    const trialStateReaders = [];
    for (let i = 0; i < waitingTrialCount; i++) trialStateReaders.push(await startTrial(shop.origin, i));
    const withTrialsMs = await timePurchases(purchaseCount);
    const states = await Promise.all(trialStateReaders.map((readState) => readState()));
    if (!states.includes('waiting')) throw new Error(`the trials were ${states.join(', ')} before the purchases ended`);
    return { withoutTrialsMs, withTrialsMs };
  } finally {
    await shop.close();
  }
}

const photo = readFileSync(new URL('../db/sample/photos/grandpa-and-lina.jpg', import.meta.url));

/** A new visitor sends a photo. Returns a function that reads the state of the trial. */
async function startTrial(origin: string, index: number): Promise<() => Promise<string>> {
  const headers = { origin, 'x-forwarded-for': `198.51.${100 + Math.floor(index / limits.trialsPerNetwork)}.${index}` };
  const { headers: given } = await fetch(`${origin}/api/trial/browser`, { headers });
  const cookie = given
    .getSetCookie()
    .map((it) => it.split(';')[0])
    .join('; ');
  const form = new FormData();
  form.append('image', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), `photo-${index}.jpg`);
  const response = await fetch(`${origin}/api/trial`, { method: 'POST', headers: { ...headers, cookie }, body: form });
  if (!response.ok) throw new Error(`trial ${index} was answered ${response.status}: ${await response.text()}`);
  return async () => {
    const trialResponse = await fetch(`${origin}/api/trial`, { headers: { ...headers, cookie } });
    const { trial } = (await trialResponse.json()) as { trial: { state: string } | null };
    return trial?.state ?? 'gone';
  };
}
