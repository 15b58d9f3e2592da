import type { OrderStatus } from '#contract/orders.ts';
import { type PanelArea, canUse, type Role } from '#contract/owner/areas.ts';
import { oneOfParam, defineSearchParams, textParam } from '../search-params.ts';

/** The panel's tabs, in the order of specification 2, section 2. Settings is not part of it. */
export const adminTabs = [
  { value: 'customers', label: 'Customers' },
  { value: 'orders', label: 'Orders & Uploads' },
  { value: 'production', label: 'Production' },
  { value: 'users', label: 'Users' },
  { value: 'gallery', label: 'Gallery' },
  { value: 'content', label: 'Content' },
  { value: 'support', label: 'Support Tickets' },
  { value: 'analytics', label: 'Analytics' },
  { value: 'settings', label: 'Settings' },
] as const;
export type AdminTab = (typeof adminTabs)[number]['value'];
/** A role sees a tab if it may use one of its areas. */
export const tabAreas: Record<AdminTab, readonly PanelArea[]> = {
  customers: ['customers'],
  orders: ['orders'],
  production: ['fulfillment'],
  users: ['customers'],
  gallery: ['content'],
  content: ['content', 'settings', 'fulfillment'],
  support: ['support'],
  analytics: ['analytics'],
  settings: ['money', 'settings', 'security'],
};
export const listTabsFor = (role: Role) =>
  adminTabs.filter(({ value }) => tabAreas[value].some((area) => canUse(role, area)));

/**
 * The sections of the Content tab. `reviews`, `stock` and `gift-cards` are not content: buyers write reviews, and sales
 * change the stock and the gift cards.
 */
export const contentParts = [
  'hero',
  'features',
  'steps',
  'site',
  'stock',
  'shipping',
  'frame',
  'promos',
  'faqs',
  'about',
  'reviews',
  'gift-cards',
] as const;
export type ContentPart = (typeof contentParts)[number];
export const contentPartAreas: Record<ContentPart, PanelArea> = {
  hero: 'content',
  features: 'content',
  steps: 'content',
  site: 'settings',
  stock: 'fulfillment',
  shipping: 'settings',
  frame: 'content',
  promos: 'money',
  faqs: 'content',
  about: 'content',
  reviews: 'content',
  'gift-cards': 'money',
};
/** The names of the sections in the search dialog of the panel (command-palette.tsx). */
export const contentLabels: Record<ContentPart, string> = {
  hero: 'Hero of the home page',
  features: 'Feature cards',
  steps: 'How it works',
  site: 'Site settings',
  stock: 'Stock of frames',
  shipping: 'Shipping, handling days and vacation',
  frame: 'Frame facts: size, weight, storage, box',
  promos: 'Promotions and codes',
  faqs: 'Questions and answers (FAQs)',
  about: 'About us',
  reviews: 'Reviews by buyers',
  'gift-cards': 'Gift cards: sold, balance, void',
};
const aboutParts = ['hero', 'story-1', 'story-2', 'values-1', 'values-2', 'values-3', 'team', 'cta'] as const;

export const statusLabels: Record<OrderStatus, string> = {
  pending: 'Pending',
  processing: 'Processing',
  completed: 'Completed',
  shipped: 'Shipped',
};
export const statuses = Object.keys(statusLabels) as OrderStatus[];

/** The search params of the panel. They contain the whole state of a list, so that a link shows the same list. */
export const AdminSearch = defineSearchParams({
  tab: oneOfParam(...adminTabs.map((it) => it.value)),
  /** The query of a list: q, filter, sort and after. The API validates filter and sort. */
  q: textParam(),
  filter: textParam(40),
  sort: textParam(40),
  after: textParam(2000),
  /** The names of the visible columns. If absent, the list shows its default columns. */
  columns: textParam(200),
  /** The id of the customer in the open dialog. */
  customer: textParam(),
  /** The id of the order in the open panel. */
  order: textParam(),
  /** The id of the ticket in the open dialog. */
  ticket: textParam(),
  /** The view of the Production tab. `frames`: the frames to fill. If absent: the videos. */
  view: oneOfParam('frames'),
  /** The time range of the Analytics tab, and the days of a custom range. If absent: 30 days. */
  range: oneOfParam('today', 'week', '7d', '30d', '90d', '12m', 'custom'),
  from: textParam(10),
  to: textParam(10),
  /** The person whose audit entries the Settings tab shows: `owner`, or the id of a member of the staff. */
  person: textParam(64),
  section: oneOfParam(...contentParts),
  part: oneOfParam(...aboutParts),
  admin_key: textParam(),
});
export type AdminSearch = ReturnType<typeof AdminSearch>;
/** Changes search params; undefined removes one. With `isPage` (another page of a list), Back undoes the change. */
export type OnSearch = (change: Partial<AdminSearch>, options?: { isPage?: boolean }) => void;
