/** The shop's own door with one more address: a ready string of the home page's size. For the bench alone. */
import pino from 'pino';
import { createApp } from '../server/app.ts';
import { readConfig } from '../server/config.ts';
import { servePages } from '../server/pages.ts';
import { openShop } from '../server/shop.ts';

const config = readConfig(process.env);
const shop = await openShop(config, pino({ level: 'warn' }));
let ready = '';
const app = await createApp(shop, {
  servePages: async (door) => {
    door.app.get('/bench/ready', (_request, reply) => reply.type('text/html; charset=utf-8').send(ready));
    await servePages(door);
  },
});
ready = 'x'.repeat((await app.inject({ url: '/?bench' })).rawPayload.length);
await app.listen({ port: config.port, host: config.host });
process.on('SIGTERM', () => process.exit(0));
