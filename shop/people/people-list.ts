import { isNotNull, sql } from 'drizzle-orm';
import type { customerFilters, customerSorts, userFilters, userSorts } from '#contract/owner/people.ts';
import type { ListQuery, ListResponse } from '#contract/lists.ts';
import type { Db } from '../ports/database.ts';
import { readAll, readList, type SearchCondition, type List } from '../lists.ts';
import { people, type Person } from './people.sql.ts';

type CustomerSort = (typeof customerSorts)[number];
type CustomerFilter = (typeof customerFilters)[number];
type UserSort = (typeof userSorts)[number];
type UserFilter = (typeof userFilters)[number];

const dateKeys = [people.since, people.id] as const;
const name = [people.sortName, people.since, people.id] as const;
const matchesSearch = (isIn: SearchCondition) => isIn(people.search);

const customerList: List<typeof people, CustomerSort, CustomerFilter> = {
  table: people,
  sorts: {
    date: dateKeys,
    name,
    orders: [people.orderCount, people.since, people.id],
    spent: [people.spentCents, people.since, people.id],
    'last-order': [people.lastOrder, people.since, people.id],
  },
  sort: '-date',
  filters: {
    guest: sql`${people.accountId} is null`,
    again: sql`${people.orderCount} > 1`,
    'no-order': sql`${people.orderCount} = 0`,
  },
  search: matchesSearch,
};

const userList: List<typeof people, UserSort, UserFilter> = {
  table: people,
  sorts: { date: dateKeys, name },
  sort: '-date',
  filters: {
    purchased: sql`${people.orderCount} > 0`,
    'no-purchase': sql`${people.orderCount} = 0`,
  },
  search: matchesSearch,
};

/**
 * Lists accounts, and guests with orders, newest first by default. The search matches names, email addresses and order
 * numbers.
 */
export const listCustomers = (
  db: Db,
  listQuery: ListQuery<CustomerSort, CustomerFilter>,
): Promise<ListResponse<Person>> => readList(db, customerList, listQuery);

/** Yields all matching accounts and guests in batches. */
export const readAllCustomers = (
  db: Db,
  listQuery: ListQuery<CustomerSort, CustomerFilter>,
): AsyncGenerator<Person[], void> => readAll(db, customerList, listQuery);

/** Lists accounts without guests. */
export const listUsers = (db: Db, listQuery: ListQuery<UserSort, UserFilter>): Promise<ListResponse<Person>> =>
  readList(db, userList, listQuery, isNotNull(people.accountId));
/** Yields all matching accounts in batches. */
export const readAllUsers = (db: Db, listQuery: ListQuery<UserSort, UserFilter>): AsyncGenerator<Person[], void> =>
  readAll(db, userList, listQuery, isNotNull(people.accountId));
