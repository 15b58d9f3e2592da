import type { InviteStaffForm, EditStaffForm } from '#contract/staff-forms.ts';
import { canUse } from '#contract/owner/areas.ts';
import { Refusal } from '#contract/refusals.ts';
import type { z } from 'zod';
import { deleteKnownBrowsersOf } from '../accounts/known-browsers.ts';
import { endSessionsOfMember } from '../accounts/sessions.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { queueMail } from '../mail/mail.ts';
import { deletePasskeysOfMember } from '../owner-passkeys/owner-passkeys.ts';
import { deletePushDevicesOfMember } from '../owner-push/owner-push.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { deleteSecondFactor } from '../second-factor/second-factor.ts';
import {
  activateMember,
  addInvitedMember,
  editMemberDetails,
  findInvitedMember,
  lockMember,
  lockMemberIn,
  markMemberRemoved,
  type StaffMember,
} from '../staff/staff.ts';
import { readToken, revokeTokens, spendToken } from '../tokens/tokens.ts';

interface Scope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
}
const purpose = 'staff-invitation';

/**
 * Invites a person by email. The link is created when the email is sent, works once, and for
 * `lifetimes.staffInvitationDays`.
 *
 * @param also runs in the same transaction, with the new member
 */
export async function inviteMember(
  { db, clock, jobs }: Scope,
  form: z.infer<typeof InviteStaffForm>,
  by: AuditAuthor,
  also: (tx: Db, member: StaffMember) => Promise<void>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const member = await addInvitedMember(tx, clock, { ...form, email: form.email.toLowerCase() });
    await mailInvitation(tx, { clock, jobs }, member, by);
    await also(tx, member);
    const { id: subjectId, name, role } = member;
    await recordAuditEntry(tx, clock, { act: 'invite-staff', subjectId, after: { name, role }, ...by });
  });
}

/** Ends the earlier link at once and emails a new one. */
export async function inviteMemberAgain({ db, clock, jobs }: Scope, id: string, by: AuditAuthor): Promise<void> {
  await db.transaction(async (tx) => {
    const member = await lockMember(tx, id);
    if (member.state !== 'invited') throw new Refusal('staff-already-active');
    await revokeTokens(tx, clock, purpose, id);
    await mailInvitation(tx, { clock, jobs }, member, by);
    await recordAuditEntry(tx, clock, { act: 'invite-staff-again', subjectId: id, ...by });
  });
}

const mailInvitation = (tx: Db, scope: Omit<Scope, 'db'>, { id, email, name, role }: StaffMember, by: AuditAuthor) =>
  queueMail(tx, scope, {
    event: `staff-invitation:${id}:${by.requestId ?? ''}`,
    to: email,
    content: { kind: 'staff-invitation', name, role, inviteUrl: { link: purpose, subjectId: id } },
  });

/**
 * Changes name and role. A new role ends all sessions of the person, so that no open panel keeps the old role.
 *
 * @param onNewRole runs in the same transaction if the role changes
 */
export async function editMember(
  { db, clock }: Omit<Scope, 'jobs'>,
  id: string,
  changes: z.infer<typeof EditStaffForm>,
  by: AuditAuthor,
  onNewRole: (tx: Db) => Promise<void>,
): Promise<void> {
  if (by.person?.id === id) throw new Refusal('own-access');
  await db.transaction(async (tx) => {
    const { name, role } = await lockMember(tx, id);
    await editMemberDetails(tx, id, changes);
    if (changes.role !== role) {
      await endSessionsOfMember(tx, id, 'role-changed');
      if (!canUse(changes.role, 'security')) await deletePushDevicesOfMember(tx, id);
      await onNewRole(tx);
    }
    await recordAuditEntry(tx, clock, {
      act: 'edit-staff',
      subjectId: id,
      before: { name, role },
      after: { name: changes.name, role: changes.role },
      ...by,
    });
  });
}

/**
 * Removes a member or withdraws an invitation: the sessions end at once, and password, passkeys, second factor, known
 * browsers, devices for notifications and open links are deleted. The name stays for the audit trail.
 */
export async function removeMember({ db, clock }: Omit<Scope, 'jobs'>, id: string, by: AuditAuthor): Promise<void> {
  if (by.person?.id === id) throw new Refusal('own-access');
  await db.transaction(async (tx) => {
    const { name, role, state } = await lockMember(tx, id);
    await markMemberRemoved(tx, clock, id);
    await endSessionsOfMember(tx, id, 'removed');
    await revokeTokens(tx, clock, purpose, id);
    await revokeTokens(tx, clock, 'staff-code', id);
    await deletePasskeysOfMember(tx, id);
    await deleteSecondFactor(tx, id);
    await deleteKnownBrowsersOf(tx, id);
    await deletePushDevicesOfMember(tx, id);
    await recordAuditEntry(tx, clock, { act: 'remove-staff', subjectId: id, before: { name, role, state }, ...by });
  });
}

/** The invited person and the expiry of an invitation's link. Throws `staff-invitation-invalid`. */
export async function readInvitation(db: Db, token: string): Promise<{ member: StaffMember; expiresAt: Date }> {
  const openToken = await readToken(db, purpose, token);
  const member = openToken && (await findInvitedMember(db, openToken.subjectId));
  if (!member) throw new Refusal('staff-invitation-invalid');
  return { member, expiresAt: openToken.expiresAt };
}

/**
 * Accepts an invitation, in the transaction of the sign-in. Of simultaneous calls with the same link, only one
 * succeeds; the others throw `staff-invitation-invalid`.
 *
 * @param proof stores the passkey or the second factor, and returns the hash of the password, if any
 */
export async function acceptInvitation(
  tx: Db,
  clock: Clock,
  { token, requestId }: { token: string; requestId: string },
  proof: (member: StaffMember) => Promise<string | null>,
): Promise<void> {
  const { member } = await readInvitation(tx, token);
  const { id } = member;
  // Lock the member before the token, in the order in which a removal locks them.
  const invitedMember = await lockMemberIn(tx, id, ['invited']);
  if (!invitedMember || (await spendToken(tx, clock, purpose, token)) === undefined)
    throw new Refusal('staff-invitation-invalid');
  const passwordHash = await proof(invitedMember);
  if (!(await activateMember(tx, clock, id, { passwordHash }))) throw new Refusal('staff-invitation-invalid');
  await recordAuditEntry(tx, clock, {
    act: 'accept-invitation',
    subjectId: id,
    requestId,
    person: { id, name: invitedMember.name, role: invitedMember.role },
  });
}
