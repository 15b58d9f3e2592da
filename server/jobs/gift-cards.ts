import { sendDueGiftCards } from '#shop/gift-card-sales/place-gift-card.ts';
import type { Shop } from '../shop.ts';
import type { JobRegistrar } from './observed-jobs.ts';

export async function registerGiftCardJobs(jobs: JobRegistrar, shop: Shop): Promise<void> {
  await jobs.startWorkers('send-gift-cards', async (_data, { signal }) => {
    const onError = (error: unknown) => shop.log.error({ err: error }, 'a gift card could not be sent');
    await sendDueGiftCards(shop, { signal, onError });
  });
  // Every ten minutes: a card goes out in the morning of its day, and after an outage as soon as possible.
  await jobs.schedule('send-gift-cards', '3-59/10 * * * *');
}
