import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** Marks a page's own calls to the API: they are the visitor's, but not the visitor's to be counted for. */
export const inProcessHeader = 'x-in-process';
export const inProcessKey = randomBytes(32).toString('hex');
export const isInProcess = ({ headers }: FastifyRequest) => headers[inProcessHeader] === inProcessKey;
