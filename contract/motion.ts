/** The motions a photo can be brought to life with; the animator knows how to draw each. */
export const motionStyles = [
  'push-in',
  'drift',
  'breathe',
  'light-sweep',
  'floating-print',
  'vintage',
  'depth',
] as const;
export type MotionStyle = (typeof motionStyles)[number];

/** The panel of the 10-inch frame, in pixels, landscape. */
export const panel = { width: 1280, height: 800 } as const;
