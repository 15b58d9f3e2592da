import type { FrameLimits, UploadView } from '#contract/frames.ts';
import { countText } from '#contract/count-text.ts';

interface UploadFacts {
  frame: Pick<FrameLimits, 'usedPhotos' | 'remainingPhotos' | 'laterPhotos'> & {
    uploads: readonly Pick<UploadView, 'isLocked'>[];
  };
  sending: number;
  failed: number;
  /** The number of photos that the shop never accepts. */
  unusable: number;
  /** Whether the device is offline. */
  isOffline: boolean;
}

/** The next step, in one plain sentence. */
export function findNextStep({
  frame: { usedPhotos, remainingPhotos, laterPhotos, uploads },
  sending,
  failed,
  unusable,
  isOffline,
}: UploadFacts): string {
  if (sending > 0 && isOffline)
    return `${countText(sending, 'photo')} waiting for an internet connection. ${sending === 1 ? 'It continues' : 'They continue'} automatically.`;
  if (sending > 0) return `${countText(sending, 'photo')} uploading. Please keep this page open.`;
  if (failed > 0) return `${countText(failed, 'photo')} didn’t upload. Tap Retry on ${failed === 1 ? 'it' : 'them'}.`;
  if (unusable > 0)
    return `${countText(unusable, 'photo')} can’t be used. Please remove ${unusable === 1 ? 'it' : 'them'}.`;
  if (usedPhotos === 0) return 'Next: choose your first photos.';
  if (isAllLocked(uploads)) {
    if (remainingPhotos === 0) return 'We have all your photos.';
    return `You can add up to ${remainingPhotos} more.${laterPhotos === 0 ? " If that’s all, tap I'm Done." : ''}`;
  }
  if (remainingPhotos > 0) return `Add up to ${remainingPhotos} more, or tap I'm Done.`;
  return "Next: check your photos, then tap I'm Done.";
}

/** Whether all photos were finalized before. The remaining room is then for more photos. */
export const isAllLocked = (uploads: readonly Pick<UploadView, 'isLocked'>[]): boolean =>
  uploads.length > 0 && uploads.every((it) => it.isLocked);
