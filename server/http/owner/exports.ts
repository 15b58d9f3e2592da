import * as z from 'zod';
import type { output, ZodType } from 'zod';
import { dayAfter, toShopDay, endOfDay } from '#contract/calendar.ts';
import type { ListQuery } from '#contract/lists.ts';
import { daysQuery, monthFileQuery, type DayFigures } from '#contract/owner/analytics.ts';
import { customersQuery, usersQuery, type AdminUser } from '#contract/owner/people.ts';
import { ordersQuery } from '#contract/owner/orders.ts';
import { ticketsQuery } from '#contract/owner/tickets.ts';
import { streamedCalls, type StreamedRoute } from '#contract/streamed-calls.ts';
import { readShopFigures } from '#shop/analytics/figures.ts';
import { readMonthFile, type MonthFileRow } from '#shop/accounting/month-file.ts';
import { asPaymentUnavailable, cartPaidCondition } from '#shop/payments/payments.ts';
import { recordAuditEntry } from '#shop/audit/audit.ts';
import { readAllOrders } from '#shop/orders/orders-list.ts';
import { readSalesTaxSince, type SalesTaxOfPlace } from '#shop/orders/sales-tax.ts';
import { spanOfYearUntil } from '#shop/tallies/spans.ts';
import { readMarginsOfOrders, type Costs } from '#shop/margins/margins.ts';
import type { OrderMargin } from '#contract/owner/margins.ts';
import type { Order } from '#shop/orders/orders.ts';
import type { Db } from '#shop/ports/database.ts';
import { readAllCustomers, readAllUsers } from '#shop/people/people-list.ts';
import type { Person } from '#shop/people/people.ts';
import { readAllTickets, type Ticket } from '#shop/support/tickets.ts';
import { sendCsv } from '../common/csv.ts';
import type { Column } from '../common/sheet.ts';
import { sendXlsx } from '../common/xlsx.ts';
import { createUserViews } from './people.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';

/**
 * Exports the owner's lists, the figures per day and the sales tax as CSV files and as Excel workbooks. They are
 * streams outside the contract. They accept the same searches, filters and sort orders as the lists.
 */
export function registerOwnerExportRoutes(httpScope: HttpScope): void {
  const readOrdersWithMargins = (db: Db, listQuery: Parameters<typeof readAllOrders>[1]) =>
    addMargins(db, httpScope.shop.costs, readAllOrders(db, listQuery));
  mountListExports(httpScope, 'orders', ordersQuery.omit(pagingParameters), readOrdersWithMargins, orderColumns);
  mountListExports(httpScope, 'customers', customersQuery.omit(pagingParameters), readAllCustomers, customerColumns);
  mountListExports(httpScope, 'users', usersQuery.omit(pagingParameters), readEveryUser, userColumns);
  mountListExports(httpScope, 'support-tickets', ticketsQuery.omit(pagingParameters), readAllTickets, ticketColumns);
  mountSheetExports(httpScope, {
    path: '/api/analytics/days',
    name: 'days',
    query: daysQuery,
    all: async function* (_db, query) {
      const { days, before } = await readShopFigures({ ...httpScope.shop, isCartPaid: cartPaidCondition }, query);
      const toViewsOrNull = (views: number | undefined) => (before.hasViews ? (views ?? null) : null);
      yield days.map((it, at) => ({
        ...it,
        before: before.days[at],
        viewsBefore: toViewsOrNull(before.days[at]?.views),
      }));
    },
    columns: dayColumns,
    recorded: (query) => query,
  });
  mountSheetExports(httpScope, {
    path: '/api/analytics/sales-tax',
    name: 'sales-tax',
    query: z.object({}),
    all: async function* (db) {
      const { from } = spanOfYearUntil(toShopDay(httpScope.shop.clock.now()));
      const firstDayOfYearBefore = `${Number(from.slice(0, 4)) - 1}${from.slice(4)}`;
      yield readSalesTaxSince(db, endOfDay(dayAfter(firstDayOfYearBefore, -1)));
    },
    columns: salesTaxColumns,
    recorded: () => undefined,
  });
  mountSheetExports(httpScope, {
    path: '/api/analytics/month-file',
    name: 'month-file',
    fileName: ({ month }) => `accountant-${month}`,
    query: monthFileQuery,
    all: async function* (_db, { month }) {
      try {
        yield* readMonthFile(httpScope.shop, month);
      } catch (error) {
        asPaymentUnavailable(error);
      }
    },
    columns: monthFileColumns,
    recorded: (query) => query,
  });
}

