/** Handles one request to the sandbox's API, over HTTP or in process. */
import type { Stripe } from 'stripe';
import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import { listProcessingIntents, settleProcessing, type HttpResponse, type PayingRules } from './confirm-intent.ts';
import { ApiError, createInvalidRequest, notFoundError, type ErrorBody } from './errors.ts';
import { parseForm, type ParsedForm } from './form.ts';
import { runIdempotently, computeFingerprint } from './idempotency.ts';
import { isSameSecret, createId } from './ids.ts';
import { sandboxOperations, type Operation } from './operations.ts';
import { readParams } from './parameters.ts';
import { toPublicIntent } from './payment-intents.ts';
import { findObject, type OperationContext } from './store.ts';

export interface Sandbox {
  db: Db;
  clock: Clock;
  secretKey: string;
  rules: PayingRules;
  /** The sandbox refuses all requests until this time, to test the shop without its provider. */
  downUntil?: Date | undefined;
}
export interface ApiRequest {
  method: string;
  /** Starts with /v1/. */
  path: string;
  /** The parameters as a form: the body of a POST, or the query of a GET. */
  form: string;
  authorization?: string | undefined;
  idempotencyKey?: string | undefined;
}
export interface SandboxApiResponse extends HttpResponse {
  headers: Record<string, string>;
}
type Caller = 'shop' | 'buyer';

/** Handles a request. Returns a refusal as a response. Throws only if the sandbox itself fails. */
export async function handleRequest(sandbox: Sandbox, request: ApiRequest): Promise<SandboxApiResponse> {
  const requestId = createId('req');
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'request-id': requestId };
  if (isSandboxDown(sandbox)) return { status: 503, body: { error: sandboxDisabledError }, headers };
  try {
    const { isReplay, ...given } = await runOperation(sandbox, request, requestId);
    return { ...given, headers: { ...headers, ...(isReplay && { 'idempotent-replayed': 'true' }) } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.status, body: error.body, headers };
  }
}

export const isSandboxDown = ({ downUntil, clock }: Sandbox) => downUntil !== undefined && downUntil > clock.now();
/** The card form shows this message to the buyer. */
const sandboxDisabledError: ErrorBody = {
  type: 'api_error',
  message: 'The bank cannot be reached right now. You have not been charged; please try again in a minute.',
};

async function runOperation(sandbox: Sandbox, request: ApiRequest, requestId: string) {
  const { operation, id } = findOperation(request);
  const form = parseForm(request.form);
  const caller = await checkSecretKey(sandbox, operation, id, form, request.authorization);
  const params = readParams(operation.params, form);
  await settleDelayedPayments(sandbox);

  const operationCall = { id, params, rules: sandbox.rules };
  const key = request.method === 'POST' ? request.idempotencyKey : undefined;
  const operationContext: OperationContext = {
    tx: sandbox.db,
    now: sandbox.clock.now(),
    request: { id: requestId, idempotency_key: key ?? null },
  };
  const apiResponse = await runInTransaction(operationContext, request.method, async (work) => {
    if (key === undefined) return { ...(await operation.run(work, operationCall)), isReplay: false };
    const fingerprint = computeFingerprint(request.method, request.path, params);
    return runIdempotently(work, { key, scope: caller === 'shop' ? 'shop' : id, fingerprint }, (work) =>
      operation.run(work, operationCall),
    );
  });
  return caller === 'buyer' ? { ...apiResponse, body: hideFieldsFromBuyer(apiResponse.body) } : apiResponse;
}

function runInTransaction<T>(
  work: OperationContext,
  method: string,
  run: (work: OperationContext) => Promise<T>,
): Promise<T> {
  return method === 'GET' ? run(work) : work.tx.transaction((tx) => run({ ...work, tx }));
}

function findOperation({ method, path }: ApiRequest): { operation: Operation; id: string } {
  for (const operation of sandboxOperations) {
    const pathMatch = operation.method === method ? operation.path.exec(path) : null;
    if (pathMatch) return { operation, id: pathMatch.groups?.['id'] ?? '' };
  }
  throw createInvalidRequest(`Unrecognized request URL (${method}: ${path.slice(0, 200)}).`, {}, 404);
}

/**
 * Settles all delayed payments that are due, each in its own transaction. Called before each request, so that every
 * response is up to date.
 */
export async function settleDelayedPayments(sandbox: Sandbox, which: 'due' | 'all' = 'due'): Promise<void> {
  const now = sandbox.clock.now();
  const intents = await listProcessingIntents(sandbox.db, which === 'due' ? now : undefined);
  for (const intentId of intents) {
    await sandbox.db.transaction((tx) =>
      settleProcessing({ tx, now, request: { id: null, idempotency_key: null } }, intentId),
    );
  }
}

// ---------------------------------------------------------------- authorization

async function checkSecretKey(
  sandbox: Sandbox,
  operation: Operation,
  id: string,
  form: ParsedForm,
  authorization: string | undefined,
): Promise<Caller> {
  const key = findApiKey(authorization, form);
  if (key !== undefined && isSameSecret(key, sandbox.secretKey)) return 'shop';
  if (key !== undefined && !key.startsWith('pk_')) {
    throw createInvalidRequest(`Invalid API Key provided: ${key.slice(0, 8)}***`, {}, 401);
  }
  if (!operation.isForClients) {
    throw key === undefined
      ? createInvalidRequest(
          "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
          {},
          401,
        )
      : createInvalidRequest(
          'This API call cannot be made with a publishable API key. Please use a secret API key.',
          { code: 'secret_key_required' },
          403,
        );
  }
  await checkClientSecret(sandbox, id, form['client_secret']);
  return 'buyer';
}

/** Returns the API key of a request. Stripe.js sends its publishable key in the form instead of the header. */
function findApiKey(authorization: string | undefined, form: ParsedForm): string | undefined {
  const bearerToken = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  return bearerToken ?? (typeof form['key'] === 'string' ? form['key'] : undefined);
}

/** Throws the same error for a wrong secret as for an unknown intent, so that intent ids are not revealed. */
async function checkClientSecret(sandbox: Sandbox, id: string, given: ParsedForm[string] | undefined) {
  const intent = await findObject(sandbox.db, 'payment_intent', id);
  const hasValidClientSecret =
    intent?.client_secret && typeof given === 'string' && isSameSecret(given, intent.client_secret);
  if (!hasValidClientSecret) throw notFoundError('payment_intent', id, 'intent');
}

function hideFieldsFromBuyer(body: unknown): unknown {
  const apiResponse = body as Stripe.PaymentIntent | { error: ErrorBody };
  if (!('error' in apiResponse)) return toPublicIntent(apiResponse);
  const { payment_intent: intent, ...error } = apiResponse.error;
  return { error: intent ? { ...error, payment_intent: toPublicIntent(intent) } : error };
}
