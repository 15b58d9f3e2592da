import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { input, output, $ZodType } from 'zod/v4/core';
import { type Api, type Route, api } from '#contract/api.ts';
import type { Operation } from '#contract/operation.ts';
import { roleNamesFor } from '#contract/owner/areas.ts';
import { Refusal, refusals } from '#contract/refusals.ts';
import type { Customer } from '#shop/accounts/accounts.ts';
import type { CollectLinkWithOrder, Contributor } from '#shop/collect-links/collect-links.ts';
import type { UploadLink } from '#shop/upload-links/upload-links.ts';
import type { HttpScope } from './http-scope.ts';
import type { Guards } from './guards.ts';
import { proofOfWorkHeaders, proofOfWorkRefusals, proofOfWorkLimitNameOf } from './proof-of-work.ts';
import { createRateLimitOptions } from './rate-limit.ts';
import * as z from 'zod';

type ParsedParts<O, Key extends string> = O extends { [K in Key]: infer S extends $ZodType } ? output<S> : undefined;

type ValueForCaller<Asker extends Operation['who'], Who, Given> = Asker extends Who ? Given : undefined;

/** The input of a handler: validated data, and the caller, who is authorized by the contract. */
export interface OperationCall<O extends Operation> {
  params: ParsedParts<O, 'params'>;
  query: ParsedParts<O, 'query'>;
  body: ParsedParts<O, 'body'>;
  /** The signed-in customer. Undefined if the operation needs no customer. */
  customer: ValueForCaller<O['who'], 'customer', Customer>;
  /**
   * The caller's upload link. Undefined for a multipart form without a token in query and cookie: the form may contain
   * the token.
   */
  link: ValueForCaller<O['who'], 'link', O extends { multipart: true } ? UploadLink | undefined : UploadLink>;
  /** The contributor who sends the request, and the collect link. */
  contribution: ValueForCaller<O['who'], 'contributor', ContributorAccess>;
  request: FastifyRequest;
  reply: FastifyReply;
}
interface ContributorAccess {
  collecting: CollectLinkWithOrder;
  contributor: Contributor;
}
type ResponseOf<O extends Operation> = input<O['response']>;