/** The paths of exports without their endings. */
type SheetPath = StreamedRoute extends infer Route ? (Route extends `GET ${infer Path}.xlsx` ? Path : never) : never;

/** The query parameters for pages. Exports do not accept them, because an export has all rows. */
const pagingParameters = { after: true, limit: true } as const;

function mountListExports<Row, Query extends ZodType<ListQuery>>(
  httpScope: HttpScope,
  list: 'orders' | 'customers' | 'users' | 'support-tickets',
  query: Query,
  all: (db: Db, listQuery: output<Query>) => AsyncGenerator<Row[], void>,
  columns: readonly Column<Row>[],
): void {
  mountSheetExports(httpScope, {
    path: `/api/admin/lists/${list}`,
    name: list,
    query,
    all,
    columns,
    // Do not record the search text, because it may be a person's name.
    recorded: ({ q, filter, sort }) => ({ filter, sort, isSearch: Boolean(q) }),
  });
}

interface Export<Row, Query extends ZodType> {
  /** The path without the file ending. */
  path: SheetPath;
  name: string;
  /** The name of the file without its ending. By default the name of the export and today. */
  fileName?: (listQuery: output<Query>) => string;
  query: Query;
  all: (db: Db, listQuery: output<Query>) => AsyncGenerator<Row[], void>;
  columns: readonly Column<Row>[];
  /** Returns the part of the query that the audit trail records. */
  recorded: (listQuery: output<Query>) => unknown;
}

function mountSheetExports<Row, Query extends ZodType>({ app, shop }: HttpScope, sheet: Export<Row, Query>): void {
  const { db, clock } = shop;
  const { path, name, query, all, columns, recorded } = sheet;
  const getFileName = sheet.fileName ?? (() => `${name}-${toShopDay(clock.now())}`);
  for (const [ending, send] of [
    ['csv', sendCsv],
    ['xlsx', sendXlsx],
  ] as const)
    app.get(
      `${path}.${ending}`,
      {
        schema: { hide: true, querystring: query },
        config: { stepUp: true, area: streamedCalls[`GET ${path}.${ending}`].area },
        preParsing: (request, reply) => app.guards.requireAdmin(request, reply),
      },
      (request, reply) => {
        const listQuery = request.query as output<Query>;
        return send(reply, {
          name: getFileName(listQuery),
          columns,
          pages: all(db, listQuery),
          onBegin: () =>
            recordAuditEntry(db, clock, {
              act: 'export-list',
              subjectId: name,
              after: recorded(listQuery),
              ...getAuditAuthor(request),
            }),
        });
      },
    );
}

type OrderRow = Order & { margin: OrderMargin };
async function* addMargins(db: Db, readCosts: (db: Db) => Promise<Costs>, pages: AsyncGenerator<Order[], void>) {
  const costs = await readCosts(db);
  for await (const orders of pages) {
    const margins = await readMarginsOfOrders(db, costs, orders);
    yield orders.map((it): OrderRow => ({ ...it, margin: margins.get(it.id)! }));
  }
}

/** The heading of a column with times. It names the time zone. */
const timeHeading = (heading: string) => `${heading} (New York time)`;

