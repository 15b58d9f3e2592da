import * as z from 'zod';
import { connectionStatuses, deviceTypes } from '#contract/frames.ts';
import { listResponseSchema, listQuerySchema, listRefusals } from '#contract/lists.ts';
import type { Operations } from '#contract/operation.ts';

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

/** A frame as staff work on it: how to reach its cloud storage, and whether its videos are ready. */
export const CloudFrame = z
  .object({
    ...AdminDevice.shape,
    orderNumber: z.string(),
    customerName: z.string(),
    customerEmail: z.string(),
    photoCount: z.int(),
    videosReadyAt: z.iso.datetime().nullable(),
    /** When staff put the videos on the frame. */
    deliveredAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'CloudFrame' });
export type CloudFrame = z.infer<typeof CloudFrame>;

export const frameSorts = ['date'] as const;
/** `to-connect`: the customer saved connection details. `to-fill`: the videos are ready but not on the frame yet. */
export const frameFilters = ['to-connect', 'to-fill', 'filled'] as const;

const idParams = z.object({ id: z.string().max(64) });

export const ownerFrames = {
  'GET /api/admin/devices': {
    summary: 'List the frames of an order',
    who: 'admin',
    area: 'orders',
    query: z.object({ orderId: z.string().max(64) }),
    response: z.array(AdminDevice),
  },
  'GET /api/admin/lists/frames': {
    summary: 'Read a page of the active frames with the connection details for their clouds, oldest first',
    who: 'admin',
    area: 'fulfillment',
    query: listQuerySchema({ sorts: frameSorts, filters: frameFilters }),
    response: listResponseSchema(CloudFrame),
    refusals: listRefusals,
  },
  'PUT /api/admin/devices/:id/cloud': {
    summary: 'Record whether a frame is connected and whether its videos are on it',
    who: 'admin',
    area: 'fulfillment',
    params: idParams,
    body: z.object({ isConnected: z.boolean(), isDelivered: z.boolean() }),
    response: CloudFrame,
    refusals: ['not-found', 'videos-not-ready'],
  },
  'POST /api/admin/devices/:id/player': {
    summary: 'Create the link that plays this frame’s videos on any screen, and end the earlier one',
    who: 'admin',
    area: 'fulfillment',
    params: idParams,
    response: z.object({ url: z.string(), expiresAt: z.iso.datetime() }),
    refusals: ['not-found', 'delivery-link-invalid'],
  },
  'DELETE /api/admin/devices/:id/player': {
    summary: 'End the player link',
    who: 'admin',
    area: 'fulfillment',
    params: idParams,
    response: z.object({ success: z.boolean(), message: z.string() }),
    refusals: ['not-found'],
  },
} satisfies Operations;