export const ErrorBody = z
  .object({
    success: z.literal(false),
    message: z.string(),
    error: z.string(),
    code: z.string(),
    requestId: z.string(),
    /** Messages by field, if fields are invalid. */
    fields: z.record(z.string(), z.string()).optional(),
    /** Further data of a refusal that a page needs in addition to the message. */
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Error' });

/** Refusals that any call may return. */
const commonRefusals = ['invalid-request', 'too-many-requests', 'unavailable', 'unexpected'] as const;
const refusalsByBody = { none: [], json: ['json-needed', 'body-too-large'], form: ['body-too-large'] } as const;
const refusalsByCaller = {
  anyone: [],
  link: ['link-missing', 'link-expired'],
  contributor: ['collect-link-invalid', 'first-name-needed'],
  customer: ['sign-in-needed'],
  admin: ['admin-needed', 'address-not-allowed', 'role-needed', 'staff-removed', 'staff-role-changed'],
} as const;

/** Mount an operation of the contract: authorized by `who`, with validated input and JSON, documented in OpenAPI. */
export function mountOperation<R extends Route>(
  app: HttpScope['app'],
  route: R,
  handler: (call: OperationCall<Api[R]>) => ResponseOf<Api[R]> | Promise<ResponseOf<Api[R]>>,
) {
  const [method, url] = route.split(' ') as [HTTPMethods, string];
  const operation: Operation = api[route];
  const {
    params,
    query,
    body,
    response,
    summary,
    multipart,
    piece,
    status = 200,
    rate = chooseRateLimitName(url),
    who,
    area,
    stepUp,
  } = operation;
  const proofLimitName = proofOfWorkLimitNameOf(rate);
  const refusalNames = [
    ...commonRefusals,
    ...(method === 'GET' || method === 'HEAD' ? [] : (['foreign-origin'] as const)),
    ...refusalsByBody[body ? 'json' : multipart ? 'form' : 'none'],
    ...refusalsByCaller[who],
    ...(stepUp === true || stepUp === 'person' ? (['step-up-needed'] as const) : []),
    ...(proofLimitName ? proofOfWorkRefusals : []),
    ...(operation.refusals ?? []),
  ];
  const refusalNamesByStatus = Map.groupBy(refusalNames, (name) => refusals[name].status);
  // Look up the caller only once per request, also if the lookup refuses.
  const callersByRequest = new WeakMap<FastifyRequest, Promise<Caller>>();
  const findCallerOnce = (request: FastifyRequest) => {
    const caller = callersByRequest.get(request) ?? findCaller(app.guards, operation, request);
    callersByRequest.set(request, caller);
    return caller;
  };
  app.route({
    method,
    url,
    config: {
      stepUp,
      area,
      ...(method === 'HEAD' && { swagger: { exposeHeadRoute: true } }),
      rateLimit: rate !== undefined && {
        ...createRateLimitOptions(rate),
        // Members of a family share one IP address and upload at the same time, so count uploads by sender.
        ...((rate === 'upload' || rate === 'piece') && {
          keyGenerator: (request: FastifyRequest) =>
            findCallerOnce(request).then(
              ({ customer, link, contribution }) =>
                customer?.id ?? link?.customer.id ?? contribution?.contributor.id ?? request.ip,
              () => request.ip,
            ),
        }),
        // A caller who is refused gets the stricter limit for whole uploads, because such a caller may be guessing
        // tokens.
        ...(rate === 'piece' && {
          max: (request: FastifyRequest) =>
            findCallerOnce(request).then(
              () => createRateLimitOptions('piece').max,
              () => createRateLimitOptions('upload').max,
            ),
        }),
      },
    },
    schema: {
      summary,
      ...(area && { description: `For ${roleNamesFor(area)} (area ${area}).` }),
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(proofLimitName && { headers: proofOfWorkHeaders }),
      ...(body && { body }),
      ...(multipart && { consumes: ['multipart/form-data'] }),
      ...(piece && { consumes: ['application/offset+octet-stream'] }),
      response: {
        [status]: response,
        ...Object.fromEntries([...refusalNamesByStatus].map(([status, codes]) => [status, getErrorSchema(codes)])),
      },
    },
    // Authorize the caller after the call is counted, so that guessing is limited. Do it before the body is read, so
    // that no one uploads ten megabytes only to be refused.
    preParsing: async (request, reply) => {
      await findCallerOnce(request);
      if (who === 'admin') await app.guards.requireAdmin(request, reply);
    },
    preValidation: async (request) => {
      if (body && request.isMultipart()) throw new Refusal('json-needed');
    },
    // Check the proof of work just before the handler, so that a call with an invalid form is not counted and does not
    // use up its proof.
    ...(proofLimitName && { preHandler: app.proofsOfWork.requireProof(proofLimitName) }),
    handler: async (request, reply) =>
      handler({
        params: request.params,
        query: request.query,
        body: request.body,
        ...(await findCallerOnce(request)),
        request,
        reply,
      } as unknown as OperationCall<Api[R]>),
  });
}

/**
 * The default rate limit. Storefront content has none, because it is the same for everyone and is served from memory.
 */
const chooseRateLimitName = (url: string) => (url.startsWith('/data/') ? undefined : 'other');

interface Caller {
  customer?: Customer;
  link?: UploadLink | undefined;
  contribution?: ContributorAccess;
}

async function findCaller(guards: Guards, { who, multipart }: Operation, request: FastifyRequest): Promise<Caller> {
  if (who === 'customer') return { customer: await guards.requireCustomer(request) };
  if (who === 'link')
    return { link: await (multipart ? guards.findUploadLink(request) : guards.requireUploadLink(request)) };
  if (who !== 'contributor') return {};
  const openCollectLink = await guards.requireCollectLink((request.params as { token: string }).token);
  const contributor = await guards.findContributor(request, openCollectLink);
  if (!contributor) throw new Refusal('first-name-needed');
  return { contribution: { collecting: openCollectLink, contributor } };
}

/** The schema of the error body without its OpenAPI id, so that each response can have its own description. */
const ErrorWithAnyCode = ErrorBody.extend({ code: z.string() });
/**
 * Schemas by description. Responses with the same refusals share one schema, because there are a thousand responses but
 * few different sets of refusals.
 */
const errorSchemasByDescription = new Map<string, typeof ErrorWithAnyCode>();
function getErrorSchema(codes: readonly Refusal['code'][]): typeof ErrorWithAnyCode {
  const description = [...new Set(codes)].join(', ');
  const knownSchema = errorSchemasByDescription.get(description);
  if (knownSchema) return knownSchema;
  const newSchema = ErrorWithAnyCode.meta({ description });
  errorSchemasByDescription.set(description, newSchema);
  return newSchema;
}
