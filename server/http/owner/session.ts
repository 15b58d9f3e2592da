import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { recordAuditEntry } from '#shop/audit/audit.ts';
import {
  countOwnersSignature,
  startOwnerPasskeySignIn,
  readOwnersSignature,
} from '#shop/owner-passkeys/owner-passkeys.ts';
import { secondFactorOf } from '#shop/second-factor/second-factor.ts';
import { issueToken, readToken, spendToken } from '#shop/tokens/tokens.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { createOwnerSignIn } from '../common/owner-sign-in.ts';
import { checkOwnersPassword, unlockOwnerCodes, spendOwnersCode } from '../common/owner-attempts.ts';
import { mountOperation } from '../common/serve.ts';

export function ownerSessionHttp({ app, shop, jar }: HttpScope): void {
  const { db, clock, config } = shop;
  const { admit, turnAway, endPresentedSession, expectAllowedAddress } = createOwnerSignIn({ ...shop, jar });

  mountOperation(app, 'GET /api/admin/session', async ({ request, reply }) =>
    (await app.guards.isAdmin(request, reply))
      ? { isAuthenticated: true, admin: { username: 'owner' } }
      : { isAuthenticated: false },
  );

  mountOperation(app, 'POST /api/admin/auth/password', async ({ body, request, reply }) => {
    await expectAllowedAddress(app.guards, request, 'password');
    if (!(await checkOwnersPassword({ ...shop, jar }, request, body.password))) {
      await turnAway(request, 'password');
      throw new Refusal('wrong-admin-password');
    }
    if (config.asksSecondFactor && (await secondFactorOf(db))) {
      // Record that someone knows the password, even if no code follows.
      await recordAuditEntry(db, clock, { act: 'admin-code-asked', requestId: request.id });
      await unlockOwnerCodes(db);
      const seconds = lifetimes.adminCodeMinutes * 60;
      const token = await issueToken(db, clock, { purpose: 'admin-code', subjectId: 'owner', seconds });
      jar.set(reply, 'admin-code', token, seconds);
      return { success: false, codeNeeded: true, message: 'Please enter the code your app shows.' };
    }
    await admit(request, reply, 'password');
    return { success: true, message: 'Welcome back.' };
  });

  mountOperation(app, 'POST /api/admin/auth/code', async ({ body, request, reply }) => {
    await expectAllowedAddress(app.guards, request, 'password-and-code');
    const token = jar.read(request, 'admin-code');
    if (token === undefined || !(await readToken(db, 'admin-code', token))) throw new Refusal('admin-password-first');
    // Use up the token in the transaction of the code, because concurrent wrong codes may have revoked the token.
    const spent = await spendOwnersCode(shop, request, body.code, async (tx) => {
      if ((await spendToken(tx, clock, 'admin-code', token)) === undefined) throw new Refusal('admin-password-first');
    });
    if (!spent) {
      await turnAway(request, 'password-and-code');
      throw new Refusal('code-wrong');
    }
    jar.clear(reply, 'admin-code');
    await admit(request, reply, `password-and-${spent}`);
    if (spent === 'code') return { success: true, message: 'Welcome back.' };
    const { recoveryCodesLeft = 0 } = (await secondFactorOf(db)) ?? {};
    return {
      success: true,
      recoveryCodesLeft,
      message: `Welcome back. That recovery code is now used; ${codesLeftText(recoveryCodesLeft)}.`,
    };
  });

  mountOperation(app, 'POST /api/admin/auth/passkey/options', async ({ request }) => {
    await expectAllowedAddress(app.guards, request, 'passkey');
    return startOwnerPasskeySignIn(db, shop);
  });

  // A passkey replaces both factors, because the device verifies the person.
  mountOperation(app, 'POST /api/admin/auth/passkey', async ({ body, request, reply }) => {
    await expectAllowedAddress(app.guards, request, 'passkey');
    const signed = await readOwnersSignature(db, shop, body.answer);
    try {
      if (!signed) throw new Refusal('passkey-refused');
      await admit(request, reply, 'passkey', async (tx) => {
        if (!(await countOwnersSignature(tx, shop, signed))) throw new Refusal('passkey-refused');
      });
    } catch (error) {
      if (error instanceof Refusal) await turnAway(request, 'passkey');
      throw error;
    }
    jar.clear(reply, 'admin-code');
    return { success: true, message: 'Welcome back.' };
  });

  mountOperation(app, 'POST /api/admin/logout', async ({ request, reply }) => {
    app.guards.refuseForeignAddress(request);
    await endPresentedSession(db, request);
    jar.clear(reply, 'admin-sid');
    return { success: true, message: 'You’re logged out.' };
  });
}

const codesLeftText = (count: number) =>
  count === 0 ? 'none is left' : count === 1 ? 'one is left' : `${count} are left`;
