import { publicPages } from '../pages/public-pages.ts';
import type { Door } from './door/door.ts';

/** Where nobody but the person it concerns has business. */
const closed = [
  '/account',
  '/addon-',
  '/admin',
  '/api/',
  '/auth',
  '/checkout',
  '/collect/',
  '/connect',
  '/customer-',
  '/delivery/',
  '/play/',
  '/proof/',
  '/sandbox',
  '/unsubscribe',
  '/upload',
  '/videos/',
];

export function crawlersHttp({ app, shop: { config } }: Door): void {
  const robots = [
    'User-agent: *',
    ...closed.map((it) => `Disallow: ${it}`),
    '',
    `Sitemap: ${config.baseUrl}/sitemap.xml`,
    '',
  ].join('\n');
  const addresses = [...publicPages].map((path) => `  <url><loc>${config.baseUrl}${path}</loc></url>`).join('\n');
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses}\n</urlset>\n`;
  const forAnHour = { 'cache-control': 'public, max-age=3600' };

  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply.headers(forAnHour).type('text/plain').send(robots),
  );
  app.get('/sitemap.xml', { schema: { hide: true } }, (_request, reply) =>
    reply.headers(forAnHour).type('application/xml').send(sitemap),
  );
}
