import { query } from '../../../data/api.ts';

export const phoneOrdersQuery = () => query('/api/admin/phone-orders');
