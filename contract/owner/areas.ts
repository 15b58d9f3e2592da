/**
 * The parts of the admin panel. Each operation for the panel names the one it belongs to (contract/operation.ts), and
 * `areasOfRoles` says which roles may use it (docs/decisions/0122-staff.md).
 */
export const panelAreas = [
  /** A person's own sign-in, and the parts of the panel that show each role only what it may see. */
  'own',
  /** Reading and editing orders with their photos and emails. Money of an order is shown, but not moved. */
  'orders',
  /** Production, frames, shipping and stock. */
  'fulfillment',
  'returns',
  /** Tickets, and links that let customers upload photos. */
  'support',
  /** Lists of customers and accounts, and their limits. */
  'customers',
  /** Texts and pictures of pages, the gallery, and reviews. */
  'content',
  /** Page views. Figures with money belong to `money`. */
  'analytics',
  /** How the shop runs: contact details, shipping times, reminders. */
  'settings',
  /** Refunds, prices, promotions, costs, and exports of the books. */
  'money',
  /** Staff, the audit trail, keys and metrics. */
  'security',
] as const;
export type PanelArea = (typeof panelAreas)[number];

/** The roles of people who work in the panel. The owner of the settings always has the role `owner`. */
export const roles = ['fulfillment', 'support', 'content', 'all-but-money', 'owner'] as const;
export type Role = (typeof roles)[number];

export const roleNames: Record<Role, string> = {
  fulfillment: 'Fulfillment',
  support: 'Support',
  content: 'Content',
  'all-but-money': 'Everything but money',
  owner: 'Owner',
};

/** What each role can do, for the person who chooses it. */
export const roleTexts: Record<Role, string> = {
  fulfillment: 'Orders, production, frames, stock, shipping and returns.',
  support: 'Tickets, customers, orders, returns and upload links.',
  content: 'Pages, gallery, reviews and page views. Sees no customers or orders.',
  'all-but-money': 'Everything except refunds, prices, promotions, costs, staff and the audit trail.',
  owner: 'Everything, also refunds and staff.',
};

/** The areas that each role may use. This is the only place that decides it, for the server and for the panel. */
const areasOfRoles: Record<Role, readonly PanelArea[]> = {
  fulfillment: ['own', 'orders', 'fulfillment', 'returns'],
  support: ['own', 'orders', 'returns', 'support', 'customers'],
  content: ['own', 'content', 'analytics'],
  'all-but-money': panelAreas.filter((it) => it !== 'money' && it !== 'security'),
  owner: panelAreas,
};

/** Whether a role may use an area: only if the role's row in the table names the area. */
export const canUse = (role: Role, area: PanelArea): boolean => areasOfRoles[role].includes(area);

/** The roles that may use an area. */
export const findRolesWithArea = (area: PanelArea): Role[] => roles.filter((role) => canUse(role, area));

/** The names of the roles that may use one of the areas, for a sentence: `Support, Everything but money or Owner`. */
export function roleNamesFor(...wanted: readonly PanelArea[]): string {
  const names = roles.filter((role) => wanted.some((area) => canUse(role, area))).map((role) => roleNames[role]);
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} or ${names.at(-1)!}`;
}
