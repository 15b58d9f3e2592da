import type { FastifyInstance } from 'fastify';
import type { Shop } from '../../shop.ts';
import type { CookieJar } from './cookies.ts';
import type { Guards } from './guards.ts';
import type { ProofOfWorkChecker } from './proof-of-work.ts';

/**
 * The input of every HTTP module: the Fastify app on which it mounts its routes, the services of the shop, and the
 * cookies.
 */
export interface HttpScope {
  app: FastifyInstance & { guards: Guards; proofsOfWork: ProofOfWorkChecker };
  shop: Shop;
  jar: CookieJar;
}
