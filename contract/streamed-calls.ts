import type { CallerRole } from './operation.ts';
import type { PanelArea } from './owner/areas.ts';
import type { RefusalName } from './refusals.ts';

/**
 * A route that responds with a file, a stream or a redirect. It is mounted separately from the operations. openapi.json
 * lists it from here.
 */
type StreamedCall = StreamedParts & Caller;

/** A call of the panel names its area, like the operations. */
type Caller =
  | { readonly who: 'admin'; readonly area: PanelArea }
  | { readonly who: Extract<CallerRole, 'anyone' | 'customer'>; readonly area?: never };

interface StreamedParts {
  readonly summary: string;
  /**
   * The content type of a successful response. Without it, the route redirects, unless `status` says that the response
   * is empty.
   */
  readonly contentType?: string;
  readonly status?: 204;
  readonly query?: readonly string[];
  readonly refusals?: readonly RefusalName[];
}

const createListCall = (rows: string, area: PanelArea): StreamedCall => ({
  summary: `Export all ${rows} that a list of the panel finds, as CSV`,
  who: 'admin',
  area,
  contentType: 'text/csv',
  query: ['q', 'filter', 'sort'],
  refusals: ['step-up-needed'],
});

const excelContentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The same rows as `createListCall` in an Excel workbook with typed columns. */
const createWorkbookCall = (rows: string, area: PanelArea): StreamedCall => ({
  ...createListCall(rows, area),
  summary: `Export all ${rows} that a list of the panel finds, as an Excel workbook`,
  contentType: excelContentType,
});

const createDaysCall = (form: string, contentType: string): StreamedCall => ({
  summary: `Export page views, orders and money of each day of a range and of the days before, ${form}`,
  who: 'admin',
  area: 'money',
  contentType,
  query: ['range', 'from', 'to'],
  refusals: ['step-up-needed'],
});

const createSalesTaxCall = (form: string, contentType: string): StreamedCall => ({
  summary: `Export sales, sales tax and refunds of each month and state in the last two years, ${form}`,
  who: 'admin',
  area: 'money',
  contentType,
  refusals: ['step-up-needed'],
});

const createMonthFileCall = (form: string, contentType: string): StreamedCall => ({
  summary: `Export each payment, refund, dispute and fee of a month, compared with the payment provider’s balance, ${form}`,
  who: 'admin',
  area: 'money',
  contentType,
  query: ['month'],
  refusals: ['step-up-needed', 'payment-provider-unavailable'],
});

const calls = {
  'GET /api/openapi.json': { summary: 'Read this document', who: 'anyone', contentType: 'application/json' },
  'GET /api/account/my-data.zip': {
    summary: 'Download all data that the shop keeps about the customer, with photos and videos',
    who: 'customer',
    contentType: 'application/zip',
  },
  'GET /api/admin/orders/:id/download': {
    summary: 'Download all original photos of an order',
    who: 'admin',
    area: 'orders',
    contentType: 'application/zip',
    refusals: ['step-up-needed', 'not-found', 'no-photos-in-order'],
  },
  'GET /api/admin/uploads/:id/original': {
    summary: 'Download one original photo',
    who: 'admin',
    area: 'orders',
    contentType: 'application/octet-stream',
    refusals: ['not-found'],
  },
  'GET /api/admin/lists/orders.csv': createListCall('orders', 'money'),
  'GET /api/admin/lists/customers.csv': createListCall('customers', 'money'),
  'GET /api/admin/lists/users.csv': createListCall('users', 'money'),
  'GET /api/admin/lists/support-tickets.csv': createListCall('support tickets', 'support'),
  'GET /api/admin/lists/orders.xlsx': createWorkbookCall('orders', 'money'),
  'GET /api/admin/lists/customers.xlsx': createWorkbookCall('customers', 'money'),
  'GET /api/admin/lists/users.xlsx': createWorkbookCall('users', 'money'),
  'GET /api/admin/lists/support-tickets.xlsx': createWorkbookCall('support tickets', 'support'),
  'GET /api/admin/shipping-addresses.csv': {
    summary: 'Export the addresses of orders as CSV for a label service; orders: at most 100 ids, separated by dots',
    who: 'admin',
    area: 'fulfillment',
    contentType: 'text/csv',
    query: ['orders'],
    refusals: ['step-up-needed'],
  },
  'GET /api/analytics/days.csv': createDaysCall('as CSV', 'text/csv'),
  'GET /api/analytics/days.xlsx': createDaysCall('as an Excel workbook', excelContentType),
  'GET /api/analytics/sales-tax.csv': createSalesTaxCall('as CSV', 'text/csv'),
  'GET /api/analytics/sales-tax.xlsx': createSalesTaxCall('as an Excel workbook', excelContentType),
  'GET /api/analytics/month-file.csv': createMonthFileCall('as CSV', 'text/csv'),
  'GET /api/analytics/month-file.xlsx': createMonthFileCall('as an Excel workbook', excelContentType),
  'GET /api/admin/live': {
    summary: 'Receive server-sent events that name the panel data that may have changed',
    who: 'admin',
    area: 'own',
    contentType: 'text/event-stream',
  },
  'GET /api/admin/auth/replit/callback': {
    summary: 'Finish the owner’s sign-in at the OpenID provider and redirect to the panel or to its sign-in page',
    who: 'anyone',
    query: ['code', 'state', 'error'],
  },
  'POST /api/csp-reports': {
    summary: 'Receive browsers’ reports of what a page’s content security policy has blocked',
    who: 'anyone',
    status: 204,
  },
  'POST /api/webhooks/stripe': {
    summary: 'Receive an event of the payment provider, signed in stripe-signature over the raw body',
    who: 'anyone',
    contentType: 'application/json',
    refusals: ['invalid-request'],
  },
  'POST /api/webhooks/mail': {
    summary:
      'Receive a customer’s email from a mail service as a raw MIME message: message/rfc822, or in the format of SendGrid Inbound Parse or of Postmark; the password is INBOUND_WEBHOOK_SECRET',
    who: 'anyone',
    contentType: 'application/json',
    refusals: ['invalid-request', 'not-found', 'body-too-large', 'unavailable'],
  },
  'POST /api/webhooks/easypost': {
    summary: 'Receive an event of the label service, signed in x-hmac-signature over the raw body',
    who: 'anyone',
    contentType: 'application/json',
    refusals: ['invalid-request', 'not-found'],
  },
  'POST /api/webhooks/animator': {
    summary: 'Receive a call of the hosted animator, signed over the raw body',
    who: 'anyone',
    contentType: 'application/json',
    refusals: ['invalid-request', 'not-found', 'unavailable'],
  },
} satisfies { readonly [route: `${'GET' | 'POST'} /api/${string}`]: StreamedCall };

export type StreamedRoute = keyof typeof calls;
export const streamedCalls: Readonly<Record<StreamedRoute, StreamedCall>> = calls;
