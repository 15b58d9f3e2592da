import * as z from 'zod';
import type { Operations } from './operation.ts';

/** A frame's finished videos, behind the link in the customer's mail. */
export const Delivery = z.object({
  firstName: z.string(),
  frameName: z.string(),
  orderNumber: z.string(),
  expiresAt: z.iso.datetime(),
  downloadAllUrl: z.string(),
  /** Exact size of the archive, in bytes, for a true progress bar. */
  downloadAllBytes: z.int(),
  videos: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      videoUrl: z.string(),
      posterUrl: z.string(),
      downloadUrl: z.string(),
      sizeBytes: z.int(),
      seconds: z.number(),
    }),
  ),
});
export type Delivery = z.infer<typeof Delivery>;

export const delivery = {
  'GET /api/delivery/:token': {
    summary: 'What a delivery link shows',
    who: 'anyone',
    params: z.object({ token: z.string().max(200) }),
    response: Delivery,
    refusals: ['delivery-link-invalid'],
    rate: 'token-validation',
  },
  'POST /api/devices/:id/delivery-link': {
    summary: 'Open the delivery page of one’s own frame without the mail',
    who: 'customer',
    params: z.object({ id: z.string().max(64) }),
    response: z.object({ path: z.string() }),
    refusals: ['not-found', 'videos-not-ready', 'delivery-link-invalid'],
  },
} satisfies Operations;
