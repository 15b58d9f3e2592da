import { roleNames } from '#contract/owner/areas.ts';
import type { StaffMember as StaffMemberView } from '#contract/owner/staff.ts';
import { queueMail } from '#shop/mail/mail.ts';
import type { Db } from '#shop/ports/database.ts';
import { editMember, inviteMember, inviteMemberAgain, removeMember } from '#shop/staff-access/staff-access.ts';
import { listStaff, type StaffMember } from '#shop/staff/staff.ts';
import { getAuditAuthor, personOf } from '../common/by.ts';
import { describeDevice } from '../common/device-text.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { mountOperation } from '../common/serve.ts';
import type { FastifyRequest } from 'fastify';

/** The people who work in the panel. Only the role `owner` may use these calls. */
export function registerOwnerStaffRoutes({ app, shop }: HttpScope): void {
  const { db, clock } = shop;
  const readList = async (request: FastifyRequest) => ({
    members: (await listStaff(db)).map((member) => toStaffMemberView(member, personOf(request).id)),
  });

  mountOperation(app, 'GET /api/admin/staff', ({ request }) => readList(request));

  /** Mails the owner about a member. Someone who finds an open panel cannot prevent it. */
  async function createOwnerMailer(request: FastifyRequest) {
    const mailAddress = await shop.ownerEmail();
    const device = describeDevice(request.headers['user-agent']) ?? 'Not known';
    return (
      tx: Db,
      what: 'staff-invited' | 'staff-role-changed',
      event: string,
      { name, role }: Pick<StaffMember, 'name' | 'role'>,
    ) =>
      queueMail(tx, shop, {
        event,
        to: mailAddress,
        content: {
          kind: 'owner-second-step',
          what,
          name: `${name}, ${roleNames[role]}`,
          happenedAt: clock.now().toISOString(),
          device,
          adminUrl: shop.link('/admin?tab=settings'),
        },
      });
  }

  mountOperation(app, 'POST /api/admin/staff', async ({ body, request }) => {
    const mailOwner = await createOwnerMailer(request);
    await inviteMember(shop, body, getAuditAuthor(request), (tx, member) =>
      mailOwner(tx, 'staff-invited', `owner-staff-invited:${member.id}`, member),
    );
    return readList(request);
  });

  mountOperation(app, 'PUT /api/admin/staff/:id', async ({ params, body, request }) => {
    const mailOwner = await createOwnerMailer(request);
    await editMember(shop, params.id, body, getAuditAuthor(request), (tx) =>
      mailOwner(tx, 'staff-role-changed', `owner-staff-role:${request.id}`, body),
    );
    return readList(request);
  });

  mountOperation(app, 'POST /api/admin/staff/:id/invitation', async ({ params, request }) => {
    await inviteMemberAgain(shop, params.id, getAuditAuthor(request));
    return readList(request);
  });

  mountOperation(app, 'DELETE /api/admin/staff/:id', async ({ params, request }) => {
    await removeMember(shop, params.id, getAuditAuthor(request));
    return readList(request);
  });
}

const toStaffMemberView = (member: StaffMember, you: string): StaffMemberView => {
  const { id, name, email, role, state, invitedAt, acceptedAt, removedAt } = member;
  return {
    id,
    name,
    email,
    role,
    state,
    invitedAt: invitedAt.toISOString(),
    acceptedAt: acceptedAt?.toISOString() ?? null,
    removedAt: removedAt?.toISOString() ?? null,
    isYou: id === you,
  };
};
