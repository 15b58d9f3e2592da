import { includedPhotoCounts } from '#contract/catalog.ts';
import type { FrameLimits } from '#contract/frames.ts';

type FramePackages = Pick<
  FrameLimits,
  'deviceId' | 'orderId' | 'extraPhotos' | 'laterPhotos' | 'remainingPhotos' | 'uploadFinalized' | 'deviceName'
>;

/** How many extra packages of a frame are empty, and to which frames they can move. The shop uses the same rule. */
export function findMovablePackages<F extends FramePackages>(
  frame: F,
  frames: readonly F[],
): { packages: number; to: F[] } {
  const isOpen = !frame.uploadFinalized;
  // Packages that were bought after the order cannot move. Photos use up the frame's other room first.
  const movablePlaces = Math.max(0, Math.min(frame.extraPhotos, frame.remainingPhotos) - frame.laterPhotos);
  return {
    packages: isOpen ? Math.floor(movablePlaces / includedPhotoCounts.extraPackage) : 0,
    to: frames.filter((it) => it.orderId === frame.orderId && it.deviceId !== frame.deviceId && !it.uploadFinalized),
  };
}
