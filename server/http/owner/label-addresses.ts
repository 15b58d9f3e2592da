import * as z from 'zod';
import { toShopDay } from '#contract/calendar.ts';
import { limits } from '#contract/limits.ts';
import { recordAuditEntry } from '#shop/audit/audit.ts';
import { recipientNameOf, recipientPhoneOf } from '#shop/orders/gifts.ts';
import { ordersByIds, type Order } from '#shop/orders/orders.ts';
import { sendCsv } from '../common/csv.ts';
import { streamedCalls } from '#contract/streamed-calls.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import type { Column } from '../common/sheet.ts';

const Query = z.object({
  orders: z
    .string()
    .max(limits.labelAddresses * 65)
    .transform((ids) => [...new Set(ids.split('.').filter(Boolean))])
    .pipe(z.array(z.string().max(64)).min(1).max(limits.labelAddresses)),
});

type AddressedOrder = Order & { shippingAddress: NonNullable<Order['shippingAddress']> };

/**
 * Exports the addresses of orders as CSV, with the headings that label services recognize. Orders that are canceled or
 * have nothing to ship are left out. The package's weight and size are chosen at the service, because they depend on
 * its boxes.
 */
export function registerOwnerLabelAddressRoutes({ app, shop }: HttpScope): void {
  const { db, clock } = shop;
  app.get(
    '/api/admin/shipping-addresses.csv',
    {
      schema: { hide: true, querystring: Query },
      config: { stepUp: true, area: streamedCalls['GET /api/admin/shipping-addresses.csv'].area },
      preParsing: (request, reply) => app.guards.requireAdmin(request, reply),
    },
    async (request, reply) => {
      const { orders: ids } = request.query as z.output<typeof Query>;
      const ordersById = new Map((await ordersByIds(db, ids)).map((it) => [it.id, it]));
      const addressedOrders = ids.flatMap((id) => {
        const order = ordersById.get(id);
        return order && isAddressed(order) ? [order] : [];
      });
      async function* readPages(): AsyncGenerator<AddressedOrder[], void> {
        yield addressedOrders;
      }
      return sendCsv(reply, {
        name: `addresses-${toShopDay(clock.now())}`,
        columns,
        pages: readPages(),
        onBegin: () =>
          recordAuditEntry(db, clock, {
            act: 'export-list',
            subjectId: 'shipping-addresses',
            after: { orders: addressedOrders.map((it) => it.id) },
            ...getAuditAuthor(request),
          }),
      });
    },
  );
}

const isAddressed = (order: Order): order is AddressedOrder =>
  order.shippingAddress !== null && order.canceledAt === null;

const columns: Column<AddressedOrder>[] = [
  ['Order Number', (it) => it.orderNumber, 'code'],
  ['Name', recipientNameOf],
  ['Company', () => ''],
  ['Address 1', (it) => it.shippingAddress.line1],
  ['Address 2', (it) => it.shippingAddress.line2 ?? ''],
  ['City', (it) => it.shippingAddress.city],
  ['State', (it) => it.shippingAddress.state],
  ['Zip', (it) => it.shippingAddress.postalCode, 'code'],
  ['Country', (it) => it.shippingAddress.country],
  // The carrier may call the recipient, so a gift has no phone and email of its giver.
  ['Phone', (it) => recipientPhoneOf(it) ?? (it.gift ? it.gift.recipientPhone : it.phone) ?? '', 'code'],
  ['Email', (it) => (it.gift ? '' : it.email)],
  ['Quantity', (it) => it.quantity],
];
