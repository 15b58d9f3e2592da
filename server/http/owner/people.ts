import type { AdminCustomer, AdminCustomerDetails, AdminUser } from '#contract/owner/people.ts';
import { Refusal } from '#contract/refusals.ts';
import { customersByIds, type Customer } from '#shop/accounts/accounts.ts';
import { sumOfSlots } from '#shop/frames/adjust-slots.ts';
import { photoLimitOf } from '#shop/frames/frames.ts';
import type { Order } from '#shop/orders/orders.ts';
import { listCustomers, listUsers } from '#shop/people/people-list.ts';
import {
  editUser,
  readOrdersAndFramesOf,
  sumPhotoLimits,
  findPersonById,
  findUserById,
  type OrdersAndFrames,
  type Person,
} from '#shop/people/people.ts';
import type { Db } from '#shop/ports/database.ts';
import { readNewestTicketsOfAddress, type Ticket } from '#shop/support/tickets.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { readRowsAndSetNextLink } from '../common/list-link.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerPeopleRoutes({ app, shop }: HttpScope): void {
  const { db } = shop;

  const readCustomersPage = async (query: Parameters<typeof listCustomers>[1]) => {
    const customersPage = await listCustomers(db, query);
    return { ...customersPage, rows: await createViews(db, customersPage.rows, customerView) };
  };
  mountOperation(app, 'GET /api/admin/customers', async (call) => ({
    customers: await readRowsAndSetNextLink(call, readCustomersPage),
  }));
  mountOperation(app, 'GET /api/admin/lists/customers', ({ query }) => readCustomersPage(query));
  mountOperation(app, 'GET /api/admin/customers/:id', async ({ params }) => {
    const person = await findPersonById(db, params.id);
    if (!person) throw new Refusal('not-found');
    const [details, user] = await Promise.all([
      createViews(db, [person], detailsView),
      person.accountId === null ? [] : createUserViews(db, [person]),
    ]);
    const tickets = await readNewestTicketsOfAddress(db, person.email);
    return { ...details[0]!, user: user[0] ?? null, tickets: tickets.map(ticketView) };
  });

  const readUsersPage = async (query: Parameters<typeof listUsers>[1]) => {
    const answer = await listUsers(db, query);
    return { ...answer, rows: await createUserViews(db, answer.rows) };
  };
  mountOperation(app, 'GET /api/admin/users', (call) => readRowsAndSetNextLink(call, readUsersPage));
  mountOperation(app, 'GET /api/admin/lists/users', ({ query }) => readUsersPage(query));
  mountOperation(app, 'PUT /api/admin/users/:id', async ({ params, body, request }) => {
    await editUser(shop, params.id, body, getAuditAuthor(request));
    const user = await findUserById(db, params.id);
    if (!user) throw new Refusal('not-found');
    return (await createUserViews(db, [user]))[0]!;
  });
}

/** Accounts, in the form that the Users tab shows. */
export const createUserViews = (db: Db, people: Person[]): Promise<AdminUser[]> => createViews(db, people, userView);

type CreateView<T> = (person: Person, ordersAndFrames: OrdersAndFrames, account: Customer | undefined) => T;

async function createViews<T>(db: Db, people: Person[], view: CreateView<T>): Promise<T[]> {
  const ids = people.flatMap((it) => it.accountId ?? []);
  const [ordersAndFrames, accounts] = await Promise.all([readOrdersAndFramesOf(db, people), customersByIds(db, ids)]);
  const accountsById = new Map(accounts.map((it) => [it.id, it]));
  return people.map((person) => view(person, ordersAndFrames.get(person.id)!, accountsById.get(person.id)));
}

const customerView: CreateView<AdminCustomer> = (person, { frames }, account) => ({
  id: person.id,
  hasAccount: person.accountId !== null,
  email: person.email,
  firstName: person.firstName,
  lastName: person.lastName,
  stripeCustomerId: account?.stripeCustomerId ?? null,
  orderCount: person.orderCount,
  deviceCount: frames.filter((it) => it.isActive).length,
  photoBundleCount: sumPhotoLimits(frames).extraPhotoPackages,
  totalSpent: person.spentCents,
  createdAt: person.since.toISOString(),
  lastOrderDate: person.lastOrderAt?.toISOString() ?? null,
});

const detailsView: CreateView<Omit<AdminCustomerDetails, 'user' | 'tickets'>> = (person, ordersAndFrames, account) => ({
  ...customerView(person, ordersAndFrames, account),
  photoLimit: ordersAndFrames.frames.filter((it) => it.isActive).reduce((sum, it) => sum + photoLimitOf(it), 0),
  usedPhotos: sumOfSlots(ordersAndFrames.frames).usedPhotos,
  orders: ordersAndFrames.orders.map((it) => ({
    id: it.id,
    orderNumber: it.orderNumber,
    createdAt: it.createdAt.toISOString(),
    orderStatus: it.status,
    canceledAt: it.canceledAt?.toISOString() ?? null,
    totalAmount: it.totalCents,
    refundedAmount: it.refundedCents,
  })),
  phones: [...new Set(ordersAndFrames.orders.flatMap((it) => it.phone ?? []))],
  addresses: listAddresses(ordersAndFrames.orders),
  products: listProducts(ordersAndFrames.orders),
});

const ticketView = ({ id, ticketNumber, subject, status, createdAt }: Ticket) => ({
  id,
  ticketNumber,
  subject,
  status,
  createdAt: createdAt.toISOString(),
});

/** Each address once, newest first. */
function listAddresses(orders: Order[]): AdminCustomerDetails['addresses'] {
  const foundAddresses = orders.flatMap(({ shippingAddress: address, gift, firstName, lastName }) =>
    address
      ? [{ recipientName: gift?.recipientName ?? `${firstName} ${lastName}`.trim(), isGift: gift !== null, address }]
      : [],
  );
  return [...new Map(foundAddresses.toReversed().map((it) => [JSON.stringify(it), it])).values()].toReversed();
}

function listProducts(orders: Order[]): AdminCustomerDetails['products'] {
  const quantities = new Map<string, number>();
  for (const { label, quantity } of orders.flatMap((it) => it.lines))
    quantities.set(label, (quantities.get(label) ?? 0) + quantity);
  return [...quantities].map(([label, quantity]) => ({ label, quantity }));
}

const userView: CreateView<AdminUser> = (person, { frames }, account) => ({
  id: person.id,
  username: person.email,
  firstName: person.firstName,
  lastName: person.lastName,
  customerId: person.id,
  hasPurchased: person.orderCount > 0,
  ...sumPhotoLimits(frames),
  usedPhotos: sumOfSlots(frames).usedPhotos,
  reuploadCredits: account?.reuploadCredits ?? 0,
  purchaseDate: person.firstOrderAt?.toISOString() ?? null,
});
