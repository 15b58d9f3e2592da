import type { OrderStatus } from '#contract/orders.ts';
import { oneOf, searchParams, text } from '../search-params.ts';

/** The panel's tabs, in the order of specification 2, section 2. */
export const adminTabs = [
  { value: 'customers', label: 'Customers' },
  { value: 'orders', label: 'Orders & Uploads' },
  { value: 'production', label: 'Production' },
  { value: 'users', label: 'Users' },
  { value: 'gallery', label: 'Gallery' },
  { value: 'content', label: 'Content' },
  { value: 'support', label: 'Support Tickets' },
  { value: 'analytics', label: 'Analytics' },
] as const;
export type AdminTab = (typeof adminTabs)[number]['value'];

/** The sections of the Content tab, with what buyers say after what the owner says, and the parts of the about page. */
export const contentParts = ['hero', 'features', 'steps', 'site', 'promos', 'faqs', 'about', 'reviews'] as const;
export type ContentPart = (typeof contentParts)[number];
/** What somebody who looks for a section may call it. */
export const contentWords: Record<ContentPart, string> = {
  hero: 'Hero of the home page',
  features: 'Feature cards',
  steps: 'How it works',
  site: 'Site settings',
  promos: 'Promotions and codes',
  faqs: 'Questions and answers (FAQs)',
  about: 'About us',
  reviews: 'Reviews by buyers',
};
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
  /** What a list is asked: the shop knows which filters and sorts it has, and says so. */
  q: text(),
  filter: text(40),
  sort: text(40),
  after: text(2000),
  /** Which columns of it are shown, by name; the list’s own choice unless said. */
  columns: text(200),
  /** The customer in the dialog. */
  customer: text(),
  /** The order in the detail panel. */
  order: text(),
  /** The ticket in the dialog. */
  ticket: text(),
  /** Of the Production tab: its videos, or the frames they go to. */
  view: oneOf('frames'),
  /** Of the Analytics tab; 30 days unless said. */
  range: oneOf('7d', '30d', '90d', '12m'),
  section: oneOf(...contentParts),
  part: oneOf(...aboutParts),
  admin_key: text(),
});
export type AdminSearch = ReturnType<typeof AdminSearch>;
/** Change some of it; undefined removes. Turning to another page can be gone back on. */
export type OnSearch = (change: Partial<AdminSearch>, options?: { isPage?: boolean }) => void;
