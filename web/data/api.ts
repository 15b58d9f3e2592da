import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { $ZodType } from 'zod/v4/core';
import type { Api } from '#contract/api.ts';
import type { ApiResponse } from '../scope.ts';
import { visitorId } from './visitor.ts';

type Given<O, Key extends string> = O extends { [K in Key]: infer S extends $ZodType }
  ? { [K in Key]: z.input<S> }
  : unknown;
type Form<O> = O extends { multipart: true } ? { form: FormData } : unknown;
type Input<O> = Given<O, 'params'> & Given<O, 'query'> & Given<O, 'body'> & Form<O>;
type Rest<O> = unknown extends Input<O> ? [input?: undefined] : [input: Input<O>];
type Path<Verb extends string> = { [R in keyof Api]: R extends `${Verb} ${infer P}` ? P : never }[keyof Api];
/** What a route answers. */
export type Answer<R extends keyof Api> = z.output<Api[R]['response']>;
export interface AnyInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  form?: FormData;
}

export function urlOf(path: string, { params = {}, query: search = {} }: AnyInput = {}): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return text ? `${filled}?${text}` : filled;
}

/**
 * Query options of a GET. The key is the URL cut at its slashes, so that joining it gives the URL again. A 401 raises.
 */
export function query<P extends Path<'GET'>>(path: P, ...[input]: Rest<Api[`GET ${P}`]>) {
  return queryOptions<Answer<`GET ${P}`>, Error, Answer<`GET ${P}`>, string[]>({ queryKey: keyOf(path, input) });
}

/** The same, for data that only a signed-in visitor has: a 401 is the answer null. */
export function queryOrNull<P extends Path<'GET'>>(path: P, ...[input]: Rest<Api[`GET ${P}`]>) {
  return queryOptions<Answer<`GET ${P}`> | null, Error, Answer<`GET ${P}`> | null, string[]>({
    queryKey: keyOf(path, input),
    meta: { on401: 'null' },
  });
}

function keyOf(path: string, input: unknown): string[] {
  const [first, ...rest] = urlOf(path, input as AnyInput)
    .slice(1)
    .split('/');
  return [`/${first}`, ...rest];
}

/** Call any other operation: `send('POST /api/support-tickets', { body })`. */
export async function send<R extends keyof Api>(route: R, ...[input]: Rest<Api[R]>): Promise<Answer<R>> {
  const [method, path] = route.split(' ') as [string, string];
  const { body, form } = (input ?? {}) as AnyInput;
  const response = await fetch(urlOf(path, input as AnyInput), {
    method,
    ...requestInit(body !== undefined),
    ...(body === undefined ? form && { body: form } : { body: JSON.stringify(body) }),
  });
  return (await readJson(response)) as Answer<R>;
}

/** What every call carries: the visitor's label, cookies, and a JSON content type only where there is a JSON body. */
export const requestInit = (
  hasJsonBody = false,
): Omit<RequestInit, 'headers'> & { headers: Record<string, string> } => ({
  credentials: 'include',
  headers: { 'x-user-id': visitorId(), ...(hasJsonBody && { 'content-type': 'application/json' }) },
});

export async function readJson(response: ApiResponse): Promise<unknown> {
  if (response.ok) return response.json();
  throw new ApiError(response.status, (await response.text()) || response.statusText);
}

interface ErrorBody {
  message?: string;
  error?: string;
  code?: string;
  requestId?: string;
  fields?: Record<string, string>;
  details?: Record<string, unknown>;
}

/** An answer that is not OK. Its message is `STATUS: body`; what the shop said in it is read from `words` and `code`. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  /** How long the shop wants to be left alone, where it said so in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** As it came. */
  readonly text: string;
  readonly #body: ErrorBody;
  constructor(status: number, body: string, retryAfter?: string | null) {
    super(`${status}: ${body}`);
    this.status = status;
    this.text = body;
    this.retryAfterSeconds = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
    this.#body = parsed(body);
  }
  /** The shop's own words, when it answered in the agreed shape. */
  get words(): string | undefined {
    return this.#body.message ?? this.#body.error;
  }
  /** The refusal's name in the contract. */
  get code(): string | undefined {
    return this.#body.code;
  }
  get requestId(): string | undefined {
    return this.#body.requestId;
  }
  /** What the shop answered beside its words, by refusal. */
  get details(): Record<string, unknown> {
    return this.#body.details ?? {};
  }
  /** Words per form field, by dotted path. */
  get fields(): Record<string, string> {
    return this.#body.fields ?? {};
  }
}

function parsed(body: string): ErrorBody {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // a proxy's HTML page, or plain text: there are no words of ours in it
  }
}