const orderColumns: Column<OrderRow>[] = [
  ['Order', (it) => it.orderNumber, 'code'],
  [timeHeading('Ordered'), (it) => it.createdAt, 'moment'],
  ['Status', (it) => (it.canceledAt ? 'canceled' : it.status)],
  ['First name', (it) => it.firstName],
  ['Last name', (it) => it.lastName],
  ['Email', (it) => it.email],
  ['Phone', (it) => it.phone, 'code'],
  ['Product type', (it) => it.productType],
  ['Quantity', (it) => it.quantity],
  ['Extra packages', (it) => it.extraPackages],
  ['Products', (it) => it.lines.map(({ label, quantity }) => `${quantity} × ${label}`).join('; ')],
  ['Subtotal (USD)', (it) => it.subtotalCents, 'dollars'],
  ['Discount (USD)', (it) => it.discountCents, 'dollars'],
  ['Promo code', (it) => it.promoCode, 'code'],
  ['Tax (USD)', (it) => it.taxCents, 'dollars'],
  ['Tax rate (%)', (it) => it.taxRate, 'number'],
  ['Tax jurisdiction', (it) => it.taxJurisdiction],
  ['Total (USD)', (it) => it.totalCents, 'dollars'],
  ['Paid by gift card (USD)', (it) => it.giftCardCents, 'dollars'],
  ['Refunded (USD)', (it) => it.refundedCents, 'dollars'],
  ['Disputed (USD)', ({ margin }) => margin.disputed, 'dollars'],
  ['Provider fee (USD)', ({ margin }) => (margin.unknownFees > 0 ? null : margin.fee), 'dollars'],
  ['Videos (USD)', ({ margin }) => margin.videos.reduce((sum, it) => sum + it.amount, 0), 'dollars'],
  ['Frames (USD)', ({ margin }) => margin.frameCost, 'dollars'],
  ['Parcel (USD)', ({ margin }) => margin.parcelCost, 'dollars'],
  ['Left of what is known (USD)', ({ margin }) => margin.left, 'dollars'],
  ['Gift for', (it) => it.gift && it.gift.recipientName],
  ['Gift from', (it) => it.gift?.from ?? null],
  ['Gift message', (it) => it.gift?.message ?? null],
  ['Not before', (it) => it.gift?.shipOn ?? null, 'day'],
  ['Street', (it) => it.shippingAddress && it.shippingAddress.line1],
  ['Apartment or suite', (it) => it.shippingAddress?.line2 ?? null],
  ['City', (it) => it.shippingAddress && it.shippingAddress.city],
  ['State or province', (it) => it.shippingAddress && it.shippingAddress.state],
  ['Postal code', (it) => it.shippingAddress && it.shippingAddress.postalCode, 'code'],
  ['Country', (it) => it.shippingAddress && it.shippingAddress.country],
  [timeHeading('Shipped'), (it) => it.shippedAt, 'moment'],
  ['Carrier', (it) => it.trackingCarrier],
  ['Tracking number', (it) => it.trackingNumber, 'code'],
  ['Payment', (it) => it.stripePaymentIntentId, 'code'],
  ['Admin notes', (it) => it.notes],
];

const salesTaxColumns: Column<SalesTaxOfPlace>[] = [
  ['Month', (it) => it.month, 'code'],
  ['State or province', (it) => it.place ?? 'Not known'],
  ['Orders', (it) => it.orders],
  ['Sales (USD)', (it) => it.salesCents, 'dollars'],
  ['Tax (USD)', (it) => it.taxCents, 'dollars'],
  ['Refunded sales (USD)', (it) => it.refundedSalesCents, 'dollars'],
  ['Refunded tax (USD)', (it) => it.refundedTaxCents, 'dollars'],
  ['Sales after refunds (USD)', (it) => it.salesCents - it.refundedSalesCents, 'dollars'],
  ['Tax after refunds (USD)', (it) => it.taxCents - it.refundedTaxCents, 'dollars'],
];

