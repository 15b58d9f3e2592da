import { hash } from 'node:crypto';
import type { Shop } from '../shop.ts';
import type { RenderedPage } from './render.ts';

/** The path to which browsers report violations of the Content-Security-Policy. */
export const reportsPath = '/api/csp-reports';
/** Defines the endpoint for `report-to`. Browsers that do not support `report-to` use `report-uri`. */
export const reportingEndpoints = `csp="${reportsPath}"`;
export const reportDirectives = [`report-uri ${reportsPath}`, 'report-to csp'];

/**
 * The Content-Security-Policy of a page. It names each inline script and style of the page by its hash. A nonce would
 * differ per response, so the page could not be cached. Every page allows the sites of all pictures in content, because
 * navigation inside the app shows other pages under the policy of the first one. The panel's pages require Trusted Types
 * with the one policy of web/admin/trusted-types.ts. Pages of the shop cannot, because Stripe's script does without them.
 */
export function createSecurityPolicy(
  { scripts, styles }: Pick<RenderedPage, 'scripts' | 'styles'>,
  { config, provider }: Shop,
  origins: string[],
  { path = '', isPanel = false } = {},
): string {
  const mediaSources = origins.map((origin) => ` ${origin}`).join('');
  const isStripe = provider.kind === 'stripe';
  const stripeSources = isStripe ? ' https://js.stripe.com https://*.js.stripe.com' : '';
  const directives = [
    "default-src 'self'",
    `script-src 'self' ${createHashSources(scripts)}${stripeSources}`,
    `style-src 'self' ${createHashSources(styles)}`.trimEnd(),
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${isStripe ? ' https://*.stripe.com' : ''}${mediaSources}`,
    `media-src 'self' blob:${mediaSources}`,
    "font-src 'self'",
    `connect-src 'self'${isStripe ? ' https://api.stripe.com' : ''}`,
    `frame-src${isStripe ? ' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com' : path === '/sandbox' ? " 'self'" : " 'none'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isPanel ? ["require-trusted-types-for 'script'", 'trusted-types default'] : []),
    ...(config.baseUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
    ...reportDirectives,
  ];
  return directives.join('; ');
}

const createHashSources = (texts: string[]) =>
  [...new Set(texts)].map((it) => `'sha256-${hash('sha256', it, 'base64')}'`).join(' ');
