import * as z from 'zod';
import type { Operations } from './operation.ts';

export type { ShippingAddress } from './customer-details.ts';

/** A paid order waits for photos as `pending`; the owner may set any status freely. */
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
  | 'dispute'
  | 'fraud-warning'
  | 'shipped'
  | 'add-on'
  | 'connection'
  | 'mail'
  | 'note';

export const OrderLine = z.object({
  label: z.string(),
  quantity: z.int(),
  unitCents: z.int(),
  amountCents: z.int(),
});
export type OrderLine = z.infer<typeof OrderLine>;

const ShippingAddressView = z.object({
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
  /** Not before this day. */
  shipOn: z.iso.date().optional(),
});

/** What is on its way; `trackingUrl` of tracking.ts says where it is followed. */
export const Parcel = z.object({
  shippedAt: z.iso.datetime(),
  carrier: z.string().nullable(),
  trackingNumber: z.string().nullable(),
});

/** What a purchase was and cost, as its customer and the owner read it. Amounts in integer cents. */
export const purchase = {
  id: z.string(),
  orderNumber: z.string(),
  productType: z.string(),
  quantity: z.int(),
  customerFirstName: z.string(),
  customerLastName: z.string(),
  shippingAddress: ShippingAddressView.nullable(),
  /** Then the address is the recipient's. */
  gift: GiftView.nullable(),
  lines: z.array(OrderLine),
  subtotalAmount: z.int(),
  discountAmount: z.int(),
  promoCode: z.string().nullable(),
  taxAmount: z.int(),
  /** Percent and place, where tax was calculated. */
  taxRate: z.string().nullable(),
  taxJurisdiction: z.string().nullable(),
  totalAmount: z.int(),
  /** Given back so far, or on its way back. */
  refundedAmount: z.int(),
  parcel: Parcel.nullable(),
  createdAt: z.iso.datetime(),
};
export type Purchase = { [Field in keyof typeof purchase]: z.infer<(typeof purchase)[Field]> };

/** What a customer sees of an order. */
export const OrderView = z
  .object({
    ...purchase,
    extraPackages: z.int(),
    email: z.string(),
    status: z.enum(orderStatuses),
    /** False while any frame of the order is open. */
    isFinalized: z.boolean(),
    /** Whether its signed-in customer was asked for a review, and may write, change or take one back. */
    mayReview: z.boolean(),
    /** Whether who may review it has said something of it. */
    hasReview: z.boolean(),
  })
  .meta({ id: 'Order' });
export type OrderView = z.infer<typeof OrderView>;

/** Days, both included. */
const Estimate = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    /** For photos that are finished by this day, or today where it is null. Those finished later take `businessDays`. */
    finishBy: z.iso.date().nullable(),
    businessDays: z.int(),
  })
  .meta({ id: 'DeliveryEstimate' });
export type DeliveryEstimate = z.infer<typeof Estimate>;
/** Null where nothing is shipped. */
const EstimatedDelivery = Estimate.nullable();

/** One order with everything its customer may know of it. */
export const OrderDetail = OrderView.extend({
  /** Oldest first, in words for the customer. */
  history: z.array(z.object({ at: z.iso.datetime(), kind: z.string(), words: z.string() })),
  frames: z.array(
    z.object({
      name: z.string(),
      usedPhotos: z.int(),
      photoLimit: z.int(),
      isFinalized: z.boolean(),
      videosReadyAt: z.iso.datetime().nullable(),
    }),
  ),
  estimatedDelivery: EstimatedDelivery,
}).meta({ id: 'OrderDetail' });
export type OrderDetail = z.infer<typeof OrderDetail>;

const SessionQuery = z.object({ session: z.string().max(200).optional() });

/** Empty where neither the session token nor the cookie proves anything. Amounts of orderSummary in dollars, as the page shows them. */
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
    summary:
      'When a frame arrives that is bought, and whose photos are finished, today; a gift not before its day to ship',
    who: 'anyone',
    query: z.object({ shipOn: z.iso.date().optional() }),
    response: Estimate,
    refusals: ['gift-day-outside'],
  },
  'GET /api/order-summary': {
    summary: 'What was bought and how many photos it holds',
    who: 'anyone',
    query: SessionQuery,
    response: OrderSummary,
  },
  'GET /api/orders/:orderNumber': {
    summary: 'One order of the customer, or of an order-access token, with its history',
    who: 'anyone',
    params: z.object({ orderNumber: z.string().max(40) }),
    query: SessionQuery,
    response: OrderDetail,
    refusals: ['not-found'],
  },
  'GET /api/user': {
    summary: 'The buyer behind an order-access token or a session, or null',
    who: 'anyone',
    query: SessionQuery,
    response: z
      .object({ id: z.string(), firstName: z.string(), photoLimit: z.int(), uploadedPhotos: z.int() })
      .nullable(),
  },
} satisfies Operations;
