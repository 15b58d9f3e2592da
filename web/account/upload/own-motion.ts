import type { UploadView } from '#contract/frames.ts';

/** Whether the video will show the motion in the photo's own file: by default, or because the customer chose it. */
export const showsOwnMotion = ({ hasOwnMotion, style, moves }: UploadView): boolean =>
  hasOwnMotion &&
  (style === 'own-motion' || (style === null && moves?.living !== false && moves?.water !== true && !moves?.candle));

/** Whether the preview shows another motion, because the motion in the file could not be used. */
export const hasLostOwnMotion = (photo: UploadView): boolean =>
  showsOwnMotion(photo) && photo.preview !== null && photo.preview.style !== 'own-motion';
