import type { Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
import { accountHttp } from './http/account.ts';
import { accountsHttp } from './http/accounts.ts';
import { addonsHttp } from './http/addons.ts';
import { arrivalsHttp } from './http/arrivals.ts';
import { ownerAnalyticsHttp } from './http/owner/analytics.ts';
import { ownerMarginsHttp } from './http/owner/margins.ts';
import { ownerDaySheetHttp } from './http/owner/day-sheet.ts';
import { ownerExportsHttp } from './http/owner/exports.ts';
import { ownerFramesHttp } from './http/owner/frames.ts';
import { ownerLiveHttp } from './http/owner/live.ts';
import { ownerOrdersHttp } from './http/owner/orders.ts';
import { ownerPaymentsHttp } from './http/owner/payments.ts';
import { ownerPeopleHttp } from './http/owner/people.ts';
import { ownerPhotosHttp } from './http/owner/photos.ts';
import { ownerIdentityHttp } from './http/owner/identity.ts';
import { ownerSecurityHttp } from './http/owner/security.ts';
import { ownerSessionHttp } from './http/owner/session.ts';
import { ownerContentHttp } from './http/owner/content.ts';
import { checkoutHttp } from './http/checkout.ts';
import { collectHttp } from './http/collect.ts';
import { contentHttp } from './http/content.ts';
import { CookieJar } from './http/door/cookies.ts';
import { crawlersHttp } from './http/crawlers.ts';
import { guidesHttp } from './http/guides.ts';
import { deliveryHttp } from './http/delivery.ts';
import type { Door } from './http/door/door.ts';
import { answerErrors, answerUnreadable, refuse } from './http/door/errors.ts';
import { framesHttp } from './http/frames.ts';
import { createGuards } from './http/door/guards.ts';
import { healthHttp } from './http/health.ts';
import { ownerMediaHttp } from './http/owner/media.ts';
import { ownerMailsHttp } from './http/owner/mails.ts';
import { ordersHttp } from './http/orders.ts';
import { inProcessHeader, isInProcess, requestIdOf } from './http/door/in-process.ts';
import { refuseForeignOrigins } from './http/door/origin.ts';
import { proofHttp } from './http/proof.ts';
import { reviewsHttp } from './http/reviews.ts';
import { playHttp } from './http/play.ts';
import { photosHttp } from './http/photos.ts';
import { ownerProductionHttp } from './http/owner/production.ts';
import { faultCounter, rateLimitStore, rateNameOf, rateOf } from './http/door/rate-limit.ts';
import { sandboxHttp } from './http/sandbox.ts';
import { ownerReviewsHttp } from './http/owner/reviews.ts';
import { ownerTicketsHttp } from './http/owner/tickets.ts';
import { ownerUploadLinksHttp } from './http/owner/upload-links.ts';
import { uploadLinksHttp } from './http/upload-links.ts';
import { refuseUnstorable } from './http/door/storable.ts';
import { analyticsHttp, supportHttp } from './http/support.ts';
import { webhooksHttp } from './http/webhooks.ts';
import { KeptAnswers } from './pages/kept-answers.ts';
import type { ServePages } from './pages/mounting.ts';
import type { Shop } from './shop.ts';
import { traceRequests } from './traces.ts';

export type App = Awaited<ReturnType<typeof createApp>>;

/** So long a proxy has to learn that a process is stopping, by being refused or by what it is answered. */
const restMs = 1_000;

/** The shop's HTTP door. `servePages` is left out where only the API is of interest. */
export async function createApp(shop: Shop, { servePages }: { servePages?: ServePages } = {}) {
  const { config, db, clock } = shop;
  const origin = new URL(config.baseUrl).origin;
  const isHttps = config.baseUrl.startsWith('https:');
  const jar = new CookieJar(config.baseUrl);
  const app = fastify({
    loggerInstance: shop.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: limits.jsonBytes,
    requestTimeout: 120_000,
    http: { headersTimeout: 15_000 },
    routerOptions: { maxParamLength: 300 },
    return503OnClosing: false, // what came in time is answered; `connection: close` sends the next one elsewhere
    clientErrorHandler: answerUnreadable,
    // An address that cannot be read at all reaches no route, and no hook.
    frameworkErrors: (_error, request, reply) => {
      void refuse(request, reply.headers(hooklessHeaders(isHttps)), new Refusal('invalid-request'));
    },
  });
  let countWrongKey: ReturnType<typeof faultCounter> | undefined;
  const guards = createGuards({
    db,
    clock,
    config,
    jar,
    // Nothing can be counted before the counters are there, below.
    countWrongKey: (request, reply) => (countWrongKey ??= faultCounter(app, 'admin-key'))(request, reply),
  });
  const withGuards = app.decorate('guards', guards) as unknown as Door['app'];
  const door: Door = { app: withGuards, shop, jar };
  let isStopping = false;
  // Nobody new is let in from here on. On a connection that rests a proxy may be sending something this very moment, which
  // it would not send twice: such are closed a little later. (Node keeps one whose answer is under way a second longer.)
  const closeResting = app.server.closeIdleConnections.bind(app.server);
  app.server.closeIdleConnections = () => void setTimeout(closeResting, restMs).unref();
  app.addHook('preClose', async () => {
    isStopping = true;
    app.server.keepAliveTimeout = 1; // 0 would mean for ever
    await letIn(app.server);
  });

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser('text/plain');
  answerErrors(app);
  if (shop.tracing) traceRequests(app, shop.tracing);
  logRequests(app);
  // The header the door itself relies on is never believed from outside.
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isInProcess(request)) delete request.headers[inProcessHeader];
    done();
  });
  const kept = new KeptAnswers();
  kept.answerFrom(app, () => isStopping);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'base-uri': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    crossOriginEmbedderPolicy: false,
    frameguard: { action: 'deny' },
  });
  refuseForeignOrigins(app, origin);
  app.addHook('preHandler', async ({ params, query, body }) => refuseUnstorable(params, query, body));
  app.addHook('onSend', async (request, reply) => {
    if (isStopping) reply.header('connection', 'close');
    // What says nothing of caches is somebody's own, and so is the no in its place; only content is everyone's.
    if (!request.url.startsWith('/data/') && !reply.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store');
  });
  await app.register(cookie);
  if (config.rateLimits)
    await app.register(rateLimit, {
      ...rateOf('other'),
      store: rateLimitStore(db, clock),
      // What every page asks is not its visitor's doing; what can be guessed is counted, also through a page.
      allowList: (request) =>
        !request.url.startsWith('/api/') || (isInProcess(request) && rateNameOf(request) === 'other'),
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
  addonsHttp(door);
  ordersHttp(door);
  accountsHttp(door);
  accountHttp(door);
  framesHttp(door);
  photosHttp(door);
  arrivalsHttp(door);
  uploadLinksHttp(door);
  collectHttp(door);
  deliveryHttp(door);
  playHttp(door);
  proofHttp(door);
  reviewsHttp(door);
  supportHttp(door);
  analyticsHttp(door);
  crawlersHttp(door);
  guidesHttp(door);
  ownerSessionHttp(door);
  ownerIdentityHttp(door);
  ownerSecurityHttp(door);
  ownerAnalyticsHttp(door);
  ownerMarginsHttp(door);
  ownerDaySheetHttp(door);
  ownerOrdersHttp(door);
  ownerPaymentsHttp(door);
  ownerPeopleHttp(door);
  ownerPhotosHttp(door);
  ownerUploadLinksHttp(door);
  ownerFramesHttp(door);
  ownerContentHttp(door);
  ownerMediaHttp(door);
  ownerMailsHttp(door);
  ownerTicketsHttp(door);
  ownerReviewsHttp(door);
  ownerExportsHttp(door);
  ownerProductionHttp(door);
  ownerLiveHttp(door);
  webhooksHttp(door);
  healthHttp(door, () => isStopping);
  await sandboxHttp(door);

  app.setNotFoundHandler((request, reply) => refuse(request, reply, new Refusal('not-found')));
  for (const url of ['/api/*', '/data/*', '/sandbox/stripe/*'])
    app.all(url, { schema: { hide: true } }, (_request, reply) => reply.callNotFound());
  await servePages?.(door, kept);

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

/** Those who stand at the door come in before it closes, one each turn: whoever is left there the system cuts off. */
async function letIn(server: Server): Promise<void> {
  let quietTurns = 0;
  server.on('connection', () => (quietTurns = 0));
  for (let turn = 0; turn < 50 && quietTurns < 3; turn += 1) {
    quietTurns += 1;
    await nextTurn();
  }
}

/** Of an answer to which helmet does not come. */
const hooklessHeaders = (isHttps: boolean) => ({
  'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  'cache-control': 'no-store',
});

/** The embedded sandbox speaks Stripe's API, which Stripe describes. */
const isPaymentProviders = (url: string) => url.startsWith('/sandbox/');

/** One line a request: what was asked, never by whom or with what. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (isInProcess(request)) return done();
    const line = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    request.log[reply.statusCode >= 500 ? 'error' : 'info'](line, 'request');
    done();
  });
}
