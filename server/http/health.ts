import { Refusal } from '#contract/refusals.ts';
import { metricsOf, within } from '../metrics.ts';
import type { Door } from './door/door.ts';
import { addressFilter, isProxied } from './door/guards.ts';

const isLoopback = addressFilter(['127.0.0.0/8', '::1']);

/** Whether the process lives, whether it can serve, and its numbers. The public learns no details. */
export function healthHttp({ app, shop }: Door, isStopping: () => boolean): void {
  const hidden = { schema: { hide: true } };
  app.get('/health/live', hidden, () => ({ status: 'ok' }));

  // A look writes to the store and anyone may ask for one: those who ask meanwhile share it.
  let looking: Promise<boolean> | undefined;
  app.get('/health/ready', hidden, async (_request, reply) => {
    looking ??= look().finally(() => (looking = undefined));
    const isReady = (await looking) && !isStopping();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable' });
  });
  async function look(): Promise<boolean> {
    const checks = [shop.database.check(), shop.storage.check()].map((it) => within(3_000, it));
    const failed = (await Promise.allSettled(checks)).filter((it) => it.status === 'rejected');
    for (const { reason } of failed) app.log.warn({ err: reason }, 'not ready');
    return failed.length === 0;
  }

  const readMetrics = metricsOf(shop);
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: String(reply.statusCode),
    };
    shop.metrics.requests.observe(labels, reply.elapsedTime / 1000);
  });
  app.get('/metrics', hidden, async (request, reply) => {
    const isLocal = isLoopback(request.ip) && !isProxied(request);
    if (!isLocal && !(await app.guards.isAdmin(request, reply))) throw new Refusal('not-found');
    return reply.type(shop.metrics.registry.contentType).send(await readMetrics());
  });
}
