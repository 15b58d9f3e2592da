import { expect } from 'vitest';
import { tell, type ProviderEvent } from '../faults/provider-apart.ts';
import { keepOn, type Random } from '../faults/scenario.ts';
import { inLanes } from './beat.ts';
import type { BusyShop } from './busy-shop.ts';

/**
 * Tell the shop of what happens at the provider while it happens: each event twice, in no order, half of those that are
 * due only later. The answer ends it, with all that is left, and says how often was told.
 */
export function keepTelling({ provider, web }: BusyShop, random: Random): () => Promise<number> {
  let due: ProviderEvent[] = [];
  let newest: string | undefined;
  let told = 0;
  const tellOf = async (isLast: boolean) => {
    const fresh = await provider.events(newest);
    newest = fresh[0]?.id ?? newest;
    const shuffled = random.shuffled([...due, ...fresh, ...fresh]);
    const now = shuffled.splice(0, isLast ? shuffled.length : Math.ceil(shuffled.length / 2));
    due = shuffled;
    await inLanes(4, now, async (event) => expect(await tell(web.shop, event)).toBe(200));
    told += now.length;
  };
  const end = keepOn([() => tellOf(false)], 250);
  return async () => {
    await end();
    await tellOf(true);
    return told;
  };
}
