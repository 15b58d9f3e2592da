import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * The data that is needed to end a request. It holds no reference to the request or its response after they have ended,
 * so that their memory can be freed.
 */
interface RequestScope {
  log: FastifyBaseLogger;
  end: ((error: unknown) => void) | undefined;
  overSince: number | undefined;
}

const requestScopes = new AsyncLocalStorage<RequestScope | undefined>();

/**
 * Streams of an aborted request report their errors shortly after it ends. An error later than this does not belong to
 * the request.
 */
const lateErrorWindowMs = 60_000;

/**
 * Run all work of a request in an async context of its own. The context of an uncaught error then shows which request
 * it belongs to: `endRequestOfError` ends that request, and the process continues to serve others.
 */
export function bindErrorsToRequests(app: FastifyInstance): void {
  const scopesByRequest = new WeakMap<FastifyRequest, RequestScope>();
  app.addHook('onRequest', (request, reply, done) => {
    const scope: RequestScope = { log: request.log, end: (error) => endReply(reply, error), overSince: undefined };
    scopesByRequest.set(request, scope);
    const markAsOver = () => {
      scope.end = undefined;
      scope.overSince ??= performance.now();
    };
    reply.raw.once('finish', markAsOver).once('close', markAsOver);
    // The connection emits the events of request and response outside of the request's context.
    emitInScope(scope, request.raw);
    emitInScope(scope, reply.raw);
    requestScopes.run(scope, done);
  });
  // The body is read in the async context of the connection. Enter the request's context again after the body is read.
  app.addHook('preValidation', (request, _reply, done) => {
    requestScopes.run(scopesByRequest.get(request), done);
  });
}

/** Run all listeners of this emitter in the scope. An error in a listener ends the request. */
function emitInScope(scope: RequestScope, emitter: EventEmitter): void {
  const emit = emitter.emit.bind(emitter);
  emitter.emit = (...event: Parameters<typeof emit>) =>
    requestScopes.run(scope, () => {
      try {
        return emit(...event);
      } catch (error) {
        if (!endInScope(scope, error)) throw error;
        return true;
      }
    });
}

/**
 * Answer 500 with an error message if nothing was sent yet. Otherwise close the connection, because half a response
 * must not look complete.
 */
function endReply(reply: FastifyReply, error: unknown): void {
  if (reply.sent || reply.raw.headersSent) reply.raw.destroy();
  else void reply.send(error instanceof Error ? error : new Error('a request failed', { cause: error }));
}

/**
 * End the request that an uncaught error belongs to. Returns false if it belongs to no request, or if it shows that the
 * process itself is broken: then the process must exit.
 */
export function endRequestOfError(error: unknown): boolean {
  const scope = requestScopes.getStore();
  // Leave the context, because after an exception Node may keep it for unrelated work.
  requestScopes.enterWith(undefined);
  return scope !== undefined && endInScope(scope, error);
}

function endInScope(scope: RequestScope, error: unknown): boolean {
  if (isOfProcess(error)) return false;
  if (scope.overSince !== undefined && performance.now() - scope.overSince > lateErrorWindowMs) return false;
  scope.log.error({ err: error }, 'uncaught error in a request');
  scope.end?.(error);
  return true;
}

/** True for errors after which the state of Node or of the embedded database may be damaged. */
const isOfProcess = (error: unknown): boolean =>
  error instanceof WebAssembly.RuntimeError ||
  (error instanceof Error && 'code' in error && error.code === 'ERR_INTERNAL_ASSERTION');
