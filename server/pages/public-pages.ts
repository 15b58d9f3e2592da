/**
 * Pages that are the same for everyone. They are served from the cache for up to a minute or until content changes. The
 * site map lists them.
 */
export const publicPages: ReadonlySet<string> = new Set([
  '/',
  '/product/kinframe',
  '/product/byof',
  '/product/photo2video-10',
  '/try',
  '/how-it-works',
  '/gallery',
  '/faq',
  '/about',
  '/contact',
  '/support',
  '/your-photos',
  '/legal/privacy',
  '/legal/terms',
]);
