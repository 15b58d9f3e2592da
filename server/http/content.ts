import type { ContentSection } from '#contract/content.ts';
import type { Door } from './door.ts';
import { serve } from './serve.ts';

const files = [
  'products',
  'faqs',
  'testimonials',
  'gallery',
  'hero',
  'features',
  'steps',
  'site',
] as const satisfies ContentSection[];

export function contentHttp({ app, shop: { readContent } }: Door): void {
  for (const section of files) serve(app, `GET /data/${section}.json`, () => readContent(section) as never);
  serve(app, 'GET /data/promos.json', async () => {
    const promos = await readContent('promos');
    // A code is for those it was given to.
    return promos.map(({ id, message, startDate, endDate }) => ({ id, message, startDate, endDate }));
  });
  serve(app, 'GET /api/about-content', () => readContent('about'));
}
