import type { ContentSection } from '#contract/content.ts';
import { editContent, readContent } from '#shop/content/content.ts';
import { usesByCode } from '#shop/promotions/promotions.ts';
import type { Door } from './door.ts';
import { serve } from './serve.ts';

const files = ['hero', 'features', 'steps', 'site', 'promos', 'faqs'] as const satisfies ContentSection[];

/** What the owner reads is what stands in the database now, never a remembered copy. */
export function adminContentHttp({ app, shop }: Door): void {
  const { db } = shop;

  for (const section of files) {
    serve(app, `GET /api/admin/content/${section}.json`, () => readContent(db, section) as never);
    serve(
      app,
      `PUT /api/admin/content/${section}.json`,
      ({ body, request }) => editContent(shop, section, () => body as never, request.id) as never,
    );
  }

  serve(app, 'GET /api/admin/about-content', () => readContent(db, 'about'));
  serve(app, 'PUT /api/admin/about-content/:section', ({ params, body, request }) => {
    const edited = { ...body, section: params.section };
    return editContent(
      shop,
      'about',
      (sections) =>
        sections.some((it) => it.section === edited.section)
          ? sections.map((it) => (it.section === edited.section ? edited : it))
          : [...sections, edited],
      request.id,
    );
  });

  serve(app, 'GET /api/admin/promotion-uses', () => usesByCode(db));
}
