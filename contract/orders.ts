import * as z from 'zod';
import type { Operations } from './operation.ts';

export type { ShippingAddress } from './customer-details.ts';

/** A paid order is `pending` while it waits for photos. The owner may set any status. */
export const orderStatuses = ['pending', 'processing', 'completed', 'shipped'] as const;
export type OrderStatus = (typeof orderStatuses)[number];
export type OrderEventKind =
  | 'paid'
  | 'photos-finalized'
  | 'status'
  | 'video-approved'
  | 'motion-wished'
  | 'videos-ready'
  | 'photos-erased'
  | 'photo-replaced'
  | 'photo-added'
  | 'photo-deleted'
  | 'refund'
  | 'return'
  | 'canceled'
  | 'dispute'
  | 'fraud-warning'
  | 'stock'
  | 'shipped'
  | 'label'
  | 'delivered'
  | 'address'
  | 'add-on'
  | 'connection'
  | 'mail'
  | 'note'
  | 'phone';

export const OrderLine = z.object({
  label: z.string(),
  quantity: z.int(),
  unitCents: z.int(),
  amountCents: z.int(),
});
export type OrderLine = z.infer<typeof OrderLine>;

export const ShippingAddressView = z.object({
  line1: z.string(),
  line2: z.string().optional(),
  city: z.string(),
  state: z.string(),
  postalCode: z.string(),
  country: z.string(),
});

export const GiftView = z.object({
  recipientName: z.string(),
  from: z.string().optional(),
  message: z.string().optional(),
  recipientPhone: z.string().optional(),
  /** The first day on which the gift may be shipped. */
  shipOn: z.iso.date().optional(),
});

/** A shipped package. `trackingUrl` in tracking.ts returns its tracking page. */
export const Parcel = z.object({
  shippedAt: z.iso.datetime(),
  carrier: z.string().nullable(),
  trackingNumber: z.string().nullable(),
  /** When the carrier delivered the package. Null if the shop does not know it. */
  deliveredAt: z.iso.datetime().nullable(),
});

/** What was bought and what it cost, for the customer and the owner. Amounts are in integer cents. */
export const purchaseFields = {
  id: z.string(),
  orderNumber: z.string(),
  productType: z.string(),
  quantity: z.int(),
  customerFirstName: z.string(),
  customerLastName: z.string(),
  shippingAddress: ShippingAddressView.nullable(),
  /** If present, `shippingAddress` is the recipient's address. */
  gift: GiftView.nullable(),
  lines: z.array(OrderLine),
  subtotalAmount: z.int(),
  discountAmount: z.int(),
  promoCode: z.string().nullable(),
  taxAmount: z.int(),
  /** The percentage and the jurisdiction, if tax was calculated. */
  taxRate: z.string().nullable(),
  taxJurisdiction: z.string().nullable(),
  totalAmount: z.int(),
  /** The part of the total that gift cards paid. */
  giftCardAmount: z.int(),
  /** The amount that was refunded, including refunds in progress. */
  refundedAmount: z.int(),
  parcel: Parcel.nullable(),
  /** When the shop canceled the order. Its status stays what it was. */
  canceledAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
};
export type Purchase = { [Field in keyof typeof purchaseFields]: z.infer<(typeof purchaseFields)[Field]> };

/** An order as its customer sees it. */
export const OrderView = z
  .object({
    ...purchaseFields,
    extraPackages: z.int(),
    email: z.string(),
    status: z.enum(orderStatuses),
    /** False while any frame of the order is open. */
    isFinalized: z.boolean(),
    /** Whether the signed-in customer was asked for a review and may write, change or withdraw one. */
    mayReview: z.boolean(),
    /** Whether the signed-in customer has written a review of this order. */
    hasReview: z.boolean(),
  })
  .meta({ id: 'Order' });
export type OrderView = z.infer<typeof OrderView>;

/** The first and the last day of the estimated delivery, both inclusive. */
const Estimate = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    /**
     * The estimate applies if the photos are finished by this day or, if null, today. Otherwise delivery takes
     * `businessDays` after the photos are finished.
     */
    finishBy: z.iso.date().nullable(),
    businessDays: z.int(),
  })
  .meta({ id: 'DeliveryEstimate' });
export type DeliveryEstimate = z.infer<typeof Estimate>;
/** Null if nothing is shipped. */
const EstimatedDelivery = Estimate.nullable();

/** One order with everything its customer may see. */
export const OrderDetail = OrderView.extend({
  /** Oldest first, with texts for the customer. */
  history: z.array(z.object({ at: z.iso.datetime(), kind: z.string(), words: z.string() })),
  frames: z.array(
    z.object({
      name: z.string(),
      usedPhotos: z.int(),
      photoLimit: z.int(),
      isFinalized: z.boolean(),
      videosReadyAt: z.iso.datetime().nullable(),
      /** True if some videos are delivered, even while the videos of photos that were added later are being made. */
      hasVideos: z.boolean(),
    }),
  ),
  estimatedDelivery: EstimatedDelivery,
  /** Whether frames of the order have shipped. Their customer sees the order's returns. */
  hasReturns: z.boolean(),
}).meta({ id: 'OrderDetail' });
export type OrderDetail = z.infer<typeof OrderDetail>;

const SessionQuery = z.object({ session: z.string().max(200).optional() });

/**
 * Empty if neither the session token nor the cookie is valid. Amounts of orderSummary are in dollars, as the page shows
 * them.
 */
export const OrderSummary = z.object({
  photoSummary: z.object({ uploadedPhotos: z.int(), totalCapacity: z.int() }),
  orders: z.array(OrderView),
  orderSummary: z.object({
    frameCount: z.int(),
    framePrice: z.number(),
    totalFramePrice: z.number(),
    extraPackages: z.int(),
    extraPackagePrice: z.number(),
    total: z.number(),
  }),
  estimatedDelivery: EstimatedDelivery,
});
export type OrderSummary = z.infer<typeof OrderSummary>;

export const orders = {
  'GET /api/delivery-estimate': {
    summary: 'Estimate the delivery of a frame that is bought and finalized today; a gift ships on its day or later',
    who: 'anyone',
    query: z.object({ shipOn: z.iso.date().optional() }),
    response: Estimate,
    refusals: ['gift-day-outside'],
  },
  'GET /api/order-summary': {
    summary: 'Read the orders of the customer, or of an order-access token, with totals and photo counts',
    who: 'anyone',
    query: SessionQuery,
    response: OrderSummary,
  },
  'GET /api/orders/:orderNumber': {
    summary: 'Read one order of the customer, or of an order-access token, with its history',
    who: 'anyone',
    params: z.object({ orderNumber: z.string().max(40) }),
    query: SessionQuery,
    response: OrderDetail,
    refusals: ['not-found'],
  },
  'GET /api/user': {
    summary: 'Read the buyer of an order-access token or a session, or null',
    who: 'anyone',
    query: SessionQuery,
    response: z
      .object({
        id: z.string(),
        /** The first name on the token's order if there is a token, otherwise of the signed-in customer. */
        firstName: z.string(),
        photoLimit: z.int(),
        uploadedPhotos: z.int(),
        /** The email of the signed-in customer, if the token's order belongs to someone else. */
        signedInAs: z.string().nullable(),
      })
      .nullable(),
  },
} satisfies Operations;
