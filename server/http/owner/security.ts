import type { FastifyRequest } from 'fastify';
import type { PasskeyView } from '#contract/account.ts';
import type { EmailOf } from '#contract/emails.ts';
import { Refusal } from '#contract/refusals.ts';
import type { AuditAct } from '#contract/owner/audit.ts';
import {
  endOtherPanelSessions,
  endPanelSession,
  readPanelSessions,
  recordReauthentication,
} from '#shop/accounts/sessions.ts';
import { doWithAuditEntry, type AuditEntry } from '#shop/audit/audit.ts';
import {
  addOwnersPasskey,
  startOwnerPasskeyRegistration,
  nameOwnersPasskey,
  readPasskeysOf,
  removeOwnersPasskey,
  type OwnerPasskey,
} from '#shop/owner-passkeys/owner-passkeys.ts';
import type { Db } from '#shop/ports/database.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  readSecondFactor,
  switchOffSecondFactor,
} from '#shop/second-factor/second-factor.ts';
import { queueMail } from '#shop/mail/mail.ts';
import { hashToken } from '#shop/tokens/tokens.ts';
import { getAuditAuthor, personOf } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { createOwnerStepUp } from '../common/owner-step-up.ts';
import { describeDevice } from '../common/device-text.ts';
import { resetFirstCodeAttempts, checkFirstCode } from '../common/owner-attempts.ts';
import { createPanelPeople, isOwner, staffIdOf } from '../common/panel-people.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerSecurityRoutes({ app, shop, jar }: HttpScope): void {
  const { db, clock, config } = shop;
  const panelPeople = createPanelPeople(shop);
  // Changes of the second factor need the password again, so that someone who finds an open panel cannot make them.
  const { expectPassword, expectCode } = createOwnerStepUp({ shop, jar });

  mountOperation(app, 'GET /api/admin/security', async ({ request }) => {
    const sid = jar.read(request, 'admin-sid');
    const person = personOf(request);
    const [sessions, factor, passkeys, hasPassword] = await Promise.all([
      readPanelSessions(db, clock, staffIdOf(person)),
      readSecondFactor(db, person.id),
      readPasskeysOf(db, person.id),
      panelPeople.hasPassword(person),
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
        isAsked: config.asksSecondFactor || !isOwner(person),
        isRequired: !isOwner(person),
      },
      hasPassword,
      passkeys: passkeys.map(passkeyView),
    };
  });

  mountOperation(app, 'DELETE /api/admin/sessions/:id', async ({ params, request, reply }) => {
    const sid = jar.read(request, 'admin-sid');
    await changeAndRecordInTransaction(request, 'end-admin-session', params.id, async (tx) => {
      if (!(await endPanelSession(tx, staffIdOf(personOf(request)), params.id))) throw new Refusal('not-found');
    });
    if (sid !== undefined && params.id === hashToken(sid)) jar.clear(reply, 'admin-sid');
    return { message: 'That browser is signed out.' };
  });

  mountOperation(app, 'POST /api/admin/sessions/end-others', async ({ request }) => {
    const endedSessions = await changeAndRecordInTransaction(
      request,
      'end-other-admin-sessions',
      personOf(request).id,
      (tx) => endOtherPanelSessions(tx, staffIdOf(personOf(request)), jar.read(request, 'admin-sid')),
      (count) => ({ ended: count }),
    );
    return { message: endedSessions === 0 ? 'No other browser was signed in.' : 'Every other browser is signed out.' };
  });

  mountOperation(app, 'POST /api/admin/passkeys/options', async ({ request }) => {
    const { id } = personOf(request);
    const [{ name }, email] = await Promise.all([shop.readContent('site'), panelPeople.emailOf(personOf(request))]);
    return changeAndRecordInTransaction(request, 'begin-passkey', id, (tx) =>
      startOwnerPasskeyRegistration(tx, shop, { account: id, email, name: `${name} admin` }),
    );
  });

  mountOperation(app, 'POST /api/admin/passkeys', async ({ body, request }) => {
    // Undefined if the passkey was not added. The challenge is then still marked as used.
    const addedPasskey = await changeAndMail<OwnerPasskey>(request, {
      act: 'add-passkey',
      verb: (tx) => addOwnersPasskey(tx, shop, personOf(request).id, body),
      emailContent: () => ({ what: 'passkey-added', name: body.name }),
      record: ({ id, name }) => ({ subjectId: id, after: { name } }),
    });
    if (!addedPasskey) throw new Refusal('passkey-not-added');
    return passkeyView(addedPasskey);
  });

  mountOperation(app, 'PUT /api/admin/passkeys/:id', async ({ params, body, request }) => {
    const { now } = await doWithAuditEntry(
      shop,
      (tx) => nameOwnersPasskey(tx, personOf(request).id, params.id, body.name),
      ({ before }) => ({
        act: 'name-passkey',
        subjectId: params.id,
        before: { name: before },
        after: { name: body.name },
        ...getAuditAuthor(request),
      }),
    );
    return passkeyView(now);
  });

  mountOperation(app, 'DELETE /api/admin/passkeys/:id', async ({ params, request }) => {
    const mayBeLast = await panelPeople.hasPassword(personOf(request));
    await changeAndMail<OwnerPasskey>(request, {
      act: 'remove-passkey',
      verb: (tx) => removeOwnersPasskey(tx, personOf(request).id, params.id, { mayBeLast }),
      emailContent: ({ name }) => ({ what: 'passkey-removed', name }),
      record: ({ id, name }) => ({ subjectId: id, before: { name } }),
    });
    return { message: 'The passkey was removed. It can’t be used to sign in anymore.' };
  });

  mountOperation(app, 'POST /api/admin/second-factor', async ({ body, request }) => {
    await expectPassword(request, body.password);
    const { id } = personOf(request);
    await resetFirstCodeAttempts(db, id);
    const sid = jar.read(request, 'admin-sid');
    const secret = await changeAndRecordInTransaction(request, 'begin-second-factor', id, async (tx) => {
      // The password is also a proof for ten minutes, so that the owner can then confirm the first code.
      if (sid !== undefined) await recordReauthentication(tx, clock, sid);
      return beginSecondFactor(tx, shop, id);
    });
    const { name } = await shop.readContent('site');
    return { secret, address: shop.codes.addressOf(secret, name) };
  });

  mountOperation(app, 'POST /api/admin/second-factor/confirm', async ({ body, request }) => ({
    recoveryCodes: await checkFirstCode(shop, personOf(request).id, () =>
      changeSecondStep(request, 'second-factor-on', 'on', (tx) =>
        confirmSecondFactor(tx, shop, personOf(request).id, body.code),
      ),
    ),
    message: 'From now on, you sign in with your password and a code from your app.',
  }));

  mountOperation(app, 'POST /api/admin/second-factor/recovery-codes', async ({ body, request }) => {
    await expectPassword(request, body.password);
    if (needsCode(request)) await expectCode(request, body.code);
    const recoveryCodes = await changeSecondStep(request, 'new-recovery-codes', 'new-recovery-codes', (tx) =>
      renewRecoveryCodes(tx, clock, personOf(request).id),
    );
    return { recoveryCodes, message: 'Your old recovery codes don’t work anymore.' };
  });

  mountOperation(app, 'POST /api/admin/second-factor/off', async ({ body, request }) => {
    if (!isOwner(personOf(request))) throw new Refusal('second-step-required');
    await expectPassword(request, body.password);
    if (needsCode(request)) await expectCode(request, body.code);
    await changeSecondStep(request, 'second-factor-off', 'off', (tx) =>
      switchOffSecondFactor(tx, personOf(request).id),
    );
    return { message: 'From now on, you only need your password to sign in.' };
  });

  /** The owner can turn the code off in the settings. Staff always need it. */
  const needsCode = (request: FastifyRequest) => config.asksSecondFactor || !isOwner(personOf(request));

  const changeAndRecordInTransaction = <T>(
    request: FastifyRequest,
    act: AuditAct,
    subjectId: string,
    verb: (tx: Db) => Promise<T>,
    after?: (changeResult: T) => unknown,
  ): Promise<T> =>
    doWithAuditEntry(shop, verb, (changeResult) => ({
      act,
      subjectId,
      after: after?.(changeResult),
      ...getAuditAuthor(request),
    }));

  /**
   * Runs a change of the sign-in in one transaction with a mail to the person and an audit entry. Someone who finds an
   * open panel cannot prevent the mail.
   */
  async function changeAndMail<T>(
    request: FastifyRequest,
    { act, verb, emailContent, record }: SecurityChange<T>,
  ): Promise<T | undefined> {
    const person = personOf(request);
    const mailAddress = await panelPeople.emailOf(person);
    const staffFields = isOwner(person) ? {} : { isStaff: true };
    const changeInTransaction = async (tx: Db) => {
      const changeResult = await verb(tx);
      if (changeResult === undefined) return undefined;
      const device = describeDevice(request.headers['user-agent']) ?? 'Not known';
      const happenedAt = clock.now().toISOString();
      await queueMail(tx, shop, {
        event: `owner-second-step:${request.id}`,
        to: mailAddress,
        content: {
          kind: 'owner-second-step',
          ...emailContent(changeResult),
          ...staffFields,
          happenedAt,
          device,
          adminUrl: shop.link('/admin'),
        },
      });
      return changeResult;
    };
    return doWithAuditEntry(shop, changeInTransaction, (changeResult) =>
      changeResult === undefined ? undefined : { act, ...getAuditAuthor(request), ...record(changeResult) },
    );
  }
  const changeSecondStep = async <T>(
    request: FastifyRequest,
    act: AuditAct,
    what: SecondStepEmail['what'],
    verb: (tx: Db) => Promise<T>,
  ): Promise<T> => {
    const changeInTransaction = async (tx: Db) => ({ done: await verb(tx) });
    const createRecord = () => ({ subjectId: personOf(request).id });
    return (await changeAndMail(request, {
      act,
      emailContent: () => ({ what }),
      verb: changeInTransaction,
      record: createRecord,
    }))!.done;
  };
}

type SecondStepEmail = EmailOf<'owner-second-step'>;
interface SecurityChange<T> {
  act: AuditAct;
  /** Makes the change. Returns undefined if nothing was changed: then nothing is mailed and recorded. */
  verb: (tx: Db) => Promise<T | undefined>;
  emailContent: (changeResult: T) => Pick<SecondStepEmail, 'what' | 'name'>;
  record: (changeResult: T) => Omit<AuditEntry, 'act' | 'requestId' | 'person'>;
}

const passkeyView = ({ id, name, isSynced, createdAt, lastUsedAt }: OwnerPasskey): PasskeyView => ({
  id,
  name,
  isSynced,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
