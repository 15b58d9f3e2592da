import { hash } from 'node:crypto';
import type { Shop } from '../shop.ts';
import type { RenderedPage } from './render.ts';

/**
 * Pages are rendered whole, so each of our inline scripts and styles is known by its hash: no nonce, and a page can be kept. Every
 * page admits the sites that content takes pictures from, because the next page comes without a new policy.
 */
export function policyFor(
  { scripts, styles }: Pick<RenderedPage, 'scripts' | 'styles'>,
  { config, provider }: Shop,
  origins: string[],
  path = '',
): string {
  const media = origins.map((origin) => ` ${origin}`).join('');
  const isStripe = provider.kind === 'stripe';
  const stripe = isStripe ? ' https://js.stripe.com https://*.js.stripe.com' : '';
  const directives = [
    "default-src 'self'",
    `script-src 'self' ${hashesOf(scripts)}${stripe}`,
    `style-src 'self' ${hashesOf(styles)}`.trimEnd(),
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${isStripe ? ' https://*.stripe.com' : ''}${media}`,
    `media-src 'self' blob:${media}`,
    "font-src 'self'",
    `connect-src 'self'${isStripe ? ' https://api.stripe.com' : ''}`,
    `frame-src${isStripe ? ' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com' : path === '/sandbox' ? " 'self'" : " 'none'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(config.baseUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ];
  return directives.join('; ');
}

const hashesOf = (texts: string[]) =>
  [...new Set(texts)].map((it) => `'sha256-${hash('sha256', it, 'base64')}'`).join(' ');
