import { query } from '../../data/api.ts';

/** The returns of an order, newest first. */
export const orderReturnsQuery = (id: string) => query('/api/admin/orders/:id/returns', { params: { id } });
