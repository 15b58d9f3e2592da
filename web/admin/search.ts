import type { OrderStatus } from '#contract/orders.ts';
import { shows, sorts } from './list-params.ts';
import { oneOf, searchParams, text } from '../search-params.ts';

/** The panel's tabs, in the order of specification 2, section 2. */
export const adminTabs = [
  { value: 'orders', label: 'Orders & Uploads' },
  { value: 'production', label: 'Production' },
  { value: 'content', label: 'Content' },
] as const;
export type AdminTab = (typeof adminTabs)[number]['value'];

/** The sections of the Content tab, and the parts of the about page. */
export const contentParts = ['hero', 'features', 'steps', 'site', 'promos', 'faqs', 'about'] as const;
export type ContentPart = (typeof contentParts)[number];
const aboutParts = ['hero', 'story-1', 'story-2', 'values-1', 'values-2', 'values-3', 'team', 'cta'] as const;

export const statusWords: Record<OrderStatus, string> = {
  pending: 'Pending',
  processing: 'Processing',
  completed: 'Completed',
  shipped: 'Shipped',
};
export const statuses = Object.keys(statusWords) as OrderStatus[];

/** What the panel's address holds: a list, found again by everyone who gets the link. */
export const AdminSearch = searchParams({
  tab: oneOf(...adminTabs.map((it) => it.value)),
  /** Words searched for, in either tab. */
  q: text(),
  status: oneOf(...statuses),
  sort: oneOf(...sorts),
  /** The order in the detail panel. */
  order: text(),
  show: oneOf(...shows),
  section: oneOf(...contentParts),
  part: oneOf(...aboutParts),
  admin_key: text(),
});
export type AdminSearch = ReturnType<typeof AdminSearch>;
/** Change some of it; undefined removes. */
export type OnSearch = (change: Partial<AdminSearch>) => void;
