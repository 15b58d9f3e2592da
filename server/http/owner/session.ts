import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { recordAct } from '#shop/audit/audit.ts';
import { secondFactorOf } from '#shop/second-factor/second-factor.ts';
import { issueToken, readToken, spendToken } from '#shop/tokens/tokens.ts';
import type { Door } from '../door/door.ts';
import { isOwnersPassword, ownersDoor, spendOwnersCode } from '../door/owners-door.ts';
import { serve } from '../door/serve.ts';

export function ownerSessionHttp({ app, shop, jar }: Door): void {
  const { db, clock, config } = shop;
  const { admit, turnAway, endBrought, expectAllowedAddress } = ownersDoor({ db, clock, jar });

  serve(app, 'GET /api/admin/session', async ({ request, reply }) =>
    (await app.guards.isAdmin(request, reply))
      ? { isAuthenticated: true, admin: { username: 'owner' } }
      : { isAuthenticated: false },
  );

  serve(app, 'POST /api/admin/auth/password', async ({ body, request, reply }) => {
    await expectAllowedAddress(app.guards, request, 'password');
    if (!(await isOwnersPassword(shop, request, body.password))) {
      await turnAway(request, 'password');
      throw new Refusal('wrong-admin-password');
    }
    if (config.asksSecondFactor && (await secondFactorOf(db))) {
      // The password is known to whoever this is: the owner may want to hear of it, code or no code.
      await recordAct(db, clock, { act: 'admin-code-asked', requestId: request.id });
      const seconds = lifetimes.adminCodeMinutes * 60;
      const token = await issueToken(db, clock, { purpose: 'admin-code', subjectId: 'owner', seconds });
      jar.set(reply, 'admin-code', token, seconds);
      return { success: false, codeNeeded: true, message: 'Please enter the code that your app shows.' };
    }
    await admit(request, reply, 'password');
    return { success: true, message: 'Welcome back.' };
  });

  serve(app, 'POST /api/admin/auth/code', async ({ body, request, reply }) => {
    await expectAllowedAddress(app.guards, request, 'password-and-code');
    const token = jar.read(request, 'admin-code');
    if (token === undefined || !(await readToken(db, 'admin-code', token))) throw new Refusal('admin-password-first');
    const spent = await spendOwnersCode(shop, request, body.code);
    if (!spent) {
      await turnAway(request, 'password-and-code');
      throw new Refusal('code-wrong');
    }
    if ((await spendToken(db, clock, 'admin-code', token)) === undefined) throw new Refusal('admin-password-first');
    jar.clear(reply, 'admin-code');
    await admit(request, reply, `password-and-${spent}`);
    if (spent === 'code') return { success: true, message: 'Welcome back.' };
    const { recoveryCodesLeft = 0 } = (await secondFactorOf(db)) ?? {};
    return {
      success: true,
      recoveryCodesLeft,
      message: `Welcome back. That recovery code is used up; ${leftWords(recoveryCodesLeft)}.`,
    };
  });

  serve(app, 'POST /api/admin/logout', async ({ request, reply }) => {
    app.guards.refuseForeignAddress(request);
    await endBrought(db, request);
    jar.clear(reply, 'admin-sid');
    return { success: true, message: 'You have been logged out.' };
  });
}

const leftWords = (count: number) => (count === 0 ? 'none is left' : count === 1 ? 'one is left' : `${count} are left`);
