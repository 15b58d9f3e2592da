import { usualCustomsDescription, usualLabelParcel } from '#contract/label-forms.ts';
import type { AdminLabel } from '#contract/owner/labels.ts';
import { Refusal } from '#contract/refusals.ts';
import { customsLimitsOf, needsCustoms, readLastCustoms } from '#shop/labels/customs.ts';
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
import { findOrderById, type Order } from '#shop/orders/orders.ts';
import { getAuditAuthor } from '../common/by.ts';
import type { HttpScope } from '../common/http-scope.ts';
import { sendStoredFile } from '../common/send-file.ts';
import { mountOperation } from '../common/serve.ts';

export function registerOwnerLabelRoutes({ app, shop }: HttpScope): void {
  const { db } = shop;

  mountOperation(app, 'GET /api/admin/orders/:id/labels', async ({ params }) => {
    const order = await findOrderById(db, params.id);
    if (!order) throw new Refusal('not-found');
    const [own, last, customs] = await Promise.all([
      readLabelsOfOrder(db, order.id),
      readLastLabelParcel(db),
      needsCustoms(order) ? readCustomsDefaults(order) : null,
    ]);
    return {
      isOn: shop.labels !== undefined,
      refusal: labelRefusalOf(order, shop.labelSender, own) ?? null,
      parcel: last ?? usualLabelParcel,
      customs,
      labels: own.map((it) => labelView(it, order)),
    };
  });

  mountOperation(app, 'POST /api/admin/orders/:id/label-rates', async ({ params, body, request }) => {
    const { label, warnings } = await quoteLabel(shop, params.id, body, getAuditAuthor(request));
    return {
      label: await createView(label),
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
    const label = await buyLabel(shop, params.id, body, getAuditAuthor(request)).finally(() =>
      shop.live.publish('orders'),
    );
    // The label is bought even if its PDF cannot be fetched now. The job tries again.
    const labelWithPdf = await storeLabelPdf(shop, label).catch((error: unknown) => {
      request.log.warn({ err: error }, 'a shipping label could not be read');
      return label;
    });
    return createView(labelWithPdf);
  });

  mountOperation(app, 'POST /api/admin/labels/:id/void', async ({ params, request }) =>
    createView(await voidLabel(shop, params.id, getAuditAuthor(request)).finally(() => shop.live.publish('orders'))),
  );

  /** The PDFs of a label, for the owner. */
  const labelPdfRoutes = [
    { path: '/labels/:fileName', keyName: 'pdfKey', name: 'label' },
    { path: '/labels/:fileName/customs', keyName: 'customsPdfKey', name: 'customs' },
  ] as const;
  for (const { path, keyName, name } of labelPdfRoutes)
    app.get<{ Params: { fileName: string } }>(path, { schema: { hide: true } }, async (request, reply) => {
      const label = (await app.guards.isAdmin(request, reply, 'fulfillment'))
        ? await labelById(db, request.params.fileName)
        : undefined;
      const key = label?.[keyName];
      if (!key) throw new Refusal('not-found');
      return sendStoredFile(shop.storage, request, reply, {
        key,
        contentType: 'application/pdf',
        downloadName: `${name}-${label.trackingNumber ?? label.id}.pdf`,
      });
    });

  /** The order's frames and what was paid for them, and the rest of the last customs form. */
  const readCustomsDefaults = async (order: Order) => {
    const { quantity, paidCents } = customsLimitsOf(order);
    const last = await readLastCustoms(db);
    return {
      quantity,
      paid: paidCents,
      description: last?.description ?? usualCustomsDescription,
      weight: last?.weight ?? null,
      hsTariffNumber: last?.hsTariffNumber ?? '',
      originCountry: last?.originCountry ?? '',
      signer: last?.signer ?? '',
    };
  };

  const createView = async (label: Label) => labelView(label, (await findOrderById(db, label.orderId))!);
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
  hasCustoms: it.customs !== null,
  customsPdfUrl: it.customsPdfKey === null ? null : `/labels/${it.id}/customs`,
  problem: it.problem,
  boughtAt: it.boughtAt?.toISOString() ?? null,
  deliveredAt: it.deliveredAt?.toISOString() ?? null,
  isOutdated: it.addressHash !== addressHashOf(order),
});
