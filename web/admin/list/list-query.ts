import { keepPreviousData, type Query, type QueryClient } from '@tanstack/react-query';
import type { ListResponse } from '#contract/lists.ts';
import { buildUrl } from '../../data/api.ts';
import type { AdminSearch } from '../search.ts';
import { uncachedQueryOptions } from '../session.ts';

/** The list's query params from the address. The API refuses values that a list does not support. */
export const listQueryOf = ({ q, filter, sort, after }: AdminSearch) => ({
  q,
  filter: filter as never,
  sort: sort as never,
  after,
});

/** The addresses from which all rows of the list's query can be downloaded. */
export function createDownloadUrls(
  list: 'orders' | 'customers' | 'users' | 'support-tickets',
  { q, filter, sort }: AdminSearch,
): Downloads {
  const downloadUrlOf = (ending: string) =>
    buildUrl(`/api/admin/lists/${list}.${ending}`, { query: { q, filter, sort } });
  return { csv: downloadUrlOf('csv'), xlsx: downloadUrlOf('xlsx') };
}
export interface Downloads {
  csv: string;
  xlsx: string;
}

/** Query options of a list page: refetch on every mount, and show the previous page while the next page loads. */
export const listPageOptions = { ...uncachedQueryOptions, placeholderData: keepPreviousData } as const;

const isQueryOf =
  (name: string) =>
  ({ queryKey: [, , lists, list] }: Query) =>
    lists === 'lists' && (list as string).split('?')[0] === name;

/** Refetches all cached pages of a list. `name` is the last part of its path: `orders` of /api/admin/lists/orders. */
export const refreshList = (queryClient: QueryClient, name: string) =>
  queryClient.invalidateQueries({ predicate: isQueryOf(name) });

/** Updates cached rows with the API's response, before the list is fetched again. */
export const changeCachedRows = <Row>(queryClient: QueryClient, name: string, change: (row: Row) => Row) =>
  queryClient.setQueriesData<ListResponse<Row>>(
    { predicate: isQueryOf(name) },
    (page) => page && { ...page, rows: page.rows.map(change) },
  );
