import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { Refusal, refusals, type PlainRefusalName } from '#contract/refusals.ts';
import { isDatabaseOutage } from '#adapters/database/outage.ts';
import { isStorageFullCode } from '#adapters/storage/storage-full.ts';
import { StorageFull, StorageMissing, StorageUnavailable } from '#shop/ports/storage.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if people open this route in a browser: its errors are plain text instead of JSON. */
    isPage?: boolean;
  }
}

/** Answer every error in the format of specification 3, Forms and mail: a message, a code and the request's id. */
export function mountErrorResponses(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof Refusal) {
      if (error.cause !== undefined) request.log.warn({ err: error.cause }, error.code);
      if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
      return sendRefusal(request, reply, error);
    }
    if (request.socket.destroyed) return reply.code(400).send(); // the visitor has disconnected: no one reads this
    if (hasZodFastifySchemaValidationErrors(error)) {
      const fields: Record<string, string> = {};
      for (const { instancePath, message } of error.validation)
        fields[instancePath.split('/').filter(Boolean).join('.') || 'body'] ??= message ?? '';
      const text = Object.values(fields).find((it) => !isForProgrammers(it)) ?? refusals['invalid-request'].words;
      return sendError(request, reply, 400, 'invalid-request', text, { fields });
    }
    if (error.code && error.code in refusalsByFastifyCode)
      return sendRefusal(request, reply, new Refusal(refusalsByFastifyCode[error.code]!));
    if (error instanceof StorageMissing) {
      request.log.warn({ err: error }, 'a stored file is gone');
      return sendRefusal(request, reply, new Refusal('not-found'));
    }
    if (error instanceof StorageFull || isStorageFullCode(error.code)) {
      request.log.error({ err: error }, 'no room');
      return sendRefusal(request, reply, new Refusal('storage-full'));
    }
    if (isDependencyUnavailable(error)) {
      request.log.error({ err: error }, 'a part of the shop cannot be reached');
      reply.header('retry-after', '30');
      return sendRefusal(request, reply, new Refusal('unavailable'));
    }
    const status = error.statusCode ?? 500;
    if (status >= 400 && status < 500)
      return sendError(request, reply, status, 'invalid-request', getMessageForStatus(status));
    request.log.error({ err: error }, 'unexpected error');
    return sendRefusal(request, reply, new Refusal('unexpected'));
  });
}

/**
 * True for a default message of the validator, used where the contract has no message. Such messages are listed by
 * field, but never shown to customers.
 */
const isForProgrammers = (words: string) => /^(Invalid|Too (big|small)|Unrecognized|Expected)\b/.test(words);

const refusalsByFastifyCode: Record<string, PlainRefusalName> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'json-needed',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_REQ_FILE_TOO_LARGE: 'body-too-large',
  FST_FILES_LIMIT: 'body-too-large',
  FST_PARTS_LIMIT: 'body-too-large',
  FST_FIELDS_LIMIT: 'body-too-large',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'no-file',
};

const getMessageForStatus = (status: number) =>
  status === 404
    ? refusals['not-found'].words
    : status === 413
      ? refusals['body-too-large'].words
      : refusals['invalid-request'].words;

export const sendRefusal = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) =>
  sendError(request, reply, refusal.status, refusal.code, refusal.message, { details: refusal.details });

function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  code: string,
  words: string,
  more: Pick<ErrorFacts, 'fields' | 'details'> = {},
) {
  const { id: requestId } = request;
  reply.code(status);
  if (!request.routeOptions.config?.isPage)
    return reply.type('application/json; charset=utf-8').send(createErrorBody({ code, words, requestId, ...more }));
  // Answer in plain text, because the error may come from rendering pages.
  const requestIdNote = status < 500 ? '' : `\n\nIf you contact us, please mention ${requestId}.`;
  return reply.type('text/plain; charset=utf-8').send(words + requestIdNote);
}

interface ErrorFacts {
  code: string;
  words: string;
  requestId: string;
  fields?: Record<string, string> | undefined;
  details?: Record<string, unknown> | undefined;
}
const createErrorBody = ({ words, ...facts }: ErrorFacts) =>
  JSON.stringify({ success: false, message: words, error: words, ...facts });

/**
 * Answer a client whose bytes are not a complete request: they are not HTTP, the headers are too long, or the client
 * stopped sending.
 */
export function answerMalformedRequest(this: FastifyInstance, error: { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const code = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'too-slow' : 'invalid-request';
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : refusals[code].status;
  const requestId = randomUUID();
  this.log.info({ reqId: requestId, status, code: error.code }, 'unreadable request');
  const body = createErrorBody({ code, words: refusals[code].words, requestId });
  const responseHead = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
  ];
  socket.end(`${responseHead.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** True if the database, the file store or the mail server does not respond. */
function isDependencyUnavailable(error: unknown): boolean {
  if (isDatabaseOutage(error)) return true;
  for (let it = error; it instanceof Error; it = it.cause)
    if (it instanceof StorageUnavailable || it.name === 'TimeoutError') return true;
  return false;
}
