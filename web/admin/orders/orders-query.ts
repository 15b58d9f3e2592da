import { query } from '../../data/api.ts';

/** Paid orders, newest first. */
export const adminOrdersQuery = () => query('/api/admin/orders');
