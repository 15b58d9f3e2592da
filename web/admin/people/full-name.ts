/** What somebody is called; by their address, where they gave no name. */
export const fullName = (
  person: { firstName: string; lastName: string } & ({ email: string } | { username: string }),
) => `${person.firstName} ${person.lastName}`.trim() || ('email' in person ? person.email : person.username);
