import { query } from '../../data/api.ts';
import { uncachedQueryOptions } from '../session.ts';

/** What the shop owes on gift cards. */
export const owedQuery = () => ({ ...query('/api/admin/gift-cards/owed'), ...uncachedQueryOptions });
