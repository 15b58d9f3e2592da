import type { Db } from '../ports/database.ts';
import { findCustomerById } from '../accounts/accounts.ts';
import { readFramesOfOrders, isFinalized, photoLimitOf } from '../frames/frames.ts';
import type { Order } from '../orders/orders.ts';
import { videosOfFrames } from './production.ts';

/** The data that the owner checks before a package is shipped. */
export interface ShippingCheck {
  /** Whether the buyer has an account that has confirmed the order's email address. */
  isEmailProven: boolean;
  /** The order's active frames, sorted by their position. */
  frames: FrameCheck[];
}
interface FrameCheck {
  name: string;
  photos: number;
  mostPhotos: number;
  isFinalized: boolean;
  videos: number;
  /** Videos that are being made, wait for review or have failed. */
  openVideos: number;
}

/** Checks whether an order's photos and videos are done, and whether its customer can be reached. */
export async function checkShipping(db: Db, { id, customerId, email }: Order): Promise<ShippingCheck> {
  const [customer, all] = await Promise.all([
    customerId === null ? undefined : findCustomerById(db, customerId),
    readFramesOfOrders(db, [id]),
  ]);
  const frames = all.filter((it) => it.isActive);
  const videosByFrame = Map.groupBy(
    await videosOfFrames(
      db,
      frames.map((it) => it.id),
    ),
    (it) => it.frameId,
  );
  return {
    isEmailProven: customer !== undefined && customer.emailProvenAt !== null && customer.email === email.toLowerCase(),
    frames: frames.map((frame) => {
      const videosOfFrame = videosByFrame.get(frame.id) ?? [];
      return {
        name: frame.name,
        photos: frame.usedPhotos,
        mostPhotos: photoLimitOf(frame),
        isFinalized: isFinalized(frame),
        videos: videosOfFrame.length,
        openVideos: videosOfFrame.filter((it) => it.state !== 'approved').length,
      };
    }),
  };
}
