import type { FastifyRequest } from 'fastify';
import { Refusal } from '#contract/refusals.ts';
import { createMetricsReader, withTimeout } from '../metrics.ts';
import type { HttpScope } from './common/http-scope.ts';
import { isInProcess } from './common/in-process.ts';
import { createAddressFilter, isProxied } from './common/guards.ts';

const isLoopback = createAddressFilter(['127.0.0.0/8', '::1']);
/** True if the request comes directly from this machine, not through a proxy on it. */
const isFromThisMachine = (request: FastifyRequest) => isLoopback(request.ip) && !isProxied(request);

const databaseUnavailableText =
  'The database does not answer. Public pages are answered from memory; all else waits until it is back.';
const storageUnavailableText = 'The store of files does not answer. Photos and videos wait until it is back.';

/** Serves liveness, readiness and metrics. Requests from this machine see details, and the admin sees metrics. */
export function registerHealthRoutes({ app, shop }: HttpScope, isStopping: () => boolean): void {
  const hiddenRoute = { schema: { hide: true } };
  app.get('/health/live', hiddenRoute, () => ({ status: 'ok' }));

  // Concurrent requests share one check, because anyone may request a check, and each check writes to the store.
  let pendingCheck: Promise<string[]> | undefined;
  app.get('/health/ready', hiddenRoute, async (request, reply) => {
    pendingCheck ??= checkReadiness().finally(() => (pendingCheck = undefined));
    const problems = [...(await pendingCheck), ...(isStopping() ? ['This process is stopping.'] : [])];
    if (problems.length === 0) return { status: 'ok' };
    return reply.code(503).send({ status: 'unavailable', ...(isFromThisMachine(request) && { problems }) });
  });
  async function checkReadiness(): Promise<string[]> {
    const describeProblem = (probe: Promise<void>, words: string) =>
      withTimeout(3_000, probe).then(
        () => [],
        (error: unknown) => {
          app.log.warn({ err: error }, 'not ready');
          return [words];
        },
      );
    const problems = await Promise.all([
      describeProblem(shop.database.check(), databaseUnavailableText),
      describeProblem(shop.storage.check(), storageUnavailableText),
    ]);
    return problems.flat();
  }

  const readMetrics = createMetricsReader(shop);
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: String(reply.statusCode),
    };
    if (!isInProcess(request)) shop.metrics.requests.observe(labels, reply.elapsedTime / 1000);
    done();
  });
  app.get('/metrics', hiddenRoute, async (request, reply) => {
    if (!isFromThisMachine(request) && !(await app.guards.isAdmin(request, reply, 'security')))
      throw new Refusal('not-found');
    return reply.type(shop.metrics.registry.contentType).send(await readMetrics());
  });
}
