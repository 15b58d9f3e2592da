import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/refusals.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Signed or keyed by themselves: a browser cannot be tricked into them. */
const exempt = ['/api/webhooks/', '/sandbox/stripe/', '/unsubscribe?'];

/** A changing call must come from our own pages (security decision 9): no other site can make a visitor's browser act. */
export function refuseForeignOrigins(app: FastifyInstance, origin: string): void {
  app.addHook('onRequest', async (request) => {
    if (safe.has(request.method) || exempt.some((it) => request.url.startsWith(it))) return;
    if (request.headers['x-admin-key'] !== undefined) return;
    const site = request.headers['sec-fetch-site'];
    const isOurs = site === undefined ? request.headers.origin === origin : site === 'same-origin';
    if (!isOurs) throw new Refusal('foreign-origin');
  });
}
