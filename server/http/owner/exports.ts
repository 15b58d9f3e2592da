import type { output, ZodType } from 'zod';
import { dayOf, sheetMoment } from '#contract/calendar.ts';
import type { Asked } from '#contract/lists.ts';
import { customersQuery, usersQuery, type AdminUser } from '#contract/owner/people.ts';
import { ordersQuery } from '#contract/owner/orders.ts';
import { ticketsQuery } from '#contract/owner/tickets.ts';
import { recordAct } from '#shop/audit/audit.ts';
import { allOrders } from '#shop/orders/orders-list.ts';
import { marginsOfOrders, type Costs } from '#shop/margins/margins.ts';
import type { OrderMargin } from '#contract/owner/margins.ts';
import type { Order } from '#shop/orders/orders.ts';
import type { Db } from '#shop/ports/database.ts';
import { allCustomers, allUsers } from '#shop/people/people-list.ts';
import type { Person } from '#shop/people/people.ts';
import { allTickets, type Ticket } from '#shop/support/tickets.ts';
import { sendCsv, type Column } from '../door/csv.ts';
import { usersAsShown } from './people.ts';
import type { Door } from '../door/door.ts';

/** The owner's lists as spreadsheets: streams, beside the contract, asked as the lists are. */
export function ownerExportsHttp(door: Door): void {
  const { costs } = door.shop.config;
  const ordersWithMargins = (db: Db, asked: Parameters<typeof allOrders>[1]) =>
    withMargins(db, costs, allOrders(db, asked));
  exportList(door, 'orders', ordersQuery.omit(pages), ordersWithMargins, orderColumns);
  exportList(door, 'customers', customersQuery.omit(pages), allCustomers, customerColumns);
  exportList(door, 'users', usersQuery.omit(pages), everyUser, userColumns);
  exportList(door, 'support-tickets', ticketsQuery.omit(pages), allTickets, ticketColumns);
}

/** A spreadsheet has all of them. */
const pages = { after: true, limit: true } as const;

function exportList<Row, Query extends ZodType<Asked>>(
  { app, shop }: Door,
  list: string,
  query: Query,
  all: (db: Db, asked: output<Query>) => AsyncGenerator<Row[], void>,
  columns: readonly Column<Row>[],
): void {
  const { db, clock } = shop;
  app.get(
    `/api/admin/lists/${list}.csv`,
    {
      schema: { hide: true, querystring: query },
      preParsing: (request, reply) => app.guards.admin(request, reply),
    },
    (request, reply) => {
      const asked = request.query as output<Query>;
      const { q, filter, sort } = asked;
      return sendCsv(reply, {
        name: `${list}-${dayOf(clock.now())}.csv`,
        columns,
        pages: all(db, asked),
        onBegin: () =>
          recordAct(db, clock, {
            act: 'export-list',
            subjectId: list,
            // What was searched for may be somebody's name, and is kept nowhere.
            after: { filter, sort, isSearch: Boolean(q) },
            requestId: request.id,
          }),
      });
    },
  );
}

type OrderRow = Order & { margin: OrderMargin };
async function* withMargins(db: Db, costs: Costs, pages: AsyncGenerator<Order[], void>) {
  for await (const orders of pages) {
    const margins = await marginsOfOrders(db, costs, orders);
    yield orders.map((it): OrderRow => ({ ...it, margin: margins.get(it.id)! }));
  }
}

const dollars = (cents: number) => (cents / 100).toFixed(2);
/** Nothing stands where nothing is known. */
const dollarsOr = (cents: number | null) => (cents === null ? null : dollars(cents));
const momentOr = (moment: Date | null) => moment && sheetMoment(moment);
/** Every moment is told so. */
const at = (heading: string) => `${heading} (New York time)`;

