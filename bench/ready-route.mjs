/**
 * Loaded before the shop (`node --import`): adds GET /bench/ready to its HTTP server, the home page as ready bytes behind
 * the same hooks. Plain JavaScript, because Node's TypeScript loader would add its own memory to what is measured.
 */
import { subscribe } from 'node:diagnostics_channel';

subscribe('fastify.initialization', (message) => {
  const { fastify } = /** @type {{ fastify: import('fastify').FastifyInstance }} */ (message);
  let ready = Buffer.alloc(0);
  fastify.addHook('onListen', async () => {
    ready = (await fastify.inject('/')).rawPayload;
  });
  fastify.get('/bench/ready', (_request, reply) => reply.type('text/html; charset=utf-8').send(ready));
});
