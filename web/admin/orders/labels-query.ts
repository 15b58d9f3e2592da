import { query } from '../../data/api.ts';

/** The shipping labels of an order, and whether labels can be bought for it. */
export const labelsQuery = (id: string) => query('/api/admin/orders/:id/labels', { params: { id } });
