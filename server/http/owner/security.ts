import type { FastifyRequest } from 'fastify';
import type { PasskeyView } from '#contract/account.ts';
import type { LetterOf } from '#contract/letters.ts';
import { Refusal } from '#contract/refusals.ts';
import {
  endOtherOwnersSessions,
  endOwnersSession,
  recordReauthentication,
  ownersSessions,
} from '#shop/accounts/sessions.ts';
import { doWithAuditEntry, type AuditEntry } from '#shop/audit/audit.ts';
import {
  addOwnersPasskey,
  startOwnerPasskeyRegistration,
  nameOwnersPasskey,
  ownersPasskeys,
  removeOwnersPasskey,
  type OwnerPasskey,
} from '#shop/owner-passkeys/owner-passkeys.ts';
import type { Db } from '#shop/ports/database.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  secondFactorOf,
  switchOffSecondFactor,
} from '#shop/second-factor/second-factor.ts';
import { queueMail } from '#shop/mail/mail.ts';
import { hashToken } from '#shop/tokens/tokens.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { createOwnerStepUp } from '../common/owner-step-up.ts';
import { deviceText } from '../common/device-text.ts';
import { resetFirstCodeAttempts, checkFirstCode } from '../common/owner-attempts.ts';
import { mountOperation } from '../common/serve.ts';

