/**
 * A server whose routes fail in every way that no handler catches. It runs in a separate process for
 * request-errors.test.ts.
 */
import { createReadStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify';
import { mountErrorResponses } from '#server/http/common/errors.ts';
import { endRequestOfError, bindErrorsToRequests } from '#server/http/common/request-errors.ts';
import { createLog } from '#server/log.ts';

const waitForever = () => new Promise<never>(() => {});
const throwError = () => {
  throw new Error('an uncaught error');
};
const rejectAfterResponse = async () => {
  await sleep(5);
  throwError();
};
const pipeIntoFailingStream = (request: FastifyRequest) => {
  const copy = new PassThrough();
  request.raw.once('close', () => copy.destroy(new Error('a stream error without a listener')));
  request.raw.pipe(copy);
};

const faultHandlers: Record<string, (request: FastifyRequest, reply: FastifyReply) => unknown> = {
  'a promise that is not awaited': async () => {
    void rejectAfterResponse();
    return waitForever();
  },
  'a promise that is not awaited, while the handler goes on': async () => {
    void rejectAfterResponse();
    await sleep(50);
    return 'done';
  },
  'a timer': () => void setTimeout(throwError, 5),
  'a stream without a listener': () => void createReadStream('/there/is/no/such/file'),
  'a listener of the body': ({ raw }) => void raw.on('data', throwError),
  'a listener of the end of the body': ({ raw }) => void raw.resume().on('end', throwError),
  'a listener of the connection’s end': ({ raw }) => void raw.on('close', throwError),
  'a listener of the answer’s end': (_request, { raw }) => void raw.on('close', throwError),
  'a stream torn by the connection’s end': pipeIntoFailingStream,
  'after half an answer': (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-length': 100 });
    reply.raw.write('half');
    setTimeout(throwError, 5);
  },
  'after the answer': (_request, reply) => {
    setTimeout(throwError, 30);
    return reply.send('done');
  },
  'no error at all': async () => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- some libraries do
    void Promise.reject('words');
    return waitForever();
  },
};

const log: FastifyBaseLogger = createLog('error');
const app = fastify({ loggerInstance: log });
mountErrorResponses(app);
bindErrorsToRequests(app);
app.addContentTypeParser('application/octet-stream', (_request, _body, done) => done(null));
app.post<{ Params: { fault: string } }>('/:fault', (request, reply) => {
  void faultHandlers[request.params.fault]!(request, reply);
  return ['after the answer', 'after half an answer'].includes(request.params.fault) ? reply : waitForever();
});
app.get('/alive', async () => 'yes');
/** Throws outside of any request: while this request is in progress, but not because of it. */
let throwInTimer: () => void;
setInterval(() => throwInTimer?.(), 5);
app.get('/shared', async () => {
  throwInTimer = throwError;
  return waitForever();
});

process.on('uncaughtException', (error) => {
  if (!endRequestOfError(error)) process.exit(1);
});
await app.listen({ port: Number(process.env['PORT']) });
process.send!({ faults: Object.keys(faultHandlers) });
