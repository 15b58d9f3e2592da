import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/refusals.ts';
import type { OwnersWay } from '#contract/owner/security.ts';
import { passwordFits } from '#shop/accounts/passwords.ts';
import { beginSession, endSession } from '#shop/accounts/sessions.ts';
import { countSignIn, forgiveSignIn } from '#shop/accounts/sign-in-delay.ts';
import { recordAct } from '#shop/audit/audit.ts';
import type { Clock } from '#shop/ports/clock.ts';
import type { Db } from '#shop/ports/database.ts';
import type { OneTimeCodes } from '#shop/ports/one-time-codes.ts';
import { spendCode } from '#shop/second-factor/second-factor.ts';
import type { CookieJar } from './cookies.ts';
import type { Guards } from './guards.ts';
import { deviceWords } from './device-words.ts';

interface Scope {
  db: Db;
  clock: Clock;
}

/** Whether this is the owner's password. Tries that were wrong make the next one of their address wait. */
export async function isOwnersPassword(
  { db, clock, adminPasswordHash }: Scope & { adminPasswordHash: string },
  request: FastifyRequest,
  password: string,
): Promise<boolean> {
  const tried = [`admin:${request.ip}`];
  await wait(await countSignIn(db, clock, tried));
  const fits = await passwordFits(password, adminPasswordHash);
  if (fits) await forgiveSignIn(db, tried);
  return fits;
}

/** Use up a code of the second factor: what it was, or undefined. Wrong ones make the next one wait, wherever it comes from. */
export async function spendOwnersCode(
  { db, clock, codes }: Scope & { codes: OneTimeCodes },
  request: FastifyRequest,
  code: string,
) {
  const tried = ['admin-code', `admin-code:${request.ip}`];
  await wait(await countSignIn(db, clock, tried));
  const spent = await spendCode(db, { clock, codes }, code);
  if (spent) await forgiveSignIn(db, tried);
  return spent;
}

/** Who comes in as the owner, and who is turned away, by whichever way: both are written down. */
export function ownersDoor({ db, clock, jar }: Scope & { jar: CookieJar }) {
  async function endBrought(tx: Db, request: FastifyRequest): Promise<void> {
    const brought = jar.read(request, 'admin-sid');
    if (brought !== undefined) await endSession(tx, brought);
  }
  const turnAway = (request: FastifyRequest, way: OwnersWay, why?: string): Promise<void> =>
    recordAct(db, clock, { act: 'admin-sign-in-failed', after: { way, why }, requestId: request.id });
  return {
    endBrought,
    /** A new session under a new token; the one the browser came with ends. */
    admit: async (request: FastifyRequest, reply: FastifyReply, way: OwnersWay): Promise<void> => {
      const device = deviceWords(request.headers['user-agent']);
      const session = await db.transaction(async (tx) => {
        await endBrought(tx, request);
        await recordAct(tx, clock, { act: 'admin-sign-in', after: { way }, requestId: request.id });
        return beginSession(tx, clock, { kind: 'admin', way, device });
      });
      jar.set(reply, 'admin-sid', session.token, session.maxAgeSeconds);
    },
    turnAway,
    /** Nobody tries to sign in from where the owner may not be without her reading of it. */
    expectAllowedAddress: async (guards: Pick<Guards, 'isAllowedAddress'>, request: FastifyRequest, way: OwnersWay) => {
      if (guards.isAllowedAddress(request)) return;
      await turnAway(request, way, 'address-not-allowed');
      throw new Refusal('address-not-allowed');
    },
  };
}
