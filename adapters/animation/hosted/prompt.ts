import type { MotionStyle } from '#contract/motion.ts';

/** What a model that makes videos should do with the photo. */
export const createVideoPrompt = (style: MotionStyle) =>
  `The photo comes gently to life. People breathe, blink and turn a little, hair and leaves stir in a light wind, water and light move. ${cameraPromptByStyle[style] ?? 'The camera stands still.'} Every face stays exactly as it is. Calm, natural, photorealistic, one take.`;
const cameraPromptByStyle: Partial<Record<MotionStyle, string>> = {
  'push-in': 'The camera moves in slowly.',
  drift: 'The camera drifts slowly to the side.',
  depth: 'The camera moves a little to the side and shows depth.',
};
