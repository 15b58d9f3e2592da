import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Marks a page's own calls to the API: they are the visitor's, but not the visitor's to be counted for. */
export const inProcessHeader = 'x-in-process';
export const inProcessKey = randomBytes(32).toString('hex');
export const isInProcess = ({ headers }: Asked) => headers[inProcessHeader] === inProcessKey;

/** Of the page that calls, by which the line of the log is found that says what became of it. */
export const pageIdHeader = 'x-page-request-id';
export const requestIdOf = (request: Asked): string =>
  isInProcess(request) ? String(request.headers[pageIdHeader]) : randomUUID();

interface Asked {
  headers: IncomingHttpHeaders;
}
