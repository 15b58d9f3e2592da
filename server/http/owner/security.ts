import type { FastifyRequest } from 'fastify';
import type { LetterOf } from '#contract/letters.ts';
import type { OwnersWay } from '#contract/owner/security.ts';
import { Refusal } from '#contract/refusals.ts';
import { endOtherOwnersSessions, endOwnersSession, ownersSessions } from '#shop/accounts/sessions.ts';
import { doOnRecord, recordAct } from '#shop/audit/audit.ts';
import type { Db } from '#shop/ports/database.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  secondFactorOf,
  switchOffSecondFactor,
} from '#shop/second-factor/second-factor.ts';
import { queueMail } from '#shop/mail/mail.ts';
import { hashOf } from '#shop/tokens/tokens.ts';
import type { Door } from '../door/door.ts';
import { isOwnersPassword, spendOwnersCode } from '../door/owners-door.ts';
import { deviceWords } from '../door/device-words.ts';
import { serve } from '../door/serve.ts';

export function ownerSecurityHttp({ app, shop, jar }: Door): void {
  const { db, clock, config } = shop;

  serve(app, 'GET /api/admin/security', async ({ request }) => {
    const sid = jar.read(request, 'admin-sid');
    const [sessions, factor] = await Promise.all([ownersSessions(db, clock), secondFactorOf(db)]);
    return {
      sessions: sessions.map(({ tokenHash, device, createdAt, lastSeenAt, way }) => ({
        id: tokenHash,
        device,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        isThis: sid !== undefined && tokenHash === hashOf(sid),
        by: way,
      })),
      secondFactor: {
        since: factor?.since.toISOString() ?? null,
        recoveryCodesLeft: factor?.recoveryCodesLeft ?? 0,
        isAsked: config.asksSecondFactor,
      },
    };
  });

  serve(app, 'DELETE /api/admin/sessions/:id', async ({ params, request, reply }) => {
    const sid = jar.read(request, 'admin-sid');
    await doing(request, 'end-admin-session', params.id, async (tx) => {
      if (!(await endOwnersSession(tx, params.id))) throw new Refusal('not-found');
    });
    if (sid !== undefined && params.id === hashOf(sid)) jar.clear(reply, 'admin-sid');
    return { message: 'That browser is signed out.' };
  });

  serve(app, 'POST /api/admin/sessions/end-others', async ({ request }) => {
    const ended = await doing(
      request,
      'end-other-admin-sessions',
      'owner',
      (tx) => endOtherOwnersSessions(tx, jar.read(request, 'admin-sid')),
      (count) => ({ ended: count }),
    );
    return { message: ended === 0 ? 'No other browser was signed in.' : 'Every other browser is signed out.' };
  });

  serve(app, 'POST /api/admin/second-factor', async ({ body, request }) => {
    await expectPassword(request, body.password);
    const secret = await doing(request, 'begin-second-factor', 'owner', (tx) => beginSecondFactor(tx, shop));
    const { name } = await shop.readContent('site');
    return { secret, address: shop.codes.addressOf(secret, name) };
  });

  serve(app, 'POST /api/admin/second-factor/confirm', async ({ body, request }) => ({
    recoveryCodes: await changing(request, 'second-factor-on', 'on', (tx) => confirmSecondFactor(tx, shop, body.code)),
    message: 'From now on signing in takes your password and a code of your app.',
  }));

  serve(app, 'POST /api/admin/second-factor/recovery-codes', async ({ body, request }) => {
    await expectPassword(request, body.password);
    await expectCode(request, body.code);
    const recoveryCodes = await changing(request, 'new-recovery-codes', 'new-recovery-codes', (tx) =>
      renewRecoveryCodes(tx, clock),
    );
    return { recoveryCodes, message: 'The recovery codes you had before open nothing any more.' };
  });

  serve(app, 'POST /api/admin/second-factor/off', async ({ body, request }) => {
    await expectPassword(request, body.password);
    await expectCode(request, body.code);
    await changing(request, 'second-factor-off', 'off', switchOffSecondFactor);
    return { message: 'From now on the password alone signs in.' };
  });

  const doing = <T>(
    request: FastifyRequest,
    act: string,
    subjectId: string,
    verb: (tx: Db) => Promise<T>,
    after?: (done: T) => unknown,
  ): Promise<T> => doOnRecord(shop, verb, (done) => ({ act, subjectId, after: after?.(done), requestId: request.id }));

  /** Of what it takes to get in the owner hears by mail, where whoever is at her panel cannot keep it from her. */
  async function changing<T>(
    request: FastifyRequest,
    act: string,
    what: LetterOf<'owner-second-step'>['what'],
    verb: (tx: Db) => Promise<T>,
  ): Promise<T> {
    const to = await shop.ownerEmail();
    return doing(request, act, 'owner', async (tx) => {
      const done = await verb(tx);
      const device = deviceWords(request.headers['user-agent']) ?? 'Not known';
      const happenedAt = clock.now().toISOString();
      await queueMail(tx, shop, {
        event: `owner-second-step:${request.id}`,
        to,
        content: { kind: 'owner-second-step', what, happenedAt, device, adminUrl: shop.link('/admin') },
      });
      return done;
    });
  }

  /** Whoever finds an open panel must not change what it takes to get in. */
  async function expectPassword(request: FastifyRequest, password: string): Promise<void> {
    if (await isOwnersPassword(shop, request, password)) return;
    await noteFailure(request, 'password');
    throw new Refusal('password-wrong');
  }
  async function expectCode(request: FastifyRequest, code: string | undefined): Promise<void> {
    if (!config.asksSecondFactor) return;
    if (!(await secondFactorOf(db))) throw new Refusal('second-factor-off');
    if (code !== undefined && (await spendOwnersCode(shop, request, code))) return;
    await noteFailure(request, 'password-and-code');
    throw new Refusal('code-wrong');
  }
  const noteFailure = (request: FastifyRequest, way: OwnersWay) =>
    recordAct(db, clock, { act: 'admin-proof-failed', after: { way }, requestId: request.id });
}
