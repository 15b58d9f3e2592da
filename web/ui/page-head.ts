import type { JSX } from 'react';
import type { Content } from '#contract/content.ts';
import { findGeneratedPicture } from '../media.ts';
import type { Shop } from '../page-context.ts';

interface Page {
  /** The title without the shop's name. The name is added. */
  title: string;
  description: string;
  /** The canonical path, without search params. */
  path: string;
  /** The name of public/media/social/<name>.jpg, 1200 by 630 pixels. */
  picture?: string;
  pictureAlt?: string;
  type?: 'website' | 'product';
  /** Structured data, one object per script element. `@context` is added. */
  jsonLd?: object[];
  /** The `src` and `sizes` of the page's lead picture. The browser loads it before the rest of the page. */
  leadPicture?: { src: string; sizes: string };
  /** For private pages: search engines must not index them. */
  hidden?: boolean;
}

/**
 * The head of a page. In its route: `head: ({ match }) => createPageHead(match.context, { title, description, path })`.
 * Returns title, description, canonical address, Open Graph and Twitter tags with an absolute picture address, and
 * structured data.
 */
export function createPageHead({ shop, site }: { shop: Shop; site: Content<'site'> }, page: Page) {
  const title = page.path === '/' ? `${site.name} | ${page.title}` : `${page.title} | ${site.name}`;
  const canonicalUrl = shop.origin + page.path;
  const pictureUrl = `${shop.origin}/media/social/${page.picture ?? 'home'}.jpg`;
  return {
    meta: [
      { title },
      { name: 'description', content: page.description },
      ...(page.hidden ? [{ name: 'robots', content: 'noindex' }] : []),
      createMetaTag('og:site_name', site.name),
      createMetaTag('og:type', page.type ?? 'website'),
      createMetaTag('og:title', title),
      createMetaTag('og:description', page.description),
      createMetaTag('og:url', canonicalUrl),
      createMetaTag('og:locale', 'en_US'),
      createMetaTag('og:image', pictureUrl),
      createMetaTag('og:image:width', '1200'),
      createMetaTag('og:image:height', '630'),
      createMetaTag('og:image:alt', page.pictureAlt ?? page.title),
      { name: 'twitter:card', content: 'summary_large_image' },
      { name: 'twitter:title', content: title },
      { name: 'twitter:description', content: page.description },
      { name: 'twitter:image', content: pictureUrl },
      { name: 'twitter:image:alt', content: page.pictureAlt ?? page.title },
      ...(page.jsonLd ?? []).map((it) => ({ 'script:ld+json': { '@context': 'https://schema.org', ...it } })),
    ] as JSX.IntrinsicElements['meta'][], // the router also reads title and script:ld+json from this list
    links: [{ rel: 'canonical', href: canonicalUrl }, ...(page.leadPicture ? preload(page.leadPicture) : [])],
  };
}

const createMetaTag = (property: string, content: string) => ({ property, content });

function preload({ src, sizes }: { src: string; sizes: string }) {
  const picture = findGeneratedPicture(src);
  if (!picture) return [];
  return [
    {
      rel: 'preload',
      as: 'image',
      type: 'image/avif',
      imageSrcSet: picture.avif,
      imageSizes: sizes,
      fetchPriority: 'high' as const,
    },
  ];
}
