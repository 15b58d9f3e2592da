import * as z from 'zod';
import { AdminPasswordForm } from './account-forms.ts';
import { UploadView, connectionStatuses, deviceTypes } from './frames.ts';
import { motionStyles } from './motion.ts';
import { orderStatuses, purchase } from './orders.ts';
import type { Operations } from './operation.ts';
import { RefundBody } from './refund-forms.ts';
import { ShipmentBody } from './shipment-forms.ts';

const id = z.object({ id: z.string().max(64) });
const Done = z.object({ success: z.boolean(), message: z.string() });

export const refundStates = ['asking', 'pending', 'succeeded', 'failed'] as const;
export const AdminRefund = z
  .object({
    id: z.string(),
    /** Integer cents. */
    amount: z.int(),
    reason: z.string(),
    /** asking: the provider has not answered yet; pending: it is on its way; failed: the money never left. */
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
    /** As the provider names them. */
    reason: z.string(),
    status: z.string(),
    /** The bank has not decided yet. */
    isOpen: z.boolean(),
    /** The bank has the money, so nothing of the order can be refunded. */
    holdsMoney: z.boolean(),
    respondBy: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminDispute' });
export type AdminDispute = z.infer<typeof AdminDispute>;

export const AdminOrder = z
  .object({
    ...purchase,
    customerId: z.string().nullable(),
    customerEmail: z.string(),
    /** Oldest first. */
    refunds: z.array(AdminRefund),
    disputes: z.array(AdminDispute),
    /** Whether anything of it travels in a parcel. */
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

export const videoStates = ['queued', 'rendering', 'rendered', 'approved', 'failed'] as const;
export const AdminVideo = z
  .object({
    id: z.string(),
    uploadId: z.string(),
    title: z.string(),
    photoUrl: z.string(),
    thumbnailUrl: z.string(),
    state: z.enum(videoStates),
    style: z.enum(motionStyles),
    /** 0 to 1. */
    progress: z.number(),
    take: z.int(),
    madeBy: z.string().nullable(),
    videoUrl: z.string().nullable(),
    posterUrl: z.string().nullable(),
    failure: z.string().nullable(),
  })
  .meta({ id: 'AdminVideo' });
export type AdminVideo = z.infer<typeof AdminVideo>;

export const ProductionOrder = z
  .object({
    id: z.string(),
    orderNumber: z.string(),
    customerName: z.string(),
    customerEmail: z.string(),
    /** The latest finalize among its frames. */
    finalizedAt: z.iso.datetime(),
    photoCount: z.int(),
    deviceCount: z.int(),
    totalAmount: z.int(),
    productId: z.string(),
    quantity: z.int(),
    /** Its payment is contested at the bank: think before working on it. */
    isDisputed: z.boolean(),
    shippingAddress: AdminOrder.shape.shippingAddress,
    frames: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        finalizedAt: z.iso.datetime().nullable(),
        videosReadyAt: z.iso.datetime().nullable(),
        videos: z.array(AdminVideo),
      }),
    ),
  })
  .meta({ id: 'ProductionOrder' });
export type ProductionOrder = z.infer<typeof ProductionOrder>;

export const AdminUpload = z
  .object({
    ...UploadView.shape,
    orderId: z.string(),
    frameId: z.string(),
    frameName: z.string(),
    adminNotes: z.string(),
    processedVideoPath: z.string().nullable(),
  })
  .meta({ id: 'AdminUpload' });
export type AdminUpload = z.infer<typeof AdminUpload>;

export const AdminDevice = z
  .object({
    id: z.string(),
    orderId: z.string(),
    deviceType: z.enum(deviceTypes),
    deviceName: z.string(),
    connectionStatus: z.enum(connectionStatuses),
    invitationCode: z.string().nullable(),
    qrPhotoPath: z.string().nullable(),
  })
  .meta({ id: 'AdminDevice' });

export const admin = {
  'GET /api/admin/session': {
    summary: 'Whether this browser is signed in to the admin panel',
    who: 'anyone',
    response: z.object({ isAuthenticated: z.boolean(), admin: z.object({ username: z.string() }).optional() }),
  },
  'POST /api/admin/auth/password': {
    summary: 'Sign in to the admin panel',
    who: 'anyone',
    body: AdminPasswordForm,
    response: Done,
    refusals: ['wrong-admin-password', 'address-not-allowed'],
    rate: 'admin-password',
  },
  'POST /api/admin/auth/replit': {
    summary: 'Sign in as the owner through OpenID Connect',
    who: 'anyone',
    response: z.object({ success: z.boolean(), redirect: z.string().optional(), message: z.string() }),
    refusals: ['owner-sign-in-off', 'address-not-allowed'],
    rate: 'admin-password',
  },
  'POST /api/admin/logout': {
    summary: 'End the admin session',
    who: 'anyone',
    response: Done,
    refusals: ['address-not-allowed'],
  },
  'GET /api/admin/stats': {
    summary: 'The four stat cards; revenue in cents',
    who: 'admin',
    response: z.object({ totalOrders: z.int(), totalUsers: z.int(), totalUploads: z.int(), totalRevenue: z.int() }),
  },
  'GET /api/admin/orders': { summary: 'Paid orders, newest first', who: 'admin', response: z.array(AdminOrder) },
  'GET /api/admin/uploads': {
    summary: 'Photos, newest first',
    who: 'admin',
    query: z.object({ orderId: z.string().max(64).optional() }),
    response: z.array(AdminUpload),
  },
  'GET /api/admin/devices': {
    summary: 'The frames of an order',
    who: 'admin',
    query: z.object({ orderId: z.string().max(64) }),
    response: z.array(AdminDevice),
  },
  'PUT /api/admin/orders/:id': {
    summary: 'Set an order’s status and the owner’s notes',
    who: 'admin',
    params: id,
    body: z.object({ status: z.enum(orderStatuses).optional(), notes: z.string().max(5000).optional() }),
    response: AdminOrder,
    refusals: ['not-found'],
  },
  'GET /api/admin/orders/:id/refunds': {
    summary: 'What can still be given back of an order, to which card, and the unused photos that would go with it',
    who: 'admin',
    params: id,
    response: z.object({
      /** Integer cents. */
      remainingAmount: z.int(),
      /** Null while the provider cannot be asked. */
      card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
      /** Room without a photo in frames that are not finalized. */
      unusedPhotos: z.int(),
      /** Whole extra packages among it, and what one cost. */
      unusedPackages: z.int(),
      packageAmount: z.int(),
    }),
    refusals: ['not-found'],
  },
  'POST /api/admin/orders/:id/refunds': {
    summary: 'Give all or part of an order’s money back, and take unused photos with it',
    who: 'admin',
    params: id,
    body: RefundBody,
    response: AdminOrder,
    refusals: ['not-found', 'nothing-to-refund', 'refund-too-large', 'payment-disputed'],
  },
  'POST /api/admin/orders/:id/shipment': {
    summary: 'Set an order to shipped, or correct its parcel; the customer is told once, and again when asked for',
    who: 'admin',
    params: id,
    body: ShipmentBody,
    response: AdminOrder,
    refusals: ['not-found', 'nothing-to-ship'],
  },
  'GET /api/admin/payment-problems': {
    summary: 'Payments that arrived but do not match their frozen cart, newest first: no order came of them',
    who: 'admin',
    response: z.array(
      z.object({
        id: z.string(),
        stripePaymentIntentId: z.string(),
        customerEmail: z.string().nullable(),
        /** What the cart cost, in cents. */
        expectedAmount: z.int(),
        createdAt: z.iso.datetime(),
      }),
    ),
  },
  'GET /api/admin/production-orders': {
    summary: 'Orders with finalized frames, and how far each video is',
    who: 'admin',
    response: z.array(ProductionOrder),
  },
  'POST /api/admin/videos/:id/approve': {
    summary: 'Accept a finished video; the last one of a frame mails the customer',
    who: 'admin',
    params: id,
    response: AdminVideo,
    refusals: ['not-found', 'video-not-ready'],
  },
  'POST /api/admin/videos/:id/redo': {
    summary: 'Render a video again, with another motion',
    who: 'admin',
    params: id,
    body: z.object({ style: z.enum(motionStyles).optional() }),
    response: AdminVideo,
    refusals: ['not-found', 'video-not-ready'],
  },
} satisfies Operations;
