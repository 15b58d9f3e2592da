import { toShopDay } from '#contract/calendar.ts';
import { kinframe } from '#contract/catalog.ts';
import type { ContentSection } from '#contract/content.ts';
import { withFrameFacts } from '#contract/frame-facts.ts';
import { Refusal } from '#contract/refusals.ts';
import { contentFileKey, isContentFileName } from '#shop/content/content-files.ts';
import { computeShippingDayFrom } from '#shop/orders/delivery-estimate.ts';
import { trashKeyFor } from '#shop/files/files.ts';
import type { HttpScope } from './common/http-scope.ts';
import { sendStoredFile } from './common/send-file.ts';
import { mountOperation } from './common/serve.ts';

const contentSections = [
  'faqs',
  'testimonials',
  'gallery',
  'hero',
  'features',
  'steps',
  'site',
] as const satisfies ContentSection[];

export function registerContentRoutes({ app, shop: { clock, deliveryTimes, readContent, storage } }: HttpScope): void {
  for (const section of contentSections)
    mountOperation(app, `GET /data/${section}.json`, () => readContent(section) as never);
  mountOperation(app, 'GET /data/products.json', async () => {
    const [products, facts] = await Promise.all([readContent('products'), readContent('frame')]);
    return products.map((it) => (it.id === kinframe ? withFrameFacts(it, facts) : it));
  });
  mountOperation(app, 'GET /data/promos.json', async () => {
    const promos = await readContent('promos');
    // Publish a promo code only if the owner wants it in the banner. Other codes are only for people who received them.
    return promos.map(({ id, message, startDate, endDate, banner, discountCode, discountPercent }) => ({
      id,
      message,
      startDate,
      endDate,
      ...(banner === 'code' && { banner, discountCode, discountPercent }),
    }));
  });
  mountOperation(app, 'GET /data/shipping.json', async () => {
    const times = await deliveryTimes();
    const { handlingDays, transitDays, vacation } = times;
    const isVacationAhead = vacation !== undefined && vacation.to >= toShopDay(clock.now());
    return {
      handlingDays,
      transitDays,
      vacation: isVacationAhead
        ? {
            ...vacation,
            shipsFrom: computeShippingDayFrom(times, vacation.to),
            note: (await readContent('shipping')).vacationNote,
          }
        : null,
    };
  });
  mountOperation(app, 'GET /api/about-content', () => readContent('about'));

  /**
   * Pictures and videos of content. Also serves files from the trash, because open or cached pages may still show them.
   */
  app.get<{ Params: { fileName: string } }>(
    '/content/:fileName',
    { schema: { hide: true } },
    async (request, reply) => {
      const { fileName } = request.params;
      if (!isContentFileName(fileName)) throw new Refusal('not-found');
      const storedKey = contentFileKey(fileName);
      const key = (await storage.stat(storedKey)) ? storedKey : trashKeyFor(storedKey);
      const contentType = (await storage.stat(key))?.contentType ?? '';
      return sendStoredFile(storage, request, reply, { key, contentType, isPublic: true });
    },
  );
}
