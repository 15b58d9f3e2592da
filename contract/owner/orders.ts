import * as z from 'zod';
import { listResponseSchema, listQuerySchema, listRefusals } from '#contract/lists.ts';
import { orderStatuses, purchaseFields } from '#contract/orders.ts';
import { CancelBody } from '#contract/cancel-forms.ts';
import { RefundBody } from '#contract/refund-forms.ts';
import { ShipmentBody } from '#contract/shipment-forms.ts';
import { ChangeAddressBody } from '#contract/shipping-address-forms.ts';
import type { Operations } from '#contract/operation.ts';

const id = z.object({ id: z.string().max(64) });

export const refundStates = ['asking', 'pending', 'succeeded', 'failed'] as const;
export const AdminRefund = z
  .object({
    id: z.string(),
    /** Integer cents. */
    amount: z.int(),
    /** The last four characters of the gift cards that got the amount; null if the payment card got it. */
    giftCards: z.array(z.string()).nullable(),
    reason: z.string(),
    /** asking: the provider has not responded yet; pending: the refund is in progress; failed: no money was sent. */
    state: z.enum(refundStates),
    photosWithdrawn: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminRefund' });
export type AdminRefund = z.infer<typeof AdminRefund>;

export const AdminDispute = z
  .object({
    id: z.string(),
    amount: z.int(),
    /** The reason, as the provider names it. */
    reason: z.string(),
    status: z.string(),
    /** The bank has not decided yet. */
    isOpen: z.boolean(),
    /** The bank holds the money, so no part of the order can be refunded. */
    holdsMoney: z.boolean(),
    respondBy: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminDispute' });
export type AdminDispute = z.infer<typeof AdminDispute>;

/** The card's issuer suspects fraud. A refund before a dispute avoids the dispute fee. */
export const AdminFraudWarning = z
  .object({
    id: z.string(),
    /** The kind of fraud, as the provider names it. */
    fraudType: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminFraudWarning' });
export type AdminFraudWarning = z.infer<typeof AdminFraudWarning>;

export const AdminOrder = z
  .object({
    ...purchaseFields,
    customerId: z.string().nullable(),
    customerEmail: z.string(),
    /** The phone number as the buyer typed it. Null if the buyer entered none. */
    customerPhone: z.string().nullable(),
    /** The phone number in E.164. Null if it could not be parsed. */
    customerPhoneE164: z.string().nullable(),
    /** Oldest first. */
    refunds: z.array(AdminRefund),
    disputes: z.array(AdminDispute),
    fraudWarnings: z.array(AdminFraudWarning),
    /** Whether the order contains anything to ship. */
    isShippable: z.boolean(),
    orderStatus: z.enum(orderStatuses),
    notes: z.string(),
    stripePaymentIntentId: z.string(),
    updatedAt: z.iso.datetime(),
    /** History, oldest first. */
    events: z.array(z.object({ kind: z.string(), words: z.string(), at: z.iso.datetime() })),
  })
  .meta({ id: 'AdminOrder' });
export type AdminOrder = z.infer<typeof AdminOrder>;

/** What the owner should know before shipping a package. */
export const ShippingCheck = z
  .object({
    /** Whether the buyer has confirmed the order's email address. */
    isEmailProven: z.boolean(),
    frames: z.array(
      z.object({
        name: z.string(),
        photos: z.int(),
        mostPhotos: z.int(),
        isFinalized: z.boolean(),
        videos: z.int(),
        /** Videos that are being made, wait for review, or failed. */
        openVideos: z.int(),
      }),
    ),
  })
  .meta({ id: 'ShippingCheck' });
export type ShippingCheck = z.infer<typeof ShippingCheck>;

/** An order with its new shipping address. No tax is charged or refunded by the change. */
export const ChangedAddress = z
  .object({
    order: AdminOrder,
    /** Null if the address did not change, or if no tax was calculated when the order was paid. */
    tax: z
      .object({
        /** The tax that the buyer paid, in integer cents. */
        paid: z.int(),
        /** What the tax would be at the new address, in integer cents. Null if the provider cannot calculate it. */
        now: z.int().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'ChangedAddress' });
export type ChangedAddress = z.infer<typeof ChangedAddress>;

/** What canceling an order does. The owner confirms it before. */
export const Cancellation = z
  .object({
    /** Why the order cannot be canceled. Null if it can be. */
    refusal: z
      .enum([
        'order-canceled',
        'cancel-shipped',
        'cancel-complete',
        'cancel-add-on',
        'nothing-to-refund',
        'payment-disputed',
      ])
      .nullable(),
    /** The refunds: of the order first, then of the add-ons for its frames. Amounts in integer cents. */
    refunds: z.array(
      z.object({
        orderNumber: z.string(),
        amount: z.int(),
        paidAmount: z.int(),
        taxAmount: z.int(),
        isAddOn: z.boolean(),
      }),
    ),
    refundAmount: z.int(),
    /** The part of `refundAmount` that goes back to gift cards. */
    giftCardAmount: z.int(),
    /** The card of the order's payment. Null while the provider cannot be reached. */
    card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
    photos: z.int(),
    /** Videos that the customer has. */
    deliveredVideos: z.int(),
    /** Videos that are being made or wait for review or delivery. They are never kept. */
    unfinishedVideos: z.int(),
    collectLinks: z.int(),
    uploadLinks: z.int(),
    /** Whether the upload links end too. They stay if they lead to another open frame of the customer. */
    endsUploadLinks: z.boolean(),
  })
  .meta({ id: 'Cancellation' });
export type Cancellation = z.infer<typeof Cancellation>;

export const orderSorts = ['date', 'customer', 'total', 'status'] as const;
/**
 * Filters by status, and four more. `canceled` orders are in no other filter. `gifts` are gifts that are not shipped
 * yet. `to-ship` are orders with delivered videos and an unshipped package, except gifts with a shipping day. `returns`
 * are orders with a return that waits for the owner.
 */
export const orderFilters = [...orderStatuses, 'canceled', 'gifts', 'to-ship', 'returns'] as const;
export const ordersQuery = listQuerySchema({ sorts: orderSorts, filters: orderFilters });

const notes = z.string().max(5000).optional();

export const ownerOrders = {
  'GET /api/admin/orders': {
    summary: 'List paid orders, newest first; the Link header names the next page',
    who: 'admin',
    area: 'orders',
    query: ordersQuery,
    response: z.array(AdminOrder),
    refusals: listRefusals,
  },
  'GET /api/admin/lists/orders': {
    summary:
      'Read a page of paid orders: searched by number, name, email and payment intent, filtered by status, sorted',
    who: 'admin',
    area: 'orders',
    query: ordersQuery,
    response: listResponseSchema(AdminOrder),
    refusals: listRefusals,
  },
  'GET /api/admin/orders/:id': {
    summary: 'Read one paid order',
    who: 'admin',
    area: 'orders',
    params: id,
    response: AdminOrder,
    refusals: ['not-found'],
  },
  'PUT /api/admin/orders/:id': {
    summary: 'Change an order’s status and the owner’s notes',
    who: 'admin',
    area: 'orders',
    params: id,
    body: z.object({
      status: z.enum(orderStatuses).optional(),
      notes,
      /**
       * The notes when the edit began. If they have changed since, `theirs` in the refusal contains the current notes.
       */
      notesBefore: notes,
      /** Whether the customer gets the email when the order is first set to shipped. True if it is left out. */
      tellCustomer: z.boolean().optional(),
    }),
    response: AdminOrder,
    refusals: ['not-found', 'notes-changed', 'order-canceled'],
  },
  'GET /api/admin/orders/:id/refunds': {
    summary: 'Read how much of an order can be refunded, to which card, and which unused photos would be withdrawn',
    who: 'admin',
    area: 'money',
    params: id,
    response: z.object({
      /** Integer cents. */
      remainingAmount: z.int(),
      /** The part of it that goes back to gift cards, after the rest has gone back to the card. */
      giftCardAmount: z.int(),
      /** The last four characters of these gift cards. */
      giftCards: z.array(z.string()),
      /** Null while the provider cannot be reached, and if gift cards paid everything. */
      card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
      /** Places without a photo in frames that are not finalized. */
      unusedPhotos: z.int(),
      /** How many whole extra packages these unused places contain, and the price of one package. */
      unusedPackages: z.int(),
      packageAmount: z.int(),
    }),
    refusals: ['not-found'],
  },
  'POST /api/admin/orders/:id/refunds': {
    summary: 'Refund all or part of an order, and withdraw unused photos',
    who: 'admin',
    area: 'money',
    params: id,
    body: RefundBody,
    response: AdminOrder,
    refusals: ['not-found', 'nothing-to-refund', 'refund-too-large', 'payment-disputed', 'return-changed'],
    stepUp: true,
  },
  'GET /api/admin/orders/:id/cancellation': {
    summary: 'Read what canceling an order would refund, delete and end',
    who: 'admin',
    area: 'money',
    params: id,
    response: Cancellation,
    refusals: ['not-found'],
  },
  'POST /api/admin/orders/:id/cancellation': {
    summary: 'Cancel an open order: refund the rest, stop its videos, end its links, and keep or erase its photos',
    who: 'admin',
    area: 'money',
    params: id,
    body: CancelBody,
    response: AdminOrder,
    refusals: [
      'not-found',
      'order-canceled',
      'cancel-shipped',
      'cancel-complete',
      'cancel-add-on',
      'cancel-changed',
      'nothing-to-refund',
      'payment-disputed',
    ],
    stepUp: true,
  },
  'GET /api/admin/orders/:id/shipping-check': {
    summary: 'Check what is not ready in an order that is about to ship: photos, videos, the email address',
    who: 'admin',
    area: 'orders',
    params: id,
    response: ShippingCheck,
    refusals: ['not-found'],
  },
  'GET /api/admin/shipping-checks': {
    summary: 'Find orders by their numbers, with what is not ready in them, before their packages are shipped together',
    who: 'admin',
    area: 'orders',
    query: z.object({
      /** At most 100 order numbers, separated by commas. Unknown numbers are left out of the response. */
      numbers: z
        .string()
        .regex(/^([A-Za-z0-9-]{1,20}(,[A-Za-z0-9-]{1,20}){0,99})?$/)
        .default(''),
    }),
    response: z.array(z.object({ order: AdminOrder, check: ShippingCheck })),
  },
  'PUT /api/admin/orders/:id/shipping-address': {
    summary: 'Change the shipping address of an order before it ships, and return the sales tax at that address',
    who: 'admin',
    area: 'orders',
    params: id,
    body: ChangeAddressBody,
    response: ChangedAddress,
    refusals: ['not-found', 'nothing-to-ship', 'already-shipped', 'order-canceled'],
  },
  'POST /api/admin/orders/:id/shipment': {
    summary:
      'Set an order to shipped, or correct its parcel; the customer is emailed once unless the owner does not want it, and again on request',
    who: 'admin',
    area: 'fulfillment',
    params: id,
    body: ShipmentBody,
    response: AdminOrder,
    refusals: ['not-found', 'nothing-to-ship', 'order-canceled', 'package-sent'],
  },
} satisfies Operations;
