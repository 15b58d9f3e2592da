import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HearStatement, JobRunner } from '#adapters/database/database.ts';
import type { Piece, Tracing, Work } from '#shop/ports/tracing.ts';
import { isInProcess } from './http/door/in-process.ts';

// What is traced, and what of it is told (docs/traces.md). Only a shop that has a collector comes here.

/** Asked for by machines again and again, or a file as it lies. */
const isUntraced = (route: string) => /^\/(health\/|metrics$)|\.\w+$/.test(route);

/** A trace for each request; what a page asks of the API in this process is a part of the page's. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const pieces = new WeakMap<FastifyRequest, Piece>();
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    if (isUntraced(route)) return done();
    const isPart = isInProcess(request);
    const piece = tracing.begin({
      name: `${request.method} ${route}`,
      kind: isPart ? 'internal' : 'server',
      facts: { 'http.request.method': request.method, 'http.route': route, 'request.id': request.id },
      // A trace that a stranger names is not believed: it would be somebody else's.
      ...(!isPart && { of: 'nothing' }),
    });
    pieces.set(request, piece);
    piece.run(done);
  });
  // What follows the reading of a body comes from the connection, which knows of no work.
  app.addHook('preValidation', (request, _reply, done) => {
    const piece = pieces.get(request);
    if (piece) piece.run(done);
    else done();
  });
  app.addHook('onResponse', async (request, { statusCode }) => {
    pieces.get(request)?.end({
      facts: { 'http.response.status_code': statusCode },
      ...(statusCode >= 500 && { error: String(statusCode) }),
    });
  });
}

/** Beside what a job is about: which trace it belongs to. A release that does not know of it passes it over. */
const key = 'traceparent';
type Carrying<Data> = Data & { [key]?: string };

/** A job is a part of the work that asked for it, whichever process does it. */
export function tracedJobs(jobs: JobRunner, tracing: Tracing): JobRunner {
  const carrying = <Data extends object>(data: Data): Data => {
    const carried = tracing.carried();
    return carried === undefined ? data : { ...data, [key]: carried };
  };
  return {
    ...jobs,
    enqueue: (tx, name, data, options) => jobs.enqueue(tx, name, carrying(data), options),
    enqueueAll: (tx, name, data, options) => jobs.enqueueAll(tx, name, data.map(carrying), options),
    work: (name, handler, options) =>
      jobs.work(
        name,
        ({ [key]: carried, ...data }: Carrying<object>, attempt) => {
          const work = { name: `job ${name}`, kind: 'consumer', facts: { 'job.name': name } } as const;
          const of = carried === undefined ? 'nothing' : { carried };
          return during(tracing, { ...work, of }, () => handler(data as never, attempt));
        },
        options,
      ),
  };
}

/** A part of the shop whose calls are told by their names, where they belong to something. */
export function tracedPart<Part extends object>(part: Part, name: string, tracing: Tracing): Part {
  return new Proxy(part, {
    get(target, property) {
      const call = Reflect.get(target, property) as unknown;
      if (typeof call !== 'function') return call;
      return (...args: unknown[]) => {
        if (!tracing.isUnderWay()) return call.apply(target, args) as unknown;
        const piece = tracing.begin({ name: `${name} ${String(property)}`, kind: 'client' });
        const answer = piece.run(() => call.apply(target, args) as unknown);
        // What is no promise is a list that comes bit by bit, or takes no time.
        if (answer instanceof Promise) endWith(piece, answer);
        return answer;
      };
    },
  });
}

/** Statements are told by their verb and first table: their words are not needed, and some hold values. */
export const tracedStatements =
  (tracing: Tracing): HearStatement =>
  (text) => {
    if (!tracing.isUnderWay()) return undefined;
    const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
    const table = /\b(?:from|into|update)\s+((?:"?\w+"?\.)?"?\w+"?)/i.exec(text)?.[1]?.replaceAll('"', '');
    const piece = tracing.begin({
      name: table === undefined ? verb : `${verb} ${table}`,
      kind: 'client',
      facts: { 'db.system.name': 'postgresql', 'db.operation.name': verb },
    });
    return (error) => piece.end(error === undefined ? {} : { error });
  };

function during<T>(tracing: Tracing, work: Work, run: () => Promise<T>): Promise<T> {
  const piece = tracing.begin(work);
  const answer = piece.run(run);
  endWith(piece, answer);
  return answer;
}

/** The answer stays its asker's, with its error. */
function endWith(piece: Piece, answer: Promise<unknown>): void {
  answer.then(
    () => piece.end(),
    (error: unknown) => piece.end({ error: error ?? 'unknown' }),
  );
}
