import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OwnerSignInMethod } from '#contract/owner/security.ts';
import { owner, recordAuditEntry } from '#shop/audit/audit.ts';
import type { Db } from '#shop/ports/database.ts';
import { findActiveMember, findActiveMemberByEmail, lockMemberIn } from '#shop/staff/staff.ts';
import {
  countOwnersSignature,
  startOwnerPasskeySignIn,
  readOwnersSignature,
} from '#shop/owner-passkeys/owner-passkeys.ts';
import { readSecondFactor } from '#shop/second-factor/second-factor.ts';
import { issueToken, readToken, spendToken } from '#shop/tokens/tokens.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { createOwnerSignIn } from '../common/owner-sign-in.ts';
import { checkOwnersPassword, unlockCodesOf, spendOwnersCode } from '../common/owner-attempts.ts';
import { isOwner, passwordHolderOf, personOfMember } from '../common/panel-people.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerSessionRoutes({ app, shop, jar }: HttpScope): void {
  const { db, clock, config } = shop;
  const { admit, turnAway, endPresentedSession, expectAllowedAddress } = createOwnerSignIn({ ...shop, jar });

  mountOperation(app, 'GET /api/admin/session', async ({ request, reply }) => {
    const person = await app.guards.panelPerson(request, reply);
    if (!person) return { isAuthenticated: false, ended: await app.guards.findReasonOfEnd(request) };
    const username = isOwner(person) ? 'owner' : person.name;
    return { isAuthenticated: true, admin: { username, role: person.role, isStaff: !isOwner(person) } };
  });

  mountOperation(app, 'POST /api/admin/auth/password', async ({ body, request, reply }) => {
    await expectAllowedAddress(app.guards, request, 'password');
    if (
      !(await checkOwnersPassword({ ...shop, jar }, request, { passwordHash: shop.adminPasswordHash }, body.password))
    ) {
      await turnAway(request, 'password');
      throw new Refusal('wrong-admin-password');
    }
    if (config.asksSecondFactor && (await readSecondFactor(db, owner.id))) {
      // Record that someone knows the password, even if no code follows.
      await recordAuditEntry(db, clock, { act: 'admin-code-asked', requestId: request.id });
      await unlockCodesOf(db, owner.id);
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
    const holder = { id: owner.id, email: await shop.ownerEmail() };
    const spentCode = await spendOwnersCode(shop, request, holder, body.code, async (tx) => {
      if ((await spendToken(tx, clock, 'admin-code', token)) === undefined) throw new Refusal('admin-password-first');
    });
    if (!spentCode) {
      await turnAway(request, 'password-and-code');
      throw new Refusal('code-wrong');
    }
    jar.clear(reply, 'admin-code');
    await admit(request, reply, `password-and-${spentCode}`);
    if (spentCode === 'code') return { success: true, message: 'Welcome back.' };
    const { recoveryCodesLeft = 0 } = (await readSecondFactor(db, owner.id)) ?? {};
    return { success: true, recoveryCodesLeft, message: recoveryCodeUsedText(recoveryCodesLeft) };
  });

  mountOperation(app, 'POST /api/admin/auth/staff/password', async ({ body, request, reply }) => {
    await expectAllowedAddress(app.guards, request, 'password');
    const email = body.email.toLowerCase();
    const member = await findActiveMemberByEmail(db, email);
    const holder = member ? passwordHolderOf(member) : { email, passwordHash: undefined };
    if (!(await checkOwnersPassword({ ...shop, jar }, request, holder, body.password)) || !member) {
      await turnAway(request, 'password', undefined, member?.id);
      throw new Refusal('wrong-staff-password');
    }
    await recordAuditEntry(db, clock, { act: 'admin-code-asked', subjectId: member.id, requestId: request.id });
    await unlockCodesOf(db, member.id);
    const seconds = lifetimes.adminCodeMinutes * 60;
    const token = await issueToken(db, clock, { purpose: 'staff-code', subjectId: member.id, seconds });
    jar.set(reply, 'admin-code', token, seconds);
    return { success: false, codeNeeded: true, message: 'Please enter the code your app shows.' };
  });

  mountOperation(app, 'POST /api/admin/auth/staff/code', async ({ body, request, reply }) => {
    await expectAllowedAddress(app.guards, request, 'password-and-code');
    const token = jar.read(request, 'admin-code');
    const staffCodeToken = token === undefined ? undefined : await readToken(db, 'staff-code', token);
    const member = staffCodeToken && (await findActiveMember(db, staffCodeToken.subjectId));
    if (token === undefined || !member) throw new Refusal('admin-password-first');
    const spentCode = await spendOwnersCode(shop, request, member, body.code, async (tx) => {
      if ((await spendToken(tx, clock, 'staff-code', token)) === undefined) throw new Refusal('admin-password-first');
    });
    if (!spentCode) {
      await turnAway(request, 'password-and-code', undefined, member.id);
      throw new Refusal('code-wrong');
    }
    jar.clear(reply, 'admin-code');
    await admitMember(request, reply, `password-and-${spentCode}`, member.id);
    if (spentCode === 'code') return { success: true, message: `Welcome back, ${member.name}.` };
    const { recoveryCodesLeft = 0 } = (await readSecondFactor(db, member.id)) ?? {};
    return { success: true, recoveryCodesLeft, message: recoveryCodeUsedText(recoveryCodesLeft) };
  });

  mountOperation(app, 'POST /api/admin/auth/passkey/options', async ({ request }) => {
    await expectAllowedAddress(app.guards, request, 'passkey');
    return startOwnerPasskeySignIn(db, shop);
  });

  // A passkey replaces both factors, because the device verifies the person. It also says who the person is: the owner,
  // or a member of the staff.
  mountOperation(app, 'POST /api/admin/auth/passkey', async ({ body, request, reply }) => {
    await expectAllowedAddress(app.guards, request, 'passkey');
    const verifiedSignature = await readOwnersSignature(db, shop, body.answer);
    try {
      if (!verifiedSignature) throw new Refusal('passkey-refused');
      const countSignature = async (tx: Db) => {
        if (!(await countOwnersSignature(tx, shop, verifiedSignature))) throw new Refusal('passkey-refused');
      };
      const { account } = verifiedSignature.passkey;
      if (account === owner.id) await admit(request, reply, 'passkey', countSignature);
      else await admitMember(request, reply, 'passkey', account, countSignature);
    } catch (error) {
      const staffId =
        verifiedSignature && verifiedSignature.passkey.account !== owner.id
          ? verifiedSignature.passkey.account
          : undefined;
      if (error instanceof Refusal) await turnAway(request, 'passkey', undefined, staffId);
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

  /** Signs a member in. Locks the member first, so that no session starts after a removal. */
  async function admitMember(
    request: FastifyRequest,
    reply: FastifyReply,
    way: OwnerSignInMethod,
    id: string,
    first?: (tx: Db) => Promise<void>,
  ): Promise<void> {
    const refusal = way === 'passkey' ? 'passkey-refused' : 'admin-password-first';
    const member = await findActiveMember(db, id);
    if (!member) throw new Refusal(refusal);
    const person = personOfMember(member);
    const checkMemberIn = async (tx: Db) => {
      const lockedMember = await lockMemberIn(tx, id, ['active']);
      if (lockedMember?.role !== person.role) throw new Refusal(refusal);
      await first?.(tx);
    };
    await admit(request, reply, way, checkMemberIn, { person, email: member.email });
  }
}

const recoveryCodeUsedText = (left: number) => `Welcome back. That recovery code is now used; ${codesLeftText(left)}.`;

const codesLeftText = (count: number) =>
  count === 0 ? 'none is left' : count === 1 ? 'one is left' : `${count} are left`;
