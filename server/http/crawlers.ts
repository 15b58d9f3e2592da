import { publicPages } from '../pages/public-pages.ts';
import type { HttpScope } from './common/http-scope.ts';

/** Pages with data of one person, which crawlers must not visit. */
const disallowedPaths = [
  '/account',
  '/addon-',
  '/admin',
  '/api/',
  '/auth',
  '/cart/',
  '/checkout',
  '/collect/',
  '/connect',
  '/customer-',
  '/delivery/',
  '/film/',
  '/gift-cards/',
  '/play/',
  '/proof/',
  '/review',
  '/sandbox',
  '/unsubscribe',
  '/upload',
  '/trials/',
  '/videos/',
];

/** How long security.txt is valid. RFC 9116 recommends less than a year. */
const securityContactDays = 180;

/** Serves robots.txt and sitemap.xml for crawlers, and security.txt for people who find security problems. */
export function registerCrawlerRoutes({ app, shop: { config, clock, readContent } }: HttpScope): void {
  const robots = [
    'User-agent: *',
    ...disallowedPaths.map((it) => `Disallow: ${it}`),
    '',
    `Sitemap: ${config.baseUrl}/sitemap.xml`,
    '',
  ].join('\n');
  const urlElements = [...publicPages].map((path) => `  <url><loc>${config.baseUrl}${path}</loc></url>`).join('\n');
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urlElements}\n</urlset>\n`;
  const forAnHour = { 'cache-control': 'public, max-age=3600' };

  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply.headers(forAnHour).type('text/plain; charset=utf-8').send(robots),
  );
  app.get('/sitemap.xml', { schema: { hide: true } }, (_request, reply) =>
    reply.headers(forAnHour).type('application/xml').send(sitemap),
  );
  // security.txt names the address for reports of security problems.
  app.get('/.well-known/security.txt', { schema: { hide: true } }, async (_request, reply) => {
    const { contactEmail } = await readContent('site');
    const expiresAt = new Date(clock.now().getTime() + securityContactDays * 86_400_000);
    const securityTextLines = [
      `Contact: mailto:${encodeURI(contactEmail)}`,
      `Expires: ${expiresAt.toISOString()}`,
      `Canonical: ${config.baseUrl}/.well-known/security.txt`,
      'Preferred-Languages: en',
    ];
    return reply
      .headers(forAnHour)
      .type('text/plain; charset=utf-8')
      .send(`${securityTextLines.join('\n')}\n`);
  });
}
