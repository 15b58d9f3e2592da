import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#contract/refusals.ts';
import { hashPassword, refuseCommonPassword } from '#shop/accounts/passwords.ts';
import { addOwnersPasskey, startOwnerPasskeyRegistration } from '#shop/owner-passkeys/owner-passkeys.ts';
import type { Db } from '#shop/ports/database.ts';
import { beginSecondFactor, confirmSecondFactor } from '#shop/second-factor/second-factor.ts';
import { acceptInvitation, readInvitation } from '#shop/staff-access/staff-access.ts';
import type { StaffMember } from '#shop/staff/staff.ts';
import type { HttpScope } from './common/http-scope.ts';
import { checkFirstCode, resetFirstCodeAttempts } from './common/owner-attempts.ts';
import { createOwnerSignIn } from './common/owner-sign-in.ts';
import { personOfMember } from './common/panel-people.ts';
import { mountOperation } from './common/serve.ts';

/** The calls of the page that an invitation to the panel opens. */
export function registerStaffInvitationRoutes({ app, shop, jar }: HttpScope): void {
  const { db, clock } = shop;
  const { admit } = createOwnerSignIn({ ...shop, jar });
  const openInvitation = (request: FastifyRequest, token: string) => {
    app.guards.refuseForeignAddress(request);
    return readInvitation(db, token);
  };

  mountOperation(app, 'GET /api/staff-invitation', async ({ query, request }) => {
    const { member, expiresAt } = await openInvitation(request, query.token);
    const { name, email, role } = member;
    return { name, email, role, expiresAt: expiresAt.toISOString() };
  });

  mountOperation(app, 'POST /api/staff-invitation/passkey-options', async ({ body, request }) => {
    const { member } = await openInvitation(request, body.token);
    const { name } = await shop.readContent('site');
    return startOwnerPasskeyRegistration(db, shop, {
      account: member.id,
      email: member.email,
      name: `${name} admin`,
    });
  });

  mountOperation(app, 'POST /api/staff-invitation/second-factor', async ({ body, request }) => {
    const { member } = await openInvitation(request, body.token);
    await resetFirstCodeAttempts(db, member.id);
    const secret = await db.transaction((tx) => beginSecondFactor(tx, shop, member.id));
    const { name } = await shop.readContent('site');
    return { secret, address: shop.codes.addressOf(secret, name) };
  });

  mountOperation(app, 'POST /api/staff-invitation/accept', async ({ body, request, reply }) => {
    const { token, answer, password, code } = body;
    const { member } = await openInvitation(request, token);
    const { name } = await shop.readContent('site');
    const message = `Welcome to ${name}.`;
    if (answer !== undefined) {
      await acceptAndSignIn(request, reply, { token, member, way: 'passkey' }, async (tx) => {
        const addedOwnersPasskey = await addOwnersPasskey(tx, shop, member.id, { name: 'My passkey', answer });
        if (!addedOwnersPasskey) throw new Refusal('passkey-not-added');
        return null;
      });
      return { success: true, message };
    }
    // The form contains both if it contains no passkey.
    await refuseCommonPassword(password!, member.email);
    const passwordHash = await hashPassword(password!);
    let recoveryCodes: string[] = [];
    await checkFirstCode(shop, member.id, () =>
      acceptAndSignIn(request, reply, { token, member, way: 'password-and-code' }, async (tx) => {
        recoveryCodes = await confirmSecondFactor(tx, shop, member.id, code!);
        return passwordHash;
      }),
    );
    return { success: true, message, recoveryCodes };
  });

  /** Accepts and signs in, in one transaction. */
  const acceptAndSignIn = (
    request: FastifyRequest,
    reply: FastifyReply,
    { token, member, way }: { token: string; member: StaffMember; way: 'passkey' | 'password-and-code' },
    proof: (tx: Db) => Promise<string | null>,
  ) =>
    admit(request, reply, way, (tx) => acceptInvitation(tx, clock, { token, requestId: request.id }, () => proof(tx)), {
      person: personOfMember(member),
      email: member.email,
    });
}
