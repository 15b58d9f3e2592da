import type { Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import fastify, { LogController, type FastifyInstance, type FastifyRequest } from 'fastify';
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { registerAccountRoutes } from './http/account.ts';
import { registerAuthRoutes } from './http/accounts.ts';
import { registerAddonRoutes } from './http/addons.ts';
import { registerArrivalRoutes } from './http/arrivals.ts';
import { registerOwnerAnalyticsRoutes } from './http/owner/analytics.ts';
import { registerOwnerLabelAddressRoutes } from './http/owner/label-addresses.ts';
import { registerOwnerMarginRoutes } from './http/owner/margins.ts';
import { registerOwnerCartReminderRoutes } from './http/owner/cart-reminders.ts';
import { registerOwnerDaySheetRoutes } from './http/owner/day-sheet.ts';
import { registerOwnerExportRoutes } from './http/owner/exports.ts';
import { registerOwnerFrameRoutes } from './http/owner/frames.ts';
import { registerOwnerPanelEventRoutes } from './http/owner/live.ts';
import { registerOwnerOrderRoutes } from './http/owner/orders.ts';
import { registerOwnerPaymentRoutes } from './http/owner/payments.ts';
import { registerOwnerPeopleRoutes } from './http/owner/people.ts';
import { registerOwnerPhotoRoutes } from './http/owner/photos.ts';
import { registerOwnerIdentityRoutes } from './http/owner/identity.ts';
import { registerOwnerAuditRoutes } from './http/owner/audit.ts';
import { registerOwnerSecurityRoutes } from './http/owner/security.ts';
import { registerOwnerStaffRoutes } from './http/owner/staff.ts';
import { registerStaffInvitationRoutes } from './http/staff-invitations.ts';
import { registerOwnerSessionRoutes } from './http/owner/session.ts';
import { stepUpHttp } from './http/owner/step-up.ts';
import { registerOwnerContentRoutes } from './http/owner/content.ts';
import { registerCheckoutRoutes } from './http/checkout.ts';
import { registerCollectRoutes } from './http/collect.ts';
import { registerCspReportRoutes } from './http/csp-reports.ts';
import { registerContentRoutes } from './http/content.ts';
import { refuseIrregularAddresses, rewriteUrl } from './http/common/address.ts';
import { CookieJar } from './http/common/cookies.ts';
import { registerCrawlerRoutes } from './http/crawlers.ts';
import { registerGiftCardRoutes } from './http/gift-cards.ts';
import { registerOwnerGiftCardRoutes } from './http/owner/gift-cards.ts';
import { registerGuideRoutes } from './http/guides.ts';
import { registerDeliveryRoutes } from './http/delivery.ts';
import type { HttpScope } from './http/common/http-scope.ts';
import { mountErrorResponses, answerMalformedRequest, sendRefusal } from './http/common/errors.ts';
import { registerFrameRoutes } from './http/frames.ts';
import { createGuards } from './http/common/guards.ts';
import { registerHealthRoutes } from './http/health.ts';
import { registerInboundMailRoutes } from './http/inbound-mail.ts';
import { registerOwnerMediaRoutes } from './http/owner/media.ts';
import { registerOwnerMailRoutes } from './http/owner/mails.ts';
import { registerOrderRoutes } from './http/orders.ts';
import { inProcessHeader, isInProcess, requestIdOf } from './http/common/in-process.ts';
import { refuseForeignOrigins } from './http/common/origin.ts';
import { bindErrorsToRequests } from './http/common/request-errors.ts';
import { createPermissionsPolicy } from './http/common/permissions-policy.ts';
import { createProofOfWorkChecker } from './http/common/proof-of-work.ts';
import { registerProofRoutes } from './http/proof.ts';
import { registerProofOfWorkRoutes } from './http/proof-of-work.ts';
import { registerReturnRoutes } from './http/returns.ts';
import { registerReviewRoutes } from './http/reviews.ts';
import { registerPlayerRoutes } from './http/play.ts';
import { registerPhotoRoutes } from './http/photos.ts';
import { registerPostalCodeRoutes } from './http/postal-codes.ts';
import { registerOwnerProductionRoutes } from './http/owner/production.ts';
import { openApiDocument } from './http/openapi.ts';
import { createFaultCounter, limitApiRoutes, createRateLimitStore, rateNameOf } from './http/common/rate-limit.ts';
import { registerSandboxRoutes } from './http/sandbox.ts';
import { registerOwnerPhoneOrderRoutes } from './http/owner/phone-orders.ts';
import { registerOwnerLabelRoutes } from './http/owner/labels.ts';
import { registerOwnerReturnRoutes } from './http/owner/returns.ts';
import { registerOwnerReviewRoutes } from './http/owner/reviews.ts';
import { registerOwnerPushRoutes } from './http/owner/push.ts';
import { registerOwnerStockRoutes } from './http/owner/stock.ts';
import { registerOwnerTicketRoutes } from './http/owner/tickets.ts';
import { registerOwnerUploadLinkRoutes } from './http/owner/upload-links.ts';
import { registerTrialRoutes } from './http/trials.ts';
import { registerUploadLinkRoutes } from './http/upload-links.ts';
import { refuseUnstorable } from './http/common/storable.ts';
import { registerStockRoutes } from './http/stock.ts';
import { registerAnalyticsRoutes, registerSupportRoutes } from './http/support.ts';
import { registerWebhookRoutes } from './http/webhooks.ts';
import { ResponseCache } from './pages/response-cache.ts';
import type { ServePages } from './pages/mounting.ts';
import type { Shop } from './shop.ts';
import { traceRequests } from './traces.ts';

export type App = Awaited<ReturnType<typeof createApp>>;

/**
 * How long idle connections stay open after the process begins to stop. A proxy needs this time to notice the stop: new
 * connections are refused, and responses contain `connection: close`.
 */
const idleConnectionGraceMs = 1_000;

/** The shop's HTTP server. Leave out `servePages` to serve the API alone. */
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
    rewriteUrl,
    return503OnClosing: false, // requests that still arrive get a normal response with `connection: close`
    clientErrorHandler: answerMalformedRequest,
    // Fastify runs no route and no hook for an address that it cannot parse.
    frameworkErrors: (_error, request, reply) => {
      void sendRefusal(request, reply.headers(headersWithoutHooks(isHttps)), new Refusal('invalid-request'));
    },
  });
  let countWrongKey: ReturnType<typeof createFaultCounter> | undefined;
  const guards = createGuards({
    ...shop,
    config,
    jar,
    // The counter needs the rate limit plugin, which is registered below: create it on first use.
    countWrongKey: (request, reply) => (countWrongKey ??= createFaultCounter(app, 'admin-key'))(request, reply),
  });
  app.decorate('guards', guards);
  const appWithGuards = app.decorate(
    'proofsOfWork',
    createProofOfWorkChecker(app, shop),
  ) as unknown as HttpScope['app'];
  const httpScope: HttpScope = { app: appWithGuards, shop, jar };
  let isStopping = false;
  // When the server closes, a proxy may be sending a request on an idle connection. It would not retry that request, so
  // close idle connections a little later. (After a response, Node itself keeps the connection open for another
  // second.)
  const closeIdle = app.server.closeIdleConnections.bind(app.server);
  app.server.closeIdleConnections = () => void setTimeout(closeIdle, idleConnectionGraceMs).unref();
  app.addHook('preClose', async () => {
    isStopping = true;
    app.server.keepAliveTimeout = 1; // 0 would mean no timeout
    await acceptPendingConnections(app.server);
  });

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser('text/plain');
  mountErrorResponses(app);
  bindErrorsToRequests(app);
  if (shop.tracing) traceRequests(app, shop.tracing);
  logRequests(app);
  // Only requests of the server itself may have this header.
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isInProcess(request)) delete request.headers[inProcessHeader];
    done();
  });
  const responseCache = new ResponseCache();
  responseCache.answerFrom(app, () => isStopping);
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
  const permissionsHeader = createPermissionsPolicy({ isStripe: shop.provider.kind === 'stripe' });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('permissions-policy', permissionsHeader);
    done();
  });
  refuseIrregularAddresses(app);
  refuseForeignOrigins(app, origin);
  app.addHook('preHandler', async ({ params, query, body }) => refuseUnstorable(params, query, body));
  app.addHook('onSend', async (request, reply) => {
    if (isStopping) reply.header('connection', 'close');
    // Responses without cache-control, and all refusals, may be private. Only a successful response with content is the
    // same for everyone.
    if (!(isContent(request) && reply.statusCode < 400) && !reply.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store');
  });
  await app.register(cookie);
  if (config.rateLimits) {
    limitApiRoutes(app);
    await app.register(rateLimit, {
      global: false,
      store: createRateLimitStore(db, clock),
      // Do not count the ordinary API calls that a page makes itself. Calls with their own limit count even if a page
      // makes them, because they allow guessing.
      allowList: (request) => isInProcess(request) && rateNameOf(request) === 'other',
      errorResponseBuilder: () => new Refusal('too-many-requests'),
    });
  }
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

  app.get('/api/openapi.json', { schema: { hide: true } }, () => openApiDocument(app));
  registerContentRoutes(httpScope);
  registerStockRoutes(httpScope);
  registerCheckoutRoutes(httpScope);
  registerPostalCodeRoutes(httpScope);
  registerAddonRoutes(httpScope);
  registerOrderRoutes(httpScope);
  registerAuthRoutes(httpScope);
  registerAccountRoutes(httpScope);
  registerGiftCardRoutes(httpScope);
  registerFrameRoutes(httpScope);
  registerPhotoRoutes(httpScope);
  registerArrivalRoutes(httpScope);
  registerUploadLinkRoutes(httpScope);
  registerTrialRoutes(httpScope);
  registerCollectRoutes(httpScope);
  registerDeliveryRoutes(httpScope);
  registerPlayerRoutes(httpScope);
  registerProofRoutes(httpScope);
  registerProofOfWorkRoutes(httpScope);
  registerReturnRoutes(httpScope);
  registerReviewRoutes(httpScope);
  registerSupportRoutes(httpScope);
  registerAnalyticsRoutes(httpScope);
  registerCrawlerRoutes(httpScope);
  registerGuideRoutes(httpScope);
  registerOwnerSessionRoutes(httpScope);
  registerOwnerIdentityRoutes(httpScope);
  stepUpHttp(httpScope);
  registerOwnerSecurityRoutes(httpScope);
  registerOwnerStaffRoutes(httpScope);
  registerOwnerAuditRoutes(httpScope);
  registerStaffInvitationRoutes(httpScope);
  registerOwnerAnalyticsRoutes(httpScope);
  registerOwnerMarginRoutes(httpScope);
  registerOwnerDaySheetRoutes(httpScope);
  registerOwnerCartReminderRoutes(httpScope);
  registerOwnerOrderRoutes(httpScope);
  registerOwnerPhoneOrderRoutes(httpScope);
  registerOwnerPaymentRoutes(httpScope);
  registerOwnerPeopleRoutes(httpScope);
  registerOwnerPhotoRoutes(httpScope);
  registerOwnerUploadLinkRoutes(httpScope);
  registerOwnerFrameRoutes(httpScope);
  registerOwnerContentRoutes(httpScope);
  registerOwnerMediaRoutes(httpScope);
  registerOwnerMailRoutes(httpScope);
  registerOwnerGiftCardRoutes(httpScope);
  registerOwnerPushRoutes(httpScope);
  registerOwnerStockRoutes(httpScope);
  registerOwnerTicketRoutes(httpScope);
  registerOwnerLabelRoutes(httpScope);
  registerOwnerReturnRoutes(httpScope);
  registerOwnerReviewRoutes(httpScope);
  registerOwnerExportRoutes(httpScope);
  registerOwnerLabelAddressRoutes(httpScope);
  registerOwnerProductionRoutes(httpScope);
  registerOwnerPanelEventRoutes(httpScope);
  registerWebhookRoutes(httpScope);
  registerInboundMailRoutes(httpScope);
  registerCspReportRoutes(httpScope);
  registerHealthRoutes(httpScope, () => isStopping);
  await registerSandboxRoutes(httpScope);

  app.setNotFoundHandler((request, reply) => sendRefusal(request, reply, new Refusal('not-found')));
  for (const url of ['/api/*', '/data/*', '/sandbox/stripe/*'])
    app.all(url, { schema: { hide: true } }, (_request, reply) => reply.callNotFound());
  await servePages?.(httpScope, responseCache);

  shop.webhookEndpoint.deliver = async (rawBody, headers) => {
    const response = await app.inject({
      method: 'POST',
      url: '/api/webhooks/stripe',
      payload: rawBody,
      headers: { 'content-type': 'application/json', ...headers },
    });
    return response.statusCode;
  };
  return app;
}

