import * as z from 'zod';

export const erasureReasons = ['asked', 'time-over', 'account-deleted', 'order-canceled'] as const;
export type ErasureReason = (typeof erasureReasons)[number];

/** What was erased from one frame. */
export const ErasedFrame = z.object({
  frameName: z.string(),
  orderNumber: z.string(),
  photos: z.int(),
  videos: z.int(),
});
export type ErasedFrame = z.infer<typeof ErasedFrame>;

/** The receipt of an erasure. */
export const ErasureReceipt = z
  .object({
    id: z.string(),
    reason: z.enum(erasureReasons),
    frames: z.array(ErasedFrame),
    photos: z.int(),
    videos: z.int(),
    /** The total size of the originals and videos. */
    sizeBytes: z.int(),
    askedAt: z.string(),
    /** Null while the files are being deleted. */
    doneAt: z.string().nullable(),
  })
  .meta({ id: 'ErasureReceipt' });
export type ErasureReceipt = z.infer<typeof ErasureReceipt>;
