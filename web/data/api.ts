import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { $ZodType } from 'zod/v4/core';
import type { Api } from '#contract/api.ts';
import type { ApiResponse } from '../page-context.ts';
import { visitorId } from './visitor.ts';

type InputField<O, Key extends string> = O extends { [K in Key]: infer S extends $ZodType }
  ? { [K in Key]: z.input<S> }
  : unknown;
type Form<O> = O extends { multipart: true } ? { form: FormData } : unknown;
type EndpointInput<O> = InputField<O, 'params'> & InputField<O, 'query'> & InputField<O, 'body'> & Form<O>;
/** `keepalive`: the request continues after the visitor leaves the page. */
type InputArgs<O> =
  unknown extends EndpointInput<O> ? [input?: undefined] : [input: EndpointInput<O> & { keepalive?: true }];
type Path<Verb extends string> = { [R in keyof Api]: R extends `${Verb} ${infer P}` ? P : never }[keyof Api];
/** The response body of a route. */
export type ApiResponseBody<R extends keyof Api> = z.output<Api[R]['response']>;
export interface AnyInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  form?: FormData;
  keepalive?: true;
}

export function buildUrl(path: string, { params = {}, query: search = {} }: AnyInput = {}): string {
  const filledPath = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const givenEntries = Object.entries(search).filter(([, value]) => value !== undefined);
  const queryString = new URLSearchParams(givenEntries.map(([key, value]) => [key, String(value)])).toString();
  return queryString ? `${filledPath}?${queryString}` : filledPath;
}

/**
 * Query options of a GET request. The key is the URL split at its slashes, so that joining the key gives the URL again.
 * A 401 throws.
 */
export function query<P extends Path<'GET'>>(path: P, ...[input]: InputArgs<Api[`GET ${P}`]>) {
  return queryOptions<ApiResponseBody<`GET ${P}`>, Error, ApiResponseBody<`GET ${P}`>, string[]>({
    queryKey: createQueryKey(path, input),
  });
}

/** Query options of a GET request for data that only a signed-in visitor has. A 401 returns null. */
export function queryOrNullOn401<P extends Path<'GET'>>(path: P, ...[input]: InputArgs<Api[`GET ${P}`]>) {
  return queryOptions<ApiResponseBody<`GET ${P}`> | null, Error, ApiResponseBody<`GET ${P}`> | null, string[]>({
    queryKey: createQueryKey(path, input),
    meta: { on401: 'null' },
  });
}

function createQueryKey(path: string, input: unknown): string[] {
  const [first, ...rest] = buildUrl(path, input as AnyInput)
    .slice(1)
    .split('/');
  return [`/${first}`, ...rest];
}

/**
 * The owner's routes that can require a step-up, which is a second proof of identity. The admin panel calls them with
 * `sendWithStepUp`, because `send` cannot ask for the step-up.
 */
type NeedsProof = { [R in keyof Api]: Api[R] extends { stepUp: true | 'person' } ? R : never }[keyof Api];

/** Sends a request to any route that needs no step-up: `send('POST /api/support-tickets', { body })`. */
export const send = <R extends Exclude<keyof Api, NeedsProof>>(
  route: R,
  ...[input]: InputArgs<Api[R]>
): Promise<ApiResponseBody<R>> => sendUntyped(route, input) as Promise<ApiResponseBody<R>>;

export type RouteInput<R extends keyof Api> = InputArgs<Api[R]>;
export async function sendUntyped(route: keyof Api, input: AnyInput | undefined): Promise<unknown> {
  const [method, path] = route.split(' ') as [string, string];
  const { body, form, keepalive } = input ?? {};
  const { headers, ...init } = createRequestInit(body !== undefined);
  const call = async (more: Record<string, string> = {}) => {
    const response = await fetch(buildUrl(path, input), {
      method,
      ...init,
      headers: { ...headers, ...more },
      ...(keepalive && { keepalive }),
      ...(body === undefined ? form && { body: form } : { body: JSON.stringify(body) }),
    });
    return readJson(response);
  };
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof-of-work-needed') throw error;
    // Load this code only when it is needed, because few visitors need it.
    const { callWithProofOfWork } = await import('./proof-of-work.ts');
    return callWithProofOfWork(call, error);
  }
}

/** Every API request sends the visitor id and cookies. It has a JSON content type only if it has a JSON body. */
export const createRequestInit = (
  hasJsonBody = false,
): Omit<RequestInit, 'headers'> & { headers: Record<string, string> } => ({
  credentials: 'include',
  headers: { 'x-user-id': visitorId(), ...(hasJsonBody && { 'content-type': 'application/json' }) },
});

export async function readJson(response: ApiResponse): Promise<unknown> {
  if (response.ok) return response.json();
  const body = (await response.text()) || response.statusText;
  throw new ApiError(response.status, body, response.headers?.get('retry-after'));
}

interface ErrorBody {
  message?: string;
  error?: string;
  code?: string;
  requestId?: string;
  fields?: Record<string, string>;
  details?: Record<string, unknown>;
}

/** A response that is not OK. Its message is `STATUS: body`; `words` and `code` read the API's error from the body. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** The Retry-After header, if the response has one in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** The response body, unparsed. */
  readonly text: string;
  readonly #body: ErrorBody;
  constructor(status: number, body: string, retryAfter?: string | null) {
    super(`${status}: ${body}`);
    this.status = status;
    this.text = body;
    this.retryAfterSeconds = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
    this.#body = parseErrorBody(body);
  }
  /** The error message for the visitor, when the body has the contract's error format. */
  get words(): string | undefined {
    return this.#body.message ?? this.#body.error;
  }
  /** The refusal's code in the contract. */
  get code(): string | undefined {
    return this.#body.code;
  }
  get requestId(): string | undefined {
    return this.#body.requestId;
  }
  /** The details of the refusal. Their fields depend on the refusal's code. */
  get details(): Record<string, unknown> {
    return this.#body.details ?? {};
  }
  /** Error messages of form fields, by dotted path. */
  get fields(): Record<string, string> {
    return this.#body.fields ?? {};
  }
}

function parseErrorBody(body: string): ErrorBody {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // a proxy's HTML page or plain text: it contains no error message of the API
  }
}
