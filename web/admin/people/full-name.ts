/** A person's full name, or their email address if they have no name. */
export const fullName = (
  person: { firstName: string; lastName: string } & ({ email: string } | { username: string }),
) => `${person.firstName} ${person.lastName}`.trim() || ('email' in person ? person.email : person.username);
