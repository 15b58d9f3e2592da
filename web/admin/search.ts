import * as z from 'zod/mini';
import type { OrderStatus } from '#contract/orders.ts';
import { type Sort, sorts } from './orders/order-list.ts';
import { shows } from './production/production-list.ts';

/** The panel's tabs, in the order of specification 2, section 2. */
export const adminTabs = [
  { value: 'orders', label: 'Orders & Uploads' },
  { value: 'production', label: 'Production' },
] as const;
export type AdminTab = (typeof adminTabs)[number]['value'];

export const statusWords: Record<OrderStatus, string> = {
  pending: 'Pending',
  processing: 'Processing',
  completed: 'Completed',
  shipped: 'Shipped',
};
export const statuses = Object.keys(statusWords) as OrderStatus[];

const orNothing = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined);
const text = orNothing(z.string());

/** What the panel's address holds: a list, found again by everyone who gets the link. */
export const AdminSearch = z.object({
  tab: orNothing(z.enum(adminTabs.map((it) => it.value))),
  /** Words searched for, in either tab. */
  q: text,
  status: orNothing(z.enum(statuses)),
  sort: orNothing(z.enum(sorts as [Sort, ...Sort[]])),
  /** The order in the detail panel. */
  order: text,
  show: orNothing(z.enum(shows)),
  admin_key: text,
});
export type AdminSearch = z.output<typeof AdminSearch>;
/** Change some of it; undefined removes. */
export type OnSearch = (change: Partial<AdminSearch>) => void;
