import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '#server/app.ts';
import { mountPages, type Pages } from '#server/pages.ts';
import { readContent, writeContent } from '#shop/content/content.ts';
import { anyEngine } from '../test/database.ts';
import { Browser, openTestShop } from '../test/shop.ts';

const pages: Pages = {
  async fetch(_request, { context }) {
    context.deliver('<p>A page</p>');
    return new Response(null);
  },
};

anyEngine((fresh) => {
  test('kept and personal pages admit the sites that content takes pictures and films from, and no others', async () => {
    const { shop } = await openTestShop(fresh);
    const app = await createApp(shop, {
      servePages: (door) => mountPages(door, async () => pages, { withPolicy: true }),
    });
    onTestFinished(() => app.close());
    const visitor = new Browser(app, '192.0.2.1');
    const rules = async (path: string) => {
      const policy = String((await visitor.get(path)).headers['content-security-policy']);
      return ['img-src', 'media-src'].map((name) => policy.split('; ').find((it) => it.startsWith(`${name} `)));
    };
    const both = ['/gallery', '/gallery?from=mail', '/upload'];
    for (const path of both)
      expect(await rules(path)).toEqual(["img-src 'self' data: blob:", "media-src 'self' blob:"]);

    const [item, ...rest] = await readContent(shop.db, 'gallery');
    await writeContent(shop.db, shop.clock, 'gallery', [
      {
        ...item!,
        beforeImage: 'https://pictures.example.com/kite.jpg',
        afterVideo: 'https://films.example.com:8443/kite.mp4',
      },
      { ...rest[0]!, beforeImage: "https://evil.example;script-src'unsafe-inline'/x.jpg" },
    ]);
    const sites = 'https://films.example.com:8443 https://pictures.example.com';
    for (const path of both)
      await vi.waitFor(async () =>
        expect(await rules(path)).toEqual([`img-src 'self' data: blob: ${sites}`, `media-src 'self' blob: ${sites}`]),
      );
  });
});