const orderColumns: Column<OrderRow>[] = [
  ['Order', (it) => it.orderNumber],
  [at('Ordered'), (it) => sheetMoment(it.createdAt)],
  ['Status', (it) => it.status],
  ['First name', (it) => it.firstName],
  ['Last name', (it) => it.lastName],
  ['Email', (it) => it.email],
  ['Phone', (it) => it.phone],
  ['Product type', (it) => it.productType],
  ['Quantity', (it) => it.quantity],
  ['Extra packages', (it) => it.extraPackages],
  ['Products', (it) => it.lines.map(({ label, quantity }) => `${quantity} × ${label}`).join('; ')],
  ['Subtotal (USD)', (it) => dollars(it.subtotalCents)],
  ['Discount (USD)', (it) => dollars(it.discountCents)],
  ['Promo code', (it) => it.promoCode],
  ['Tax (USD)', (it) => dollars(it.taxCents)],
  ['Tax rate (%)', (it) => it.taxRate],
  ['Tax jurisdiction', (it) => it.taxJurisdiction],
  ['Total (USD)', (it) => dollars(it.totalCents)],
  ['Refunded (USD)', (it) => dollars(it.refundedCents)],
  ['Disputed (USD)', ({ margin }) => dollars(margin.disputed)],
  ['Provider fee (USD)', ({ margin }) => dollarsOr(margin.unknownFees > 0 ? null : margin.fee)],
  ['Videos (USD)', ({ margin }) => dollars(margin.videos.reduce((sum, it) => sum + it.amount, 0))],
  ['Frames (USD)', ({ margin }) => dollarsOr(margin.frameCost)],
  ['Parcel (USD)', ({ margin }) => dollarsOr(margin.parcelCost)],
  // Less than nothing is a number: a text that begins with a minus would be made harmless.
  ['Left of what is known (USD)', ({ margin: { left } }) => (left < 0 ? left / 100 : dollars(left))],
  ['Gift for', (it) => it.gift && it.gift.recipientName],
  ['Gift from', (it) => it.gift?.from ?? null],
  ['Gift message', (it) => it.gift?.message ?? null],
  ['Not before', (it) => it.gift?.shipOn ?? null],
  ['Street', (it) => it.shippingAddress && it.shippingAddress.line1],
  ['Apartment or suite', (it) => it.shippingAddress?.line2 ?? null],
  ['City', (it) => it.shippingAddress && it.shippingAddress.city],
  ['State or province', (it) => it.shippingAddress && it.shippingAddress.state],
  ['Postal code', (it) => it.shippingAddress && it.shippingAddress.postalCode],
  ['Country', (it) => it.shippingAddress && it.shippingAddress.country],
  [at('Shipped'), (it) => momentOr(it.shippedAt)],
  ['Carrier', (it) => it.trackingCarrier],
  ['Tracking number', (it) => it.trackingNumber],
  ['Payment', (it) => it.stripePaymentIntentId],
  ['Admin notes', (it) => it.notes],
];

const customerColumns: Column<Person>[] = [
  ['First name', (it) => it.firstName],
  ['Last name', (it) => it.lastName],
  ['Email', (it) => it.email],
  ['Has an account', (it) => it.accountId !== null],
  ['Orders', (it) => it.orderCount],
  ['Total spent (USD)', (it) => dollars(it.spentCents)],
  [at('First order'), (it) => momentOr(it.firstOrderAt)],
  [at('Last order'), (it) => momentOr(it.lastOrderAt)],
  [at('Since'), (it) => sheetMoment(it.since)],
];

async function* everyUser(db: Db, asked: Parameters<typeof allUsers>[1]) {
  for await (const people of allUsers(db, asked)) yield await usersAsShown(db, people);
}

const userColumns: Column<AdminUser>[] = [
  ['Email', (it) => it.username],
  ['First name', (it) => it.firstName],
  ['Last name', (it) => it.lastName],
  ['Customer ID', (it) => it.customerId],
  ['Has purchased', (it) => it.hasPurchased],
  ['Base photos', (it) => it.basePhotoLimit],
  ['Extra packages', (it) => it.extraPhotoPackages],
  ['Photos used', (it) => it.usedPhotos],
  ['Reupload credits', (it) => it.reuploadCredits],
  [at('First order'), (it) => it.purchaseDate && sheetMoment(it.purchaseDate)],
];

const ticketColumns: Column<Ticket>[] = [
  ['Ticket', (it) => it.ticketNumber],
  [at('Asked'), (it) => sheetMoment(it.createdAt)],
  ['Status', (it) => it.status],
  ['Form', (it) => it.kind],
  ['Name', (it) => it.customerName],
  ['Email', (it) => it.customerEmail],
  ['Phone', (it) => it.phone],
  ['May be texted', (it) => it.smsConsent],
  ['Subject', (it) => it.subject],
  ['Message', (it) => it.message],
  ['Admin notes', (it) => it.adminNotes],
];