export function ownerSecurityHttp({ app, shop, jar }: HttpScope): void {
  const { db, clock, config } = shop;
  // Changes of the second factor need the password again, so that someone who finds an open panel cannot make them.
  const { expectPassword, expectCode } = createOwnerStepUp({ shop, jar });

  mountOperation(app, 'GET /api/admin/security', async ({ request }) => {
    const sid = jar.read(request, 'admin-sid');
    const [sessions, factor, passkeys] = await Promise.all([
      ownersSessions(db, clock),
      secondFactorOf(db),
      ownersPasskeys(db),
    ]);
    return {
      sessions: sessions.map(({ tokenHash, device, createdAt, lastSeenAt, way }) => ({
        id: tokenHash,
        device,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        isThis: sid !== undefined && tokenHash === hashToken(sid),
        by: way,
      })),
      secondFactor: {
        since: factor?.since.toISOString() ?? null,
        recoveryCodesLeft: factor?.recoveryCodesLeft ?? 0,
        isAsked: config.asksSecondFactor,
      },
      passkeys: passkeys.map(passkeyView),
    };
  });

  mountOperation(app, 'DELETE /api/admin/sessions/:id', async ({ params, request, reply }) => {
    const sid = jar.read(request, 'admin-sid');
    await doing(request, 'end-admin-session', params.id, async (tx) => {
      if (!(await endOwnersSession(tx, params.id))) throw new Refusal('not-found');
    });
    if (sid !== undefined && params.id === hashToken(sid)) jar.clear(reply, 'admin-sid');
    return { message: 'That browser is signed out.' };
  });

  mountOperation(app, 'POST /api/admin/sessions/end-others', async ({ request }) => {
    const ended = await doing(
      request,
      'end-other-admin-sessions',
      'owner',
      (tx) => endOtherOwnersSessions(tx, jar.read(request, 'admin-sid')),
      (count) => ({ ended: count }),
    );
    return { message: ended === 0 ? 'No other browser was signed in.' : 'Every other browser is signed out.' };
  });

  mountOperation(app, 'POST /api/admin/passkeys/options', async ({ request }) => {
    const [{ name }, email] = await Promise.all([shop.readContent('site'), shop.ownerEmail()]);
    return doing(request, 'begin-passkey', 'owner', (tx) =>
      startOwnerPasskeyRegistration(tx, shop, { email, name: `${name} admin` }),
    );
  });

  mountOperation(app, 'POST /api/admin/passkeys', async ({ body, request }) => {
    // Undefined if the passkey was not added. The challenge is then still marked as used.
    const added = await changing<OwnerPasskey>(request, {
      act: 'add-passkey',
      verb: (tx) => addOwnersPasskey(tx, shop, body),
      letter: () => ({ what: 'passkey-added', name: body.name }),
      record: ({ id, name }) => ({ subjectId: id, after: { name } }),
    });
    if (!added) throw new Refusal('passkey-not-added');
    return passkeyView(added);
  });

  mountOperation(app, 'PUT /api/admin/passkeys/:id', async ({ params, body, request }) => {
    const { now } = await doWithAuditEntry(
      shop,
      (tx) => nameOwnersPasskey(tx, params.id, body.name),
      ({ before }) => ({
        act: 'name-passkey',
        subjectId: params.id,
        before: { name: before },
        after: { name: body.name },
        requestId: request.id,
      }),
    );
    return passkeyView(now);
  });

  mountOperation(app, 'DELETE /api/admin/passkeys/:id', async ({ params, request }) => {
    await changing<OwnerPasskey>(request, {
      act: 'remove-passkey',
      verb: (tx) => removeOwnersPasskey(tx, params.id),
      letter: ({ name }) => ({ what: 'passkey-removed', name }),
      record: ({ id, name }) => ({ subjectId: id, before: { name } }),
    });
    return { message: 'The passkey was removed. It can’t be used to sign in anymore.' };
  });

  mountOperation(app, 'POST /api/admin/second-factor', async ({ body, request }) => {
    await expectPassword(request, body.password);
    await resetFirstCodeAttempts(db);
    const sid = jar.read(request, 'admin-sid');
    const secret = await doing(request, 'begin-second-factor', 'owner', async (tx) => {
      // The password is also a proof for ten minutes, so that the owner can then confirm the first code.
      if (sid !== undefined) await recordReauthentication(tx, clock, sid);
      return beginSecondFactor(tx, shop);
    });
    const { name } = await shop.readContent('site');
    return { secret, address: shop.codes.addressOf(secret, name) };
  });

  mountOperation(app, 'POST /api/admin/second-factor/confirm', async ({ body, request }) => ({
    recoveryCodes: await checkFirstCode(shop, () =>
      changingStep(request, 'second-factor-on', 'on', (tx) => confirmSecondFactor(tx, shop, body.code)),
    ),
    message: 'From now on, you sign in with your password and a code from your app.',
  }));

  mountOperation(app, 'POST /api/admin/second-factor/recovery-codes', async ({ body, request }) => {
    await expectPassword(request, body.password);
    if (config.asksSecondFactor) await expectCode(request, body.code);
    const recoveryCodes = await changingStep(request, 'new-recovery-codes', 'new-recovery-codes', (tx) =>
      renewRecoveryCodes(tx, clock),
    );
    return { recoveryCodes, message: 'Your old recovery codes don’t work anymore.' };
  });

  mountOperation(app, 'POST /api/admin/second-factor/off', async ({ body, request }) => {
    await expectPassword(request, body.password);
    if (config.asksSecondFactor) await expectCode(request, body.code);
    await changingStep(request, 'second-factor-off', 'off', switchOffSecondFactor);
    return { message: 'From now on, you only need your password to sign in.' };
  });

  const doing = <T>(
    request: FastifyRequest,
    act: string,
    subjectId: string,
    verb: (tx: Db) => Promise<T>,
    after?: (done: T) => unknown,
  ): Promise<T> =>
    doWithAuditEntry(shop, verb, (done) => ({ act, subjectId, after: after?.(done), requestId: request.id }));

  /**
   * Runs a change of the sign-in in one transaction with a mail to the owner and an audit entry. Someone who finds an
   * open panel cannot prevent the mail.
   */
  async function changing<T>(
    request: FastifyRequest,
    { act, verb, letter, record }: Change<T>,
  ): Promise<T | undefined> {
    const to = await shop.ownerEmail();
    const change = async (tx: Db) => {
      const done = await verb(tx);
      if (done === undefined) return undefined;
      const device = deviceText(request.headers['user-agent']) ?? 'Not known';
      const happenedAt = clock.now().toISOString();
      await queueMail(tx, shop, {
        event: `owner-second-step:${request.id}`,
        to,
        content: { kind: 'owner-second-step', ...letter(done), happenedAt, device, adminUrl: shop.link('/admin') },
      });
      return done;
    };
    return doWithAuditEntry(shop, change, (done) =>
      done === undefined ? undefined : { act, requestId: request.id, ...record(done) },
    );
  }
  const changingStep = async <T>(
    request: FastifyRequest,
    act: string,
    what: Letter['what'],
    verb: (tx: Db) => Promise<T>,
  ): Promise<T> => {
    const change = async (tx: Db) => ({ done: await verb(tx) });
    const record = () => ({ subjectId: 'owner' });
    return (await changing(request, { act, letter: () => ({ what }), verb: change, record }))!.done;
  };
}

type Letter = LetterOf<'owner-second-step'>;
interface Change<T> {
  act: string;
  /** Makes the change. Returns undefined if nothing was changed: then nothing is mailed and recorded. */
  verb: (tx: Db) => Promise<T | undefined>;
  letter: (done: T) => Pick<Letter, 'what' | 'name'>;
  record: (done: T) => Omit<AuditEntry, 'act' | 'requestId'>;
}

const passkeyView = ({ id, name, isSynced, createdAt, lastUsedAt }: OwnerPasskey): PasskeyView => ({
  id,
  name,
  isSynced,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
