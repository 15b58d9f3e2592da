import { photosIncluded } from '#contract/catalog.ts';
import type { FrameLimits } from '#contract/frames.ts';

type Movable = Pick<
  FrameLimits,
  'deviceId' | 'orderId' | 'extraPhotos' | 'laterPhotos' | 'remainingPhotos' | 'uploadFinalized' | 'deviceName'
>;

/** How many extra packages of a frame are still empty, and where one can go: the shop decides the same way. */
export function movablePackages<F extends Movable>(frame: F, frames: readonly F[]): { packages: number; to: F[] } {
  const isOpen = !frame.uploadFinalized;
  // What was bought later stays in its frame; photos take the other places first.
  const room = Math.max(0, Math.min(frame.extraPhotos, frame.remainingPhotos) - frame.laterPhotos);
  return {
    packages: isOpen ? Math.floor(room / photosIncluded.extraPackage) : 0,
    to: frames.filter((it) => it.orderId === frame.orderId && it.deviceId !== frame.deviceId && !it.uploadFinalized),
  };
}
