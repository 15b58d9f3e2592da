import type { PanelPerson } from '#shop/audit/audit.ts';
import { Refusal } from '#contract/refusals.ts';
import { findActiveMember, type StaffMember } from '#shop/staff/staff.ts';
import type { Shop } from '../../shop.ts';

/** Finds what the sign-in of a person of the panel needs: the owner's in the settings, of staff in the table. */
export function createPanelPeople({
  db,
  adminPasswordHash,
  ownerEmail,
}: Pick<Shop, 'db' | 'adminPasswordHash' | 'ownerEmail'>) {
  const findMember = async ({ id }: PanelPerson) => {
    const member = await findActiveMember(db, id);
    if (!member) throw new Refusal('staff-removed');
    return member;
  };
  return {
    /** The person's password, for a check of it. */
    passwordHolder: async (person: PanelPerson) =>
      isOwner(person) ? { passwordHash: adminPasswordHash } : passwordHolderOf(await findMember(person)),
    /** The person whose code is checked. */
    codeHolder: async (person: PanelPerson) => ({
      id: person.id,
      email: isOwner(person) ? await ownerEmail() : (await findMember(person)).email,
    }),
    emailOf: async (person: PanelPerson) => (isOwner(person) ? ownerEmail() : (await findMember(person)).email),
    hasPassword: async (person: PanelPerson) => isOwner(person) || (await findMember(person)).passwordHash !== null,
  };
}

/** Whether this is the owner of the settings, and not a member of the staff with the role of an owner. */
export const isOwner = ({ id }: Pick<PanelPerson, 'id'>) => id === 'owner';

/** The id of a member of the staff; null for the owner. */
export const staffIdOf = (person: PanelPerson): string | null => (isOwner(person) ? null : person.id);

export const personOfMember = ({ id, name, role }: StaffMember): PanelPerson => ({ id, name, role });

export const passwordHolderOf = ({ id, email, passwordHash }: StaffMember) => ({
  email,
  staffId: id,
  passwordHash: passwordHash ?? undefined,
});
