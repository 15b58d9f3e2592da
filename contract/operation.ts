import type { $ZodType } from 'zod/v4/core';
import type { RefusalName } from './refusals.ts';

/**
 * Who may call. `customer` and `admin` need that session; `link` needs a valid upload-link token (query, field or the
 * cookie it was exchanged for); `contributor` needs a collect link's token in the path and the cookie of who gave a first
 * name there; `anyone` may call, and what they see still depends on what they can prove.
 */
export type Who = 'anyone' | 'customer' | 'admin' | 'link' | 'contributor';

/** Counters of calls from one address; the numbers stand in limits.ts. */
export type RateName = keyof typeof import('./limits.ts').rateLimits;

/** One HTTP operation: what it takes, what it answers, and every expected no by name. */
export interface Operation {
  readonly summary: string;
  readonly who: Who;
  readonly params?: $ZodType;
  readonly query?: $ZodType;
  readonly body?: $ZodType;
  /** The body is multipart/form-data; the handler reads its parts. */
  readonly multipart?: true;
  /** The body is a piece of a file (application/offset+octet-stream); the handler reads it. */
  readonly piece?: true;
  /** Of a good answer; 200 unless said. */
  readonly status?: 201 | 204;
  readonly response: $ZodType;
  readonly refusals?: readonly RefusalName[];
  /** A stricter counter than the one for all calls. */
  readonly rate?: RateName;
}
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Operations by "METHOD /path"; paths live under /api and /data only. */
export type Operations = { readonly [route: `${Method} /${'api' | 'data'}/${string}`]: Operation };
