import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/refusals.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for routes that programs call, such as webhooks. The origin of these calls is not checked. */
    isForPrograms?: boolean;
  }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuse requests that may change data unless they come from our own pages (docs/security.md). Otherwise another
 * site could make a visitor's browser send them.
 */
export function refuseForeignOrigins(app: FastifyInstance, origin: string): void {
  app.addHook('onRequest', async (request) => {
    if (safeMethods.has(request.method) || request.routeOptions.config?.isForPrograms) return;
    if (request.headers['x-admin-key'] !== undefined) return;
    const fetchSite = request.headers['sec-fetch-site'];
    const isSameOrigin = fetchSite === undefined ? request.headers.origin === origin : fetchSite === 'same-origin';
    if (!isSameOrigin) throw new Refusal('foreign-origin');
  });
}
