import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { input, output, $ZodType } from 'zod/v4/core';
import { type Api, type Route, api } from '#contract/api.ts';
import type { Operation } from '#contract/operation.ts';
import { Refusal, refusals } from '#contract/refusals.ts';
import type { Customer } from '#shop/accounts/accounts.ts';
import type { Guards } from './guards.ts';
import { rateOf } from './rate-limit.ts';
import * as z from 'zod';

type Parsed<O, Key extends string> = O extends { [K in Key]: infer S extends $ZodType } ? output<S> : undefined;

/** What a handler is given: everything checked, and whoever the contract lets in. */
export interface Call<O extends Operation> {
  params: Parsed<O, 'params'>;
  query: Parsed<O, 'query'>;
  body: Parsed<O, 'body'>;
  /** The signed-in customer; for `anyone`, undefined when nobody is. */
  customer: O['who'] extends 'customer' ? Customer : undefined;
  request: FastifyRequest;
  reply: FastifyReply;
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
  })
  .meta({ id: 'Error' });

/** Refusals any call may meet. */
const always = ['invalid-request', 'too-many-requests', 'unavailable', 'unexpected'] as const;
const byBody = { none: [], json: ['json-needed', 'body-too-large'], form: ['body-too-large'] } as const;
const byWho = {
  anyone: [],
  link: ['link-expired'],
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
  const { params, query, body, response, summary, multipart, rate = 'other', who } = operation;
  const names = [
    ...always,
    ...(method === 'GET' ? [] : (['foreign-origin'] as const)),
    ...byBody[body ? 'json' : multipart ? 'form' : 'none'],
    ...byWho[who],
    ...(operation.refusals ?? []),
  ];
  const statuses = Map.groupBy(names, (name) => refusals[name].status);
  const customers = new WeakMap<FastifyRequest, Customer>();
  const customerOf = async (request: FastifyRequest) => {
    const customer = customers.get(request) ?? (await app.guards.customer(request));
    customers.set(request, customer);
    return customer;
  };
  app.route({
    method,
    url,
    config: {
      rateLimit: {
        ...rateOf(rate),
        // A family behind one address uploads together.
        ...(rate === 'upload' && {
          keyGenerator: (request: FastifyRequest) =>
            customerOf(request).then(
              ({ id }) => id,
              () => request.ip,
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
      response: {
        200: response,
        ...Object.fromEntries([...statuses].map(([status, codes]) => [status, describe(codes)])),
      },
    },
    // After the call is counted, so that guessing ends; before its body is read, so that nobody uploads ten megabytes to be
    // told to sign in.
    preParsing: async (request, reply) => {
      if (who === 'customer') await customerOf(request);
      if (who === 'admin') await app.guards.admin(request, reply);
    },
    preValidation: async (request) => {
      if (body && request.isMultipart()) throw new Refusal('json-needed');
    },
    handler: (request, reply) =>
      handler({
        params: request.params,
        query: request.query,
        body: request.body,
        customer: customers.get(request),
        request,
        reply,
      } as unknown as Call<Api[R]>),
  });
}

const describe = (codes: readonly Refusal['code'][]) =>
  ErrorBody.extend({ code: z.string() }).meta({ description: [...new Set(codes)].join(', ') });
