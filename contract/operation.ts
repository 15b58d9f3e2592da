import type { $ZodType } from 'zod/v4/core';
import type { PanelArea } from './owner/areas.ts';
import type { RefusalName } from './refusals.ts';

/**
 * Who may send the request. `customer` needs a session of that kind, and `admin` a session of the panel whose role may
 * use the operation's area. `link` needs a valid upload-link token (from the query, a field or the cookie that it was
 * exchanged for). `contributor` needs a collect link's token in the
 * path and the cookie of a person who entered a first name there. `anyone` may send it, but the response can still
 * depend on the sender's session or tokens.
 */
export type CallerRole = 'anyone' | 'customer' | 'admin' | 'link' | 'contributor';

/** The names of the rate limits in limits.ts. */
export type RateLimitName = keyof typeof import('./limits.ts').rateLimits;

/** One HTTP operation: its input, its response, and the names of all expected refusals. */
export type Operation = OperationDefinition & Caller;

/** An operation of the panel names its area. The type refuses an operation that does not. */
type Caller =
  | { readonly who: 'admin'; readonly area: PanelArea }
  | { readonly who: Exclude<CallerRole, 'admin'>; readonly area?: never };

interface OperationDefinition {
  readonly summary: string;
  readonly params?: $ZodType;
  readonly query?: $ZodType;
  readonly body?: $ZodType;
  /** The body is multipart/form-data; the handler reads its parts. */
  readonly multipart?: true;
  /** The body is a piece of an upload (application/offset+octet-stream); the handler reads it. */
  readonly piece?: true;
  /** The status of a successful response. The default is 200. */
  readonly status?: 201 | 204;
  readonly response: $ZodType;
  readonly refusals?: readonly RefusalName[];
  /** The rate limit of the operation. The default is `other`; paths under /data have none. */
  readonly rate?: RateLimitName;
  readonly stepUp?: StepUp;
}

/**
 * For admin operations that need more than a signed-in browser: a proof of identity (password, code or passkey) from
 * the last ten minutes.
 *
 * - `true`: a request with the admin key counts as proof, so that scripts keep working.
 * - `person`: the admin key is not enough; a person in a browser must prove their identity.
 * - `in-body`: the request body itself contains the proof.
 */
export type StepUp = true | 'person' | 'in-body';

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Operations by "METHOD /path". Paths start with /api or /data. */
export type Operations = { readonly [route: `${Method} /${'api' | 'data'}/${string}`]: Operation };
