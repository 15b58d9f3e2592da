import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Refusal } from '#contract/refusals.ts';
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
    const checks = [shop.database.check(), shop.storage.check()].map(withinSeconds(3));
    const failed = (await Promise.allSettled(checks)).filter((it) => it.status === 'rejected');
    for (const { reason } of failed) app.log.warn({ err: reason }, 'not ready');
    return failed.length === 0;
  }

  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const { connections } = shop.database;
  if (connections)
    registry.registerMetric(
      new Gauge({
        name: 'database_connections',
        help: 'Connections for requests at work and at rest, and callers waiting for one',
        labelNames: ['state'],
        registers: [],
        collect() {
          for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
        },
      }),
    );
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: String(reply.statusCode),
    };
    durations.observe(labels, reply.elapsedTime / 1000);
  });
  app.get('/metrics', hidden, async (request, reply) => {
    const isLocal = isLoopback(request.ip) && !isProxied(request);
    if (!isLocal && !(await app.guards.isAdmin(request, reply))) throw new Refusal('not-found');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

const withinSeconds = (seconds: number) => (check: Promise<void>) =>
  Promise.race([
    check,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('timed out')), seconds * 1000).unref();
    }),
  ]);
