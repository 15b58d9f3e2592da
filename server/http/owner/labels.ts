import { usualLabelParcel } from '#contract/label-forms.ts';
import type { AdminLabel } from '#contract/owner/labels.ts';
import { Refusal } from '#contract/refusals.ts';
import { storeLabelPdf } from '#shop/labels/label-files.ts';
import {
  addressHashOf,
  buyLabel,
  labelById,
  labelRefusalOf,
  readLabelsOfOrder,
  readLastLabelParcel,
  quoteLabel,
  voidLabel,
  type Label,
} from '#shop/labels/labels.ts';
import { orderById, type Order } from '#shop/orders/orders.ts';
import { byOf } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { sendStored } from '../common/send-file.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerLabelRoutes({ app, shop }: HttpScope): void {
  const { db } = shop;

  mountOperation(app, 'GET /api/admin/orders/:id/labels', async ({ params }) => {
    const order = await orderById(db, params.id);
    if (!order) throw new Refusal('not-found');
    const [own, last] = await Promise.all([readLabelsOfOrder(db, order.id), readLastLabelParcel(db)]);
    return {
      isOn: shop.labels !== undefined,
      refusal: labelRefusalOf(order, shop.labelSender, own) ?? null,
      parcel: last ?? usualLabelParcel,
      labels: own.map((it) => labelView(it, order)),
    };
  });

  mountOperation(app, 'POST /api/admin/orders/:id/label-rates', async ({ params, body, request }) => {
    const { label, warnings } = await quoteLabel(shop, params.id, body, byOf(request));
    return {
      label: await viewOf(label),
      rates: label.rates.map(({ id, carrier, service, amountCents, days }) => ({
        id,
        carrier,
        service,
        amount: amountCents,
        days: days ?? null,
      })),
      warnings,
    };
  });

  mountOperation(app, 'POST /api/admin/labels/:id/buy', async ({ params, body, request }) => {
    const label = await buyLabel(shop, params.id, body, byOf(request)).finally(() => shop.live.publish('orders'));
    // The label is bought even if its PDF cannot be fetched now. The job tries again.
    const storedPdf = await storeLabelPdf(shop, label).catch((error: unknown) => {
      request.log.warn({ err: error }, 'a shipping label could not be read');
      return label;
    });
    return viewOf(storedPdf);
  });

  mountOperation(app, 'POST /api/admin/labels/:id/void', async ({ params, request }) =>
    viewOf(await voidLabel(shop, params.id, byOf(request)).finally(() => shop.live.publish('orders'))),
  );

  /** The PDF of a label, for the owner. */
  app.get<{ Params: { fileName: string } }>('/labels/:fileName', { schema: { hide: true } }, async (request, reply) => {
    const label = (await app.guards.isAdmin(request, reply, 'fulfillment'))
      ? await labelById(db, request.params.fileName)
      : undefined;
    if (!label?.pdfKey) throw new Refusal('not-found');
    return sendStored(shop.storage, request, reply, {
      key: label.pdfKey,
      contentType: 'application/pdf',
      downloadName: `label-${label.trackingNumber ?? label.id}.pdf`,
    });
  });

  const viewOf = async (label: Label) => labelView(label, (await orderById(db, label.orderId))!);
}

const labelView = (it: Label, order: Order): AdminLabel => ({
  id: it.id,
  state: it.state,
  parcel: it.parcel,
  carrier: it.carrier,
  service: it.service,
  amount: it.priceCents,
  trackingNumber: it.trackingNumber,
  pdfUrl: it.pdfKey === null ? null : `/labels/${it.id}`,
  problem: it.problem,
  boughtAt: it.boughtAt?.toISOString() ?? null,
  deliveredAt: it.deliveredAt?.toISOString() ?? null,
  isOutdated: it.addressHash !== addressHashOf(order),
});
