import type { FrameLimits, UploadView } from '#contract/frames.ts';
import { counted } from '#contract/count-words.ts';

interface Facts {
  frame: Pick<FrameLimits, 'usedPhotos' | 'remainingPhotos' | 'laterPhotos'> & {
    uploads: readonly Pick<UploadView, 'isLocked'>[];
  };
  sending: number;
  failed: number;
  /** Those that the shop never takes. */
  unusable: number;
  /** The device says that it has no connection. */
  isOffline: boolean;
}

/** What to do now, in one plain sentence. */
export function nextStep({
  frame: { usedPhotos, remainingPhotos, laterPhotos, uploads },
  sending,
  failed,
  unusable,
  isOffline,
}: Facts): string {
  if (sending > 0 && isOffline)
    return `${counted(sending, 'photo')} ${sending === 1 ? 'waits' : 'wait'} for a connection, and ${sending === 1 ? 'goes' : 'go'} on by ${sending === 1 ? 'itself' : 'themselves'}.`;
  if (sending > 0) return `${counted(sending, 'photo')} on the way. Please keep this page open.`;
  if (failed > 0) return `${counted(failed, 'photo')} did not arrive. Tap Retry on ${failed === 1 ? 'it' : 'them'}.`;
  if (unusable > 0)
    return `${counted(unusable, 'photo')} could not be used. Please remove ${unusable === 1 ? 'it' : 'them'}.`;
  if (usedPhotos === 0) return 'Next: choose your first photos.';
  if (isAllLocked(uploads)) {
    if (remainingPhotos === 0) return 'All your photos are with us.';
    return `You can add up to ${remainingPhotos} more.${laterPhotos === 0 ? " If none will come, tap I'm Done." : ''}`;
  }
  if (remainingPhotos > 0) return `Add up to ${remainingPhotos} more, or tap I'm Done.`;
  return "Next: look them over, then tap I'm Done.";
}

/** Every photo that is here was finalized before: what is open are places for more. */
export const isAllLocked = (uploads: readonly Pick<UploadView, 'isLocked'>[]): boolean =>
  uploads.length > 0 && uploads.every((it) => it.isLocked);
