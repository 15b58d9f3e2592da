import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { input, output, $ZodType } from 'zod/v4/core';
import { type Api, type Route, api } from '#contract/api.ts';
import type { Operation } from '#contract/operation.ts';
import { Refusal, refusals } from '#contract/refusals.ts';
import type { Customer } from '#shop/accounts/accounts.ts';
import type { Collecting, Contributor } from '#shop/collect-links/collect-links.ts';
import type { UploadLink } from '#shop/upload-links/upload-links.ts';
import type { Guards } from './guards.ts';
import { rateOf } from './rate-limit.ts';
import * as z from 'zod';

type Parsed<O, Key extends string> = O extends { [K in Key]: infer S extends $ZodType } ? output<S> : undefined;

type By<Asker extends Operation['who'], Who, Given> = Asker extends Who ? Given : undefined;

/** What a handler is given: everything checked, and whoever the contract lets in. */
export interface Call<O extends Operation> {
  params: Parsed<O, 'params'>;
  query: Parsed<O, 'query'>;
  body: Parsed<O, 'body'>;
  /** The signed-in customer; for `anyone`, undefined when nobody is. */
  customer: By<O['who'], 'customer', Customer>;
  /** Undefined where a form may still bring its token. */
  link: By<O['who'], 'link', O extends { multipart: true } ? UploadLink | undefined : UploadLink>;
  /** Who adds photos, and to what. */
  contribution: By<O['who'], 'contributor', Contribution>;
  request: FastifyRequest;
  reply: FastifyReply;
}
interface Contribution {
  collecting: Collecting;
  contributor: Contributor;
}
type Answer<O extends Operation> = input<O['response']>;

export const ErrorBody = z
  .object({
    success: z.literal(false),
    message: z.string(),
    error: z.string(),
    code: z.string(),
    requestId: z.string(),
    /** Words by field, where fields were wrong. */
    fields: z.record(z.string(), z.string()).optional(),
    /** What a screen needs beside the words, by refusal. */
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Error' });

/** Refusals any call may meet. */
const always = ['invalid-request', 'too-many-requests', 'unavailable', 'unexpected'] as const;
const byBody = { none: [], json: ['json-needed', 'body-too-large'], form: ['body-too-large'] } as const;
const byWho = {
  anyone: [],
  link: ['link-missing', 'link-expired'],
  contributor: ['collect-link-invalid', 'first-name-needed'],
  customer: ['sign-in-needed'],
  admin: ['admin-needed', 'address-not-allowed'],
} as const;

/** Mount an operation of the contract: authorized by `who`, validated input in, validated JSON out, documented in OpenAPI. */
export function serve<R extends Route>(
  app: FastifyInstance & { guards: Guards },
  route: R,
  handler: (call: Call<Api[R]>) => Answer<Api[R]> | Promise<Answer<Api[R]>>,
) {
  const [method, url] = route.split(' ') as [HTTPMethods, string];
  const operation: Operation = api[route];
  const { params, query, body, response, summary, multipart, piece, status = 200, rate = 'other', who } = operation;
  const names = [
    ...always,
    ...(method === 'GET' || method === 'HEAD' ? [] : (['foreign-origin'] as const)),
    ...byBody[body ? 'json' : multipart ? 'form' : 'none'],
    ...byWho[who],
    ...(operation.refusals ?? []),
  ];
  const statuses = Map.groupBy(names, (name) => refusals[name].status);
  // Whoever calls is looked up once, also where nobody is found.
  const callers = new WeakMap<FastifyRequest, Promise<Caller>>();
  const callerOf = (request: FastifyRequest) => {
    const caller = callers.get(request) ?? callerBy(app.guards, operation, request);
    callers.set(request, caller);
    return caller;
  };
  app.route({
    method,
    url,
    config: {
      ...(method === 'HEAD' && { swagger: { exposeHeadRoute: true } }),
      rateLimit: {
        ...rateOf(rate),
        // A family behind one address uploads together.
        ...((rate === 'upload' || rate === 'piece') && {
          keyGenerator: (request: FastifyRequest) =>
            callerOf(request).then(
              ({ customer, link, contribution }) =>
                customer?.id ?? link?.customer.id ?? contribution?.contributor.id ?? request.ip,
              () => request.ip,
            ),
        }),
        // Whoever has no frame to send to guesses, and has no photo in many pieces.
        ...(rate === 'piece' && {
          max: (request: FastifyRequest) =>
            callerOf(request).then(
              () => rateOf('piece').max,
              () => rateOf('upload').max,
            ),
        }),
      },
    },
    schema: {
      summary,
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(multipart && { consumes: ['multipart/form-data'] }),
      ...(piece && { consumes: ['application/offset+octet-stream'] }),
      response: {
        [status]: response,
        ...Object.fromEntries([...statuses].map(([status, codes]) => [status, describe(codes)])),
      },
    },
    // After the call is counted, so that guessing ends; before its body is read, so that nobody uploads ten megabytes to be
    // told to sign in.
    preParsing: async (request, reply) => {
      await callerOf(request);
      if (who === 'admin') await app.guards.admin(request, reply);
    },
    preValidation: async (request) => {
      if (body && request.isMultipart()) throw new Refusal('json-needed');
    },
    handler: async (request, reply) =>
      handler({
        params: request.params,
        query: request.query,
        body: request.body,
        ...(await callerOf(request)),
        request,
        reply,
      } as unknown as Call<Api[R]>),
  });
}

interface Caller {
  customer?: Customer;
  link?: UploadLink | undefined;
  contribution?: Contribution;
}

async function callerBy(guards: Guards, { who, multipart }: Operation, request: FastifyRequest): Promise<Caller> {
  if (who === 'customer') return { customer: await guards.customer(request) };
  if (who === 'link') return { link: await (multipart ? guards.maybeUploadLink(request) : guards.uploadLink(request)) };
  if (who !== 'contributor') return {};
  const collecting = await guards.collecting((request.params as { token: string }).token);
  const contributor = await guards.maybeContributor(request, collecting);
  if (!contributor) throw new Refusal('first-name-needed');
  return { contribution: { collecting, contributor } };
}

/** Of itself without the name by which the contract's description refers to it. */
const nameless = ErrorBody.extend({ code: z.string() });
/** One for all that refuse alike: kinds of refusing are few, and a thousand answers refuse. */
const described = new Map<string, typeof nameless>();
function describe(codes: readonly Refusal['code'][]): typeof nameless {
  const description = [...new Set(codes)].join(', ');
  const known = described.get(description);
  if (known) return known;
  const made = nameless.meta({ description });
  described.set(description, made);
  return made;
}