/**
 * Accept the connections that already wait in the backlog before the server closes. Node accepts one connection per
 * turn of the event loop. The operating system resets the connections that still wait at the close.
 */
async function acceptPendingConnections(server: Server): Promise<void> {
  let quietTurns = 0;
  server.on('connection', () => (quietTurns = 0));
  for (let turn = 0; turn < 50 && quietTurns < 3; turn += 1) {
    quietTurns += 1;
    await nextTurn();
  }
}

/** Security headers for a response to which Fastify does not apply helmet's hook. */
const headersWithoutHooks = (isHttps: boolean) => ({
  'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': createPermissionsPolicy({ isStripe: false }),
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  ...(isHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  'cache-control': 'no-store',
});

/**
 * True for routes of the embedded sandbox. They are hidden from the OpenAPI document, because they copy Stripe's API,
 * which Stripe documents.
 */
const isPaymentProviders = (url: string) => url.startsWith('/sandbox/');

/** True if the matched route serves storefront content, which is the same for everyone. */
const isContent = ({ routeOptions }: FastifyRequest) => routeOptions.url?.startsWith('/data/') ?? false;

/** Log one line per request: route, status and time, but not who sent it or with which data. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (isInProcess(request)) return done();
    const logLine = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    request.log[reply.statusCode >= 500 ? 'error' : 'info'](logLine, 'request');
    done();
  });
}
