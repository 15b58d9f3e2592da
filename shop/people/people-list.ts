import { isNotNull, sql } from 'drizzle-orm';
import type { customerFilters, customerSorts, userFilters, userSorts } from '#contract/owner/people.ts';
import type { Asked, ListAnswer } from '#contract/lists.ts';
import type { Db } from '../ports/database.ts';
import { readAll, readList, type IsFoundIn, type List } from '../lists.ts';
import { people, type Person } from './people.sql.ts';

type CustomerSort = (typeof customerSorts)[number];
type CustomerFilter = (typeof customerFilters)[number];
type UserSort = (typeof userSorts)[number];
type UserFilter = (typeof userFilters)[number];

const date = [people.since, people.id] as const;
const name = [people.sortName, people.since, people.id] as const;
const search = (isIn: IsFoundIn) => isIn(people.search);

const customers: List<typeof people, CustomerSort, CustomerFilter> = {
  table: people,
  sorts: {
    date,
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
  search,
};

const users: List<typeof people, UserSort, UserFilter> = {
  table: people,
  sorts: { date, name },
  sort: '-date',
  filters: {
    purchased: sql`${people.orderCount} > 0`,
    'no-purchase': sql`${people.orderCount} = 0`,
  },
  search,
};

/** Accounts and guests who bought, found by name, e-mail and order number; the newest first unless asked otherwise. */
export const listCustomers = (db: Db, asked: Asked<CustomerSort, CustomerFilter>): Promise<ListAnswer<Person>> =>
  readList(db, customers, asked);

/** All of them, some at a time. */
export const allCustomers = (db: Db, asked: Asked<CustomerSort, CustomerFilter>): AsyncGenerator<Person[], void> =>
  readAll(db, customers, asked);

/** The accounts among them. */
export const listUsers = (db: Db, asked: Asked<UserSort, UserFilter>): Promise<ListAnswer<Person>> =>
  readList(db, users, asked, isNotNull(people.accountId));
/** All of these, some at a time. */
export const allUsers = (db: Db, asked: Asked<UserSort, UserFilter>): AsyncGenerator<Person[], void> =>
  readAll(db, users, asked, isNotNull(people.accountId));
