import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ObserveStatement, JobRunner } from '#adapters/database/database.ts';
import type { TraceSpan, Tracing, SpanOptions } from '#shop/ports/tracing.ts';
import { isInProcess } from './http/common/in-process.ts';

// Records traces as described in docs/traces.md. Used only if the settings name a collector.

/** Health checks, metrics and static files are frequent requests that need no trace. */
const isUntraced = (route: string) => /^\/(health\/|metrics$)/.test(route) || isStaticFile(route);
/** Routes below /api/ and /data/ are calls, even if they end like a file: an export, or the content of the site. */
const isStaticFile = (route: string) => /\.\w+$/.test(route) && !/^\/(api|data)\//.test(route);

/** A trace for each request. An in-process API call of a page is a part of the page's trace. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spanByRequest = new WeakMap<FastifyRequest, TraceSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    if (isUntraced(route)) return done();
    const isInProcessCall = isInProcess(request);
    const requestSpan = tracing.begin({
      name: `${request.method} ${route}`,
      kind: isInProcessCall ? 'internal' : 'server',
      facts: { 'http.request.method': request.method, 'http.route': route, 'request.id': request.id },
      // Do not continue a trace that a client names in its headers: it could be the trace of another request.
      ...(!isInProcessCall && { of: 'nothing' }),
    });
    spanByRequest.set(request, requestSpan);
    requestSpan.run(done);
  });
  // After the body is read, hooks run in the async context of the connection, which has no trace. Enter the request's
  // trace again.
  app.addHook('preValidation', (request, _reply, done) => {
    const requestSpan = spanByRequest.get(request);
    if (requestSpan) requestSpan.run(done);
    else done();
  });
  app.addHook('onResponse', async (request, { statusCode }) => {
    spanByRequest.get(request)?.end({
      facts: { 'http.response.status_code': statusCode },
      ...(statusCode >= 500 && { error: statusCode }),
    });
  });
}

/** The field in a job's data that names the job's trace. Releases that do not know the field ignore it. */
const traceparentField = 'traceparent';
type WithTraceparent<Data> = Data & { [traceparentField]?: string };

/** Each job continues the trace of the request or job that enqueued it, also in another process. */
export function withTracedJobs(jobs: JobRunner, tracing: Tracing): JobRunner {
  const addTraceContext = <Data extends object>(data: Data): Data => {
    const carriedContext = tracing.traceHeadersToSend();
    return carriedContext === undefined ? data : { ...data, [traceparentField]: carriedContext };
  };
  return {
    ...jobs,
    enqueue: (tx, name, data, options) => jobs.enqueue(tx, name, addTraceContext(data), options),
    enqueueAll: (tx, name, data, options) => jobs.enqueueAll(tx, name, data.map(addTraceContext), options),
    startWorkers: (name, handler, options) =>
      jobs.startWorkers(
        name,
        ({ [traceparentField]: carried, ...data }: WithTraceparent<object>, attempt) => {
          const jobSpan = { name: `job ${name}`, kind: 'consumer', facts: { 'job.name': name } } as const;
          const carriedContext = carried === undefined ? 'nothing' : { carried };
          return runInSpan(tracing, { ...jobSpan, of: carriedContext }, () => handler(data as never, attempt));
        },
        options,
      ),
  };
}

/** Wraps a service of the shop. Its calls during a trace are recorded with their name. */
export function withTracing<Part extends object>(part: Part, name: string, tracing: Tracing): Part {
  return new Proxy(part, {
    get(target, property) {
      const tracedMember = Reflect.get(target, property) as unknown;
      if (typeof tracedMember !== 'function') return tracedMember;
      return (...args: unknown[]) => {
        if (!tracing.isUnderWay()) return tracedMember.apply(target, args) as unknown;
        const callSpan = tracing.begin({ name: `${name} ${String(property)}`, kind: 'client' });
        const callResult = callSpan.run(() => tracedMember.apply(target, args) as unknown);
        // Only a promise takes measurable time. Other results are async iterables or immediate values, and are not
        // recorded.
        if (callResult instanceof Promise) endSpanWith(callSpan, callResult);
        return callResult;
      };
    },
  });
}

/** Records SQL statements by their verb and first table. Their text is left out, because it may contain values. */
export const createStatementTracer =
  (tracing: Tracing): ObserveStatement =>
  (text) => {
    if (!tracing.isUnderWay()) return undefined;
    const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
    const table = /\b(?:from|into|update)\s+((?:"?\w+"?\.)?"?\w+"?)/i.exec(text)?.[1]?.replaceAll('"', '');
    const statementSpan = tracing.begin({
      name: table === undefined ? verb : `${verb} ${table}`,
      kind: 'client',
      facts: { 'db.system.name': 'postgresql', 'db.operation.name': verb },
    });
    return (error) => statementSpan.end(error === undefined ? {} : { error });
  };

function runInSpan<T>(tracing: Tracing, work: SpanOptions, run: () => Promise<T>): Promise<T> {
  const workSpan = tracing.begin(work);
  const answer = workSpan.run(run);
  endSpanWith(workSpan, answer);
  return answer;
}

/** Ends the record when the promise settles. The caller still receives the result or the error of the promise. */
function endSpanWith(piece: TraceSpan, answer: Promise<unknown>): void {
  answer.then(
    () => piece.end(),
    (error: unknown) => piece.end({ error: error ?? 'unknown' }),
  );
}
