import { keepPreviousData, type Query, type QueryClient } from '@tanstack/react-query';
import type { ListAnswer } from '#contract/lists.ts';
import { urlOf } from '../../data/api.ts';
import type { AdminSearch } from '../search.ts';
import { fresh } from '../session.ts';

/** The question in the address. What a list does not know, the shop refuses in words. */
export const askedOf = ({ q, filter, sort, after }: AdminSearch) => ({
  q,
  filter: filter as never,
  sort: sort as never,
  after,
});

/** Where all rows of the same question are had as a spreadsheet. */
export const csvOf = (list: 'orders' | 'customers' | 'users' | 'support-tickets', { q, filter, sort }: AdminSearch) =>
  urlOf(`/api/admin/lists/${list}.csv`, { query: { q, filter, sort } });

/** For the query of a page: read again whenever it is opened, and the page before stays while the next one comes. */
export const paged = { ...fresh, placeholderData: keepPreviousData } as const;

const isOf =
  (name: string) =>
  ({ queryKey: [, , lists, list] }: Query) =>
    lists === 'lists' && (list as string).split('?')[0] === name;

/** Let every page of a list (`orders` of /api/admin/lists/orders) be read anew. */
export const refreshList = (queryClient: QueryClient, name: string) =>
  queryClient.invalidateQueries({ predicate: isOf(name) });

/** Show rows as the shop has just answered them, before their list is asked for again. */
export const changeRows = <Row>(queryClient: QueryClient, name: string, change: (row: Row) => Row) =>
  queryClient.setQueriesData<ListAnswer<Row>>(
    { predicate: isOf(name) },
    (page) => page && { ...page, rows: page.rows.map(change) },
  );
