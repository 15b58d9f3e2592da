import { randomBytes, randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import fastify, { LogController, type FastifyInstance } from 'fastify';
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { accountsHttp } from './http/accounts.ts';
import { adminHttp } from './http/admin.ts';
import { adminContentHttp } from './http/admin-content.ts';
import { checkoutHttp } from './http/checkout.ts';
import { contentHttp } from './http/content.ts';
import { CookieJar } from './http/cookies.ts';
import { crawlersHttp } from './http/crawlers.ts';
import { deliveryHttp } from './http/delivery.ts';
import type { Door } from './http/door.ts';
import { answerErrors, answerUnreadable, refuse } from './http/errors.ts';
import { framesHttp } from './http/frames.ts';
import { createGuards } from './http/guards.ts';
import { healthHttp } from './http/health.ts';
import { mailsHttp } from './http/mails.ts';
import { ordersHttp } from './http/orders.ts';
import { refuseForeignOrigins } from './http/origin.ts';
import { photosHttp } from './http/photos.ts';
import { productionHttp } from './http/production.ts';
import { rateLimitStore, rateNameOf, rateOf } from './http/rate-limit.ts';
import { sandboxHttp } from './http/sandbox.ts';
import { refuseUnstorable } from './http/storable.ts';
import { analyticsHttp, supportHttp } from './http/support.ts';
import { webhooksHttp } from './http/webhooks.ts';
import type { ServePages } from './pages.ts';
import type { Shop } from './shop.ts';

/** Marks a page's own calls to the API: they are the visitor's, but not the visitor's to be counted for. */
export const inProcessHeader = 'x-in-process';
export const inProcessKey = randomBytes(32).toString('hex');

export type App = Awaited<ReturnType<typeof createApp>>;

/** The shop's HTTP door. `servePages` is left out where only the API is of interest. */
export async function createApp(shop: Shop, { servePages }: { servePages?: ServePages } = {}) {
  const { config, db, clock } = shop;
  const origin = new URL(config.baseUrl).origin;
  const jar = new CookieJar(config.baseUrl);
  const app = fastify({
    loggerInstance: shop.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: limits.jsonBytes,
    requestTimeout: 120_000,
    http: { headersTimeout: 15_000 },
    routerOptions: { maxParamLength: 300 },
    return503OnClosing: true,
    clientErrorHandler: answerUnreadable,
    // An address that cannot be read at all reaches no route.
    frameworkErrors: (_error, request, reply) => void refuse(request, reply, new Refusal('invalid-request')),
  });
  const withGuards = app.decorate('guards', createGuards({ db, clock, config, jar })) as unknown as Door['app'];
  const door: Door = { app: withGuards, shop, jar };
  let isStopping = false;
  app.addHook('preClose', async () => void (isStopping = true));

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser('text/plain');
  answerErrors(app);
  logRequests(app);
  // The header the door itself relies on is never believed from outside.
  app.addHook('onRequest', async (request) => {
    if (request.headers[inProcessHeader] !== inProcessKey) delete request.headers[inProcessHeader];
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: config.baseUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    crossOriginEmbedderPolicy: false,
    frameguard: { action: 'deny' },
  });
  refuseForeignOrigins(app, origin);
  app.addHook('preHandler', async ({ params, query, body }) => refuseUnstorable(params, query, body));
  app.addHook('onSend', async (request, reply) => {
    // What says nothing of caches is somebody's own, and so is the no in its place; only content is everyone's.
    if (!request.url.startsWith('/data/') && !reply.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store');
  });
  await app.register(cookie);
  if (config.rateLimits)
    await app.register(rateLimit, {
      ...rateOf('other'),
      store: rateLimitStore(db),
      // What every page asks is not its visitor's doing; what can be guessed is counted, also through a page.
      allowList: (request) =>
        !request.url.startsWith('/api/') ||
        (request.headers[inProcessHeader] === inProcessKey && rateNameOf(request) === 'other'),
      errorResponseBuilder: () => new Refusal('too-many-requests'),
    });
  await app.register(multipart);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kinframe',
        version: '1',
        description: 'Every call of the Kinframe shop, generated from its contract.',
      },
    },
    transform: (route) =>
      jsonSchemaTransform(isPaymentProviders(route.url) ? { ...route, schema: { hide: true } } : route),
    transformObject: jsonSchemaTransformObject,
  });

  app.get('/api/openapi.json', { schema: { hide: true } }, () => app.swagger());
  contentHttp(door);
  checkoutHttp(door);
  ordersHttp(door);
  accountsHttp(door);
  framesHttp(door);
  photosHttp(door);
  deliveryHttp(door);
  supportHttp(door);
  analyticsHttp(door);
  crawlersHttp(door);
  adminHttp(door);
  adminContentHttp(door);
  mailsHttp(door);
  productionHttp(door);
  webhooksHttp(door);
  healthHttp(door, () => isStopping);
  await sandboxHttp(door);

  app.setNotFoundHandler((request, reply) => refuse(request, reply, new Refusal('not-found')));
  for (const url of ['/api/*', '/data/*', '/sandbox/stripe/*'])
    app.all(url, { schema: { hide: true } }, (_request, reply) => reply.callNotFound());
  await servePages?.(door);

  shop.webhookDoor.deliver = async (rawBody, headers) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/webhooks/stripe',
      payload: rawBody,
      headers: { 'content-type': 'application/json', ...headers },
    });
    return answer.statusCode;
  };
  return app;
}

/** The embedded sandbox speaks Stripe's API, which Stripe describes. */
const isPaymentProviders = (url: string) => url.startsWith('/sandbox/');

/** One line a request: what was asked, never by whom or with what. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    if (request.headers[inProcessHeader] === inProcessKey) return;
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    request.log[reply.statusCode >= 500 ? 'error' : 'info'](line, 'request');
  });
}
