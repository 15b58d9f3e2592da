import { hash } from 'node:crypto';
import type { Shop } from '../shop.ts';

/**
 * Pages are rendered whole, so each of our inline scripts is known by its hash: no nonce, and a page can be kept. Every
 * page admits the sites that content takes pictures from, because the next page comes without a new policy.
 */
export function policyFor(scripts: string[], { config, provider }: Shop, origins: string[], path = ''): string {
  const media = origins.map((origin) => ` ${origin}`).join('');
  const hashes = scripts.map((code) => `'sha256-${hash('sha256', code, 'base64')}'`);
  const isStripe = provider.kind === 'stripe';
  const stripe = isStripe ? ' https://js.stripe.com https://*.js.stripe.com' : '';
  const directives = [
    "default-src 'self'",
    `script-src 'self' ${[...new Set(hashes)].join(' ')}${stripe}`,
    "style-src 'self'",
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
