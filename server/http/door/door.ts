import type { FastifyInstance } from 'fastify';
import type { Shop } from '../../shop.ts';
import type { CookieJar } from './cookies.ts';
import type { Guards } from './guards.ts';

/** What every file of handlers gets: the HTTP app to mount on, the shop behind it, and the cookies. */
export interface Door {
  app: FastifyInstance & { guards: Guards };
  shop: Shop;
  jar: CookieJar;
}
