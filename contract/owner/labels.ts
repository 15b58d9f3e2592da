import * as z from 'zod';
import { LabelCustomsBody, LabelParcelForm, LabelRateForm, labelStates } from '#contract/label-forms.ts';
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
    /** Whether the package needs a customs form. */
    hasCustoms: z.boolean(),
    /** The customs form as PDF. Null if the carrier gave none, and whenever `pdfUrl` is null. */
    customsPdfUrl: z.string().nullable(),
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
      /** What the customs form says by default. Null if the package needs none. */
      customs: z
        .object({
          /** The number of frames in the package. */
          quantity: z.int(),
          /** What the customer paid for one frame, without tax. Integer cents. */
          paid: z.int(),
          description: z.string(),
          /** The weight of one frame in ounces. Null until the owner has entered one. */
          weight: z.number().nullable(),
          hsTariffNumber: z.string(),
          originCountry: z.string(),
          signer: z.string(),
        })
        .nullable(),
      labels: z.array(AdminLabel),
    }),
    refusals: ['not-found'],
  },
  'POST /api/admin/orders/:id/label-rates': {
    summary:
      'Read the prices of a label for an order’s package from the label service; nothing is bought. A package to Canada needs its customs form',
    who: 'admin',
    area: 'fulfillment',
    params: id,
    body: z.object({
      ...LabelParcelForm.shape,
      /** Required for a package to Canada, and ignored for every other. */
      customs: z.optional(LabelCustomsBody),
    }),
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
      'label-customs-missing',
      'label-customs-value',
      'label-customs-weight',
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
