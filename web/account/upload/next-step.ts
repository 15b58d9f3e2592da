import type { FrameLimits, UploadView } from '#contract/frames.ts';
import { counted } from '#contract/count-words.ts';

interface Facts {
  frame: Pick<FrameLimits, 'usedPhotos' | 'remainingPhotos'> & { uploads: readonly Pick<UploadView, 'isLocked'>[] };
  sending: number;
  failed: number;
}

/** What to do now, in one plain sentence. */
export function nextStep({ frame: { usedPhotos, remainingPhotos, uploads }, sending, failed }: Facts): string {
  if (sending > 0) return `${counted(sending, 'photo')} on the way. Please keep this page open.`;
  if (failed > 0) return `${counted(failed, 'photo')} did not arrive. Tap Retry on ${failed === 1 ? 'it' : 'them'}.`;
  if (usedPhotos === 0) return 'Next: choose your first photos.';
  if (uploads.length > 0 && uploads.every((it) => it.isLocked))
    return remainingPhotos > 0 ? `You can add up to ${remainingPhotos} more.` : 'All your photos are with us.';
  if (remainingPhotos > 0) return `Add up to ${remainingPhotos} more, or tap I'm Done.`;
  return "Next: look them over, then tap I'm Done.";
}
