import { useQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { shortDayText } from '#contract/calendar.ts';
import { formatDollars } from '#contract/catalog.ts';
import type { AdminCustomer } from '#contract/owner/people.ts';
import { query } from '../../data/api.ts';
import { Badge } from '../../ui/surfaces.tsx';
import { List } from '../list/list.tsx';
import { useMayUseArea } from '../session.ts';
import { listQueryOf, createDownloadUrls, listPageOptions } from '../list/list-query.ts';
import { filterShownColumns } from '../list/list-rules.ts';
import { type Column, ListTable, TableSkeleton } from '../list/list-table.tsx';
import type { AdminSearch, OnSearch } from '../search.ts';
import { CustomerDialog } from './customer-dialog.tsx';
import { fullName } from './full-name.ts';

const customerFilter = {
  label: 'Show',
  all: 'All customers',
  options: [
    { value: 'again', label: 'Bought more than once' },
    { value: 'guest', label: 'Guests' },
    { value: 'no-order', label: 'Without an order' },
  ],
};
const sorts = [
  { value: '-date', label: 'Newest first' },
  { value: 'date', label: 'Oldest first' },
  { value: 'name', label: 'Name' },
  { value: '-orders', label: 'Most orders' },
  { value: '-spent', label: 'Highest total' },
  { value: '-last-order', label: 'Last order' },
] as const;

const columns: Column<AdminCustomer>[] = [
  {
    name: 'email',
    heading: 'Email',
    cell: ({ email, hasAccount }) => (
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 md:py-1.5">
        <span className="min-w-0 break-all">{email}</span>
        {!hasAccount && <Badge>Guest</Badge>}
      </span>
    ),
    className: 'max-w-80',
  },
  {
    name: 'orders',
    heading: 'Orders',
    sort: '-orders',
    cell: (it) => it.orderCount,
    isNumber: true,
  },
  {
    name: 'devices',
    heading: 'Devices',
    cell: (it) => it.deviceCount,
    isNumber: true,
    spare: 'md:max-lg:hidden',
  },
  {
    name: 'bundles',
    heading: 'Photo bundles',
    cell: (it) => it.photoBundleCount,
    isNumber: true,
    isExtra: true,
  },
  {
    name: 'spent',
    heading: 'Total spent',
    sort: '-spent',
    cell: (it) => formatDollars(it.totalSpent),
    isNumber: true,
  },
  {
    name: 'last-order',
    heading: 'Last order',
    sort: '-last-order',
    cell: ({ lastOrderDate }) => (lastOrderDate === null ? '–' : shortDayText(lastOrderDate)),
    className: 'whitespace-nowrap',
  },
  {
    name: 'since',
    heading: 'Since',
    sort: '-date',
    cell: (it) => shortDayText(it.createdAt),
    className: 'whitespace-nowrap',
    spare: 'md:max-lg:hidden',
  },
];

/** Customers: all people with an account or an order. A customer's details open in a dialog. */
export function CustomersTab({ search, onSearch }: { search: AdminSearch; onSearch: OnSearch }) {
  const page = useQuery({ ...query('/api/admin/lists/customers', { query: listQueryOf(search) }), ...listPageOptions });
  const mayUseArea = useMayUseArea();
  const { sort = sorts[0].value, customer: chosenId } = search;
  return (
    <>
      <List
        nouns={['customer', 'customers']}
        page={page}
        search={search}
        onSearch={onSearch}
        searchLabel="Search name, email or order number"
        filter={customerFilter}
        sorts={sorts}
        columns={columns}
        downloads={mayUseArea('money') ? createDownloadUrls('customers', search) : undefined}
        empty={{
          icon: UsersRound,
          title: 'No customers yet',
          words: 'People show up here when they sign up or buy something.',
        }}
        skeleton={<TableSkeleton />}
      >
        {(rows) => (
          <ListTable
            rows={rows}
            title={{ heading: 'Name', sort: 'name', of: fullName, wraps: true }}
            columns={filterShownColumns(columns, search.columns)}
            sort={sort}
            onSort={(next) => onSearch({ sort: next, after: undefined })}
            chosenId={chosenId}
            onOpen={(id) => onSearch({ customer: id })}
          />
        )}
      </List>
      {chosenId !== undefined && (
        <CustomerDialog key={chosenId} id={chosenId} onClose={() => onSearch({ customer: undefined })} />
      )}
    </>
  );
}
