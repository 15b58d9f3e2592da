import * as z from 'zod';
import { LabelParcelForm, LabelRateForm, labelStates } from '#contract/label-forms.ts';
import type { Operations } from '#contract/operation.ts';

const id = z.object({ id: z.string().max(64) });

export const LabelRate = z
  .object({
    id: z.string(),
    carrier: z.string(),
    service: z.string(),
    /** Integer cents. */
    amount: z.int(),
    /** Days in the mail. Null if the carrier does not say. */
    days: z.int().nullable(),
  })
  .meta({ id: 'LabelRate' });
export type LabelRate = z.infer<typeof LabelRate>;

export const AdminLabel = z
  .object({
    id: z.string(),
    state: z.enum(labelStates),
    parcel: z.object({ weight: z.number(), length: z.number(), width: z.number(), height: z.number() }),
    carrier: z.string().nullable(),
    service: z.string().nullable(),
    /** Integer cents. Null until a price was chosen. */
    amount: z.int().nullable(),
    trackingNumber: z.string().nullable(),
    /** The label as PDF. Null until the shop has it, and after it was deleted. */
    pdfUrl: z.string().nullable(),
    /** What the label service said when it refused the last step. */
    problem: z.string().nullable(),
    boughtAt: z.iso.datetime().nullable(),
    deliveredAt: z.iso.datetime().nullable(),
    /** The order's address is no longer the one on the label. */
    isOutdated: z.boolean(),
  })
  .meta({ id: 'AdminLabel' });
export type AdminLabel = z.infer<typeof AdminLabel>;

const labelRefusals = ['label-refused', 'label-no-money', 'label-service-busy'] as const;

export const ownerLabels = {
  'GET /api/admin/orders/:id/labels': {
    summary: 'List the shipping labels of an order, newest first, and whether labels can be bought for it',
    who: 'admin',
    area: 'fulfillment',
    params: id,
    response: z.object({
      /** False: the settings name no label service. */
      isOn: z.boolean(),
      /** Why no label can be bought for this order. Null if one can be. */
      refusal: z
        .enum(['label-sender-missing', 'label-country', 'label-exists', 'nothing-to-ship', 'order-canceled'])
        .nullable(),
      /** The package of the last label. */
      parcel: LabelParcelForm,
      labels: z.array(AdminLabel),
    }),
    refusals: ['not-found'],
  },
  'POST /api/admin/orders/:id/label-rates': {
    summary: 'Read the prices of a label for an order’s package from the label service; nothing is bought',
    who: 'admin',
    area: 'fulfillment',
    params: id,
    body: LabelParcelForm,
    response: z.object({
      /** The label that can be bought with one of the rates. */
      label: AdminLabel,
      /** Cheapest first. */
      rates: z.array(LabelRate),
      /** What the label service says about the address, and about carriers without a price. */
      warnings: z.array(z.string()),
    }),
    refusals: [
      'not-found',
      'nothing-to-ship',
      'order-canceled',
      'label-sender-missing',
      'label-country',
      'label-exists',
      'label-no-rates',
      ...labelRefusals,
    ],
  },
  'POST /api/admin/labels/:id/buy': {
    summary: 'Buy a label once, at one of its rates; a repeated call buys nothing and returns the label',
    who: 'admin',
    area: 'fulfillment',
    params: id,
    body: LabelRateForm,
    response: AdminLabel,
    refusals: ['not-found', 'order-canceled', 'label-exists', 'label-outdated', 'label-unsure', ...labelRefusals],
  },
  'POST /api/admin/labels/:id/void': {
    summary: 'Void an unused label: request its refund from the label service',
    who: 'admin',
    area: 'fulfillment',
    params: id,
    response: AdminLabel,
    refusals: ['not-found', 'label-changed', 'label-void-refused'],
  },
} satisfies Operations;
