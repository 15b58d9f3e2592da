import type { FramePhotoLimits, UploadView } from '#contract/frames.ts';

/** Whether a photo still needs a preview. */
export const isPreviewDue = (photo: UploadView): boolean =>
  !photo.isLocked && !photo.isWaiting && photo.preview === null;

/**
 * Videos are rendered before previews, so a preview may take long. The page says that a preview is being made only for
 * this time after the upload.
 */
const promisedMs = 10 * 60_000;
export const isPreviewPromised = (photo: UploadView, hasPreviews: boolean): boolean =>
  hasPreviews && isPreviewDue(photo) && Date.now() - Date.parse(photo.uploadedAt) < promisedMs;

const firstPollMs = 3000;
const maxPollMs = 30_000;

/** The polling interval for previews in ms. It grows with each response. False if no photo needs a preview. */
export function previewPollMs(limits: FramePhotoLimits | undefined, answers: number): number | false {
  if (!limits?.hasPreviews) return false;
  const isDue = limits.frames.some((frame) => !frame.uploadFinalized && frame.uploads.some(isPreviewDue));
  return isDue && Math.min(maxPollMs, firstPollMs + 250 * answers);
}
