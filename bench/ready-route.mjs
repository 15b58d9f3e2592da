/**
 * Loaded before the shop with `node --import`. Adds GET /bench/ready/… to its HTTP server: some pages as prepared bytes
 * behind the same hooks. Plain JavaScript, because Node's TypeScript loader would use memory that is then measured.
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