/** Each line of the accountant's file. Positive amounts are the shop's gain. */
const monthFileColumns: Column<MonthFileRow>[] = [
  ['Section', (it) => it.section],
  ['Kind', (it) => it.kind],
  [timeHeading('Booked'), (it) => it.at, 'moment'],
  ['Order', (it) => it.orderNumber, 'code'],
  ['State or province', (it) => it.place],
  ['Before tax (USD)', (it) => it.itemsCents, 'dollars'],
  ['Discount (USD)', (it) => it.discountCents, 'dollars'],
  ['Shipping (USD)', (it) => it.shippingCents, 'dollars'],
  ['Tax (USD)', (it) => it.taxCents, 'dollars'],
  ['Amount (USD)', (it) => it.amountCents, 'dollars'],
  ['Payment provider (USD)', (it) => it.balanceCents, 'dollars'],
  ['Difference (USD)', (it) => it.differenceCents, 'dollars'],
  ['Payment', (it) => it.intentId, 'code'],
  ['Balance entry', (it) => it.reference, 'code'],
  ['Note', (it) => it.note],
];

/** The figures of the Analytics tab. Each day of the range is one row, with the day with which it is compared. */
const dayColumns: Column<DayFigures & { before: DayFigures | undefined; viewsBefore: number | null }>[] = [
  ['Day', (it) => it.day, 'day'],
  ['Page views', (it) => it.views],
  ['Orders', (it) => it.orders],
  ['Revenue (USD)', (it) => it.revenue, 'dollars'],
  ['Refunds (USD)', (it) => it.refunds, 'dollars'],
  ['Promo code uses', (it) => it.codeUses],
  ['Day before', (it) => it.before?.day ?? null, 'day'],
  ['Page views before', (it) => it.viewsBefore],
  ['Orders before', (it) => it.before?.orders ?? null],
  ['Revenue before (USD)', (it) => it.before?.revenue ?? null, 'dollars'],
  ['Refunds before (USD)', (it) => it.before?.refunds ?? null, 'dollars'],
  ['Promo code uses before', (it) => it.before?.codeUses ?? null],
];

const customerColumns: Column<Person>[] = [
  ['First name', (it) => it.firstName],
  ['Last name', (it) => it.lastName],
  ['Email', (it) => it.email],
  ['Has an account', (it) => it.accountId !== null],
  ['Orders', (it) => it.orderCount],
  ['Total spent (USD)', (it) => it.spentCents, 'dollars'],
  [timeHeading('First order'), (it) => it.firstOrderAt, 'moment'],
  [timeHeading('Last order'), (it) => it.lastOrderAt, 'moment'],
  [timeHeading('Since'), (it) => it.since, 'moment'],
];

async function* readEveryUser(db: Db, listQuery: Parameters<typeof readAllUsers>[1]) {
  for await (const people of readAllUsers(db, listQuery)) yield await createUserViews(db, people);
}

const userColumns: Column<AdminUser>[] = [
  ['Email', (it) => it.username],
  ['First name', (it) => it.firstName],
  ['Last name', (it) => it.lastName],
  ['Customer ID', (it) => it.customerId, 'code'],
  ['Has purchased', (it) => it.hasPurchased],
  ['Base photos', (it) => it.basePhotoLimit],
  ['Extra packages', (it) => it.extraPhotoPackages],
  ['Photos used', (it) => it.usedPhotos],
  ['Reupload credits', (it) => it.reuploadCredits],
  [timeHeading('First order'), (it) => it.purchaseDate && new Date(it.purchaseDate), 'moment'],
];

const ticketColumns: Column<Ticket>[] = [
  ['Ticket', (it) => it.ticketNumber, 'code'],
  [timeHeading('Asked'), (it) => it.createdAt, 'moment'],
  ['Status', (it) => it.status],
  ['Form', (it) => it.kind],
  ['Name', (it) => it.customerName],
  ['Email', (it) => it.customerEmail],
  ['Phone', (it) => it.phone, 'code'],
  ['May be texted', (it) => it.smsConsent],
  ['Subject', (it) => it.subject],
  ['Message', (it) => it.message],
  ['Admin notes', (it) => it.adminNotes],
];
