/**
 * Loaded before the shop (`node --import`): adds GET /bench/ready/… to its HTTP server, some pages as ready bytes behind
 * the same hooks. Plain JavaScript, because Node's TypeScript loader would add its own memory to what is measured.
 */
import { subscribe } from 'node:diagnostics_channel';

subscribe('fastify.initialization', (message) => {
  const { fastify } = /** @type {{ fastify: import('fastify').FastifyInstance }} */ (message);
  for (const path of ['/', '/product/kinframe', '/gallery']) {
    let ready = Buffer.alloc(0);
    fastify.get(`/bench/ready${path}`, async (_request, reply) => {
      if (ready.length === 0) ready = (await fastify.inject(path)).rawPayload;
      return reply.type('text/html; charset=utf-8').send(ready);
    });
  }
});
