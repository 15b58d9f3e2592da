import { and, asc, eq, inArray, ne, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { findRolesWithArea, type PanelArea } from '#contract/owner/areas.ts';
import { Refusal } from '#contract/refusals.ts';
import { newId } from '../columns.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { staff } from './staff.sql.ts';

export type StaffMember = typeof staff.$inferSelect;
type MemberDetails = Pick<StaffMember, 'email' | 'name' | 'role'>;

/** All people who were ever invited, oldest first. */
export const listStaff = (db: Db): Promise<StaffMember[]> =>
  db.select().from(staff).orderBy(asc(staff.invitedAt), asc(staff.id));

export async function findActiveMember(db: Db, id: string): Promise<StaffMember | undefined> {
  const [member] = await db
    .select()
    .from(staff)
    .where(and(eq(staff.id, id), eq(staff.state, 'active')));
  return member;
}

/** The active member with this email address, in lower case. */
export async function findActiveMemberByEmail(db: Db, email: string): Promise<StaffMember | undefined> {
  const [member] = await db
    .select()
    .from(staff)
    .where(and(eq(staff.email, email), eq(staff.state, 'active')));
  return member;
}

/** The person behind an invitation that is still open. */
export async function findInvitedMember(db: Db, id: string): Promise<StaffMember | undefined> {
  const [member] = await db
    .select()
    .from(staff)
    .where(and(eq(staff.id, id), eq(staff.state, 'invited')));
  return member;
}

/**
 * Locks a member until the transaction ends, so that sign-ins, changes of the role and the removal run one after
 * another. Take this lock before tokens. Throws `not-found` for a removed member.
 */
export async function lockMember(tx: Db, id: string): Promise<StaffMember> {
  const member = await lockMemberIn(tx, id, ['invited', 'active']);
  if (!member) throw new Refusal('not-found');
  return member;
}

/** Like `lockMember`. Undefined if the member is in none of these states. */
export async function lockMemberIn(
  tx: Db,
  id: string,
  states: StaffMember['state'][],
): Promise<StaffMember | undefined> {
  const [member] = await tx
    .select()
    .from(staff)
    .where(and(eq(staff.id, id), inArray(staff.state, states)))
    .for('update');
  return member;
}

/** Stores an invited person. Throws `staff-email-taken` if the address belongs to someone who is not removed. */
export async function addInvitedMember(tx: Db, clock: Clock, details: MemberDetails): Promise<StaffMember> {
  const [added] = await tx
    .insert(staff)
    .values({ id: newId(), ...details, state: 'invited', invitedAt: clock.now() })
    .onConflictDoNothing()
    .returning();
  if (!added) throw new Refusal('staff-email-taken');
  return added;
}

/** Changes an invited person to an active member. Of simultaneous calls, only one returns true. */
export async function activateMember(
  tx: Db,
  clock: Clock,
  id: string,
  { passwordHash }: { passwordHash: string | null },
): Promise<boolean> {
  const activeMembers = await tx
    .update(staff)
    .set({ state: 'active', passwordHash, acceptedAt: clock.now() })
    .where(and(eq(staff.id, id), eq(staff.state, 'invited')))
    .returning({ id: staff.id });
  return activeMembers.length > 0;
}

export const editMemberDetails = (tx: Db, id: string, changes: Partial<Pick<MemberDetails, 'name' | 'role'>>) =>
  tx
    .update(staff)
    .set(changes)
    .where(and(eq(staff.id, id), ne(staff.state, 'removed')));

/** Marks a member as removed and deletes the password. The name stays for the audit trail. */
export const markMemberRemoved = (tx: Db, clock: Clock, id: string) =>
  tx
    .update(staff)
    .set({ state: 'removed', passwordHash: null, removedAt: clock.now() })
    .where(and(eq(staff.id, id), ne(staff.state, 'removed')));

/** SQL that is true if this id belongs to an active member whose role may use the area. */
export const memberMayUse = (id: SQLWrapper, area: PanelArea): SQL =>
  sql`exists (select from ${staff} where ${and(eq(staff.id, id), eq(staff.state, 'active'), inArray(staff.role, findRolesWithArea(area)))})`;
