/** The sandbox's HTTP routes. The shop mounts them at SANDBOX_PATH. */
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { handleRequest, type Sandbox } from './api.ts';
import {
  renderAuthenticationPage,
  authenticationPageHeaders,
  renderUnknownPaymentPage,
} from './authentication-page.ts';
import { completeAuthentication, readAuthentication, type CardAuthentication } from './authentication.ts';
import { ApiError, createInvalidRequest, type ErrorBody } from './errors.ts';
import { parseForm } from './form.ts';

const BODY_LIMIT = 64 * 1024;

export function createSandboxRoutes(sandbox: Sandbox): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      (_request, body, done) => done(null, body),
    );
    app.setErrorHandler(sendErrorResponse);
    app.addHook('onRequest', async (request) => refuseOtherSites(request, sandbox.rules.shopOrigin));

    app.route({
      method: ['GET', 'POST'],
      url: '/v1/*',
      exposeHeadRoute: false,
      handler: async (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
        const apiResponse = await handleRequest(sandbox, {
          method: request.method,
          path: `/v1/${request.params['*']}`,
          form: request.method === 'GET' ? getQueryText(request) : getBodyText(request),
          authorization: request.headers.authorization,
          idempotencyKey: readHeader(request, 'idempotency-key'),
        });
        return reply.code(apiResponse.status).headers(apiResponse.headers).send(JSON.stringify(apiResponse.body));
      },
    });

    app.get<{ Params: { intent: string } }>('/authenticate/:intent', (request, reply) =>
      showOrUnknownPage(reply, async () => {
        const secret = parseForm(getQueryText(request))['client_secret'];
        const authentication = await readAuthentication(sandbox, request.params.intent, asText(secret));
        return reply.headers(authenticationPageHeaders).send(renderAuthenticationPage(authentication));
      }),
    );

    app.post<{ Params: { intent: string } }>('/authenticate/:intent', (request, reply) =>
      showOrUnknownPage(reply, async () => {
        const { client_secret: secret, decision } = parseForm(getBodyText(request));
        const acceptedDecision = decision === 'approve' || decision === 'decline' ? decision : undefined;
        const outcome = await completeAuthentication(sandbox, request.params.intent, asText(secret), acceptedDecision);
        return sendChallengeOutcome(reply, outcome);
      }),
    );
  };
}

/**
 * Responds to a buyer's decision. Redirects to the shop if the shop gave a return address; otherwise shows the page
 * with the result.
 */
function sendChallengeOutcome(reply: FastifyReply, outcome: CardAuthentication) {
  if (outcome.state !== 'waiting' && outcome.returnTo !== undefined) {
    return reply.headers(authenticationPageHeaders).redirect(outcome.returnTo, 303);
  }
  return reply.headers(authenticationPageHeaders).send(renderAuthenticationPage(outcome));
}

async function showOrUnknownPage(reply: FastifyReply, show: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await show();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return reply.code(error.status).headers(authenticationPageHeaders).send(renderUnknownPaymentPage());
  }
}

/**
 * Refuses POST requests from pages of other sites. A browser sends one of these headers; other programs send neither.
 */
function refuseOtherSites(request: FastifyRequest, shopOrigin: string) {
  if (request.method !== 'POST') return;
  const fetchSite = readHeader(request, 'sec-fetch-site');
  const origin = readHeader(request, 'origin');
  const isSameOrigin =
    fetchSite === undefined ? origin === undefined || origin === shopOrigin : fetchSite === 'same-origin';
  if (!isSameOrigin) throw createInvalidRequest('Requests from pages of other sites are refused.', {}, 403);
}

async function sendErrorResponse(error: FastifyError | ApiError, request: FastifyRequest, reply: FastifyReply) {
  const { status, body } = error instanceof ApiError ? error : createErrorResponse(error, request);
  return reply.code(status).header('cache-control', 'no-store').send(body);
}

function createErrorResponse(
  error: FastifyError,
  request: FastifyRequest,
): { status: number; body: { error: ErrorBody } } {
  const status = error.statusCode ?? 500;
  if (status < 500)
    return { status, body: { error: { type: 'invalid_request_error', message: describeRequestError(error) } } };
  request.log.error({ err: error }, 'the payment sandbox failed');
  return { status: 500, body: { error: { type: 'api_error', message: 'An unknown error occurred' } } };
}

const describeRequestError = (error: FastifyError) =>
  error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
    ? 'Invalid request: send the parameters as application/x-www-form-urlencoded.'
    : error.message;

/** The raw query. The framework must not parse it, because this module parses the bracket notation. */
const getQueryText = (request: FastifyRequest) => request.url.split('?').slice(1).join('?');
const getBodyText = (request: FastifyRequest) => (typeof request.body === 'string' ? request.body : '');
const asText = (value: unknown) => (typeof value === 'string' ? value : '');

function readHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
