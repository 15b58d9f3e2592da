import { unavailableMotionTexts } from '#contract/motion.ts';
import type { AllowedMotions } from '#contract/photo-forms.ts';

/** What the image analysis reports about a photo, as far as the warnings need it. */
interface DetectedContent {
  faces: readonly unknown[];
  showsPeople: boolean;
  canLive: boolean;
  hasWater: boolean;
  sharpness: number;
}
/** Below this sharpness a photo looks blurred. */
const blurredLimit = 0.15;

/**
 * Returns why the photo cannot get the motions that its customer expects, and what is wrong with it. A face without a
 * person may belong to an animal or to a picture on the wall. It is expected to blink only if the customer asked for it.
 */
export function findAnalysisWarnings(allowedMotions: AllowedMotions, detected: DetectedContent): string[] {
  const { faces, showsPeople, canLive, hasWater, sharpness } = detected;
  const expectsLife = allowedMotions.living ?? showsPeople;
  return [
    ...(expectsLife && faces.length > 0 && !canLive ? [unavailableMotionTexts.alive] : []),
    ...(allowedMotions.water && !hasWater ? [unavailableMotionTexts.water] : []),
    ...(sharpness < blurredLimit ? ['This photo looks blurry. Do you have a sharper one of that moment?'] : []),
  ];
}
