import * as z from 'zod';
import type { Operations } from '#contract/operation.ts';

/** How many browsers of the owner can get notifications. */
export const maxPushDevices = 20;

const PushDevice = z
  .object({
    id: z.string(),
    /** The browser and the system, such as "Safari on iPhone". */
    device: z.string(),
    /** The browser's address at its push service, by which a browser finds itself in the list. */
    endpoint: z.string(),
    createdAt: z.iso.datetime(),
    lastSentAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'PushDevice' });
export type PushDevice = z.infer<typeof PushDevice>;

const base64urlField = (characters: number) =>
  z.string().regex(new RegExp(`^[\\w-]{${characters}}={0,2}$`), 'Please turn on notifications again.');

/** A browser's push subscription, as `PushSubscription.toJSON()` returns it. */
export const PushSubscriptionBody = z.object({
  endpoint: z.url().max(2000),
  keys: z.object({
    /** A point on the curve P-256: 65 bytes. */
    p256dh: base64urlField(87),
    /** 16 bytes. */
    auth: base64urlField(22),
  }),
});

const IdParams = z.object({ id: z.string().max(100) });

export const ownerPush = {
  'GET /api/admin/push': {
    summary: 'Read the public key for notifications, and the owner’s devices that get them',
    who: 'admin',
    area: 'security',
    response: z.object({ publicKey: z.string(), devices: z.array(PushDevice) }),
  },
  'POST /api/admin/push/devices': {
    summary: 'Turn on notifications of sales for this browser',
    who: 'admin',
    area: 'security',
    body: PushSubscriptionBody,
    response: PushDevice,
    refusals: ['push-address-refused', 'too-many-push-devices'],
  },
  'DELETE /api/admin/push/devices/:id': {
    summary: 'Turn off notifications of sales for a browser',
    who: 'admin',
    area: 'security',
    params: IdParams,
    response: z.object({ message: z.string() }),
    refusals: ['not-found'],
  },
  'POST /api/admin/push/devices/:id/test': {
    summary: 'Send a test notification to a browser',
    who: 'admin',
    area: 'security',
    params: IdParams,
    response: z.object({ message: z.string() }),
    refusals: ['not-found', 'push-device-gone', 'push-failed'],
  },
} satisfies Operations;
