import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Marks API calls that a page makes during rendering. They act for the visitor. Only calls with their own rate limit
 * count toward the visitor's limits.
 */
export const inProcessHeader = 'x-in-process';
export const inProcessKey = randomBytes(32).toString('hex');
export const isInProcess = ({ headers }: RequestHead) => headers[inProcessHeader] === inProcessKey;

/** Contains the request id of the page that makes the API call, so that the log shows both under the same id. */
export const pageIdHeader = 'x-page-request-id';
export const requestIdOf = (request: RequestHead): string =>
  isInProcess(request) ? String(request.headers[pageIdHeader]) : randomUUID();

interface RequestHead {
  headers: IncomingHttpHeaders;
}
